// http:// in a private network, in the real editor: a person is asked once for each origin, the risk is named, and
// before that there is no connection.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createConnectionCommands } from "../../src/editor/connection/connection-commands.ts";
import { createConnection } from "../../src/editor/connection/connection-state.ts";
import { createKeys } from "../../src/editor/connection/credentials.ts";
import { commands } from "../../src/editor/manifest.ts";
import { createSettings } from "../../src/editor/settings/settings.ts";
import { createStartSettings } from "../../src/editor/settings/start-settings.ts";
import { silentLog } from "../../src/util/log.ts";
import { english } from "../support/english.ts";
import { createMemento } from "./support/memento.ts";

const typed = "http://gpu.internal:8000";

describe("an unencrypted service in a private network", () => {
  const { createInputBox, setStatusBarMessage, showWarningMessage } = vscode.window;
  const baseUrl = () => vscode.workspace.getConfiguration("patchbay");
  const before = baseUrl().inspect<string>("baseUrl")?.globalValue;

  after(async () => {
    Object.assign(vscode.window, { createInputBox, setStatusBarMessage, showWarningMessage });
    await baseUrl().update("baseUrl", before, vscode.ConfigurationTarget.Global);
  });

  it("is used only after consent for its origin, which the person can withdraw", async () => {
    const memory = createMemento();
    const secrets = {
      get: async () => "sk-test-0123456789",
      keys: async () => [],
      store: async () => {},
      delete: async () => {},
      onDidChange: new vscode.EventEmitter<vscode.SecretStorageChangeEvent>().event,
    } as vscode.SecretStorage;
    // A channel of this name is the extension's own: to dispose of it here would close it for every test after.
    const log = { ...silentLog, hide() {}, show() {}, dispose() {} };
    const settings = createSettings(createStartSettings(log));
    const keys = createKeys(secrets, undefined);
    const connection = createConnection(settings, keys, memory, log);
    let connections = 0;
    const connect = createConnectionCommands({
      ...{ connection, keys, log },
      check: async () => ({ ok: true, model: "svc-k3", tokens: 1, milliseconds: 1 }),
      connected: () => void connections++,
      models: () => 4,
      checks: () => assert.fail(),
      showDataDisclosure: async () => {},
      isOffered: () => false,
      showChatSteps: async () => {},
    })[commands.connection];
    const asked: { question: string; detail: string | undefined }[] = [];
    const said: unknown[] = [];
    let answer: string | undefined;
    Object.assign(vscode.window, {
      createInputBox: () => boxInWhichIsTyped(typed),
      setStatusBarMessage: (...words: unknown[]) => {
        said.push(words);
        return new vscode.Disposable(() => undefined);
      },
      showWarningMessage: async (question: string, { detail }: vscode.MessageOptions) => {
        asked.push({ question, detail });
        return answer;
      },
    });

    await connect("url");
    assert.equal(connections, 0);
    assert.notEqual(settings.baseUrl(), typed);
    // Who writes it into the settings is asked as well.
    await baseUrl().update("baseUrl", typed, vscode.ConfigurationTarget.Global);
    const refused = await connection.current();
    assert.ok("kind" in refused);
    assert.equal(english(refused.message), `Confirm the unencrypted connection to ${typed} first.`);
    assert.deepEqual(refused.actions, ["set-base-url"]);

    answer = "Use HTTP";
    await connect("url");
    assert.equal(connections, 1);
    assert.deepEqual(said, [["$(pass) Connected · 4 models", 5000]]);
    assert.equal(asked.at(-1)?.question, `Send your API key unencrypted to ${typed}?`);
    assert.match(asked.at(-1)?.detail ?? "", /anyone on this network can read your API key/);
    const agreed = await connection.current();
    assert.deepEqual(agreed, { baseUrl: `${typed}/v1`, key: "sk-test-0123456789", plainHttp: true });
    assert.deepEqual(memory.get("plainHttp"), [typed]);

    await connection.forgetPlainHttp();
    assert.ok("kind" in (await connection.current()));
    for (const each of [connection, settings, log]) each.dispose();
  });
});

/** Takes this once it is shown, after an address that is refused; whoever asks again is left. */
function boxInWhichIsTyped(text: string): vscode.InputBox {
  const [changed, accepted, hidden] = [
    new vscode.EventEmitter<string>(),
    new vscode.EventEmitter<void>(),
    new vscode.EventEmitter<void>(),
  ];
  let isTyped = false;
  const box = {
    value: "",
    validationMessage: "",
    onDidChangeValue: changed.event,
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    onDidTriggerButton: new vscode.EventEmitter<vscode.QuickInputButton>().event,
    show() {
      if (isTyped) return hidden.fire();
      isTyped = true;
      changed.fire("http://inference.example.com");
      assert.match(box.validationMessage, /only on this computer/);
      box.value = text;
      accepted.fire();
    },
    dispose() {},
  };
  return box as unknown as vscode.InputBox;
}
