// Commands of a review, from the tree, buttons, keys or the palette. Without an argument, a command applies to the hunk
// at the cursor; if there is none, the user is asked.
import * as vscode from "vscode";
import { isNotebook } from "../../../patch/notebook.ts";
import { byRisk } from "../../../risk/flags.ts";
import { commands } from "../../manifest.ts";
import { showInformation } from "../../notify.ts";
import type { Threads } from "../../ui/thread-input.ts";
import { toUri } from "../../workspace/file-uris.ts";
import { reviewStyle, schemes } from "../shown-change.ts";
import { pressKey, pressOf, tellDecided } from "./accept-reject-keys.ts";
import type { LentThreads } from "./hunk-conversations.ts";
import { nextHunkFrom } from "./hunk-places.ts";
import type { HunkThreads } from "./hunk-threads.ts";
import type { ReviewDocuments } from "./proposed-files.ts";
import { previewFiles, type ScratchFiles } from "./refactor-preview.ts";
import type { ReviewModel } from "./review-model.ts";
import {
  allHunksOf,
  type ReviewSet,
  type Target,
  targetOfHunk,
  uriOf,
  type WaitingFile,
} from "./review-targets.ts";
import type { ReviewNode } from "./review-tree.ts";
import { showFile, showWaiting } from "./show-changes.ts";

/**
 * Argument of the keybindings in an editor: only the change at the cursor is meant, and the user is not asked for
 * another.
 */
const atCursor = "cursor";

interface ReviewCommandDeps {
  readonly reviewModel: ReviewModel;
  readonly documents: ReviewDocuments;
  readonly scratch: ScratchFiles;
  nodeOf(argument: unknown): ReviewNode | undefined;
  readonly threads: Pick<Threads, "editor">;
  readonly hunkThreads: HunkThreads;
  readonly lentThreads: Pick<LentThreads, "setOf">;
  /** Reports that a request of the user failed. */
  report(error: unknown): void;
}

