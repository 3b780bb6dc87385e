// Source of the search thread (line-matcher.ts). The model supplies the regular expression, which may run forever, and
// reading thousands of files would block the extension host. The functions are converted to source text because the
// bundle has no second file to load, so they may only use each other and their arguments.

import type * as nodeFs from "node:fs";
import type { MessagePort } from "node:worker_threads";
import {
  type FoundLines,
  findLines,
  isUtf16,
  lineParts,
  type Sifted,
  searchLine,
  siftFile,
  splitLines,
  type Tools,
  type WantedLines,
} from "../search-lines.ts";

// Files too large for one text are searched piece by piece.

export interface StreamedLines {
  readonly matches: readonly StreamedMatch[];
  /** The file was read to its end. */
  readonly isWhole: boolean;
  /** Number of lines so long that they were searched in pieces. */
  readonly pieces: number;
}

interface StreamedMatch {
  readonly number: number;
  /** The text around the match, which shows whether the line contains a secret, and the index of the line in it. */
  readonly around: string;
  readonly index: number;
  /** Lines to show near the match: their indexes in that text and their numbers in the file. */
  readonly context: readonly { readonly index: number; readonly number: number }[];
}

/** Yields the text of a large file in pieces of one mebibyte. */
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
      // Decoding ASCII is several times as fast. Not possible at the beginning, where a byte order mark may be, or
      // within a character.
      const isPlain = !isWithin && decoder.encoding === "utf-8" && isAscii(bytes);
      yield isPlain ? bytes.toString("latin1") : decoder.decode(bytes, { stream: true });
      isWithin = (bytes.at(-1) ?? 0) > 127;
    }
    yield decoder?.decode() ?? "";
  } finally {
    fs.closeSync(file);
  }
}

interface Block {
  readonly text: string;
  /** The block ends within a line. */
  readonly isCut: boolean;
  readonly isLast: boolean;
}

/** Yields blocks of whole lines; a line without an end is cut. */
function* readBlocks(tools: Tools, place: string): Generator<Block, void> {
  let rest = "";
  for (const piece of readPieces(tools, place)) {
    rest += piece;
    // A carriage return at the very end may be half of a line end. Check with `includes` first, because `lastIndexOf`
    // is slow when there is none.
    const lastReturn = rest.includes("\r") ? rest.lastIndexOf("\r", rest.length - 2) : -1;
    const end = Math.max(rest.lastIndexOf("\n"), lastReturn) + 1;
    const isCut = end === 0 && rest.length >= 2 ** 20;
    if (end === 0 && !isCut) continue;
    const text = isCut ? rest : rest.slice(0, end);
    rest = rest.slice(text.length);
    yield { text, isCut, isLast: false };
  }
  yield { text: rest, isCut: false, isLast: true };
}

