// The only place where a conversation changes. Pure and total: an event that does not fit (unknown turn, a turn that
// has ended) changes nothing, so a late event cannot alter what a person was told is finished.

import type { ConversationEvent } from "./events.ts";
import type { Problem } from "./problem.ts";
import type {
  AttachmentView,
  Conversation,
  Part,
  PatchState,
  Plan,
  SteeredPart,
  ToolPart,
  Turn,
} from "./state.ts";

/**
 * What of a turn is sent again with later questions, depending on how it ended. `whole`: all of it. `marked`: with a
 * note on how it ended, because it is over and the model should not continue it on its own. `cut`: the same, without
 * what the service has refused. `nothing`: refused as a whole, never begun, or excluded by a person.
 */
type ResendMode = "whole" | "marked" | "cut" | "nothing";

export function resendModeOf(turn: Turn): ResendMode {
  if (turn.excluded === true) return "nothing";
  if (turn.status === "stopped" || turn.status === "interrupted") return "marked";
  if (turn.status !== "failed") return "whole";
  // Notes are created by Patchbay; any other part means that the service had begun.
  const isBegun = turn.parts.some(({ type }) => type !== "note");
  if (!isBegun) return isTurnedAway(turn.problem) ? "nothing" : "marked";
  return isAboutContent(turn.problem) ? "cut" : "marked";
}

/** Whether a person can exclude it from future requests. */
export const isExcludable = (turn: Turn): boolean =>
  turn.compacts !== true && ["marked", "cut"].includes(resendModeOf(turn));

const unbegun: ReadonlySet<Problem["kind"]> = new Set([
  "not-configured",
  "no-key",
  "auth",
  "bad-request",
  "not-found",
  "busy",
  "quota",
  "redirect",
  "refused-locally",
  "too-large",
  "network",
]);

/** Whether the question reached nobody or was not accepted. If that is unknown, it is sent again. */
function isTurnedAway(problem: Problem | undefined): boolean {
  if (problem === undefined) return false;
  const { kind, status = 0, message } = problem;
  if (status >= 400 && status < 500) return true;
  if (message.code === "problemCut" || message.code === "problemSize") return false;
  return unbegun.has(kind) || message.code === "problemNoConnection";
}

/** Sending the same content again would be refused again. */
const isAboutContent = (problem: Problem | undefined): boolean =>
  problem !== undefined &&
  (problem.kind === "bad-request" || problem.kind === "too-large") &&
  problem.message.code !== "problemSize";

type Event<Type extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: Type }>;

export const emptyConversation = (id: string): Conversation => ({ id, turns: [] });

export const runningTurn = (conversation: Conversation): Turn | undefined => {
  const last = conversation.turns.at(-1);
  return last?.status === "running" ? last : undefined;
};

export function reduce(conversation: Conversation, event: ConversationEvent): Conversation {
  if (event.type === "started") return start(conversation, event);
  if (event.type === "cut") return cut(conversation, event.turn);
  if (isLate(event)) return takeLate(conversation, event);
  // Only the last turn can be running, so other events apply only to it.
  const last = conversation.turns.at(-1);
  if (last === undefined || last.id !== event.turn || last.status !== "running") return conversation;
  const next = step(last.waiting === undefined ? last : awake(last), event);
  return { ...conversation, turns: [...conversation.turns.slice(0, -1), next] };
}

function awake({ waiting: _, ...turn }: Turn): Turn {
  return turn;
}

function start(conversation: Conversation, event: Event<"started">): Conversation {
  const known = conversation.turns.some((turn) => turn.id === event.turn);
  if (known || conversation.turns.at(-1)?.status === "running") return conversation;
  const { turn: id, at, model, route, prompt, attachments = [], continues = false } = event;
  const asked = { id, at, model, route, prompt, attachments, continues };
  const kind = { ...(event.compacts && { compacts: true }), ...(event.json && { json: true }) };
  const turn: Turn = { ...asked, ...kind, parts: [], status: "running", usage: [], receipts: [] };
  return { ...conversation, turns: [...withoutOpenQuestion(conversation.turns), turn] };
}

/** A question of the model outlives its window, but not what is asked after it. */
function withoutOpenQuestion(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  if (last === undefined || waitingTools(last).length === 0) return turns;
  return turns.with(-1, { ...last, parts: last.parts.map(closed) });
}

function cut(conversation: Conversation, turn: string): Conversation {
  const index = conversation.turns.findIndex(({ id }) => id === turn);
  if (index < 0 || conversation.turns.at(-1)?.status === "running") return conversation;
  return { ...conversation, turns: withOpenQuestion(conversation.turns.slice(0, index)) };
}

