// Texts of ours that are read in an editor like any file, and cannot be typed into: reports, requests, tables.
// Each lives as long as its editor tab.
import * as vscode from "vscode";

const scheme = "patchbay-view";
const kept = 50;

export interface ReadOnlyDocuments extends vscode.Disposable {
  /** `type` is a file ending: it decides the language. */
  show(title: string, type: "md" | "json" | "txt", text: string): Promise<void>;
}

export function createReadOnlyDocuments(): ReadOnlyDocuments {
  const texts = new Map<string, string>();
  let count = 0;
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) =>
      texts.get(uri.toString()) ?? vscode.l10n.t("This text is no longer kept."),
  });
  return {
    async show(title, type, text) {
      count += 1;
      const name = title.replace(/[\\/?#]/g, "-");
      const uri = vscode.Uri.from({ scheme, path: `/${name}.${type}`, query: String(count) });
      texts.set(uri.toString(), text);
      for (const oldest of [...texts.keys()].slice(0, -kept)) texts.delete(oldest);
      if (type === "md") await vscode.commands.executeCommand("markdown.showPreview", uri);
      else await vscode.window.showTextDocument(uri, { preview: true });
    },
    dispose: () => provider.dispose(),
  };
}
