// `search_text`: the lines that hold a text or fit a regular expression, across files. What is told of a file was read
// through the guards and without its secrets, however the file was found; what was not looked at is told as well.

import * as z from "zod/mini";
import { type GuardedFiles, type GuardedFolder, maxTextBytes } from "../files/guarded-files.ts";
import { Refusal, TooLarge, Unreadable } from "../files/refusal.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import { enterAll, newReport } from "../files/walk.ts";
import { inEnglish } from "../messages/english.ts";
import { type Message, message } from "../messages/message.ts";
import { untilAborted } from "../util/abort.ts";
import { createLineMatcher, type LineMatcher, TooSlow } from "./line-matcher.ts";
import { fileFilter, walkNotes } from "./list-files.ts";
import { type Candidate, type CandidateReport, candidates, type Wanted } from "./search-candidates.ts";
import type { FoundLine } from "./search-thread.ts";
import { functionTool } from "./tool.ts";

const maxMatches = 200;
const maxMatchesPerFile = 50;
/** Files that are read at the same time. */
const atOnce = 8;
/** What is found until then is the answer. */
const maxMilliseconds = 15_000;
/** Of which so many go to finding out what is worth reading. */
const maxSifting = 8000;

const input = z.object({
  query: z.string(),
  regex: z.optional(z.boolean()),
  case_sensitive: z.optional(z.boolean()),
  path: z.optional(z.string()),
  pattern: z.optional(z.string()),
});
type Input = z.infer<typeof input>;

export const searchText = functionTool({
  name: "search_text",
  description: `Searches the files of the workspace for a text, or with regex for a JavaScript regular expression that is tried on each line. Answers with path, line number and line, at most ${maxMatches}. Files that git ignores are left out.`,
  parameters: {
    type: "object",
    properties: {
      query: { type: "string", description: "The text, or the regular expression." },
      regex: { type: "boolean", description: "The query is a regular expression. Default: false." },
      case_sensitive: { type: "boolean", description: "Default: false." },
      path: { type: "string", description: "A folder, relative to the workspace. Default: all of it." },
      pattern: { type: "string", description: "Only files that fit, such as *.ts." },
    },
    required: ["query"],
    additionalProperties: false,
  },
  input,
  seconds: 60,
  summary: ({ query, regex = false, path, pattern }) =>
    [regex ? `/${query}/` : `“${query}”`, path, pattern].filter((part) => part !== undefined).join(", "),
  async run(
    { query, regex = false, case_sensitive: caseSensitive = false, path, pattern },
    { files },
    signal,
  ) {
    const matcher = createLineMatcher(query, { regex, caseSensitive });
    const [due, enough] = [AbortSignal.timeout(maxMilliseconds), AbortSignal.timeout(maxSifting)];
    const time = { signal, due, enough };
    try {
      return await searchFiles(files, path, { matcher, pattern, fits: fileFilter(pattern), time });
    } finally {
      matcher.dispose();
    }
  },
});

/** What was found in one file. */
interface FileHits {
  readonly lines: readonly FoundLine[];
  /** How many there are, where not all are here. */
  readonly total?: number;
  /** What else is missing of it. */
  readonly note?: string;
}

interface Report extends CandidateReport {
  /** Files that could not be read. */
  readonly unread: string[];
  /** Files too large to be read where only the editor can. */
  readonly large: string[];
}

export async function searchFiles(files: GuardedFiles, path: Input["path"], wanted: Wanted) {
  const { signal, due } = wanted.time;
  const hits: string[] = [];
  const notes: string[] = [];
  const more: string[] = [];
  let filesHit = 0;
  for (const folder of await enterAll(files, path, signal)) {
    const report: Report = {
      ...newReport(),
      left: 0,
      isCut: false,
      slow: [],
      isUncounted: false,
      unread: [],
      large: [],
    };
    try {
      for await (const { path, lines, total, note } of untilDue(hitsIn(folder, wanted, report), wanted)) {
        filesHit++;
        for (const { number, text } of lines) hits.push(`${path}:${number}: ${text}`);
        if (total !== undefined) more.push(`${path} (${total} matching lines)`);
        if (note !== undefined) notes.push(note);
        if (hits.length > maxMatches) break;
      }
    } finally {
      notes.push(...notesOf(report, hits.length > maxMatches, due.aborted));
    }
    if (hits.length > maxMatches) break;
  }
  signal.throwIfAborted();
  const shown = hits.slice(0, maxMatches);
  const cut = cutNote(hits.length > maxMatches, more);
  if (cut !== undefined) notes.unshift(cut);
  const lines = shown.length === 0 ? ["No matches."] : shown;
  return {
    output: [...lines, ...notes.map((note) => `[${note}]`)].join("\n"),
    message: found(shown.length, filesHit),
  };
}

function found(count: number, files: number): Message {
  if (count === 1) return message("toolOneMatch");
  return files === 1 ? message("toolMatchesInOne", { count }) : message("toolMatches", { count, files });
}

