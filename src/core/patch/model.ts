// The words of the patch engine: what a patch says, what the world must offer, what a plan holds.
// Types and limits only; nothing here reads, matches or decides.

import type { Message } from "../messages/message.ts";
/** Refused beyond these, with the reason (issue 4, "Caps"). */
export const limits = {
  patchBytes: 1024 * 1024,
  files: 200,
  hunks: 2000,
  fileBytes: 5_000_000,
  fileLines: 300_000,
} as const;

// ── What a patch says ──

/** What had to be overlooked to read a patch that is not quite in the strict form. None of it says where an edit goes. */
export const noteCodes = [
  "prose",
  "wrapped",
  "decorated",
  "no-begin",
  "no-end",
  "several-envelopes",
  "environment",
  "git-headers",
  "no-newline-remark",
  "no-blanks",
  "line-numbers",
  "unchanged-hunk",
  "absolute-path",
  "dotted-path",
  "quoted-path",
  "prefixed-path",
  "case-rename",
  "moved-onto-itself",
] as const;
export type NoteCode = (typeof noteCodes)[number];

export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  /** An empty line without its leading space: context, or only air around the hunk. The file decides. */
  readonly bare?: true;
  /** A line without any sign: context, if those around it lack their space as well. The file decides. */
  readonly unsigned?: true;
}

export interface Hunk {
  /** Line of the patch the hunk begins on, counted from 1. */
  readonly line: number;
  /** The texts of its `@@` headers, outermost first. */
  readonly anchors: readonly string[];
  /** `@@ -12,6 …`: where the old lines were said to be, counted from 1. Decides between equal places only. */
  readonly range?: { readonly start: number; readonly length: number };
  readonly lines: readonly HunkLine[];
  readonly atEndOfFile: boolean;
  /** The first of its lines without a sign: what is wrong with the hunk if the file does not explain it. */
  readonly unsigned?: { readonly line: number; readonly found: string };
}

interface Section {
  readonly line: number;
  readonly path: string;
  readonly notes?: readonly NoteCode[];
}

export type FileSection =
  | (Section & { readonly kind: "add"; readonly lines: readonly string[] })
  | (Section & { readonly kind: "delete" })
  | (Section & { readonly kind: "update"; readonly moveTo?: string; readonly hunks: readonly Hunk[] });

export interface Patch {
  readonly sections: readonly FileSection[];
  /** Of what stands around the sections. */
  readonly notes: readonly NoteCode[];
}

// ── What the world must offer ──

/** A file below one of the open folders; `path` is relative and "/"-separated. */
export interface FileName {
  readonly folder: string;
  readonly path: string;
}

/** What stands at a path now, links followed. */
export interface Standing {
  readonly kind: "file" | "folder" | "nothing" | "blocked" | "other";
  /** The path below the real folder once every link is followed; undefined when it leads outside. */
  readonly real: string | undefined;
  /** The last step is itself a link. */
  readonly link: boolean;
  /** How many names the file has on disk; more than one is a hard link. */
  readonly names: number;
  readonly bytes: number;
  readonly writable: boolean;
  /** The spelling on disk, where only letter case or Unicode form differ from the path asked for. */
  readonly spelled: string | undefined;
  /** Inside a place that is never ours to write: our own storage, the editor's settings. */
  readonly guarded: boolean;
  /** What the settings say of it: always to be asked about, or not although it looks sensitive. Absent: nothing. */
  readonly protection?: "added" | "lifted";
  /** Git does not show what becomes of it. */
  readonly ignored?: boolean;
}

/** Of what is there and has nothing particular about it. */
export const plainStanding = {
  link: false,
  names: 1,
  bytes: 0,
  writable: true,
  spelled: undefined,
  guarded: false,
} as const satisfies Omit<Standing, "kind" | "real">;

export type Reading =
  | { readonly kind: "text"; readonly text: string; readonly version: number }
  | { readonly kind: "binary" };

/** Where a folder lies on this machine: what an absolute path in it begins with. */
export interface FolderRoot {
  readonly folder: string;
  readonly path: string;
}

/** The engine's whole view of the world: it looks and reads, and never writes. */
export interface Workspace {
  /** With one folder paths are relative to it; with several they begin with a folder's name. */
  readonly folders: readonly string[];
  /** A folder may have several, or none: then no absolute path leads into it. */
  readonly roots?: readonly FolderRoot[];
  look(file: FileName): Promise<Standing>;
  /** The text as the user has it now, unsaved edits included; a byte order mark may lead it. */
  read(file: FileName): Promise<Reading>;
  sha256(text: string): string;
}

// ── What a plan holds ──

/** How loosely a hunk had to be read to fit, from the strictest. */
export const loosenesses = ["exact", "trailing-space", "outer-space", "look-alike"] as const;
export type Looseness = (typeof loosenesses)[number];

/** Lines [first, last) counted from 0; first = last is the gap before that line. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** One replacement in the base text. Offsets are exact; `lines` is the same place for the eye. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  /** The characters of the base between `start` and `end`. */
  readonly removed: string;
  readonly text: string;
  readonly lines: LineRange;
  /** How many lines stand there afterwards. */
  readonly written: number;
  /** The hunks that asked for it, counted from 0 through the file's hunks in patch order. */
  readonly hunks: readonly number[];
}

export interface PlacedHunk {
  /** Line of the patch. */
  readonly line: number;
  /** Lines of the text the hunk was matched against: the base, or what earlier hunks made of it. */
  readonly matched: LineRange;
  readonly looseness: Looseness;
  /** It matched text that an earlier hunk of this patch had written. */
  readonly onEarlier: boolean;
}

export interface Permission {
  readonly verdict: "allow" | "confirm";
  /** Why a person must be asked, the worst first; empty when allowed. */
  readonly reasons: readonly Message[];
  /** The path below the real folder, after links: what a dialog must show. */
  readonly real: string;
}

/** The text a change was planned on. Anything else at apply time sends it back to review. */
export interface Base {
  readonly text: string;
  readonly sha256: string;
  /** The document's version; undefined for a text that was computed, not read. */
  readonly version: number | undefined;
}

interface Change {
  readonly file: FileName;
  readonly permission: Permission;
}

export interface AddChange extends Change {
  readonly kind: "add";
  readonly text: string;
}

export interface DeleteChange extends Change {
  readonly kind: "delete";
  readonly base: Base;
}

export interface UpdateChange extends Change {
  readonly kind: "update";
  readonly base: Base;
  readonly edits: readonly LineEdit[];
  readonly hunks: readonly PlacedHunk[];
}

export interface MoveChange extends Change {
  readonly kind: "move";
  readonly to: FileName;
  /** Where `to` lies below the real folder; `permission` covers both names. */
  readonly toReal: string;
  readonly base: Base;
  readonly edits: readonly LineEdit[];
  readonly hunks: readonly PlacedHunk[];
}

export type FileChange = AddChange | DeleteChange | UpdateChange | MoveChange;

/** Without a file it is about the patch as a whole. */
export interface PlanNote {
  readonly code: NoteCode;
  readonly file?: FileName;
}

export interface Plan {
  readonly patchSha256: string;
  /** How the patch was read, for people to know; the changes are complete without it. */
  readonly notes: readonly PlanNote[];
  /** In an order that works one by one: what frees a path comes before what takes it. */
  readonly changes: readonly FileChange[];
}
