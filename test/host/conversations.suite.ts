// Conversations as a whole, by command: what a search leads to.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createConversationCommands } from "../../src/editor/conversations/conversation-commands.ts";
import type { Hit } from "../../src/store/conversation-summary.ts";
import type { Library } from "../../src/store/library.ts";

const hit = (turn: string, excerpt: string): Hit => ({
  ...{ conversation: "c", title: "Carts", turn, excerpt },
  ...{ start: 0, length: 1 },
});

/** VS Code's list, without anybody to type into it. */
function createPick() {
  const [typed, taken, gone] = [
    new vscode.EventEmitter<string>(),
    new vscode.EventEmitter<void>(),
    new vscode.EventEmitter<void>(),
  ];
  const pick = {
    items: [] as readonly vscode.QuickPickItem[],
    selectedItems: [] as readonly vscode.QuickPickItem[],
    onDidChangeValue: typed.event,
    onDidAccept: taken.event,
    onDidHide: gone.event,
    show() {},
    hide: () => gone.fire(),
    dispose() {},
  };
  return { pick, typed, taken };
}

describe("the conversation search", () => {
  it("opens the conversation of a hit at its turn", async () => {
    const { pick, typed, taken } = createPick();
    const opened: unknown[] = [];
    let isFound = () => {};
    const found = new Promise<void>((resolve) => {
      isFound = resolve;
    });
    const library = {
      async *search() {
        yield hit("1", "a cart");
        yield hit("2", "another $(cart)");
        isFound();
      },
    };
    const commands = createConversationCommands({
      library: library as unknown as Library,
      open: async (...asked: unknown[]) => void opened.push(asked),
    } as unknown as Parameters<typeof createConversationCommands>[0]);
    const { createQuickPick } = vscode.window;
    vscode.window.createQuickPick = (() => pick) as never;
    try {
      const searched = commands["patchbay.chat.search"]();
      typed.fire("cart");
      await found;
      pick.selectedItems = pick.items.slice(1);
      taken.fire();
      await searched;
    } finally {
      // The suites behind this one share the editor.
      vscode.window.createQuickPick = createQuickPick;
    }
    assert.deepEqual(opened, [["c", "2"]]);
    const details = pick.items.map(({ detail }) => detail);
    assert.deepEqual(details, ["a cart", "another \\$(cart)"], "VS Code would draw an icon");
  });
});

describe("the rename command", () => {
  it("renames the open conversation when none is given, and asks only for the name", async () => {
    const renamed: unknown[] = [];
    const asked: unknown[] = [];
    const open = { id: "c", title: "Carts", turns: 1 };
    const commands = createConversationCommands({
      library: {
        find: async (id: string) => (id === "c" ? open : undefined),
        rename: async (...given: unknown[]) => void renamed.push(given),
      },
      view: { chosen: () => undefined },
      current: () => "c",
    } as unknown as Parameters<typeof createConversationCommands>[0]);
    const { showInputBox } = vscode.window;
    vscode.window.showInputBox = (async ({ value }: vscode.InputBoxOptions) => {
      asked.push(value);
      return " Sums ";
    }) as never;
    try {
      await commands["patchbay.chat.rename"](undefined);
    } finally {
      vscode.window.showInputBox = showInputBox;
    }
    assert.deepEqual([asked, renamed], [["Carts"], [["c", "Sums"]]]);
  });
});

describe("the list of conversations to choose from", () => {
  it("shows titles as they are, not as icons", async () => {
    const commands = createConversationCommands({
      library: { list: async () => [{ id: "c", title: "What is $(pwd)?", turns: 1, updatedAt: 0 }] },
      view: { chosen: () => undefined },
      current: () => undefined,
    } as unknown as Parameters<typeof createConversationCommands>[0]);
    const { showQuickPick } = vscode.window;
    let shown: readonly vscode.QuickPickItem[] = [];
    vscode.window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) => {
      shown = items;
    }) as never;
    try {
      await commands["patchbay.chat.delete"](undefined);
    } finally {
      vscode.window.showQuickPick = showQuickPick;
    }
    assert.deepEqual(
      shown.map(({ label }) => label),
      ["What is \\$(pwd)?"],
    );
  });
});
