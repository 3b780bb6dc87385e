// The usage list and its commands. Nothing is sent.

import { basename } from "node:path";
import * as vscode from "vscode";
import type { ConversationEvent } from "../../conversation/events.ts";
import { HumanError } from "../../conversation/messages.ts";
import type { AttachmentView } from "../../conversation/state.ts";
import { titleOf } from "../../editor/conversations/conversations-view.ts";
import { localize } from "../../editor/localize.ts";
import { commands, focusOf, views } from "../../editor/manifest.ts";
import { showInformation } from "../../editor/notify.ts";
import { type ReadOnlyDocuments, saveAs } from "../../editor/ui/documents.ts";
import type { Ledgers, Service } from "../../host/services.ts";
import type { Exchanges } from "../../inspect/exchanges.ts";
import type { ReceiptBytes } from "../../service/reply.ts";
import type { Session } from "../../session/session.ts";
import type { SessionRegistry } from "../../session/session-registry.ts";
import { markdownTable, plainMarkdown } from "../../util/markdown-table.ts";
import { formatAmount, type Translate } from "../../util/numbers-and-times.ts";
import { missSentence, tierReport } from "../internal/cache-reports.ts";
import { usageCsv, usageJsonl } from "../internal/export-usage.ts";
import { earlierDays, type UsageNode } from "../internal/usage-nodes.ts";
import { type ReceiptRow, receiptsJsonl, recompute, unverifiedReceipt } from "../ledger.ts";
import { adviseTier, ratesOf } from "../price.ts";
import { explainMiss } from "../prompt-cache.ts";
import type { UsageRow } from "../usage-rows.ts";
import { createUsageView } from "./internal/usage-view.ts";

type Started = Pick<Extract<ConversationEvent, { type: "started" }>, "attachments">;

/** Beyond this limit, the oldest names are dropped. */
const most = 1000;

/**
 * Names of editor actions in the usage list: `Edit cart.ts:10–16`. Kept only while the window is open: the ledger
 * outlives conversations and contains no words of them.
 */
function createActionNames(registry: Pick<SessionRegistry, "follow">, t: Translate) {
  const known = new Map<string, string>();
  function note({ id, isTask }: Pick<Session, "id" | "isTask">, event: ConversationEvent): void {
    if (event.type !== "started" || !isTask || known.has(id)) return;
    const name = actionName(event, t);
    if (name === undefined) return;
    known.set(id, name);
    if (known.size > most) known.delete([...known.keys()][0] ?? "");
  }
  const following = registry.follow((session) => session.onEvent((event) => note(session, event)));
  return {
    of: (id: string): string | undefined => known.get(id),
    dispose: () => following.dispose(),
  };
}

/** By the role of the first attachment; the others are context. */
export function actionName({ attachments = [] }: Started, t: Translate): string | undefined {
  const role = attachments.find((each) => each.role !== undefined && Object.hasOwn(verbs, each.role))?.role;
  if (role === undefined) return undefined;
  const places = attachments.filter((each) => each.role === role).map(placeOf);
  const [first = "", ...others] = places;
  const about = others.length === 0 ? first : t("{0} files", places.length);
  return verbs[role]?.(about, t);
}

function placeOf({ label, path, start, end }: AttachmentView): string {
  if (path === undefined) return label;
  const name = basename(path);
  if (start === undefined) return name;
  return end === undefined || end === start ? `${name}:${start}` : `${name}:${start}–${end}`;
}

const verbs: Readonly<Record<string, (about: string, t: Translate) => string>> = {
  "to-edit": (about, t) => t("Edit {0}", about),
  "to-explain": (about, t) => t("Explain {0}", about),
  "to-fix": (about, t) => t("Fix {0}", about),
  "to-refactor": (about, t) => t("Refactor {0}", about),
  "to-test": (about, t) => t("Write tests for {0}", about),
  "to-document": (about, t) => t("Document {0}", about),
  "to-review": (about, t) => t("Review {0}", about),
  "to-describe": (_, t) => t("Commit message"),
};

interface ReceiptCommandDeps {
  readonly ledgers: Ledgers;
  readonly bytes: Pick<ReceiptBytes, "of">;
  readonly documents: ReadOnlyDocuments;
  nodeOf(argument: unknown): UsageNode | undefined;
  save(name: string, bytes: Uint8Array): Promise<void>;
}

const maxShown = 200;

/**
 * Commands about receipts: export them as received, and recompute their digests while the bytes are still available.
 * None is called valid, because the verification of signatures is not published (interface, "Authentication" 5).
 */
