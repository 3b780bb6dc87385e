// What folders hold, read again only when one has changed: thousands of them are gone through for one list or search.
// A folder on this machine's disk says by its times whether it is as it was; of others that is not known.
import { stat } from "node:fs/promises";
import type { Entry, Workspace } from "../changes/workspace.ts";
import type { Privacy } from "./privacy.ts";

export interface Listing {
  /** Without what is not for the model. */
  readonly entries: readonly Entry[];
  /** How much that was. */
  readonly hidden: number;
}

interface Kept {
  readonly stamp: string;
  readonly privacy: Privacy;
  readonly listing: Listing;
}

/** Of all folders together. */
const maxEntries = 250_000;
/** A folder that changed just now may change again without its times telling so. */
const youth = 3000;

export class FolderListings {
  readonly #kept = new Map<string, Kept>();
  #entries = 0;

  /** `privacy` is the same as long as its rules are. */
  async read(place: string | undefined, privacy: Privacy, read: () => Promise<Listing>): Promise<Listing> {
    const stamp = place === undefined ? undefined : await stampOf(place);
    if (place === undefined || stamp === undefined) return read();
    const known = this.#kept.get(place);
    if (known !== undefined && known.stamp === stamp && known.privacy === privacy) return known.listing;
    this.#forget(place);
    const listing = await read();
    this.#keep(place, { stamp, privacy, listing });
    return listing;
  }

  #keep(place: string, kept: Kept): void {
    this.#forget(place);
    const size = kept.listing.entries.length;
    if (this.#entries + size > maxEntries) {
      this.#kept.clear();
      this.#entries = 0;
    }
    this.#kept.set(place, kept);
    this.#entries += size;
  }

  #forget(place: string): void {
    const known = this.#kept.get(place);
    if (known === undefined) return;
    this.#kept.delete(place);
    this.#entries -= known.listing.entries.length;
  }
}

/** One for each workspace: whoever guards it again finds what was read before. */
const listings = new WeakMap<Workspace, FolderListings>();

export function listingsOf(workspace: Workspace): FolderListings {
  const known = listings.get(workspace) ?? new FolderListings();
  listings.set(workspace, known);
  return known;
}

async function stampOf(place: string): Promise<string | undefined> {
  const found = await stat(place, { bigint: true }).catch(() => undefined);
  if (found === undefined || Date.now() - Number(found.ctimeMs) < youth) return undefined;
  const { dev, ino, mtimeNs, ctimeNs } = found;
  return [dev, ino, mtimeNs, ctimeNs].join(":");
}
