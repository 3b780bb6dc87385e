// `problems`: the errors and warnings the editor shows now.
import * as z from "zod/mini";
import { type Message, message } from "../../conversation/messages.ts";
import type { GuardedProblem } from "../../files/guarded-files.ts";
import { takeOutSecrets } from "../../files/privacy.ts";
import { groupBy } from "../../util/collections.ts";
import { forModel } from "../../util/sentences.ts";
import { functionTool } from "../tool.ts";
import { truncateLine } from "./read-file.ts";

/** Maximum number of lines; each shows one finding with all its places. */
const maxProblems = 200;
/** Maximum number of places per finding. */
const maxPlaces = 20;
/** Maximum length of a message before it is shortened. */
const maxLetters = 20_000;
const order = ["error", "warning", "information", "hint"];

export const problems = functionTool({
  name: "problems",
  ability: "see the editor's problems",
  description: "Lists the errors and warnings that the editor shows now, mostly of open files.",
  seeAlso: { tool: "run_checks", words: "run_checks looks at all." },
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "A file." },
    },
    additionalProperties: false,
  },
  input: z.object({ path: z.optional(z.string()) }),
  summary: ({ path }) => path ?? message("toolAllFiles"),
  async run({ path }, { files, proposed, offers }) {
    const all = await files.problems(path);
    const checks = offers("run_checks") ? "; run_checks looks at all" : "";
    const seen = all.length === 0 ? ` The editor mostly looks at files that are open${checks}.` : "";
    const output = `${listProblems(all).text}${seen}${diskOnlyNote(proposed)}`;
    return { output, message: problemsFound(all.length) };
  },
});

/** Language servers check the files on the disk, without the edits that the session's own tools see. */
export const diskOnlyNote = (proposed: number): string =>
  proposed === 0
    ? ""
    : `\n[This is about the files on the disk: proposed changes of ${proposed === 1 ? "1 file are" : `${proposed} files are`} not in it.]`;

/** Returns one line per finding with all places that have it, the most severe first. */
export function listProblems(all: readonly GuardedProblem[]): { text: string; removed: number } {
  const groups = groupBy(all, ({ severity, source, code, message }) =>
    JSON.stringify([severity, source, code, message]),
  );
  const sorted = [...groups.values()].toSorted(
    ([one], [other]) => order.indexOf(one?.severity ?? "") - order.indexOf(other?.severity ?? ""),
  );
  let removed = 0;
  const lines = sorted.slice(0, maxProblems).flatMap((places) => {
    const [first] = places;
    if (first === undefined) return [];
    const { severity, message: text, source, code } = first;
    const origin = [source, code].filter((part) => part !== undefined).join(" ");
    // Redact before shortening: a truncated key would not be recognized as one.
    const clean = takeOutSecrets(text.slice(0, maxLetters));
    removed += clean.removed;
    return `${placesOf(places)} ${severity}${origin === "" ? "" : ` (${origin})`}: ${truncateLine(clean.text)}`;
  });
  const left = sorted.slice(maxProblems).reduce((sum, places) => sum + places.length, 0);
  if (left > 0) lines.push(`[${left} more ${left === 1 ? "is" : "are"} not shown.]`);
  return { text: lines.length === 0 ? forModel("No problems.") : lines.join("\n"), removed };
}

/** Names each path once: `a.ts:3:1, 9:5; b.ts:1:1`. */
function placesOf(all: readonly GuardedProblem[]): string {
  const files = [...groupBy(all.slice(0, maxPlaces), ({ path }) => path)].map(
    ([path, places]) => `${path}:${places.map(({ line, column }) => `${line}:${column}`).join(", ")}`,
  );
  const more = all.length - maxPlaces;
  return `${files.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const problemsFound = (count: number): Message =>
  count === 1 ? message("toolOneProblem") : message("toolProblemCount", { count });
