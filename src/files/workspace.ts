// The editor's workspace as the other rooms need it: live text, folders, links, problems. Implemented over VS Code, and
// over a folder in tests. It only reports what exists; the layers above decide what may be read or written.
import type { Message } from "../conversation/messages.ts";
import type { FileChange, FileName, Workspace as PatchWorkspace } from "../patch/model.ts";
import type { Disposable } from "../util/disposables.ts";

export interface Workspace extends PatchWorkspace {
  /** False in Restricted Mode: then no tool reads or writes, and only what a person attaches is read. */
  readonly trusted: boolean;
  /** The file as it is on the disk. */
  bytes(file: FileName): Promise<Uint8Array>;
  /** All paths of an address from the root on: as written, and where it leads once links are resolved. */
  follow(address: string): Promise<readonly string[]>;
  /** The direct entries of a folder, in any order. */
  list(folder: FileName): Promise<readonly Entry[]>;
  /** Whether it has unsaved changes; absent if that is unknown. */
  isUnsaved?(file: FileName): boolean;
  /** Whether a person has it open or is looking at its preview. */
  isOpened?(file: FileName): boolean;
  /** For how many milliseconds the editor is known to have held its text; absent if it does not, or if unknown. */
  openFor?(file: FileName): number | undefined;
  /** Errors and warnings the editor shows now, of one file or of all. */
  problems(file?: FileName): readonly ProblemMarker[];
  /** Fires when problems change; absent if nobody reports that. */
  onDidChangeProblems?(listener: (files: readonly FileName[]) => void): { dispose(): void };
  /**
   * Applies all changes as one step, or none. Just before, it checks again: if a text or a real path is no longer what
   * the change was planned on, the outcome is `stale`. Once called it runs to its end; a stop does not interrupt it
   * halfway.
   */
  apply(changes: readonly FileChange[], label: string, purpose?: Purpose): Promise<ApplyOutcome>;
  /** Absent if no folder is on this machine's own disk, so that everything has to go through the editor. */
  readonly disk?: LocalDisk;
  /** The path of the editor's ripgrep; absent, or nothing, where there is none. */
  ripgrep?(): Promise<string | undefined>;
  /** Absent if nobody knows the code. */
  readonly languages?: Languages;
  /** Absent if nobody reads Git's history. */
  readonly git?: GitHistory;
}

/** Reads the history of a file, or of a folder with all below it. `undefined`: it is in no repository. */
export interface GitHistory {
  /** The latest commits, beginning with the last one. */
  log(at: FileName, count: number): Promise<readonly Commit[] | undefined>;
  /** Without `from`: what is not committed. Without `to`: up to the files on the disk. */
  diff(at: FileName, from?: string, to?: string): Promise<string | undefined>;
  /** The address of the repository's folder, in which the paths of such a diff begin. */
  rootOf(at: FileName): Promise<string | undefined>;
  /** Each line of a file on the disk behind the commit that wrote it, as `git blame` prints it. */
  blame(file: FileName): Promise<string | undefined>;
}

interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly date: Date | undefined;
  readonly message: string;
}

/**
 * What the editor's language services know about code. Where nothing is found, nobody can tell whether there is a
 * service for that language, or whether it is still starting.
 */
export interface Languages {
  /** The symbols of a file in their order, each followed by those inside it. */
  outline(file: FileName): Promise<readonly CodeSymbol[]>;
  /** Symbols of the whole workspace with a name like this one. */
  symbols(name: string): Promise<readonly (CodeSymbol & { readonly file: FileName })[]>;
  /** `name`: what is written at that place. */
  places(kind: "definition" | "references", name: string, at: CodePlace): Promise<CodePlaces>;
  /** What renaming the symbol at that place would change. `name`: its current name in the text. */
  rename(name: string, at: CodePlace, to: string): Promise<NameChanges>;
  /** What the editor shows when the pointer rests on that place, as Markdown. */
  hover(at: CodePlace): Promise<readonly string[]>;
}

export interface CodePlace {
  readonly file: FileName;
  /** 1-based. */
  readonly line: number;
  /** In UTF-16 units, 1-based. */
  readonly column: number;
}

export interface CodePlaces {
  readonly places: readonly (CodePlace & {
    /** The last line of what is declared there; absent if unknown. */
    readonly last?: number | undefined;
    /** The line is only proposed, so its name was found by its letters. */
    readonly isProposed?: true;
  })[];
  /** How many places are in no folder of the workspace, such as in a standard library. */
  readonly outside: number;
}

/** A part of a line, and what replaces it. */
export interface NameEdit extends CodePlace {
  readonly length: number;
  readonly text: string;
}

