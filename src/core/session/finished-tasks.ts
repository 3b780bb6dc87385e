// What becomes, in a later window, of the tasks of earlier ones. One that came to its end goes: what it changed in files can
// no longer be taken back by it. One that was cut off, waits for a decision or has words in its box is a conversation of the
// list from then on, or nobody would find it again.

import type { Part } from "../conversation/state.ts";
import { asking } from "../conversation/waiting-tools.ts";
import type { Library } from "../store/library.ts";
import { Transcript } from "../turn/transcript.ts";
import type { Log } from "../util/log.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { ConversationJournal } from "./recorder.ts";
import { saysSomething } from "./unsent.ts";

export interface FinishedTaskDeps {
  readonly library: Pick<Library, "tasks" | "remove" | "goOn">;
  readonly store: Pick<ConversationStore, "open">;
  /** In this window. */
  isOpen(conversation: string): boolean;
  readonly log: Log;
}

export async function removeFinishedTasks({ library, store, isOpen, log }: FinishedTaskDeps): Promise<void> {
  for (const { id } of await library.tasks()) {
    if (isOpen(id)) continue;
    try {
      const journal = await store.open(id);
      const isElsewhere = journal.readOnly !== undefined;
      const isDone = await isFinished(journal).finally(() => journal.close());
      if (isElsewhere) continue;
      if (isDone) await library.remove(id);
      else await library.goOn(id);
    } catch (error) {
      log.error("A task of an earlier window stays where it is.", error);
    }
  }
}

async function isFinished(journal: ConversationJournal): Promise<boolean> {
  if (saysSomething(await journal.readUnsent())) return false;
  const { turns } = new Transcript(journal.id, journal.records).state;
  const { status = "interrupted" } = turns.at(-1) ?? {};
  const isOver = status !== "running" && status !== "interrupted";
  const waits = (part: Part) => part.type === "patch" && part.status === "proposed";
  return isOver && turns.every((turn) => asking(turn).length === 0 && !turn.parts.some(waits));
}
