// The engine's one error: every reason why a patch was refused, as data. explain.ts turns it into words.
import { inEnglish } from "../messages/english.ts";
import type { Message } from "../messages/message.ts";
import type { Hunk, LineRange, Looseness } from "./model.ts";

export interface Nearest {
  /** The place that agrees with most lines of the hunk, in lines of the file. */
  readonly at: LineRange;
  readonly agreeing: number;
  /** The first line that differs there, on both sides; the file's is undefined past its end. */
  readonly line: number;
  readonly patch: string;
  readonly file: string | undefined;
}

/** Ten lines of the file as it is now, for the model to write its next hunk from. */
export interface Excerpt {
  readonly first: number;
  readonly lines: readonly string[];
  /** The text that they are from: whoever tells them looks at all of it first. */
  readonly whole: string;
}

interface AboutHunk {
  readonly path: string;
  /** Counted from 1 through the file's hunks. */
  readonly number: number;
  readonly hunk: Hunk;
  readonly excerpt: Excerpt;
}

export interface PlacesTold {
  /** The first ten of them. */
  readonly places: readonly LineRange[];
  readonly count: number;
}

export type Refusal =
  | {
      readonly kind: "syntax";
      readonly line: number;
      readonly problem: Message;
      /** The line itself, unless the trouble is what is not there. */
      readonly found: string | undefined;
    }
  | { readonly kind: "too-much"; readonly what: "patch" | "files" | "hunks" }
  | { readonly kind: "path"; readonly path: string; readonly why: Message }
  | { readonly kind: "exists"; readonly path: string; readonly same: boolean }
  | { readonly kind: "missing"; readonly path: string; readonly alike: string | undefined }
  | { readonly kind: "file"; readonly path: string; readonly why: Message }
  | { readonly kind: "no-change"; readonly path: string }
  /** It would write a line that only stands for code. */
  | { readonly kind: "placeholder"; readonly path: string; readonly found: string }
  | (AboutHunk & {
      readonly kind: "not-found";
      readonly nearest: Nearest | undefined;
      readonly appliedAt: readonly number[];
    })
  /** Its old lines fit, but the lines it adds are there as well, from row `at` on. */
  | (AboutHunk & { readonly kind: "already"; readonly at: number })
  /** It fits, but how deep its new lines belong, or how they are spelled in the file, would be a guess. */
  | (AboutHunk & { readonly kind: "doubt"; readonly about: "indentation" | "spelling"; readonly row: number })
  | (AboutHunk & { readonly kind: "no-anchor"; readonly anchor: string })
  | (AboutHunk & PlacesTold & { readonly kind: "ambiguous"; readonly looseness: Looseness })
  | (AboutHunk & PlacesTold & { readonly kind: "outside-anchor" })
  | (AboutHunk & { readonly kind: "no-place" })
  | (AboutHunk &
      PlacesTold & {
        readonly kind: "entangled";
        /** The number of the hunk that changes the same lines. */
        readonly other: number;
      })
  /** More hunks of the file in the same trouble than there are words for. */
  | { readonly kind: "others"; readonly path: string; readonly count: number };

export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly refusals: readonly Refusal[];
  /** What to send back as the tool's output. */
  readonly forModel: string;

  /** The sentence for people. */
  readonly said: Message;

  constructor(said: Message, forModel: string, refusals: readonly Refusal[]) {
    super(inEnglish(said));
    this.said = said;
    this.forModel = forModel;
    this.refusals = refusals;
  }
}
