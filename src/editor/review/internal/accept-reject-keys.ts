// Keybindings that decide about the current change: the one at the cursor, in a file, a diff or the diff of all files,
// or the one whose thread has the focus. They use ordinary keys of the editor, so in a file they are active on a change
// only. That context key follows the cursor with a delay, so the command checks the position again.
import * as vscode from "vscode";
import { contextKeys } from "../../manifest.ts";
import { unlessInputBox } from "../../text-editors.ts";
import type { Threads } from "../../ui/thread-input.ts";
import { isInAllFiles, schemes } from "../shown-change.ts";
import { hunkAt, nextHunkFrom } from "./hunk-places.ts";
import { hunksInFile } from "./hunk-thread-contents.ts";
import type { HunkThreads } from "./hunk-threads.ts";
import type { ReviewModel } from "./review-model.ts";
import { countOf, type ReviewSet, type Target, type WaitingFile } from "./review-targets.ts";

/** Arguments of the keybindings in the manifest. */
type KeyPress =
  /** `otherwise`: what the key does in an editor without a change at the cursor. */
  | { readonly at: "cursor"; readonly otherwise?: keyof typeof ownOfEditor }
  /** The focus is in the thread that has this number in its context value. */
  | { readonly thread: number };

/** Keybindings may name no other command. In an editor, VS Code has no binding for the key that rejects. */
const ownOfEditor = { insertLineAfter: "editor.action.insertLineAfter" } as const;

/** Milliseconds for which the status bar confirms the decision. */
const shownFor = 5000;

type Shown = Pick<ReviewModel, "find" | "placesOf" | "hunksIn" | "files">;

interface ChangeKeyDeps {
  readonly reviewModel: Shown & Pick<ReviewModel, "onDidChange">;
  readonly threads: Pick<Threads, "editor">;
  readonly hunkThreads: Pick<HunkThreads, "withNumber">;
  /** Resolves with false if nothing was decided; the user has been told why. */
  decide(target: Target, on: boolean): Promise<boolean>;
  /** Brings a change of another file into view. */
  show(file: WaitingFile, hunk: string): Promise<void>;
}

export function pressOf(argument: unknown): KeyPress | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  if ("thread" in argument && typeof argument.thread === "number") return { thread: argument.thread };
  if (!("at" in argument) || argument.at !== "cursor") return undefined;
  const isKnown = "otherwise" in argument && argument.otherwise === "insertLineAfter";
  return { at: "cursor", ...(isKnown && { otherwise: "insertLineAfter" }) };
}

/** Decides about the change a key was pressed on, confirms it, and goes to the next pending change. */
export async function pressKey(press: KeyPress, on: boolean, deps: ChangeKeyDeps): Promise<void> {
  const { reviewModel, threads, hunkThreads, decide, show } = deps;
  const focused = "thread" in press ? hunkThreads.withNumber(press.thread) : undefined;
  const editor = focused?.editor ?? threads.editor;
  const targets =
    "at" in press ? targetsUnder(editor, reviewModel) : focused === undefined ? [] : [targetOf(focused.ref)];
  if (targets.length === 0) {
    if ("at" in press && press.otherwise !== undefined)
      await vscode.commands.executeCommand(ownOfEditor[press.otherwise]);
    else tell(vscode.l10n.t("No change to review at the cursor."));
    return;
  }
  const isInAll = isInAllFiles();
  const decided = targets.flatMap(({ hunks }) => hunks);
  const goOn = editor && nextHunkFrom(editor, decided, reviewModel, targets[0]?.hunks[0]);
  for (const target of targets) if (!(await decide(target, on))) return;
  const left = tellDecided(targets, on, reviewModel);
  // Its thread had the focus and is gone.
  if (focused !== undefined) await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  if (goOn?.() === true || isInAll) return;
  const next = left.find((file) => reviewModel.placesOf(file).length > 0);
  const hunk = next && reviewModel.placesOf(next)[0]?.hunk;
  if (next !== undefined && hunk !== undefined && next.set.isInFile !== true) await show(next, hunk);
}

/** Confirms a decision in the status bar; returns what is still pending in the sets. */
export function tellDecided(
  targets: readonly Target[],
  on: boolean,
  { files }: Pick<Shown, "files">,
): readonly WaitingFile[] {
  const sets = new Set(targets.map(({ set }) => set));
  const left = files.filter(({ set }) => sets.has(set));
  tell(doneInWords(on, countOf(left).changes));
  return left;
}

/** Keeps the context key up to date that enables the keybindings at the cursor. */
export function watchCursor(reviewModel: ChangeKeyDeps["reviewModel"]): vscode.Disposable {
  let told = false;
  function look(): void {
    const isAt = targetsUnder(unlessInputBox(vscode.window.activeTextEditor), reviewModel).length > 0;
    if (isAt === told) return;
    told = isAt;
    void vscode.commands.executeCommand("setContext", contextKeys.changeAtCursor, isAt);
  }
  look();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) look();
    }),
    reviewModel.onDidChange(look),
  );
}

/** With several cursors, each has to be on a change: otherwise the user is typing, not deciding. */
function targetsUnder(editor: vscode.TextEditor | undefined, reviewModel: Shown): readonly Target[] {
  if (editor === undefined || reviewModel.files.length === 0) return [];
  const { document, selections } = editor;
  const found = selections.map(({ active }) => changeOn(document, active.line, reviewModel));
  const sets = new Map<ReviewSet, Set<string>>();
  for (const each of found) {
    if (each === undefined) return [];
    sets.set(each.file.set, (sets.get(each.file.set) ?? new Set()).add(each.hunk));
  }
  return [...sets].map(([set, hunks]) => ({ set, hunks: [...hunks] }));
}

interface Change {
  readonly file: WaitingFile;
  readonly hunk: string;
}

/**
 * In a diff the nearest change counts. A file is edited, so there only a change that is visible in it counts, and only
 * on its lines.
 */
function changeOn(document: vscode.TextDocument, line: number, reviewModel: Shown): Change | undefined {
  const { scheme, query } = document.uri;
  if (scheme === schemes.base || scheme === schemes.review) {
    const file = reviewModel.find(query);
    const hunk =
      file && hunkAt(reviewModel.placesOf(file), line, scheme === schemes.base ? "before" : "after");
    return file && hunk !== undefined ? { file, hunk } : undefined;
  }
  const found = hunksInFile(document, reviewModel).find(
    ({
      place: {
        before: { first, last },
      },
    }) =>
      // A pure insertion is between two lines.
      first === last ? line === first || line === first - 1 : line >= first && line < last,
  );
  return found && { file: found.file, hunk: found.place.hunk };
}

const targetOf = ({ set, hunk }: { readonly set: ReviewSet; readonly hunk: string }): Target => ({
  set,
  hunks: [hunk],
});

function doneInWords(on: boolean, left: number): string {
  const t = vscode.l10n.t;
  if (left === 0) return on ? t("Accepted. Nothing left to review.") : t("Rejected. Nothing left to review.");
  if (left === 1)
    return on ? t("Accepted. 1 change left to review.") : t("Rejected. 1 change left to review.");
  return on
    ? t("Accepted. {0} changes left to review.", left)
    : t("Rejected. {0} changes left to review.", left);
}

function tell(sentence: string): void {
  vscode.window.setStatusBarMessage(sentence, shownFor);
}
