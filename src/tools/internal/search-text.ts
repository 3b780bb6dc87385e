// `search_text`: finds lines across files that contain a text or match a regular expression. Every result was read
// through the guards and redacted, no matter how the file was found. The result also says what was not searched.
import * as z from "zod/mini";
import { inEnglish } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import { type GuardedFiles, type GuardedFolder, maxTextBytes } from "../../files/guarded-files.ts";
import { cleanText } from "../../files/privacy.ts";
import { locate, Refusal, TooLarge, Unreadable, unlessTooLarge } from "../../files/refusal.ts";
import { enterFolders, type FoundFile, newReport } from "../../files/walk.ts";
import { createLineMatcher, isRegex, TooSlow } from "../../search/line-matcher.ts";
import {
  type Candidate,
  type CandidateOptions,
  type CandidateReport,
  candidates,
} from "../../search/search-candidates.ts";
import { excerpt, type FoundLine } from "../../search/search-lines.ts";
import { type FileHits, maxMatchesPerFile, SearchResult } from "../../search/search-result.ts";
import { forModel } from "../../util/sentences.ts";
import { awakeTimeout, raceAbort } from "../../util/time.ts";
import { functionTool } from "../tool.ts";
import { fileFilter, keptBack, walkNotes, withoutIt } from "./list-files.ts";
import { withNearNames } from "./near-names.ts";

const maxContext = 10;
/** Files that are read in parallel. */
const atOnce = 8;
/** When the time is over, the matches found so far are the result. */
const maxMilliseconds = 15_000;
/** Part of that time in which to find out which files are worth reading. */
const maxSifting = 8000;

const input = z.object({
  query: z.string(),
  regex: z.optional(z.boolean()),
  case_sensitive: z.optional(z.boolean()),
  path: z.optional(z.string()),
  pattern: z.optional(z.string()),
  context: z.optional(z.int().check(z.minimum(0), z.maximum(maxContext))),
});

