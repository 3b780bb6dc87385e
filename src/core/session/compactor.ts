// Has a conversation summarized: when a person wants it, and once by itself where the service has found it too long. Until
// the summary is there the history is what it was. It knows what is asked and when; how turns run is the runner's.
import type { Found } from "../api/capabilities.ts";
import type { Problem } from "../conversation/problem.ts";
import { sentAgain } from "../conversation/sent-again.ts";
import { type Message, message } from "../messages/message.ts";
import { goOnQuestion, handOverQuestion, isTooLong, limitIn, windowOf } from "../turn/compaction.ts";
import type { Question } from "../turn/question-items.ts";
import { outgoingOf } from "../turn/service-request.ts";
import type { TurnDeps, TurnRequest } from "../turn/turn-request.ts";
import type { AskPerson } from "./confirmations.ts";
import type { Recorder } from "./recorder.ts";
import type { Ready, TurnRunnerDeps, Wish } from "./turn-runner.ts";

/** What the runner does for it. */
export interface CompactingRunner {
  settle(model: string): Promise<Ready>;
  request(question: Question, model: string, ready: Ready): TurnRequest;
  /** What a person lets go out; nothing where they do not. */
  agree(request: TurnRequest, ready: Ready, signal: AbortSignal): Promise<TurnRequest | undefined>;
  /** `window`: what the model was found to take. */
  run(request: TurnRequest, ready: Ready, signal: AbortSignal, window?: number): Promise<void>;
  /** Keeps a question on the disk while it stands in no turn. */
  hold(turn: string, question: Question): Promise<void>;
  readonly ask: AskPerson;
}

/** Estimates are off, and the answer takes room, too. */
const maxOfWindow = 0.85;

export class Compactor {
  readonly #deps: Pick<TurnRunnerDeps, "client" | "counts" | "prices" | "settings" | "newId">;
  readonly #recorder: Recorder;
  readonly #runner: CompactingRunner;
  #windows: Found["windows"];

  constructor(
    deps: Pick<TurnRunnerDeps, "client" | "counts" | "prices" | "settings" | "newId">,
    recorder: Recorder,
    runner: CompactingRunner,
  ) {
    this.#deps = deps;
    this.#recorder = recorder;
    this.#runner = runner;
  }

  /** What other conversations have found out. */
  knows(found: Found | undefined): void {
    this.#windows = found?.windows;
  }

  /** How much the model takes, as the user has set it or the service has said it, last in this conversation. */
  window(model: string): number | undefined {
    const set = this.#deps.settings().models.find(({ id }) => id === model)?.contextWindow;
    const learned = this.#windows?.find((each) => each.model === model)?.tokens;
    return windowOf(this.#recorder.transcript.state.turns, model, set) ?? learned;
  }

  /** Whether so much of a history can be sent, by what is known of the model. */
  fits(request: TurnRequest, window = this.window(request.model)): TurnDeps["fits"] {
    const perCharacter = this.#tokensOf(request) / Math.max(1, lengthOf(inputOf(request)));
    return (items) => window === undefined || lengthOf(items) * perCharacter <= maxOfWindow * window;
  }

  /** What summarizing would send, before a person agrees to it. */
  async isAgreed(request: TurnRequest, signal: AbortSignal): Promise<boolean> {
    if (request.history.length === 0) return false;
    const { prices } = this.#deps;
    const tokens = this.#tokensOf(request);
    const rates = prices.rates(request.model);
    const cost = rates && prices.amount((tokens * rates.input) / 1_000_000);
    const question: Problem = {
      kind: "limit",
      message: message("questionCompact", { tokens }),
      ...(cost !== undefined && { hints: [message("questionSpendingCost", { cost })] }),
      actions: ["compact", "cancel"],
    };
    return (await this.#runner.ask(question, signal)) === "compact";
  }

  /**
   * True once the history goes on from a summary; whatever else comes of it, it is what it was. `window`: what the model was
   * found to take.
   */
  async compact(
    model: string,
    why: readonly Message[],
    signal: AbortSignal,
    window?: number,
  ): Promise<boolean> {
    const ready = await this.#runner.settle(model);
    const request = this.#runner.request(handOverQuestion, model, ready);
    if (request.history.length === 0) return false;
    const agreed = await this.#runner.agree(request, ready, signal);
    if (agreed === undefined || signal.aborted) return false;
    const cost = message("noteCompacting", { tokens: this.#tokensOf(request) });
    const turn = this.#deps.newId();
    await this.#runner.run({ ...agreed, turn, notes: [...why, cost] }, ready, signal, window);
    return this.#recorder.transcript.turn(turn)?.status === "done";
  }

  /** Once, where the service has found all of it together too long: it is summarized, and asked again or gone on with. */
  async relieve(
    turn: string,
    question: Question,
    model: string,
    { stream = true, kept }: Pick<Wish, "stream" | "kept">,
    signal: AbortSignal,
  ): Promise<void> {
    const { transcript } = this.#recorder;
    const own = transcript.turn(turn);
    if (own?.status !== "failed" || question.compacts || !isTooLong(own.problem)) return;
    // So many bytes are too much for somebody on the way, whatever the model takes: a person decides what to leave out.
    if (own.problem?.message.code === "problemSent") return;
    const limit = own.problem && limitIn(own.problem);
    if (limit !== undefined) await this.#deps.client.learnWindow(model, limit);
    const isBegun = sentAgain(own) !== "nothing";
    // What is too long by itself would be so after any history.
    if (!isBegun && lengthOf(transcript.history({ insteadOf: turn })) < lengthOf(question.items)) return;
    const why = limit === undefined ? message("noteTooLongHere") : message("noteTooLong", { limit });
    const refused = this.#runner.request(question, model, await this.#runner.settle(model));
    if (!isBegun) {
      // Between the two the question is in no turn.
      await this.#runner.hold(turn, question);
      await this.#recorder.cut(turn);
    }
    if (!(await this.compact(model, [why], signal, limit ?? this.#tokensOf(refused)))) {
      if (!isBegun) kept?.();
      return;
    }
    const ready = await this.#runner.settle(model);
    const again = this.#runner.request(isBegun ? goOnQuestion : question, model, ready);
    const next = isBegun ? this.#deps.newId() : turn;
    await this.#runner.run({ ...again, turn: next, stream }, ready, signal);
  }

  #tokensOf(request: TurnRequest): number {
    return this.#deps.counts.aboutRequest(outgoingOf(request)).tokens;
  }
}

const inputOf = ({ history, items }: TurnRequest): readonly string[] => [...history, ...items];

const lengthOf = (items: readonly string[]): number => items.reduce((sum, item) => sum + item.length, 0);
