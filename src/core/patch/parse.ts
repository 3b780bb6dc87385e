// Patch text → sections and hunks, fed piece by piece while the model writes. It knows no file and places nothing.
//
//   patch   = "*** Begin Patch" section+ "*** End Patch"
//   section = "*** Add File: " path ("+" text)*
//           | "*** Delete File: " path
//           | "*** Update File: " path ["*** Move to: " path] hunk*     (a hunk or a move, or both)
//   hunk    = header+ line+ ["*** End of File"]                         (the first hunk may lack its header)
//   header  = "@@" | "@@ " anchor | "@@ -12,6 +12,8 @@" [anchor]
//   line    = (" " | "-" | "+") text
//
// Tolerated, and nothing else: what envelope.ts unwraps; "\r\n"; white space around markers and paths; empty lines
// between sections and around hunks; an empty line as an empty context line; a missing "*** End Patch" when the
// caller knows that the item arrived complete.
import { beginsJson, closerOf, outdent, patchInJson } from "./envelope.ts";
import { readHunkHeader } from "./hunk-header.ts";
import { type FileSection, type Hunk, type HunkLine, limits, type Patch } from "./model.ts";
import type { Refusal } from "./patch-error.ts";

export type Parsed =
  | { readonly kind: "patch"; readonly patch: Patch }
  | { readonly kind: "refused"; readonly refusal: Refusal };

interface HunkDraft {
  readonly line: number;
  readonly anchors: string[];
  range?: { start: number; length: number };
  readonly lines: HunkLine[];
  atEndOfFile: boolean;
}

type SectionDraft =
  | { readonly kind: "add"; readonly line: number; readonly path: string; readonly lines: string[] }
  | { readonly kind: "delete"; readonly line: number; readonly path: string }
  | {
      readonly kind: "update";
      readonly line: number;
      readonly path: string;
      moveTo?: string;
      readonly hunks: HunkDraft[];
    };

const begin = "*** Begin Patch";
const end = "*** End Patch";
const sectionHeader = /^\*\*\* (Add|Delete|Update) File:(.*)$/;
const moveHeader = /^\*\*\* Move to:(.*)$/;

export class PatchParser {
  readonly #sections: SectionDraft[] = [];
  readonly #closers: string[] = [];
  #state: "start" | "between" | "after" = "start";
  #partial = "";
  #number = 0;
  #size = 0;
  #hunks = 0;
  /** Lines that can only be understood as a whole: JSON, or a patch that is indented. */
  #held: { readonly json: boolean; readonly from: number; readonly lines: string[] } | undefined;
  #outdented = false;
  #unwrapped = 0;
  #ended = false;
  #refusal: Refusal | undefined;

  /** What has arrived so far; the last section may still grow. For the eye only. */
  get sections(): readonly FileSection[] {
    return this.#sections;
  }

