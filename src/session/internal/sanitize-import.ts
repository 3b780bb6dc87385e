// Imports a conversation that was made elsewhere: only what its transcript shows, with hidden characters written out.
// Instructions, tools, choices and raw items are dropped; the model's history is rebuilt from what a person sees.
// Events that show nothing are dropped, so that nothing can hide in them.
import * as z from "zod/mini";
import { ConversationEvent } from "../../conversation/events.ts";
import { emptyConversation, joinDeltas, reduce } from "../../conversation/reduce.ts";
import type { Turn } from "../../conversation/state.ts";
import { takeOutSecrets } from "../../files/privacy.ts";
import type { ImportedRecords, JournalRecord, NewRecord } from "../../store/journal-records.ts";
import { visible } from "../../util/hidden-characters.ts";
import { importedSummaryItems } from "./compaction.ts";
import { assistantItem, cutOffItem, userItem } from "./history.ts";

/** Longer deltas of one text are not joined in memory. */
const longestDelta = 256 * 1024;

/** The chip on the first question. */
const imported = { kind: "imported", label: "Imported", bytes: 0 };

export function importVisible(): ImportedRecords {
  let state = emptyConversation("");
  let waiting: ConversationEvent | undefined;

  /** A character sequence may be split across deltas, so a text is checked only once it is complete. */
  function take(record: JournalRecord): readonly NewRecord[] {
    const read = z.safeParse(ConversationEvent, record);
    // Nothing runs in an imported conversation, so no tool waits for a decision.
    if (!read.success || read.data.type === "waiting") return [];
    const joined = waiting && joinDeltas(waiting, read.data);
    if (joined !== undefined && "delta" in joined && joined.delta.length <= longestDelta) {
      waiting = joined;
      return [];
    }
    const done = end();
    waiting = read.data;
    return done;
  }

  function end(): readonly NewRecord[] {
    if (waiting === undefined) return [];
    const event = withImported(withoutSecrets(withVisible(waiting)), state.turns.length === 0);
    waiting = undefined;
    const before = state;
    state = reduce(before, event);
    if (state === before) return [];
    if (event.type === "started") return [event, ...itemsOf(event.turn, questionItems(event.prompt))];
    if (event.type === "steered") return [event, ...itemsOf(event.turn, questionItems(event.prompt))];
    if (event.type !== "ended") return [event];
    return [...itemsOf(event.turn, answerItems(state.turns.at(-1))), event];
  }

  return { take, end };
}

const withImported = (event: ConversationEvent, isFirst: boolean): ConversationEvent =>
  event.type === "started" && isFirst
    ? { ...event, attachments: [imported, ...(event.attachments ?? [])] }
    : event;

const withVisible = (event: ConversationEvent): ConversationEvent => visibleIn(event) as ConversationEvent;

/** What was asked is told again when the conversation is summarized, as it stands here. */
const withoutSecrets = (event: ConversationEvent): ConversationEvent =>
  event.type === "started" || event.type === "steered"
    ? { ...event, prompt: takeOutSecrets(event.prompt).text }
    : event;

/** Not deeper than the schema of an event. */
function visibleIn(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(visibleIn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visibleIn(inner)]));
}

const itemsOf = (turn: string, items: readonly string[]): readonly NewRecord[] =>
  items.length === 0 ? [] : [{ type: "replay", turn, items }];

const questionItems = (prompt: string): readonly string[] =>
  prompt.trim() === "" ? [] : [userItem([{ kind: "text", text: takeOutSecrets(prompt).text }])];

function answerItems(turn: Turn | undefined): readonly string[] {
  const text = (turn?.parts ?? [])
    .flatMap((part) => (part.type === "text" || part.type === "refusal" ? [part.text] : []))
    .join("");
  if (text.trim() === "") return [];
  // This person did not get it as a response: it may quote files that nobody here has released.
  const { text: clean } = takeOutSecrets(text);
  if (turn?.compacts === true) return turn.status === "done" ? importedSummaryItems(clean) : [];
  const isWhole = turn?.status === "done" || turn?.status === "incomplete";
  return [isWhole ? assistantItem(clean) : cutOffItem(clean)];
}