export interface FileMove {
  readonly from: FileName;
  readonly to: FileName;
}

export interface NameChanges {
  /** In files by their names as they are now, also where one is moved. */
  readonly edits: readonly NameEdit[];
  /** Files that get another name with it, such as one that is named for a class. */
  readonly moves?: readonly FileMove[];
  /** How many files it would create or remove, or move from or to where no folder of the workspace is. */
  readonly otherFiles?: number;
  /** How many changes are in no folder of the workspace, or not within a line. */
  readonly others: number;
  /** Lines that are only proposed and have the name, which the language service does not know. */
  readonly left?: readonly CodePlace[];
  /** Why there are none, in the words of the language service. */
  readonly why?: string;
}

export interface CodeSymbol {
  readonly name: string;
  /** `class`, `method`, `enum member`. */
  readonly kind: string;
  /** 1-based: where its name is. */
  readonly line: number;
  /** Its last line; absent if unknown. */
  readonly last?: number | undefined;
  /** How many symbols it is inside of. */
  readonly depth: number;
}

/** Searches many files at once, bypassing the editor. It only tells which ones are worth reading. */
export interface LocalDisk {
  /** The path of a file or folder on the disk; undefined if it is in another file system. */
  place(file: FileName): string | undefined;
  /** Open files, whose content may differ from the disk. */
  opened(): readonly FileName[];
  /** Whether the editor reads every file of this folder as UTF-8. */
  isUtf8(folder: FileName): boolean;
  /**
   * Passes on the paths below a place of all files that may contain what is searched for, in any order, without those
   * that Git's ignore files exclude. False if there is no program for it. Throws Refusal for a pattern that it does
   * not understand.
   */
  mayHold(place: string, query: DiskQuery, take: (paths: readonly string[]) => void): Promise<boolean>;
}

/** What is looked for in lines. */
export interface LinePattern {
  /** In ripgrep's syntax. */
  readonly source: string;
  readonly ignoreCase: boolean;
}

export interface DiskQuery {
  /** `undefined` matches any content. */
  readonly pattern: LinePattern | undefined;
  /** Otherwise every file is wanted that ripgrep may decode differently from the editor. */
  readonly isUtf8: boolean;
  /** A glob without slashes: only files whose name matches, or everything in folders whose name does. */
  readonly name: string | undefined;
  /** Ends the search within moments. */
  readonly signal: AbortSignal;
}

/** What changes are made for: they come for the first time, are undone, or are applied again. */
export type Purpose = "apply" | "undo" | "again";

export type ApplyOutcome =
  /** `unsaved`: files that should have been saved as well but were not; the editor holds their changes. */
  | { readonly outcome: "applied"; readonly unsaved?: readonly FileName[] }
  | { readonly outcome: "stale" }
  /** The editor itself asked the person again, who declined; everything is as it was. */
  | { readonly outcome: "declined" }
  /**
   * `why` is one sentence for people. Everything is as it was unless `halfDone` is set. `files` are those that cannot
   * be written, each with its reason; the others might succeed without them. Empty: it is one of them, but which one is
   * unknown. Absent: single files are not the cause.
   */
  | {
      readonly outcome: "refused";
      readonly why: Message;
      readonly files?: readonly RefusedFile[];
      readonly halfDone?: true;
    };

export interface RefusedFile {
  readonly file: FileName;
  readonly why: Message;
}

export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

export interface ProblemMarker {
  readonly file: FileName;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** The tool that reported it: `ts`, `eslint`. */
  readonly source?: string;
  readonly code?: string;
}

/** Used when no folder is open. */
export const noWorkspace: Workspace = {
  trusted: false,
  folders: [],
  look: () => Promise.reject(new Error("No folder is open.")),
  read: () => Promise.reject(new Error("No folder is open.")),
  bytes: () => Promise.reject(new Error("No folder is open.")),
  follow: () => Promise.reject(new Error("No folder is open.")),
  list: () => Promise.reject(new Error("No folder is open.")),
  sha256: () => "",
  problems: () => [],
  apply: () => Promise.reject(new Error("No folder is open.")),
};

/** What the editor knows about the files of the workspace. */
export interface FileFinder {
  /**
   * The paths, relative to their folder, of all files at or below a place, except those that the editor's search
   * excludes. Empty if nothing is there, or if it cannot search.
   */
  find(place: FileName, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether its search respects ignore files in this folder. */
  heedsIgnoreFiles(folder: string): boolean;
  /** Fires when a file is created or deleted there, or an ignore file changes. */
  onChange(listener: (place: FileName) => void): Disposable;
  /** Files that are or recently were open, the latest first. */
  recent(): readonly FileName[];
}
