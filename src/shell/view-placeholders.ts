// Stand-ins for the lists until their rooms are open: VS Code asks a view for its rows when somebody looks at it, and
// that is when the rooms are opened. They bring the real lists, which then ask for the rows again.
import * as vscode from "vscode";

/** `open` is told which list is looked at, and disposes what is returned here before it registers the real views: one view has one list. */
export function holdViews(
  views: readonly string[],
  open: (view: string) => Promise<unknown>,
): vscode.Disposable {
  const empty = (view: string): vscode.TreeDataProvider<never> => ({
    async getChildren() {
      await open(view);
      return [];
    },
    getTreeItem: (node) => node,
  });
  return vscode.Disposable.from(
    ...views.map((view) => vscode.window.registerTreeDataProvider(view, empty(view))),
  );
}
