// The page of a chat before its conversation: what it hears while that is being opened, and where it cannot be.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { defaultPreferences } from "../../src/bridge/blank-view.ts";
import type { Port } from "../../src/bridge/page-connection.ts";
import type { ToPage } from "../../src/bridge/protocol.ts";
import { createChatPage } from "../../src/shell/chat/chat-page.ts";
import { createChatPlaces, tabOf } from "../../src/shell/chat/chat-places.ts";
import { createPageFocus } from "../../src/shell/chat/page-focus.ts";
import { contextKeys } from "../../src/shell/manifest.ts";

/** A webview without a page in it. */
function createWebview() {
  const messages = new vscode.EventEmitter<unknown>();
  const gone = new vscode.EventEmitter<void>();
  const hidden = new vscode.EventEmitter<void>();
  const heard: ToPage[] = [];
  const webview = {
    options: {},
    html: "",
    cspSource: "vscode-webview:",
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: messages.event,
    postMessage: async (message: ToPage) => heard.push(message) > 0,
  };
  const place = {
    webview: webview as unknown as vscode.Webview,
    onDidDispose: gone.event,
    onDidHide: hidden.event,
  };
  return { place, heard, say: (message: unknown) => messages.fire(message), gone, hidden };
}

describe("a chat page", () => {
  const told: string[] = [];
  const log = { error: () => void told.push("error"), show: () => void told.push("shown") };
  const pageWith = (connect: (port: Port) => Promise<vscode.Disposable>) =>
    createChatPage({
      extensionUri: vscode.Uri.file("/extension"),
      log,
      preferences: () => defaultPreferences,
      connect,
    });
  const problems = (heard: readonly ToPage[]) =>
    heard.map((message) => (message.type === "view-state" ? message.viewState.problem?.actions : []));

  it("says in one sentence that the conversations cannot be opened, shows the log, and tries again when asked", async () => {
    const { place, heard, say, gone } = createWebview();
    const said: unknown[] = [];
    let isBroken = true;
    const closed: true[] = [];
    const page = pageWith(async ({ onMessage }) => {
      if (isBroken) throw new Error("service.js is not there");
      onMessage((message) => said.push(message));
      return { dispose: () => void closed.push(true) };
    });
    await page.fill(place);
    const card = ["retry", "open-log"];
    assert.deepEqual(problems(heard), [card]);
    assert.deepEqual(told, ["error"]);
    // The page came up only now, or was brought back.
    say({ type: "ready" });
    say({ type: "act", action: "open-log" });
    assert.deepEqual(problems(heard), [card, card]);
    assert.deepEqual(told, ["error", "shown"]);

    say({ type: "act", action: "retry" });
    await new Promise(setImmediate);
    assert.deepEqual(problems(heard), [card, card, undefined, card]);
    isBroken = false;
    say({ type: "act", action: "retry" });
    await new Promise(setImmediate);
    assert.deepEqual(problems(heard).slice(4), [undefined]);
    assert.deepEqual(said[0], { type: "ready" });
    say({ type: "stop" });
    assert.deepEqual(said.at(-1), { type: "stop" });
    gone.fire();
    assert.deepEqual(closed, [true]);
  });

  it("is let go of again when it went while its conversation was being opened", async () => {
    const { place, gone } = createWebview();
    const closed: true[] = [];
    const page = pageWith(async () => {
      gone.fire();
      return { dispose: () => void closed.push(true) };
    });
    await page.fill(place);
    assert.deepEqual(closed, [true]);
  });

  it("that VS Code takes away is one that nobody is in, whether it is hidden or closed", async () => {
    const { place, say, gone, hidden } = createWebview();
    const said: unknown[] = [];
    await pageWith(async ({ onMessage }) => onMessage((message) => said.push(message))).fill(place);
    const isIn = { type: "focus", focus: { area: "composer" } };
    const isElsewhere = { type: "focus", focus: { area: "elsewhere" } };
    say(isIn);
    hidden.fire();
    say(isIn);
    gone.fire();
    assert.deepEqual(said, [isIn, isElsewhere, isIn, isElsewhere]);
  });

  it("in a tab that was closed while it was being opened takes no name, and nothing breaks", () => {
    const panel = vscode.window.createWebviewPanel("test", "Test", vscode.ViewColumn.One);
    const tab = tabOf(panel, { conversation: "one" });
    tab.setTitle("A question");
    assert.equal(panel.title, "A question");
    panel.dispose();
    tab.setTitle("Another");
    tab.setTitle(undefined);
    assert.equal(tab.conversation, "one");
  });

  it("in a window of its own is moved there before another editor can come in front of it", () => {
    const { executeCommand } = vscode.commands;
    const { registerWebviewViewProvider, registerWebviewPanelSerializer, createWebviewPanel } = vscode.window;
    const done: string[] = [];
    const nothing = () => ({ dispose: () => {} });
    Object.assign(vscode.commands, { executeCommand: async (command: string) => void done.push(command) });
    Object.assign(vscode.window, {
      // The product's own stand under these names in this host.
      registerWebviewViewProvider: nothing,
      registerWebviewPanelSerializer: nothing,
      createWebviewPanel(...given: Parameters<typeof createWebviewPanel>) {
        done.push("opened");
        const panel = createWebviewPanel(...given);
        setImmediate(() => panel.dispose());
        return panel;
      },
    });
    try {
      // Its page takes its time.
      const page = { fill: () => new Promise<void>(() => {}) };
      const places = createChatPlaces(page, vscode.Uri.file("/extension"), "patchbay.chat");
      void places.commands["patchbay.chat.openInNewWindow"]();
      assert.deepEqual(done, ["opened", "workbench.action.moveEditorToNewWindow"]);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
      Object.assign(vscode.window, {
        ...{ registerWebviewViewProvider, registerWebviewPanelSerializer, createWebviewPanel },
      });
    }
  });

  it("says nothing of another one that somebody is in", () => {
    const told = new Map<string, boolean>();
    const focus = createPageFocus((key, value) => told.set(key, value));
    const [one, other] = [{}, {}];
    focus.set({ area: "composer" }, one);
    focus.set({ area: "transcript" }, other);
    focus.set({ area: "elsewhere" }, one);
    assert.equal(told.get(contextKeys.chatFocused), true);
    focus.set({ area: "elsewhere" }, other);
    assert.equal(told.get(contextKeys.chatFocused), false);
  });
});