/** A question of the model is open again once nothing is asked after it. */
function withOpenQuestion(turns: Turn[]): Turn[] {
  const last = turns.at(-1);
  if (last?.status !== "interrupted" || last.excluded === true) return turns;
  const isClosed = (part: Part): part is ToolPart =>
    part.type === "tool" && part.question !== undefined && part.status === "stopped";
  if (!last.parts.some(isClosed)) return turns;
  const parts = last.parts.map((part) => (isClosed(part) ? { ...part, status: "asked" as const } : part));
  return turns.with(-1, { ...last, parts });
}

type LateEvent = Event<"patch" | "patch-state" | "excluded" | "plan" | "tool">;

const isLate = (event: ConversationEvent): event is LateEvent => isOfAnyTurn(event);

function takeLate(conversation: Conversation, event: LateEvent): Conversation {
  if (event.type === "excluded") return exclude(conversation, event.turn);
  const at = conversation.turns.findIndex(({ id }) => id === event.turn);
  const turn = conversation.turns[at];
  if (turn === undefined) return conversation;
  if (event.type === "plan")
    return { ...conversation, turns: conversation.turns.with(at, { ...turn, plan: planOfEvent(event) }) };
  if (event.type === "tool") {
    // A window that reads along has not seen it wait, so its row may run there, or have ended with the turn.
    const isKnown = turn.parts.some((part) => part.id === event.id && isDone(part));
    const { turn: _, ...part } = event;
    const answered = { ...turn, parts: put(turn.parts, part) };
    return isKnown ? conversation : { ...conversation, turns: conversation.turns.with(at, answered) };
  }
  const parts = event.type === "patch" ? put(turn.parts, partOf(event)) : restated(turn.parts, event);
  return parts === turn.parts
    ? conversation
    : { ...conversation, turns: conversation.turns.with(at, { ...turn, parts }) };
}

const isDone = (part: Part): boolean => part.type === "tool" && part.status === "done";

function exclude(conversation: Conversation, id: string): Conversation {
  const at = conversation.turns.findIndex((turn) => turn.id === id);
  const turn = conversation.turns[at];
  if (turn === undefined || !isExcludable(turn)) return conversation;
  // Whoever leaves a turn out no longer answers what the model asks in it.
  const left = { ...turn, parts: turn.parts.map(closed), excluded: true };
  return { ...conversation, turns: conversation.turns.with(at, left) };
}

function restated(parts: Part[], { id, status, message, hunks, files: written }: PatchState): Part[] {
  const at = parts.findIndex((part) => part.id === id);
  const part = parts[at];
  if (part?.type !== "patch") return parts;
  const now = new Map(hunks.map((hunk) => [hunk.id, hunk.status]));
  const files = (written ?? part.files).map((file) =>
    file.hunks.some((hunk) => now.has(hunk.id))
      ? { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, status: now.get(hunk.id) ?? hunk.status })) }
      : file,
  );
  const { message: _, ...rest } = part;
  return parts.with(at, { ...rest, status, files, ...(message && { message }) });
}

function step(
  turn: Turn,
  event: Exclude<ConversationEvent, { type: "started" | "cut" | "excluded" | "patch-state" }>,
): Turn {
  switch (event.type) {
    case "text":
    case "refusal":
    case "reasoning":
      return { ...turn, parts: append(turn.parts, event) };
    case "replaced":
      return {
        ...turn,
        parts: turn.parts.map((part) => (part.id === event.part ? replaced(part, event.text) : part)),
      };
    case "cited": {
      const { part: id, citations } = event;
      const cite = (part: Part) => (part.id === id && part.type === "text" ? { ...part, citations } : part);
      return { ...turn, parts: turn.parts.map(cite) };
    }
    case "search":
    case "other":
    case "steered":
    case "tool": {
      const { turn: _, ...part } = event;
      return { ...turn, parts: put(turn.parts, part) };
    }
    case "patch":
      return { ...turn, parts: put(turn.parts, partOf(event, turn.parts)) };
    case "plan":
      return { ...turn, plan: planOfEvent(event) };
    case "usage": {
      const { type: _, turn: __, usage, ...facts } = event;
      return { ...turn, usage: [...turn.usage, { ...usage, ...facts }] };
    }
    case "receipt":
      return { ...turn, receipts: [...turn.receipts, event.receipt] };
    case "waiting":
      return { ...turn, waiting: { until: event.until, reason: event.reason } };
    case "note":
      return {
        ...turn,
        parts: [...turn.parts, { type: "note", id: `note-${turn.parts.length}`, notes: event.notes }],
      };
    case "attached":
      return { ...turn, beside: [...(turn.beside ?? []), ...event.attachments] };
    case "ended":
      return end(turn, event);
    default:
      event satisfies never;
      return turn;
  }
}

