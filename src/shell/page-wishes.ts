// What a page asks of the editor: open a file or a link, copy text. Paths and addresses may come from the model, so
// each is looked at here before anything happens.
import * as vscode from "vscode";
import { readPath } from "../core/patch/paths.ts";
import type { Workspace } from "../core/workspace.ts";
import { toUri } from "./workspace/places.ts";

export interface PageWishes {
  openFile(path: string, line: number | undefined): Promise<void>;
  openLink(url: string): Promise<void>;
  copy(text: string): Promise<void>;
}

export function createPageWishes(workspace: Workspace): PageWishes {
  return {
    async openFile(path, line) {
      const named = readPath(path, workspace.folders);
      const found = named.kind === "named" ? await workspace.look(named.file) : undefined;
      if (named.kind === "denied" || found?.kind !== "file") {
        void vscode.window.showInformationMessage(
          vscode.l10n.t("{0} is not a file of this workspace.", path),
        );
        return;
      }
      const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
      await vscode.window.showTextDocument(toUri(named.file), { selection: new vscode.Range(at, at) });
    },
    async openLink(url) {
      if (!URL.canParse(url) || !["http:", "https:"].includes(new URL(url).protocol)) return;
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    async copy(text) {
      // A terminal would act on control characters that were never seen.
      await vscode.env.clipboard.writeText(text.replace(/(?![\n\t])\p{Cc}/gu, ""));
    },
  };
}
