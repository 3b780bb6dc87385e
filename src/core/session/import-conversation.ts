// What is taken of a conversation that was made elsewhere: what its transcript shows, hidden characters written out, and
// nothing else. Instructions, tools, choices and raw items stay behind; what the model is told of it is made again from what
// a person sees. An event that would show nothing is left out, so that nothing can hide behind it.
import * as z from "zod/mini";
import { ConversationEvent } from "../conversation/events.ts";
import { visible } from "../conversation/hidden-characters.ts";
import { joinDeltas } from "../conversation/join-deltas.ts";
import { emptyConversation, reduce } from "../conversation/reduce.ts";
import type { Turn } from "../conversation/state.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import type { Arriving } from "../store/bundle.ts";
import type { JournalRecord, NewRecord } from "../store/record-line.ts";
import { importedHandOver } from "../turn/hand-over.ts";
import { assistantItem, cutOffItem, userItem } from "../turn/history.ts";

/** More pieces of one text are not put together in memory. */
const longestDelta = 256 * 1024;

/** The chip on the first question. */
const imported = { kind: "imported", label: "Imported", bytes: 0 };

export function shownOnly(): Arriving {
  let state = emptyConversation("");
  let waiting: ConversationEvent | undefined;

  /** Characters that belong together may come in two pieces: a text is looked through when all of it is here. */
  function take(record: JournalRecord): readonly NewRecord[] {
    const read = z.safeParse(ConversationEvent, record);
    // Without a stream there is nothing to wait for.
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
    const event = withImported(withVisible(waiting), state.turns.length === 0);
    waiting = undefined;
    const before = state;
    state = reduce(before, event);
    if (state === before) return [];
    if (event.type === "started") return [event, ...itemsOf(event.turn, questionItems(event.prompt))];
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

/** No deeper than the form of an event. */
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
  // It is no answer to this person: what it quotes may be of files that nobody here has let go.
  const { text: clean } = takeOutSecrets(text);
  if (turn?.compacts === true) return turn.status === "done" ? importedHandOver(clean) : [];
  const isWhole = turn?.status === "done" || turn?.status === "incomplete";
  return [isWhole ? assistantItem(clean) : cutOffItem(clean)];
}
