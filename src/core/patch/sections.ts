// The lines between the begin and the end marker → sections and hunks. The grammar is in parse.ts; what stands
// around a patch and how it arrives is not known here.
import { readHunkHeader } from "./hunk-header.ts";
import { type FileSection, type Hunk, type HunkLine, limits } from "./model.ts";
import type { Refusal } from "./patch-error.ts";

export const endMarker = "*** End Patch";
const sectionHeader = /^\*\*\* (Add|Delete|Update) File:(.*)$/;
const moveHeader = /^\*\*\* Move to:(.*)$/;

interface HunkDraft {
  readonly line: number;
  readonly anchors: string[];
  range?: { start: number; length: number };
  readonly lines: HunkLine[];
  atEndOfFile: boolean;
}

interface AddDraft {
  readonly kind: "add";
  readonly line: number;
  readonly path: string;
  readonly lines: string[];
}

interface UpdateDraft {
  readonly kind: "update";
  readonly line: number;
  readonly path: string;
  moveTo?: string;
  readonly hunks: HunkDraft[];
}

type SectionDraft =
  | AddDraft
  | UpdateDraft
  | { readonly kind: "delete"; readonly line: number; readonly path: string };

/** What a line was: one of the patch, its end marker, or one that cannot stand here. */
export type Step = "taken" | "end" | { readonly problem: string };

export class SectionReader {
  readonly #sections: SectionDraft[] = [];
  #number = 0;
  #hunks = 0;
  #refusal: Refusal | undefined;

  get sections(): readonly FileSection[] {
    return this.#sections;
  }

  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  read(line: string, number: number): Step {
    this.#number = number;
    const section = this.#sections.at(-1);
    const inHunk = section?.kind === "update" && section.hunks.length > 0;
    // Inside a hunk a leading space makes any marker an ordinary context line.
    const marker = inHunk ? line.trimEnd() : line.trim();
    if (marker === endMarker) return "end";
    if (sectionHeader.test(marker)) return this.#openSection(marker);
    if (section?.kind === "update") return this.#readUpdate(section, line, marker);
    if (section?.kind === "add" && line.startsWith("+")) return this.#readAdded(section, line);
    return marker === "" ? "taken" : { problem: "A file section must begin here" };
  }

  /** The last section is as long as it will be. */
  close(): void {
    const section = this.#sections.at(-1);
    if (section?.kind !== "update") return;
    const last = section.hunks.at(-1);
    if (last !== undefined) this.#closeHunk(last);
    else if (section.moveTo === undefined) this.#failAt(section.line, "The update has no hunk");
  }

  /** ` *** End Patch` as the very last line was read as context; only now is it clear that it ends the patch. */
  takePaddedEnd(): boolean {
    const section = this.#sections.at(-1);
    const hunk = section?.kind === "update" ? section.hunks.at(-1) : undefined;
    const at = hunk?.lines.findLastIndex((line) => line.bare !== true) ?? -1;
    const last = hunk?.lines[at];
    if (hunk === undefined || last?.kind !== "context" || last.text.trim() !== endMarker) return false;
    hunk.lines.length = at;
    return true;
  }

  #openSection(marker: string): Step {
    this.close();
    const [, word, rest = ""] = sectionHeader.exec(marker) ?? [];
    const path = rest.trim();
    const line = this.#number;
    if (path === "") return { problem: "The path is missing" };
    if (this.#sections.length === limits.files) this.#fail({ kind: "too-much", what: "files" });
    else if (word === "Add") this.#sections.push({ kind: "add", line, path, lines: [] });
    else if (word === "Delete") this.#sections.push({ kind: "delete", line, path });
    else this.#sections.push({ kind: "update", line, path, hunks: [] });
    return "taken";
  }

  #readAdded(section: AddDraft, line: string): Step {
    const gap = this.#number - section.line - 1 - section.lines.length;
    if (gap > 0) return { problem: "Every line of a new file needs its '+', an empty one too" };
    section.lines.push(line.slice(1));
    return "taken";
  }

  #readUpdate(section: UpdateDraft, line: string, marker: string): Step {
    const hunk = section.hunks.at(-1);
    const move = hunk === undefined && section.moveTo === undefined ? moveHeader.exec(marker) : null;
    if (move !== null) {
      section.moveTo = move[1]?.trim() ?? "";
      return section.moveTo === "" ? { problem: "The path is missing" } : "taken";
    }
    if (marker.startsWith("@@") && (hunk === undefined || line.startsWith("@@"))) {
      this.#openHunk(section, marker);
    } else if (marker === "*** End of File" && hunk !== undefined) hunk.atEndOfFile = true;
    else return this.#readHunkLine(section, line);
    return "taken";
  }

  #openHunk(section: UpdateDraft, marker: string): void {
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

  #newHunk(section: UpdateDraft): HunkDraft {
    const hunk: HunkDraft = { line: this.#number, anchors: [], lines: [], atEndOfFile: false };
    section.hunks.push(hunk);
    this.#hunks += 1;
    if (this.#hunks > limits.hunks) this.#fail({ kind: "too-much", what: "hunks" });
    return hunk;
  }

  #readHunkLine(section: UpdateDraft, line: string): Step {
    const last = section.hunks.at(-1);
    const kind = kindOf(line);
    if (line === "") {
      if (last !== undefined && !last.atEndOfFile) last.lines.push({ kind: "context", text: "", bare: true });
      return "taken";
    }
    if (kind === undefined) return { problem: "A line of a hunk must begin with ' ', '-', '+' or '@@'" };
    if (last?.atEndOfFile === true) return { problem: "No line may follow '*** End of File'" };
    const hunk = last ?? this.#newHunk(section);
    hunk.lines.push({ kind, text: line.slice(1).replace(/^\uFEFF/, "") });
    return "taken";
  }

  #closeHunk(hunk: Hunk): void {
    if (hunk.lines.every((line) => line.bare === true)) this.#failAt(hunk.line, "The hunk has no lines");
  }

  #failAt(line: number, problem: string): void {
    this.#fail({ kind: "syntax", line, problem, found: undefined });
  }

  #fail(refusal: Refusal): void {
    this.#refusal ??= refusal;
  }
}

function kindOf(line: string): HunkLine["kind"] | undefined {
  if (line.startsWith(" ")) return "context";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("+") ? "added" : undefined;
}
