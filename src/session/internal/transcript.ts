// The content of a conversation's journal as far as turns need it: the frozen opening, and what each turn added to the
// history. Can also repair a journal whose last turn was cut off with its window.
import {
  type Chosen,
  type ConversationEvent,
  type ConversationRecord,
  type HistoryForm,
  type Opened,
  plainerForm,
  type Replay,
  verbatim,
} from "../../conversation/events.ts";
import {
  emptyConversation,
  isWaitingTool,
  joinDeltas,
  reduce,
  reduceAll,
  resendModeOf,
  runningTurn,
} from "../../conversation/reduce.ts";
import type { Conversation, Part, ToolPart, Turn } from "../../conversation/state.ts";
import { answerForModel } from "../../tools/tool.ts";
import { asString, isObject, parseJson } from "../../util/json.ts";
import { forModel } from "../../util/sentences.ts";
import { answerOpenCalls, cutOffItem, madeHere, userItem } from "./history.ts";
import type { Steered } from "./user-question.ts";

interface TurnItems {
  readonly turn: string;
  /** The raw items of the question, which a turn adds first. */
  readonly asked: readonly string[];
  readonly items: readonly string[];
  /** The number of items when the service's latest reply had arrived. */
  readonly replied: number;
  /** What a person has said while the turn worked; `at`: the number of items before it. */
  readonly steered: readonly (Steered & { readonly at: number })[];
}

interface HistoryPoint<Items extends TurnItems = TurnItems> {
  readonly all: readonly Items[];
  readonly turns: readonly Turn[];
  /** What follows continues the last turn: that turn is not over, and what was refused is tried again. */
  readonly goesOn?: boolean;
}

/** The turns whose items may be sent: from the last summary on. */
function sinceCompaction<Items extends TurnItems>({ all, turns }: HistoryPoint<Items>): readonly Items[] {
  const done = new Set(
    turns.flatMap(({ id, compacts, status }) => (compacts && status === "done" ? [id] : [])),
  );
  const start = all.findLastIndex(({ turn, items }) => done.has(turn) && items.length > 0);
  return start < 0 ? all : all.slice(start);
}

/**
 * Selects what of the earlier turns is sent with the next question: nothing that was refused or excluded, and after a
 * stopped or failed turn a note that it is over. After compaction the summary replaces everything before it. Derived
 * each time from how turns ended, so that a journal gives the same result in every window.
 */
function sentHistory(point: HistoryPoint): string[] {
  const byId = new Map(point.turns.map((turn) => [turn.id, turn]));
  const [first, ...others] = sinceCompaction(point);
  const isOwn = ({ turn }: TurnItems) => byId.get(turn)?.compacts !== true;
  const rest = first === undefined ? [] : [first, ...others.filter(isOwn)];
  const sent: string[][] = [];
  // In reverse, because the following turn tells whether a turn is over, and whether refused items were accepted after
  // all.
  let isGoneOn = point.goesOn === true;
  for (const own of rest.toReversed()) {
    const turn = byId.get(own.turn);
    const how = turn === undefined ? "whole" : resendModeOf(turn);
    const isTaken = isGoneOn && turn?.excluded !== true;
    if (turn === undefined || turn.compacts === true || isTaken || how === "whole") sent.push([...own.items]);
    else if (how !== "nothing") sent.push([...(how === "cut" ? accepted(own) : own.items), over(turn)]);
    isGoneOn = turn?.continues === true && turn.excluded !== true && (isTaken || how !== "nothing");
  }
  return sent.toReversed().flat();
}

/** The turns whose calls and answers the model still has. */
function heldTurns(point: HistoryPoint): ReadonlySet<string> {
  const known = new Set(sinceCompaction(point).map(({ turn }) => turn));
  const isHeld = (turn: Turn) => known.has(turn.id) && ["whole", "marked"].includes(resendModeOf(turn));
  return new Set(point.turns.filter(isHeld).map(({ id }) => id));
}

/**
 * The items up to the service's last reply, and the words that a person has said since. Calls without an output get one
 * that states why it is missing.
 */
function accepted({ items, replied, steered }: TurnItems): readonly string[] {
  const taken = items.slice(0, replied);
  const said = steered.filter(({ at, part }) => at >= replied && part.prompt !== "");
  return [
    ...taken,
    ...answerOpenCalls(taken, () => leftOut),
    ...said.flatMap((each) => each.items.slice(-1)),
  ];
}

const leftOut = forModel(
  "The service refused the request that held the output of this call, so it is left out.",
);

