// Texts of ours as documents that cannot be typed into. The newest are kept, whether their tabs are open or not; what
// VS Code has read already it holds by itself.
import * as vscode from "vscode";

const kept = 50;

export interface TextDocuments<Item> extends vscode.Disposable {
  /** `ending` is that of a file: it decides the language. */
  add(title: string, ending: string, item: Item): vscode.Uri;
  of(uri: vscode.Uri | undefined): Item | undefined;
}

export function createTextDocuments<Item extends { readonly text: string }>(
  scheme: string,
): TextDocuments<Item> {
  const items = new Map<string, Item>();
  let count = 0;
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) =>
      items.get(uri.toString())?.text ?? vscode.l10n.t("This text is no longer available."),
  });
  return {
    add(title, ending, item) {
      count += 1;
      const path = `/${title.replace(/[\\/?#]/g, "-")}.${ending}`;
      const uri = vscode.Uri.from({ scheme, path, query: String(count) });
      items.set(uri.toString(), item);
      for (const oldest of [...items.keys()].slice(0, -kept)) items.delete(oldest);
      return uri;
    },
    of: (uri) => (uri === undefined ? undefined : items.get(uri.toString())),
    dispose: () => provider.dispose(),
  };
}
