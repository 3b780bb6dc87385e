// `search_text`: finds lines across files that contain a text or match a regular expression. Every result was read
// through the guards and redacted, no matter how the file was found. The result also says what was not searched.
import * as z from "zod/mini";
import { inEnglish } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import { type GuardedFiles, type GuardedFolder, maxTextBytes } from "../../files/guarded-files.ts";
import { locate, Refusal, TooLarge, Unreadable } from "../../files/refusal.ts";
import { enterFolders, type FoundFile, newReport, walk } from "../../files/walk.ts";
import { forModel } from "../../util/sentences.ts";
import { awakeTimeout, raceAbort } from "../../util/timeouts.ts";
import { createPattern } from "../ripgrep.ts";
import { functionTool } from "../tool.ts";
import { fileFilter, keptBack, walkNotes, withoutIt } from "./list-files.ts";
import { withNearNames } from "./near-names.ts";
import {
  type CandidateOptions,
  type CandidateReport,
  candidates,
  mayHideFiles,
  pathsFromProgram,
} from "./search/search-candidates.ts";
import { findLines } from "./search/search-in-memory.ts";
import { searchLargeFile } from "./search/search-large-file.ts";
import { type FileHits, maxMatchesPerFile, SearchResult } from "./search/search-result.ts";

const maxContext = 10;
/** Files that are read in parallel. */
const atOnce = 8;
/** When the time is over, the matches found so far are the result. */
const maxMilliseconds = 15_000;
/** Part of that time in which to find out which files have matches. */
const maxSifting = 8000;

const input = z.object({
  query: z.string(),
  regex: z.optional(z.boolean()),
  case_sensitive: z.optional(z.boolean()),
  path: z.optional(z.string()),
  pattern: z.optional(z.string()),
  context: z.optional(z.int().check(z.minimum(0))),
});

