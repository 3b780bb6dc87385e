// In which form a turn sends its history, and what is learned from refusals (requirements E11): first as it is; then,
// once, without searches; then, if a person agrees, in plain form. What worked is remembered for the origin and noted in
// each conversation it changes. Sends nothing itself.
import type { HistoryForm } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Reply } from "../../service/reply.ts";
import { formNotes, hasSearches, omitsItems } from "./history.ts";
import type { RunningTurn } from "./turn-request.ts";

export class HistoryFallback {
  readonly #turn: RunningTurn;
  /** The makers of the service's items, as far as known. */
  readonly #makers: Set<string>;
  /** The form in which the history was accepted. */
  #form: HistoryForm;
  /** The person was told that this form is used. */
  #isNoted: boolean;
  /** The person has just agreed to the form after a refusal. */
  #isAgreed: boolean;
  /** The next request, or the one that was just sent, tries whether the searches were the reason. */
  #isTrial = false;

  constructor(turn: RunningTurn) {
    const { form, formNoted, formAgreed, makers } = turn.request;
    this.#turn = turn;
    this.#makers = new Set(makers);
    this.#form = form;
    this.#isNoted = formNoted;
    this.#isAgreed = formAgreed;
  }

  get form(): HistoryForm {
    return this.#form;
  }

  /** The form of the next request, of which the person is told first. */
  async formFor(input: readonly string[]): Promise<HistoryForm> {
    if (this.#isTrial) return "no-search";
    await this.#noteForm(input);
    return this.#form;
  }

  /**
   * Learns from a reply. True: the same is to be sent again, in the form that is next. Omitting searches needs no
   * agreement, so it is remembered only for this window until a second refusal confirms it.
   */
  async sendsAgain(reply: Reply, input: readonly string[]): Promise<boolean> {
    const { signal } = this.#turn;
    if (this.#isTrial) {
      this.#isTrial = false;
      // If the searches were not the reason, they stay.
      if (!signal.aborted && !isRefused(reply)) await this.#omitSearches(reply, input);
      return false;
    }
    if (signal.aborted) return false;
    if (this.#form === "whole" && hasSearches(input)) {
      if (isAnswered(reply)) await this.#learn(reply, "whole");
      // Whatever the service says, searches may be the reason: the interface shows no such input item.
      if (!isRefused(reply)) return false;
      await this.#note(message("noteAgain"));
      this.#isTrial = true;
      return true;
    }
    if (this.#isAgreed && this.#form === "plain" && isAnswered(reply)) await this.#keepPlain(reply);
    return false;
  }

  /** Whether the history contains items made under another key or address than this reply (requirements E12). */
  holdsForeign({ by }: Reply): boolean {
    return by !== undefined && this.#form !== "plain" && [...this.#makers].some((each) => each !== by.maker);
  }

  /** From now on the history contains items of this reply. */
  keepItemsOf({ by }: Reply): void {
    if (by !== undefined) this.#makers.add(by.maker);
  }

  async #omitSearches(reply: Reply, input: readonly string[]): Promise<void> {
    this.#form = "no-search";
    // A failure of another kind does not tell whether the history is accepted.
    if (isAnswered(reply)) await this.#learn(reply, "no-search");
    await this.#noteForm(input);
  }

  /** The form is remembered for other conversations, unless the key was the reason. */
  async #keepPlain(reply: Reply): Promise<void> {
    const { by } = reply;
    if (by === undefined) return;
    this.#isAgreed = false;
    if (this.#makers.size === 0 || [...this.#makers].some((maker) => maker !== by.maker)) return;
    await this.#learn(reply, "plain");
    await this.#note(message("noteAgreed"));
  }

  async #learn({ by }: Reply, form: HistoryForm): Promise<void> {
    if (by !== undefined) await this.#turn.conversation.deps.client.learnHistory(by.origin, form);
  }

  async #noteForm(input: readonly string[]): Promise<void> {
    if (this.#form === "whole" || this.#isNoted || !omitsItems(this.#form, input)) return;
    this.#isNoted = true;
    await this.#note(...formNotes[this.#form]);
  }

  #note(...notes: Message[]): Promise<void> {
    const { request, emit } = this.#turn;
    return emit({ type: "note", turn: request.turn, notes });
  }
}

const isAnswered = ({ status }: Reply): boolean => status === "completed" || status === "incomplete";

const isRefused = ({ status, problem }: Reply): boolean =>
  status === "failed" && problem?.kind === "bad-request";