  feed(delta: string): void {
    this.#size += utf8Length(delta);
    if (this.#size > limits.patchBytes) this.#fail({ kind: "too-much", what: "patch" });
    this.#partial += delta;
    // A long line in many pieces must not be searched anew with each of them.
    if (!delta.includes("\n")) return;
    const lines = this.#partial.split("\n");
    this.#partial = lines.pop() ?? "";
    for (const line of lines) this.#next(line);
  }

  /** `complete`: the service said that the item is whole, so only its last marker may be missing. */
  finish({ complete = false } = {}): Parsed {
    if (this.#partial !== "") this.#next(this.#partial);
    this.#partial = "";
    while (this.#held !== undefined) this.#release();
    if (!this.#ended) this.#takePaddedEnd();
    this.#closeSection();
    if (this.#state === "start") this.#reject(`The first line of the patch must be '${begin}'`);
    else if (!this.#ended && !complete) this.#reject(`The last line of the patch must be '${end}'`);
    else if (this.#sections.length === 0) this.#reject("It names no file");
    if (this.#refusal !== undefined) return { kind: "refused", refusal: this.#refusal };
    return { kind: "patch", patch: { sections: this.#sections } };
  }

  #next(raw: string): void {
    this.#number += 1;
    if (this.#refusal !== undefined) return;
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (this.#held !== undefined) this.#held.lines.push(line);
    else if (this.#state === "start")
      this.#readStart(this.#number === 1 ? line.replace(/^\uFEFF/, "") : line);
    else if (this.#state === "after") this.#readAfter(line);
    else this.#readBody(line);
  }

  #readStart(line: string): void {
    const marker = line.trim();
    if (marker === "") return;
    if (marker === begin && (this.#outdented || !/^\s/.test(line))) {
      this.#state = "between";
      return;
    }
    const closer = closerOf(marker);
    if (marker === begin || beginsJson(marker)) {
      this.#held = { json: marker !== begin, from: this.#number, lines: [line] };
    } else if (closer !== undefined && this.#closers.length < 3) this.#closers.push(closer);
    else this.#reject(`The first line of the patch must be '${begin}'`, line);
  }

  #readAfter(line: string): void {
    const marker = line.trim();
    if (marker === "") return;
    if (marker === this.#closers.at(-1)) this.#closers.pop();
    else this.#reject(`Nothing may follow '${end}'`, line);
  }

  #readBody(line: string): void {
    const section = this.#sections.at(-1);
    const strict = section?.kind === "update" && section.hunks.length > 0;
    // Inside a hunk a leading space makes any marker an ordinary context line.
    const marker = strict ? line.trimEnd() : line.trim();
    if (marker === end) this.#end(true);
    else if (sectionHeader.test(marker)) this.#openSection(marker);
    else if (section?.kind === "update") this.#readUpdate(section, line, marker);
    else if (section?.kind === "add" && line.startsWith("+")) this.#readAdded(section, line);
    else if (marker !== "" && !this.#closes(marker)) this.#reject("A file section must begin here", line);
  }

  /** A fence or here-document that closes before the end marker: whole only if the item was. */
  #closes(marker: string): boolean {
    if (marker !== this.#closers.at(-1)) return false;
    this.#closers.pop();
    this.#end(false);
    return true;
  }

  #end(marked: boolean): void {
    this.#closeSection();
    this.#ended = marked;
    this.#state = "after";
  }

  #openSection(marker: string): void {
    this.#closeSection();
    const [, word, rest = ""] = sectionHeader.exec(marker) ?? [];
    const path = rest.trim();
    const line = this.#number;
    if (path === "") this.#reject("The path is missing", marker);
    else if (this.#sections.length === limits.files) this.#fail({ kind: "too-much", what: "files" });
    else if (word === "Add") this.#sections.push({ kind: "add", line, path, lines: [] });
    else if (word === "Delete") this.#sections.push({ kind: "delete", line, path });
    else this.#sections.push({ kind: "update", line, path, hunks: [] });
  }

  #readAdded(section: SectionDraft & { kind: "add" }, line: string): void {
    const gap = this.#number - section.line - 1 - section.lines.length;
    if (gap > 0) this.#reject("Every line of a new file needs its '+', an empty one too", line);
    else section.lines.push(line.slice(1));
  }

  #readUpdate(section: SectionDraft & { kind: "update" }, line: string, marker: string): void {
    const hunk = section.hunks.at(-1);
    const move = hunk === undefined && section.moveTo === undefined ? moveHeader.exec(marker) : null;
    if (move !== null) {
      section.moveTo = move[1]?.trim() ?? "";
      if (section.moveTo === "") this.#reject("The path is missing", line);
    } else if (marker.startsWith("@@") && (hunk === undefined || line.startsWith("@@"))) {
      this.#openHunk(section, marker);
    } else if (marker === "*** End of File" && hunk !== undefined) hunk.atEndOfFile = true;
    else this.#readHunkLine(section, line);
  }

  #openHunk(section: SectionDraft & { kind: "update" }, marker: string): void {
    const { anchors, range } = readHunkHeader(marker);
    const last = section.hunks.at(-1);
    // Headers in a row are one header: `@@ class A` above `@@ def b`.
    const stacked = last !== undefined && !last.atEndOfFile && last.lines.every((line) => line.bare === true);
    if (last !== undefined && !stacked) this.#closeHunk(last);
    const hunk = stacked ? last : this.#newHunk(section);
    hunk.lines.length = 0;
    hunk.anchors.push(...anchors);
    if (range !== undefined) hunk.range = range;
  }

  #newHunk(section: SectionDraft & { kind: "update" }): HunkDraft {
    const hunk: HunkDraft = { line: this.#number, anchors: [], lines: [], atEndOfFile: false };
    section.hunks.push(hunk);
    this.#hunks += 1;
    if (this.#hunks > limits.hunks) this.#fail({ kind: "too-much", what: "hunks" });
    return hunk;
  }

  #readHunkLine(section: SectionDraft & { kind: "update" }, line: string): void {
    const last = section.hunks.at(-1);
    const kind = kindOf(line);
    if (line === "") {
      if (last !== undefined && !last.atEndOfFile) last.lines.push({ kind: "context", text: "", bare: true });
    } else if (kind === undefined) {
      const marker = line.trim();
      if (!this.#closes(marker)) this.#reject("A line of a hunk must begin with ' ', '-', '+' or '@@'", line);
    } else if (last?.atEndOfFile === true) this.#reject("No line may follow '*** End of File'", line);
    else (last ?? this.#newHunk(section)).lines.push({ kind, text: line.slice(1).replace(/^\uFEFF/, "") });
  }

  #closeHunk(hunk: Hunk): void {
    if (hunk.lines.some((line) => line.bare !== true)) return;
    this.#fail({ kind: "syntax", line: hunk.line, problem: "The hunk has no lines", found: undefined });
  }

  #closeSection(): void {
    const section = this.#sections.at(-1);
    if (section?.kind !== "update" || this.#refusal !== undefined) return;
    const last = section.hunks.at(-1);
    if (last !== undefined) this.#closeHunk(last);
    else if (section.moveTo === undefined) {
      this.#fail({ kind: "syntax", line: section.line, problem: "The update has no hunk", found: undefined });
    }
  }

  /** Held lines are read again, unwrapped, once all of them are there. */
  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    this.#unwrapped += 1;
    if (held === undefined || this.#refusal !== undefined) return;
    if (held.json) this.#releaseJson(held.lines);
    else {
      this.#outdented = true;
      this.#number = held.from - 1;
      for (const line of outdent(held.lines)) this.#next(line);
    }
  }

  #releaseJson(lines: string[]): void {
    while (lines.at(-1)?.trim() === "") lines.pop();
    if (this.#closers.length > 0 && lines.at(-1)?.trim() === this.#closers.at(-1)) lines.pop();
    const patch = this.#unwrapped > 3 ? undefined : patchInJson(lines.join("\n"));
    if (patch === undefined) this.#reject("This is not JSON with one patch in it", lines[0]);
    this.#closers.length = 0;
    this.#number = 0;
    for (const line of patch?.split("\n") ?? []) this.#next(line);
  }

  /** ` *** End Patch` as the very last line was read as context; only now is it clear that it ends the patch. */
  #takePaddedEnd(): void {
    const section = this.#sections.at(-1);
    const hunk = section?.kind === "update" ? section.hunks.at(-1) : undefined;
    if (hunk === undefined) return;
    const at = hunk.lines.findLastIndex((line) => line.bare !== true);
    const last = hunk.lines[at];
    if (last?.kind !== "context" || last.text.trim() !== end) return;
    hunk.lines.length = at;
    this.#ended = true;
  }

  #reject(problem: string, found?: string): void {
    this.#fail({ kind: "syntax", line: Math.max(1, this.#number), problem, found });
  }

  #fail(refusal: Refusal): void {
    this.#refusal ??= refusal;
  }
}

export function parsePatch(text: string, options: { complete?: boolean } = {}): Parsed {
  const parser = new PatchParser();
  parser.feed(text);
  return parser.finish(options);
}

function kindOf(line: string): HunkLine["kind"] | undefined {
  if (line.startsWith(" ")) return "context";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("+") ? "added" : undefined;
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A surrogate pair is four bytes, two for each half.
    if (code > 0x7f) length += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return length;
}
