// Runs VS Code's bundled ripgrep: over a folder, to find out which files are worth reading, over texts, and over one
// large file. Never uses one from the PATH or the workspace, and runs it without a shell, a configuration file or our
// environment. Independent of the editor.
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { message } from "../conversation/messages.ts";
import { Refusal } from "../files/refusal.ts";
import type { DiskQuery, LinePattern } from "../files/workspace.ts";

/**
 * Relative to the application's folder. Before VS Code 1.122 only the program for the current platform was included.
 */
function placesBelow(appRoot: string): string[] {
  const { platform, arch } = process;
  const name = platform === "win32" ? "rg.exe" : "rg";
  const packages = [
    ["@vscode", "ripgrep-universal", "bin", `${platform}-${arch}`],
    ["@vscode", "ripgrep", "bin", `${platform}-${arch}`],
    ["@vscode", "ripgrep", "bin"],
    ["vscode-ripgrep", "bin"],
  ];
  // Programs of a packed package are next to the archive; code-server keeps VS Code in a subfolder.
  const roots = [["node_modules.asar.unpacked"], ["node_modules"], ["lib", "vscode", "node_modules"]];
  return roots.flatMap((root) => packages.map((steps) => join(appRoot, ...root, ...steps, name)));
}

export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  for (const place of placesBelow(appRoot)) {
    const runs = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return place;
  }
  return undefined;
}

/** Whoever has that much of a text knows where it is. */
const longestQuery = 2000;

interface QueryOptions {
  /** The query is an expression; otherwise it is searched for letter by letter. */
  readonly regex: boolean;
  readonly caseSensitive: boolean;
}

/** What ripgrep is asked for. Throws Refusal. */
export function createPattern(query: string, { regex, caseSensitive }: QueryOptions): LinePattern {
  if (query === "") throw new Refusal(message("toolNoQuery"));
  if (query.length > longestQuery) throw new Refusal(message("toolQueryLong", { most: longestQuery }));
  if (/[\r\n]/.test(query)) throw new Refusal(message("toolQueryLines"));
  const source = regex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return { source, ignoreCase: !caseSensitive };
}

/** Which files of a folder are looked at: its ignore files count, and no others. */
const filesLooked = [
  ...["--null", "--path-separator=/", "--no-follow", "--hidden"],
  ...["--no-ignore-global", "--no-ignore-parent", "--no-ignore-exclude", "--no-ignore-dot"],
  ...["--no-require-git", "--glob=!**/node_modules", "--glob=!**/.git"],
];

const always = ["--no-config", "--color=never", "--no-messages"];

/** Patterns are of ripgrep's own engine, whose time grows with the text alone; its table has a limit of our own. */
const patternArguments = ({ source, ignoreCase }: LinePattern): string[] => [
  ...[ignoreCase ? "--ignore-case" : "--case-sensitive", "--no-multiline", "--engine=default"],
  ...["--dfa-size-limit=128M", "-e", withLineStarts(source)],
];

/**
 * ripgrep takes `\A` for the beginning of each line, too, until it looks for the column: then it is the beginning of all
 * that it has read, and the line has none.
 */
const withLineStarts = (source: string): string =>
  source.replace(/\\./gs, (pair) => (pair === "\\A" ? "^" : pair));

/** What ripgrep itself does not decode: bytes beyond ASCII in an encoding that only the editor knows, and zeros. */
const undecoded = "(?-u:[\\x00\\x80-\\xff])";

/** Every notebook has this name in it. What is in its cells, the file spells in another way. */
const inNotebooks = '"nbformat"';

function folderArguments({ pattern, isUtf8, name }: DiskQuery): string[] {
  const names = name === undefined ? [] : [`--glob=${name}`, `--glob=**/${name}/**`];
  const files = [...always, ...names, ...filesLooked];
  if (pattern === undefined) return [...files, "--files", "--", "./"];
  const decoding = isUtf8 ? [] : ["--text", "--encoding=none", "-e", undecoded];
  const patterns = [...patternArguments(pattern), "-e", inNotebooks];
  return [...files, "--files-with-matches", "--crlf", ...decoding, ...patterns, "--", "./"];
}

