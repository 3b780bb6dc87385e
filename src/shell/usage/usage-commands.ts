// What a person does with the figures: look at them, take them along, ask why a request missed the cache and which
// lifetime would have been cheaper. Nothing is sent.
import * as vscode from "vscode";
import type { Exchanges } from "../../core/inspect/exchanges.ts";
import { usageCsv, usageJsonl } from "../../core/ledger/export-usage.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { Session } from "../../core/session/session.ts";
import { explainMiss } from "../../core/tokens/explain-miss.ts";
import { formatAmount, ratesOf } from "../../core/tokens/price.ts";
import { adviseTier } from "../../core/tokens/tier-advice.ts";
import type { UsageRow } from "../../core/tokens/usage-rows.ts";
import type { Ledgers, Service } from "../../services.ts";
import { commands, focusOf, views } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { missSentence } from "./miss-words.ts";
import { tierReport } from "./tier-report.ts";
import type { UsageNode } from "./usage-nodes.ts";
import { earlierDays } from "./usage-nodes.ts";

export interface UsageCommandDeps {
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

  /** The row that is selected comes first: the button above the list is pressed with it as well. */
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
      { label: t("The last 30 days"), rows: () => ledgers.usage.since(now() - earlierDays * day) },
      { label: t("Everything"), rows: () => ledgers.usage.since(0) },
    ];
    const each = choices.filter(({ label }, at) => choices.findIndex((one) => one.label === label) === at);
    const chosen = await vscode.window.showQuickPick(each, { title: t("Export Usage") });
    return chosen?.rows();
  }

  /** The request that a row of the list is about; else the last one. */
  function requestMeant(argument: unknown): { turn: string; request: number } | undefined {
    const node = nodeOf(argument);
    const row = node !== undefined && "rows" in node ? node.rows.at(-1) : undefined;
    if (row !== undefined) return { turn: row.turn, request: row.request };
    const turn = session().state.turns.findLast(({ usage }) => usage.length > 0);
    return turn && { turn: turn.id, request: turn.usage.length };
  }

  /** The sentence it says. */
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
    // The chosen model, where it has figures of the cache at all; else the one that had them last.
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
