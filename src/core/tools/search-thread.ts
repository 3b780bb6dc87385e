// What runs in the thread of a search (line-matcher.ts): a regular expression comes from the model and may take for
// ever, and reading thousands of files is not for the thread of the editor. The functions become text, because a bundle
// has no second file to load: they know nothing but each other and what they are given.
import type * as nodeFs from "node:fs";
import type { MessagePort } from "node:worker_threads";

export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** The line; of a long one what stands around the match. */
  readonly text: string;
}

export interface FoundLines {
  /** The first ones. */
  readonly lines: readonly FoundLine[];
  readonly total: number;
}

export interface StreamedLines {
  readonly lines: readonly StreamedLine[];
  /** Whether the rest of the file was read. */
  readonly isWhole: boolean;
  /** Lines so long that they were searched in pieces. */
  readonly pieces: number;
}

export interface StreamedLine {
  readonly number: number;
  /** The text around it, to tell what of it is secret, and which line of that it is, from 0. */
  readonly around: string;
  readonly index: number;
}

/** Whether a file holds a match: `ask` means that only the editor can tell, since it knows the encoding. */
export type Sifted = "no" | "ask" | "large";

export interface SearchThread {
  readonly text: (task: { readonly text: string; readonly most: number }) => FoundLines;
  readonly files: (task: { readonly places: readonly string[]; readonly utf8: boolean }) => readonly Sifted[];
  readonly stream: (task: { readonly place: string; readonly most: number }) => StreamedLines;
}

export interface ThreadData {
  readonly source: string;
  readonly flags: string;
  /** The same or a simpler expression: what it does not find in a text is in no line of it. */
  readonly holds: string;
  readonly maxBytes: number;
  /** How many files of the present task are done: to be read while it runs. */
  readonly progress: SharedArrayBuffer;
}

interface Tools {
  readonly fs: typeof nodeFs;
  readonly isUtf8: (bytes: Buffer) => boolean;
  readonly isAscii: (bytes: Buffer) => boolean;
  readonly pattern: RegExp;
  readonly holds: RegExp;
  readonly maxBytes: number;
}

function excerpt(line: string, at: number): string {
  const most = 300;
  if (line.length <= most) return line;
  const from = at < most - 100 ? 0 : at - 100;
  const rest = line.length - from - most;
  const [before, after] = [
    from > 0 ? `[${from} characters] ` : "",
    rest > 0 ? ` [${rest} more characters]` : "",
  ];
  return before + line.slice(from, from + most) + after;
}

/** By far the quickest where all lines end alike. */
function splitLines(text: string): string[] {
  return text.includes("\r") ? text.split(/\r\n|\r|\n/) : text.split("\n");
}

/** Where a match begins; -1 where there is none, which is mostly told by a simpler expression. */
function searchLine({ pattern, holds }: Tools, line: string): number {
  return holds.test(line) ? line.search(pattern) : -1;
}

function findLines(tools: Tools, text: string, most: number): FoundLines {
  const lines = splitLines(text);
  if (lines.at(-1) === "") lines.pop();
  const found: FoundLine[] = [];
  let total = 0;
  for (const [index, line] of lines.entries()) {
    const at = searchLine(tools, line);
    if (at < 0) continue;
    if (++total <= most) found.push({ number: index + 1, text: excerpt(line, at) });
  }
  return { lines: found, total };
}

function hasLine(tools: Tools, text: string): boolean {
  const { pattern, holds } = tools;
  if (!holds.test(text)) return false;
  // A text that holds no line's end itself stands in one line.
  if (holds.source === pattern.source && !/[\r\n]/.test(holds.source)) return true;
  return splitLines(text).some(
    (line, index, all) => searchLine(tools, line) >= 0 && (index < all.length - 1 || line !== ""),
  );
}

/** As VS Code tells it: zeros at every second place only. */
function isUtf16(head: Buffer): boolean {
  if (head.length > 1 && (head.readUInt16BE(0) === 0xfeff || head.readUInt16BE(0) === 0xfffe)) return true;
  const zeros = [false, false];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = true;
  return zeros[0] !== zeros[1];
}

