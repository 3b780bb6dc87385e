// What a person has to confirm before a request is sent: a prompt of the workspace they have not seen, a picture or a
// length that the model does not take, more tokens than they allow, a summary. Nothing is sent, cut or stored here.
import { type Message, message } from "../../conversation/messages.ts";
import type { Model } from "../../conversation/models.ts";
import type { Problem, ProblemAction } from "../../conversation/problem.ts";
import type { Outgoing } from "../../service/request.ts";
import { allCommands, calledIn } from "../slash-commands.ts";
import type { ReadyOpening } from "./build-request.ts";
import type { ConversationState } from "./conversation-state.ts";
import { outgoingOf, type TurnRequest } from "./turn-request.ts";
import type { AskOptions } from "./user-question.ts";

/**
 * Whether a person has agreed to what the workspace adds to a question: a prompt that it names and, at the beginning of
 * a conversation, instructions.
 */
export async function confirmWorkspaceTexts(
  conversation: ConversationState,
  words: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await confirmCommand(conversation, words, signal))) return false;
  const { recorder, requests, deps } = conversation;
  // Where no tools were offered, the opening is created again once there are some.
  const begins = (recorder.transcript.opened?.tools ?? []).length === 0;
  return !begins || requests.instructions.agree(deps.ask, signal);
}

/** A workspace prompt may be used only after a person has seen its text. */
async function confirmCommand(
  { deps: { prompts, settings, ask } }: ConversationState,
  words: string,
  signal: AbortSignal,
): Promise<boolean> {
  const name = calledIn(words);
  const isOwn = allCommands(settings().prompts).some((each) => each.name === name);
  if (name === undefined || isOwn) return true;
  await prompts.look();
  const unseen = prompts.unseen(name);
  if (unseen === undefined) return true;
  const answer = await ask(
    {
      kind: "limit",
      message: message("questionFirstUse", { name, path: unseen.path }),
      detail: unseen.prompt,
      actions: ["send-anyway", "keep-draft"],
    },
    signal,
  );
  if (answer !== "send-anyway") return false;
  prompts.accept(unseen.prompt);
  return true;
}

/**
 * Returns the request a person agreed to, `undefined` if none, or `compact` if the conversation is to be summarized
 * first.
 */
export async function confirmRequest(
  conversation: ConversationState,
  wanted: TurnRequest,
  { insteadOf, trim, signal }: Pick<AskOptions, "insteadOf" | "trim" | "signal">,
  ready: ReadyOpening,
): Promise<TurnRequest | "compact" | undefined> {
  const { deps, spending, requests, state } = conversation;
  const beyond = wanted.compacts ? undefined : limitProblem(conversation, wanted, insteadOf === undefined);
  const answer: ProblemAction | undefined = beyond && (await deps.ask(beyond, signal));
  if (answer === "compact") return answer;
  if (beyond !== undefined && answer !== "send-anyway") return undefined;
  const { turns } = state;
  const leaving = { request: wanted, turns, insteadOf, isNew: ready.isNew, canTrim: trim !== undefined };
  const agreement = await spending.agree(leaving, deps.ask, signal);
  if (agreement.kind === "keep") return undefined;
  if (agreement.kind !== "trim" || trim === undefined) return wanted;
  return requests.make(await trim(agreement.labels, signal), wanted.model, ready, insteadOf);
}

/** Tells a person who requested a summary what it sends; `undefined` if they do not agree. */
export async function confirmSummary(
  { deps: { prices, ask }, requests }: ConversationState,
  request: TurnRequest,
  signal: AbortSignal,
): Promise<TurnRequest | undefined> {
  if (request.history.length === 0) return undefined;
  const tokens = requests.tokens(request);
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

function limitProblem(
  { deps: { settings, counts }, requests }: ConversationState,
  request: TurnRequest,
  isCompactable: boolean,
): Problem | undefined {
  const outgoing = outgoingOf(request);
  const model = settings().models.find(({ id }) => id === request.model);
  return modelLimitProblem(outgoing, model, () => counts.aboutRequest(outgoing).tokens, {
    window: requests.window(request.model),
    isCompactable: isCompactable && request.history.length > 0,
  });
}

/**
 * Checks a request against the model limits a person has set. The service reports neither context windows nor which
 * models accept images (interface, "Limits"), so nothing is checked unless somebody has set it. Returns a question for
 * the person, or undefined. `tokens`: estimates the whole request, called only when needed.
 */
export function modelLimitProblem(
  outgoing: Outgoing,
  model: Model | undefined,
  tokens: () => number,
  { window = model?.contextWindow, isCompactable = false }: Window = {},
): Problem | undefined {
  if (model === undefined) return undefined;
  const { label, vision } = model;
  if (vision === false && holdsPicture(outgoing))
    return question(message("problemPicture", { model: label }));
  if (window === undefined) return undefined;
  const about = tokens();
  if (about <= window) return undefined;
  const tooLong = message("problemWindow", { tokens: about, limit: window, model: label });
  return question(tooLong, isCompactable ? ["compact"] : []);
}

interface Window {
  /** As the user has set it or the service has reported it. */
  readonly window?: number | undefined;
  /** Whether there is a history to summarize. */
  readonly isCompactable?: boolean;
}

const question = (what: Message, first: readonly ProblemAction[] = []): Problem => ({
  kind: "limit",
  message: what,
  actions: [...first, "send-anyway", "keep-draft"],
});

function holdsPicture(outgoing: Outgoing): boolean {
  if (outgoing.route === "responses")
    return outgoing.request.input.some((raw) => raw.includes('"type":"input_image"'));
  return outgoing.request.messages.some(
    ({ content }) => typeof content !== "string" && content.some(({ type }) => type === "image_url"),
  );
}
