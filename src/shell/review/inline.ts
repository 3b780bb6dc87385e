// Changes that wait, shown in the real file where it is open anyway: the lines that would go are marked, what would
// come is said behind them, and above each stand Accept and Reject. Opens nothing and moves no focus.
import * as vscode from "vscode";
import { commands } from "../manifest.ts";
import type { ReviewSet, WaitingFile } from "./desk.ts";
import type { HunkPlace } from "./sides.ts";

export interface InlineHunk {
  readonly file: WaitingFile;
  /** In lines of the document as it is at this moment. */
  readonly place: HunkPlace;
}

/** What a button above a hunk stands for. */
export interface HunkRef {
  readonly set: ReviewSet;
  readonly hunk: string;
}

export interface InlineReview extends vscode.Disposable {
  refresh(): void;
  /** Only what was handed out here is believed when it comes back (threats A8). */
  refOf(argument: unknown): HunkRef | undefined;
}

export interface InlineReviewNeeds {
  /** Whether anything waits at all: where nothing does, no document is looked at. */
  isWaiting(): boolean;
  hunksIn(document: vscode.TextDocument): readonly InlineHunk[];
}

export function createInlineReview({ isWaiting, hunksIn }: InlineReviewNeeds): InlineReview {
  const refs = new WeakSet<object>();
  /** Made for the buttons that come into sight: a file can have thousands. */
  const buttons = new WeakMap<vscode.CodeLens, () => vscode.Command>();
  const changed = new vscode.EventEmitter<void>();
  const goes = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
    // Themes of high contrast have lines instead of backgrounds, the others no lines.
    borderColor: new vscode.ThemeColor("diffEditor.removedTextBorder"),
    borderStyle: "dashed",
    borderWidth: "1px",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  const comes = vscode.window.createTextEditorDecorationType({
    after: {
      color: new vscode.ThemeColor("editor.foreground"),
      // Nothing translucent: it stands upon the line that goes.
      backgroundColor: new vscode.ThemeColor("editor.background"),
      border: "1px solid",
      borderColor: new vscode.ThemeColor("editorGutter.addedBackground"),
      margin: "0 0 0 2em",
    },
  });
  let lenses: vscode.Disposable | undefined;

  function mark(editor: vscode.TextEditor): void {
    const hunks = isWaiting() ? hunksIn(editor.document) : [];
    editor.setDecorations(
      goes,
      hunks.filter(({ place }) => place.before.last > place.before.first).map(goingRange),
    );
    editor.setDecorations(
      comes,
      hunks.map((hunk) => coming(hunk, editor.document)),
    );
  }

  /** Listens to every document's typing only while something waits. */
  function listen(): void {
    if (isWaiting() === (lenses !== undefined)) return;
    lenses?.dispose();
    lenses = isWaiting()
      ? vscode.Disposable.from(
          vscode.languages.registerCodeLensProvider([{ scheme: "*" }], {
            onDidChangeCodeLenses: changed.event,
            provideCodeLenses: (document) =>
              hunksIn(document).flatMap((hunk, at, all) => lensesOf(hunk, at, all.length)),
            resolveCodeLens: (lens) => new vscode.CodeLens(lens.range, buttons.get(lens)?.()),
          }),
          vscode.workspace.onDidChangeTextDocument(({ document }) => {
            for (const editor of vscode.window.visibleTextEditors)
              if (editor.document === document) mark(editor);
          }),
          vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(mark)),
        )
      : undefined;
  }

  function lensesOf({ file, place }: InlineHunk, at: number, count: number): vscode.CodeLens[] {
    const ref: HunkRef = { set: file.set, hunk: place.hunk };
    refs.add(ref);
    const range = new vscode.Range(place.before.first, 0, place.before.first, 0);
    const t = vscode.l10n.t;
    const names: readonly (readonly [title: () => string, command: string])[] = [
      [() => t("$(check) Accept"), commands.acceptHunk],
      [() => t("$(close) Reject"), commands.rejectHunk],
      [() => t("Reject with Reason…"), commands.rejectWithReason],
      ...(count > 1
        ? ([
            [() => "$(arrow-up)", commands.previousHunk],
            [() => "$(arrow-down)", commands.nextHunk],
          ] as const)
        : []),
      [() => (count > 1 ? t("{0} of {1}", at + 1, count) : t("Show Change")), commands.openChange],
    ];
    return names.map(([title, command]) => {
      const lens = new vscode.CodeLens(range);
      buttons.set(lens, () => ({ title: title(), command, arguments: [ref] }));
      return lens;
    });
  }

  return {
    refresh() {
      listen();
      changed.fire();
      vscode.window.visibleTextEditors.forEach(mark);
    },
    refOf: (argument) =>
      typeof argument === "object" && argument !== null && refs.has(argument)
        ? (argument as HunkRef)
        : undefined,
    dispose() {
      lenses?.dispose();
      vscode.Disposable.from(goes, comes, changed).dispose();
    },
  };
}

const goingRange = ({ place: { before } }: InlineHunk): vscode.Range =>
  new vscode.Range(before.first, 0, Math.max(before.first, before.last - 1), 0);

/** Behind the last line that stays or goes: how many lines come, and the first of them. */
function coming({ place }: InlineHunk, document: vscode.TextDocument): vscode.DecorationOptions {
  const { first, last } = place.before;
  const line = Math.min(Math.max(last > first ? last - 1 : first - 1, 0), document.lineCount - 1);
  const { end } = document.lineAt(line).range;
  const lines = place.text === "" ? [] : place.text.split("\n");
  const start = lines[0]?.trim().slice(0, 100) ?? "";
  const more = lines.length > 1 ? vscode.l10n.t(" (+{0} lines)", lines.length - 1) : "";
  const hover = new vscode.MarkdownString();
  hover.appendText(vscode.l10n.t("Would be replaced by:"));
  hover.appendCodeblock(place.text.slice(0, 4000), document.languageId);
  return {
    range: new vscode.Range(end, end),
    ...(lines.length > 0 && { hoverMessage: hover }),
    renderOptions: {
      after: {
        contentText: `\u00a0${lines.length > 0 ? `→ ${start}${more}` : vscode.l10n.t("→ deleted")}\u00a0`,
      },
    },
  };
}