function siftFile(tools: Tools, place: string, utf8: boolean): Sifted {
  const { fs } = tools;
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  let file: number | undefined;
  try {
    file = fs.openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = fs.fstatSync(file);
    if (!stat.isFile()) return "no";
    const isLarge = stat.size > tools.maxBytes;
    const bytes = isLarge ? Buffer.alloc(512) : fs.readFileSync(file);
    if (isLarge) fs.readSync(file, bytes);
    if (isUtf16(bytes.subarray(0, 512))) return isLarge ? "large" : "ask";
    if (bytes.includes(0)) return utf8 || isLarge ? "no" : "ask";
    if (isLarge) return "large";
    if (utf8 ? !tools.isUtf8(bytes) : !tools.isAscii(bytes)) return "ask";
    return hasLine(tools, bytes.toString("utf8").replace(/^\ufeff/, "")) ? "ask" : "no";
  } catch {
    return "ask";
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

/** The text of a large file, one mebibyte after the other. */
function* readPieces({ fs, isAscii }: Tools, place: string): Generator<string, void> {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  const file = fs.openSync(place, O_RDONLY | O_NONBLOCK);
  try {
    const all = Buffer.alloc(2 ** 20);
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    let isWithin = true;
    for (let read = fs.readSync(file, all); read > 0; read = fs.readSync(file, all)) {
      const bytes = all.subarray(0, read);
      const head = bytes.subarray(0, 512);
      const wide = head[0] === 0xfe || head[0] === 0 ? "utf-16be" : "utf-16le";
      decoder ??= new TextDecoder(isUtf16(head) ? wide : "utf-8");
      // Several times as quick; not at the beginning, where a mark may be, nor within a character.
      const isPlain = !isWithin && decoder.encoding === "utf-8" && isAscii(bytes);
      yield isPlain ? bytes.toString("latin1") : decoder.decode(bytes, { stream: true });
      isWithin = (bytes.at(-1) ?? 0) > 127;
    }
    yield decoder?.decode() ?? "";
  } finally {
    fs.closeSync(file);
  }
}

/** The same in whole lines; a line that has no end is cut. */
function* readBlocks(tools: Tools, place: string): Generator<{ text: string; isCut: boolean }, void> {
  let rest = "";
  for (const piece of readPieces(tools, place)) {
    rest += piece;
    // A return at the very end may be half of a line end. Backward it would be looked for letter by letter.
    const lastReturn = rest.includes("\r") ? rest.lastIndexOf("\r", rest.length - 2) : -1;
    const end = Math.max(rest.lastIndexOf("\n"), lastReturn) + 1;
    const isCut = end === 0 && rest.length >= 2 ** 20;
    if (end === 0 && !isCut) continue;
    const text = isCut ? rest : rest.slice(0, end);
    rest = rest.slice(text.length);
    yield { text, isCut };
  }
  yield { text: rest, isCut: false };
}

function countLines(text: string): number {
  if (text.includes("\r")) return splitLines(text).length - 1;
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** A line with some of what stands around it: enough to see what of it is a secret. */
function aroundLine(
  lines: readonly string[],
  index: number,
  at: number,
): Pick<StreamedLine, "around" | "index"> {
  const first = Math.max(0, index - 20);
  const around = lines.slice(first, index + 20).map((line, each) => {
    const from = Math.max(0, (first + each === index ? at : 0) - 4096);
    return line.slice(from, from + 8192);
  });
  return { around: around.join("\n"), index: index - first };
}

/** Nothing of a private key is found, which may be longer than what stands around a line. */
function searchStream(tools: Tools, place: string, most: number, step: () => void): StreamedLines {
  const keyLine = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----/;
  const found: StreamedLine[] = [];
  let [number, pieces, inKey] = [0, 0, false];
  let before: readonly string[] = [];
  for (const { text, isCut } of readBlocks(tools, place)) {
    step();
    if (found.length >= most) return { lines: found, isWhole: false, pieces };
    const hasKey = inKey || text.includes("PRIVATE KEY");
    const isFree = !hasKey && !tools.holds.test(text);
    // Of a block without a match the last lines stand before the next one's first.
    const lines = isFree ? splitLines(text.slice(-(2 ** 16))) : [...before, ...splitLines(text)];
    if (!isCut && lines.at(-1) === "") lines.pop();
    for (let index = isFree ? lines.length : before.length; index < lines.length; index++) {
      const line = lines[index] ?? "";
      const key = hasKey ? keyLine.exec(line) : null;
      const wasInKey = inKey;
      if (key !== null) inKey = line.lastIndexOf("-----BEGIN") > line.lastIndexOf("-----END");
      if (wasInKey || key !== null || found.length >= most) continue;
      const at = searchLine(tools, line);
      if (at >= 0)
        found.push({ number: number + index - before.length + 1, ...aroundLine(lines, index, at) });
    }
    number += countLines(text);
    if (isCut) pieces++;
    before = lines.slice(-20);
  }
  return { lines: found, isWhole: true, pieces };
}

type Fs = typeof nodeFs;
type ThreadPort = Pick<MessagePort, "on" | "postMessage">;

function serve(require: (name: string) => unknown): void {
  const { parentPort, workerData } = require("node:worker_threads") as {
    parentPort: ThreadPort;
    workerData: ThreadData;
  };
  const { isUtf8, isAscii } = require("node:buffer") as Pick<Tools, "isUtf8" | "isAscii">;
  const { source, flags, holds, maxBytes } = workerData;
  const progress = new Int32Array(workerData.progress);
  const step = () => void Atomics.add(progress, 0, 1);
  const pattern = new RegExp(source, flags);
  const fs = require("node:fs") as Fs;
  const tools: Tools = { fs, isUtf8, isAscii, pattern, holds: new RegExp(holds, flags), maxBytes };
  const work: SearchThread = {
    text: ({ text, most }) => findLines(tools, text, most),
    files: ({ places, utf8 }) =>
      places.map((place) => {
        step();
        return siftFile(tools, place, utf8);
      }),
    stream: ({ place, most }) => searchStream(tools, place, most, step),
  };
  parentPort.on("message", ([kind, task]: [keyof SearchThread, never]) => {
    parentPort.postMessage({ started: true });
    try {
      parentPort.postMessage({ answer: work[kind](task) });
    } catch {
      parentPort.postMessage({});
    }
  });
}

const parts = [
  excerpt,
  splitLines,
  searchLine,
  findLines,
  hasLine,
  isUtf16,
  siftFile,
  readPieces,
  readBlocks,
  countLines,
  aroundLine,
  searchStream,
];

/** For `new Worker`. */
export const threadSource = `${parts.join("\n")}\n(${serve})(require);`;