export function createReviewCommands(deps: ReviewCommandDeps) {
  const { reviewModel, documents, scratch, nodeOf, threads, hunkThreads, lentThreads, report } = deps;
  const t = vscode.l10n.t;

  /** The target given by the argument, otherwise the one at the cursor. */
  function target(argument: unknown): Target | undefined {
    const ref = hunkThreads.refOf(argument);
    if (ref !== undefined) return { set: ref.set, hunks: [ref.hunk] };
    const lent = lentThreads.setOf(argument);
    if (lent !== undefined) return reviewModel.wholeOf(lent);
    const node = nodeOf(argument);
    if (node?.kind === "hunk") return targetOfHunk(node.file, node.hunk);
    if (node?.kind === "file") return allHunksOf(node.file);
    if (node !== undefined) return reviewModel.wholeOf(node.set);
    return threads.editor && reviewModel.hunkAt(threads.editor);
  }

  const fileOf = (found: Target | undefined): WaitingFile | undefined =>
    reviewModel.files.find(
      ({ set, pending }) => set === found?.set && pending.hunks.some(({ id }) => found.hunks.includes(id)),
    );

  async function hunk(argument: unknown): Promise<Target | undefined> {
    return target(argument) ?? (argument === atCursor ? notHere() : pick("hunk"));
  }

  function notHere(): undefined {
    if (reviewModel.files.length === 0) return nothingWaits();
    void showInformation(t("No change to review at the cursor."));
    return undefined;
  }

  async function file(argument: unknown): Promise<Target | undefined> {
    const node = nodeOf(argument);
    const own = argument === atCursor ? shownHere() : node?.kind === "file" ? node.file : undefined;
    const found = own ?? fileOf(target(argument));
    if (found !== undefined) return allHunksOf(found);
    return argument === atCursor ? notHere() : pick("file");
  }

  /** The file whose diff the cursor is in. */
  function shownHere(): WaitingFile | undefined {
    const { scheme, query = "" } = threads.editor?.document.uri ?? {};
    return scheme === schemes.base || scheme === schemes.review ? reviewModel.find(query) : undefined;
  }

  async function pick(what: "hunk" | "file"): Promise<Target | undefined> {
    const items = reviewModel.files.flatMap((each) => {
      const { path, pending } = each;
      if (what === "file") return [{ label: path, target: allHunksOf(each) }];
      return pending.hunks.map((one) => ({
        label: one.line === undefined ? path : `${path}:${one.line}`,
        description: `+${one.added} −${one.removed}`,
        target: targetOfHunk(each, one),
      }));
    });
    if (items.length === 0) return nothingWaits();
    const title = what === "hunk" ? t("Select a change") : t("Select a file");
    return (await vscode.window.showQuickPick(items, { title }))?.target;
  }

  function nothingWaits(): undefined {
    void showInformation(t("No changes to review."));
    return undefined;
  }

  /** False if nothing was decided; the user has been told why. */
  async function decide(chosen: Target, on: boolean, reason?: string): Promise<boolean> {
    try {
      if (on) return await reviewModel.accept(chosen);
      await reviewModel.reject(chosen, reason);
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  }

  /** Like `decide`, but keybindings in an editor pass their own kind of argument. */
  async function decideOne(argument: unknown, on: boolean): Promise<void> {
    const press = pressOf(argument);
    if (press === undefined) await settle(argument, on);
    else await pressKey(press, on, { reviewModel, threads, hunkThreads, decide, show });
  }

  async function settle(argument: unknown, on: boolean, of = hunk): Promise<void> {
    const chosen = await of(argument);
    if (chosen === undefined) return;
    const isHere = argument === undefined || argument === atCursor;
    const editor = isHere ? threads.editor : undefined;
    const goOn = editor && nextHunkFrom(editor, chosen.hunks, reviewModel);
    const isDone = await decide(chosen, on);
    // Elsewhere, the result is visible next to the button.
    if (isHere && isDone) tellDecided([chosen], on, reviewModel);
    goOn?.();
  }

  /** The set of a node, otherwise the first with pending changes. */
  function setAt(argument: unknown): ReviewSet | undefined {
    const node = nodeOf(argument);
    return (node === undefined ? reviewModel.sets[0] : setOf(node)) ?? nothingWaits();
  }

  function wholeAt(argument: unknown): Target | undefined {
    const set = setAt(argument);
    return set && reviewModel.wholeOf(set);
  }

  async function rejectWithReason(argument: unknown): Promise<void> {
    const chosen = target(argument) ?? wholeAt(argument);
    if (chosen === undefined) return;
    const written = await vscode.window.showInputBox({
      title: t("Reject with Feedback"),
      prompt: t("The model is told at once and can propose something else."),
    });
    if (written === undefined) return;
    const reason = written.trim() === "" ? undefined : written.trim();
    const conflicting = conflictAt(argument);
    const isMeant = chosen.hunks.length > 0 || conflicting === undefined;
    if (isMeant && !(await decide(chosen, false, reason))) return;
    try {
      if (conflicting !== undefined) await reviewModel.rejectConflicts(conflicting, reason);
      if (reason !== undefined) await chosen.set.session?.sendFeedback(reason);
    } catch (error) {
      report(error);
    }
  }

  /** Resolves a conflict by showing the model the current content of its files. */
  async function retryWithCurrent(argument: unknown): Promise<void> {
    const node = nodeOf(argument);
    const conflicting = node?.kind === "file" ? node.file : hunkThreads.conflictOf(argument);
    if (conflicting === undefined) return;
    const { set, pending } = conflicting;
    const call = pending.calls.at(-1);
    if (call !== undefined) await set.session?.sendCurrent(call).catch(report);
  }

  /** For the row of a file: rejecting its conflicts rejects the rest of it there too. */
  function conflictAt(argument: unknown): WaitingFile | undefined {
    const node = nodeOf(argument);
    return node?.kind === "file" && node.file.pending.conflicts.length > 0 ? node.file : undefined;
  }

  async function rejectFile(argument: unknown): Promise<void> {
    const conflicting = conflictAt(argument);
    if (conflicting?.pending.hunks.length !== 0) await settle(argument, false, file);
    if (conflicting !== undefined) await reviewModel.rejectConflicts(conflicting).catch(report);
  }

  async function rejectInThread(argument: unknown): Promise<void> {
    const conflicting = hunkThreads.conflictOf(argument);
    if (conflicting === undefined) return settle(argument, false);
    await reviewModel.rejectConflicts(conflicting).catch(report);
  }

  function filesOf(argument: unknown): readonly WaitingFile[] {
    const node = nodeOf(argument);
    if (node === undefined) return reviewModel.files;
    return "file" in node ? [node.file] : reviewModel.files.filter(({ set }) => set === node.set);
  }

  async function open(argument: unknown): Promise<void> {
    const files = filesOf(argument);
    const style = files.length > 0 ? reviewStyle() : "multiDiff";
    if (style === "refactorPreview") await preview(files);
    else if (!(await showWaiting(files, reviewModel, documents))) nothingWaits();
  }

  async function preview(files: readonly WaitingFile[]): Promise<void> {
    if (files.length === 0) return nothingWaits();
    await previewFiles(files, reviewModel, scratch).catch(report);
  }

  async function openChange(argument: unknown): Promise<void> {
    const found = target(argument);
    const own = fileOf(found);
    if (own === undefined) nothingWaits();
    else await showFile(own, reviewModel, documents, found?.hunks[0]);
  }

  /** Shows everything that the thread refers to. */
  async function showInThread(argument: unknown): Promise<void> {
    const set = lentThreads.setOf(argument);
    const files = reviewModel.files.filter((each) => each.set === set);
    const [only, ...others] = files;
    if (only !== undefined && others.length === 0) await showFile(only, reviewModel, documents);
    else if (!(await showWaiting(files, reviewModel, documents))) nothingWaits();
  }

  /** Cycles through all pending changes, starting at the hunk at the cursor. */
  async function step(argument: unknown, by: 1 | -1): Promise<void> {
    const all = reviewModel.files.flatMap((each) =>
      reviewModel.placesOf(each).map(({ hunk: id }) => {
        const { flags = [], line } = each.pending.hunks.find((one) => one.id === id) ?? {};
        return { each, id, path: each.to, flags, line };
      }),
    );
    // In the order of all review views: what deserves attention first.
    all.sort(
      (one, other) =>
        reviewModel.sets.indexOf(one.each.set) - reviewModel.sets.indexOf(other.each.set) ||
        byRisk(one, other),
    );
    if (all.length === 0) return nothingWaits();
    const here = target(argument);
    const index = all.findIndex(({ each, id }) => each.set === here?.set && here.hunks[0] === id);
    const start = index === -1 && by === -1 ? 0 : index;
    const next = all[(start + by + all.length) % all.length];
    if (next !== undefined) await show(next.each, next.id);
  }

  /** In a diff if the user is in one, otherwise in its file. */
  async function show(own: WaitingFile, id: string): Promise<void> {
    const scheme = threads.editor?.document.uri.scheme;
    const inReview = scheme === schemes.base || scheme === schemes.review;
    const { set, change, pending } = own;
    // The file of a notebook is no text with these lines.
    const isTextHere =
      pending.problem === undefined && uriOf(change.file, set) !== undefined && !isNotebook(change.file.path);
    if (inReview || change.kind === "add" || !isTextHere) await showFile(own, reviewModel, documents, id);
    else await openFile(own, id);
  }

  async function openFile({ change }: WaitingFile, id: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(toUri(change.file));
    const place = reviewModel.hunksIn(document).find((each) => each.place.hunk === id)?.place;
    const at = new vscode.Position(place?.before.first ?? 0, 0);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  }

  async function talk(argument: unknown, about: HunkThreads["ask"]): Promise<void> {
    const { set, hunks: [one] = [] } = (await hunk(argument)) ?? {};
    if (set !== undefined && one !== undefined) await about({ set, hunk: one });
  }

  async function decideAll(argument: unknown, on: boolean): Promise<void> {
    const set = setAt(argument);
    if (set !== undefined) await (on ? reviewModel.acceptAll(set) : reviewModel.rejectAll(set)).catch(report);
  }

  return {
    [commands.openReview]: open,
    [commands.openChange]: openChange,
    [commands.refactorPreview]: (argument: unknown) => preview(filesOf(argument)),
    [commands.acceptHunk]: (argument: unknown) => decideOne(argument, true),
    [commands.rejectHunk]: (argument: unknown) => decideOne(argument, false),
    // The same commands with a text label instead of an icon.
    [commands.acceptInThread]: (argument: unknown) => settle(argument, true),
    [commands.rejectInThread]: rejectInThread,
    [commands.showInThread]: showInThread,
    [commands.acceptFile]: (argument: unknown) => settle(argument, true, file),
    [commands.rejectFile]: rejectFile,
    [commands.acceptAll]: (argument: unknown) => decideAll(argument, true),
    [commands.rejectAll]: (argument: unknown) => decideAll(argument, false),
    [commands.rejectWithReason]: rejectWithReason,
    [commands.retryWithCurrent]: retryWithCurrent,
    [commands.askAboutChange]: (argument: unknown) => talk(argument, hunkThreads.ask),
    [commands.showRevision]: (argument: unknown) => talk(argument, hunkThreads.showRevision),
    [commands.nextHunk]: (argument: unknown) => step(argument, 1),
    [commands.previousHunk]: (argument: unknown) => step(argument, -1),
  };
}

const setOf = (node: ReviewNode): ReviewSet => ("file" in node ? node.file.set : node.set);
