// What a person does in a review, by tree, button, key or palette. A command without an argument acts on the hunk at
// the cursor, else asks which one.
import * as vscode from "vscode";
import { byRisk } from "../../core/risk/order.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { Threads } from "../threads/threads.ts";
import { toUri } from "../workspace/file-uris.ts";
import type { ReviewDocuments } from "./documents.ts";
import type { HunkThreads } from "./hunk-threads.ts";
import { nextHunkFrom } from "./next-hunk.ts";
import { previewFiles } from "./refactor-preview.ts";
import type { ReviewNode } from "./review-items.ts";
import {
  allOf,
  oneOf,
  type ReviewModel,
  type ReviewSet,
  type Target,
  uriOf,
  type WaitingFile,
} from "./review-model.ts";
import { reviewStyle } from "./review-style.ts";
import type { ScratchFiles } from "./scratch-files.ts";
import { showFile, showWaiting } from "./show-patches.ts";
import { schemes } from "./shown-change.ts";

/** What a key in an editor gives a command: the change at the cursor is meant, and no other is asked for. */
const atCursor = "cursor";

export interface ReviewCommandDeps {
  readonly desk: ReviewModel;
  readonly documents: ReviewDocuments;
  readonly scratch: ScratchFiles;
  nodeOf(argument: unknown): ReviewNode | undefined;
  readonly threads: Pick<Threads, "editor">;
  readonly hunkThreads: HunkThreads;
  /** What a person has asked for cannot be done. */
  report(error: unknown): void;
}

