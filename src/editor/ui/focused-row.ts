// Finds the row with the keyboard focus in a list. VS Code reports the selection of a list, not its focus; therefore
// our keybindings toggle the selection of the focused row and toggle it back before they run their command
// (package.json). The toggled row is recorded here.
import type * as vscode from "vscode";

/** Argument that such a keybinding passes: the command applies to the focused row. */
export const focusedRow = "focused";

interface FocusedRow<Node> extends vscode.Disposable {
  /** The row toggled last. */
  readonly node: Node | undefined;
}

/** `nameOf` has to return the same name for the same row at each rendering. */
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
