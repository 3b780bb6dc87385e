// The Pending Changes view: conversation, file, change. A native tree, so that keyboard and screen reader work as
// everywhere: arrow keys navigate, Enter opens. Displays and forwards; decisions are made elsewhere.
import * as vscode from "vscode";
import { acceptableHunks, type PendingCounts, type PendingHunk } from "../../../changes/pending-changes.ts";
import { byRisk, isFolded, isGrave } from "../../../risk/flags.ts";
import { localize } from "../../localize.ts";
import { views } from "../../manifest.ts";
import { focusedRow, followFocusedRow } from "../../ui/focused-row.ts";
import { type CheckNode, checkItem, checksBelow, nameOfCheck } from "../check-rows.ts";
import { type BreakingNode, breakingBelow, breakingItem, nameOfBreaking } from "./breaking-rows.ts";
import type { References } from "./count-references.ts";
import type { ReviewModel } from "./review-model.ts";
import { countOf, type ReviewSet, type WaitingFile } from "./review-targets.ts";
import {
  changesInFiles,
  conflictsInWords,
  countsInWords,
  evidenceInWords,
  flagsInWords,
  flagWords,
  moveInWords,
} from "./risk-labels.ts";
import {
  type Evidence,
  type EvidenceNode,
  evidenceBelow,
  evidenceItem,
  nameOfEvidence,
} from "./set-evidence.ts";

export type ReviewNode =
  | { readonly kind: "set"; readonly set: ReviewSet }
  | EvidenceNode
  | CheckNode
  | BreakingNode
  | { readonly kind: "file"; readonly file: WaitingFile }
  | { readonly kind: "hunk"; readonly file: WaitingFile; readonly hunk: PendingHunk };

/** If the change is the whole file, the row of the file says everything. */
export const hunksBelow = ({ pending }: WaitingFile): readonly PendingHunk[] =>
  acceptableHunks(pending)
    .filter(({ number }) => number !== undefined)
    .toSorted((one, other) => byRisk({ path: "", ...one }, { path: "", ...other }));

/** Stable id of a row. */
function nameOf(node: ReviewNode): string {
  if (node.kind === "set") return node.set.isSample ? "sample" : `set ${node.set.session?.id}`;
  if (node.kind === "check") return nameOfCheck(node);
  if (isEvidence(node)) return nameOfEvidence(node);
  if (node.kind === "breaking") return nameOfBreaking(node);
  return node.kind === "file" ? node.file.address : `${node.file.address}\n${node.hunk.id}`;
}

const isEvidence = (node: ReviewNode): node is EvidenceNode =>
  node.kind === "contradiction" || node.kind === "evidence" || node.kind === "claim";

/** Creates the row of a conversation, a file or a change. Only pending ones are shown. */
export function itemOf(
  node: ReviewNode,
  files: readonly WaitingFile[],
  references: References,
  evidence: Evidence,
): vscode.TreeItem {
  switch (node.kind) {
    case "set":
      return setItem(node.set, files);
    case "check":
      return checkItem(node);
    case "breaking":
      return breakingItem(node);
    case "file":
      return fileItem(node.file);
    case "hunk":
      return hunkItem(node.file, node.hunk, references, evidence);
    case "contradiction":
    case "evidence":
    case "claim":
      return evidenceItem(node);
    default:
      return node satisfies never;
  }
}

const linesInWords = ({ added, removed }: Pick<PendingCounts, "added" | "removed">): string =>
  `+${added} −${removed}`;

