// How a turn's history goes out, and what a refusal of it teaches (requirements E11): as it is; then, once, without
// searches; then, where a person agrees, retold. What helped is remembered for the origin and told in each conversation
// that it changes. Knows too whether a history holds what was made under another key or address (E12).

import type { Reply } from "../api/reply.ts";
import type { ServiceClient } from "../api/service-client.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { HistoryForm } from "../conversation/record.ts";
import { type Message, message } from "../messages/message.ts";
import { formNotes, hasSearches, leavesOut } from "./plain-history.ts";
import type { TurnOutput } from "./turn-guarantees.ts";
import type { TurnRequest } from "./turn-request.ts";

type Send = (form: HistoryForm) => AsyncGenerator<TurnOutput, Reply>;

export class HistoryFallback {
  readonly #turn: string;
  readonly #learn: ServiceClient["learnHistory"];
  readonly #makers: Set<string>;
  #isNoted: boolean;
  #isAgreed: boolean;
  #form: HistoryForm;

  constructor(
    { turn, form, formNoted, formAgreed, makers }: TurnRequest,
    learn: ServiceClient["learnHistory"],
  ) {
    this.#turn = turn;
    this.#learn = learn;
    this.#form = form;
    this.#isNoted = formNoted;
    this.#isAgreed = formAgreed;
    this.#makers = new Set(makers);
  }

  /** How the history was sent when it was taken. */
  get form(): HistoryForm {
    return this.#form;
  }

  async *ask(input: readonly string[], send: Send, signal: AbortSignal): AsyncGenerator<TurnOutput, Reply> {
    yield* this.#tell(input);
    const reply = yield* send(this.#form);
    if (signal.aborted) return reply;
    if (this.#mayRefuseSearches(reply, input)) return yield* this.#withoutSearches(input, send, signal);
    yield* this.#learnAgreed(reply);
    return reply;
  }

  /** Whether what the history holds was made by somebody else than who has made this reply. */
  holdsForeign({ by }: Reply): boolean {
    const others = [...this.#makers].some((maker) => maker !== by?.maker);
    return by !== undefined && this.#form !== "plain" && others;
  }

  /** From here on the history holds what this reply said. */
  holds({ by }: Reply): void {
    if (by !== undefined) this.#makers.add(by.maker);
  }

  *#tell(input: readonly string[]): Generator<ConversationEvent, void> {
    if (this.#form === "whole" || this.#isNoted || !leavesOut(this.#form, input)) return;
    this.#isNoted = true;
    yield this.#note(...formNotes[this.#form]);
  }

  /** The second step, the one that nobody is asked about; searches that were not the reason stay. */
  async *#withoutSearches(
    input: readonly string[],
    send: Send,
    signal: AbortSignal,
  ): AsyncGenerator<TurnOutput, Reply> {
    yield this.#note(message("noteAgain"));
    const simpler = yield* send("no-search");
    if (signal.aborted || isRefused(simpler)) return simpler;
    this.#form = "no-search";
    if (simpler.by !== undefined) await this.#learn(simpler.by.origin, "no-search");
    yield* this.#tell(input);
    return simpler;
  }

  /** Whatever the service says is wrong with it: the interface shows no such input item. */
  #mayRefuseSearches(reply: Reply, input: readonly string[]): boolean {
    return this.#form === "whole" && isRefused(reply) && hasSearches(input);
  }

  /** A person has let the history be retold, and it was taken: so would that of others, unless the key was the reason. */
  async *#learnAgreed(reply: Reply): AsyncGenerator<ConversationEvent, void> {
    const { by, status } = reply;
    const isTaken = status === "completed" || status === "incomplete";
    if (!this.#isAgreed || this.#form !== "plain" || !isTaken || by === undefined) return;
    this.#isAgreed = false;
    const isOwn = this.#makers.size > 0 && [...this.#makers].every((maker) => maker === by.maker);
    if (!isOwn) return;
    await this.#learn(by.origin, "plain");
    yield this.#note(message("noteAgreed"));
  }

  readonly #note = (...notes: Message[]): ConversationEvent => ({ type: "note", turn: this.#turn, notes });
}

const isRefused = ({ status, problem }: Reply): boolean =>
  status === "failed" && problem?.kind === "bad-request";