export function createReceiptCommands({ ledgers, bytes, documents, nodeOf, save }: ReceiptCommandDeps) {
  const t = vscode.l10n.t;

  async function all(): Promise<readonly ReceiptRow[]> {
    await ledgers.flush();
    const rows = await ledgers.receipts.since(0);
    if (rows.length === 0)
      throw new HumanError(t("There are no receipts. To request them, set patchbay.receipts.nonceHeader."));
    return rows;
  }

  async function exportReceipts(): Promise<void> {
    await save("patchbay-receipts.jsonl", Buffer.from(receiptsJsonl(await all())));
  }

  async function chosen(argument: unknown): Promise<readonly ReceiptRow[]> {
    const node = nodeOf(argument);
    return node?.kind === "receipt" ? [node.receipt] : all();
  }

  async function recomputeDigests(argument: unknown): Promise<void> {
    const rows = (await chosen(argument)).toReversed();
    const shown = rows.slice(0, maxShown);
    const results = shown.map((receipt) => ({
      receipt,
      ...recompute(receipt, bytes.of(receipt.nonce) ?? {}),
    }));
    const says = {
      same: t("same"),
      different: t("different"),
      "not given": t("bytes not available"),
      cut: t("different: the receipt covers a partial response"),
    };
    const table = results.map(({ receipt, request, response }) => [
      new Date(receipt.at).toLocaleString(vscode.env.language),
      // Enough of the nonce to search for it; the table has to fit next to the chat.
      `${receipt.operation} (${receipt.nonce.slice(0, 8)}…)`,
      says[request],
      says[response],
    ]);
    const head = [t("Time"), t("Operation"), t("Request"), t("Response")];
    await documents.show(
      t("Digests of receipts"),
      "md",
      [
        `# ${t("Recomputed digests of receipts")}`,
        t(
          "The bytes of recent requests are kept in memory by the window that sent them, and never written to the disk.",
        ),
        markdownTable(head, table, "words"),
        ...(rows.length > shown.length ? [t("Only the latest {0} are shown.", maxShown)] : []),
        plainMarkdown(
          t("A matching digest confirms the bytes, not the signature: {0}.", localize(unverifiedReceipt)),
        ),
      ].join("\n\n"),
    );
  }

  return {
    [commands.exportReceipts]: exportReceipts,
    [commands.recomputeReceipts]: recomputeDigests,
  };
}

interface UsageCommandDeps {
  session(): Pick<Session, "id" | "state" | "choices">;
  readonly ledgers: Ledgers;
  readonly exchanges: Exchanges;
  readonly pricing: Service["pricing"];
  readonly documents: ReadOnlyDocuments;
  nodeOf(argument: unknown): UsageNode | undefined;
  save(name: string, bytes: Uint8Array): Promise<void>;
  now(): number;
}

const day = 24 * 60 * 60_000;
const noRates = { input: 0, cached: 0, write5m: 0, write1h: 0, output: 0 };

