// Which call has written a line of a text: what it left there, followed by a difference, so that it is known whatever was
// typed since, in whichever window. What others have changed is theirs. Pure.
import type { LineRange } from "../patch/model.ts";
import { present } from "../util/present.ts";
import { type CallShare, changesBetween, isByPerson, moveRange } from "./proposal.ts";

/** What a call has left of a file, and which lines of that are its own. */
export interface Written extends Pick<CallShare, "call" | "turn" | "model" | "receipt" | "acceptance"> {
  readonly text: string;
  readonly lines: readonly LineRange[];
}

/** `text`: what it left there. */
export function linesWrittenBy(share: CallShare, text: string): Written {
  const { call, turn, model, receipt, acceptance, hunks } = share;
  const all = { first: 0, last: text.split("\n").length };
  const isIts = ({ id, fate }: CallShare["hunks"][number]) => fate === "applied" && !isByPerson(id);
  const lines = hunks.filter(isIts).map(({ at = all }) => at);
  return { ...present({ call, turn, model, receipt, acceptance }), text, lines };
}

/** Lines of `live` that are still as this call has written them. */
export function standingOf({ text, lines }: Written, live: string): readonly LineRange[] {
  const changes = changesBetween(text, live);
  return lines.flatMap((range) => {
    // Between what was changed since, each piece stands where it was moved to.
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
