// Has a conversation summarized: when a person wants it, and once by itself where the service has found it too long. Until
// the summary is there the history is what it was. It knows what is asked and when; how turns run is the runner's.
import type { Problem } from "../conversation/problem.ts";
import { sentAgain } from "../conversation/sent-again.ts";
import { type Message, message } from "../messages/message.ts";
import { goOnQuestion, handOverQuestion, isTooLong, lengthOf, limitIn } from "../turn/hand-over.ts";
import type { Question } from "../turn/question-items.ts";
import type { TurnRequest } from "../turn/turn-request.ts";
import type { Recorder } from "./recorder.ts";
import type { TurnRequests } from "./turn-requests.ts";
import type { TurnRunner, TurnRunnerDeps, Wish } from "./turn-runner.ts";

export type CompactorDeps = Pick<TurnRunnerDeps, "client" | "prices" | "newId" | "ask">;

export interface CompactorParts {
  readonly recorder: Recorder;
  readonly requests: TurnRequests;
  readonly runner: TurnRunner;
}

export class Compactor {
  readonly #deps: CompactorDeps;
  readonly #parts: CompactorParts;

  constructor(deps: CompactorDeps, parts: CompactorParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** A person who wants the conversation summarized is told what that sends; `undefined` where they do not agree. */
  async agree(request: TurnRequest, signal: AbortSignal): Promise<TurnRequest | undefined> {
    if (request.history.length === 0) return undefined;
    const { prices, ask } = this.#deps;
    const tokens = this.#parts.requests.tokens(request);
    const rates = prices.rates(request.model);
    const cost = rates && prices.amount((tokens * rates.input) / 1_000_000);
    const question: Problem = {
      kind: "limit",
      message: message("questionCompact", { tokens }),
      ...(cost !== undefined && { hints: [message("questionSpendingCost", { cost })] }),
      actions: ["compact", "cancel"],
    };
    return (await ask(question, signal)) === "compact" ? request : undefined;
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
    const { recorder, requests, runner } = this.#parts;
    const ready = await requests.settle(model);
    const request = requests.make(handOverQuestion, model, ready);
    if (request.history.length === 0) return false;
    const agreed = await runner.agree(request, {}, ready, signal);
    if (agreed === undefined || agreed === "compact" || signal.aborted) return false;
    const cost = message("noteCompacting", { tokens: requests.tokens(request) });
    const turn = this.#deps.newId();
    await runner.run({ ...agreed, turn, notes: [...why, cost] }, ready, signal, window);
    return recorder.transcript.turn(turn)?.status === "done";
  }

  /** Once, where the service has found all of it together too long: it is summarized, and asked again or gone on with. */
  async relieve(
    turn: string,
    question: Question,
    model: string,
    { stream = true, kept }: Pick<Wish, "stream" | "kept">,
    signal: AbortSignal,
  ): Promise<void> {
    const { recorder, requests, runner } = this.#parts;
    const { transcript } = recorder;
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
    const refused = requests.make(question, model, await requests.settle(model));
    if (!isBegun) await runner.giveUp(turn, turn, question);
    if (!(await this.compact(model, [why], signal, limit ?? requests.tokens(refused)))) {
      if (!isBegun) kept?.();
      return;
    }
    const ready = await requests.settle(model);
    const again = requests.make(isBegun ? goOnQuestion : question, model, ready);
    const next = isBegun ? this.#deps.newId() : turn;
    await runner.run({ ...again, turn: next, stream }, ready, signal);
  }
}