export const searchText = functionTool({
  name: "search_text",
  ability: "search them",
  description:
    "Searches the workspace line by line for a text or a JavaScript regular expression. Answers file by file: its path, then lines that match as 12:text and those around them as 13-text. Of much that is found, each file shows a few matches, declarations first. Files that git ignores are left out.",
  parameters: {
    type: "object",
    properties: {
      query: { type: "string" },
      regex: { type: "boolean", description: "The query is a regular expression." },
      case_sensitive: { type: "boolean" },
      path: { type: "string", description: "A folder or a file." },
      pattern: { type: "string", description: "Only files that fit, such as *.ts." },
      context: {
        type: "integer",
        description: `Lines around each match, at most ${maxContext}.`,
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  input,
  seconds: 60,
  summary: ({ query, regex = false, path, pattern }) =>
    [regex ? `/${query}/` : `“${query}”`, path, pattern].filter((part) => part !== undefined).join(", "),
  async run(
    { query, regex = false, case_sensitive: caseSensitive = false, path, pattern, context = 0 },
    { files },
    signal,
  ) {
    const [due, enough] = [awakeTimeout(maxMilliseconds), awakeTimeout(maxSifting)];
    const wanted = { pattern, context, fits: fileFilter(pattern), time: { signal, due, enough } };
    const search = async (asRegex: boolean, note?: string) => {
      const matcher = createLineMatcher(query, { regex: asRegex, caseSensitive });
      try {
        return await searchFiles(files, path, { ...wanted, matcher }, note);
      } finally {
        matcher.dispose();
      }
    };
    const found = await withNearNames(files, { path: path ?? "", kind: "file" }, signal, () => search(regex));
    // If a query is an expression but not declared as one, "no matches" would be misleading, so search for the
    // expression.
    return !regex && found.isEmpty && isExpression(query) ? search(true, asExpression) : found;
  },
});

interface Report extends CandidateReport {
  /** Files that could not be read. */
  readonly unread: string[];
  /** Files that only the editor can read and that are too large for it. */
  readonly large: string[];
}

/** `context`: number of lines shown before and after each match. */
type Search = CandidateOptions & { readonly context: number };

/** `note`: a remark about the query. */
export async function searchFiles(
  files: GuardedFiles,
  path: string | undefined,
  search: Search,
  note?: string,
) {
  const { signal, due } = search.time;
  const answer = new SearchResult(search.context);
  const notes: string[] = [];
  let isUncounted = false;
  const folders = await enterFolders(files, path, signal).catch(unlessNoFolder);
  if (folders === undefined && path !== undefined) {
    const found = await hitsInFile(files, path, search);
    if (found.total > 0) answer.take(found);
  }
  for (const folder of folders ?? []) {
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
      for await (const found of untilDue(hitsIn(folder, search, report), search)) {
        answer.take(found);
        if (answer.isFull) break;
      }
    } finally {
      isUncounted ||= report.isUncounted;
      notes.push(...notesOf(report, answer, due.aborted));
    }
    if (answer.isFull) break;
  }
  signal.throwIfAborted();
  // If nothing was found, the model may be looking for hidden files.
  if (isUncounted && answer.isEmpty) notes.push(keptBack);
  if (note !== undefined) notes.unshift(note);
  return {
    output: answer.text([...new Set(notes)]),
    message: answer.summary,
    isEmpty: answer.isEmpty,
  };
}

const asExpression = forModel(
  "No line holds the query as it stands; it was searched for as a regular expression. Set regex: true for that.",
);

/** Contains regex syntax that is unusual in plain text, and is a valid expression. */
const isExpression = (query: string): boolean => /\||\.[*+]|\\[bdsw.()[\]{}]/.test(query) && isRegex(query);

/** Stops when the result is due, even if it still waits for something. */
async function* untilDue<T>(
  work: AsyncGenerator<T, void>,
  { time: { signal, due } }: Search,
): AsyncGenerator<T, void> {
  const stop = AbortSignal.any([signal, due]);
  try {
    for (;;) {
      const next = await raceAbort(work.next(), stop);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!due.aborted) throw error;
  } finally {
    // Nobody needs the pending result any more, and it may take long.
    work.return().catch(() => {});
  }
}

async function* hitsIn(
  folder: GuardedFolder,
  search: Search,
  report: Report,
): AsyncGenerator<FileHits, void> {
  for await (const batch of candidates(folder, search, report))
    for (let at = 0; at < batch.length; at += atOnce) {
      const some = batch.slice(at, at + atOnce);
      const found = await Promise.all(some.map((each) => readHits(folder, each, search, report)));
      for (const hits of found) if (hits !== undefined && hits.total > 0) yield hits;
    }
}

/** Searches a file that was requested by name, even if file lists leave it out. Throws Refusal. */
async function hitsInFile(files: GuardedFiles, path: string, search: Search): Promise<FileHits> {
  const { signal } = search.time;
  const read = await files.read(path, signal).catch(unlessTooLarge);
  if (read !== undefined)
    return { path: read.path, ...(await search.matcher.find(read.text, wantedOf(search))) };
  const file = locate(path, files.folders);
  const folder = await files.enter(path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".", signal);
  return readLarge(folder, { file, path: folder.nameOf(file) }, search);
}

const wantedOf = ({ context }: Search) => ({ most: maxMatchesPerFile, context });

/** Handler for a promise's `catch`. */
function unlessNoFolder(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.asMessage.code !== "noteNoFolder") throw error;
}

async function readHits(
  folder: GuardedFolder,
  { file, path, isLarge }: Candidate,
  search: Search,
  report: Report,
): Promise<FileHits | undefined> {
  try {
    if (isLarge) return await readLarge(folder, { file, path }, search);
    return { path, ...(await search.matcher.find(await folder.read(file), wantedOf(search))) };
  } catch (error) {
    if (error instanceof TooSlow) report.slow.push(path);
    else if (error instanceof Unreadable) report.unread.push(path);
    else if (error instanceof TooLarge) report.large.push(path);
    else if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

/** Reads piece by piece. Each line is redacted together with the lines around it. */
async function readLarge(
  folder: GuardedFolder,
  { file, path }: FoundFile,
  search: Search,
): Promise<FileHits> {
  const { matcher, time } = search;
  const place = folder.disk?.place(file);
  if (place === undefined) return { path, lines: [], total: 0 };
  const streamed = await folder.readAside(file, () => matcher.stream(place, wantedOf(search)));
  if (streamed === undefined) throw new Unreadable(message("noteUnread", { name: path }));
  const { matches, isWhole, pieces } = streamed;
  const cleaned: string[][] = [];
  for (const { around } of matches) cleaned.push((await cleanText(around, time.signal)).text.split("\n"));
  // The matched text itself may have been the secret.
  const texts = matches.map(({ index }, at) => cleaned[at]?.[index] ?? "");
  const still = await matcher.find(texts.map((text) => `${text}\n`).join(""), {
    most: matches.length,
    context: 0,
  });
  const found = new Map<number, FoundLine>();
  for (const { number: place, ...line } of still.lines) {
    const match = matches[place - 1];
    for (const { index, number } of match?.context ?? [])
      if (!found.has(number))
        found.set(number, { number, ...excerpt(cleaned[place - 1]?.[index] ?? "", 0), isContext: true });
    if (match !== undefined) found.set(match.number, { ...line, number: match.number });
  }
  const notes = [
    ...(isWhole ? [] : [`only its first ${count(matches.length, "matching line")} were looked for`]),
    ...(pieces === 0 ? [] : [`${count(pieces, "line")} of more than 1 MB were searched in pieces`]),
  ];
  return {
    path,
    lines: [...found.values()].toSorted((one, other) => one.number - other.number),
    total: still.total,
    isAtLeast: !isWhole,
    ...(notes.length > 0 && { note: `${path} is large: ${notes.join("; ")}.` }),
  };
}

function notesOf(report: Report, { isFull, isEmpty }: SearchResult, isLate: boolean): string[] {
  const { slow, unread, large, left, isCut, isUncounted } = report;
  const named = (paths: readonly string[]) =>
    `${count(paths.length, "file")} (${paths[0]}${paths.length > 1 ? ", …" : ""})`;
  const late = `Not everything was looked at within ${maxMilliseconds / 1000} seconds`;
  return [
    ...walkNotes({
      ...report,
      // Mention hidden files only if nothing was found.
      hidden: isEmpty ? report.hidden : 0,
      waiting: isFull || isUncounted ? undefined : report.waiting,
    }).map(inEnglish),
    ...(isEmpty && report.hidden > 0 ? [withoutIt] : []),
    ...(isCut
      ? [
          forModel(
            `Not every file was looked into: finding out which hold matches was ended after ${maxSifting / 1000} seconds; name a folder or a pattern.`,
          ),
        ]
      : []),
    ...(isLate && left > 0 ? [`${late}: ${count(left, "file")} that may hold matches were not read.`] : []),
    ...(slow.length > 0
      ? [forModel(`The regular expression takes too long on ${named(slow)}; use a simpler one.`)]
      : []),
    ...(slow.length > 1 ? [forModel("The search was ended there.")] : []),
    ...(large.length > 0
      ? [forModel(`Larger than ${maxTextBytes / 1_000_000} MB and not searched: ${named(large)}.`)]
      : []),
    ...(unread.length > 0 ? [forModel(`Could not be read: ${named(unread)}.`)] : []),
  ];
}

const count = (number: number, one: string): string => `${number} ${number === 1 ? one : `${one}s`}`;
