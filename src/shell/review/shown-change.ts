// A change with the names under which a review shows it: one that waits, or what an earlier call did.
import type { FileChange } from "../../core/patch/model.ts";

/** `review` can be written into and is what would be accepted; `base` is only looked at. */
export const schemes = { base: "patchbay-base", review: "patchbay-review" } as const;

export interface ShownChange {
  /** By what its documents are found again: a file that waits, or a call and its place in it. */
  readonly address: string;
  /** As it is named now, and as it would be named. */
  readonly path: string;
  readonly to: string;
  readonly change: FileChange;
}