const endings: Readonly<Partial<Record<Turn["status"], string>>> = forModel({
  stopped: "The user stopped this request before it was done.",
  interrupted: "This request was cut off before it was done.",
  failed: "This request failed before it was done.",
});

const over = ({ status }: Turn): string =>
  userItem([
    {
      kind: "text",
      text: verbatim(
        `[Patchbay: ${endings[status] ?? ""} It is over: do not go on with it unless the user asks for it.]`,
      ),
    },
  ]);

interface KeptItems extends TurnItems {
  readonly items: string[];
  readonly steered: (Steered & { readonly at: number })[];
  replied: number;
  /** The makers of the service's items, as far as known. */
  readonly makers: Set<string>;
}

/** The position in a conversation at which something is asked. */
interface AskingPoint {
  /** In place of this turn and those after it; absent: after all of them. */
  readonly insteadOf?: string | undefined;
  /** Continues the turn before it. */
  readonly goesOn?: boolean;
}

export class Transcript {
  #state: Conversation;
  #opened: Opened | undefined;
  #choices: Chosen = {};
  #form: HistoryForm = "whole";
  #turns: KeptItems[] = [];
  /** Text shown after the last items arrived, which no item contains yet. */
  #uncovered = "";

  constructor(id: string, records: readonly ConversationRecord[]) {
    const events: ConversationEvent[] = [];
    for (const record of records) {
      if (this.#takeSilent(record)) continue;
      this.#cover(record);
      const last = events.at(-1);
      const joined = last && joinDeltas(last, record);
      // A journal contains many small deltas of the same text, which are joined so that they are reduced in one step.
      if (joined === undefined) events.push(record);
      else events[events.length - 1] = joined;
    }
    this.#state = reduceAll(emptyConversation(id), events);
    if (events.some(({ type }) => type === "cut")) this.#dropItemsOfCutTurns();
  }

  /** The same at this moment, for something that goes on from it apart. */
  copy(): Transcript {
    const copy = new Transcript(this.#state.id, []);
    copy.#state = this.#state;
    copy.#opened = this.#opened;
    copy.#choices = this.#choices;
    copy.#form = this.#form;
    copy.#turns = this.#turns.map((each) => ({
      ...each,
      items: [...each.items],
      steered: [...each.steered],
      makers: new Set(each.makers),
    }));
    return copy;
  }

  get state(): Conversation {
    return this.#state;
  }

  turn(id: string): Turn | undefined {
    return this.#state.turns.find((turn) => turn.id === id);
  }

  get opened(): Opened | undefined {
    return this.#opened;
  }

  get choices(): Chosen {
    return this.#choices;
  }

  /** The form in which the service accepts its own items. */
  get form(): HistoryForm {
    return this.#form;
  }

  /** The raw items sent before a question at this position. */
  history(at: AskingPoint = {}): string[] {
    return sentHistory({ ...this.#before(at.insteadOf), goesOn: at.goesOn ?? false });
  }

  /** The turns whose calls and answers that history contains. */
  heldTurns(at: AskingPoint = {}): ReadonlySet<string> {
    return heldTurns(this.#before(at.insteadOf));
  }

  /** The makers of the service's items in that history, as far as known. */
  makersBefore(turn?: string): ReadonlySet<string> {
    return new Set(sinceCompaction(this.#before(turn)).flatMap(({ makers }) => [...makers]));
  }

  #before(turn: string | undefined): HistoryPoint<KeptItems> {
    const { turns } = this.#state;
    const index = this.#turns.findIndex((each) => each.turn === turn);
    return { all: index < 0 ? this.#turns : this.#turns.slice(0, index), turns };
  }

  /** The items a turn added, including those of its question. */
  itemsOf(turn: string): readonly string[] {
    return this.#turns.find((each) => each.turn === turn)?.items ?? [];
  }

  /** Loads the replay items from the journal if the initial records did not contain them. */
  remember(records: readonly ConversationRecord[]): void {
    this.#turns = [];
    for (const record of records) if (record.type === "replay") this.#takeItems(record);
    this.#dropItemsOfCutTurns();
  }

  /** What was said while a turn worked. */
  steered(turn: string): readonly Steered[] {
    return this.#turns.find((each) => each.turn === turn)?.steered ?? [];
  }

  asked(turn: string): readonly string[] {
    return this.#turns.find((each) => each.turn === turn)?.asked ?? [];
  }

  take(record: ConversationRecord): void {
    if (!this.#takeSilent(record)) this.#takeEvent(record);
  }

  /** Handles records that are not shown; returns false for everything else. */
  #takeSilent(record: ConversationRecord): record is Exclude<ConversationRecord, ConversationEvent> {
    if (record.type === "opened") this.#opened = record;
    else if (record.type === "choices") {
      const { type: _, at: __, ...chosen } = record;
      this.#choices = { ...this.#choices, ...chosen };
    } else if (record.type === "simplified") this.#form = plainerForm(this.#form, record.form);
    else if (record.type === "replay") this.#takeItems(record);
    else return false;
    return true;
  }

  #takeItems({ turn, items, maker, steered }: Replay): void {
    const last = this.#turns.at(-1);
    const fresh = () => ({
      ...{ turn, asked: items, items: [], steered: [], makers: new Set<string>(), replied: 0 },
    });
    const own = last?.turn === turn ? last : fresh();
    if (own !== last) this.#turns.push(own);
    if (steered !== undefined) own.steered.push({ part: steered, items, at: own.items.length });
    for (const each of items) own.items.push(each);
    if (maker !== undefined && items.length > 0) {
      if (maker !== madeHere) own.makers.add(maker);
      own.replied = own.items.length;
    }
    this.#uncovered = "";
  }

  #cover(event: ConversationEvent): void {
    if (event.type === "text") this.#uncovered += event.delta;
    else if (event.type === "started") this.#uncovered = "";
  }

  #takeEvent(event: ConversationEvent): void {
    this.#cover(event);
    const before = this.#state;
    this.#state = reduce(before, event);
    if (event.type === "cut" && this.#state !== before) this.#dropItemsOfCutTurns();
  }

  #dropItemsOfCutTurns(): void {
    const left = new Set(this.#state.turns.map(({ id }) => id));
    this.#turns = this.#turns.filter(({ turn }) => left.has(turn));
  }

  /** The records to add after an interruption, so that nothing is running and every call has its output. */
  repairs(now: number): readonly (Replay | ConversationEvent)[] {
    const running = runningTurn(this.#state);
    const turn = running?.id ?? this.#turns.at(-1)?.turn;
    if (turn === undefined) return [];
    const parts = this.#state.turns.at(-1)?.parts ?? [];
    const all = this.#turns.flatMap(({ items }) => items);
    const late = answerOpenCalls(all, (callId) => lateAnswer(parts, callId));
    const items = running && this.#uncovered.trim() !== "" ? [...late, cutOffItem(this.#uncovered)] : late;
    const shown = new Set(parts.map(({ id }) => id));
    const unshown = running ? this.steered(turn).filter(({ part }) => !shown.has(part.id)) : [];
    return [
      ...unshown.map(({ part }) => ({ ...part, turn })),
      ...(items.length > 0 ? [{ type: "replay" as const, turn, items }] : []),
      ...(running ? [{ type: "ended" as const, turn, at: now, ending: "interrupted" as const }] : []),
    ];
  }
}

/** The row of a question of the model that waits for an answer. */
export const openQuestion = (parts: readonly Part[], callId: string): ToolPart | undefined =>
  parts.findLast(
    (part): part is ToolPart =>
      part.type === "tool" && part.call === callId && part.question !== undefined && isWaitingTool(part),
  );

/** What the model is told of its question if the turn ends before the call has an output. */
export function answerSoFar(parts: readonly Part[], callId: string): string | undefined {
  if (openQuestion(parts, callId) !== undefined)
    return forModel("The turn ended before the user had answered.");
  const isAnswered = (part: Part): part is ToolPart =>
    part.type === "tool" && part.call === callId && part.question !== undefined && part.status === "done";
  const answered = parts.findLast(isAnswered);
  if (answered === undefined) return undefined;
  const { answer } = answered.message?.args ?? {};
  return answerForModel(typeof answer === "string" ? answer : undefined);
}

/** The id of a patch whose call id was used before. */
export const repeatedCallName = (callId: string, number: number): string => `${callId}#${number}`;

const isNameOf = (name: string, callId: string): boolean =>
  name === callId || name.startsWith(repeatedCallName(callId, 0).slice(0, -1));

/** A patch may have got further than its output, so the model is told what the journal knows about it. */
function lateAnswer(parts: readonly Part[], callId: string): string {
  const answer = answerSoFar(parts, callId);
  if (answer !== undefined) return answer;
  const patch = parts.findLast((part) => part.type === "patch" && isNameOf(part.call, callId));
  if (patch?.type === "patch" && patch.output !== undefined) return patch.output;
  return forModel("The editor was closed before this call came to an end; nothing was changed by it.");
}

/** Whether the items end with a tool output that the model has not answered yet. */
export function endsWithOutput(items: readonly string[]): boolean {
  const item = parseJson(items.at(-1) ?? "");
  return isObject(item) && (asString(item["type"]) ?? "").endsWith("_output");
}
