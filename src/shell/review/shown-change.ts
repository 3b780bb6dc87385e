// A proposed change with the names under which the review shows it, and what those names begin with.
import type { FileChange } from "../../core/patch/model.ts";

export const schemes = { base: "patchbay-base", review: "patchbay-review" } as const;

export interface ShownChange {
  readonly call: string;
  /** As it is named now, and as it would be named. */
  readonly path: string;
  readonly to: string;
  readonly change: FileChange;
  /** What a person has made of the proposed text. */
  readonly edited: string | undefined;
  takes(hunk: number): boolean;
}
