// Events of a conversation that another window writes.
import {
  type ConversationEvent,
  type ConversationRecord,
  isEvent,
  StoredRecord,
} from "../../conversation/events.ts";
import { isWaitingTool } from "../../conversation/reduce.ts";
import type { JournalChange, JournalRecord, OpenJournal } from "../../store/journal-records.ts";
import type { Disposable } from "../../util/disposables.ts";
import type { Listener } from "../../util/emitter.ts";
import type { Recorder, RemoteChange } from "./recorder.ts";

/**
 * Listens to the window that writes this journal and buffers its changes until there is a listener. A journal that was
 * ours from the beginning needs none of this: what the disk lacks is in memory here.
 */
export function followRemote(journal: OpenJournal) {
  const early: RemoteChange[] = [];
  let tell = (change: RemoteChange): void => void early.push(change);
  const listening = journal.onDidChange((change) => {
    const remote = remoteChange(change, journal);
    if (remote === "reread" || remote.length > 0) tell(remote);
  });
  const onRemoteChange = (listener: Listener<RemoteChange>): Disposable => {
    for (const change of early.splice(0)) listener(change);
    tell = listener;
    return listening;
  };
  return { onRemoteChange, dispose: listening.dispose };
}

/**
 * A journal that nobody has locked is reread after every turn, because nobody knows whether an open turn still runs.
 */
function remoteChange(change: JournalChange, { readOnly }: OpenJournal): RemoteChange {
  if (change.type === "asked-for") return [];
  if (change.type === "reloaded" || readOnly === undefined) return "reread";
  if (change.type === "state") return [];
  if (readOnly.kind === "elsewhere") return change.records.flatMap(toBeRead);
  return change.records.some(({ type }) => type === "ended") ? "reread" : [];
}

/** Takes in what another window has written. Returns whether more than streamed text has changed. */
export function hear(
  records: readonly ConversationRecord[],
  recorder: Pick<Recorder, "hear">,
  fire: (event: ConversationEvent) => void,
): boolean {
  recorder.hear(records);
  const events = records.filter(isEvent);
  for (const event of events) fire(event);
  return events.length < records.length || events.some((event) => !("delta" in event));
}

/** A confirmation requested in another window cannot be answered here; the call is shown once it is decided. */
export const toBeRead = (record: JournalRecord): ConversationRecord[] =>
  isWaitingTool(record) ? [] : understood(record);

/**
 * Most bytes of a long conversation are replay items for the service, which are not needed before something is sent.
 */
export const isShown = (type: string): boolean => type !== "replay";

export function understood(record: JournalRecord): ConversationRecord[] {
  if (isText(record)) return [record];
  const read = StoredRecord.safeParse(record);
  return read.success ? [read.data] : [];
}

/** Recognizes nine of ten records without parsing the equivalent schema. */
const isText = (
  record: JournalRecord,
): record is JournalRecord & Extract<ConversationEvent, { type: "text" }> =>
  record.type === "text" &&
  typeof record["turn"] === "string" &&
  typeof record["part"] === "string" &&
  typeof record["delta"] === "string";
