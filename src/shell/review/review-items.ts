// What the rows of the Pending Changes view say: a conversation, a file, a change. Only what waits is there; what a row does
// is given to it elsewhere.
import * as vscode from "vscode";
import type { PendingHunk } from "../../core/changes/pending-file.ts";
import { isFolded, isGrave } from "../../core/risk/flags.ts";
import { byRisk } from "../../core/risk/order.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { type CheckNode, checkItem, nameOfCheck } from "./check-rows.ts";
import type { References } from "./references.ts";
import type { ReviewSet, WaitingFile } from "./review-model.ts";
import {
  changesInFiles,
  countsInWords,
  evidenceInWords,
  flagsInWords,
  flagWords,
  moveInWords,
} from "./risk-words.ts";

export type ReviewNode =
  | { readonly kind: "set"; readonly set: ReviewSet }
  | CheckNode
  | { readonly kind: "file"; readonly file: WaitingFile }
  | { readonly kind: "hunk"; readonly file: WaitingFile; readonly hunk: PendingHunk };

/** A file that is one change as a whole says everything itself. */
export const hunksBelow = ({ pending }: WaitingFile): readonly PendingHunk[] =>
  pending.problem === undefined
    ? pending.hunks
        .filter(({ number }) => number !== undefined)
        .toSorted((one, other) => byRisk({ path: "", ...one }, { path: "", ...other }))
    : [];

/** The same for the same row, whenever it is asked for. */
export function nameOf(node: ReviewNode): string {
  if (node.kind === "set") return node.set.isSample ? "sample" : `set ${node.set.session?.id}`;
  if (node.kind === "check") return nameOfCheck(node);
  return node.kind === "file" ? node.file.address : `${node.file.address}\n${node.hunk.id}`;
}

export function itemOf(
  node: ReviewNode,
  files: readonly WaitingFile[],
  references: References,
): vscode.TreeItem {
  switch (node.kind) {
    case "set":
      return setItem(node.set, files);
    case "check":
      return checkItem(node);
    case "file":
      return fileItem(node.file);
    case "hunk":
      return hunkItem(node.file, node.hunk, references);
    default:
      return node satisfies never;
  }
}

const sum = (hunks: readonly PendingHunk[], of: "added" | "removed"): number =>
  hunks.reduce((total, hunk) => total + hunk[of], 0);

const countsOf = (hunks: readonly PendingHunk[]): string =>
  `+${sum(hunks, "added")} −${sum(hunks, "removed")}`;

function setItem(set: ReviewSet, files: readonly WaitingFile[]): vscode.TreeItem {
  const item = new vscode.TreeItem(set.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = nameOf({ kind: "set", set });
  const own = files.filter((file) => file.set === set);
  const hunks = own.flatMap(({ pending }) => pending.hunks);
  const count = changesInFiles(hunks.length, own.length);
  const flagged = countsInWords(hunks.map(({ flags }) => flags));
  item.description = [count, countsOf(hunks), ...flagged, ...evidenceInWords(set)].join(" · ");
  item.iconPath = new vscode.ThemeIcon(set.isSample ? "beaker" : "comment-discussion");
  item.contextValue = "set.pending";
  return item;
}

function fileItem(file: WaitingFile): vscode.TreeItem {
  const { path, to, change, pending } = file;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const below = hunksBelow(file).length;
  const item = new vscode.TreeItem(to.slice(to.lastIndexOf("/") + 1));
  // What is about form alone is there for who asks for it.
  const isQuiet = pending.hunks.every(({ flags }) => isFolded(flags));
  item.collapsibleState = below === 0 ? None : below > 20 || isQuiet ? Collapsed : Expanded;
  item.id = nameOf({ kind: "file", file });
  const { conflicts, problem, isEdited } = pending;
  const state =
    problem !== undefined || conflicts.length > 0
      ? conflicts.length > 1
        ? vscode.l10n.t("{0} conflicts", conflicts.length)
        : vscode.l10n.t("conflict")
      : "";
  const moved = path === to ? to : `${path} → ${to}`;
  const edited = isEdited ? vscode.l10n.t("edited by you") : "";
  const counts = change.kind === "delete" ? "" : countsOf(pending.hunks);
  // Its rows say which of them; a file without rows says it itself.
  const flagged = below === 0 || isQuiet ? flagsInWords(pending.hunks.flatMap(({ flags }) => flags)) : "";
  item.description = [flagged, words[change.kind](), counts, state, edited, moved]
    .filter((part) => part !== "")
    .join(" · ");
  const reasons = change.permission.reasons.map(inReaderLanguage);
  const aside = conflicts.map(({ from }) =>
    vscode.l10n.t("Line {0}: you and the proposal have both changed these lines.", from + 1),
  );
  item.tooltip = [moved, ...(problem ? [inReaderLanguage(problem)] : []), ...aside, ...reasons].join("\n");
  const isStuck = problem !== undefined || conflicts.length > 0;
  const isMarked = isStuck || reasons.length > 0 || pending.hunks.some(({ flags }) => isGrave(flags));
  item.iconPath = new vscode.ThemeIcon(isMarked ? "warning" : icons[change.kind]);
  item.contextValue = isStuck ? "file.pending.conflict" : "file.pending";
  return item;
}

function hunkItem(file: WaitingFile, hunk: PendingHunk, references: References): vscode.TreeItem {
  const line = hunk.line === undefined ? "" : vscode.l10n.t("Line {0}", hunk.line);
  const item = new vscode.TreeItem(`${line}  +${hunk.added} −${hunk.removed}`.trim());
  item.id = nameOf({ kind: "hunk", file, hunk });
  const { change } = file;
  const edit = "edits" in change && hunk.number !== undefined ? change.edits[hunk.number] : undefined;
  const said = firstLine(edit?.text ?? "") || firstLine(edit?.removed ?? "");
  const moves = moveInWords(file);
  const notes = [...flagWords(hunk.flags, references.countOf(file, hunk)), ...(moves === "" ? [] : [moves])];
  const noted = notes.join(" · ");
  item.description = [noted, said].filter((part) => part !== "").join(" · ");
  if (edit !== undefined)
    item.tooltip =
      `${notes.map((note) => `${note}\n`).join("")}${signed("-", edit.removed)}${signed("+", edit.text)}`.slice(
        0,
        4000,
      );
  const counts = vscode.l10n.t("{0} added, {1} removed", hunk.added, hunk.removed);
  item.accessibilityInformation = {
    label: [line, counts, said, noted].filter((part) => part !== "").join(", "),
  };
  item.contextValue = "hunk.pending";
  return item;
}

/** The line that says most about a hunk, in a list. */
const firstLine = (text: string): string =>
  (text.split("\n").find((line) => line.trim() !== "") ?? "").trim().slice(0, 80);

const signed = (sign: string, text: string): string =>
  text === ""
    ? ""
    : text
        .replace(/\r?\n$/, "")
        .split("\n")
        .map((line) => `${sign}${line}\n`)
        .join("");

const words = {
  add: () => vscode.l10n.t("new"),
  update: () => "",
  delete: () => vscode.l10n.t("file deleted"),
  move: () => vscode.l10n.t("moved"),
} as const;

const icons = {
  add: "diff-added",
  update: "diff-modified",
  delete: "diff-removed",
  move: "diff-renamed",
} as const;
