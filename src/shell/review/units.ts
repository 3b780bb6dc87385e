// The pieces of a change that can be chosen one by one where an editor shows nothing but replacements: a hunk, or
// several that changed the same lines together. And the other way round: which pieces a text has in it. Pure.
import { applyEdits } from "../../core/patch/edits.ts";
import type { FileChange, LineEdit } from "../../core/patch/model.ts";
import { hasHunks } from "../../core/tools/patch-view.ts";

export interface Unit {
  readonly hunks: readonly number[];
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** In the order of the text, apart from each other. */
export function unitsOf(base: string, edits: readonly LineEdit[]): Unit[] {
  const lastOf = new Map<number, number>();
  for (const [index, { hunks }] of edits.entries()) for (const hunk of hunks) lastOf.set(hunk, index);
  const units: Unit[] = [];
  for (let first = 0; first < edits.length; ) {
    let end = first + 1;
    for (let index = first; index < end; index++)
      for (const hunk of edits[index]?.hunks ?? []) end = Math.max(end, (lastOf.get(hunk) ?? index) + 1);
    units.push(unitOf(base, edits.slice(first, end)));
    first = end;
  }
  return units;
}

function unitOf(base: string, edits: readonly LineEdit[]): Unit {
  const [start, end] = [edits[0]?.start ?? 0, edits.at(-1)?.end ?? 0];
  const own = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const hunks = [...new Set(edits.flatMap((edit) => edit.hunks))];
  return { hunks, start, end, text: applyEdits(base.slice(start, end), own) };
}

/** Of a text that somebody has left: which hunks are in it, where that is all that can be said of it. */
export function chosenIn(change: FileChange, text: string): ReadonlyMap<number, boolean> | undefined {
  if (!hasHunks(change)) return undefined;
  const units = unitsOf(change.base.text, change.edits);
  const taken = takenIn(change.base.text, units, text);
  return (
    taken && new Map(units.flatMap(({ hunks }, index) => hunks.map((hunk) => [hunk, taken[index] === true])))
  );
}

interface State {
  readonly at: number;
  readonly taken: boolean;
  readonly before: State | undefined;
}

/** Which units were carried out to make `result` of `base`; nothing when something else was done to it. */
export function takenIn(base: string, units: readonly Unit[], result: string): boolean[] | undefined {
  let states: State[] = [{ at: 0, taken: false, before: undefined }];
  let from = 0;
  for (const { start, end, text } of units) {
    const gap = base.slice(from, start);
    const next = new Map<number, State>();
    for (const state of states) {
      if (!result.startsWith(gap, state.at)) continue;
      const at = state.at + gap.length;
      for (const [taken, words] of [[true, text] as const, [false, base.slice(start, end)] as const])
        if (result.startsWith(words, at) && !next.has(at + words.length))
          next.set(at + words.length, { at: at + words.length, taken, before: state });
    }
    states = [...next.values()];
    from = end;
  }
  const rest = base.slice(from);
  const found = states.find(({ at }) => result.slice(at) === rest);
  return found && choices(found, units.length);
}

function choices(last: State, count: number): boolean[] {
  const taken: boolean[] = [];
  let state: State | undefined = last;
  for (; taken.length < count && state !== undefined; state = state.before) taken.push(state.taken);
  return taken.reverse();
}
