// The page of a chat before its conversation: what it hears while that is being opened, and where it cannot be.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Port } from "../../src/bridge/page-connection.ts";
import { defaultPreferences } from "../../src/bridge/preferences.ts";
import type { ToPage } from "../../src/bridge/protocol.ts";
import { createChatPage, createChatPlaces, tabOf } from "../../src/editor/chat/chat-page.ts";
import { createPageActions, createPageFocus } from "../../src/editor/chat/page-actions.ts";
import { contextKeys } from "../../src/editor/manifest.ts";
import { leaveNothing, put, testWorkspace } from "./support/files.ts";
import { cursorIn, heard } from "./support/heard.ts";

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
  const pageWith = (
    connect: (port: Port) => Promise<vscode.Disposable>,
    silence: Pick<Parameters<typeof createChatPage>[0], "tell" | "patience"> = {
      tell: async () => undefined,
    },
  ) =>
    createChatPage({
      extensionUri: vscode.Uri.file("/extension"),
      log,
      preferences: () => defaultPreferences,
      connect,
      ...silence,
    });
  const problems = (heard: readonly ToPage[]) =>
    heard.map((message) => (message.type === "view-state" ? message.viewState.problem?.actions : []));

  it("sets its content security policy before scripts are enabled", async () => {
    const { place } = createWebview();
    const drawn: string[] = [];
    const options = {
      get: () => ({}),
      set: ({ enableScripts }: vscode.WebviewOptions) => {
        if (enableScripts === true) drawn.push(place.webview.html);
      },
    };
    Object.defineProperty(place.webview, "options", options);
    await pageWith(async () => ({ dispose() {} })).fill(place);
    assert.equal(drawn.length, 1);
    assert.match(drawn[0] ?? "", /<meta http-equiv="Content-Security-Policy"/);
  });

  it("runs in a webview of VS Code and reports that it is ready", async () => {
    const extension = vscode.extensions.getExtension("patchbay.patchbay");
    assert(extension !== undefined);
    const panel = vscode.window.createWebviewPanel("patchbay-test", "Page", vscode.ViewColumn.One);
    const hidden = new vscode.EventEmitter<void>();
    const said = new Promise<unknown>((resolve) => {
      const page = createChatPage({
        extensionUri: extension.extensionUri,
        log,
        preferences: () => defaultPreferences,
        connect: async ({ onMessage }) => onMessage(resolve),
      });
      void page.fill({ webview: panel.webview, onDidDispose: panel.onDidDispose, onDidHide: hidden.event });
    });
    assert.equal(((await said) as { type?: unknown }).type, "ready");
    panel.dispose();
  });

  it("offers to reload it or open the log when it stays silent", async () => {
    told.length = 0;
    const presses = ["Reload", "Open Log"];
    const offers: string[][] = [];
    const ended = new Promise<void>((resolve) => {
      const tell = async (...offer: string[]) => {
        offers.push(offer);
        if (presses.length === 1) setImmediate(resolve);
        return presses.shift();
      };
      const { place } = createWebview();
      const htmls: string[] = [];
      Object.defineProperty(place.webview, "html", {
        get: () => htmls.at(-1),
        set: (html: string) => void htmls.push(html),
      });
      const page = pageWith(async () => ({ dispose() {} }), { tell, patience: 0 });
      void page.fill(place).then(() => assert.match(htmls[0] ?? "", /Loading the chat/));
    });
    await ended;
    const offer = ["The chat didn't load.", "Reload", "Open Log"];
    assert.deepEqual(offers, [offer, offer]);
    assert.deepEqual(told, ["error", "error", "shown"]);
  });

  it("offers no reload once it has sent a message, is hidden or is disposed", async () => {
    const places = [createWebview(), createWebview(), createWebview()];
    const offers: string[][] = [];
    const tell = async (...offer: string[]) => void offers.push(offer);
    const page = pageWith(async () => ({ dispose() {} }), { tell, patience: 1 });
    const filled = places.map(({ place }) => page.fill(place));
    places[0]?.say({ type: "ready" });
    places[1]?.hidden.fire();
    places[2]?.gone.fire();
    await Promise.all(filled);
    // Of timers that last the same, the one that began first ends first.
    await new Promise((resolve) => setTimeout(resolve, 1));
    assert.deepEqual(offers, []);
  });

  it("reports that conversations cannot be opened, shows the log and retries on request", async () => {
    const { place, heard, say, gone } = createWebview();
    const said: unknown[] = [];
    told.length = 0;
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

  it("closes its conversation when it was disposed while opening", async () => {
    const { place, gone } = createWebview();
    const closed: true[] = [];
    const page = pageWith(async () => {
      gone.fire();
      return { dispose: () => void closed.push(true) };
    });
    await page.fill(place);
    assert.deepEqual(closed, [true]);
  });

  it("reports its focus as elsewhere when VS Code hides or disposes it", async () => {
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

  it("ignores a new title in a tab that is closed already", () => {
    const panel = vscode.window.createWebviewPanel("test", "Test", vscode.ViewColumn.One);
    const tab = tabOf(panel, { conversation: "one" });
    tab.setTitle("A question");
    assert.equal(panel.title, "A question");
    panel.dispose();
    tab.setTitle("Another");
    tab.setTitle(undefined);
    assert.equal(tab.conversation, "one");
  });

  it("moves to its own window before another editor can cover it", () => {
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

  it("clears the focus context only when no other page has the focus", () => {
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

describe("a file that a page opens", () => {
  afterEach(leaveNothing);

  const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 4 });
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const { tabGroups } = vscode.window;

  for (const [name, content, kind] of [
    ["page/pixel.png", Buffer.from(pixel, "base64"), "custom"],
    ["page/book.ipynb", Buffer.from(notebook), "notebook"],
    ["page/lines.txt", Buffer.from("one\ntwo\nthree\n"), "text"],
  ] as const)
    it(`is shown in the editor of its kind: ${name}`, async () => {
      await put(name, content);
      const failed = new vscode.EventEmitter<void>();
      let failure: unknown;
      const log = {
        error(_: string, cause: unknown) {
          failure = cause;
          failed.fire();
        },
      };
      const deps = { workspace: testWorkspace(), log, focus: createPageFocus(() => undefined) };
      const actions = createPageActions(deps as unknown as Parameters<typeof createPageActions>[0]);
      actions.openFile(name, 2);
      const look = () => {
        const { activeTab } = tabGroups.activeTabGroup;
        return activeTab?.label === name.split("/").at(-1) ? activeTab : undefined;
      };
      const tab = await heard(
        () => (failure === undefined ? look() : null),
        ...[tabGroups.onDidChangeTabs, tabGroups.onDidChangeTabGroups, failed.event],
      );
      assert.equal(failure, undefined);
      if (kind === "custom") assert.equal(tab?.input instanceof vscode.TabInputText, false);
      if (kind === "notebook") assert(tab?.input instanceof vscode.TabInputNotebook);
      if (kind === "text") await cursorIn(1);
    });
});
