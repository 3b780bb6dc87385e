// Reads the lines between the begin and the end marker into sections and hunks. parse.ts has the grammar and handles
// the text around a patch and its arrival in pieces.
import { type Message, message } from "../../conversation/messages.ts";
import { type FileSection, type HunkLine, limits, type NoteCode } from "../model.ts";
import type { Refusal } from "../patch-error.ts";
import { type Marker, readMarker } from "./patch-markers.ts";

const plain =
  /^(?:index [0-9a-f]{4,64}\.\.[0-9a-f]{4,64}(?: \d{6})?|(?:new|deleted) file mode \d{6}|(?:old|new) mode \d{6}|similarity index \d{1,3}%)$/;

const longest = 2048;

/**
 * Recognizes the lines that Git puts above the hunks of a file: `diff --git`, `index`, modes, `---` and `+++`. They are
 * ignored only where they name the file of their section. Whether the line says nothing about the change. `paths` are
 * the names of the section's file.
 */
function isGitHeader(line: string, paths: readonly string[]): boolean {
  if (plain.test(line)) return true;
  if (!line.startsWith("diff --git ") || line.length > longest) return false;
  const named = line.slice("diff --git ".length);
  // Both names may contain spaces.
  for (let at = named.indexOf(" "); at !== -1; at = named.indexOf(" ", at + 1))
    if (isNamed(named.slice(0, at), paths) && isNamed(named.slice(at + 1), paths)) return true;
  return false;
}

/** Whether the line is `--- a/path` or `+++ b/path`. */
function namesOldOrNew(line: string, sign: "---" | "+++", paths: readonly string[]): boolean {
  if (!line.startsWith(`${sign} `) || line.length > longest) return false;
  // A timestamp may follow, after a tab.
  const [named = ""] = line.slice(4).split("\t", 1);
  return named === "/dev/null" || isNamed(named.trimEnd(), paths);
}