function cutNote(isFull: boolean, more: readonly string[]): string | undefined {
  const [first, ...others] = more;
  const full = isFull ? [`Only the first ${maxMatches} matches are shown`] : [];
  const which = others.length === 0 ? first : `${first} and ${count(others.length, "other file")}`;
  const perFile = first === undefined ? [] : [`only the first ${maxMatchesPerFile} of ${which} are shown`];
  const parts = [...full, ...perFile];
  if (parts.length === 0) return undefined;
  return `${parts.join("; ").replace(/^o/, "O")}.`;
}

/** Ends when the answer is due, whatever is still waited for. */
async function* untilDue<T>(
  work: AsyncGenerator<T, void>,
  { time: { signal, due } }: Wanted,
): AsyncGenerator<T, void> {
  const stop = AbortSignal.any([signal, due]);
  try {
    for (;;) {
      const next = await untilAborted(work.next(), stop);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!due.aborted) throw error;
  } finally {
    // What it still waits for may take long, and is nobody's business any more.
    work.return().catch(() => {});
  }
}

async function* hitsIn(
  folder: GuardedFolder,
  wanted: Wanted,
  report: Report,
): AsyncGenerator<FileHits & { readonly path: string }, void> {
  for await (const batch of candidates(folder, wanted, report))
    for (let at = 0; at < batch.length; at += atOnce) {
      const some = batch.slice(at, at + atOnce);
      const found = await Promise.all(some.map((each) => readHits(folder, each, wanted.matcher, report)));
      for (const [index, hits] of found.entries())
        if (hits.lines.length > 0) yield { ...hits, path: some[index]?.path ?? "" };
    }
}

const none: FileHits = { lines: [] };

async function readHits(
  folder: GuardedFolder,
  candidate: Candidate,
  matcher: LineMatcher,
  report: Report,
): Promise<FileHits> {
  const { file, path } = candidate;
  try {
    if (candidate.isLarge) return await readLarge(folder, candidate, matcher);
    const { lines, total } = await matcher.find(await folder.read(file), maxMatchesPerFile);
    return total > lines.length ? { lines, total } : { lines };
  } catch (error) {
    if (error instanceof TooSlow) report.slow.push(path);
    else if (error instanceof Unreadable) report.unread.push(path);
    else if (error instanceof TooLarge) report.large.push(path);
    else if (!(error instanceof Refusal)) throw error;
    return none;
  }
}

/** Piece by piece; each line goes through the filter of secrets with what stands around it. */
async function readLarge(
  folder: GuardedFolder,
  { file, path }: Candidate,
  matcher: LineMatcher,
): Promise<FileHits> {
  const place = folder.disk?.place(file);
  if (place === undefined) return none;
  const streamed = await folder.readAside(file, () => matcher.stream(place, maxMatchesPerFile));
  if (streamed === undefined) throw new Unreadable(message("noteUnread", { name: path }));
  const clean = streamed.lines.map(
    ({ around, index }) => takeOutSecrets(around).text.split("\n")[index] ?? "",
  );
  const still = await matcher.find(clean.join("\n"), maxMatchesPerFile);
  const lines = still.lines.map(({ number, text }) => ({
    text,
    number: streamed.lines[number - 1]?.number ?? 0,
  }));
  const notes = [
    ...(streamed.isWhole
      ? []
      : [`only its first ${count(streamed.lines.length, "matching line")} were looked for`]),
    ...(streamed.pieces === 0
      ? []
      : [`${count(streamed.pieces, "line")} of more than 1 MB were searched in pieces`]),
  ];
  return notes.length === 0 ? { lines } : { lines, note: `${path} is large: ${notes.join("; ")}.` };
}

function notesOf(report: Report, isFull: boolean, isLate: boolean): string[] {
  const { slow, unread, large, left, isCut, isUncounted } = report;
  const named = (paths: readonly string[]) =>
    `${count(paths.length, "file")} (${paths[0]}${paths.length > 1 ? ", …" : ""})`;
  const late = `Not everything was looked at within ${maxMilliseconds / 1000} seconds`;
  return [
    ...walkNotes(isFull || isUncounted ? { ...report, waiting: undefined } : report).map(inEnglish),
    ...(isCut
      ? [
          `Not every file was looked into: finding out which hold matches was ended after ${maxSifting / 1000} seconds; name a folder or a pattern.`,
        ]
      : []),
    ...(isLate && left > 0 ? [`${late}: ${count(left, "file")} that may hold matches were not read.`] : []),
    ...(slow.length > 0
      ? [`The regular expression takes too long on ${named(slow)}; use a simpler one.`]
      : []),
    ...(slow.length > 1 ? ["The search was ended there."] : []),
    ...(large.length > 0
      ? [`Larger than ${maxTextBytes / 1_000_000} MB and not searched: ${named(large)}.`]
      : []),
    ...(unread.length > 0 ? [`Could not be read: ${named(unread)}.`] : []),
    ...(isUncounted ? ["Files on the ignore list were not searched."] : []),
  ];
}

const count = (number: number, one: string): string => `${number} ${number === 1 ? one : `${one}s`}`;
