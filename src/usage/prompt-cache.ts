// How long the service still caches the beginning of a conversation, and why a request read less from the cache.
// Interface, "Cache behavior": a hit refreshes an entry with its own lifetime, the two tiers are independent, and
// entries live at least five idle minutes. All times here are therefore approximate.
import { readUsage } from "../conversation/usage-totals.ts";
import type { Reply } from "../service/reply.ts";
import type { ResponsesRequest } from "../service/request.ts";
import type { UsageRow } from "./usage-rows.ts";

export const tiers = ["5m", "1h"] as const;
export type Tier = (typeof tiers)[number];

export const lifetimes: Readonly<Record<Tier, number>> = { "5m": 5 * 60_000, "1h": 60 * 60_000 };

const clockSkew = 5_000;

export const isTier = (ttl: string | undefined): ttl is Tier => ttl === "5m" || ttl === "1h";

/** The tier that the service says it applied, else the requested one, else the default. */
export const tierOf = (row: { readonly ttl?: string | undefined }, asked?: Tier): Tier =>
  isTier(row.ttl) ? row.ttl : (asked ?? "5m");

export type Warmth =
  /** No request yet, or none whose figures say anything about the cache. */
  | { readonly state: "unknown" }
  | { readonly state: "cold"; readonly since: number }
  | {
      readonly state: "warm";
      /** Approximate time from which the entry may be gone. */
      readonly until: number;
      /** Input tokens that would be read from the cache by a request that begins like the last one. */
      readonly tokens: number;
    };

/** For one conversation with one model; rows in the order in which the replies ended. */
export function warmth(rows: readonly UsageRow[], now: number, asked?: Tier): Warmth {
  // A stopped request reports nothing, and does not clear the cache either.
  const last = rows.findLast((row) => readUsage(row).kind !== "absent");
  const reading = last && readUsage(last);
  if (last === undefined || reading?.kind !== "reported") return { state: "unknown" };
  const tokens = reading.cached + reading.written;
  if (tokens === 0) return { state: "unknown" };
  const until = last.at + lifetimes[tierOf(last, asked)];
  // After the clock was set back this would promise hours; a turn's clock may be slightly ahead of the machine's.
  return now < until && now >= last.at - clockSkew
    ? { state: "warm", until, tokens }
    : { state: "cold", since: until };
}

/** Cached input that is lost by editing or branching before a turn: a request that begins differently cannot use it. */
export function cacheLostBefore(turn: string, rows: readonly UsageRow[], now: number, asked?: Tier): number {
  const warm = warmth(rows, now, asked);
  if (warm.state !== "warm") return 0;
  const first = rows.findIndex((row) => row.turn === turn);
  if (first < 0) return 0;
  return Math.max(0, warm.tokens - cacheKeptBefore(rows, first));
}

/** The tokens that requests before this one left in the cache; rows without figures are skipped. */
export function cacheKeptBefore(rows: readonly UsageRow[], index: number): number {
  const before = rows.slice(0, Math.max(0, index)).findLast(({ input }) => input !== undefined);
  return before === undefined ? 0 : (before.input ?? 0) + (before.output ?? 0);
}

/** A cache holds whole blocks of tokens, so that a little less than what begins the same is read. */
const nearlyAll = 0.8;

/**
 * The same as `explainMiss` and `paidAgain` for a request whose predecessor is known only by its figures, because
 * another window or an earlier day has sent it. No reason: the figures tell none.
 */
export function missedByFigures(
  earlier: readonly UsageRow[],
  { reply, began }: Pick<CachedRequest, "reply" | "began"> & { readonly reply: Pick<Reply, "model"> },
):
  | {
      readonly tokens: number;
      readonly reason?: Extract<MissReason, { reason: "model" | "tier" | "expired" }>;
    }
  | undefined {
  const before = earlier.findLast((row) => readUsage(row).kind !== "absent");
  const [held, now] = [before && readUsage(before), readUsage(reply.usage ?? {})];
  if (before === undefined || held?.kind !== "reported" || now.kind !== "reported") return undefined;
  const known = held.cached + held.written;
  if (now.cached >= nearlyAll * known) return undefined;
  const tokens = Math.min(known - now.cached, now.written + now.uncached);
  if (tokens <= 0) return undefined;
  if (before.model !== undefined && reply.model !== undefined && before.model !== reply.model)
    return { tokens, reason: { reason: "model", before: before.model, after: reply.model } };
  const tier = tierOf(before, isTier(before.askedTtl) ? before.askedTtl : undefined);
  const applied = tierOf({ ttl: reply.cache?.ttl }, reply.askedTtl);
  if (tier !== applied) return { tokens, reason: { reason: "tier", before: tier, after: applied } };
  const [pause, lifetime] = [began - before.at, lifetimes[tier]];
  return pause >= lifetime ? { tokens, reason: { reason: "expired", pause, lifetime } } : { tokens };
}

const order = ["tools", "instructions", "input"] as const;

/** A request, and the parts of its reply that concern the cache. */
export interface CachedRequest {
  readonly model: string;
  readonly request: Pick<ResponsesRequest, "instructions" | "tools" | "input" | "cacheId">;
  readonly reply: Pick<Reply, "usage" | "cache" | "askedTtl">;
  readonly began: number;
  readonly ended: number;
}

export interface Block {
  readonly part: (typeof order)[number];
  /** From 1 within its part. */
  readonly position: number;
}

