// The engine's only error: all reasons why a patch was refused, as data, and in words: one sentence for people and, for
// the model, what is wrong and what to send next.
import { inEnglish } from "../conversation/english.ts";
import { type Message, message } from "../conversation/messages.ts";
import { forModel } from "../util/sentences.ts";
import { hunkForModel, hunkForPeople, sanitizeExcerpt } from "./internal/hunk-refusal-text.ts";
import type { Hunk, LineRange, Looseness } from "./model.ts";

export interface Nearest {
  /** The place where most lines of the hunk agree, in lines of the file. */
  readonly at: LineRange;
  readonly agreeing: number;
  /** The first line that differs there, on both sides; `file` is undefined past the end of the file. */
  readonly line: number;
  readonly patch: string;
  readonly file: string | undefined;
}

/** Ten lines of the file as it is now, for the model to write its next hunk from. */
export interface Excerpt {
  readonly first: number;
  readonly lines: readonly string[];
  /** The text it is taken from. Whoever shows the excerpt checks this whole text first. */
  readonly whole: string;
}

interface AboutHunk {
  readonly path: string;
  /** Counted from 1 among the file's hunks. */
  readonly number: number;
  readonly hunk: Hunk;
  readonly excerpt: Excerpt;
}

/** How many hunks are described with their places; they suffice to explain a patch with more of them. */
export const maxHunksTold = 20;
export const maxPlacesTold = 10;

export interface PlacesTold {
  /** The first of them. */
  readonly places: readonly LineRange[];
  readonly count: number;
}

export type Refusal =
  | {
      readonly kind: "syntax";
      readonly line: number;
      readonly problem: Message;
      /** The line itself, unless the problem is that something is missing. */
      readonly found: string | undefined;
    }
  | { readonly kind: "too-much"; readonly what: "patch" | "files" | "hunks" }
  | { readonly kind: "path"; readonly path: string; readonly why: Message }
  | { readonly kind: "exists"; readonly path: string; readonly same: boolean }
  | { readonly kind: "missing"; readonly path: string; readonly alike: string | undefined }
  | { readonly kind: "file"; readonly path: string; readonly why: Message }
  | { readonly kind: "no-change"; readonly path: string }
  /** It would write a placeholder for omitted code. */
  | { readonly kind: "placeholder"; readonly path: string; readonly found: string }
  | (AboutHunk & {
      readonly kind: "not-found";
      readonly nearest: Nearest | undefined;
      readonly appliedAt: readonly number[];
    })
  /** Its old lines fit, but the lines it adds are already there, from row `at` on. */
  | (AboutHunk & { readonly kind: "already"; readonly at: number })
  /** It fits, but the indentation of its new lines, or their spelling in the file, would be a guess. */
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
  /** The number of further hunks of the file with the same problem, beyond those that are described. */
  | { readonly kind: "others"; readonly path: string; readonly count: number };

export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly refusals: readonly Refusal[];
  /** Paths of the patch without any problem. */
  readonly fitting: readonly string[];
  /** The text to send back as the tool's output. */
  readonly forModel: string;

  /** The sentence for people. */
  readonly said: Message;

  constructor(
    said: Message,
    forModel: string,
    { refusals, fitting }: Pick<PatchError, "refusals" | "fitting">,
  ) {
    super(inEnglish(said));
    this.said = said;
    this.forModel = forModel;
    this.refusals = refusals;
    this.fitting = fitting;
  }
}

/** Models already know this opening, and "Failed to find expected lines". */
const failed = "apply_patch verification failed:";

export function refuse(refusals: readonly Refusal[], fitting: readonly string[] = []): PatchError {
  const [first] = refusals;
  const people = first === undefined ? message("patchAsItIs") : forPeople(first);
  const others = refusals.reduce((sum, own) => sum + (own.kind === "others" ? own.count : 1), -1);
  const model = [
    ...refusals.map(explainToModel),
    ...whatFits(fitting),
    forModel("Nothing was changed."),
  ].join("\n\n");
  return new PatchError(withOthers(people, others), model, { refusals, fitting });
}

const maxFitting = 10;

/** A model that knows which parts fit can send them again unchanged. */
function whatFits(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > maxFitting ? ` and ${paths.length - maxFitting} more` : "";
  const named = paths.slice(0, maxFitting).map(sanitizeExcerpt).join(", ");
  return [
    forModel(
      `What the patch says of ${named}${more} fits: send that again as it is, with the rest corrected.`,
    ),
  ];
}

function withOthers(first: Message, others: number): Message {
  if (others < 1) return first;
  return others === 1 ? message("patchAndOne", { first }) : message("patchAndMore", { first, count: others });
}

function forPeople(refusal: Refusal): Message {
  switch (refusal.kind) {
    case "syntax":
      return message("patchUnreadable", { why: refusal.problem, line: refusal.line });
    case "too-much":
      return message("patchTooLarge", { why: tooMuch(refusal.what) });
    case "path":
      return message("patchNotAllowed", { path: sanitizeExcerpt(refusal.path), why: refusal.why });
    case "exists":
      return message(refusal.same ? "patchSame" : "patchExists", { path: refusal.path });
    case "missing": {
      const { path, alike } = refusal;
      return alike === undefined ? message("patchMissing", { path }) : message("patchAlike", { path, alike });
    }
    case "file":
      return message("patchFile", { path: refusal.path, why: refusal.why });
    case "no-change":
      return message("patchNoChange", { path: refusal.path });
    case "placeholder":
      return message("patchPlaceholder", { path: refusal.path });
    case "others":
      return more(refusal);
    default:
      return hunkForPeople(refusal);
  }
}

function explainToModel(refusal: Refusal): string {
  switch (refusal.kind) {
    case "syntax": {
      const found = refusal.found === undefined ? "" : `: ${sanitizeExcerpt(refusal.found)}`;
      return `${failed} invalid patch: ${upperFirst(inEnglish(refusal.problem))} (line ${refusal.line})${found}`;
    }
    case "too-much":
      return `${failed} ${inEnglish(tooMuch(refusal.what))}. Send several smaller patches.`;
    case "path":
      return `${failed} the path ${sanitizeExcerpt(refusal.path)} is refused: ${inEnglish(refusal.why)}.`;
    case "exists":
      return refusal.same
        ? `${failed} ${refusal.path} already exists with exactly this content: the patch looks already applied.`
        : `${failed} ${refusal.path} already exists. Send '*** Update File: ${refusal.path}' or another name.`;
    case "missing": {
      const alike = refusal.alike === undefined ? "" : ` There is ${refusal.alike}.`;
      return `${failed} ${refusal.path} does not exist.${alike}`;
    }
    case "file":
      return `${failed} ${refusal.path} cannot be patched: ${inEnglish(refusal.why)}.`;
    case "others":
      return inEnglish(more(refusal));
    case "no-change":
      return `${failed} the hunks for ${refusal.path} add what they remove, so nothing would change.`;
    case "placeholder":
      return `${failed} ${refusal.path}: ${sanitizeExcerpt(refusal.found)} is a placeholder and would be written into the file. Send the full lines; what stays between two changes is left out by sending two hunks.`;
    default:
      return `${failed} ${hunkForModel(refusal)}`;
  }
}

function more({ path, count }: Extract<Refusal, { kind: "others" }>): Message {
  return count === 1 ? message("patchOneMore", { path }) : message("patchMore", { count, path });
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function tooMuch(what: "patch" | "files" | "hunks"): Message {
  if (what === "patch") return message("whyLong");
  return what === "files" ? message("whyFiles") : message("whyHunks");
}
