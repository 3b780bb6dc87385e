// What the model hears after a plan was carried out: the form it knows when all was taken, and hunk by hunk what
// became of it when a person took only a part.
import { applyEdits } from "./edits.ts";
import type { FileChange, FileName, MoveChange, UpdateChange } from "./model.ts";
import { excerptAround } from "./nearest.ts";
import { takeHunks } from "./take.ts";
import { splitLines } from "./text.ts";

/** `nameOf` writes a file's path as the patch should name it. */
export function answerAll(changes: readonly FileChange[], nameOf: (file: FileName) => string): string {
  const letters = { add: "A", delete: "D", update: "M", move: "M" } as const;
  const lines = changes.map((change) => {
    return `${letters[change.kind]} ${nameOf(change.kind === "move" ? change.to : change.file)}`;
  });
  return `Success. Updated the following files:\n${lines.join("\n")}\n`;
}

/**
 * `took` tells of a whole change, or of one of its hunks, whether the person took it; `quotable` makes of a file's text
 * one of which lines may be told.
 */
export async function answerPart(
  changes: readonly FileChange[],
  nameOf: (file: FileName) => string,
  took: (change: FileChange, hunk?: number) => boolean,
  quotable: (text: string) => Promise<string>,
): Promise<string> {
  const answerOf = async (change: FileChange): Promise<string[]> => {
    const name = nameOf(change.file);
    const byHunk = (change.kind === "update" || change.kind === "move") && change.hunks.length > 0;
    if (!byHunk) return [`${change.kind} ${name}: ${fate(took(change))}`];
    const hunks = change.hunks.map((_, hunk) => took(change, hunk));
    const fates = hunks.map((taken, hunk) => `hunk ${hunk + 1} of ${name}: ${fate(taken)}`);
    return [...fates, ...(await currentLines(change, hunks, name, quotable))];
  };
  const lines: string[] = [];
  for (const change of changes) lines.push(...(await answerOf(change)));
  return `The user took only a part of the patch.\n${lines.join("\n")}\n`;
}

function fate(taken: boolean): string {
  return taken ? "applied" : "rejected by the user, not applied";
}

/** Ten lines of the text as it is now, around the first hunk that was not taken. */
async function currentLines(
  change: UpdateChange | MoveChange,
  hunks: readonly boolean[],
  name: string,
  quotable: (text: string) => Promise<string>,
): Promise<string[]> {
  const left = change.edits.find((edit) => edit.hunks.some((hunk) => hunks[hunk] === false));
  if (left === undefined) return [];
  const { edits } = takeHunks(change, (hunk) => hunks[hunk] === true);
  const before = edits.filter((edit) => edit.start < left.start);
  const shift = before.reduce((sum, { written, lines }) => sum + written - (lines.last - lines.first), 0);
  const range = { first: left.lines.first + shift, last: left.lines.last + shift };
  const text = await quotable(applyEdits(change.base.text, edits));
  const { first, lines } = excerptAround(splitLines(text), range);
  return [`Lines ${first + 1}-${first + lines.length} of ${name} are now:`, ...lines];
}