/** Commands about usage: show, export, explain a cache miss, compare cache lifetimes. Nothing is sent. */
export function createUsageCommands(deps: UsageCommandDeps) {
  const { session, ledgers, documents, nodeOf, now } = deps;
  const t = vscode.l10n.t;
  const words = { t, language: vscode.env.language };

  function pricing() {
    const read = deps.pricing();
    return "pricing" in read ? read.pricing : undefined;
  }

  const missing = () => new HumanError(t("There's no usage yet."));

  async function exportUsage(argument: unknown): Promise<void> {
    const node = nodeOf(argument);
    const rows = await chooseRows(node);
    if (rows === undefined) return;
    if (rows.length === 0) throw missing();
    const formats = [
      { label: "CSV", description: t("for a table"), ending: "csv", write: usageCsv },
      { label: "JSON Lines", description: t("for a program"), ending: "jsonl", write: usageJsonl },
    ];
    const format = await vscode.window.showQuickPick(formats, { title: t("Export Usage") });
    if (format === undefined) return;
    await deps.save(`patchbay-usage.${format.ending}`, Buffer.from(format.write(rows, pricing())));
  }

  /** The selected row comes first: the button above the list applies to it as well. */
  async function chooseRows(node: UsageNode | undefined): Promise<readonly UsageRow[] | undefined> {
    const midnight = new Date(now()).setHours(0, 0, 0, 0);
    const { id } = session();
    const chosenRow =
      node !== undefined && "rows" in node ? [{ label: node.label, rows: () => node.rows }] : [];
    const choices = [
      ...chosenRow,
      { label: t("Today"), rows: () => ledgers.usage.since(midnight) },
      {
        label: t("This conversation"),
        rows: async () => (await ledgers.usage.since(0)).filter(({ conversation }) => conversation === id),
      },
      {
        label: t("The last {0} days", earlierDays),
        rows: () => ledgers.usage.since(now() - earlierDays * day),
      },
      { label: t("Everything"), rows: () => ledgers.usage.since(0) },
    ];
    const each = choices.filter(({ label }, at) => choices.findIndex((one) => one.label === label) === at);
    const chosen = await vscode.window.showQuickPick(each, { title: t("Export Usage") });
    return chosen?.rows();
  }

  /** The request of a row, otherwise the last one. */
  function requestMeant(argument: unknown): { turn: string; request: number } | undefined {
    const node = nodeOf(argument);
    const row = node !== undefined && "rows" in node ? node.rows.at(-1) : undefined;
    if (row !== undefined) return { turn: row.turn, request: row.request };
    const turn = session().state.turns.findLast(({ usage }) => usage.length > 0);
    return turn && { turn: turn.id, request: turn.usage.length };
  }

  /** The explanation as a sentence. */
  function sayMiss(argument: unknown): string {
    const meant = requestMeant(argument);
    if (meant === undefined) throw missing();
    const known = deps.exchanges.withEarlier(meant.turn, meant.request);
    const miss = known && explainMiss(...known);
    const sentence =
      known === undefined
        ? t("Only the window that sent a request can compare it, and only recent ones.")
        : miss === undefined
          ? t("There was no cache miss.")
          : missSentence(miss, words);
    void showInformation(sentence);
    return sentence;
  }

  async function adviseLifetime(): Promise<void> {
    const rows = await ledgers.usage.since(now() - earlierDays * day);
    // The chosen model if it has cache figures; otherwise the last one that has.
    const isOf = (id: string) => (each: UsageRow) => each.model === id && each.cached !== undefined;
    const last = rows.findLast(({ cached }) => cached !== undefined)?.model ?? session().choices.model;
    const model = rows.some(isOf(session().choices.model)) ? session().choices.model : last;
    const ofModel = rows.filter(isOf(model));
    const table = pricing();
    const rates = ratesOf(table, model);
    const advice = adviseTier(ofModel, rates ?? noRates);
    if (advice === undefined)
      throw new HumanError(t("Not enough usage yet. Ask at least two questions in a conversation."));
    const amount =
      table !== undefined && rates !== undefined
        ? (sum: number) => formatAmount(sum, table.currency, words.language)
        : undefined;
    const report = tierReport({ model, days: earlierDays, advice, amount }, words);
    await documents.show(t("Cache lifetime"), "md", report);
  }

  return {
    [commands.showUsage]: () => vscode.commands.executeCommand(focusOf(views.usage)),
    [commands.exportUsage]: exportUsage,
    [commands.explainMiss]: sayMiss,
    [commands.adviseTier]: adviseLifetime,
  };
}

export function createUsage(service: Service, documents: ReadOnlyDocuments) {
  const { surfaces, registry, ledgers, library, price, pricing, exchanges, receiptBytes } = service;
  const actions = createActionNames(registry, vscode.l10n.t);
  const view = createUsageView({
    usageSince: (at) => ledgers.usage.since(at),
    receiptsSince: (at) => ledgers.receipts.since(at),
    hasAny: () => ledgers.usage.hasAny(),
    conversation: () => surfaces.session.state,
    titles: async () => new Map((await library.list()).map((summary) => [summary.id, titleOf(summary)])),
    actionName: actions.of,
    now: Date.now,
    price,
    priceProblem() {
      const read = pricing();
      return "message" in read ? localize(read.message) : undefined;
    },
    onWritten: ledgers.onWritten,
  });
  const { nodeOf } = view;
  const session = () => surfaces.session;
  // Rows show titles of conversations, which may change without any request.
  const listening = vscode.Disposable.from(
    surfaces.onSwitch(view.refresh),
    library.onDidChange(view.refresh),
  );
  return {
    commands: {
      ...createUsageCommands({
        session,
        ledgers,
        exchanges,
        pricing,
        documents,
        nodeOf,
        save: saveAs,
        now: Date.now,
      }),
      ...createReceiptCommands({ ledgers, bytes: receiptBytes, documents, nodeOf, save: saveAs }),
    },
    dispose: () => vscode.Disposable.from(view, listening, actions).dispose(),
  };
}
