// Where the keyboard is in a list. VS Code tells an extension what is selected in a list, not which row has the focus:
// our keys turn the selection of that row and turn it back before the command that they are for (package.json), and
// which row was turned, that is told.
import type * as vscode from "vscode";

/** What a key in a list gives a command: the row that the keyboard is on. */
export const focusedRow = "focused";

export interface FocusedRow<Node> extends vscode.Disposable {
  /** The row that was turned last. */
  readonly node: Node | undefined;
}

/** `nameOf` is the same for the same row, whenever it is drawn. */
export function followFocusedRow<Node>(
  view: vscode.TreeView<Node>,
  nameOf: (node: Node) => string,
): FocusedRow<Node> {
  let selected: readonly Node[] = [];
  let turned: Node | undefined;
  const differing = (nodes: readonly Node[], others: readonly Node[]): Node | undefined => {
    const names = new Set(others.map(nameOf));
    return nodes.find((node) => !names.has(nameOf(node)));
  };
  const listening = view.onDidChangeSelection(({ selection }) => {
    turned = differing(selection, selected) ?? differing(selected, selection);
    selected = selection;
  });
  return {
    get node() {
      return turned;
    },
    dispose: () => listening.dispose(),
  };
}
