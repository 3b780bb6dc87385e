// The two sides of a proposed change as documents of the editor: `patchbay-base:` as it is, `patchbay-review:` as it
// would be with the hunks that are ticked. Both are read-only and exist only while somebody looks at them.
import * as vscode from "vscode";
import type { FileChange } from "../../core/patch/model.ts";
import { textAfter, textBefore } from "./sides.ts";

export const schemes = { base: "patchbay-base", review: "patchbay-review" } as const;

/** A change with the name under which the review shows it. */
export interface ShownChange {
  readonly call: string;
  /** As it is named now, and as it would be named. */
  readonly path: string;
  readonly to: string;
  readonly change: FileChange;
  takes(hunk: number): boolean;
}

export interface ReviewDocuments extends vscode.Disposable {
  /** The sides of a change; one of them is missing where there is no file. */
  sidesOf(change: ShownChange): readonly [base: vscode.Uri | undefined, review: vscode.Uri | undefined];
  /** What the ticks say has changed. */
  refresh(): void;
}

export interface ReviewDocumentsNeeds {
  /** Of a document's address: what it shows. */
  find(call: string, path: string): ShownChange | undefined;
}

export function createReviewDocuments({ find }: ReviewDocumentsNeeds): ReviewDocuments {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const ofUri = (uri: vscode.Uri) => find(uri.query, uri.path.slice(1));
  const provide = (textOf: (shown: ShownChange) => string | undefined) => ({
    onDidChange: changed.event,
    provideTextDocumentContent(uri: vscode.Uri) {
      const shown = ofUri(uri);
      return shown === undefined ? "" : (textOf(shown) ?? "");
    },
  });
  const registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(
      schemes.base,
      provide(({ change }) => textBefore(change)),
    ),
    vscode.workspace.registerTextDocumentContentProvider(
      schemes.review,
      provide(({ change, takes }) => textAfter(change, takes)),
    ),
    changed,
  );
  return {
    sidesOf({ call, path, to, change }) {
      const uri = (scheme: string, name: string) =>
        vscode.Uri.from({ scheme, path: `/${name}`, query: call });
      return [
        change.kind === "add" ? undefined : uri(schemes.base, path),
        change.kind === "delete" ? undefined : uri(schemes.review, to),
      ];
    },
    refresh() {
      // What has been decided keeps the text it was decided on.
      for (const { uri } of vscode.workspace.textDocuments)
        if (uri.scheme === schemes.review && ofUri(uri) !== undefined) changed.fire(uri);
    },
    dispose: () => registered.dispose(),
  };
}
