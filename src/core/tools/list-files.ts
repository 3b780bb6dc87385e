// `list_files`: what files there are, without what git ignores and what is never sent.
import * as z from "zod/mini";
import type { GuardedFiles } from "./guarded-files.ts";
import { BrokenPattern, type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";
import { Refusal } from "./refusal.ts";
import { functionTool } from "./tool.ts";
import { type WalkReport, walk } from "./walk.ts";

const mostPaths = 1000;

export const listFiles = functionTool({
  name: "list_files",
  description: `Lists the files of the workspace or of one folder, including those in folders below, one path per line, at most ${mostPaths}. Files that git ignores are left out.`,
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
      output: [...list, ...notes.map((note) => `[${note}]`)].join("\n"),
      message: count(paths.length, "file"),
    };
  },
});

interface Asked {
  readonly path?: string | undefined;
  readonly pattern?: string | undefined;
}

export interface Listing {
  readonly paths: readonly string[];
  /** What is missing from it, one sentence each. */
  readonly notes: readonly string[];
}

/** Throws Refusal. */
export async function listPaths(
  files: GuardedFiles,
  { path, pattern }: Asked,
  signal: AbortSignal,
): Promise<Listing> {
  const report: WalkReport = { hidden: 0, unopened: [] };
  const fits = fileFilter(pattern);
  const paths: string[] = [];
  let more = false;
  for await (const found of walk(files, path, report, signal)) {
    if (!fits(found.path)) continue;
    more = paths.length === mostPaths;
    if (more) break;
    paths.push(found.path);
  }
  const cut = `Only the first ${mostPaths} files are shown; name a folder or a pattern to see others.`;
  return { paths: paths.toSorted(), notes: [...(more ? [cut] : []), ...walkNotes(report)] };
}

/** Which files a pattern of the model means. Throws Refusal. */
export function fileFilter(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined || pattern.trim() === "") return () => true;
  let rules: IgnoreRules;
  try {
    rules = readIgnoreRules([pattern]);
  } catch (error) {
    if (error instanceof BrokenPattern) throw new Refusal(error.message);
    throw error;
  }
  return (path) => rules.ignores(path, false);
}

export function walkNotes({ hidden, unopened }: WalkReport): string[] {
  const [first, ...others] = unopened;
  return [
    ...(hidden > 0 ? [`${count(hidden, "entry", "entries")} on the ignore list are not shown.`] : []),
    ...(first === undefined
      ? []
      : [`The workspace is large: ${first} and ${others.length} other folders were not opened.`]),
  ];
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