function countLines(text: string): number {
  if (text.includes("\r")) return splitLines(text).length - 1;
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The last lines of a text that ends with a line end. */
function lastLines(text: string, count: number): string[] {
  if (text.includes("\r")) return splitLines(text).slice(0, -1).slice(-count);
  let at = text.length - 1;
  for (let left = count; left > 0 && at > 0; left--) at = text.lastIndexOf("\n", at - 1);
  return text.slice(at + 1, -1).split("\n");
}

/** A line with enough of its surroundings to see which parts of it, and of each line shown, are secret. */
function aroundLine(lines: readonly string[], index: number, at: number, reach: number) {
  const from = Math.max(0, index - reach);
  const around = lines.slice(from, index + reach + 1).map((line, each) => {
    const start = Math.max(0, (from + each === index ? at : 0) - 4096);
    return line.slice(start, start + 8192);
  });
  return { from, around: around.join("\n") };
}

/**
 * Never returns lines of a private key, which may be longer than the text around a line. The last lines of a block wait
 * for the next block, so that what follows them is known.
 */
function searchStream(
  tools: Tools,
  place: string,
  { most, context }: WantedLines,
  step: () => void,
): StreamedLines {
  const keyLine = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----/;
  const reach = 20 + context;
  const matches: StreamedMatch[] = [];
  let [pieces, inKey, isWaiting] = [0, false, false];
  // The current lines, how many of them serve only as context, the number of the first line, which lines are pieces of
  // a longer line, and which belong to a key.
  let lines: readonly string[] = [];
  let [searched, first, next] = [0, 1, 1];
  let [cuts, keys] = [new Set<number>(), new Set<number>()];
  const numberOf = (index: number) => first + index - [...cuts].filter((cut) => cut < index).length;
  const isShown = (index: number) =>
    lines[index] !== undefined && !keys.has(index) && !cuts.has(index) && !cuts.has(index - 1);
  const near = (index: number) => {
    const shown: number[] = [];
    for (let each = index - context; each <= index + context; each++) {
      if (each === index) continue;
      // Matches beyond the wanted number would look like lines that do not match.
      const isBehindAll = each > index && matches.length + 1 === most;
      if (isBehindAll && searchLine(tools, lines[each] ?? "") >= 0) break;
      if (isShown(each)) shown.push(each);
    }
    return shown;
  };
  for (const { text, isCut, isLast } of readBlocks(tools, place)) {
    step();
    if (matches.length >= most) return { matches, isWhole: false, pieces };
    const hasKey = inKey || text.includes("PRIVATE KEY");
    if (isCut) pieces++;
    if (!isWaiting && !hasKey && !isLast && !tools.holds.test(text)) {
      // Carry the block's last lines over to the next block.
      lines = isCut ? [text] : lastLines(text, reach);
      next += countLines(text);
      searched = lines.length;
      first = isCut ? next : next - lines.length;
      [cuts, keys] = [new Set(isCut ? [0] : []), new Set()];
      continue;
    }
    const fresh = splitLines(text);
    if (!isCut && fresh.at(-1) === "") fresh.pop();
    for (const [index, line] of hasKey ? fresh.entries() : []) {
      const isEdge = keyLine.test(line);
      if (inKey || isEdge) keys.add(lines.length + index);
      if (isEdge) inKey = line.lastIndexOf("-----BEGIN") > line.lastIndexOf("-----END");
    }
    lines = [...lines, ...fresh];
    if (isCut) cuts.add(lines.length - 1);
    next += countLines(text);
    const until = isCut || isLast ? lines.length : Math.max(searched, lines.length - reach);
    for (let index = searched; index < until && matches.length < most; index++) {
      const line = lines[index] ?? "";
      const at = keys.has(index) ? -1 : searchLine(tools, line);
      if (at < 0) continue;
      const { from, around } = aroundLine(lines, index, at, reach);
      const shown = near(index).map((each) => ({ index: each - from, number: numberOf(each) }));
      matches.push({ number: numberOf(index), around, index: index - from, context: shown });
    }
    const kept = Math.max(0, until - reach);
    const still = (all: ReadonlySet<number>) =>
      new Set([...all].filter((at) => at >= kept).map((at) => at - kept));
    first = numberOf(kept);
    lines = lines.slice(kept);
    searched = until - kept;
    [cuts, keys] = [still(cuts), still(keys)];
    isWaiting = lines.slice(searched).some((line) => tools.holds.test(line));
  }
  return { matches, isWhole: true, pieces };
}

/** Functions for the search thread. */
const streamParts = [readPieces, readBlocks, countLines, lastLines, aroundLine, searchStream];

export interface SearchThread {
  readonly text: (task: WantedLines & { readonly text: string }) => FoundLines;
  readonly files: (task: { readonly places: readonly string[]; readonly utf8: boolean }) => readonly Sifted[];
  readonly stream: (task: WantedLines & { readonly place: string }) => StreamedLines;
}

export interface ThreadData {
  readonly source: string;
  readonly flags: string;
  /** The same expression or a simpler one: if it does not match a text, no line of the text matches. */
  readonly holds: string;
  readonly maxBytes: number;
  /** How many files of the current task are done; readable while it runs. */
  readonly progress: SharedArrayBuffer;
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
    text: ({ text, ...wanted }) => findLines(tools, text, wanted),
    files: ({ places, utf8 }) =>
      places.map((place) => {
        step();
        return siftFile(tools, place, utf8);
      }),
    stream: ({ place, ...wanted }) => searchStream(tools, place, wanted, step),
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

const parts = [...lineParts, ...streamParts];

/** Code to pass to `new Worker`. */
export const threadSource = `${parts.join("\n")}\n(${serve})(require);`;
