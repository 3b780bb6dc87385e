// Where the edits of proposed changes stand in open documents at this moment. A key moves them along by what it typed;
// a text is read as a whole only when it is met first, and after somebody has typed into the edits themselves.
import * as vscode from "vscode";
import type { LineEdit, MoveChange, UpdateChange } from "../../core/patch/model.ts";
import { moveAlong, rebase } from "../../core/patch/rebase.ts";

type EditedChange = UpdateChange | MoveChange;

/** More at once is no typing; comparing the texts costs less then. */
const maxTyped = 20;

interface Followed {
  readonly version: number;
  /** None while somebody has typed into them. */
  readonly edits: readonly LineEdit[] | undefined;
}

export class FollowedEdits {
  readonly #known = new WeakMap<vscode.TextDocument, Map<EditedChange, Followed>>();
  readonly #listening: vscode.Disposable;

  constructor() {
    this.#listening = vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event));
  }

  /** None where the change no longer fits the document. */
  of(change: EditedChange, document: vscode.TextDocument): readonly LineEdit[] | undefined {
    const changes = this.#known.get(document) ?? new Map<EditedChange, Followed>();
    this.#known.set(document, changes);
    const known = changes.get(change);
    if (known?.version === document.version) return known.edits;
    const { edits } = rebase(change, document.getText()) ?? {};
    changes.set(change, { version: document.version, edits });
    return edits;
  }

  /** What has been decided is not followed any longer. */
  keepOnly(changes: ReadonlySet<unknown>): void {
    for (const document of vscode.workspace.textDocuments) {
      const known = this.#known.get(document);
      for (const change of known?.keys() ?? []) if (!changes.has(change)) known?.delete(change);
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const known = this.#known.get(document);
    if (known === undefined || contentChanges.length === 0) return;
    for (const [change, { edits }] of known) {
      const moved = contentChanges.length > maxTyped ? undefined : follow(edits, contentChanges);
      if (moved === undefined) known.delete(change);
      else known.set(change, { version: document.version, edits: moved });
    }
  }
}

/** The last one first, as VS Code tells them: what stands above a place is not moved by what is typed below it. */
const follow = (
  edits: readonly LineEdit[] | undefined,
  typed: readonly vscode.TextDocumentContentChangeEvent[],
): readonly LineEdit[] | undefined =>
  typed.reduce((moved, { range, rangeLength, text }) => {
    const lines = { first: range.start.line, last: range.end.line };
    return moved && moveAlong(moved, { lines, removed: rangeLength, text });
  }, edits);