/** Git's paths start at the root of its repository, which may be above or below the open folder. */
function isNamed(named: string, paths: readonly string[]): boolean {
  const bare = named.replace(/^[ab]\//, "");
  return paths.some((path) => {
    const own = path.replace(/^(["'`])(.+)\1$/, "$2").replace(/^[ab]\//, "");
    return bare !== "" && (own === bare || own.endsWith(`/${bare}`) || bare.endsWith(`/${own}`));
  });
}

interface HunkHeader {
  readonly anchors: readonly string[];
  readonly range?: { readonly start: number; readonly length: number };
}

const lineRange = /^\s*-(\d{1,9})(?:,(\d{1,9}))?(?:\s+\+\d{1,9}(?:,\d{1,9})?(?:\s*@@|$)|\s*@@)\s?(.*)$/;

/** Reads what follows `@@`: nothing, an anchor, a line range as in unified diffs, or both. */
function readHunkHeader(line: string): HunkHeader {
  const text = line.slice(2).trimEnd();
  const match = lineRange.exec(text);
  if (match === null) return { anchors: anchorsIn(text) };
  const range = { start: Number(match[1]), length: match[2] === undefined ? 1 : Number(match[2]) };
  return { anchors: anchorsIn(match[3] ?? ""), range };
}

/** One space belongs to the marker, the rest to the anchor. `@@ a @@ b` is a stack of anchors, `@@ … @@` is empty. */
function anchorsIn(text: string): string[] {
  if (text === "") return [];
  return text
    .replace(/ @@$/, "")
    .replace(/^ ?@@$/, "")
    .split(" @@ ")
    .map((anchor, at) => (at === 0 && anchor.startsWith(" ") ? anchor.slice(1) : anchor))
    .filter((anchor) => !/^[\s.…]*$/.test(anchor));
}

const endMarker = "*** End Patch";
export const noSign = message("whyNoSign");
const noSection = message("whySection");
const noNewline = /^\\ No newline at end of file$/i;

interface HunkDraft {
  readonly line: number;
  readonly anchors: string[];
  range?: { start: number; length: number };
  readonly lines: HunkLine[];
  atEndOfFile: boolean;
  unsigned?: { line: number; found: string };
}

interface Draft {
  readonly line: number;
  readonly path: string;
  notes?: NoteCode[];
}

interface AddDraft extends Draft {
  readonly kind: "add";
  readonly lines: string[];
}

interface UpdateDraft extends Draft {
  readonly kind: "update";
  moveTo?: string;
  readonly hunks: HunkDraft[];
}

type SectionDraft = AddDraft | UpdateDraft | (Draft & { readonly kind: "delete" });

/** How a line was read: as part of the patch, as its end marker, or as an error. */
type LineOutcome = "taken" | "end" | { readonly problem: Message };

export class SectionReader {
  readonly #sections: SectionDraft[] = [];
  readonly #notes = new Set<NoteCode>();
  /** The current section; undefined before the first of an envelope. */
  #section: SectionDraft | undefined;
  /** `--- a/path`: part of a Git header if the next line is `+++ b/path`, otherwise a removed line. */
  #old: { readonly line: string; readonly number: number } | undefined;
  /** Whether there is an empty line between the lines of a new file. */
  #hasGap = false;
  #number = 0;
  #hunks = 0;
  #refusal: Refusal | undefined;

  get sections(): readonly FileSection[] {
    return this.#sections;
  }

  get notes(): ReadonlySet<NoteCode> {
    return this.#notes;
  }

  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  get inHunk(): boolean {
    return this.#section?.kind === "update" && this.#section.hunks.length > 0;
  }

  read(line: string, number: number): LineOutcome {
    this.#number = number;
    if (this.#section !== undefined && this.#readGitHeader(this.#section, line)) return "taken";
    const section = this.#section;
    // Inside a hunk, a leading space makes any marker an ordinary context line.
    const text = this.inHunk ? line.trimEnd() : line.trim();
    const marker = readMarker(text);
    if (marker?.kind === "end" || marker?.kind === "section") this.#noteDecoration(marker);
    if (marker?.kind === "end") return "end";
    if (marker?.kind === "section") return this.#openSection(marker);
    if (section?.kind === "update") return this.#readUpdate(section, line, marker);
    if (section?.kind === "add" && line.startsWith("+")) return this.#readAdded(section, line);
    if (section?.kind === "add" && section.lines.length > 0 && noNewline.test(text)) {
      noteOn(section, "no-newline-remark");
      return "taken";
    }
    if (section === undefined && marker?.kind === "environment") {
      this.#notes.add("environment");
      return "taken";
    }
    if (text !== "") return { problem: noSection };
    this.#hasGap = true;
    return "taken";
  }

  /** The last section is complete. `isCut`: no line of the patch marks its end. */
  close(isCut = false): void {
    const section = this.#section;
    if (section !== undefined) this.#takeOld(section);
    this.#section = undefined;
    if (section?.kind !== "update") return;
    const last = section.hunks.at(-1);
    if (last !== undefined) this.#closeHunk(section, last, isCut);
    else if (section.moveTo === undefined) this.#failAt(section.line, message("whyNoHunk"));
  }

  /** ` *** End Patch` as the very last line was read as context; only now is it clear that it ends the patch. */
  takePaddedEnd(): boolean {
    const section = this.#section;
    const hunk = section?.kind === "update" ? section.hunks.at(-1) : undefined;
    const at = hunk?.lines.findLastIndex((line) => line.bare !== true) ?? -1;
    const last = hunk?.lines[at];
    if (hunk === undefined || last?.kind !== "context" || last.text.trim() !== endMarker) return false;
    hunk.lines.length = at;
    return true;
  }

  #openSection(marker: Marker & { readonly kind: "section" }): LineOutcome {
    this.close();
    const { word, path } = marker;
    const line = this.#number;
    if (path === "") return { problem: message("whyNoPath") };
    if (this.#sections.length === limits.files) {
      this.#fail({ kind: "too-much", what: "files" });
      return "taken";
    }
    this.#section =
      word === "Add"
        ? { kind: "add", line, path, lines: [] }
        : word === "Delete"
          ? { kind: "delete", line, path }
          : { kind: "update", line, path, hunks: [] };
    this.#sections.push(this.#section);
    this.#hasGap = false;
    return "taken";
  }

  /** Accepted only above the first line of the section's content. */
  #readGitHeader(section: SectionDraft, line: string): boolean {
    const hasContent = section.kind === "add" ? section.lines.length > 0 : this.inHunk;
    if (hasContent && this.#old === undefined) return false;
    const paths = pathsOf(section);
    if (this.#old !== undefined) {
      const isHeader = namesOldOrNew(line, "+++", paths);
      if (isHeader) noteOn(section, "git-headers");
      if (isHeader) this.#old = undefined;
      else this.#takeOld(section);
      return isHeader;
    }
    if (namesOldOrNew(line, "---", paths)) {
      this.#old = { line, number: this.#number };
      return true;
    }
    if (isGitHeader(line.trimEnd(), paths)) {
      noteOn(section, "git-headers");
      return true;
    }
    const isNoted = section.notes?.includes("git-headers") === true;
    return section.kind === "add" && isNoted && /^@@ -0,0 \+1(?:,\d{1,9})? @@/.test(line);
  }

  /** It was not a header but a line that the hunk removes. */
  #takeOld(section: SectionDraft): void {
    const old = this.#old;
    if (old === undefined) return;
    this.#old = undefined;
    const now = this.#number;
    this.#number = old.number;
    if (section.kind === "update") this.#readHunkLine(section, old.line);
    else this.#fail({ kind: "syntax", line: old.number, problem: noSection, found: old.line });
    this.#number = now;
  }

  #readAdded(section: AddDraft, line: string): LineOutcome {
    if (this.#hasGap) return { problem: message("whyNoPlus") };
    section.lines.push(line.slice(1));
    return "taken";
  }

  #readUpdate(section: UpdateDraft, line: string, marker: Marker | undefined): LineOutcome {
    const hunk = section.hunks.at(-1);
    if (marker?.kind === "move" && hunk === undefined && section.moveTo === undefined) {
      this.#noteDecoration(marker);
      section.moveTo = marker.path;
      return marker.path === "" ? { problem: message("whyNoPath") } : "taken";
    }
    if (line.startsWith("@@") || (hunk === undefined && line.trimStart().startsWith("@@"))) {
      this.#openHunk(section, line.trim());
    } else if (marker?.kind === "end-of-file" && hunk !== undefined) {
      this.#noteDecoration(marker);
      hunk.atEndOfFile = true;
    } else return this.#readHunkLine(section, line);
    return "taken";
  }

  #openHunk(section: UpdateDraft, header: string): void {
    const { anchors, range } = readHunkHeader(header);
    const last = section.hunks.at(-1);
    // Consecutive headers are one header: `@@ class A` above `@@ def b`.
    const stacked = last !== undefined && !last.atEndOfFile && last.lines.every((line) => line.bare === true);
    if (last !== undefined && !stacked) this.#closeHunk(section, last, false);
    const hunk = stacked ? last : this.#newHunk(section);
    hunk.lines.length = 0;
    for (const each of anchors) hunk.anchors.push(each);
    if (range !== undefined) hunk.range = range;
  }

  #newHunk(section: UpdateDraft): HunkDraft {
    const hunk: HunkDraft = { line: this.#number, anchors: [], lines: [], atEndOfFile: false };
    section.hunks.push(hunk);
    this.#hunks += 1;
    if (this.#hunks > limits.hunks) this.#fail({ kind: "too-much", what: "hunks" });
    return hunk;
  }

  #readHunkLine(section: UpdateDraft, line: string): LineOutcome {
    const last = section.hunks.at(-1);
    const kind = kindOf(line);
    if (line === "") {
      if (last !== undefined && !last.atEndOfFile) last.lines.push({ kind: "context", text: "", bare: true });
      return "taken";
    }
    if (kind === undefined && last !== undefined && last.lines.length > 0 && noNewline.test(line.trimEnd())) {
      noteOn(section, "no-newline-remark");
      return "taken";
    }
    if (kind === undefined && line.startsWith("***")) return { problem: noSign };
    if (last?.atEndOfFile === true) return { problem: kind === undefined ? noSign : message("whyAfterFile") };
    const hunk = last ?? this.#newHunk(section);
    if (kind !== undefined) hunk.lines.push({ kind, text: line.slice(line.startsWith("\uFEFF", 1) ? 2 : 1) });
    else {
      hunk.unsigned ??= { line: this.#number, found: line };
      hunk.lines.push({ kind: "context", text: line, unsigned: true });
    }
    return "taken";
  }

  #closeHunk(section: UpdateDraft, hunk: HunkDraft, isCut: boolean): void {
    if (hunk.lines.some((line) => line.bare !== true)) return;
    const saysNothing = hunk.anchors.length === 0 && hunk.range === undefined && !hunk.atEndOfFile;
    // A final `@@` on its own only closes the hunk above it.
    const isCloser = saysNothing && !isCut && (section.hunks.length > 1 || section.moveTo !== undefined);
    if (!isCloser) this.#failAt(hunk.line, message("whyNoLines"));
    else {
      section.hunks.pop();
      noteOn(section, "unchanged-hunk");
    }
  }

  #noteDecoration(marker: Marker): void {
    if (marker.isDecorated) this.#notes.add("decorated");
  }

  #failAt(line: number, problem: Message): void {
    this.#fail({ kind: "syntax", line, problem, found: undefined });
  }

  #fail(refusal: Refusal): void {
    this.#refusal ??= refusal;
  }
}

const pathsOf = (section: SectionDraft): string[] =>
  section.kind === "update" && section.moveTo !== undefined ? [section.path, section.moveTo] : [section.path];

function noteOn(section: SectionDraft, code: NoteCode): void {
  if (section.notes?.includes(code) !== true) section.notes = [...(section.notes ?? []), code];
}

function kindOf(line: string): HunkLine["kind"] | undefined {
  if (line.startsWith(" ")) return "context";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("+") ? "added" : undefined;
}
