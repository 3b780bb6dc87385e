// The prompt cache as the interface describes it: prefixes in blocks, isolated per key, two independent tiers.
// Knows tokens and time, nothing of HTTP.
import { createHash } from "node:crypto";

export type Ttl = "5m" | "1h";

export interface CacheUse {
  readonly cached: number;
  readonly written: number;
}

const blockSize = 16;
const lifetimes: Record<Ttl, number> = { "5m": 5 * 60_000, "1h": 60 * 60_000 };

export class CacheModel {
  /** Hash of everything up to a block's end → when that prefix expires. */
  readonly #expiry = new Map<string, number>();

  /** Reads what is there and writes the rest. Interface, "Usage object": cached, written and the rest sum to the input. */
  use(key: string, ttl: Ttl, tokens: readonly string[], now: number): CacheUse {
    const blocks = prefixHashes(`${key}\n${ttl}`, tokens);
    let hit = 0;
    while (hit < blocks.length && (this.#expiry.get(blocks[hit] ?? "") ?? 0) > now) hit += 1;
    // Interface, "Cache behavior" 2: a hit refreshes the entry with its original lifetime.
    for (const block of blocks) this.#expiry.set(block, now + lifetimes[ttl]);
    return { cached: hit * blockSize, written: (blocks.length - hit) * blockSize };
  }
}

function prefixHashes(seed: string, tokens: readonly string[]): readonly string[] {
  const hash = createHash("sha256").update(seed);
  const hashes: string[] = [];
  for (let end = blockSize; end <= tokens.length; end += blockSize) {
    hash.update(`${tokens.slice(end - blockSize, end).join("\0")}\n`);
    hashes.push(hash.copy().digest("hex"));
  }
  return hashes;
}
