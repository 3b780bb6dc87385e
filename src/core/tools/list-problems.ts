// `problems`: the errors and warnings the editor shows now.

import * as z from "zod/mini";
import type { GuardedProblem } from "../files/guarded-files.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import { type Message, message } from "../messages/message.ts";
import { shortened } from "./read-file.ts";
import { functionTool } from "./tool.ts";

const maxProblems = 200;
/** Of a message, before it is shortened. */
const maxLetters = 20_000;
const order = ["error", "warning", "information", "hint"];

export const problems = functionTool({
  name: "problems",
  description: `Lists the errors and warnings the editor shows now, of one file or of the whole workspace, at most ${maxProblems}.`,
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "A file, relative to the workspace. Default: all files." },
    },
    additionalProperties: false,
  },
  input: z.object({ path: z.optional(z.string()) }),
  summary: ({ path }) => path ?? message("toolAllFiles"),
  async run({ path }, { files, proposed }) {
    const all = await files.problems(path);
    return { output: `${listProblems(all).text}${ofTheDisk(proposed)}`, message: problemsFound(all.length) };
  },
});

/** What others look at is not what the session's own tools read. */
export const ofTheDisk = (proposed: number): string =>
  proposed === 0
    ? ""
    : `\n[This is about the files on the disk: proposed changes of ${proposed === 1 ? "1 file are" : `${proposed} files are`} not in it.]`;

/** One line each, the serious ones first. */
export function listProblems(all: readonly GuardedProblem[]): { text: string; removed: number } {
  const sorted = all.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
  let removed = 0;
  const lines = sorted
    .slice(0, maxProblems)
    .map(({ path, line, column, severity, message: text, source, code }) => {
      const origin = [source, code].filter((part) => part !== undefined).join(" ");
      // Whole: once it is cut, half a key would not be known for one.
      const clean = takeOutSecrets(text.slice(0, maxLetters));
      removed += clean.removed;
      return `${path}:${line}:${column} ${severity}${origin === "" ? "" : ` (${origin})`}: ${shortened(clean.text)}`;
    });
  if (all.length > maxProblems) lines.push(`[${all.length - maxProblems} more are not shown.]`);
  return { text: lines.length === 0 ? "No problems." : lines.join("\n"), removed };
}

const problemsFound = (count: number): Message =>
  count === 1 ? message("toolOneProblem") : message("toolProblemCount", { count });
