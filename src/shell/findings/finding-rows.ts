// The rows of findings in the Pending Changes view: one group, below what waits, with what was found and what was not looked
// at. Enter on a row opens its place.
import * as vscode from "vscode";
import type { Finding, FindingList, Left } from "./finding-list.ts";
import { labelOf, linesGone, severityWord } from "./words.ts";

export type FindingNode =
  | { readonly kind: "findings" }
  | { readonly kind: "finding"; readonly finding: Finding }
  | { readonly kind: "left"; readonly left: Left };

export interface FindingRows {
  /** The group, or nothing while there is none. */
  readonly roots: readonly FindingNode[];
  below(node: FindingNode): readonly FindingNode[];
  parentOf(node: FindingNode): FindingNode | undefined;
  itemOf(node: FindingNode): vscode.TreeItem;
  /** The same for the same row, whenever it is asked for. */
  nameOf(node: FindingNode): string;
}

const group: FindingNode = { kind: "findings" };

export const isFindingNode = (node: { readonly kind: string }): node is FindingNode =>
  node.kind === "findings" || node.kind === "finding" || node.kind === "left";

export function createFindingRows(findings: Pick<FindingList, "all" | "left">): FindingRows {
  /** The same row stays the same object: a command that is called on it is believed by that. */
  const rows = new WeakMap<object, FindingNode>();
  function rowOf(key: object, make: () => FindingNode): FindingNode {
    const row = rows.get(key) ?? make();
    rows.set(key, row);
    return row;
  }
  const isEmpty = () => findings.all.length === 0 && findings.left.length === 0;
  return {
    get roots() {
      return isEmpty() ? [] : [group];
    },
    below(node) {
      if (node.kind !== "findings") return [];
      const found = findings.all.map((finding) => rowOf(finding, () => ({ kind: "finding", finding })));
      return [...found, ...findings.left.map((left) => rowOf(left, () => ({ kind: "left", left })))];
    },
    parentOf: (node) => (node.kind === "findings" ? undefined : group),
    itemOf(node) {
      if (node.kind === "findings") return groupItem(findings);
      return node.kind === "finding" ? findingItem(node.finding) : leftItem(node.left);
    },
    nameOf(node) {
      if (node.kind === "findings") return "findings";
      const list: readonly unknown[] = node.kind === "finding" ? findings.all : findings.left;
      return `${node.kind} ${list.indexOf(node.kind === "finding" ? node.finding : node.left)}`;
    },
  };
}

function groupItem({ all, left }: Pick<FindingList, "all" | "left">): vscode.TreeItem {
  const t = vscode.l10n.t;
  const item = new vscode.TreeItem(t("Findings"), vscode.TreeItemCollapsibleState.Expanded);
  item.id = "findings";
  const count = all.length === 1 ? t("1 finding") : t("{0} findings", all.length);
  item.description = left.length === 0 ? count : `${count} · ${t("partly reviewed")}`;
  item.iconPath = new vscode.ThemeIcon("search");
  item.contextValue = "findings";
  return item;
}

const icons = { error: "error", warning: "warning", note: "info" } as const;

function findingItem(finding: Finding): vscode.TreeItem {
  const { severity, reason, suggestion, file, lines, uri } = finding;
  const item = new vscode.TreeItem(reason);
  const place = lines === undefined ? `${file} · ${linesGone()}` : `${file}:${lines.first + 1}`;
  item.description = place;
  item.tooltip = [labelOf(finding), ...(suggestion === undefined ? [] : [suggestion])].join("\n\n");
  item.iconPath = new vscode.ThemeIcon(icons[severity]);
  item.accessibilityInformation = { label: [severityWord(severity), reason, place].join(", ") };
  item.contextValue = "finding";
  const options: vscode.TextDocumentShowOptions =
    lines === undefined ? {} : { selection: new vscode.Range(lines.first, 0, lines.first, 0) };
  item.command = { command: "vscode.open", title: "", arguments: [uri, options] };
  return item;
}

function leftItem({ name, why }: Left): vscode.TreeItem {
  const item = new vscode.TreeItem(name);
  item.description = why;
  item.tooltip = `${name}\n${why}`;
  item.iconPath = new vscode.ThemeIcon("circle-slash");
  item.accessibilityInformation = { label: `${name}, ${why}` };
  return item;
}
