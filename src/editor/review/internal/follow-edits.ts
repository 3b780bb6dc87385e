// Where proposed edits are now in open documents, while a person types.
import * as vscode from "vscode";
import { rebase, shiftEdits } from "../../../patch/diff-and-merge.ts";
import type { LineEdit, MoveChange, UpdateChange } from "../../../patch/model.ts";

type EditedChange = UpdateChange | MoveChange;

/** More changes at once are not typing; comparing the texts is then cheaper. */
const maxTyped = 20;

interface Followed {
  readonly version: number;
  /** `undefined` while the user has typed into them. */
  readonly edits: readonly LineEdit[] | undefined;
}

/**
 * Current positions of proposed edits in open documents. Typing moves them incrementally; the whole text is compared
 * only at first, and after the user has typed into the edits themselves.
 */
export class FollowedEdits {
  readonly #known = new WeakMap<vscode.TextDocument, Map<EditedChange, Followed>>();
  readonly #listening: vscode.Disposable;

  constructor() {
    this.#listening = vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event));
  }

  /** `undefined` if the change no longer fits the document. */
  of(change: EditedChange, document: vscode.TextDocument): readonly LineEdit[] | undefined {
    const changes = this.#known.get(document) ?? new Map<EditedChange, Followed>();
    this.#known.set(document, changes);
    const known = changes.get(change);
    if (known?.version === document.version) return known.edits;
    const { edits } = rebase(change, document.getText()) ?? {};
    changes.set(change, { version: document.version, edits });
    return edits;
  }

  /** Stops following decided changes. */
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

/**
 * Changes are applied from the last to the first, in VS Code's order, so that each leaves the positions above it
 * unchanged.
 */
const follow = (
  edits: readonly LineEdit[] | undefined,
  typed: readonly vscode.TextDocumentContentChangeEvent[],
): readonly LineEdit[] | undefined =>
  typed.reduce((moved, { range, rangeLength, text }) => {
    const lines = { first: range.start.line, last: range.end.line };
    return moved && shiftEdits(moved, { lines, removed: rangeLength, text });
  }, edits);
