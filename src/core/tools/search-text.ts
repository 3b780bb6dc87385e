// `search_text`: the lines that hold a text or fit a regular expression, across files.
import * as z from "zod/mini";
import { createLineMatcher, type LineMatcher } from "./line-matcher.ts";
import { count, fileFilter, walkNotes } from "./list-files.ts";
import { linesOf, shortened } from "./read-file.ts";
import { functionTool, type ToolContext } from "./tool.ts";
import { type Found, unlessRefused, type WalkReport, walk } from "./walk.ts";

const mostMatches = 200;
const mostMatchesPerFile = 50;
const longestLine = 300;
/** Files that are read at the same time. */
const atOnce = 8;

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
  description: `Searches the files of the workspace for a text, or with regex for a JavaScript regular expression that is tried on each line. Answers with path, line number and line, at most ${mostMatches}. Files that git ignores are left out.`,
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
  async run(asked, context, signal) {
    const { query, regex = false, case_sensitive: caseSensitive = false } = asked;
    const matcher = createLineMatcher(query, { regex, caseSensitive });
    try {
      return await search(asked, matcher, context, signal);
    } finally {
      matcher.dispose();
    }
  },
});

async function search(
  { path, pattern }: Input,
  matcher: LineMatcher,
  { files }: ToolContext,
  signal: AbortSignal,
) {
  const report: WalkReport = { hidden: 0, unopened: [] };
  const fits = fileFilter(pattern);
  const hits: string[] = [];
  let filesHit = 0;
  const take = async (batch: readonly Found[]) => {
    const texts = await Promise.all(batch.map((found) => found.read().catch(unlessRefused)));
    for (const [index, { path }] of batch.entries()) {
      const lines = linesOf(texts[index] ?? "");
      const numbers = await matcher.find(lines.join("\n"), mostMatchesPerFile);
      if (numbers.length > 0) filesHit++;
      for (const number of numbers)
        hits.push(`${path}:${number}: ${shortened(lines[number - 1] ?? "", longestLine)}`);
    }
  };
  let batch: Found[] = [];
  for await (const found of walk(files, path, report, signal)) {
    if (!fits(found.path)) continue;
    batch.push(found);
    if (batch.length < atOnce) continue;
    await take(batch);
    batch = [];
    if (hits.length >= mostMatches) break;
  }
  await take(batch);
  const shown = hits.slice(0, mostMatches);
  const notes = [
    ...(hits.length >= mostMatches ? [`Only the first ${mostMatches} matches are shown.`] : []),
    ...walkNotes(report),
  ];
  const message = `${count(shown.length, "match", "matches")} in ${count(filesHit, "file")}`;
  const lines = shown.length === 0 ? ["No matches."] : shown;
  return { output: [...lines, ...notes.map((note) => `[${note}]`)].join("\n"), message };
}
