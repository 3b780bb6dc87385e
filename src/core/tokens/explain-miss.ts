// Why a request read less from the cache than it could have: what was sent is compared, byte for byte, with what was
// sent before it, and the first block that differs is named (requirements H9).
import { lifetimes, type Tier } from "./cache.ts";

const order = ["tools", "instructions", "input"] as const;

/** A request as the cache sees it: blocks in the order in which a prefix is made of them. */
export interface SentRequest {
  readonly model: string;
  readonly tier: Tier;
  readonly cacheId: string;
  readonly instructions: string;
  /** Raw JSON, as it went out. */
  readonly tools: readonly string[];
  readonly input: readonly string[];
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

export function explainMiss(before: SentRequest | undefined, after: SentRequest): MissReason {
  if (before === undefined) return { reason: "first" };
  if (before.model !== after.model) return { reason: "model", before: before.model, after: after.model };
  if (before.tier !== after.tier) return { reason: "tier", before: before.tier, after: after.tier };
  const difference = firstDifference(blocksOf(before), blocksOf(after));
  if (difference !== undefined) return difference;
  if (before.cacheId !== after.cacheId) return { reason: "cache-id" };
  const pause = after.began - before.ended;
  const lifetime = lifetimes[before.tier];
  return pause >= lifetime ? { reason: "expired", pause, lifetime } : { reason: "elsewhere" };
}

interface SentBlock extends Block {
  readonly bytes: string;
}

const blocksOf = ({ tools, instructions, input }: SentRequest): SentBlock[] => [
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
