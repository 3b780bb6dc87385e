// The usage list as a tree view: what sums and requests cost, in full words for screen readers. Reads only what is
// visible, and again when something was written while it is visible.
import * as vscode from "vscode";
import { rawFigures, totalsOf } from "../../../conversation/usage-totals.ts";
import { views } from "../../../editor/manifest.ts";
import { tableTooltip } from "../../../editor/ui/table-tooltip.ts";
import type { Price } from "../../../host/services.ts";
import type { Disposable } from "../../../util/disposables.ts";
import { inDigits } from "../../../util/numbers-and-times.ts";
import type { MissesBy, SpentBy } from "../../internal/usage-causes.ts";
import { earlierDays, type UsageNode, UsageNodes, type UsageSource } from "../../internal/usage-nodes.ts";
import {
  figuresInWords,
  figuresLine,
  figuresNotes,
  figuresTable,
  missedLine,
  missedNote,
  missedTable,
  rawNotes,
} from "../../labels.ts";
import { outsideConversations, type ReceiptRow } from "../../ledger.ts";
import { lifetimesOf, type UsageRow } from "../../usage-rows.ts";

interface UsageViewDeps extends UsageSource {
  price(rows: readonly UsageRow[]): Price | undefined;
  /** Why prices cannot be computed. */
  priceProblem(): string | undefined;
  onWritten(listener: () => void): Disposable;
}

interface UsageView extends vscode.Disposable {
  refresh(): void;
  /** The node a command was called on, if it is one of ours (threats A8). */
  nodeOf(argument: unknown): UsageNode | undefined;
}

/** Long prompts are truncated to leave room for figures, which matter here; the tooltip shows all of it. */
const maxLetters = 22;
const shownLabel = ({ kind, label }: UsageNode): string =>
  (kind === "conversation" || kind === "turn") && label.length > maxLetters
    ? `${label.slice(0, maxLetters - 1).trimEnd()}…`
    : label;

/** Milliseconds: a turn with tools writes many rows at once. */
const pause = 300;

export function createUsageView(deps: UsageViewDeps): UsageView {
  const t = vscode.l10n.t;
  const words = { t, language: vscode.env.language };
  const changed = new vscode.EventEmitter<void>();
  const own = new WeakSet<object>();
  const source = new UsageNodes(deps, namesOf(words.language));
  let timer: NodeJS.Timeout | undefined;

  function hand(nodes: UsageNode[]): UsageNode[] {
    for (const node of nodes) own.add(node);
    return nodes;
  }

  const view = vscode.window.createTreeView<UsageNode>(views.usage, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getChildren(node) {
        if (node === undefined) return hand(await source.roots());
        return hand([...figuresOf(node), ...(await source.children(node))]);
      },
      getTreeItem: itemOf,
    },
  });

  function figuresOf(node: UsageNode): UsageNode[] {
    if (node.kind !== "request") return [];
    const totals = totalsOf(node.rows);
    const besides = { lifetimes: lifetimesOf(node.rows), price: deps.price(node.rows)?.text };
    const [row] = node.rows;
    const raw = rawFigures(row).map(([name, count]) => [name, inDigits(count, words.language)] as const);
    const figures = totals.reported > 0 ? figuresTable(totals, besides, words) : raw;
    return figures.map(([label, value], at) => ({
      ...{ kind: "figure", id: `${node.id}/figure/${at}` },
      ...{ label, value },
    }));
  }

  function itemOf(node: UsageNode): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const isOpen = node.kind === "today" || (node.kind === "conversation" && node.id.startsWith("open/"));
    const item = new vscode.TreeItem(shownLabel(node), isOpen ? Expanded : Collapsed);
    item.id = node.id;
    item.contextValue = `usage.${node.kind}`;
    const icon = icons[node.kind];
    if (icon !== undefined) item.iconPath = new vscode.ThemeIcon(icon);
    if (node.kind === "receipt") return receiptItem(item, node.receipt);
    if (node.kind === "figure") {
      item.collapsibleState = vscode.TreeItemCollapsibleState.None;
      item.description = node.value;
    }
    if (node.kind === "cause" || node.kind === "miss") return partItem(item, node);
    if (!("rows" in node)) return item;
    const totals = totalsOf(node.rows);
    const besides = { lifetimes: lifetimesOf(node.rows), price: deps.price(node.rows)?.text };
    item.description = figuresLine(totals, besides, words);
    const problem = deps.priceProblem();
    const models = [...new Set(node.rows.flatMap(({ model }) => model ?? []))].join(", ");
    const hasFigures = totals.reported + totals.partial > 0;
    item.tooltip = tableTooltip({
      title: models === "" ? node.label : `${node.label} – ${models}`,
      rows: hasFigures ? figuresTable(totals, besides, words) : [],
      notes: [
        ...figuresNotes(totals, words),
        ...rawNotes(node.rows, words),
        ...(problem === undefined ? [] : [problem]),
      ],
    });
    item.accessibilityInformation = { label: `${node.label}. ${figuresInWords(totals, besides, words)}` };
    return item;
  }

  function partItem(
    item: vscode.TreeItem,
    node: Extract<UsageNode, { kind: "cause" | "miss" }>,
  ): vscode.TreeItem {
    const { None, Collapsed } = vscode.TreeItemCollapsibleState;
    const { label, parts } = node;
    const isMissed = node.kind === "miss" || node.cause === "misses";
    item.collapsibleState = node.kind === "cause" && node.misses.length > 0 ? Collapsed : None;
    const totals = totalsOf(parts);
    const besides = { lifetimes: lifetimesOf(parts), price: deps.price(parts)?.text };
    item.description = isMissed ? missedLine(totals, besides, words) : figuresLine(totals, besides, words);
    const notes = isMissed ? [missedNote(words)] : figuresNotes(totals, words);
    const rows = isMissed ? missedTable(totals, besides, words) : figuresTable(totals, besides, words);
    item.tooltip = tableTooltip({ title: label, rows, notes });
    const said = isMissed ? item.description : figuresInWords(totals, besides, words);
    item.accessibilityInformation = { label: `${label}. ${said}` };
    return item;
  }

  function receiptItem(item: vscode.TreeItem, receipt: ReceiptRow): vscode.TreeItem {
    item.collapsibleState = vscode.TreeItemCollapsibleState.None;
    item.description = t("receipt, recorded, not verified");
    item.tooltip = tableTooltip({
      title: t("Receipt: recorded, not verified"),
      rows: receiptTable(receipt),
      notes: [t("Signatures can't be verified: the procedure isn't published. Digests can be recomputed.")],
    });
    item.accessibilityInformation = {
      label: `${receipt.operation}. ${t("Receipt: recorded, not verified")}`,
    };
    return item;
  }

  function refreshSoon(): void {
    if (!view.visible) return;
    clearTimeout(timer);
    timer = setTimeout(() => changed.fire(), pause);
  }

  const listening = vscode.Disposable.from(
    deps.onWritten(refreshSoon),
    view.onDidChangeVisibility(({ visible }) => visible && changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("patchbay.pricing")) refreshSoon();
    }),
  );
  return {
    refresh: refreshSoon,
    nodeOf(argument) {
      const node = argument === "selected" ? view.selection[0] : argument;
      return typeof node === "object" && node !== null && own.has(node) ? (node as UsageNode) : undefined;
    },
    dispose() {
      clearTimeout(timer);
      vscode.Disposable.from(listening, view, changed).dispose();
    },
  };
}