function setItem(set: ReviewSet, files: readonly WaitingFile[]): vscode.TreeItem {
  const item = new vscode.TreeItem(set.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = nameOf({ kind: "set", set });
  const own = files.filter((file) => file.set === set);
  const { changes, conflicts, ...lines } = countOf(own);
  const stuck = conflicts === 0 ? [] : [conflictsInWords(conflicts)];
  const flags = own.flatMap(({ pending }) => acceptableHunks(pending).map((hunk) => hunk.flags));
  const notes = [...stuck, ...countsInWords(flags), ...evidenceInWords(set)];
  item.description = [changesInFiles(changes, own.length), linesInWords(lines), ...notes].join(" · ");
  item.iconPath = new vscode.ThemeIcon(set.isSample ? "beaker" : "comment-discussion");
  item.contextValue = "set.pending";
  return item;
}

function fileItem(file: WaitingFile): vscode.TreeItem {
  const { path, to, change, pending } = file;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const below = hunksBelow(file).length;
  const item = new vscode.TreeItem(to.slice(to.lastIndexOf("/") + 1));
  // Changes of formatting only are collapsed.
  const isQuiet = pending.hunks.every(({ flags }) => isFolded(flags));
  item.collapsibleState = below === 0 ? None : below > 20 || isQuiet ? Collapsed : Expanded;
  item.id = nameOf({ kind: "file", file });
  const { conflicts, problem, refused, isEdited } = pending;
  const counts = countOf([file]);
  // Always visible, so that the reason why it cannot be accepted is noticed at once.
  const reason = problem ?? refused;
  const state = [
    ...(counts.conflicts === 0 ? [] : [conflictInWords(counts.conflicts)]),
    ...(reason === undefined ? [] : [localize(reason)]),
  ];
  const moved = path === to ? to : `${path} → ${to}`;
  const edited = isEdited ? vscode.l10n.t("edited by you") : "";
  const lines = change.kind === "delete" || counts.changes === counts.conflicts ? "" : linesInWords(counts);
  // The rows below show their own flags; a file without such rows shows them itself.
  const flagged = below === 0 || isQuiet ? flagsInWords(pending.hunks.flatMap(({ flags }) => flags)) : "";
  item.description = [...state, flagged, words[change.kind](), lines, edited, moved]
    .filter((part) => part !== "")
    .join(" · ");
  const reasons = change.permission.reasons.map(localize);
  const aside = conflicts.map(({ from }) =>
    vscode.l10n.t("Line {0}: you and the proposal have both changed these lines.", from + 1),
  );
  item.tooltip = [moved, ...(reason ? [localize(reason)] : []), ...aside, ...reasons].join("\n");
  const isStuck = counts.conflicts > 0;
  const isMarked =
    isStuck ||
    refused !== undefined ||
    reasons.length > 0 ||
    pending.hunks.some(({ flags }) => isGrave(flags));
  item.iconPath = new vscode.ThemeIcon(isMarked ? "warning" : icons[change.kind]);
  item.contextValue = isStuck ? "file.pending.conflict" : "file.pending";
  return item;
}

function hunkItem(
  file: WaitingFile,
  hunk: PendingHunk,
  references: References,
  evidence: Evidence,
): vscode.TreeItem {
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
      `${[...(moves === "" ? [] : [moves]), ...evidence.ofHunk(file, hunk)].map((note) => `${note}\n`).join("")}${signed("-", edit.removed)}${signed("+", edit.text)}`.slice(
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

/** Label for the conflicts of a file. */
const conflictInWords = (count: number): string =>
  count === 1 ? vscode.l10n.t("conflict") : conflictsInWords(count);

/** The first line that is not blank, for a list. */
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

interface ReviewTree extends vscode.Disposable {
  refresh(): void;
  /** The node a command was called on. Only nodes handed out here are accepted (threats A8). */
  nodeOf(argument: unknown): ReviewNode | undefined;
  /** Focuses the first pending row. False if there is none. */
  focus(): Promise<boolean>;
}

/** Nodes that open a change. */
export type ChangeNode = Extract<ReviewNode, { readonly kind: "file" | "hunk" }>;

export function createReviewTree(
  reviewModel: Pick<ReviewModel, "files" | "sets" | "waiting">,
  references: References,
  evidence: Evidence,
  openCommand: (node: ChangeNode) => vscode.Command,
): ReviewTree {
  const changed = new vscode.EventEmitter<void>();
  const own = new WeakSet<object>();
  const known = (nodes: ReviewNode[]): ReviewNode[] => {
    for (const node of nodes) own.add(node);
    return nodes;
  };
  const view = vscode.window.createTreeView<ReviewNode>(views.review, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => known(rowsBelow(node, reviewModel, evidence)),
      getParent: parentOf,
      getTreeItem: (node) => itemOf(node, reviewModel.files, references, evidence),
      // Positions are resolved for the row that is opened only, not for all visible rows.
      resolveTreeItem(item, node) {
        if (node.kind === "file" || node.kind === "hunk") item.command = openCommand(node);
        return item;
      },
    },
  });
  const focused = followFocusedRow(view, nameOf);
  return {
    refresh() {
      const value = reviewModel.waiting;
      const tooltip = vscode.l10n.t("{0} changes to review", value);
      view.badge = value === 0 ? undefined : { value, tooltip };
      changed.fire();
    },
    nodeOf(argument) {
      const node = argument === focusedRow ? focused.node : argument;
      return typeof node === "object" && node !== null && own.has(node) ? (node as ReviewNode) : undefined;
    },
    async focus() {
      const [file] = reviewModel.files;
      if (file === undefined) return false;
      const [hunk] = hunksBelow(file);
      const first: ReviewNode = hunk === undefined ? { kind: "file", file } : { kind: "hunk", file, hunk };
      await view.reveal(first, { focus: true, select: false });
      return true;
    },
    dispose: () => vscode.Disposable.from(view, focused, changed).dispose(),
  };
}

function rowsBelow(
  node: ReviewNode | undefined,
  reviewModel: Pick<ReviewModel, "files" | "sets">,
  evidence: Evidence,
): ReviewNode[] {
  switch (node?.kind) {
    case undefined:
      return reviewModel.sets.map((set) => ({ kind: "set", set }));
    case "set": {
      const files = reviewModel.files.filter(({ set }) => set === node.set);
      const known = evidenceBelow(node.set, evidence);
      const [against, others] = [
        known.filter(({ kind }) => kind === "contradiction"),
        known.filter(({ kind }) => kind !== "contradiction"),
      ];
      return [
        ...against,
        ...checksBelow(node.set),
        ...breakingBelow(node.set),
        ...others,
        ...files.map((file) => ({ kind: "file", file }) as const),
      ];
    }
    case "file":
      return hunksBelow(node.file).map((hunk) => ({ kind: "hunk", file: node.file, hunk }));
    case "evidence":
      return node.below.map((said) => ({ kind: "claim", set: node.set, said }));
    case "hunk":
    case "check":
    case "claim":
    case "contradiction":
    case "breaking":
      return [];
    default:
      return node satisfies never;
  }
}

function parentOf(node: ReviewNode): ReviewNode | undefined {
  if (node.kind === "set") return undefined;
  if (node.kind === "check" || node.kind === "breaking" || isEvidence(node))
    return { kind: "set", set: node.set };
  const { file } = node;
  return node.kind === "hunk" ? { kind: "file", file } : { kind: "set", set: file.set };
}
