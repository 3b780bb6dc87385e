// Types for checks: a check is a command that a person has configured for a folder. Also reads checks from the
// settings. Runs nothing.
import type { FileState } from "../changes/proposal.ts";
import type { Message } from "../conversation/messages.ts";
import type { FileName } from "../patch/model.ts";
import { forLog } from "../util/sentences.ts";
import { isTimeout } from "./internal/check-timeout.ts";
import type { JudgeInput, Verdict } from "./judge.ts";

/** Tests run code that nobody has read yet; static checks run only code that the workspace already has. */
export type CheckKind = "static" | "tests";

/** A check as written in the settings. */
export interface CheckRow {
  readonly name: string;
  readonly command: string;
  readonly kind: CheckKind;
  /** Run only if a matching file is proposed; absent: always. */
  readonly files?: string;
  /** Files and folders that Git ignores but the check needs, relative to its folder. */
  readonly ignoredFiles?: readonly string[];
  readonly timeoutSeconds?: number;
  /** Whether it runs automatically on each proposal. Absent: static checks do, tests do not. */
  readonly automatic?: boolean;
}

/** A row that a person has accepted for a folder, as it would run now. */
export interface Check extends CheckRow {
  /** Derived from the folder, the command and the script that the command names. */
  readonly id: string;
  readonly folder: string;
  /** The text of the scripts that the command names, as on the disk: what really runs. */
  readonly body?: string;
  /** The command or its scripts differ from what was accepted. */
  readonly isChanged?: boolean;
  /** Set if the check only reads the proposal and executes nothing of it. */
  readonly reader?: Reader;
  /** What would run with the proposal applied, if that differs from `body`. */
  readonly proposedBody?: string;
  /** Must run in a sandbox or not at all. */
  readonly isConfined?: boolean;
  /** A person has agreed to run exactly this, whatever is proposed. */
  readonly isAlways?: boolean;
  /** Packages in which the check did not find a planted error: it does not see proposed edits there. */
  readonly blind: readonly string[];
}

export const runsAutomatically = ({ kind, automatic }: CheckRow): boolean => automatic ?? kind === "static";

/** Files whose contents differ from the disk, with those contents. */
export type Overlaid = readonly (readonly [FileName, FileState])[];

/** `sandbox`: there was none, or it could not be created; the command has not started. */
export type RunEnd = "done" | "timeout" | "output" | "disk" | "memory" | "processes" | "broken" | "sandbox";

export interface CheckRun {
  readonly end: RunEnd;
  /** Absent if a signal ended the process. */
  readonly code?: number;
  /** The signal that ended the process, if that is known. */
  readonly signal?: string;
  /** Combined output, including errors. Paths in the copy are already relative. */
  readonly output: string;
  readonly seconds: number;
  /** Files below the real folder that changed during the run. */
  readonly touched?: readonly string[];
  /** Proposed files of a kind the check covers that it did not look at; absent if unknown. */
  readonly notSeen?: readonly string[];
}

/** A command line that runs once, on the copy with the proposal. */
export interface CommandLine {
  readonly line: string;
  readonly seconds: number;
  /** It runs in a sandbox or not at all. */
  readonly isConfined: boolean;
  /** A person has agreed that it uses the network of this machine. Without a sandbox it can in any case. */
  readonly hasNetwork: boolean;
  /** Whether the contents of a file that it has left are wanted. */
  wants(path: string): Promise<boolean>;
  /** Called with each piece of the output as it arrives, with the paths of the copy. */
  onOutput(piece: string): void;
}

/** A text file that a command has written or deleted. */
export interface LeftFile {
  readonly path: string;
  /** `undefined`: it was deleted. */
  readonly text: string | undefined;
  /** What the command found; `undefined`: nothing. */
  readonly before: string | undefined;
  /** The file of the real folder has changed while the command ran. */
  readonly isStale: boolean;
}

/**
 * What a command has changed besides. `deleted`: a file that is no text. `unreadable`: a folder; nobody knows what
 * became of the files in it. `outputs`: all of a notebook but its cells' texts. `renamed`: a notebook, whose deletion
 * under the old name is not proposed either.
 */
export interface OtherFile {
  readonly path: string;
  readonly bytes?: number;
  readonly why:
    | "ignored"
    | "private"
    | "large"
    | "binary"
    | "link"
    | "special"
    | "deleted"
    | "unreadable"
    | "outputs"
    | "renamed";
}

export interface CopyChanges {
  readonly files: readonly LeftFile[];
  readonly others: readonly OtherFile[];
  /** More than a patch may change; then none are listed. */
  readonly isTooMany?: true;
  /** The command has removed the copy itself. */
  readonly isGone?: true;
}

