// Conversations as a whole, by command: what a search leads to.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Library } from "../../src/core/store/library.ts";
import type { Hit } from "../../src/core/store/search-conversation.ts";
import { createConversationCommands } from "../../src/shell/conversations/conversation-commands.ts";

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

describe("the search through conversations", () => {
  it("leads to the place, in the conversation it is in", async () => {
    const { createQuickPick } = vscode.window;
    const { pick, typed, taken } = createPick();
    vscode.window.createQuickPick = (() => pick) as never;
    const opened: unknown[] = [];
    let isFound = () => {};
    const found = new Promise<void>((resolve) => {
      isFound = resolve;
    });
    const library = {
      async *search() {
        yield hit("1", "a cart");
        yield hit("2", "another cart");
        isFound();
      },
    };
    const commands = createConversationCommands({
      library: library as unknown as Library,
      open: async (...asked: unknown[]) => void opened.push(asked),
    } as unknown as Parameters<typeof createConversationCommands>[0]);
    const searched = commands["patchbay.chat.search"]();
    typed.fire("cart");
    await found;
    pick.selectedItems = pick.items.slice(1);
    taken.fire();
    await searched;
    vscode.window.createQuickPick = createQuickPick;
    assert.deepEqual(opened, [["c", "2"]]);
  });
});
