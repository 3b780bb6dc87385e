// The editor's workspace as the core needs it: live text, folders, links, problems. The shell implements it over
// VS Code, tests over a folder. It answers what is there; what may be read or written is decided above it.

export interface Workspace {
  /** False in Restricted Mode: then no tool reads or writes, and only what a person attaches is read. */
  readonly trusted: boolean;
  /** In the editor's order; their names differ from each other. */
  readonly folders: readonly Folder[];
  /** The text as the editor has it, unsaved changes included. Throws WorkspaceError. */
  read(place: Place, maxBytes: number, signal: AbortSignal): Promise<FileText>;
  /** What is directly in a folder, in any order. Throws WorkspaceError. */
  list(place: Place, signal: AbortSignal): Promise<readonly Entry[]>;
  /**
   * Where a place really is once every link is followed; for what does not exist, its nearest ancestor decides.
   * `undefined`: outside of every folder.
   */
  realPlace(place: Place): Promise<Place | undefined>;
  /** Errors and warnings the editor shows now, of one file or of all. */
  problems(place?: Place): readonly ProblemMarker[];
}

export interface Folder {
  readonly name: string;
}

/** A file or folder of the workspace. `path` is relative to its folder, with `/`; empty for the folder itself. */
export interface Place {
  readonly folder: string;
  readonly path: string;
}

export interface FileText {
  readonly text: string;
  /** Grows with every change the editor sees. */
  readonly version: number;
}

export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

export interface ProblemMarker {
  readonly place: Place;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** Who found it: `ts`, `eslint`. */
  readonly source?: string;
  readonly code?: string;
}

export type WorkspaceErrorKind =
  | "missing"
  | "is-folder"
  | "not-folder"
  | "binary"
  | "too-large"
  | "unreadable";

/** An expected failure; the sentence is made by whoever knows for whom. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  readonly kind: WorkspaceErrorKind;

  constructor(kind: WorkspaceErrorKind) {
    super(kind);
    this.kind = kind;
  }
}
