// The sources of a conversation, by command: what a row of the list and its button lead to.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createChatCommands } from "../../src/editor/chat/chat-commands.ts";
import { commands } from "../../src/editor/manifest.ts";

const search = (url: string) => ({
  ...{ type: "search", id: "s", status: "completed", query: "q" },
  sources: [{ url, title: "The news" }],
});

/** VS Code's list, without anybody to press its buttons. */
function createPick() {
  const [pressed, taken, gone] = [
    new vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>(),
    new vscode.EventEmitter<void>(),
    new vscode.EventEmitter<void>(),
  ];
  const steps: string[] = [];
  const pick = {
    items: [] as readonly vscode.QuickPickItem[],
    selectedItems: [] as readonly vscode.QuickPickItem[],
    onDidTriggerItemButton: pressed.event,
    onDidAccept: taken.event,
    onDidHide: gone.event,
    show: () => steps.push("show"),
    hide() {
      steps.push("hide");
      gone.fire();
    },
    dispose: () => steps.push("dispose"),
  };
  const press = (row: number) => {
    const item = pick.items[row];
    const button = item?.buttons?.[0];
    assert(item !== undefined && button !== undefined);
    pressed.fire({ item, button });
  };
  return { pick, press, steps };
}

function listed(
  goTo: (turn: string) => Promise<void>,
  report: (error: unknown) => void,
): ReturnType<typeof createPick> {
  const made = createPick();
  const turns = [
    { id: "one", parts: [search("https://example.org/a")] },
    { id: "two", parts: [search("https://example.org/b"), search("https://example.org/a")] },
  ];
  const chat = createChatCommands({
    ...{ goTo, report },
    surfaces: { session: { state: { turns } } },
  } as unknown as Parameters<typeof createChatCommands>[0]);
  const { createQuickPick } = vscode.window;
  vscode.window.createQuickPick = (() => made.pick) as never;
  try {
    chat[commands.showSources]();
  } finally {
    // The suites behind this one share the editor.
    vscode.window.createQuickPick = createQuickPick;
  }
  return made;
}

describe("the sources of a conversation", () => {
  it("closes the list and goes to the first response that has the source", () => {
    const went: string[] = [];
    const goTo = async (turn: string) => void went.push(turn);
    const { press, steps } = listed(goTo, assert.ifError);
    press(1);
    assert.deepEqual(went, ["two"]);
    press(0);
    assert.deepEqual(went, ["two", "one"]);
    assert.deepEqual(steps.slice(0, 3), ["show", "hide", "dispose"]);
  });

  it("reports a response that cannot be shown", async () => {
    const failure = new Error("There is no chat.");
    const reported = new Promise<unknown>((resolve) => {
      listed(() => Promise.reject(failure), resolve).press(0);
    });
    assert.equal(await reported, failure);
  });
});