/** What changed in the real folder while a command ran with the person's rights. */
export interface Touched {
  /** Without those that the privacy rules exclude. */
  readonly touched?: readonly string[];
  /** How many of those there are. */
  readonly touchedPrivate?: number;
}

export interface CommandRun extends CheckRun, Touched {
  readonly changes: CopyChanges;
}

/** A command was stopped after something had changed in the real folder. */
export class StoppedCommand extends Error {
  readonly touched: Touched;

  constructor(touched: Touched, cause: unknown) {
    super(forLog("A command was stopped."), { cause });
    this.touched = touched;
  }
}

/** A copy of a folder on which checks run one after another. */
export interface CheckCopy {
  /** Runs a command line, and says what it has changed. Nothing of that stays in the copy. */
  command(command: CommandLine, signal: AbortSignal): Promise<CommandRun>;
  /** Runs the check with the proposal applied, or with these contents in its place. */
  run(check: Check, signal: AbortSignal, part?: Overlaid): Promise<CheckRun>;
  /** Runs the check without the proposal; the result is cached for this state of the files. */
  baseline(check: Check, signal: AbortSignal): Promise<CheckRun>;
  /** The cached baseline for these files, if there is one. Runs nothing. */
  knownBaseline(check: Check, signal: AbortSignal): Promise<CheckRun | undefined>;
}

/**
 * Uses that belong together, of the same files and the same texts: each finds the copy as the one before it has left it,
 * unless somebody else was served between them. Ends with a use without it.
 */
export interface CopySearch {
  readonly name: string;
}

/** Whether a program can run in a sandbox, so that it changes nothing but its copy. */
export type Confinement =
  | { readonly kind: "sandbox" }
  | {
      readonly kind: "none";
      readonly why: Message;
      /** A command that the user can run to fix it. */
      readonly remedy?: string;
    };

/** Size of installed dependencies, if they are so large that copying them takes a while. */
interface CopySize {
  readonly files: number;
  readonly bytes: number;
}

/** Runs checks. */
export interface CheckHost {
  /** The accepted checks in order, as they would run with these contents; empty if none can run. */
  checks(overlaid: Overlaid): Promise<readonly Check[]>;
  confinement(): Promise<Confinement>;
  /** Records that a person agreed to what this check runs in its folder, whatever is proposed. */
  allowAlways(check: Check): Promise<void>;
  /** Judges the outputs of runs. `undefined` if the baseline is needed first. */
  judge(judging: JudgeInput): Promise<Verdict | undefined>;
  /**
   * How much must be copied before a program can run in the folder; `undefined` as well if that is not known within
   * seconds, since a question waits for it.
   */
  measure(folder: string, signal: AbortSignal): Promise<CopySize | undefined>;
  /** Whether any check was accepted in this workspace. */
  readonly hasAny: boolean;
  /** Why no check can run in this workspace. */
  readonly obstacle: Message | undefined;
  /** Fires when checks were configured, or when files changed other than those proposed. */
  onDidChange(listener: () => void): { dispose(): void };
  /** Counts changes to the workspace's files. */
  readonly filesRevision: number;
  /** Resolves once the copy is up to date and nobody else uses it. `use` has exclusive access. */
  withCopy<T>(
    folder: string,
    overlaid: Overlaid,
    use: (copy: CheckCopy) => Promise<T>,
    signal: AbortSignal,
    search?: CopySearch,
  ): Promise<T>;
}

/** Reads rows from the settings; skips malformed ones. */
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
        ...(isTimeout(timeoutSeconds) && { timeoutSeconds }),
        ...(typeof automatic === "boolean" && { automatic }),
      },
    ];
  });
}

/**
 * Returns the person's own rows with the chosen ones set to run automatically, `undefined` if all of them already do,
 * or if the person has set it otherwise.
 */
export function withAutomatic(setting: unknown, chosen: readonly CheckRow[]): readonly unknown[] | undefined {
  if (!Array.isArray(setting)) return undefined;
  const isMeant = (each: unknown): boolean => {
    const [row] = readRows([each]);
    if (row === undefined || row.automatic !== undefined) return false;
    return chosen.some(
      ({ name, command, automatic }) => automatic === true && name === row.name && command === row.command,
    );
  };
  if (!setting.some(isMeant)) return undefined;
  return setting.map((each: unknown): unknown =>
    isMeant(each) ? Object.assign({}, each, { automatic: true }) : each,
  );
}

/** Splits a path in Git's notation; `undefined` if it leaves the folder or enters Git's own. */
function pathBelow(name: unknown): readonly string[] {
  if (typeof name !== "string") return [];
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const isOutside = /^(?:\/|[A-Za-z]:)|\\|\0/.test(name) || parts.includes("..") || parts[0] === ".git";
  return isOutside || parts.length === 0 ? [] : [parts.join("/")];
}

