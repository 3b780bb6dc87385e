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
import { type FileSection, limits, type Patch } from "./model.ts";
import type { Refusal } from "./patch-error.ts";
import { endMarker, SectionReader } from "./sections.ts";

export type Parsed =
  | { readonly kind: "patch"; readonly patch: Patch }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const beginMarker = "*** Begin Patch";

export class PatchParser {
  readonly #reader = new SectionReader();
  readonly #closers: string[] = [];
  #state: "start" | "between" | "after" = "start";
  #partial = "";
  #number = 0;
  #size = 0;
  /** Lines that can only be understood as a whole: JSON, or a patch that is indented. */
  #held: { readonly json: boolean; readonly from: number; readonly lines: string[] } | undefined;
  #outdented = false;
  #unwrapped = 0;
  #ended = false;
  #refusal: Refusal | undefined;

  /** What has arrived so far; the last section may still grow. For the eye only. */
  get sections(): readonly FileSection[] {
    return this.#reader.sections;
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
    if (!this.#ended && this.#reader.takePaddedEnd()) this.#ended = true;
    this.#closeSection();
    if (this.#state === "start") this.#reject(`The first line of the patch must be '${beginMarker}'`);
    else if (!this.#ended && !complete) this.#reject(`The last line of the patch must be '${endMarker}'`);
    else if (this.sections.length === 0) this.#reject("It names no file");
    if (this.#refusal !== undefined) return { kind: "refused", refusal: this.#refusal };
    return { kind: "patch", patch: { sections: this.sections } };
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
    if (marker === beginMarker && (this.#outdented || !/^\s/.test(line))) {
      this.#state = "between";
      return;
    }
    const closer = closerOf(marker);
    if (marker === beginMarker || beginsJson(marker)) {
      this.#held = { json: marker !== beginMarker, from: this.#number, lines: [line] };
    } else if (closer !== undefined && this.#closers.length < 3) this.#closers.push(closer);
    else this.#reject(`The first line of the patch must be '${beginMarker}'`, line);
  }

  #readBody(line: string): void {
    const step = this.#reader.read(line, this.#number);
    if (this.#reader.refusal !== undefined) this.#fail(this.#reader.refusal);
    else if (step === "end") this.#end(true);
    else if (step !== "taken") {
      // A fence or here-document that closes before the end marker: the patch is whole only if the item was.
      if (this.#closes(line)) this.#end(false);
      else this.#reject(step.problem, line);
    }
  }

  #readAfter(line: string): void {
    if (line.trim() !== "" && !this.#closes(line)) this.#reject(`Nothing may follow '${endMarker}'`, line);
  }

  #closes(line: string): boolean {
    if (line.trim() !== this.#closers.at(-1)) return false;
    this.#closers.pop();
    return true;
  }

  #end(marked: boolean): void {
    this.#closeSection();
    this.#ended = marked;
    this.#state = "after";
  }

  #closeSection(): void {
    this.#reader.close();
    if (this.#reader.refusal !== undefined) this.#fail(this.#reader.refusal);
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

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A surrogate pair is four bytes, two for each half.
    if (code > 0x7f) length += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return length;
}