function end(turn: Turn, { at, ending, reason, problem }: Event<"ended">): Turn {
  return {
    ...turn,
    // Whoever closed the window has not answered what the model has asked.
    parts: turn.parts.map((part) => (ending === "interrupted" && isQuestion(part) ? part : closed(part))),
    status: ending,
    endedAt: at,
    ...(reason !== undefined && { reason }),
    ...(problem !== undefined && { problem }),
  };
}

/** A question of the model that waits for an answer. */
const isQuestion = (part: Part): boolean => isWaitingTool(part) && "question" in part;

function planOfEvent({ type: _, turn: __, ...plan }: Event<"plan">): Plan {
  return plan;
}

/** The plan in force: the latest one, with what a person has changed in it. */
export const planOf = ({ turns }: { readonly turns: readonly Turn[] }): Plan | undefined =>
  turns.findLast(({ plan }) => plan !== undefined)?.plan;

/** Nothing waits or runs in a turn that has ended, but for a question whose window was closed. */
function closed(part: Part): Part {
  const isOpen =
    (part.type === "tool" && (part.status === "asked" || part.status === "running")) ||
    (part.type === "patch" && part.status === "arriving");
  return isOpen ? { ...part, status: "stopped" } : part;
}

type Growing = Extract<Part, { type: "text" | "refusal" | "reasoning" }>;

const isGrowing = (part: Part): part is Growing =>
  part.type === "text" || part.type === "refusal" || part.type === "reasoning";

function append(parts: readonly Part[], event: Event<Growing["type"]>): Part[] {
  const index = parts.findLastIndex((part) => part.id === event.part);
  const old = parts[index] ?? { type: event.type, id: event.part, text: "" };
  if (!isGrowing(old)) return [...parts];
  const took = event.type === "reasoning" && event.took !== undefined ? { took: event.took } : {};
  const next = { ...old, ...took, text: old.text + event.delta };
  return index < 0 ? [...parts, next] : parts.with(index, next);
}

const replaced = (part: Part, text: string): Part => (isGrowing(part) ? { ...part, text } : part);

/** Merges new files of an arriving patch with those that arrived before. */
function partOf({ turn: _, from, ...part }: Event<"patch">, parts: readonly Part[] = []): Part {
  const old = from === undefined ? undefined : parts.find(({ id }) => id === part.id);
  return old?.type === "patch" ? { ...part, files: [...old.files.slice(0, from), ...part.files] } : part;
}

function put(parts: readonly Part[], part: Part): Part[] {
  const index = parts.findIndex((old) => old.id === part.id);
  return index < 0 ? [...parts, part] : parts.with(index, part);
}

/** What a person has said meanwhile, as far as the model was handed it. */
export const steeredIn = ({ parts }: Pick<Turn, "parts">): readonly SteeredPart[] =>
  parts.filter((part) => part.type === "steered");

/** All that a person has said in a turn, in order. */
export const promptsOf = (turn: Turn): readonly string[] => [
  turn.prompt,
  ...steeredIn(turn).map(({ prompt }) => prompt),
];

/** The same as one text, in which it is asked again. */
export const wordsOf = (turn: Turn): string => promptsOf(turn).filter(Boolean).join("\n\n");

/** All that a person has attached in a turn. */
export const attachmentsOf = (turn: Turn): readonly AttachmentView[] => [
  ...turn.attachments,
  ...steeredIn(turn).flatMap(({ attachments }) => attachments),
];

/** The tools of a turn that wait for a person. The turn continues only once they are answered, if it is not over. */
export const waitingTools = ({ parts }: Turn): readonly Part[] => parts.filter(isWaitingTool);

/** For a part, or for the event that creates it. */
export const isWaitingTool = (what: { readonly type: string; readonly status?: unknown }): boolean =>
  what.type === "tool" && what.status === "asked";

/**
 * The ids of text parts that are only steps: the response of a turn is its last text. Text from before checks found
 * something in the model's changes may no longer be true, so it counts as a step as soon as the model has written
 * something after that.
 */
export function stepTexts({ parts }: Pick<Turn, "parts">): ReadonlySet<string> {
  const last = parts.findLastIndex((part) => part.type === "text" && part.text.trim() !== "");
  const checked = parts.slice(0, Math.max(last, 0)).findLastIndex(isCheckAtTurnEnd);
  if (checked < 0) return none;
  return new Set(parts.slice(0, checked).flatMap(({ type, id }) => (type === "text" ? [id] : [])));
}

const none: ReadonlySet<string> = new Set();

/** Checks that ran automatically when the model had finished, not through a call of the model. */
const isCheckAtTurnEnd = (part: Part): boolean =>
  part.type === "tool" && part.name === "run_checks" && part.call === "";

