// Parses patch text, fed in pieces while the model writes, into sections and hunks. Accesses no file and places nothing.
//
//   patch   = "*** Begin Patch" section+ "*** End Patch"
//   section = "*** Add File: " path ("+" text)*
//           | "*** Delete File: " path
//           | "*** Update File: " path ["*** Move to: " path] hunk*     (a hunk or a move, or both)
//   hunk    = header+ line+ ["*** End of File"]                         (the first hunk may lack its header)
//   header  = "@@" | "@@ " anchor | "@@ -12,6 +12,8 @@" [anchor]
//   line    = (" " | "-" | "+") text
//
// This is the strict form, which models are asked to write. Also accepted, each with a note: wrappers and decorated
// markers (internal/envelope.ts); text before and after; several envelopes; a missing begin; a missing end, as nothing
// is planned that did not arrive complete; Git's headers. Accepted without a note: "\r\n"; white space around
// markers and paths; empty lines between sections and around hunks; an empty line as an empty context line.
import { type Message, message } from "../conversation/messages.ts";
import {
  beginsJson,
  closerOf,
  type Marker,
  opensOther,
  outdent,
  patchInJson,
  readMarker,
} from "./internal/patch-markers.ts";
import { SectionReader } from "./internal/sections.ts";
import { type FileSection, limits, type NoteCode, noteCodes, type Patch } from "./model.ts";
import type { Refusal } from "./patch-error.ts";

export type Parsed =
  | { readonly kind: "patch"; readonly patch: Patch }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const noBegin = message("whyBegin");
const noJson = message("whyNoJson");

interface Found {
  readonly number: number;
  readonly line: string;
}

/** Lines that can only be read once all are there: JSON, or an indented patch. */
interface Held {
  readonly isJson: boolean;
  readonly from: number;
  readonly lines: string[];
}

export class PatchParser {
  readonly #reader = new SectionReader();
  readonly #notes = new Set<NoteCode>();
  readonly #closers: string[] = [];
  #partial = "";
  #number = 0;
  #size = 0;
  #isInside = false;
  #envelopes = 0;
  /** Before any envelope: the first line of other text, and whether some line looks like a part of a patch. */
  #first: Found | undefined;
  #hasPart = false;
  #failedJson: Found | undefined;
  #held: Held | undefined;
  #outdented = false;
  #unwrapped = 0;
  #isCut = false;
  #refusal: Refusal | undefined;

  /** What has arrived so far; the last section may still grow. For display only. */
  get sections(): readonly FileSection[] {
    return this.#reader.sections;
  }