// Commands that only read the proposal and execute nothing of it: a short table of programs with flags that were tested
// on a folder full of hostile files (test/unit/checks/readers.slow.test.ts). Every other command is treated as
// executing code.

export interface Reader {
  /** Which program to use; internal/reader-program.ts finds it outside of the proposal. */
  readonly program: "typescript" | "python";
  /** Arguments; `{temporary}` stands for a folder of the run's own. */
  readonly args: readonly string[];
  /** Folders in which a proposal could replace the program's own code. */
  readonly code: readonly string[];
}

/** The compiler's incremental state, in a folder of the run's own. */
export const compilerState = "state.tsbuildinfo";

/** Compiler versions that were tested. Where other versions write, and what, is unknown. */
export const triedCompiler = /^[57]\./;

interface Row extends Pick<Reader, "program" | "code"> {
  readonly start: readonly string[];
  /** Allowed flags and their argument: none, a path below the folder, or a boolean. */
  readonly flags: Readonly<Record<string, "nothing" | "path" | "boolean">>;
  readonly needed: readonly string[];
  /** Accepts paths as positional arguments. */
  readonly takesPaths: boolean;
  args(rest: readonly string[]): readonly string[];
}

/**
 * The compiler loads no plugins (`compilerOptions.plugins` are for the language service:
 * https://www.typescriptlang.org/tsconfig/#plugins), but writes its incremental state and traces to wherever the
 * configuration says, even with `--noEmit`. Both are overridden. Tested with 5.9 and 7.0.
 */
const typescript: Omit<Row, "start"> = {
  program: "typescript",
  code: ["node_modules/typescript/", "node_modules/@typescript/"],
  flags: {
    ...{ "--noEmit": "nothing", "-p": "path", "--project": "path", "--pretty": "boolean" },
    ...{ "--skipLibCheck": "nothing", "--strict": "nothing", "--noErrorTruncation": "nothing" },
  },
  needed: ["--noEmit"],
  takesPaths: false,
  args: (rest) => [
    ...rest,
    ...["--incremental", "--tsBuildInfoFile", `{temporary}/${compilerState}`, "--generateTrace", "null"],
  ],
};

/**
 * In isolated mode, Python imports nothing from the folder it runs in
 * (https://docs.python.org/3/using/cmdline.html#cmdoption-I), and compiling executes nothing
 * (https://docs.python.org/3/library/compileall.html). Its output goes to a separate folder. Tested with 3.11.
 */
const python = (module: string): Row => ({
  program: "python",
  code: [],
  start: ["python3", "-I", "-m", module],
  flags: { "-q": "nothing", "-f": "nothing" },
  needed: [],
  takesPaths: true,
  args: (rest) => ["-I", "-X", "pycache_prefix={temporary}", "-m", module, ...rest],
});

const table: readonly Row[] = [
  { ...typescript, start: ["node", "node_modules/typescript/bin/tsc"] },
  python("compileall"),
  python("py_compile"),
];

/** Returns `undefined` if the command, or any word of it, is not in the table. */
export function readerOf(command: string): Reader | undefined {
  // No shell is used, so the command must not contain shell syntax.
  const words = command.trim().split(/ +/);
  if (!words.every((word) => /^[\w./@=-]+$/.test(word))) return undefined;
  const row = table.find(({ start }) => start.every((word, at) => words[at] === word));
  if (row === undefined) return undefined;
  const rest = words.slice(row.start.length);
  if (!row.needed.every((flag) => rest.includes(flag)) || !isKnown(row, rest)) return undefined;
  const { program, code } = row;
  return { program, code, args: row.args(rest) };
}

function isKnown({ flags, takesPaths }: Row, rest: readonly string[]): boolean {
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    const follows = Object.hasOwn(flags, word) ? flags[word] : undefined;
    if (follows === undefined) {
      if (!takesPaths || !isPath(word)) return false;
      continue;
    }
    if (follows === "nothing") continue;
    const next = rest[++at] ?? "";
    if (follows === "path" ? !isPath(next) : next !== "true" && next !== "false") return false;
  }
  return true;
}

const isPath = (word: string): boolean =>
  word !== "" && !word.startsWith("-") && !word.startsWith("/") && !word.split("/").includes("..");

/** If a script only calls the compiler, returns its flags for a direct call of the compiler. */
export function asReadOnlyCommand(script: string): string | undefined {
  const [, flags] = /^tsc( .*)?$/.exec(script.trim()) ?? [];
  const command = `node node_modules/typescript/bin/tsc${flags ?? ""}`;
  return readerOf(command) === undefined ? undefined : command;
}
