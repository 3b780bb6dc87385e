// What leaves by the clipboard, what comes by a link, and what is gone when a person says so.
import { strict as assert } from "node:assert";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { openLibrary } from "../../src/core/session/conversation-store.ts";
import type { Library } from "../../src/core/store/library.ts";
import { createLinkHandler, type LinkedQuestion, readLink } from "../../src/shell/chat/open-link.ts";
import { createKeys } from "../../src/shell/connection/key-store.ts";
import { pruneHistory } from "../../src/shell/conversations/prune-history.ts";
import { eraseAllData } from "../../src/shell/data-commands.ts";
import { diagnostics } from "../../src/shell/diagnostics.ts";

const extension = vscode.extensions.getExtension("patchbay.patchbay");

describe("a person's own data", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-data-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is not in the diagnostics: no name, no path, no address, no text of a setting", async () => {
    assert(extension !== undefined);
    const settings = vscode.workspace.getConfiguration("patchbay");
    const { Global } = vscode.ConfigurationTarget;
    await settings.update("baseUrl", "https://secret-host.example.com", Global);
    await settings.update("agent.maxSteps", 7, Global);
    const connection = { problem: undefined, current: async () => ({ baseUrl: "", key: "" }) };
    const text = diagnostics({ connection, extension, more: () => [] });
    for (const name of ["baseUrl", "agent.maxSteps"]) await settings.update(name, undefined, Global);
    assert.match(text, /^Patchbay \d/);
    assert.match(text, /Changed settings: baseUrl, agent\.maxSteps=7/);
    for (const own of [homedir(), hostname(), "secret-host", folder])
      assert.equal(text.includes(own), false, own);
    const { username } = userInfo();
    if (username.length > 4) assert.equal(text.includes(username), false);
  });

  it("is gone from the disk and from the secret store once everything is closed", async () => {
    mkdirSync(join(folder, "conversations/c"), { recursive: true });
    writeFileSync(join(folder, "conversations/c/log.jsonl"), "{}");
    const kept = new Map([
      ["key:https://a.test", "sk-a"],
      ["key:https://b.test", "sk-b"],
      ["other", "stays"],
    ]);
    const secrets = {
      keys: async () => [...kept.keys()],
      get: async (name: string) => kept.get(name),
      store: async () => {},
      delete: async (name: string) => void kept.delete(name),
      onDidChange: () => ({ dispose() {} }),
    };
    const keys = createKeys(secrets, undefined);
    const order: string[] = [];
    await eraseAllData({
      storage: vscode.Uri.file(folder),
      async close() {
        order.push(existsSync(folder) ? "closed before" : "closed after");
      },
      forgetKeys: () => keys.removeAll("https://a.test"),
      anonymousId: { forget: async () => void order.push("id") },
    });
    assert.deepEqual(order, ["closed before", "id"]);
    assert.equal(existsSync(folder), false);
    assert.deepEqual([...kept.keys()], ["other"]);
  });

  it("is read out of a link, as far as it is a question", () => {
    const read = (text: string) => readLink(vscode.Uri.parse(`vscode://patchbay.patchbay${text}`));
    assert.deepEqual(read("/open?prompt=Hi%20there&file=src/a.ts&file=b"), {
      prompt: "Hi there",
      files: ["src/a.ts", "b"],
    });
    assert.equal(read(`/open?prompt=${"a".repeat(2000)}`)?.prompt.length, 2000);
    for (const hostile of [
      "/open",
      "/open?prompt=",
      "/send?prompt=Hi",
      "/open?prompt=Hi&key=sk-1",
      "/open?prompt=Hi&baseUrl=https://evil.test",
      `/open?prompt=${"a".repeat(2001)}`,
      `/open?${"file=a&".repeat(30)}`,
    ])
      assert.equal(read(hostile), undefined, hostile);
  });

  it("waits for a yes before a link writes, and names no file outside the workspace", async () => {
    const filled: LinkedQuestion[] = [];
    const asked: LinkedQuestion[] = [];
    let yes = false;
    const handler = createLinkHandler({
      folders: () => ["workspace"],
      fill: async (question) => void filled.push(question),
      report: assert.fail,
      async confirm(question) {
        asked.push(question);
        return yes;
      },
    });
    const deep = "a/".repeat(64);
    const uri = vscode.Uri.parse(
      `vscode://x/open?prompt=Hi&file=../../etc/passwd&file=${deep}b.ts&file=src/cart.ts`,
    );
    await handler.handleUri(uri);
    assert.deepEqual([asked.length, filled.length], [1, 0]);
    yes = true;
    await handler.handleUri(uri);
    assert.deepEqual(filled, [{ prompt: "Hi", files: ["src/cart.ts"] }]);
  });

  describe("in conversations", () => {
    let library: Library;
    let kept: number | undefined;
    let answer = false;
    let asked: string[] = [];
    let open: readonly string[] = [];

    beforeEach(async () => {
      [kept, answer, asked, open] = [undefined, false, [], []];
      const day = 24 * 60 * 60_000;
      let now = Date.now() - 40 * day;
      library = openLibrary(folder, "", () => now);
      for (const words of ["old", "new"]) {
        const journal = await library.create();
        const started = { type: "started", turn: words, at: now, model: "svc-k3", route: "responses" };
        await journal.append({ ...started, prompt: words }, { durable: true });
        await journal.append({ type: "ended", turn: words, at: now, ending: "done" }, { durable: true });
        await journal.close();
        now += 40 * day;
      }
    });
    afterEach(() => library.close());

    const titles = async () => (await library.list()).map(({ title }) => title).sort();
    const prune = (days: number, megabytes = 0, meanwhile: () => unknown = () => undefined) => {
      const bytes = megabytes * 1024 * 1024;
      return pruneHistory({
        library: {
          list: () => library.list(),
          remove: (id) => library.remove(id),
          sizes: async () =>
            new Map((await library.list()).map(({ id, title }) => [id, title === "old" ? bytes : 1])),
        },
        keepDays: () => days,
        isOpen: (id) => open.includes(id),
        memory: {
          keys: () => [],
          get: <T>(_: string, before?: T) => (kept as T | undefined) ?? before,
          update: async (_: string, value: number | undefined) => {
            kept = value;
          },
        } as vscode.Memento,
        agree: async (found) => {
          asked.push(found.map(({ summary, why }) => `${summary.title}: ${why}`).join());
          await meanwhile();
          return answer;
        },
      });
    };

    it("is kept as long as the setting says, and goes only after a yes", async () => {
      await prune(30);
      assert.deepEqual(await titles(), ["new", "old"]);
      answer = true;
      await prune(0);
      assert.deepEqual(await titles(), ["new", "old"]);
      await prune(30);
      assert.deepEqual(await titles(), ["new"]);
      assert.deepEqual(asked, ["old: old", "old: old"]);
    });

    it("stays where it was opened again while the question stood", async () => {
      answer = true;
      await prune(30, 0, async () => {
        open = (await library.list()).map(({ id }) => id);
      });
      assert.deepEqual(await titles(), ["new", "old"]);
      assert.deepEqual(asked, ["old: old"]);
    });

    it("is asked about when it takes very much, and again when as much has come to it", async () => {
      for (const megabytes of [150, 250, 350, 500]) await prune(0, megabytes);
      assert.deepEqual(asked, ["old: large", "old: large"]);
      assert.deepEqual(await titles(), ["new", "old"]);
      answer = true;
      await prune(0, 900);
      assert.deepEqual(await titles(), ["new"]);
    });
  });
});