/** For `LocalDisk.mayHold`. Rejects with the signal's reason when aborted. */
export async function mayHold(
  program: string,
  place: string,
  query: DiskQuery,
  take: (paths: readonly string[]) => void,
): Promise<boolean> {
  let rest = "";
  const ended = await run(program, folderArguments(query), {
    cwd: place,
    signal: query.signal,
    take(text) {
      const paths = (rest + text).split("\0");
      rest = paths.pop() ?? "";
      take(paths.map((path) => path.replace(/^\.\//, "")));
    },
  });
  if (ended === undefined) return false;
  if (ended.complaint === "") return true;
  if (query.pattern === undefined) return false;
  throw noPattern(query.pattern, ended.complaint);
}

interface LineMatch {
  /** Starting at 1. */
  readonly line: number;
  /** In bytes of UTF-8: where the first match of the line begins. */
  readonly start: number;
}

/** The lines of a text in pieces that match. Throws Refusal, and the signal's reason when aborted. */
export async function matchLines(
  program: string,
  text: readonly Uint8Array[],
  pattern: LinePattern,
  signal: AbortSignal,
): Promise<readonly LineMatch[]> {
  const found: LineMatch[] = [];
  // The text is here: of the lines only their numbers are wanted.
  const shape = ["--no-filename", "--no-heading", "--line-number", "--column", "--max-columns=1"];
  const reading = ["--text", "--encoding=none", "--no-crlf"];
  const eachLine = inLines((line) => {
    const [, number, column] = /^(\d+):(\d+):/.exec(line) ?? [];
    if (number !== undefined) found.push({ line: Number(number), start: Number(column) - 1 });
  });
  const all = [...always, ...shape, ...reading, ...patternArguments(pattern), "--", "-"];
  answered(await run(program, all, { input: text, signal, take: eachLine }), pattern);
  return found;
}

export interface FileLine {
  readonly number: number;
  /** Of a very long line, the part around the match, or its beginning. */
  readonly text: string;
  /** Where the match begins in `text`; absent if the line is only near one. */
  readonly at?: number;
}

/** Characters of a line of a large file before and after a match. */
const maxAround = 4096;

interface WantedOfFile {
  readonly most: number;
  /** Lines before and after each match. */
  readonly near: number;
  /** Lines that are as if they were not there. */
  skips?(line: number): boolean;
}

/** The first matching lines of a file on the disk, and those near them. Throws like `matchLines`. */
export async function matchFile(
  program: string,
  place: string,
  pattern: LinePattern,
  { most, near, skips = () => false }: WantedOfFile,
  signal: AbortSignal,
): Promise<readonly FileLine[]> {
  const found: FileLine[] = [];
  let matches = 0;
  const isEnough = () => matches >= most;
  const shape = ["--no-filename", "--no-heading", "--line-number", "--column", "--no-context-separator"];
  const reading = [`--context=${near}`, "--crlf"];
  const eachLine = inLines((line) => {
    const [head = "", number, column] = /^(\d+)(?:-|:(\d+):)/.exec(line) ?? [];
    if (number === undefined || isEnough() || skips(Number(number))) return;
    const text = line.slice(head.length).replace(/\r$/, "");
    if (column === undefined) found.push({ number: Number(number), text: text.slice(0, 2 * maxAround) });
    else {
      matches++;
      found.push({ number: Number(number), ...around(text, Number(column) - 1) });
    }
  });
  const all = [...always, ...shape, ...reading, ...patternArguments(pattern), "--", place];
  answered(await run(program, all, { signal, take: eachLine, isEnough }), pattern);
  return found;
}

function around(line: string, start: number): { text: string; at: number } {
  const at = lettersIn(line, start);
  const from = Math.max(0, at - maxAround);
  return { text: line.slice(from, at + maxAround), at: at - from };
}

/** How many UTF-16 units the first bytes of a text are. */
export const lettersIn = (text: string, bytes: number): number =>
  Buffer.from(text.slice(0, bytes)).subarray(0, bytes).toString().length;

/** Whole lines out of pieces of a text. */
function inLines(take: (line: string) => void): (piece: string) => void {
  let rest: string[] = [];
  return (piece) => {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      take(rest.join("") + line);
      rest = [];
    }
    rest.push(last);
  };
}

interface Ended {
  /** What ripgrep says of a pattern that it does not understand; it complains of nothing else. */
  readonly complaint: string;
}

function answered(ended: Ended | undefined, pattern: LinePattern): void {
  if (ended === undefined) throw new Refusal(message("toolSearchBroken", { query: pattern.source }));
  if (ended.complaint !== "") throw noPattern(pattern, ended.complaint);
}

/** In the one line of its complaint that says what is wrong. */
function noPattern({ source }: LinePattern, complaint: string): Refusal {
  const lines = complaint.split("\n");
  const why = lines.findLast((line) => line.startsWith("error: ")) ?? lines[0] ?? "";
  return new Refusal(message("toolNoRegex", { query: source, why: why.replace(/^(?:error|rg): /, "") }));
}

/** Windows needs these to find its own components. */
const hardened = (): NodeJS.ProcessEnv => {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
};

interface Run {
  readonly cwd?: string;
  /** A text for its standard input, in pieces. */
  readonly input?: readonly Uint8Array[];
  readonly signal: AbortSignal;
  take(piece: string): void;
  /** Asked after each piece; if it is, the program is ended. */
  isEnough?(): boolean;
}

/** Resolves with `undefined` if the program cannot be started. Rejects with the signal's reason when aborted. */
function run(program: string, args: readonly string[], { cwd, input, signal, take, isEnough }: Run) {
  signal.throwIfAborted();
  return new Promise<Ended | undefined>((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: hardened(),
      shell: false,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const stop = () => {
      child.kill("SIGKILL");
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    const end = (answer: Ended | undefined) => {
      signal.removeEventListener("abort", stop);
      resolve(answer);
    };
    let complaint = "";
    const letters = new StringDecoder("utf8");
    child.stdout.on("data", (bytes: Buffer) => {
      take(letters.write(bytes));
      if (isEnough?.() !== true) return;
      child.kill("SIGKILL");
      end({ complaint: "" });
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    child.once("error", () => end(undefined));
    child.once("close", (code) => {
      if (code !== 0 && code !== 1 && code !== 2) end(undefined);
      else end({ complaint: code === 2 ? complaint : "" });
    });
    // It ends without reading when it does not understand the pattern.
    child.stdin.on("error", () => {});
    for (const piece of input ?? []) child.stdin.write(piece);
    child.stdin.end();
  });
}
