// Which call wrote a line. It is found by comparing the text the call left with the current one, so that it works
// whatever was typed since, in any window. Lines changed by others do not count. Pure.
import type { LineRange } from "../patch/model.ts";
import type { Task } from "../util/background.ts";
import { present } from "../util/present.ts";
import type { AppliedWrite } from "./change-store.ts";
import { type CallEdit, changesBetween, isByPerson, moveRange } from "./proposal.ts";

/** What a call left in a file, and which of those lines it wrote. */
export interface Written extends Pick<CallEdit, "call" | "turn" | "model" | "receipt" | "acceptance"> {
  readonly text: string;
  readonly lines: readonly LineRange[];
}

/** `text`: the text that was written for the call. */
export function linesWrittenBy({ edit, write }: AppliedWrite, text: string): Written {
  const { call, turn, model, receipt, acceptance } = edit;
  const own = write.hunks.filter(({ id, undone }) => !undone && !isByPerson(id));
  // A file that was added has no changes of its own.
  const isWhole = write.before === undefined && own.length > 0;
  const all = { first: 0, last: text.split("\n").length };
  const changed = own.flatMap(({ changes }) => changes.flatMap((at) => write.changes[at] ?? []));
  const lines = changed.map(({ newFrom, newTo }) => ({ first: newFrom, last: newTo }));
  return { ...present({ call, turn, model, receipt, acceptance }), text, lines: isWhole ? [all] : lines };
}

/** What a call wrote, to be found in a later text. */
type WrittenLines = Pick<Written, "text" | "lines">;

/** The lines of `live` that are still as this call wrote them. */
function unchangedLines({ text, lines }: WrittenLines, live: string): readonly LineRange[] {
  const changes = changesBetween(text, live);
  return lines.flatMap((range) => {
    // Split the range at the changes made since and shift each unchanged piece to its current position.
    const inner = changes.filter(({ from, to }) => from < range.last && to > range.first);
    const inserted = changes.filter(({ from, to }) => from === to && from > range.first && from < range.last);
    const cuts = [...inner, ...inserted].sort((one, other) => one.from - other.from);
    const pieces: LineRange[] = [];
    let first = range.first;
    for (const { from, to } of cuts) {
      if (from > first) pieces.push({ first, last: from });
      first = Math.max(first, to);
    }
    if (range.last > first) pieces.push({ first, last: range.last });
    return pieces.map((piece) => moveRange(changes, piece)).filter(({ first: from, last }) => last > from);
  });
}

interface CommittedText {
  /** As the parent has it; `undefined`: it has no such file. */
  readonly before: string | undefined;
  readonly text: string;
  /** Oldest first. */
  readonly written: readonly WrittenLines[];
}

/** For each of `written`, its lines among those that the commit has added. The last one to write a line counts. */
function attestedLines({ before, text, written }: CommittedText): readonly (readonly LineRange[])[] {
  const now = plain(text);
  const count = now.split("\n").length - (now.endsWith("\n") ? 1 : 0);
  const owner = new Int32Array(count).fill(-1);
  for (const [at, each] of written.entries()) {
    const lines = unchangedLines({ lines: each.lines, text: plain(each.text) }, now);
    for (const { first, last } of lines) owner.fill(at, first, Math.min(last, count));
  }
  const isAdded = new Uint8Array(count);
  if (before === undefined) isAdded.fill(1);
  else for (const { newFrom, newTo } of changesBetween(plain(before), now)) isAdded.fill(1, newFrom, newTo);
  const ranges: { first: number; last: number }[][] = written.map(() => []);
  for (const [index, at] of owner.entries()) {
    if (isAdded[index] !== 1) continue;
    const own = ranges[at];
    const last = own?.at(-1);
    if (last?.last === index) last.last = index + 1;
    else own?.push({ first: index, last: index + 1 });
  }
  return ranges;
}

/** Git keeps lines that end as on its own systems, whatever the editor has. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n");

export const placing: Task<WrittenLines & { readonly live: string }, readonly LineRange[]> = {
  name: "place",
  run: ({ live, ...written }) => unchangedLines(written, live),
};

export const attesting: Task<CommittedText, readonly (readonly LineRange[])[]> = {
  name: "attest",
  run: attestedLines,
};
