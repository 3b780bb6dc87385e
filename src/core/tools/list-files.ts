// `list_files`: what files there are, without what git ignores and what is never sent.

import * as z from "zod/mini";
import type { GuardedFiles } from "../files/guarded-files.ts";
import { type IgnoreRules, readIgnoreRules } from "../files/ignore-rules.ts";
import { BrokenPattern } from "../files/name-pattern.ts";
import { Refusal } from "../files/refusal.ts";
import { enterAll, newReport, type WalkReport, walk } from "../files/walk.ts";
import { inEnglish } from "../messages/english.ts";
import { type Message, message } from "../messages/message.ts";
import { pathsFromProgram } from "./search-candidates.ts";
import { functionTool } from "./tool.ts";

const maxPaths = 1000;
/** What is found until then is the answer. */
const maxMilliseconds = 10_000;

export const listFiles = functionTool({
  name: "list_files",
  description: `Lists the files of the workspace or of one folder, including those in folders below, one path per line, at most ${maxPaths}. Files that git ignores are left out.`,
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "A folder, relative to the workspace. Default: all of it." },
      pattern: { type: "string", description: "Only files that fit, such as *.ts or src/**/test-*.js." },
    },
    additionalProperties: false,
  },
  input: z.object({ path: z.optional(z.string()), pattern: z.optional(z.string()) }),
  summary: ({ path = ".", pattern }) => (pattern === undefined ? path : `${path}, ${pattern}`),
  async run({ path, pattern }, { files }, signal) {
    const { paths, notes } = await listPaths(files, { path, pattern }, signal);
    const list = paths.length === 0 ? ["No files."] : paths;
    return {
      output: [...list, ...notes.map((note) => `[${inEnglish(note)}]`)].join("\n"),
      message: filesFound(paths.length),
    };
  },
});

interface Asked {
  readonly path?: string | undefined;
  readonly pattern?: string | undefined;
}

export interface Listing {
  readonly paths: readonly string[];
  /** What is missing from it. */
  readonly notes: readonly Message[];
}

/** Throws Refusal. */
export async function listPaths(
  files: GuardedFiles,
  { path, pattern }: Asked,
  signal: AbortSignal,
): Promise<Listing> {
  const fits = fileFilter(pattern);
  const time = { signal, due: AbortSignal.timeout(maxMilliseconds) };
  const paths: string[] = [];
  const notes: Message[] = [];
  /** A program passes over what is on the ignore list, and does not count it. */
  let isUncounted = false;
  for (const folder of await enterAll(files, path, signal)) {
    const report = newReport();
    // All files of a folder are there as soon as they are walked; a few among thousands are not.
    const named = { pattern, fits, signal, enough: time.due };
    const program = pattern === undefined ? undefined : await pathsFromProgram(folder, anyText, named);
    isUncounted ||= program !== undefined;
    for await (const found of walk(folder, report, time, program?.paths)) {
      if (!fits(found.path)) continue;
      if (paths.length === maxPaths) {
        notes.push(message("noteFirstFiles", { count: maxPaths }));
        report.waiting = undefined;
        break;
      }
      paths.push(found.path);
    }
    notes.push(...walkNotes(report));
    if (notes.length > 0 && paths.length === maxPaths) break;
  }
  if (isUncounted) notes.push(message("noteUnlisted"));
  return { paths: paths.toSorted(), notes };
}

const anyText = { pattern: undefined, wide: undefined, ignoreCase: false };

/** Which files a pattern of the model means. Throws Refusal. */
export function fileFilter(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined || pattern.trim() === "") return () => true;
  let rules: IgnoreRules;
  try {
    rules = readIgnoreRules([pattern]);
  } catch (error) {
    if (error instanceof BrokenPattern) throw new Refusal(message("toolPattern", { pattern: error.pattern }));
    throw error;
  }
  return (path) => rules.ignores(path, false);
}

export function walkNotes({ hidden, waiting, closed }: WalkReport): Message[] {
  const [name] = closed;
  const notes: Message[] = [];
  if (hidden > 0)
    notes.push(hidden === 1 ? message("noteOneEntry") : message("noteEntries", { count: hidden }));
  if (waiting !== undefined)
    notes.push(
      waiting.count === 1
        ? message("noteOneNotReached", { name: waiting.first })
        : message("noteNotReached", { first: waiting.first, count: waiting.count - 1 }),
    );
  if (name !== undefined)
    notes.push(
      closed.length === 1
        ? message("noteOneClosed", { name })
        : message("noteClosed", { first: name, count: closed.length - 1 }),
    );
  return notes;
}

const filesFound = (count: number): Message =>
  count === 1 ? message("toolOneFile") : message("toolFiles", { count });