export const searchText = functionTool({
  name: "search_text",
  ability: "search them",
  description:
    "Searches line by line for a text or a regular expression of ripgrep (no look-around). Answers by file: its path, the length of a long one, lines that match as 12:text, those around them as 13-text. Of many matches each file shows a few, declarations and every alternative first. Files that git ignores are left out.",
  parameters: {
    type: "object",
    properties: {
      query: { type: "string" },
      regex: { type: "boolean", description: "A text that is nowhere is tried as one." },
      case_sensitive: { type: "boolean", description: "Else any case." },
      path: { type: "string", description: "A folder or a file." },
      pattern: { type: "string", description: "Such as *.ts, src/**/*.{css,html}" },
      context: {
        type: "integer",
        description: `Lines around each match, at most ${maxContext}; 0 shows most.`,
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
    { query, regex = false, case_sensitive: caseSensitive = false, path, pattern, context: asked = 0 },
    { files, workspace },
    signal,
  ) {
    const program = await workspace.ripgrep?.();
    if (program === undefined) throw new Refusal(message("toolNoRipgrep"));
    const [due, enough] = [awakeTimeout(maxMilliseconds), awakeTimeout(maxSifting)];
    const time = { signal, due, enough };
    const context = Math.min(asked, maxContext);
    const own = asked > maxContext ? [atMostContext] : [];
    const search = (asRegex: boolean, ...notes: readonly string[]) => {
      const lines = createPattern(query, { regex: asRegex, caseSensitive });
      const wanted = { program, lines, pattern, context, fits: fileFilter(pattern, path), time };
      return searchFiles(files, path, wanted, [...notes, ...own]);
    };
    const found = await withNearNames(files, { path: path ?? "", kind: "file" }, signal, () => search(regex));
    if (regex || !found.isEmpty || !looksLikeExpression.test(query)) return found;
    // If a query is an expression but not declared as one, "no matches" would be misleading, so search for the
    // expression.
    return search(true, asExpression).catch((error: unknown) => {
      if (error instanceof Refusal && error.asMessage.code === "toolNoRegex") return found;
      throw error;
    });
  },
});

interface Report extends CandidateReport {
  /** Files that could not be read. */
  readonly unread: string[];
  /** Files that only the editor can read and that are too large for it. */
  readonly large: string[];
}

interface Search extends CandidateOptions {
  /** The path of ripgrep. */
  readonly program: string;
  /** Number of lines shown before and after each match. */
  readonly context: number;
}

/** `remarks`: what there is to say about the query. */
export async function searchFiles(
  files: GuardedFiles,
  path: string | undefined,
  search: Search,
  remarks: readonly string[] = [],
) {
  const { signal, due } = search.time;
  const answer = new SearchResult(search.context);
  const notes: string[] = [];
  const uncounted: GuardedFolder[] = [];
  const folders = await enterFolders(files, path, signal).catch(unlessNoFolder);
  if (folders === undefined && path !== undefined) {
    for (const found of await hitsInFile(files, path, search)) answer.take(found);
  }
  for (const folder of folders ?? []) {
    const report: Report = {
      ...newReport(),
      left: 0,
      isCut: false,
      isUncounted: false,
      unread: [],
      large: [],
    };
    try {
      for await (const found of untilDue(hitsIn(folder, search, report, answer), search)) {
        answer.take(found);
        if (answer.isFull) break;
      }
    } finally {
      if (report.isUncounted) uncounted.push(folder);
      notes.push(...notesOf(report, answer, due.aborted));
    }
    if (answer.isFull) break;
  }
  signal.throwIfAborted();
  if (answer.isEmpty && folders !== undefined && !(await hasFitting(folders, search))) notes.push(noFile);
  // If nothing was found, the model may be looking for hidden files.
  if (answer.isEmpty && (await mayHideFiles(uncounted, search.time))) notes.push(keptBack);
  return {
    output: answer.text([...new Set([...remarks, ...notes])]),
    message: answer.summary,
    paths: answer.paths,
    isEmpty: answer.isEmpty,
  };
}

const noFile = forModel("No file fits the pattern.");

/** Whether a file fits the pattern; also if that cannot be told in time. */
async function hasFitting(folders: readonly GuardedFolder[], search: Search): Promise<boolean> {
  const { pattern, fits, time } = search;
  if (pattern === undefined) return true;
  for (const folder of folders) {
    const found = await pathsFromProgram(folder, undefined, { pattern, fits, ...time });
    if (found?.isCut === true) return true;
    for await (const { path } of walk(folder, newReport(), time, found?.paths)) if (fits(path)) return true;
    if (time.due.aborted) return true;
  }
  return false;
}

const atMostContext = forModel(`context: at most ${maxContext} lines are shown around a match.`);

const asExpression = forModel(
  "No line holds the query as it stands; it was searched for as a regular expression. Set regex: true for that.",
);

/** Syntax of expressions that is unusual in plain text. */
const looksLikeExpression = /\||\.[*+]|\\[bdsw.()[\]{}]/;

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
  answer: Pick<SearchResult, "room">,
): AsyncGenerator<FileHits, void> {
  for await (const batch of candidates(folder, search, report)) {
    // Reading and redacting a file takes longer than finding it, so none is read that would not be mentioned.
    for (let from = 0; from < batch.length; ) {
      const some = batch.slice(from, from + Math.max(1, answer.room));
      from += some.length;
      yield* await hitsOf(await readFiles(folder, some, search, report), search);
    }
  }
}

async function readFiles(
  folder: GuardedFolder,
  files: readonly FoundFile[],
  search: Search,
  report: Report,
): Promise<readonly (Read | undefined)[]> {
  const read: (Read | undefined)[] = [];
  for (let at = 0; at < files.length; at += atOnce) {
    const some = files.slice(at, at + atOnce);
    read.push(...(await Promise.all(some.map((each) => readFile(folder, each, search, report)))));
  }
  return read;
}

/** The text of a file, or what was found in one that is too large for a text. */
type Read = { readonly path: string; readonly text: string } | FileHits;

/** In the order of the files. */
async function hitsOf(read: readonly (Read | undefined)[], search: Search): Promise<FileHits[]> {
  const { program, lines, time } = search;
  const texts = read.flatMap((each) => (each !== undefined && "text" in each ? each.text : []));
  const signal = AbortSignal.any([time.signal, time.due]);
  const found = await findLines(program, texts, lines, wantedOf(search), signal);
  let at = 0;
  return read.flatMap((each) => {
    if (each === undefined) return [];
    const hits = "text" in each ? { path: each.path, lines: [], total: 0, ...found[at++] } : each;
    return hits.total > 0 ? [hits] : [];
  });
}

/** Searches a file that was requested by name, even if file lists leave it out. Throws Refusal. */
async function hitsInFile(files: GuardedFiles, path: string, asked: Search): Promise<readonly FileHits[]> {
  const { signal } = asked.time;
  // Half of one file is no answer: the tool's own limit is told.
  const search = { ...asked, time: { ...asked.time, due: signal } };
  try {
    return await hitsOf([await files.read(path, signal)], search);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const file = locate(path, files.folders);
    const folder = await files.enter(path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".", signal);
    const found = await searchLargeFile(
      folder,
      { file, path: folder.nameOf(file) },
      search,
      wantedOf(search),
    );
    if (found === undefined) throw error;
    return found.total > 0 ? [found] : [];
  }
}

const wantedOf = ({ context, lines }: Search) => ({
  most: maxMatchesPerFile,
  context,
  isVaried: /(?:^|[^\\])\|/.test(lines.source),
});

/** Handler for a promise's `catch`. */
function unlessNoFolder(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.asMessage.code !== "noteNoFolder") throw error;
}

async function readFile(
  folder: GuardedFolder,
  { file, path }: FoundFile,
  search: Search,
  report: Report,
): Promise<Read | undefined> {
  try {
    return { path, text: await folder.read(file) };
  } catch (error) {
    if (error instanceof TooLarge) {
      const found = await searchLargeFile(folder, { file, path }, search, wantedOf(search));
      if (found === undefined) report.large.push(path);
      return found;
    }
    if (error instanceof Unreadable) report.unread.push(path);
    else if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

function notesOf(report: Report, { isFull, isEmpty }: SearchResult, isLate: boolean): string[] {
  const { unread, large, left, isCut, isUncounted } = report;
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
    ...(large.length > 0
      ? [forModel(`Larger than ${maxTextBytes / 1_000_000} MB and not searched: ${named(large)}.`)]
      : []),
    ...(unread.length > 0 ? [forModel(`Could not be read: ${named(unread)}.`)] : []),
  ];
}

const count = (number: number, one: string): string => `${number} ${number === 1 ? one : `${one}s`}`;
