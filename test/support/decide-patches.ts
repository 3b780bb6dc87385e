// A person who decides about patches: all that waits of a call at once, seen to its end as the rows tell it.

import type { ChangeSet } from "../../src/changes/change-set.ts";
import type { AcceptOutcome, ReverseOutcome } from "../../src/changes/proposal.ts";
import type { ConversationEvent } from "../../src/conversation/events.ts";
import type { PatchPart, Turn } from "../../src/conversation/state.ts";
import type { Disposable } from "../../src/util/disposables.ts";

export interface PatchDecider {
  readonly changes: ChangeSet;
  readonly onEvent: (listener: (event: ConversationEvent) => void) => Disposable;
}

/** What was proposed in these turns, as its rows have it. */
export const patchesIn = (turns: readonly Turn[]): PatchPart[] =>
  turns.flatMap(({ parts }) => parts.filter((part) => part.type === "patch"));

export async function acceptPatch(decider: PatchDecider, call: string): Promise<AcceptOutcome> {
  const { changes } = decider;
  return seenToItsEnd(decider, call, async () => changes.accept(await changes.hunksOf([call])));
}

export const rejectPatch = (decider: PatchDecider, call: string, reason?: string): Promise<void> =>
  seenToItsEnd(decider, call, () => decider.changes.rejectCall(call, reason));

/** What was accepted of it is taken back, or put in again. */
export const turnPatch = (
  decider: PatchDecider,
  call: string,
  to: "undo" | "acceptAgain",
): Promise<ReverseOutcome> => seenToItsEnd(decider, call, () => decider.changes[to]([call]));

async function seenToItsEnd<T>(decider: PatchDecider, call: string, decide: () => Promise<T>): Promise<T> {
  const { changes } = decider;
  const statuses = () => JSON.stringify([...changes.statusesOf(call)]);
  const before = statuses();
  const told = nextWord(decider, call);
  const done = await decide();
  if (statuses() !== before) await told;
  return done;
}

/** The row of this call says something else. */
const nextWord = ({ onEvent }: Pick<PatchDecider, "onEvent">, call: string): Promise<void> =>
  new Promise((resolve) => {
    const listening = onEvent((event) => {
      if (event.type !== "patch-state" || event.call !== call) return;
      listening.dispose();
      setImmediate(resolve);
    });
  });

/** Resolves when every row says what has become of its changes. */
export async function rowsTold(turns: () => readonly Turn[], changes: ChangeSet): Promise<void> {
  const isTold = ({ call, files }: PatchPart) => {
    const statuses = changes.statusesOf(call);
    return files.every(({ hunks }) =>
      hunks.every(({ id, status }) => (statuses.get(id) ?? status) === status),
    );
  };
  while (!patchesIn(turns()).every(isTold)) await new Promise(setImmediate);
}
