// Summarizes a conversation: at a person's request, or once automatically when the service has found it too long. The
// history stays unchanged until the summary is complete. Decides what is asked and when; running turns is up to the
// turn runner.
import { type Message, message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import { resendModeOf } from "../../conversation/reduce.ts";
import type { TurnRequests } from "./build-request.ts";
import {
  compactionForms,
  continuePrompt,
  isTooLong,
  lengthOf,
  limitIn,
  roomForUserMessages,
  summaryItems,
  summaryPrompt,
} from "./compaction.ts";
import type { Recorder } from "./recorder.ts";
import { toEnded } from "./reply-events.ts";
import { sendHistory, sendRequest, startSending, type TurnSteps } from "./run-turn.ts";
import type { TurnRequest } from "./turn-request.ts";
import type { TurnRunner, TurnRunnerDeps, TurnSpec } from "./turn-runner.ts";
import type { Question } from "./user-question.ts";

type CompactorDeps = Pick<TurnRunnerDeps, "client" | "prices" | "newId" | "ask">;

interface CompactorParts {
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

  /** Tells a person who requested a summary what it sends; `undefined` if they do not agree. */
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
   * Returns true once the history continues from a summary; otherwise it is unchanged. `waiting`: the question that is
   * asked next; `window`: the context window found for the model.
   */
  async compact(
    model: string,
    why: readonly Message[],
    signal: AbortSignal,
    { waiting, window }: { readonly waiting?: Question; readonly window?: number } = {},
  ): Promise<boolean> {
    const { recorder, requests, runner } = this.#parts;
    const ready = await requests.settle(model);
    const request = requests.make(summaryPrompt(waiting), model, ready);
    if (request.history.length === 0) return false;
    const agreed = await runner.agree(request, {}, ready, signal);
    if (agreed === undefined || agreed === "compact" || signal.aborted) return false;
    const cost = message("noteCompacting", { tokens: requests.tokens(request) });
    const turn = this.#deps.newId();
    await runner.run({ ...agreed, turn, notes: [...why, cost] }, ready, signal, window);
    return recorder.transcript.turn(turn)?.status === "done";
  }

  /**
   * If the service has found the conversation too long, summarizes it once, then asks the question again or continues.
   */
  async relieve(
    turn: string,
    question: Question,
    model: string,
    { stream = true, kept }: Pick<TurnSpec, "stream" | "kept">,
    signal: AbortSignal,
  ): Promise<void> {
    const { recorder, requests, runner } = this.#parts;
    const { transcript } = recorder;
    const own = transcript.turn(turn);
    if (own?.status !== "failed" || question.compacts || !isTooLong(own.problem)) return;
    // The request has too many bytes for a server on the way, whatever the model accepts. A person decides what to
    // leave out.
    if (own.problem?.message.code === "problemSent") return;
    const limit = own.problem && limitIn(own.problem);
    if (limit !== undefined) await this.#deps.client.learnWindow(model, limit);
    const isBegun = resendModeOf(own) !== "nothing";
    // A question that is too long on its own would be so after any history.
    if (!isBegun && lengthOf(transcript.history({ insteadOf: turn })) < lengthOf(question.items)) return;
    const why = limit === undefined ? message("noteTooLongHere") : message("noteTooLong", { limit });
    const refused = requests.make(question, model, await requests.settle(model));
    if (!isBegun) await runner.giveUp(turn, turn, question);
    const window = limit ?? requests.tokens(refused);
    const next = isBegun ? {} : { waiting: question };
    if (!(await this.compact(model, [why], signal, { window, ...next }))) {
      if (!isBegun) kept?.();
      return;
    }
    const ready = await requests.settle(model);
    const again = requests.make(isBegun ? continuePrompt : question, model, ready);
    const id = isBegun ? this.#deps.newId() : turn;
    await runner.run({ ...again, turn: id, stream }, ready, signal);
  }
}

/**
 * A turn that asks for a summary. The history is unchanged until the summary is complete: a turn that was stopped,
 * refused or cut off has no effect. Calls the model makes in it are not run.
 */
export const summarySteps: TurnSteps = async (turn) => {
  const { request, now, fits, turns, signal, emit } = turn;
  const { turn: id, route, history, items, form: usual } = request;
  const forms = compactionForms(history, fits);
  for (const [step, form] of forms.entries()) {
    const input = [...form, ...items];
    const reply =
      route === "chat"
        ? await sendRequest(turn, step, input, usual)
        : await sendHistory(turn, step, input, startSending(request));
    if (signal.aborted) return undefined;
    // The context window was not known exactly, so the next attempt is shorter.
    if (isTooLong(reply.problem) && step < forms.length - 1) continue;
    if (reply.status !== "completed") return toEnded(id, reply, now());
    if (reply.text.trim() === "") {
      const problem: Problem = {
        kind: "protocol",
        message: message("problemNoHandOver"),
        actions: ["retry"],
      };
      return { type: "ended", turn: id, at: now(), ending: "failed", problem };
    }
    const summary = summaryItems(reply.text, turns(), roomForUserMessages(form));
    await emit({ type: "replay", turn: id, items: summary });
    return { type: "ended", turn: id, at: now(), ending: "done" };
  }
  return undefined;
};