const icons: Readonly<Record<UsageNode["kind"], string | undefined>> = {
  today: "calendar",
  day: "calendar",
  earlier: "history",
  causes: "pie-chart",
  cause: undefined,
  miss: undefined,
  conversation: "comment-discussion",
  turn: "comment",
  request: "arrow-swap",
  figure: undefined,
  receipt: "tag",
  unbound: "files",
};

function receiptTable(receipt: ReceiptRow): [string, string][] {
  const t = vscode.l10n.t;
  const response = receipt.responseWhole
    ? receipt.responseSha256
    : t("{0} (partial response)", receipt.responseSha256);
  return [
    [t("Operation"), receipt.operation],
    [t("Time"), new Date(receipt.at).toLocaleString(vscode.env.language)],
    [t("Nonce"), receipt.nonce],
    ["Svc-Request-Timestamp", receipt.timestamp],
    ["Svc-Request-Signature", receipt.signature],
    [t("SHA-256 of the request"), receipt.requestSha256],
    [t("SHA-256 of the response"), response],
    [t("Model"), receipt.model ?? t("none")],
    [t("Response ID"), receipt.responseId ?? t("none")],
  ];
}

function namesOf(language: string) {
  const t = vscode.l10n.t;
  return {
    today: t("Today"),
    conversation: t("This conversation"),
    earlier: t("The last {0} days", earlierDays),
    causes: t("By cause, last {0} days", earlierDays),
    cause: (cause: SpentBy["cause"]) => causeNames(t)[cause],
    miss: ({ why, pause }: MissesBy) =>
      why === "expired" && pause !== undefined ? coldAfter(pause, language) : missNames(t)[why],
    unbound: t("Receipts of counts, key tests and deletions"),
    unlisted: (time: string) => t("Editor action or deleted conversation, {0}", time),
    outside: {
      [outsideConversations.check]: t("Connection checks"),
      [outsideConversations.languageModel]: t("VS Code's chat and other extensions"),
      [outsideConversations.comparison]: t("Comparisons of models"),
    },
    request: (number: number) => t("Request {0}", number),
    day: (at: number) => new Intl.DateTimeFormat(language, { dateStyle: "full" }).format(at),
    time: (at: number) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at),
  };
}

const causeNames = (t: typeof vscode.l10n.t): Readonly<Record<SpentBy["cause"], string>> => ({
  text: t("New content"),
  misses: t("Cache misses"),
  retry: t("Retries"),
  compaction: t("Compactions"),
  candidate: t("Candidates"),
  extension: t("Other extensions"),
  check: t("Connection checks"),
  unknown: t("Not known"),
});

const missNames = (t: typeof vscode.l10n.t): Readonly<Record<MissesBy["why"], string>> => ({
  model: t("Model changed"),
  tier: t("Cache lifetime changed"),
  "cache-id": t("Cache ID changed"),
  tools: t("Tools changed"),
  instructions: t("Instructions changed"),
  attachments: t("Attachments changed"),
  summary: t("History compacted"),
  rewound: t("History rewound"),
  history: t("History changed"),
  expired: t("Cold after a pause"),
  elsewhere: t("Not read by the service, same text"),
  unknown: t("Not known"),
});

/** The pauses in minutes, which is how lifetimes are counted. */
function coldAfter([from, to]: readonly [number, number], language: string): string {
  const [least, most] = [from, to].map((pause) => inDigits(Math.round(pause / 60_000), language));
  return least === most
    ? vscode.l10n.t("Cold after {0} min", least ?? "")
    : vscode.l10n.t("Cold after {0}–{1} min", least ?? "", most ?? "");
}
