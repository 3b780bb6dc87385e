// Simpler forms of the history, which are tried when a service refuses the usual one.
import type { ConversationEvent, HistoryForm } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Reply } from "../../service/reply.ts";
import type { ServiceClient } from "../../service/service-client.ts";
import { formNotes, hasSearches, omitsItems } from "./history.ts";
import type { TurnOutput } from "./turn-ending.ts";
import type { TurnRequest } from "./turn-request.ts";

type Send = (form: HistoryForm) => AsyncGenerator<TurnOutput, Reply>;

/**
 * Sends a turn's history and learns from refusals (requirements E11): first as it is; then, once, without searches;
 * then, if a person agrees, in plain form. Also tracks whether a history contains items made under another key or
 * address (E12). What worked is remembered for the origin and noted in each conversation it changes. Omitting searches
 * needs no agreement, so it is remembered only for this window until a second refusal confirms it.
 */
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

  /** The form in which the history was accepted. */
  get form(): HistoryForm {
    return this.#form;
  }

  async *ask(input: readonly string[], send: Send, signal: AbortSignal): AsyncGenerator<TurnOutput, Reply> {
    yield* this.#tell(input);
    const reply = yield* send(this.#form);
    if (signal.aborted) return reply;
    if (this.#mayRefuseSearches(reply, input)) return yield* this.#withoutSearches(input, send, signal);
    if (this.#form === "whole" && reply.by !== undefined && isAnswered(reply) && hasSearches(input))
      await this.#learn(reply.by.origin, "whole");
    yield* this.#learnAgreed(reply);
    return reply;
  }

  /** Whether the history contains items made under another key or address than this reply. */
  holdsForeign({ by }: Reply): boolean {
    const others = [...this.#makers].some((maker) => maker !== by?.maker);
    return by !== undefined && this.#form !== "plain" && others;
  }

  /** From now on the history contains the items of this reply. */
  holds({ by }: Reply): void {
    if (by !== undefined) this.#makers.add(by.maker);
  }

  *#tell(input: readonly string[]): Generator<ConversationEvent, void> {
    if (this.#form === "whole" || this.#isNoted || !omitsItems(this.#form, input)) return;
    this.#isNoted = true;
    yield this.#note(...formNotes[this.#form]);
  }

  /** The second attempt, which needs no agreement. If the searches were not the reason, they stay. */
  async *#withoutSearches(
    input: readonly string[],
    send: Send,
    signal: AbortSignal,
  ): AsyncGenerator<TurnOutput, Reply> {
    yield this.#note(message("noteAgain"));
    const simpler = yield* send("no-search");
    if (signal.aborted || isRefused(simpler)) return simpler;
    this.#form = "no-search";
    // A failure of another kind does not tell whether the history is accepted.
    if (simpler.by !== undefined && isAnswered(simpler)) await this.#learn(simpler.by.origin, "no-search");
    yield* this.#tell(input);
    return simpler;
  }

  /**
   * Whether searches may be the reason for a refusal, whatever the service says: the interface shows no such input
   * item.
   */
  #mayRefuseSearches(reply: Reply, input: readonly string[]): boolean {
    return this.#form === "whole" && isRefused(reply) && hasSearches(input);
  }

  /**
   * A person agreed to the plain form and it was accepted. Remembers this for other conversations, unless the key was
   * the reason.
   */
  async *#learnAgreed(reply: Reply): AsyncGenerator<ConversationEvent, void> {
    const { by } = reply;
    if (!this.#isAgreed || this.#form !== "plain" || !isAnswered(reply) || by === undefined) return;
    this.#isAgreed = false;
    const isOwn = this.#makers.size > 0 && [...this.#makers].every((maker) => maker === by.maker);
    if (!isOwn) return;
    await this.#learn(by.origin, "plain");
    yield this.#note(message("noteAgreed"));
  }

  readonly #note = (...notes: Message[]): ConversationEvent => ({ type: "note", turn: this.#turn, notes });
}

const isAnswered = ({ status }: Reply): boolean => status === "completed" || status === "incomplete";

const isRefused = ({ status, problem }: Reply): boolean =>
  status === "failed" && problem?.kind === "bad-request";
