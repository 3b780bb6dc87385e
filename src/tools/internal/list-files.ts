// `list_files`: lists files, without those that git ignores and those that are never sent.
import * as z from "zod/mini";
import { inEnglish } from "../../conversation/english.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { GuardedFiles, GuardedFolder } from "../../files/guarded-files.ts";
import { Refusal } from "../../files/refusal.ts";
import { enterFolders, newReport, type WalkReport, walk } from "../../files/walk.ts";
import { compareNaturally } from "../../util/collections.ts";
import { BrokenPattern, type IgnoreRules, readIgnoreRules } from "../../util/ignore-patterns.ts";
import { forModel } from "../../util/sentences.ts";
import { functionTool } from "../tool.ts";
import { withNearNames } from "./near-names.ts";
import { mayHideFiles, pathsFromProgram } from "./search/search-candidates.ts";

const maxPaths = 1000;
/** When the time is over, the files found so far are the result. */
const maxMilliseconds = 10_000;

export const listFiles = functionTool({
  name: "list_files",
  ability: "list them",
  description: `Lists files, one path per line, at most ${maxPaths}. Files that git ignores are left out.`,
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "A folder." },
      pattern: { type: "string", description: "Such as *.ts, src/**/*.{css,html}" },
    },
    additionalProperties: false,
  },
  input: z.object({ path: z.optional(z.string()), pattern: z.optional(z.string()) }),
  summary: ({ path = ".", pattern }) => (pattern === undefined ? path : `${path}, ${pattern}`),
  async run({ path, pattern }, { files }, signal) {
    const { paths, notes } = await withNearNames(files, { path: path ?? "", kind: "folder" }, signal, () =>
      listPaths(files, { path, pattern }, signal),
    );
    const list = paths.length === 0 ? [forModel("No files.")] : paths;
    // Mention hidden files only if nothing was found, since the model may be looking for them. Otherwise the note would
    // cost tokens with every response.
    const said = (paths.length === 0 ? notes : notes.filter(({ code }) => !ofHidden.has(code))).map(
      inEnglish,
    );
    const isKeptBack = notes.some(({ code }) => ofHidden.has(code));
    const ways = paths.length === 0 && isKeptBack ? [withoutIt] : [];
    return {
      output: [...list, ...[...said, ...ways].map((note) => `[${note}]`)].join("\n"),
      message: filesFound(paths.length),
      paths: path === undefined || path === "." ? [] : [`${path}/`],
    };
  },
});

const ofHidden: ReadonlySet<string> = new Set(["noteOneEntry", "noteEntries", "noteUnlisted"]);
export const withoutIt = forModel(
  "No tool shows what is never sent (.env, keys, what the user lists): do without, or ask the user.",
);
/** Shown if nothing was found. */
export const keptBack = `Files that are never sent were not searched. ${withoutIt}`;

interface ListQuery {
  readonly path?: string | undefined;
  readonly pattern?: string | undefined;
}

interface Listing {
  readonly paths: readonly string[];
  /** What is missing from the list. */
  readonly notes: readonly Message[];
}

/** Throws Refusal. */
export async function listPaths(
  files: GuardedFiles,
  { path, pattern }: ListQuery,
  signal: AbortSignal,
): Promise<Listing> {
  const fits = fileFilter(pattern, path);
  const time = { signal, due: AbortSignal.timeout(maxMilliseconds) };
  const paths: string[] = [];
  const notes: Message[] = [];
  /** An external program skips files on the ignore list without counting them. */
  const uncounted: GuardedFolder[] = [];
  for (const folder of await enterFolders(files, path, signal)) {
    const report = newReport();
    // A walk has all files of one folder at once, but not a few files among thousands.
    const named = { pattern, fits, signal, enough: time.due };
    const program = pattern === undefined ? undefined : await pathsFromProgram(folder, undefined, named);
    if (program !== undefined) uncounted.push(folder);
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
  // If nothing was found, the model may be looking for hidden files.
  if (paths.length === 0 && (await mayHideFiles(uncounted, { signal, enough: time.due })))
    notes.push(message("noteUnlisted"));
  return { paths: inOrder(paths), notes };
}

/**
 * Lists a folder's files before its subfolders, so that the most informative files of a project come first. Numbers are
 * compared by value: m2 before m10.
 */
function inOrder(paths: readonly string[]): string[] {
  const named = paths.map((path) => ({ path, names: path.split("/") }));
  named.sort(({ names: one }, { names: other }) => {
    const last = Math.min(one.length, other.length) - 1;
    const at = one.findIndex((name, each) => each >= last || name !== other[each]);
    const [isOneFile, isOtherFile] = [at === one.length - 1, at === other.length - 1];
    if (isOneFile !== isOtherFile) return isOneFile ? -1 : 1;
    return compareNaturally(one[at] ?? "", other[at] ?? "");
  });
  return named.map(({ path }) => path);
}

/**
 * Compiles a file pattern written by the model. It may be meant from the workspace on or from the folder that is asked
 * for, so a file fits if it does so in either way. Throws Refusal.
 */
export function fileFilter(pattern: string | undefined, folder = ""): (path: string) => boolean {
  if (pattern === undefined || pattern.trim() === "") return () => true;
  // Rules remember the folder that they were asked about last, so each way has rules of its own.
  let rules: { readonly above: IgnoreRules; readonly below: IgnoreRules };
  try {
    rules = { above: readIgnoreRules([pattern]), below: readIgnoreRules([pattern]) };
  } catch (error) {
    if (error instanceof BrokenPattern) throw new Refusal(message("toolPattern", { pattern: error.pattern }));
    throw error;
  }
  const names = folder.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  const start = `${names.join("/")}/`;
  return (path) =>
    rules.above.ignores(path, false) ||
    (path.startsWith(start) && rules.below.ignores(path.slice(start.length), false));
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