/** How the first differing block differs; `at` is its first differing character. */
export type BlockChange =
  | { readonly kind: "changed"; readonly at: number }
  | { readonly kind: "removed" | "added" };

export type MissReason =
  | { readonly reason: "first" }
  | { readonly reason: "model"; readonly before: string; readonly after: string }
  | { readonly reason: "tier"; readonly before: Tier; readonly after: Tier }
  | { readonly reason: "cache-id" }
  | { readonly reason: "differs"; readonly block: Block; readonly change: BlockChange }
  | { readonly reason: "expired"; readonly pause: number; readonly lifetime: number }
  /** The request begins with all of the earlier one, so the cause is not on our side. */
  | { readonly reason: "elsewhere" };

/**
 * Explains why a request read less from the cache than it could have: compares it byte for byte with the previous
 * request and names the first block that differs (requirements H9). `undefined` when this request read all that the
 * earlier one had in the cache when it ended.
 */
export function explainMiss(before: CachedRequest | undefined, after: CachedRequest): MissReason | undefined {
  if (before === undefined) return { reason: "first" };
  if (hasHit(before, after)) return undefined;
  if (before.model !== after.model) return { reason: "model", before: before.model, after: after.model };
  const [tier, now] = [tierIn(before), tierIn(after)];
  if (tier !== now) return { reason: "tier", before: tier, after: now };
  const difference = firstDifference(blocksOf(before), blocksOf(after));
  if (difference !== undefined) return difference;
  if (before.request.cacheId !== after.request.cacheId) return { reason: "cache-id" };
  const pause = after.began - before.ended;
  const lifetime = lifetimes[tier];
  return pause >= lifetime ? { reason: "expired", pause, lifetime } : { reason: "elsewhere" };
}

function hasHit(before: CachedRequest, after: CachedRequest): boolean {
  const { cached = 0, cacheWrite = 0 } = before.reply.usage ?? {};
  const known = cached + cacheWrite;
  return known > 0 && (after.reply.usage?.cached ?? 0) >= known;
}

/** A picture costs about as much as a text of this many letters, however many bytes it has. */
const lettersOfPicture = 4000;
const pictureStart = ':"data:image/';

function lettersOf(bytes: string): number {
  let letters = bytes.length;
  let end = 0;
  for (let at = bytes.indexOf(pictureStart); at >= 0; at = bytes.indexOf(pictureStart, end)) {
    end = bytes.indexOf('"', at + pictureStart.length);
    if (end < 0) end = bytes.length;
    letters -= Math.max(0, end - at - lettersOfPicture);
  }
  return letters;
}

/**
 * Approximate input of a request that the previous one had sent already, and that was not read from the cache: by the
 * share that such texts have of its letters.
 */
export function paidAgain(before: CachedRequest, after: CachedRequest): number {
  const usage = readUsage(after.reply.usage ?? {});
  if (usage.kind !== "reported" || hasHit(before, after)) return 0;
  const [earlier, sent] = [blocksOf(before), blocksOf(after)];
  const known = new Set(earlier.map(({ bytes }) => bytes));
  const letters = { beginning: 0, later: 0, all: 0 };
  let isBeginning = true;
  for (const [at, { part, bytes }] of sent.entries()) {
    isBeginning &&= earlier[at]?.part === part && earlier[at].bytes === bytes;
    const count = lettersOf(bytes);
    letters.all += count;
    if (isBeginning) letters.beginning += count;
    else if (known.has(bytes)) letters.later += count;
  }
  const input = usage.cached + usage.written + usage.uncached;
  const tokensOf = (count: number) => (letters.all === 0 ? 0 : (count / letters.all) * input);
  const beginning = tokensOf(letters.beginning);
  const left = usage.cached >= nearlyAll * beginning ? 0 : beginning - usage.cached;
  return Math.min(Math.round(left + tokensOf(letters.later)), usage.written + usage.uncached);
}

const tierIn = ({ reply: { cache, askedTtl } }: CachedRequest): Tier => tierOf({ ttl: cache?.ttl }, askedTtl);

interface SentBlock extends Block {
  readonly bytes: string;
}

/** In the order in which they form the prefix. */
const blocksOf = ({ request: { tools = [], instructions = "", input } }: CachedRequest): SentBlock[] => [
  ...tools.map((bytes, at) => ({ part: "tools" as const, position: at + 1, bytes })),
  { part: "instructions", position: 1, bytes: instructions },
  ...input.map((bytes, at) => ({ part: "input" as const, position: at + 1, bytes })),
];

function firstDifference(before: readonly SentBlock[], after: readonly SentBlock[]): MissReason | undefined {
  for (const [index, { part, position, bytes }] of before.entries()) {
    const now = after[index];
    const block = { part, position };
    if (now === undefined) return { reason: "differs", block, change: { kind: "removed" } };
    if (now.part !== part) return shifted(block, now);
    const at = now.bytes === bytes ? -1 : sharedLength(bytes, now.bytes);
    if (at >= 0) return { reason: "differs", block, change: { kind: "changed", at } };
  }
  return undefined;
}

/** One list ended before the other: either this block was added, or the earlier one was removed. */
function shifted(block: Block, { part, position }: Block): MissReason {
  const added = order.indexOf(part) < order.indexOf(block.part);
  return added
    ? { reason: "differs", block: { part, position }, change: { kind: "added" } }
    : { reason: "differs", block, change: { kind: "removed" } };
}

function sharedLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}
