// What a check is: a command that a person has fixed, in one folder; and what is asked of whoever can run it. Types and the
// reading of what the settings say; nothing here runs.
import type { FileState } from "../changes/proposal.ts";
import type { Message } from "../messages/message.ts";
import type { FileName } from "../patch/model.ts";

/** Tests run code that nobody has read yet; static checks run what the workspace has brought for them. */
export type CheckKind = "static" | "tests";

/** As it stands in the settings. */
export interface CheckRow {
  readonly name: string;
  readonly command: string;
  readonly kind: CheckKind;
  /** Runs only where one of these files is proposed; absent: always. */
  readonly files?: string;
  /** Files and folders that Git ignores and it needs all the same, below its folder. */
  readonly ignoredFiles?: readonly string[];
  readonly timeoutSeconds?: number;
  /** By itself on each proposal; absent: static ones do, tests do not. */
  readonly automatic?: boolean;
}

/** A row that a person has accepted for a folder, as it would run now. */
export interface Check extends CheckRow {
  /** From its folder, its text and the script it names. */
  readonly id: string;
  readonly folder: string;
  /** Of the script that it names: what is really run. */
  readonly body?: string;
  /** It is not what was accepted any more. */
  readonly isChanged?: boolean;
  /** It writes into folders that are shared with the workspace. */
  readonly writesOut?: boolean;
  /** Packages in which an error that was planted was not found: it does not see what is proposed there. */
  readonly blind: readonly string[];
}

export const runsByItself = ({ kind, automatic }: CheckRow): boolean => automatic ?? kind === "static";

/** How long it may run. */
export const mostSeconds = ({ kind, timeoutSeconds }: CheckRow): number =>
  timeoutSeconds ?? (kind === "tests" ? 600 : 300);

/** The names and texts that stand for something else than the disk has. */
export type Overlaid = readonly (readonly [FileName, FileState])[];

export type RunEnd = "done" | "timeout" | "output" | "disk" | "broken";

export interface CheckRun {
  readonly end: RunEnd;
  /** Absent: a signal ended it. */
  readonly code?: number;
  /** What it has written, errors among it; paths of the copy are relative already. */
  readonly output: string;
  readonly seconds: number;
}

/** A copy of one folder, on which checks run one after the other. */
export interface CheckCopy {
  /** Which state of the folder's own files it holds. */
  readonly state: string;
  /** With what is proposed. */
  run(check: Check, signal: AbortSignal): Promise<CheckRun>;
  /** Without it; known for this state of the files. */
  baseline(check: Check, signal: AbortSignal): Promise<CheckRun>;
}

/** Where checks can run. */
export interface CheckHost {
  /** Accepted ones alone, in their order; none where none can run. */
  checks(): Promise<readonly Check[]>;
  /** Whether any was accepted here. */
  readonly hasAny: boolean;
  /** Why none can run here. */
  readonly obstacle: Message | undefined;
  /** Checks were set up, or files changed that are not proposed ones. */
  onDidChange(listener: () => void): { dispose(): void };
  /** Counts what happens to the files of the workspace. */
  readonly filesRevision: number;
  /** Resolves once nobody else has the copy and it is up to date. `use` has it alone. */
  withCopy<T>(
    folder: string,
    overlaid: Overlaid,
    use: (copy: CheckCopy) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
}

/** Rows of the settings; what has another form is left out. */
export function readRows(setting: unknown): readonly CheckRow[] {
  if (!Array.isArray(setting)) return [];
  return setting.flatMap((each: unknown): CheckRow[] => {
    if (typeof each !== "object" || each === null) return [];
    const row = each as Record<string, unknown>;
    const { name, command, kind, files, ignoredFiles, timeoutSeconds, automatic } = row;
    if (typeof name !== "string" || typeof command !== "string") return [];
    if (name.trim() === "" || command.trim() === "" || /[\r\n\0]/.test(command)) return [];
    return [
      {
        name: name.trim().slice(0, 40),
        command: command.trim(),
        kind: kind === "tests" ? "tests" : "static",
        ...(typeof files === "string" && files.trim() !== "" && { files: files.trim() }),
        ...(Array.isArray(ignoredFiles) && { ignoredFiles: ignoredFiles.flatMap(pathBelow) }),
        ...(isCount(timeoutSeconds) && { timeoutSeconds }),
        ...(typeof automatic === "boolean" && { automatic }),
      },
    ];
  });
}

/** As Git writes paths; nothing where it leads out of the folder, or into what is Git's own. */
function pathBelow(name: unknown): readonly string[] {
  if (typeof name !== "string") return [];
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const isOutside = /^(?:\/|[A-Za-z]:)|\\|\0/.test(name) || parts.includes("..") || parts[0] === ".git";
  return isOutside || parts.length === 0 ? [] : [parts.join("/")];
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= 3600;
