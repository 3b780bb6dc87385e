// The usage list as nodes: sums for today, the open conversation and the last days; below them conversations, turns,
// requests, and the figures and receipts of a request. Every number is a sum of requests, each counted once. Rows are
// read on demand.
import type { Conversation } from "../../conversation/state.ts";
import { inPlainWords } from "../../store/conversation-summary.ts";
import type { ReceiptRow } from "../ledger.ts";
import { groupRows, rowsOfTurn, today, type UsageRow } from "../usage-rows.ts";
import { type MissesBy, type SpentBy, spentByCause } from "./usage-causes.ts";

export type UsageNode =
  | {
      readonly kind: "today" | "conversation" | "day" | "turn";
      readonly id: string;
      readonly label: string;
      readonly rows: readonly UsageRow[];
    }
  | {
      readonly kind: "request";
      readonly id: string;
      readonly label: string;
      readonly rows: readonly [UsageRow];
    }
  /** Read only when it is expanded. */
  | { readonly kind: "earlier" | "causes" | "unbound"; readonly id: string; readonly label: string }
  /** Parts of requests are no requests, so commands that take rows do not take these. */
  | ({ readonly kind: "cause"; readonly id: string; readonly label: string } & SpentBy)
  | ({ readonly kind: "miss"; readonly id: string; readonly label: string } & MissesBy)
  /** One number of a request, as a row of its own. */
  | { readonly kind: "figure"; readonly id: string; readonly label: string; readonly value: string }
  | { readonly kind: "receipt"; readonly id: string; readonly label: string; readonly receipt: ReceiptRow };

type SumNode = Extract<UsageNode, { rows: unknown }>;

export interface UsageSource {
  /** In chronological order. */
  usageSince(at: number): Promise<readonly UsageRow[]>;
  receiptsSince(at: number): Promise<readonly ReceiptRow[]>;
  hasAny(): Promise<boolean>;
  conversation(): Conversation;
  /** By id. Deleted conversations and actions of the editor have none. */
  titles(): Promise<ReadonlyMap<string, string>>;
  /** Name of an action of the editor in this window. */
  actionName(id: string): string | undefined;
  now(): number;
}

interface UsageNames {
  readonly today: string;
  readonly conversation: string;
  readonly earlier: string;
  readonly causes: string;
  readonly unbound: string;
  cause(cause: SpentBy["cause"]): string;
  miss(misses: MissesBy): string;
  /** Label for a deleted conversation or an action in another window; contains at least the time. */
  unlisted(time: string): string;
  /** Labels for requests outside of conversations, by their name in the ledger. */
  readonly outside: Readonly<Record<string, string>>;
  request(number: number): string;
  day(at: number): string;
  time(at: number): string;
}

const day = 24 * 60 * 60_000;
/** How far back the view, its causes and the cache reports look. */
export const earlierDays = 30;
const maxUnbound = 200;

export class UsageNodes {
  readonly #source: UsageSource;
  readonly #names: UsageNames;

  constructor(source: UsageSource, names: UsageNames) {
    this.#source = source;
    this.#names = names;
  }

