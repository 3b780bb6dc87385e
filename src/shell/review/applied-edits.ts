// Which of several replacements were carried out in a copy of a text, as far as that can be read off it. Pure.
import type { LineEdit } from "../../core/patch/model.ts";

interface State {
  readonly at: number;
  readonly taken: boolean;
  readonly before: State | undefined;
}

/** One answer for each; nothing when something else was done to it. */
export function appliedEdits(
  base: string,
  edits: readonly LineEdit[],
  result: string,
): boolean[] | undefined {
  let states: State[] = [{ at: 0, taken: false, before: undefined }];
  let from = 0;
  for (const { start, end, text } of edits) {
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
  return found && choices(found, edits.length);
}

function choices(last: State, count: number): boolean[] {
  const taken: boolean[] = [];
  let state: State | undefined = last;
  for (; taken.length < count && state !== undefined; state = state.before) taken.push(state.taken);
  return taken.reverse();
}
