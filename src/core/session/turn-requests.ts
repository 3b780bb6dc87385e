// The request of a turn before anybody has agreed to it: what it begins with, which of the history goes in which form, what
// the model has not heard yet, and how much its model takes. It asks nobody and sends nothing.

import type { Found } from "../api/capabilities.ts";
import type { Outgoing } from "../api/request.ts";
import type { ChangeSet } from "../changes/change-set.ts";
import type { AppliedErrors } from "../checks/applied-errors.ts";
import { routeOf } from "../conversation/models.ts";
import { type HistoryForm, plainer } from "../conversation/record.ts";
import type { Turn } from "../conversation/state.ts";
import type { Message } from "../messages/message.ts";
import { lengthOf, windowOf } from "../turn/hand-over.ts";
import { frozenFor, type Settled } from "../turn/instructions.ts";
import { isFormNoted } from "../turn/plain-history.ts";
import type { Asked, Question } from "../turn/question-items.ts";
import { outgoingOf } from "../turn/service-request.ts";
import { changeNews, errorNews, isChangeNews } from "../turn/tell-decisions.ts";
import type { TurnDeps, TurnRequest } from "../turn/turn-request.ts";
import { limitsOf } from "./conversation-settings.ts";
import type { Recorder } from "./recorder.ts";
import type { SessionContext } from "./session-context.ts";
import type { TurnInputs } from "./turn-inputs.ts";

/** What a request begins with, and how its history goes out to the present origin. */
export interface Ready extends Settled {
  readonly form: HistoryForm;
}

export type TurnRequestDeps = Pick<SessionContext, "client" | "counts" | "settings" | "now">;

/** What requests are made of. */
export interface TurnRequestParts {
  readonly recorder: Recorder;
  readonly inputs: TurnInputs;
  readonly changes: ChangeSet;
  readonly errors: AppliedErrors;
}

/** Estimates are off, and the answer takes room, too. */
const maxOfWindow = 0.85;

export class TurnRequests {
  readonly #deps: TurnRequestDeps;
  readonly #parts: TurnRequestParts;
  /** What the person is told with the next turn. */
  #announced: readonly Message[] = [];
  /** What other conversations have found out. */
  #windows: Found["windows"];
  #formAgreed = false;

  constructor(deps: TurnRequestDeps, parts: TurnRequestParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** A person agreed, after a refusal: from now on the service is sent only what the interface shows. */
  agreeToRetell(): Promise<void> {
    this.#formAgreed = true;
    return this.#parts.recorder.keep({ type: "simplified", at: this.#deps.now(), form: "plain" });
  }

  /** What this question would send now; nothing is sent and nothing is kept. */
  async preview(asked: Asked, model: string, signal: AbortSignal): Promise<Outgoing> {
    const { recorder, inputs } = this.#parts;
    await recorder.remember();
    const question = await inputs.read(asked, model, signal);
    return outgoingOf(this.make(question, model, await this.settle(model)));
  }

  async settle(model: string): Promise<Ready> {
    const { recorder, inputs, errors } = this.#parts;
    await errors.refresh();
    const { opened, choices, form } = recorder.transcript;
    const found = await this.#deps.client.found();
    this.#windows = found?.windows;
    const settled = await inputs.settle(opened, choices, inputs.table(choices), model);
    return { ...settled, form: plainer(form, found?.history ?? "whole") };
  }

  make(question: Question, model: string, ready: Ready, insteadOf?: string): TurnRequest {
    const { opened, chips, form } = ready;
    const { transcript } = this.#parts.recorder;
    const history = transcript.history({ insteadOf, goesOn: question.continues });
    const own = question.items.filter((item) => !isChangeNews(item));
    const items = [...this.news(history, insteadOf), ...own];
    const { outputTokens, ...asked } = question;
    const { limits, models } = this.#deps.settings();
    const route = routeOf(model, models);
    return {
      ...asked,
      items,
      turn: "",
      model,
      route,
      attachments: [...chips, ...question.attachments],
      notes: [],
      history,
      form,
      formNoted: isFormNoted(turnsBefore(transcript.state.turns, insteadOf), form),
      formAgreed: this.#formAgreed,
      makers: transcript.makersBefore(insteadOf),
      frozen: frozenFor(route, opened),
      limits: limitsOf(
        { ...limits, ...(outputTokens !== undefined && { outputTokens }) },
        transcript.choices,
      ),
    };
  }

  /** It goes out now: what it begins with is kept, and what is different about that is told with it. */
  async begin(request: TurnRequest, { isNew, opened, notes }: Ready): Promise<TurnRequest> {
    if (isNew) await this.#parts.recorder.keep(opened);
    this.#formAgreed = false;
    this.#announced = [...this.#announced, ...notes];
    // Only this operation has a prefix to lose: what a chat turn finds changed is told with the next turn that has.
    if (request.route !== "responses") return request;
    const announced = this.#announced;
    this.#announced = [];
    return { ...request, notes: [...request.notes, ...announced] };
  }

  /** What the model has not heard yet of patches in the turns that it knows. */
  news(items: readonly string[], before?: string): readonly string[] {
    const { changes, errors, recorder } = this.#parts;
    const { transcript } = recorder;
    const decided = (call: string) => ({ fates: changes.fatesOf(call), note: changes.noteOf(call) });
    return [
      ...changeNews(
        turnsBefore(transcript.state.turns, before),
        items,
        decided,
        transcript.heldTurns({ insteadOf: before }),
      ),
      ...errorNews(errors.news, items),
    ];
  }

  /** About how many tokens it has. */
  tokens(request: TurnRequest): number {
    return this.#deps.counts.aboutRequest(outgoingOf(request)).tokens;
  }

  /** How many tokens the model takes, as the user has set it or the service has said it, last in this conversation. */
  window(model: string): number | undefined {
    const set = this.#deps.settings().models.find(({ id }) => id === model)?.contextWindow;
    const learned = this.#windows?.find((each) => each.model === model)?.tokens;
    return windowOf(this.#parts.recorder.transcript.state.turns, model, set) ?? learned;
  }

  /** Whether so much of a history can be sent, by what is known of the model. */
  fits(request: TurnRequest, window = this.window(request.model)): TurnDeps["fits"] {
    const perCharacter = this.tokens(request) / Math.max(1, lengthOf([...request.history, ...request.items]));
    return (items) => window === undefined || lengthOf(items) * perCharacter <= maxOfWindow * window;
  }
}

function turnsBefore(turns: readonly Turn[], id: string | undefined): readonly Turn[] {
  const end = turns.findIndex((turn) => turn.id === id);
  return end < 0 ? turns : turns.slice(0, end);
}