  feed(delta: string): void {
    this.#size += Buffer.byteLength(delta);
    if (this.#size > limits.patchBytes) this.#fail({ kind: "too-much", what: "patch" });
    this.#partial += delta;
    // A long line that arrives in many pieces must not be searched again for each of them.
    if (!delta.includes("\n")) return;
    const lines = this.#partial.split("\n");
    this.#partial = lines.pop() ?? "";
    for (const line of lines) this.#next(line);
  }

  /** For an item that the service reported as complete: only its last marker may be missing. */
  finish(): Parsed {
    if (this.#partial !== "") this.#next(this.#partial);
    this.#partial = "";
    while (this.#held !== undefined) this.#release();
    if (this.#isInside) this.#end(false);
    if (this.#envelopes === 0) this.#rejectStart();
    else if (this.sections.length === 0) this.#reject(message("whyNoFile"));
    if (this.#refusal !== undefined) return { kind: "refused", refusal: this.#refusal };
    if (this.#isCut) this.#notes.add("no-end");
    const notes = noteCodes.filter((code) => this.#notes.has(code) || this.#reader.notes.has(code));
    return { kind: "patch", patch: { sections: this.sections, notes } };
  }

  #next(raw: string): void {
    this.#number += 1;
    if (this.#refusal !== undefined) return;
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (this.#held !== undefined) this.#held.lines.push(line);
    else if (this.#isInside) this.#readBody(line);
    else this.#readOutside(this.#number === 1 ? line.replace(/^\uFEFF/, "") : line);
  }

  /** Handles lines above, between and below the envelopes. */
  #readOutside(line: string): void {
    const text = line.trim();
    if (text === "" || this.#closes(line)) return;
    const marker = readMarker(text);
    const closer = closerOf(text);
    if (marker !== undefined) this.#readMarker(line, marker);
    else if (closer !== undefined) {
      if (this.#closers.length < 3) this.#closers.push(closer);
    } else if (opensOther(text)) this.#reject(noBegin, line);
    else if (this.#envelopes === 0) this.#readAbove(line, text);
    // More of the patch outside its envelope: ignoring it would apply only a part.
    else if (text.startsWith("@@")) this.#reject(message("whyAfterEnd"), line);
    else this.#notes.add("prose");
  }

  #readAbove(line: string, text: string): void {
    if (this.#failedJson === undefined && beginsJson(text, this.#first !== undefined)) {
      this.#hold(line, true);
      return;
    }
    this.#first ??= { number: this.#number, line };
    if (/^(?:@@|\*\*\* \w)/.test(text)) this.#hasPart = true;
  }

  #readMarker(line: string, marker: Marker): void {
    const isBegin = marker.kind === "begin";
    if (this.#envelopes === 0 && marker.kind === "environment") this.#notes.add("environment");
    else if (this.#envelopes > 0 && !isBegin) this.#reject(message("whyAfterEnd"), line);
    else if (!isBegin && marker.kind !== "section") this.#reject(noBegin, line);
    else if (/^\s/.test(line) && !this.#outdented) this.#hold(line, false);
    else if (isBegin) this.#begin(marker);
    // If there is no begin marker, the text above may belong to the patch.
    else if (this.#hasPart) this.#rejectStart();
    else {
      this.#begin(marker);
      this.#notes.add("no-begin");
      this.#readBody(line);
    }
  }

  #begin(marker: Marker): void {
    this.#isInside = true;
    this.#envelopes += 1;
    if (marker.isDecorated) this.#notes.add("decorated");
    if (this.#envelopes > 1) this.#notes.add("several-envelopes");
    if (this.#first !== undefined) this.#notes.add("prose");
    if (this.#closers.length > 0) this.#notes.add("wrapped");
  }

  #readBody(line: string): void {
    // A fence or here-document that closes before the end marker: the patch is complete only if the item was.
    const isClosed = this.#closers.length > 0 && line.trimEnd() === this.#closers.at(-1);
    const step = isClosed ? "closed" : this.#reader.read(line, this.#number);
    if (this.#reader.refusal !== undefined) this.#fail(this.#reader.refusal);
    else if (step === "end") this.#end(true);
    else if (step !== "taken") {
      if (this.#closes(line)) this.#end(false);
      else if (step !== "closed") this.#reject(step.problem, line);
    }
  }

  #closes(line: string): boolean {
    if (line.trim() !== this.#closers.at(-1)) return false;
    this.#closers.pop();
    return true;
  }

  #end(isMarked: boolean): void {
    const isCut = !isMarked && !this.#reader.takePaddedEnd();
    this.#reader.close(isCut);
    if (this.#reader.refusal !== undefined) this.#fail(this.#reader.refusal);
    this.#isCut ||= isCut;
    this.#isInside = false;
  }

  #hold(line: string, isJson: boolean): void {
    this.#held = { isJson, from: this.#number, lines: [line] };
  }

  /** Reads held lines again, unwrapped, once all of them are there. */
  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#unwrapped += 1;
    if (held === undefined || this.#refusal !== undefined) return;
    if (held.isJson) this.#releaseJson(held);
    else {
      this.#outdented = true;
      this.#notes.add("wrapped");
      this.#readAgain(outdent(held.lines), held.from);
    }
  }

  #releaseJson({ lines, from }: Held): void {
    const text = [...lines];
    while (text.at(-1)?.trim() === "") text.pop();
    if (this.#closers.length > 0 && text.at(-1)?.trim() === this.#closers.at(-1)) text.pop();
    const patch = this.#unwrapped > 3 ? undefined : patchInJson(text.join("\n"));
    if (patch === undefined) {
      // It was other text that happens to begin with a bracket.
      this.#failedJson = { number: from, line: lines[0] ?? "" };
      this.#readAgain(lines, from);
      return;
    }
    this.#notes.add("wrapped");
    this.#closers.length = 0;
    this.#readAgain(patch.split("\n"), 1);
  }

  #readAgain(lines: readonly string[], from: number): void {
    this.#number = from - 1;
    for (const line of lines) this.#next(line);
  }

  #rejectStart(): void {
    const { number, line } = this.#failedJson ?? this.#first ?? { number: 1, line: undefined };
    const problem = this.#failedJson === undefined ? noBegin : noJson;
    this.#fail({ kind: "syntax", line: number, problem, found: line });
  }

  #reject(problem: Message, found?: string): void {
    this.#fail({ kind: "syntax", line: Math.max(1, this.#number), problem, found });
  }

  #fail(refusal: Refusal): void {
    this.#refusal ??= refusal;
  }
}

/** Parses a whole patch. */
export function parsePatch(text: string): Parsed {
  const parser = new PatchParser();
  parser.feed(text);
  return parser.finish();
}

interface FileDiff {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly hunks: string[];
}

const nowhere = "/dev/null";
const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * Converts a unified diff, as Git and diff write it, into a patch, so that a code block in a response can be proposed
 * as an edit. Line numbers remain as hints; where the file has the lines decides. Undefined when the text is not a
 * diff, or not a complete one.
 */
export function patchOfDiff(text: string): string | undefined {
  const files = filesIn(text.split(/\r?\n/));
  const sections = files?.map(sectionOf);
  if (sections === undefined || sections.length === 0) return undefined;
  const whole = sections.filter((section) => section !== undefined);
  return whole.length < sections.length
    ? undefined
    : ["*** Begin Patch", ...whole.flat(), "*** End Patch"].join("\n");
}

function filesIn(lines: readonly string[]): readonly FileDiff[] | undefined {
  const files: FileDiff[] = [];
  let renamed: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const after = lines[at + 1] ?? "";
    const sizes = header.exec(line);
    if (line.startsWith("--- ") && after.startsWith("+++ ")) {
      files.push({ from: nameIn(line), to: nameIn(after), hunks: [] });
      at++;
    } else if (line.startsWith("rename from ")) renamed = line.slice("rename from ".length);
    else if (line.startsWith("rename to ") && renamed !== undefined) {
      // If there are changes, the section has its own two lines, which say the same.
      if (!hasNames(lines, at + 1))
        files.push({ from: renamed, to: line.slice("rename to ".length), hunks: [] });
      renamed = undefined;
    } else if (sizes !== null) {
      const end = endOfHunk(lines, at + 1, Number(sizes[1] ?? 1), Number(sizes[2] ?? 1));
      const file = files.at(-1);
      if (file === undefined || end === undefined) return undefined;
      for (const each of lines.slice(at, end)) if (!each.startsWith("\\")) file.hunks.push(each);
      at = end - 1;
    }
  }
  return files;
}

function hasNames(lines: readonly string[], from: number): boolean {
  for (const line of lines.slice(from, from + 3)) {
    if (line.startsWith("--- ")) return true;
    if (line.startsWith("diff ")) return false;
  }
  return false;
}

/** By the header's line counts: a removed line may look like the beginning of another file. */
function endOfHunk(
  lines: readonly string[],
  from: number,
  before: number,
  after: number,
): number | undefined {
  let [old, fresh] = [before, after];
  let at = from;
  for (; old > 0 || fresh > 0; at++) {
    const sign = lines[at]?.[0] ?? " ";
    if (at >= lines.length || !" -+\\".includes(sign)) return undefined;
    if (sign === " " || sign === "-") old--;
    if (sign === " " || sign === "+") fresh--;
  }
  return old < 0 || fresh < 0 ? undefined : at;
}

/** Without Git's prefix, and without what diff appends after a tab. */
function nameIn(line: string): string | undefined {
  const [name = ""] = line.slice(4).split("\t");
  if (name.trim() === nowhere) return undefined;
  return name
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^[ab]\//, "");
}

function sectionOf({ from, to, hunks }: FileDiff): readonly string[] | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return [`*** Delete File: ${from}`];
  const lines = hunks.filter((line) => !header.test(line));
  if (from === undefined)
    return lines.every((line) => line.startsWith("+")) ? [`*** Add File: ${to}`, ...lines] : undefined;
  const moves = from === to ? [] : [`*** Move to: ${to}`];
  if (hunks.length === 0 && moves.length === 0) return undefined;
  return [`*** Update File: ${from}`, ...moves, ...hunks.map((line) => (line === "" ? " " : line))];
}
