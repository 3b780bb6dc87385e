// Why a request read less from the cache than it could have: what was sent is compared, byte for byte, with what was
// sent before it, and the first block that differs is named (requirements H9).
import type { Reply } from "../api/reply.ts";
import type { ResponsesRequest } from "../api/request.ts";
import { lifetimes, type Tier, tierOf } from "./cache-warmth.ts";

const order = ["tools", "instructions", "input"] as const;

/** A request, and what of its reply says something about the cache. */
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

/** What became of the first block that is not as it was; `at` is its first character that differs. */
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
  /** The whole of the earlier request stands at the beginning of this one: the reason is not on our side. */
  | { readonly reason: "elsewhere" };

/** `undefined`: what the earlier request had in the cache when it ended, this one has read. */
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

const tierIn = ({ reply: { cache, askedTtl } }: CachedRequest): Tier => tierOf({ ttl: cache?.ttl }, askedTtl);

interface SentBlock extends Block {
  readonly bytes: string;
}

/** In the order in which a prefix is made of them. */
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

/** One list ended before the other: what stands there now was added, or what stood there is gone. */
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
