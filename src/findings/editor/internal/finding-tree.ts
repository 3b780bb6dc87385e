// Rows of the Findings view: one group with the findings and what was not reviewed; findings that the model is not sure
// of, and those that an accepted change has resolved, are in collapsed groups of their own. Enter on a row opens its
// place.
import * as vscode from "vscode";
import { inGroups, isUnproven } from "../../internal/finding-order.ts";
import { type Finding, type FindingList, type Left, linesGone, severityWord } from "./finding-list.ts";

export type FindingNode =
  | { readonly kind: "findings" }
  | { readonly kind: "unproven" }
  | { readonly kind: "resolved" }
  | { readonly kind: "finding"; readonly finding: Finding }
  | { readonly kind: "left"; readonly left: Left };

interface FindingRows {
  /** Empty while there is nothing to show. */
  readonly roots: readonly FindingNode[];
  below(node: FindingNode): readonly FindingNode[];
  parentOf(node: FindingNode): FindingNode | undefined;
  itemOf(node: FindingNode): vscode.TreeItem;
}

const group: FindingNode = { kind: "findings" };
const unproven: FindingNode = { kind: "unproven" };
const resolved: FindingNode = { kind: "resolved" };

export function createFindingRows(findings: Pick<FindingList, "all" | "left">): FindingRows {
  /** Each row is one object for as long as it exists, so that commands can verify it. */
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
      const rowsOf = (found: readonly Finding[]) =>
        found.map((finding) => rowOf(finding, () => ({ kind: "finding", finding })));
      const groups = inGroups(findings.all);
      if (node.kind === "unproven") return rowsOf(groups.unproven);
      if (node.kind === "resolved") return rowsOf(groups.resolved);
      if (node.kind !== "findings") return [];
      return [
        ...rowsOf(groups.proven),
        ...(groups.unproven.length === 0 ? [] : [unproven]),
        ...(groups.resolved.length === 0 ? [] : [resolved]),
        ...findings.left.map((left) => rowOf(left, () => ({ kind: "left", left }))),
      ];
    },
    parentOf(node) {
      if (node.kind === "findings") return undefined;
      if (node.kind !== "finding") return group;
      return node.finding.isResolved ? resolved : isUnproven(node.finding) ? unproven : group;
    },
    itemOf(node) {
      if (node.kind === "findings") return groupItem(findings);
      if (node.kind === "unproven") return unprovenItem(inGroups(findings.all).unproven.length);
      if (node.kind === "resolved") return resolvedItem(inGroups(findings.all).resolved.length);
      return node.kind === "finding" ? findingItem(node.finding) : leftItem(node.left);
    },
  };
}

function groupItem({ all, left }: Pick<FindingList, "all" | "left">): vscode.TreeItem {
  const t = vscode.l10n.t;
  const groups = inGroups(all);
  const [proven, unsure, done] = [groups.proven.length, groups.unproven.length, groups.resolved.length];
  const count = proven === 1 ? t("1 finding") : t("{0} findings", proven);
  const item = new vscode.TreeItem(count, vscode.TreeItemCollapsibleState.Expanded);
  item.id = "findings";
  item.description = [
    ...(unsure === 0 ? [] : [t("{0} unproven", unsure)]),
    ...(done === 0 ? [] : [t("{0} resolved", done)]),
    ...(left.length === 0 ? [] : [t("partly reviewed")]),
  ].join(" · ");
  item.iconPath = new vscode.ThemeIcon("search");
  item.contextValue = "findings";
  return item;
}

function unprovenItem(count: number): vscode.TreeItem {
  const t = vscode.l10n.t;
  const item = new vscode.TreeItem(t("Unproven"), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = "unproven";
  item.description = String(count);
  item.tooltip = t("The model isn't sure of these: they depend on code that it hasn't read.");
  item.iconPath = new vscode.ThemeIcon("question");
  item.contextValue = "unproven";
  return item;
}

function resolvedItem(count: number): vscode.TreeItem {
  const t = vscode.l10n.t;
  const item = new vscode.TreeItem(t("Resolved"), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = "resolved";
  item.description = String(count);
  item.tooltip = t("An accepted change replaced their lines. Undo it, and they are open again.");
  item.accessibilityInformation = { label: t("{0} resolved", count) };
  item.iconPath = new vscode.ThemeIcon("pass");
  item.contextValue = "resolved";
  return item;
}

const icons = { error: "error", warning: "warning", note: "info" } as const;

function findingItem(finding: Finding): vscode.TreeItem {
  const { severity, title, reason, suggestion, file, lines, uri, isResolved } = finding;
  const item = new vscode.TreeItem(title);
  const place = isResolved
    ? file
    : lines === undefined
      ? `${file} · ${linesGone()}`
      : `${file}:${lines.first + 1}`;
  item.description = place;
  item.tooltip = [
    vscode.l10n.t("{0}: {1}", severityWord(severity), reason),
    ...(suggestion === undefined ? [] : [suggestion]),
  ].join("\n\n");
  item.iconPath = new vscode.ThemeIcon(isResolved ? "pass" : icons[severity]);
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