/** The text of a response as Markdown, unchanged, for copying. */
export function answerMarkdown(turn: Turn): string {
  const steps = stepTexts(turn);
  return turn.parts
    .map((part) =>
      (part.type === "text" && !steps.has(part.id)) || part.type === "refusal" ? part.text.trim() : "",
    )
    .filter((text) => text !== "")
    .join("\n\n");
}

/**
 * Applies many events at once, as read from a journal, with the same result as calling `reduce` for each. `reduce`
 * copies the list of turns at each step, which would take hours for a hundred thousand events in ten thousand turns;
 * here only the last two turns are copied, and the others are prepended at the end.
 */
export function reduceAll(conversation: Conversation, events: Iterable<ConversationEvent>): Conversation {
  const folding = new Folding(conversation);
  for (const event of events) folding.take(event);
  return folding.result;
}

class Folding {
  readonly #start: Conversation;
  readonly #ids: Set<string>;
  /** Turns that only a cut or a person's decision about patches can still change. */
  #settled: Turn[];
  /** The conversation with only its last turn, if any. */
  #end: Conversation;

  constructor(start: Conversation) {
    this.#start = start;
    this.#ids = new Set(start.turns.map(({ id }) => id));
    this.#settled = start.turns.slice(0, -1);
    this.#end = { ...start, turns: start.turns.slice(-1) };
  }

  get result(): Conversation {
    const turns = [...this.#settled, ...this.#end.turns];
    const same =
      turns.length === this.#start.turns.length && turns.every((turn, at) => turn === this.#start.turns[at]);
    return same ? this.#start : { ...this.#start, turns };
  }

  take(event: ConversationEvent): void {
    if (event.type === "cut") this.#cut(event);
    else if (isLate(event) && !this.#end.turns.some(({ id }) => id === event.turn)) this.#reachBack(event);
    else if (event.type !== "started") this.#end = reduce(this.#end, event);
    else if (!this.#ids.has(event.turn)) this.#begin(event);
  }

  #begin(event: Extract<ConversationEvent, { type: "started" }>): void {
    const next = reduce(this.#end, event);
    if (next === this.#end) return;
    this.#ids.add(event.turn);
    this.#settled.push(...next.turns.slice(0, -1));
    this.#end = { ...next, turns: next.turns.slice(-1) };
  }

  #reachBack(event: LateEvent): void {
    const at = this.#settled.findIndex(({ id }) => id === event.turn);
    const [next] = reduce({ ...this.#start, turns: this.#settled.slice(at, at + 1) }, event).turns;
    if (at >= 0 && next !== undefined) this.#settled[at] = next;
  }

  #cut(event: Extract<ConversationEvent, { type: "cut" }>): void {
    const whole = { ...this.#start, turns: [...this.#settled, ...this.#end.turns] };
    const next = reduce(whole, event);
    if (next === whole) return;
    this.#settled = next.turns.slice(0, -1);
    this.#end = { ...next, turns: next.turns.slice(-1) };
    this.#ids.clear();
    for (const { id } of next.turns) this.#ids.add(id);
  }
}

/**
 * Joins two deltas of the same part into one, which means fewer lines in the journal and fewer messages to the page.
 */
export function joinDeltas(
  earlier: ConversationEvent,
  later: ConversationEvent,
): ConversationEvent | undefined {
  if (earlier.type !== later.type || !("delta" in earlier) || !("delta" in later)) return undefined;
  if (earlier.turn !== later.turn || earlier.part !== later.part) return undefined;
  // The duration of reasoning is reported with its last delta.
  return { ...earlier, ...later, delta: earlier.delta + later.delta } as ConversationEvent;
}

// Records of a journal.

/** A record or an event; fields that it lacks are absent. */
interface Loose {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Whether a patch was made by a person from a response, or a plan was edited by one. */
export const isPersons = ({ type, by }: { readonly type: string; readonly by?: unknown }): boolean =>
  (type === "patch" || type === "plan") && by === "person";

/** Whether it can apply to any turn at any time: a person's decision, or what has become of a patch. */
export const isOfAnyTurn = (record: Loose): boolean =>
  record.type === "excluded" ||
  record.type === "patch-state" ||
  isPersons(record) ||
  // A question of the model that now has its answer, or none.
  (record.type === "tool" && record["question"] !== undefined && record["status"] === "done");

/**
 * Tells which of these records, from the beginning of a turn on, survive when it is cut off: those about the conversation
 * as a whole, and those about turns before it.
 */
export function survivorsOfCut(records: readonly Loose[]): (record: Loose) => boolean {
  const cut = new Set(records.flatMap(({ type, turn }) => (type === "started" ? [turn] : [])));
  return (record) => record["turn"] === undefined || (isOfAnyTurn(record) && !cut.has(record["turn"]));
}
