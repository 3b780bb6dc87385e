// Connecting, in the real editor's own box: what is wrong is said in it at once, with the one thing to do.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { allSentences } from "../../src/conversation/english.ts";
import { message } from "../../src/conversation/messages.ts";
import { type ConnectDeps, connect } from "../../src/editor/connection/connection-commands.ts";
import { createConnection } from "../../src/editor/connection/connection-state.ts";
import { createKeys } from "../../src/editor/connection/credentials.ts";
import { registerMessages } from "../../src/editor/localize.ts";
import { createSettings } from "../../src/editor/settings/settings.ts";
import { createStartSettings } from "../../src/editor/settings/start-settings.ts";
import type { KeyCheck } from "../../src/service/request.ts";
import { silentLog } from "../../src/util/log.ts";
import { createMemento } from "./support/memento.ts";

const url = "https://inference.example.com";
const offline: KeyCheck = {
  ok: false,
  problem: { kind: "network", message: message("problemOffline"), actions: ["retry"] },
};
const unknown: KeyCheck = {
  ok: false,
  problem: {
    kind: "network",
    message: message("problemNoHost", { host: "inference.example.com", code: "ENOTFOUND" }),
    actions: ["retry", "connection-check"],
  },
};
const refused = {
  ok: false,
  problem: { kind: "auth", message: message("problemKey"), actions: ["set-key"] },
} as const satisfies KeyCheck;
const works: KeyCheck = { ok: true, model: "svc-k3", tokens: 1, milliseconds: 1 };

describe("the connection", () => {
  const { createInputBox } = vscode.window;
  before(() => registerMessages(allSentences));
  after(() => void Object.assign(vscode.window, { createInputBox }));

  it("reports each problem in the input box that fixes it, and continues once it is fixed", async () => {
    const checks = [offline, unknown, refused, works];
    const seen: { readonly step: number | undefined; readonly said: string }[] = [];
    let connected = 0;
    const deps: ConnectDeps = {
      address: () => ({ url: `${url}/v1`, origin: url }),
      agree: async () => true,
      keepUrl: async () => {},
      hasKey: async () => true,
      keepKey: async () => true,
      check: async () => checks.shift() ?? assert.fail(),
      connected: () => void connected++,
    };
    Object.assign(vscode.window, {
      createInputBox() {
        const box = createInputBox();
        const accepted = new vscode.EventEmitter<void>();
        // A person reads what it says, and presses Enter.
        return new Proxy(box, {
          get(target, name) {
            if (name === "onDidAccept") return accepted.event;
            if (name !== "show") return Reflect.get(target, name, target);
            return () => {
              target.show();
              if (!target.enabled) return;
              seen.push({ step: target.step, said: String(target.validationMessage ?? "") });
              target.value = target.password ? "sk-test-0123456789" : url;
              setImmediate(() => accepted.fire());
            };
          },
          set: (target, name, value) => Reflect.set(target, name, value, target),
        });
      },
    });
    await connect("key", deps);
    assert.deepEqual(seen, [
      { step: 2, said: "" },
      { step: 1, said: "You seem to be offline. Check your network connection. Press Enter to try again." },
      {
        step: 1,
        said: "Can't find inference.example.com (ENOTFOUND). Check the URL and your network, then press Enter to try again.",
      },
      { step: 2, said: "The API key wasn't accepted. Enter another key." },
    ]);
    assert.equal(connected, 1);
    assert.deepEqual(checks, []);
  });

  it("counts as proven once the service has accepted the key, until another key is set", async () => {
    const stored = new Map([[url, "sk-test-0123456789"]]);
    const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
    const secrets = {
      get: async (slot: string) => [...stored].find(([origin]) => slot.includes(origin))?.[1],
      keys: async () => [],
      store: async () => {},
      delete: async () => {},
      onDidChange: changed.event,
    } as vscode.SecretStorage;
    const memory = createMemento();
    const log = { ...silentLog, hide() {}, show() {}, dispose() {} };
    const own = createSettings(createStartSettings(log));
    const settings = { ...own, baseUrl: () => url };
    const open = () => createConnection(settings, createKeys(secrets, undefined), memory, log);
    const connection = open();
    const news = (of = connection) => new Promise<void>((resolve) => of.onDidChange(resolve));
    /** As a restart finds it. */
    const isProvenLater = async () => {
      const later = open();
      await news(later);
      later.dispose();
      return later.isProven;
    };
    await news();
    assert.equal(connection.isProven, false, "set is not tested");
    connection.keyWatcher.refused(refused.problem);
    assert.equal(connection.isProven, false);
    connection.keyWatcher.accepted();
    await connection.current();
    assert.equal(connection.isProven, true);
    assert.equal(await isProvenLater(), true);
    for (const key of [undefined, "sk-another-0123456789"]) {
      if (key !== undefined) stored.set(url, key);
      const told = news();
      changed.fire({ key: url });
      await told;
      assert.equal(connection.isProven, key === undefined, "word of the key that was taken comes late");
    }
    assert.equal(await isProvenLater(), false);
    for (const each of [connection, own, log]) each.dispose();
  });
});
