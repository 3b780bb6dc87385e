// What a person does in a review, by tree, button, key or palette. A command without an argument acts on the hunk at
// the cursor, else asks which one.
import * as vscode from "vscode";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import { sampleFolder, toUri } from "../workspace/places.ts";
import type { Desk, Target } from "./desk.ts";
import type { ReviewDocuments } from "./documents.ts";
import { goOnFrom } from "./go-on.ts";
import type { HunkRef } from "./inline.ts";
import { hunksOf, isPending, type PatchInReview } from "./patches.ts";
import { previewPatches } from "./refactor-preview.ts";
import type { ReviewNode } from "./review-items.ts";
import { reviewStyle } from "./review-style.ts";
import type { ScratchFiles } from "./scratch-files.ts";
import { showChange, showPatches } from "./show-patches.ts";
import { type ShownChange, schemes } from "./shown-change.ts";

/** What a key in an editor gives a command: the change at the cursor is meant, and no other is asked for. */
const atCursor = "cursor";

export interface ReviewCommandNeeds {
  readonly desk: Desk;
  readonly documents: ReviewDocuments;
  readonly scratch: ScratchFiles;
  nodeOf(argument: unknown): ReviewNode | undefined;
  refOf(argument: unknown): HunkRef | undefined;
}

export function createReviewCommands(needs: ReviewCommandNeeds) {
  const { desk, documents, scratch, nodeOf, refOf } = needs;
  const t = vscode.l10n.t;

  /** What the argument stands for, else what the cursor is in. */
  function target(argument: unknown): Target | undefined {
    const ref = refOf(argument);
    if (ref !== undefined) return { call: ref.call, hunks: [ref.hunk] };
    const node = nodeOf(argument);
    if (node?.kind === "hunk") return { call: node.patch.call, hunks: [node.hunk.id] };
    if (node?.kind === "file") return { call: node.patch.call, hunks: node.file.hunks.map(({ id }) => id) };
    const waits = node?.patches.find(isPending);
    if (waits !== undefined) return { call: waits.call, hunks: hunksOf(waits).map(({ id }) => id) };
    const editor = vscode.window.activeTextEditor;
    return editor === undefined ? undefined : desk.hunkAt(editor);
  }

  async function hunk(argument: unknown): Promise<Target | undefined> {
    return target(argument) ?? (argument === atCursor ? notHere() : pick("hunk"));
  }

  function notHere(): undefined {
    if (desk.waiting === 0) return nothingWaits();
    void showInformation(t("The cursor is in no change that waits for your review."));
    return undefined;
  }

  async function file(argument: unknown): Promise<Target | undefined> {
    const found = target(argument);
    const patch = desk.pending.find(({ call }) => call === found?.call);
    const own = patch?.files.find(({ hunks }) => hunks.some(({ id }) => found?.hunks.includes(id)));
    if (found === undefined || own === undefined) return pick("file");
    return { call: found.call, hunks: own.hunks.map(({ id }) => id) };
  }

  async function pick(what: "hunk" | "file"): Promise<Target | undefined> {
    const items = desk.pending.flatMap(({ call, files }) =>
      files.flatMap(({ path, hunks }) => {
        if (what === "file") return [{ label: path, target: { call, hunks: hunks.map(({ id }) => id) } }];
        return hunks.map(({ id, line, added, removed }) => ({
          label: line === undefined ? path : `${path}:${line}`,
          description: `+${added} −${removed}`,
          target: { call, hunks: [id] },
        }));
      }),
    );
    if (items.length === 0) return nothingWaits();
    const title = what === "hunk" ? t("Which change?") : t("Which file?");
    return (await vscode.window.showQuickPick(items, { title }))?.target;
  }

  function nothingWaits(): undefined {
    void showInformation(t("No change waits for your review."));
    return undefined;
  }

  async function settle(argument: unknown, on: boolean, of = hunk): Promise<void> {
    const chosen = await of(argument);
    if (chosen === undefined) return;
    const isHere = argument === undefined || argument === atCursor;
    const editor = isHere ? vscode.window.activeTextEditor : undefined;
    const goOn = editor && goOnFrom(editor, chosen.hunks, desk);
    desk.settle(chosen, on);
    goOn?.();
  }

  /** The patch that is meant: that of a node, else the one that waits. */
  function patchOf(argument: unknown): PatchInReview | undefined {
    const node = nodeOf(argument);
    if (node?.kind === "turn") return node.patches.find(({ status }) => status === "proposed");
    return node?.patch ?? desk.pending.at(-1) ?? nothingWaits();
  }

  async function rejectWithReason(argument: unknown): Promise<void> {
    const found = target(argument);
    const patch = patchOf(argument);
    if (patch === undefined) return;
    const reason = await vscode.window.showInputBox({
      title: t("Reject with Reason"),
      prompt: t("The model is told what you write here."),
    });
    if (reason === undefined) return;
    if (found === undefined) desk.reject(patch.call, reason);
    else desk.settle(found, false, reason);
  }

  async function open(argument: unknown): Promise<void> {
    const node = nodeOf(argument);
    const last = desk.patches.filter(({ status }) => status === "applied").at(-1);
    const waiting = desk.pending.length > 0 ? desk.pending : last === undefined ? [] : [last];
    const patches = node?.kind === "turn" ? node.patches : waiting;
    const style = patches.some(isPending) ? reviewStyle() : "multiDiff";
    if (style === "refactorPreview") await preview(patches.filter(isPending));
    else if (style === "inline") await step(undefined, 1);
    else if (!(await showPatches(patches, desk, documents))) nothingWaits();
  }

  async function preview(patches: readonly PatchInReview[]): Promise<void> {
    if (patches.length === 0) return nothingWaits();
    await previewPatches(patches, desk, scratch);
  }

  async function openChange(argument: unknown): Promise<void> {
    const node = nodeOf(argument);
    const found = node?.kind === "turn" ? undefined : target(argument);
    const patch = desk.patches.find(({ call }) => call === found?.call);
    const path = patch?.files.find(({ hunks }) => hunks.some(({ id }) => found?.hunks.includes(id)))?.path;
    const shown = patch && path !== undefined ? desk.find(patch.call, path) : undefined;
    if (patch !== undefined && shown !== undefined)
      return showChange(shown, patch.turnNumber, desk, found?.hunks[0]);
    void showInformation(t("This change is not kept in full any more."));
  }

  /** Round and round through everything that is not decided, from the hunk at the cursor. */
  async function step(argument: unknown, by: 1 | -1): Promise<void> {
    const all = desk.pending.flatMap(({ call, turnNumber }) =>
      desk
        .shown(call)
        .flatMap((shown) => desk.placesOf(shown).map(({ hunk }) => ({ shown, hunk, turnNumber, call })))
        .filter(({ hunk }) => !desk.isSettled(call, hunk)),
    );
    if (all.length === 0) return nothingWaits();
    const here = target(argument);
    const index = all.findIndex(({ call, hunk }) => call === here?.call && here.hunks[0] === hunk);
    const start = index === -1 && by === -1 ? 0 : index;
    const next = all[(start + by + all.length) % all.length];
    if (next === undefined) return;
    const scheme = vscode.window.activeTextEditor?.document.uri.scheme;
    const inReview = scheme === schemes.base || scheme === schemes.review;
    const { kind, file } = next.shown.change;
    if (inReview || kind === "add" || file.folder === sampleFolder)
      await showChange(next.shown, next.turnNumber, desk, next.hunk);
    else await openFile(next.shown, next.hunk);
  }

  async function openFile({ change }: ShownChange, hunk: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(toUri(change.file));
    const place = desk.hunksIn(document).find((each) => each.place.hunk === hunk)?.place;
    const at = new vscode.Position(place?.before.first ?? 0, 0);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  }

  return {
    [commands.openReview]: open,
    [commands.openChange]: openChange,
    [commands.refactorPreview]: (argument: unknown) => {
      const node = nodeOf(argument);
      const patches = node === undefined ? desk.pending : node.kind === "turn" ? node.patches : [node.patch];
      return preview(patches.filter(isPending));
    },
    [commands.acceptHunk]: (argument: unknown) => settle(argument, true),
    [commands.rejectHunk]: (argument: unknown) => settle(argument, false),
    [commands.acceptFile]: (argument: unknown) => settle(argument, true, file),
    [commands.rejectFile]: (argument: unknown) => settle(argument, false, file),
    [commands.acceptAll]: (argument: unknown) => {
      const patch = patchOf(argument);
      if (patch !== undefined) desk.finish(patch.call);
    },
    [commands.rejectAll]: (argument: unknown) => {
      const patch = patchOf(argument);
      if (patch !== undefined) desk.reject(patch.call);
    },
    [commands.rejectWithReason]: rejectWithReason,
    [commands.nextHunk]: (argument: unknown) => step(argument, 1),
    [commands.previousHunk]: (argument: unknown) => step(argument, -1),
  };
}
