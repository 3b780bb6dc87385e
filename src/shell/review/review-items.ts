// What the rows of the Pending edits view say: a turn, a file, a change, each with its state, and a tick while it waits.
// Read off the conversation and the choices made so far; what a row does is given to it elsewhere.
import * as vscode from "vscode";
import type { PatchFile, PatchHunk } from "../../core/conversation/tool-use.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { isPending, type PatchInReview } from "./patches.ts";

export type ReviewNode =
  | { readonly kind: "turn"; readonly patches: readonly PatchInReview[] }
  | { readonly kind: "file"; readonly patch: PatchInReview; readonly file: PatchFile }
  | {
      readonly kind: "hunk";
      readonly patch: PatchInReview;
      readonly file: PatchFile;
      readonly hunk: PatchHunk;
    };

export interface RowNeeds {
  takes(call: string, hunk: string): boolean;
  isSettled(call: string, hunk: string): boolean;
  /** Somebody has written into the proposed text. */
  isEdited(call: string, path: string): boolean;
  /** Why a file of a waiting patch no longer fits; nothing where it does. */
  staleness(patch: PatchInReview, file: PatchFile): string | undefined;
  canTakeBack(call: string): boolean;
}

/** A file that is one hunk says everything itself. */
export const hunksBelow = ({ path, hunks }: PatchFile): readonly PatchHunk[] =>
  hunks.length === 1 && hunks[0]?.id === path ? [] : hunks;

/** The same for the same row, whenever it is asked for. */
export function nameOf(node: ReviewNode): string {
  if (node.kind === "turn") return node.patches[0]?.turn ?? "";
  const file = `${node.patch.call}\n${node.file.path}`;
  return node.kind === "file" ? file : `${file}\n${node.hunk.id}`;
}

export function itemOf(node: ReviewNode, needs: RowNeeds): vscode.TreeItem {
  switch (node.kind) {
    case "turn":
      return turnItem(node.patches, needs);
    case "file":
      return fileItem(node, needs);
    case "hunk":
      return hunkItem(node, needs);
    default:
      return node satisfies never;
  }
}

function turnItem(patches: readonly PatchInReview[], needs: RowNeeds): vscode.TreeItem {
  const [first] = patches;
  const waits = patches.some(isPending);
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  // What could not be read as a patch has no files.
  const folding = patches.every(({ files }) => files.length === 0) ? None : waits ? Expanded : Collapsed;
  const item = new vscode.TreeItem(vscode.l10n.t("Turn {0}", first?.turnNumber ?? 0), folding);
  item.id = nameOf({ kind: "turn", patches });
  const message = folding === None ? first?.message : undefined;
  const said = message && inReaderLanguage(message);
  item.description = said ?? first?.prompt.split("\n", 1)[0] ?? "";
  item.tooltip = [first?.prompt, said].filter((line) => line !== undefined).join("\n\n");
  item.iconPath = new vscode.ThemeIcon(
    waits ? "bell-dot" : folding === None ? "error" : "comment-discussion",
  );
  const canGoBack = patches.some(({ call }) => needs.canTakeBack(call));
  item.contextValue = waits ? "turn.pending" : canGoBack ? "turn.applied" : "turn";
  return item;
}

function fileItem(node: Extract<ReviewNode, { kind: "file" }>, needs: RowNeeds): vscode.TreeItem {
  const { patch, file } = node;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const many = file.hunks.length > 20;
  const folding = hunksBelow(file).length === 0 ? None : isPending(patch) && !many ? Expanded : Collapsed;
  const name = file.to ?? file.path;
  const item = new vscode.TreeItem(name.slice(name.lastIndexOf("/") + 1), folding);
  item.id = nameOf(node);
  const stale = isPending(patch) ? needs.staleness(patch, file) : undefined;
  const state = stale === undefined ? stateOf(patch, file) : vscode.l10n.t("stale");
  const counts = `+${file.added} −${file.removed}`;
  const edited = needs.isEdited(patch.call, file.path) ? vscode.l10n.t("edited by you") : "";
  item.description = [words[file.change](), counts, state, edited, name]
    .filter((part) => part !== "")
    .join(" · ");
  const said = [file.caution, file.problem, file.note, patch.message].filter((line) => line !== undefined);
  item.tooltip = [
    file.to === undefined ? file.path : `${file.path} → ${file.to}`,
    ...(stale === undefined ? [] : [stale]),
    ...said.map(inReaderLanguage),
  ].join("\n");
  item.iconPath = new vscode.ThemeIcon(file.caution === undefined ? icons[file.change] : "warning");
  return checked(item, "file", node, needs);
}

