// The editor's workspace as the core needs it: live text, folders, links, problems. The shell implements it over
// VS Code, tests over a folder. It answers what is there; what may be read or written is decided above it.

/** A file or folder below one of the open folders; `path` is relative and "/"-separated, empty for the folder itself. */
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
}

export type Reading =
  | { readonly kind: "text"; readonly text: string; readonly version: number }
  | { readonly kind: "binary" };

export interface Workspace {
  /** False in Restricted Mode: then no tool reads or writes, and only what a person attaches is read. */
  readonly trusted: boolean;
  /** Names, in the editor's order. With one folder paths are relative to it; with several they begin with a name. */
  readonly folders: readonly string[];
  look(file: FileName): Promise<Standing>;
  /** The text as the user has it now, unsaved edits included; a byte order mark may lead it. */
  read(file: FileName): Promise<Reading>;
  sha256(text: string): string;
  /** What is directly in a folder, in any order. */
  list(folder: FileName): Promise<readonly Entry[]>;
  /** Errors and warnings the editor shows now, of one file or of all. */
  problems(file?: FileName): readonly ProblemMarker[];
}

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
