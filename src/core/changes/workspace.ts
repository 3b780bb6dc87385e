// The editor's workspace as the core needs it: live text, folders, links, problems. The shell implements it over
// VS Code, tests over a folder. It answers what is there; what may be read or written is decided above it.
import type { Message } from "../messages/message.ts";
import type { FileChange, FileName, Workspace as PatchWorkspace } from "../patch/model.ts";

export interface Workspace extends PatchWorkspace {
  /** False in Restricted Mode: then no tool reads or writes, and only what a person attaches is read. */
  readonly trusted: boolean;
  /** As the file is on the disk. */
  bytes(file: FileName): Promise<Uint8Array>;
  /** The paths that an address has, from the root on: as it is written, and where it leads once links are followed. */
  follow(address: string): Promise<readonly string[]>;
  /** What is directly in a folder, in any order. */
  list(folder: FileName): Promise<readonly Entry[]>;
  /** It holds what is not saved yet; absent: nothing is known of that. */
  isUnsaved?(file: FileName): boolean;
  /** A person has it open, or is looking at what becomes of it. */
  isOpened?(file: FileName): boolean;
  /** For so many milliseconds its text is known to the editor, as far as that was seen; absent: it is not, or nobody knows. */
  openFor?(file: FileName): number | undefined;
  /** Errors and warnings the editor shows now, of one file or of all. */
  problems(file?: FileName): readonly ProblemMarker[];
  /** They are others; absent: nobody tells. */
  onDidChangeProblems?(listener: (files: readonly FileName[]) => void): { dispose(): void };
  /**
   * All changes as one step, or none. Just before, it looks once more: a text or a real path that is no longer what
   * the change was planned on makes all of them `stale`. Once called it comes to its end; a stop does not halve it.
   */
  apply(changes: readonly FileChange[], label: string, purpose?: Purpose): Promise<Applied>;
  /** Absent: no folder lies on this machine's own disk, and everything is asked of the editor. */
  readonly disk?: LocalDisk;
}

/** Looks through many files at once, past the editor. It only says which are worth reading. */
export interface LocalDisk {
  /** Where a file or folder lies; undefined where that is another file system. */
  place(file: FileName): string | undefined;
  /** Files that are open: what is on the disk is not what a person has in front of them. */
  opened(): readonly FileName[];
  /** The editor takes every file of this folder for UTF-8. */
  isUtf8(folder: FileName): boolean;
  /**
   * Tells the paths below a place of all files that may hold what is looked for, in any order, files left out by Git's
   * ignore files not among them. False where there is no program for it, or not for this query.
   */
  mayHold(place: string, query: DiskQuery, take: (paths: readonly string[]) => void): Promise<boolean>;
}

export interface DiskQuery {
  /** In the language of ripgrep; `undefined`: whatever the files hold. */
  readonly pattern: string | undefined;
  /** What fits in files whose characters take two bytes; `undefined`: all that may be such a file is wanted. */
  readonly wide: string | undefined;
  readonly ignoreCase: boolean;
  /** Only files whose name fits, or all in folders whose name does: no slash is in it. */
  readonly name: string | undefined;
  /** Ends it within moments. */
  readonly signal: AbortSignal;
}

/** What a person is told that they agree to. */
export type Purpose = "apply" | "undo";

export type Applied =
  /** `unsaved`: what should have been saved as well, and could not be; the editor holds it. */
  | { readonly outcome: "applied"; readonly unsaved?: readonly FileName[] }
  | { readonly outcome: "stale" }
  /** A person was asked once more by the editor itself, and said no; everything is as it was. */
  | { readonly outcome: "declined" }
  /** One sentence for people; everything is as it was, but where it says so itself: `halfDone`. */
  | { readonly outcome: "refused"; readonly why: Message; readonly halfDone?: true };

export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

export interface ProblemMarker {
  readonly file: FileName;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** Who found it: `ts`, `eslint`. */
  readonly source?: string;
  readonly code?: string;
}

/** Where no folder is open. */
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
