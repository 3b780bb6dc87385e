// What a search shows of a file that is too large to load as one text: ripgrep finds its lines on the disk, and each is
// redacted together with the lines around it.
import type { GuardedFolder } from "../../../files/guarded-files.ts";
import { cleanText } from "../../../files/privacy.ts";
import type { FoundFile, WalkTime } from "../../../files/walk.ts";
import type { LinePattern } from "../../../files/workspace.ts";
import { isNotebook } from "../../../patch/notebook.ts";
import { type FileLine, matchFile } from "../../ripgrep.ts";
import { excerpt, type FoundLine, type WantedLines } from "./line-excerpts.ts";
import { findLines } from "./search-in-memory.ts";
import type { FileHits } from "./search-result.ts";

interface LargeSearch {
  /** The path of ripgrep. */
  readonly program: string;
  readonly lines: LinePattern;
  readonly time: WalkTime;
}

/** Lines before and after a shown one that tell whether it is part of a secret. */
const linesAround = 20;

const keyLine: LinePattern = {
  source: "-----(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
  ignoreCase: false,
};

/** `undefined`: only the editor can read the file, or its unsaved text is not on the disk. Throws Refusal. */
export async function searchLargeFile(
  folder: GuardedFolder,
  { file, path }: FoundFile,
  { program, lines, time }: LargeSearch,
  { most, context }: WantedLines,
): Promise<FileHits | undefined> {
  const { disk } = folder;
  const place = disk?.place(file);
  const isOpen = disk?.opened().some((each) => each.folder === file.folder && each.path === file.path);
  if (place === undefined || isOpen === true || isNotebook(path)) return undefined;
  const signal = AbortSignal.any([time.signal, time.due]);
  const find = async () => {
    const near = linesAround + context;
    const every = { most: Number.MAX_SAFE_INTEGER, near: 0 };
    const isInKey = keyRanges(await matchFile(program, place, keyLine, every, signal));
    // One more than is wanted tells whether there are more.
    return matchFile(program, place, lines, { most: most + 1, near, skips: isInKey }, signal);
  };
  const read = await folder.readAside(file, find);
  const last = read.filter(({ at }) => at !== undefined)[most]?.number;
  const known = read.filter(({ number }) => last === undefined || number < last);
  const cleaned = await clean(known, time.signal);
  const still = await stillMatching(known, cleaned, { program, lines }, signal);
  const found = known.flatMap((line, at): FoundLine[] => {
    const { number } = line;
    const text = cleaned[at] ?? "";
    const start = still.get(number);
    if (start !== undefined) return [{ number, ...excerpt(text, start) }];
    const isNear = [...still.keys()].some((each) => Math.abs(each - number) <= context);
    return isNear ? [{ number, ...excerpt(text, 0), isContext: true }] : [];
  });
  const note = `${path} is large: only its first ${most} matching lines were looked for.`;
  return {
    path,
    lines: found,
    total: still.size,
    isAtLeast: last !== undefined,
    ...(last !== undefined && { note }),
  };
}

/** Whether a line belongs to a private key, which may be longer than what is read around a line. */
function keyRanges(keys: readonly FileLine[]): (line: number) => boolean {
  const ranges: [from: number, to: number][] = [];
  for (const { number, text } of keys) {
    const open = ranges.at(-1)?.[1] === Number.POSITIVE_INFINITY ? ranges.at(-1) : undefined;
    if (open === undefined) ranges.push([number, number]);
    const range = open ?? ranges.at(-1);
    const isOpen = text.lastIndexOf("-----BEGIN") > text.lastIndexOf("-----END");
    if (range !== undefined) range[1] = isOpen ? Number.POSITIVE_INFINITY : number;
  }
  return (line) => ranges.some(([from, to]) => from <= line && line <= to);
}

/** The lines without secrets; those that follow each other are read as one text. */
async function clean(lines: readonly FileLine[], signal: AbortSignal): Promise<readonly string[]> {
  const cleaned: (readonly string[])[] = [];
  let together: string[] = [];
  for (const [at, { number, text }] of lines.entries()) {
    together.push(text);
    if (lines[at + 1]?.number === number + 1) continue;
    cleaned.push((await cleanText(together.join("\n"), signal)).text.split("\n"));
    together = [];
  }
  return cleaned.flat();
}

/** Where the lines match that still do: the matched text itself may have been the secret. */
async function stillMatching(
  lines: readonly FileLine[],
  cleaned: readonly string[],
  { program, lines: pattern }: Omit<LargeSearch, "time">,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const starts = new Map<number, number>();
  const changed: { readonly number: number; readonly text: string }[] = [];
  for (const [at, { number, text, at: start }] of lines.entries()) {
    if (start === undefined) continue;
    if (cleaned[at] === text) starts.set(number, start);
    else changed.push({ number, text: cleaned[at] ?? "" });
  }
  if (changed.length === 0) return starts;
  const texts = changed.map(({ text }) => text);
  const found = await findLines(program, texts, pattern, { most: 1, context: 0 }, signal);
  for (const [at, { number }] of changed.entries())
    if ((found[at]?.total ?? 0) > 0) starts.set(number, found[at]?.lines[0]?.at ?? 0);
  return starts;
}
