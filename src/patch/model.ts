// The types and limits of the patch engine: what a patch contains, what a workspace must provide, what a plan holds.
// Contains no logic.
import type { Message } from "../conversation/messages.ts";

/** Anything beyond these limits is refused with the reason (issue 4, "Caps"). */
export const limits = {
  patchBytes: 1024 * 1024,
  files: 200,
  hunks: 2000,
  fileBytes: 5_000_000,
  fileLines: 300_000,
} as const;

// ── Patches ──

/** What was tolerated to read a patch that is not quite in the strict form. None of it decides where an edit goes. */
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
  "lost-anchor",
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
  /** An empty line without its leading space: either context, or just spacing around the hunk. The file decides. */
  readonly bare?: true;
  /** A line without any sign: context, if the lines around it lack their space too. The file decides. */
  readonly unsigned?: true;
}

export interface Hunk {
  /** Line of the patch where the hunk begins, counted from 1. */
  readonly line: number;
  /** The texts of its `@@` headers, outermost first. */
  readonly anchors: readonly string[];
  /** `@@ -12,6 …`: the claimed range of the old lines, counted from 1. Decides only between equally good places. */
  readonly range?: { readonly start: number; readonly length: number };
  readonly lines: readonly HunkLine[];
  readonly atEndOfFile: boolean;
  /** The first of its lines without a sign: the hunk's error if the file does not explain it. */
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
  /** About the text around the sections. */
  readonly notes: readonly NoteCode[];
}

// ── Workspace ──

/** A file in one of the open folders; `path` is relative and "/"-separated. */
export interface FileName {
  readonly folder: string;
  readonly path: string;
}

/** What is at a path now, links followed. */
export interface PathInfo {
  readonly kind: "file" | "folder" | "nothing" | "blocked" | "other";
  /** The path within the real folder once all links are followed; undefined when it leads outside. */
  readonly real: string | undefined;
  /** The path's last segment is itself a link. */
  readonly link: boolean;
  /** How many hard links the file has. */
  readonly names: number;
  readonly bytes: number;
  readonly writable: boolean;
  /** The spelling on disk, if it differs from the requested path only in letter case or Unicode form. */
  readonly spelled: string | undefined;
  /** Inside a location that patches may never write to: Patchbay's own storage, the editor's settings. */
  readonly guarded: boolean;
  /**
   * What the settings say about it: always ask, or do not ask although it looks sensitive. Absent if they say nothing.
   */
  readonly protection?: "added" | "lifted";
  /** Git ignores it, so changes to it do not show up there. */
  readonly ignored?: boolean;
}

/** For a path that exists and has no special properties. */
export const defaultPathInfo = {
  link: false,
  names: 1,
  bytes: 0,
  writable: true,
  spelled: undefined,
  guarded: false,
} as const satisfies Omit<PathInfo, "kind" | "real">;

export type Reading =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly version: number;
      /** The encoding used to read it, if some bytes are invalid in that encoding: saving would lose them. */
      readonly undecoded?: string;
    }
  | { readonly kind: "binary" };

/** The location of a folder on this machine: the prefix of absolute paths in it. */
export interface FolderRoot {
  readonly folder: string;
  readonly path: string;
}

/** The engine's only access to the outside. It reads and never writes. */
export interface Workspace {
  /** With one folder, paths are relative to it; with several, they begin with a folder's name. */
  readonly folders: readonly string[];
  /** A folder may have several, or none: then no absolute path leads into it. */
  readonly roots?: readonly FolderRoot[];
  look(file: FileName): Promise<PathInfo>;
  /** The text as the user has it now, including unsaved edits; it may begin with a byte order mark. */
  read(file: FileName): Promise<Reading>;
  sha256(text: string): string;
}

// ── Plans ──

/** How loosely a hunk was matched, from the strictest. */
export const loosenesses = ["exact", "trailing-space", "outer-space", "look-alike"] as const;
export type Looseness = (typeof loosenesses)[number];

/** Lines [first, last) counted from 0; if both are equal, the gap before that line. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** One replacement in the base text. Offsets are exact; `lines` is the same range for display. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  /** The characters of the base between `start` and `end`. */
  readonly removed: string;
  readonly text: string;
  readonly lines: LineRange;
  /** How many lines replace them. */
  readonly written: number;
  /** The hunks that caused it, as indices into the file's hunks in patch order, counted from 0. */
  readonly hunks: readonly number[];
}

export interface PlacedHunk {
  /** Line of the patch. */
  readonly line: number;
  /** Lines of the text that the hunk was matched against: the base, or the result of earlier hunks. */
  readonly matched: LineRange;
  readonly looseness: Looseness;
  /** It matched text that an earlier hunk of this patch wrote. */
  readonly onEarlier: boolean;
}

export interface Permission {
  readonly verdict: "allow" | "confirm";
  /** Why a person must be asked, most severe first; empty when allowed. */
  readonly reasons: readonly Message[];
  /** The path within the real folder, after links: what a dialog must show. */
  readonly real: string;
}

/**
 * The text that a change was planned on. If the file differs when the plan is applied, the change returns to review.
 */
export interface Base {
  readonly text: string;
  readonly sha256: string;
  /** The document's version; undefined for a text that was computed instead of read. */
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
  /** The path of `to` within the real folder; `permission` covers both names. */
  readonly toReal: string;
  readonly base: Base;
  readonly edits: readonly LineEdit[];
  readonly hunks: readonly PlacedHunk[];
}

export type FileChange = AddChange | DeleteChange | UpdateChange | MoveChange;

/** Without a file, the note is about the patch as a whole. */
export interface PlanNote {
  readonly code: NoteCode;
  readonly file?: FileName;
}

export interface Plan {
  /** How the patch was read, for display only; the changes are complete without it. */
  readonly notes: readonly PlanNote[];
  /** In an order that can be applied one by one: a change that frees a path precedes the one that takes it. */
  readonly changes: readonly FileChange[];
}

// ── Notebooks ──

export interface NotebookCell {
  readonly kind: "code" | "markdown" | "raw";
  /** Of code, as the notebook names it; absent if it names none. */
  readonly language?: string | undefined;
  readonly text: string;
}

/** A cell of a notebook as it is to be. */
export interface CellStep {
  readonly cell: NotebookCell;
  /** The index of the cell that it was; absent for a new one. */
  readonly from?: number;
  /** It leaves the order of the others. */
  readonly isMoved?: true;
}