export function createReviewCommands(deps: ReviewCommandDeps) {
  const { desk, documents, scratch, nodeOf, threads, hunkThreads, report } = deps;
  const t = vscode.l10n.t;

  /** What the argument stands for, else what the cursor is in. */
  function target(argument: unknown): Target | undefined {
    const ref = hunkThreads.refOf(argument);
    if (ref !== undefined) return { set: ref.set, hunks: [ref.hunk] };
    const node = nodeOf(argument);
    if (node?.kind === "hunk") return oneOf(node.file, node.hunk);
    if (node?.kind === "file") return allOf(node.file);
    if (node?.kind === "set" || node?.kind === "check") return desk.wholeOf(node.set);
    return threads.editor && desk.hunkAt(threads.editor);
  }

  const fileOf = (found: Target | undefined): WaitingFile | undefined =>
    desk.files.find(
      ({ set, pending }) => set === found?.set && pending.hunks.some(({ id }) => found.hunks.includes(id)),
    );

  async function hunk(argument: unknown): Promise<Target | undefined> {
    return target(argument) ?? (argument === atCursor ? notHere() : pick("hunk"));
  }

  function notHere(): undefined {
    if (desk.files.length === 0) return nothingWaits();
    void showInformation(t("No change to review at the cursor."));
    return undefined;
  }

  async function file(argument: unknown): Promise<Target | undefined> {
    const node = nodeOf(argument);
    const own = node?.kind === "file" ? node.file : fileOf(target(argument));
    return own === undefined ? pick("file") : allOf(own);
  }

  async function pick(what: "hunk" | "file"): Promise<Target | undefined> {
    const items = desk.files.flatMap((each) => {
      const { path, pending } = each;
      if (what === "file") return [{ label: path, target: allOf(each) }];
      return pending.hunks.map((one) => ({
        label: one.line === undefined ? path : `${path}:${one.line}`,
        description: `+${one.added} −${one.removed}`,
        target: oneOf(each, one),
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

  async function decide(chosen: Target, on: boolean, reason?: string): Promise<void> {
    try {
      if (on) await desk.accept(chosen);
      else await desk.reject(chosen, reason);
    } catch (error) {
      report(error);
    }
  }

  async function settle(argument: unknown, on: boolean, of = hunk): Promise<void> {
    const chosen = await of(argument);
    if (chosen === undefined) return;
    const isHere = argument === undefined || argument === atCursor;
    const editor = isHere ? threads.editor : undefined;
    const goOn = editor && nextHunkFrom(editor, chosen.hunks, desk);
    await decide(chosen, on);
    goOn?.();
  }

  /** The set that is meant: that of a node, else the first that waits. */
  function setAt(argument: unknown): ReviewSet | undefined {
    const node = nodeOf(argument);
    return (node === undefined ? desk.sets[0] : setOf(node)) ?? nothingWaits();
  }

  function wholeAt(argument: unknown): Target | undefined {
    const set = setAt(argument);
    return set && desk.wholeOf(set);
  }

  async function rejectWithReason(argument: unknown): Promise<void> {
    const chosen = target(argument) ?? wholeAt(argument);
    if (chosen === undefined) return;
    const reason = await vscode.window.showInputBox({
      title: t("Reject with Feedback"),
      prompt: t("Sent to the model with your next message."),
    });
    if (reason === undefined) return;
    const conflicting = conflictAt(argument);
    if (chosen.hunks.length > 0 || conflicting === undefined) await decide(chosen, false, reason);
    if (conflicting !== undefined) await desk.rejectConflicts(conflicting, reason).catch(report);
  }

  /** What a conflict asks for: the model is shown what its files hold now. */
  async function retryWithCurrent(argument: unknown): Promise<void> {
    const node = nodeOf(argument);
    const conflicting = node?.kind === "file" ? node.file : hunkThreads.conflictOf(argument);
    if (conflicting === undefined) return;
    const { set, pending } = conflicting;
    const call = pending.calls.at(-1);
    if (call !== undefined) await set.session?.sendCurrent(call).catch(report);
  }

  /** Of a file's row: what stands aside in it is rejected there with the rest. */
  function conflictAt(argument: unknown): WaitingFile | undefined {
    const node = nodeOf(argument);
    return node?.kind === "file" && node.file.pending.conflicts.length > 0 ? node.file : undefined;
  }

  async function rejectFile(argument: unknown): Promise<void> {
    const conflicting = conflictAt(argument);
    if (conflicting?.pending.hunks.length !== 0) await settle(argument, false, file);
    if (conflicting !== undefined) await desk.rejectConflicts(conflicting).catch(report);
  }

  async function rejectInThread(argument: unknown): Promise<void> {
    const conflicting = hunkThreads.conflictOf(argument);
    if (conflicting === undefined) return settle(argument, false);
    await desk.rejectConflicts(conflicting).catch(report);
  }

  function filesOf(argument: unknown): readonly WaitingFile[] {
    const node = nodeOf(argument);
    if (node === undefined) return desk.files;
    return "file" in node ? [node.file] : desk.files.filter(({ set }) => set === node.set);
  }

  async function open(argument: unknown): Promise<void> {
    const files = filesOf(argument);
    const style = files.length > 0 ? reviewStyle() : "multiDiff";
    if (style === "refactorPreview") await preview(files);
    else if (!(await showWaiting(files, desk, documents))) nothingWaits();
  }

  async function preview(files: readonly WaitingFile[]): Promise<void> {
    if (files.length === 0) return nothingWaits();
    await previewFiles(files, desk, scratch).catch(report);
  }

  async function openChange(argument: unknown): Promise<void> {
    const found = target(argument);
    const own = fileOf(found);
    if (own === undefined) nothingWaits();
    else await showFile(own, desk, documents, found?.hunks[0]);
  }

  /** Round and round through everything that is not decided, from the hunk at the cursor. */
  async function step(argument: unknown, by: 1 | -1): Promise<void> {
    const all = desk.files.flatMap((each) =>
      desk.placesOf(each).map(({ hunk: id }) => {
        const { flags = [], line } = each.pending.hunks.find((one) => one.id === id) ?? {};
        return { each, id, path: each.to, flags, line };
      }),
    );
    // As everything else that shows a review: what deserves a look comes first.
    all.sort(
      (one, other) =>
        desk.sets.indexOf(one.each.set) - desk.sets.indexOf(other.each.set) || byRisk(one, other),
    );
    if (all.length === 0) return nothingWaits();
    const here = target(argument);
    const index = all.findIndex(({ each, id }) => each.set === here?.set && here.hunks[0] === id);
    const start = index === -1 && by === -1 ? 0 : index;
    const next = all[(start + by + all.length) % all.length];
    if (next === undefined) return;
    const scheme = threads.editor?.document.uri.scheme;
    const inReview = scheme === schemes.base || scheme === schemes.review;
    const { set, change, pending } = next.each;
    const isFileHere = pending.problem === undefined && uriOf(change.file, set) !== undefined;
    if (inReview || change.kind === "add" || !isFileHere) await showFile(next.each, desk, documents, next.id);
    else await openFile(next.each, next.id);
  }

  async function openFile({ change }: WaitingFile, id: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(toUri(change.file));
    const place = desk.hunksIn(document).find((each) => each.place.hunk === id)?.place;
    const at = new vscode.Position(place?.before.first ?? 0, 0);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  }

  async function talk(argument: unknown, about: HunkThreads["ask"]): Promise<void> {
    const { set, hunks: [one] = [] } = (await hunk(argument)) ?? {};
    if (set !== undefined && one !== undefined) await about({ set, hunk: one });
  }

  async function decideAll(argument: unknown, on: boolean): Promise<void> {
    const set = setAt(argument);
    if (set !== undefined) await (on ? desk.acceptAll(set) : desk.rejectAll(set)).catch(report);
  }

  return {
    [commands.openReview]: open,
    [commands.openChange]: openChange,
    [commands.refactorPreview]: (argument: unknown) => preview(filesOf(argument)),
    [commands.acceptHunk]: (argument: unknown) => settle(argument, true),
    [commands.rejectHunk]: (argument: unknown) => settle(argument, false),
    // The same with a word in the place of a picture.
    [commands.acceptInThread]: (argument: unknown) => settle(argument, true),
    [commands.rejectInThread]: rejectInThread,
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
