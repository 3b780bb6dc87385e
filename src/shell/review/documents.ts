// The two sides of a proposed change as documents of the editor: `patchbay-base:` as it is, `patchbay-review:` as it
// would be with the hunks that are ticked. The second can be written into before it is accepted.
import * as vscode from "vscode";
import { ProposedFiles, type ProposedFilesNeeds } from "./proposed-files.ts";
import { type ShownChange, schemes } from "./shown-change.ts";
import { textBefore } from "./sides.ts";

export interface ReviewDocuments extends vscode.Disposable {
  /** The sides of a change; one of them is missing where there is no file. */
  sidesOf(change: ShownChange): readonly [base: vscode.Uri | undefined, review: vscode.Uri | undefined];
  /** What the ticks say has changed. */
  refresh(): void;
}

export function createReviewDocuments(needs: ProposedFilesNeeds): ReviewDocuments {
  const proposed = new ProposedFiles(needs);
  const registered = vscode.workspace.registerTextDocumentContentProvider(schemes.base, {
    provideTextDocumentContent({ query, path }) {
      const shown = needs.find(query, path.slice(1));
      return shown === undefined ? "" : (textBefore(shown.change) ?? "");
    },
  });
  return {
    sidesOf({ call, path, to, change }) {
      proposed.begin();
      const uri = (scheme: string, name: string) =>
        vscode.Uri.from({ scheme, path: `/${name}`, query: call });
      return [
        change.kind === "add" ? undefined : uri(schemes.base, path),
        change.kind === "delete" ? undefined : uri(schemes.review, to),
      ];
    },
    refresh: () => proposed.refresh(),
    dispose: () => vscode.Disposable.from(registered, proposed).dispose(),
  };
}
