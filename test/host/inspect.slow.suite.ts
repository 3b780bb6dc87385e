// Next request, what was sent, and a turn sent again with changes: with the simulator outside, in the real editor.

import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { isHumanError } from "../../src/conversation/messages.ts";
import type { Inspected } from "../../src/inspect/editor/inspect.ts";
import { createInspectCommands } from "../../src/inspect/editor/internal/inspect-commands.ts";
import { createReplayCommands } from "../../src/inspect/editor/internal/replay.ts";
import { Exchanges, sendOnce } from "../../src/inspect/exchanges.ts";
import type { ServiceClient } from "../../src/service/service-client.ts";
import { conversationStore, openLibrary } from "../../src/session/conversation-store.ts";
import { defaultConversationSettings } from "../../src/session/session-context.ts";
import type { Library } from "../../src/store/library.ts";
import { silentLog } from "../../src/util/log.ts";
import { raw } from "../sim/http-answers.ts";
import { reasoning, text } from "../sim/script.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { clientOf } from "../support/simulated-client.ts";
import { type Shown, showLatest } from "../support/test-app.ts";
import { closeAll, testWorkspace, uriOf, write } from "./support/files.ts";
import { activeEditor, heard, showEditor } from "./support/heard.ts";

describe("the inspector", () => {
  let folder: string;
  let sim: Simulator;
  let client: ServiceClient;
  let library: Library;
  const shown: Inspected[] = [];
  const added: Inspected[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-inspect-"));
    sim = await startSimulator();
    client = clientOf(sim, { settings: () => ({ userId: "hashed" }) });
    library = openLibrary(folder, "", Date.now);
    shown.length = 0;
    added.length = 0;
  });
  afterEach(async () => {
    await library.close();
    client.dispose();
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
    // An untitled document that was typed into would ask whether to save it.
    for (const document of vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
    await closeAll();
  });

  /** A window: what it sent is known to it alone. */
  async function open() {
    const exchanges = new Exchanges();
    const window: Shown = await showLatest({
      client,
      exchanged: (owner, exchange) => exchanges.add(owner, exchange),
      store: conversationStore(library),
      workspace: testWorkspace(),
      settings: () => defaultConversationSettings,
      log: silentLog,
      defaultModel: () => "svc-k3",
      now: Date.now,
      newId: randomUUID,
    });
    const deps = {
      session: () => window.session,
      async branch(conversation: string, turn: string) {
        await window.open(conversation);
        await window.branch(turn);
      },
      client,
      exchanges,
      documents: {
        add(_: string, inspected: Inspected) {
          added.push(inspected);
          return uriOf("src/cart.ts");
        },
        show: async (_: string, inspected: Inspected) => void shown.push(inspected),
        of: () => shown.at(-1),
        dispose() {},
      },
      about: () => 1,
      focusedTurn: () => undefined,
      hideKey: async (words: string) => words.replaceAll(sim.key, "[hidden]"),
      editedSettings: () => ({ cacheKeyField: "prompt_cache_key", userIdField: "safety_identifier" }),
      showChat: async () => {},
      sendOnce: (asked: Parameters<typeof sendOnce>[0], signal: AbortSignal) =>
        sendOnce(asked, { client, take() {}, now: Date.now, newId: randomUUID }, signal),
    };
    const replays = createReplayCommands(deps);
    return { window, replays, commands: { ...createInspectCommands(deps), ...replays.commands } };
  }

  it("shows the next request as it is sent, and copies it as a command without the key", async () => {
    const { window, commands } = await open();
    window.session.draft.write("What is a “cart”?");
    await commands["patchbay.chat.inspectRequest"]();
    assert.equal(sim.requests.length, 0);
    assert.match(shown[0]?.text ?? "", /It hasn't been sent/);
    await commands["patchbay.inspect.copyCurl"]();
    const curl = await vscode.env.clipboard.readText();
    assert.match(curl, /Bearer \$PATCHBAY_KEY/);
    assert.equal(curl.includes(sim.key), false);
    const announced = JSON.parse(shown[0]?.composed?.body ?? "{}");
    sim.reply(text("Lines."));
    await window.session.send({ prompt: "What is a “cart”?" });
    // Only the conversation's identifier is made when it really begins.
    const went = JSON.parse(String(sim.requests[0]?.raw));
    assert.deepEqual({ ...announced, prompt_cache_key: "" }, { ...went, prompt_cache_key: "" });
  });

  it("shows request and response of a turn, and in a later window only what the journal keeps", async () => {
    const first = await open();
    sim.reply(text("A list of lines."));
    await first.window.session.send({ prompt: `Is ${sim.key} safe?` });
    await first.commands["patchbay.chat.inspectTurn"](undefined);
    const now = shown.at(-1)?.text ?? "";
    assert.match(now, /Requests as sent from this window/);
    assert.match(now, /"output": \[/);
    assert.match(now, /A list of lines\./);
    assert.equal(now.includes(sim.key), false);
    await first.window.close();
    const later = await open();
    await later.commands["patchbay.chat.inspectTurn"](undefined);
    const kept = shown.at(-1)?.text ?? "";
    assert.match(kept, /wasn't sent in this window/);
    assert.match(kept, /A list of lines\./);
    assert.equal(kept.includes(sim.key), false);
    assert.equal(sim.requests.length, 1);
  });

  it("shows how an unreadable response began, without the key", async () => {
    const { window, commands } = await open();
    sim.reply(raw(`data: {"zork":"${sim.key}"}\n\n`));
    await window.session.send({ prompt: "Hello?" });
    await commands["patchbay.chat.inspectTurn"](undefined);
    const seen = shown.at(-1)?.text ?? "";
    assert.match(
      seen,
      /"unread": \{\s+"contentType": "text\/event-stream",\s+"bytes": \d+,\s+"text": "data: /,
    );
    assert.match(seen, /zork/);
    assert.equal(seen.includes(sim.key), false);
  });

  it("sends a changed request once beside the first response, and adds no turn", async () => {
    const { window, replays } = await open();
    sim.reply(text("Blue."));
    await window.session.send({ prompt: "Which colour?" });
    await replays.begin("once", undefined);
    const editor = await editorWith("Which colour?");
    const before = editor.document.getText();
    const at = before.indexOf("Which colour?");
    const range = new vscode.Range(editor.document.positionAt(at), editor.document.positionAt(at + 13));
    await write(editor, (edit) => edit.replace(range, "Which number?"));
    sim.reply(text("Seven."));
    await replays.commands["patchbay.chat.sendReplay"]();
    assert.match(String(sim.requests[1]?.raw), /Which number\?/);
    assert.deepEqual(
      added.map((each) => each.text.trim()),
      ["Blue.", "Seven."],
    );
    assert.equal(window.session.state.turns.length, 1);
  });

  it("shows only the size of encrypted content, and sends it again completely", async () => {
    const { window, replays, commands } = await open();
    sim.reply(reasoning({ summary: ["Think."], encrypted: "gAAAAsecret" }), text("Blue."));
    await window.session.send({ prompt: "Which colour?" });
    sim.reply(text("Red."));
    await window.session.send({ prompt: "Another?" });
    for (const turn of window.session.state.turns) await commands["patchbay.chat.inspectTurn"](turn.id);
    window.session.draft.write("More?");
    await commands["patchbay.chat.inspectRequest"]();
    await commands["patchbay.inspect.copyCurl"]();
    await replays.begin("once", undefined);
    const replay = await editorWith("Another?");
    const seen = [
      ...shown.map((each) => each.text),
      await vscode.env.clipboard.readText(),
      replay.document.getText(),
    ];
    assert.equal(seen.length, 5);
    for (const words of seen) {
      assert.equal(words.includes("gAAAAsecret"), false);
      assert.match(words, /"encrypted_content": ?"\[11 bytes\]"/);
    }
    sim.reply(text("Green."));
    await replays.commands["patchbay.chat.sendReplay"]();
    assert.match(String(sim.requests[2]?.raw), /"encrypted_content":"gAAAAsecret"/);
  });

  it("recognizes a changed request in any language mode until it is closed", async () => {
    const { window, replays } = await open();
    const { executeCommand } = vscode.commands;
    const told: unknown[] = [];
    vscode.commands.executeCommand = ((command: string, ...given: unknown[]) => {
      if (command === "setContext") told.push(given[1]);
      return executeCommand(command, ...given);
    }) as never;
    try {
      sim.reply(text("Blue."));
      await window.session.send({ prompt: "Which paint?" });
      sim.reply(text("Green."));
      await replays.begin("once", undefined);
      const { document } = await editorWith("Which paint?");
      await vscode.languages.setTextDocumentLanguage(document, "json");
      await replays.commands["patchbay.chat.sendReplay"]();
      assert.equal(sim.requests.length, 2);
      await showEditor(document);
      await executeCommand("workbench.action.revertAndCloseActiveEditor");
      await heard(() => document.isClosed || undefined, vscode.workspace.onDidCloseTextDocument);
      assert.deepEqual(told, [[document.uri.toString()], []]);
    } finally {
      vscode.commands.executeCommand = executeCommand;
    }
  });

  it("sends a changed question as a branch of its own conversation", async () => {
    const { window, replays } = await open();
    sim.reply(text("One."));
    await window.session.send({ prompt: "First" });
    sim.reply(text("Two."));
    await window.session.send({ prompt: "Second" });
    const { id } = window.session.state;
    await replays.begin("branch", undefined);
    const editor = await editorWith("Second");
    assert.equal(editor.document.getText(), "Second");
    await write(editor, (edit) => edit.replace(new vscode.Range(0, 0, 0, 6), "Third"));
    // Somebody has gone on elsewhere meanwhile.
    await window.newConversation();
    sim.reply(text("Three."));
    await replays.commands["patchbay.chat.sendReplay"]();
    assert.notEqual(window.session.id, id);
    assert.deepEqual(
      window.session.state.turns.map(({ prompt }) => prompt),
      ["First", "Third"],
    );
    assert.deepEqual(
      added.map((each) => each.text.trim()),
      ["Two.", "Three."],
    );
  });

  it("keeps a changed question whose conversation was deleted, and reports the deletion", async () => {
    const { window, replays } = await open();
    sim.reply(text("One."));
    await window.session.send({ prompt: "First" });
    const { id } = window.session.state;
    await replays.begin("branch", undefined);
    const editor = await editorWith("First");
    await write(editor, (edit) => edit.replace(new vscode.Range(0, 0, 0, 5), "Third"));
    await window.newConversation();
    await window.registry.remove(id);
    await library.remove(id);
    await assert.rejects(replays.commands["patchbay.chat.sendReplay"](), isHumanError);
    await assert.rejects(replays.commands["patchbay.chat.sendReplay"](), {
      message: "This conversation no longer exists.",
    });
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "Third");
    assert.equal(sim.requests.length, 1);
  });

  it("refuses to send a field that Patchbay never sends, and names it", async () => {
    const { window, replays } = await open();
    sim.reply(text("Blue."));
    await window.session.send({ prompt: "Which shade?" });
    await replays.begin("once", undefined);
    const editor = await editorWith("Which shade?");
    const line = editor.document.getText().split("\n").indexOf("{");
    await write(editor, (edit) => edit.insert(new vscode.Position(line + 1, 0), '"store": true,\n'));
    await assert.rejects(replays.commands["patchbay.chat.sendReplay"](), /field store/);
    assert.equal(sim.requests.length, 1);
  });
});

const editorWith = (words: string): Promise<vscode.TextEditor> =>
  activeEditor(({ document }) => document.getText().includes(words));