  /** Empty if nothing was ever used. */
  async roots(): Promise<UsageNode[]> {
    const { conversation, now, usageSince, hasAny } = this.#source;
    if (!(await hasAny())) return [];
    const open = conversation();
    const openRows = open.turns.flatMap((turn) => rowsOfTurn(open.id, turn));
    const midnight = new Date(now()).setHours(0, 0, 0, 0);
    const { today: label, conversation: here, earlier, causes, unbound } = this.#names;
    return [
      { kind: "today", id: "today", label, rows: today(await usageSince(midnight), now()) },
      ...(openRows.length === 0
        ? []
        : [{ kind: "conversation", id: `open/${open.id}`, label: here, rows: openRows } as const]),
      { kind: "earlier", id: "earlier", label: earlier },
      { kind: "causes", id: "causes", label: causes },
      ...((await this.#unbound()).length === 0
        ? []
        : [{ kind: "unbound", id: "unbound", label: unbound } as const]),
    ];
  }

  async children(node: UsageNode): Promise<UsageNode[]> {
    switch (node.kind) {
      case "today":
      case "day":
        return this.#conversations(node);
      case "conversation":
        return this.#turns(node);
      case "turn":
        return node.rows.map((row) => this.#request(node.id, row));
      case "request":
        return this.#receiptsOf(node.id, node.rows[0]);
      case "earlier":
        return this.#days();
      case "causes":
        return this.#causes();
      case "cause":
        return node.misses.map((misses) => ({
          ...{ kind: "miss", id: `${node.id}/${misses.why}` },
          ...{ label: this.#names.miss(misses), ...misses },
        }));
      case "unbound":
        return (await this.#unbound()).map((receipt) => this.#receipt(node.id, receipt));
      case "miss":
      case "figure":
      case "receipt":
        return [];
    }
  }

  /** Of the last days and today. */
  async #causes(): Promise<UsageNode[]> {
    const { now, usageSince } = this.#source;
    const since = new Date(now() - earlierDays * day).setHours(0, 0, 0, 0);
    return spentByCause(await usageSince(since)).map((spent) => ({
      ...{ kind: "cause", id: `cause/${spent.cause}` },
      ...{ label: this.#names.cause(spent.cause), ...spent },
    }));
  }

  async #days(): Promise<UsageNode[]> {
    const { now, usageSince } = this.#source;
    const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);
    const since = midnight(now() - earlierDays * day);
    const rows = (await usageSince(since)).filter(({ at }) => at < midnight(now()));
    const days = [...groupRows(rows, ({ at }) => midnight(at))].reverse();
    return days.map(([at, ofDay]) => ({
      kind: "day",
      id: `day/${at}`,
      label: this.#names.day(at),
      rows: ofDay,
    }));
  }

  /** The most recently used conversation comes first. */
  async #conversations(node: SumNode): Promise<UsageNode[]> {
    const titles = await this.#source.titles();
    const groups = [...groupRows(node.rows, ({ conversation }) => conversation)];
    const last = ([, rows]: (typeof groups)[number]) => rows.at(-1)?.at ?? 0;
    return groups
      .toSorted((a, b) => last(b) - last(a))
      .map(([id, rows]) => ({
        kind: "conversation",
        id: `${node.id}/${id}`,
        label: titles.get(id) ?? this.#nameOf(id, rows),
        rows,
      }));
  }

  #nameOf(id: string, rows: readonly UsageRow[]): string {
    const { outside, unlisted, time } = this.#names;
    return outside[id] ?? this.#source.actionName(id) ?? unlisted(time(rows[0]?.at ?? 0));
  }

  #turns(node: SumNode): UsageNode[] {
    const { turns } = this.#source.conversation();
    const prompts = new Map(turns.map(({ id, prompt }) => [id, firstLine(inPlainWords(prompt))]));
    const groups = [...groupRows(node.rows, ({ turn }) => turn)].reverse();
    return groups.map(([id, rows]) => ({
      kind: "turn",
      id: `${node.id}/${id}`,
      label: prompts.get(id) || this.#names.time(rows[0]?.at ?? 0),
      rows,
    }));
  }

  #request(above: string, row: UsageRow): UsageNode {
    const label = this.#names.request(row.request);
    return { kind: "request", id: `${above}/${row.request}`, label, rows: [row] };
  }

  async #receiptsOf(above: string, row: UsageRow): Promise<UsageNode[]> {
    const receipts = await this.#source.receiptsSince(row.at - day);
    return receipts
      .filter(({ turn, request }) => turn === row.turn && request === row.request)
      .map((receipt) => this.#receipt(above, receipt));
  }

  #receipt(above: string, receipt: ReceiptRow): UsageNode {
    return { kind: "receipt", id: `${above}/${receipt.nonce}`, label: receipt.operation, receipt };
  }

  /** Receipts of counts and deletions, which belong to no turn. */
  async #unbound(): Promise<readonly ReceiptRow[]> {
    const { receiptsSince, now } = this.#source;
    const receipts = await receiptsSince(now() - earlierDays * day);
    return receipts
      .filter(({ turn }) => turn === undefined)
      .toReversed()
      .slice(0, maxUnbound);
  }
}

function firstLine(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
