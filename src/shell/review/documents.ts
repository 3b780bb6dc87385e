// The two sides of a change as documents of the editor: `patchbay-base:` as the file is, `patchbay-review:` as it would be,
// which can be written into before it is accepted. What was decided is `patchbay-base:` on both sides.
import * as vscode from "vscode";
import type { FileChange } from "../../core/patch/model.ts";
import { textAfter, textBefore } from "./diff-sides.ts";
import { ProposedFiles } from "./proposed-files.ts";
import type { ReviewModel, WaitingFile } from "./review-model.ts";
import { type ShownChange, schemes } from "./shown-change.ts";

export interface ReviewDocuments extends vscode.Disposable {
  /** The sides of a change that waits; one of them is missing where there is no file. */
  sidesOf(file: WaitingFile): readonly [base: vscode.Uri | undefined, proposed: vscode.Uri | undefined];
  /** The same of one that was decided. */
  sidesOfDone(change: ShownChange): readonly [before: vscode.Uri | undefined, after: vscode.Uri | undefined];
  /** What was proposed for a file before the last response, beside what is proposed now. */
  sidesOfRevision(file: WaitingFile, before: string): readonly [before: vscode.Uri, now: vscode.Uri];
  /** What is proposed has changed. */
  refresh(): void;
}

export function createReviewDocuments(desk: ReviewModel): ReviewDocuments {
  const proposed = new ProposedFiles(desk);
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** What was opened stays what it was, once it is decided. */
  const known = new Map<string, FileChange>();
  const earlier = new Map<string, string>();
  const registered = vscode.workspace.registerTextDocumentContentProvider(schemes.base, {
    onDidChange: changed.event,
    provideTextDocumentContent({ query }) {
      const [address = "", side] = query.split("&");
      const revised = earlier.get(query);
      if (revised !== undefined) return revised;
      const change = desk.find(address)?.change ?? known.get(address);
      if (change === undefined) return "";
      known.set(address, change);
      return (side === "after" ? textAfter(change) : textBefore(change)) ?? "";
    },
  });
  const base = (address: string, path: string) =>
    vscode.Uri.from({ scheme: schemes.base, path: `/${path}`, query: address });
  return {
    sidesOf({ address, path, to, change }) {
      proposed.begin();
      const review = vscode.Uri.from({ scheme: schemes.review, path: `/${to}`, query: address });
      return [
        change.kind === "add" ? undefined : base(address, path),
        change.kind === "delete" ? undefined : review,
      ];
    },
    sidesOfDone({ address, path, to, change }) {
      known.set(address, change);
      return [
        change.kind === "add" ? undefined : base(address, path),
        change.kind === "delete" ? undefined : base(`${address}&after`, to),
      ];
    },
    sidesOfRevision({ address, to }, before) {
      proposed.begin();
      const query = `${address}&before`;
      const review = vscode.Uri.from({ scheme: schemes.review, path: `/${to}`, query: address });
      const isOther = earlier.get(query) !== before;
      earlier.set(query, before);
      if (isOther) changed.fire(base(query, to));
      return [base(query, to), review];
    },
    refresh() {
      proposed.refresh();
      for (const { uri } of vscode.workspace.textDocuments)
        if (uri.scheme === schemes.base && desk.find(uri.query) !== undefined) changed.fire(uri);
    },
    dispose: () => vscode.Disposable.from(registered, changed, proposed).dispose(),
  };
}
