// Estimates the tokens of the active editor's selection. Selecting and moving the cursor make no request (requirements
// I5), and a selection of megabytes blocks nothing: it is scanned in pieces, after a pause.
import * as vscode from "vscode";
import { type Features, pieceLength, scanSlowly } from "../../usage/text-features.ts";

interface Selected {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly selections: readonly vscode.Selection[];
  readonly features: Features;
  /** The service's count of exactly this text, by model. */
  readonly counted: ReadonlyMap<string, number>;
}

export interface SelectionCount extends vscode.Disposable {
  /** `undefined`: nothing is selected. */
  readonly current: Selected | undefined;
  /** Records the service's count of the selection. */
  learn(model: string, tokens: number): void;
  readonly onDidChange: vscode.Event<void>;
}

const pause = 150;

export function createSelectionCount(): SelectionCount {
  const changed = new vscode.EventEmitter<void>();
  let current: (Selected & { readonly counted: Map<string, number> }) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let scan: AbortController | undefined;

  async function look(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const selections = editor?.selections.filter(({ isEmpty }) => !isEmpty) ?? [];
    let next: typeof current;
    if (editor !== undefined && selections.length > 0) {
      const { document } = editor;
      const { version } = document;
      scan = new AbortController();
      const features = await scanSlowly(piecesOf(document, selections), scan.signal);
      if (features === undefined) return;
      const known = isSame(current, document, selections) ? current?.counted : undefined;
      next = { document, version, selections, features, counted: known ?? new Map() };
    }
    if (next === undefined && current === undefined) return;
    current = next;
    changed.fire();
  }

  function lookSoon(): void {
    clearTimeout(timer);
    scan?.abort();
    scan = undefined;
    timer = setTimeout(() => void look(), pause);
  }

  const subscriptions = vscode.Disposable.from(
    changed,
    vscode.window.onDidChangeActiveTextEditor(lookSoon),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) lookSoon();
    }),
  );
  lookSoon();
  return {
    get current() {
      return current;
    },
    learn(model, tokens) {
      current?.counted.set(model, tokens);
      changed.fire();
    },
    onDidChange: changed.event,
    dispose() {
      clearTimeout(timer);
      scan?.abort();
      subscriptions.dispose();
    },
  };
}

/** In whole lines, unless lines are too long. */
function* piecesOf(
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
): Generator<string> {
  for (const selection of selections) {
    const end = document.offsetAt(selection.end);
    let from = selection.start;
    for (let at = document.offsetAt(from); at < end; ) {
      const to = pieceEnd(document, from, Math.min(end, at + pieceLength));
      yield document.getText(new vscode.Range(from, to));
      from = to;
      at = document.offsetAt(to);
    }
  }
}

function pieceEnd(document: vscode.TextDocument, from: vscode.Position, offset: number): vscode.Position {
  const inside = document.positionAt(offset);
  const lineStart = new vscode.Position(inside.line, 0);
  const isEnd = document.offsetAt(inside) < offset || lineStart.isBeforeOrEqual(from);
  return isEnd ? inside : lineStart;
}

const isSame = (
  known: Selected | undefined,
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
): boolean =>
  known?.document === document &&
  known.version === document.version &&
  known.selections.length === selections.length &&
  known.selections.every((each, at) => selections[at]?.isEqual(each));
