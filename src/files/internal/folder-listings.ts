// Caches folder listings and reads them again only after a change: a list or a search visits thousands of folders. For
// folders on the local disk, timestamps show whether they changed; for others this is unknown.
import { stat } from "node:fs/promises";
import type { Privacy } from "../privacy.ts";
import type { Entry, Workspace } from "../workspace.ts";

export interface Listing {
  /** Without entries that the model must not see. */
  readonly entries: readonly Entry[];
  /** Number of entries left out, without Git's own folder. */
  readonly hidden: number;
}

interface Kept {
  readonly stamp: string;
  readonly privacy: Privacy;
  readonly listing: Listing;
}

/** Limit for all folders together. */
const maxEntries = 250_000;
/** A folder that changed recently may change again within the resolution of its timestamps. */
const youth = 3000;

export class FolderListings {
  readonly #kept = new Map<string, Kept>();
  #entries = 0;

  /** `privacy` must be the same object as long as its rules are the same. */
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

/** One cache per workspace, so that guarding the workspace again reuses it. */
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