function hunkItem(node: Extract<ReviewNode, { kind: "hunk" }>, needs: RowNeeds): vscode.TreeItem {
  const { patch, hunk } = node;
  const line = hunk.line === undefined ? "" : vscode.l10n.t("Line {0}", hunk.line);
  const item = new vscode.TreeItem(`${line}  +${hunk.added} −${hunk.removed}`.trim());
  item.id = nameOf(node);
  const settled = isPending(patch) && needs.isSettled(patch.call, hunk.id);
  const taken = needs.takes(patch.call, hunk.id);
  const fate = settled
    ? taken
      ? vscode.l10n.t("accepted")
      : vscode.l10n.t("rejected")
    : fateOf(hunk, patch);
  const said = [fate, firstChange(hunk.diff)].filter((part) => part !== "");
  item.description = said.join(" · ");
  const note = hunk.note && inReaderLanguage(hunk.note);
  item.tooltip = [note, hunk.diff].filter((part) => part !== undefined).join("\n");
  const counts = vscode.l10n.t("{0} added, {1} removed", hunk.added, hunk.removed);
  // VS Code says of a row what it says here, and nothing of its tick.
  const tick = isPending(patch) ? [taken ? vscode.l10n.t("ticked") : vscode.l10n.t("not ticked")] : [];
  item.accessibilityInformation = { label: [line, counts, ...tick, ...said].join(", ") };
  const isUndone = patch.status === "undone" && hunk.status === "applied";
  if (hunk.status !== "pending")
    item.iconPath = new vscode.ThemeIcon(isUndone ? "discard" : fateIcons[hunk.status]);
  return checked(item, "hunk", node, needs);
}

function checked(
  item: vscode.TreeItem,
  kind: string,
  { patch, file, hunk }: { patch: PatchInReview; file: PatchFile; hunk?: PatchHunk },
  needs: RowNeeds,
): vscode.TreeItem {
  item.contextValue = isPending(patch) ? `${kind}.pending` : kind;
  if (!isPending(patch)) return item;
  const hunks = hunk === undefined ? file.hunks : [hunk];
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  item.checkboxState = hunks.some(({ id }) => needs.takes(patch.call, id)) ? Checked : Unchecked;
  return item;
}

/** The line that says most about a hunk, in a list. */
function firstChange(diff: string | undefined): string {
  const line = diff?.split("\n").find((each) => /^[+-].*\S/.test(each)) ?? "";
  return line.slice(1).trim().slice(0, 80);
}

function fateOf({ status }: PatchHunk, patch: PatchInReview): string {
  if (status === "applied" && patch.status === "undone") return vscode.l10n.t("taken back");
  const fates = {
    pending: "",
    applied: vscode.l10n.t("applied"),
    rejected: vscode.l10n.t("rejected"),
    failed: vscode.l10n.t("failed"),
  };
  return fates[status];
}

function stateOf({ status }: PatchInReview, { hunks }: PatchFile): string {
  const applied = hunks.filter((hunk) => hunk.status === "applied").length;
  if (status === "applied" && applied < hunks.length)
    return applied === 0
      ? vscode.l10n.t("rejected")
      : vscode.l10n.t("{0} of {1} applied", applied, hunks.length);
  const states = {
    arriving: "",
    proposed: "",
    applying: vscode.l10n.t("being applied"),
    applied: vscode.l10n.t("applied"),
    undone: vscode.l10n.t("taken back"),
    rejected: vscode.l10n.t("rejected"),
    failed: vscode.l10n.t("failed"),
    stopped: vscode.l10n.t("never decided"),
    unsure: vscode.l10n.t("unsure"),
  };
  return states[status];
}

const fateIcons = { applied: "check", rejected: "close", failed: "error" } as const;

const words = {
  add: () => vscode.l10n.t("new"),
  update: () => "",
  delete: () => vscode.l10n.t("deleted"),
  move: () => vscode.l10n.t("moved"),
} as const;

const icons = {
  add: "diff-added",
  update: "diff-modified",
  delete: "diff-removed",
  move: "diff-renamed",
} as const;
