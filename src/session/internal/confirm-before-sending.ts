// What a person has to confirm before a request is sent: a prompt of the workspace they have not seen, a picture or a
// length that the model does not take, more tokens than they allow, a summary. Nothing is sent, cut or stored here.
import { message } from "../../conversation/messages.ts";
import type { Problem, ProblemAction } from "../../conversation/problem.ts";
import { allCommands, calledIn, type WorkspacePrompts } from "../slash-commands.ts";
import type { ReadyOpening } from "./build-request.ts";
import type { ConversationState } from "./conversation-state.ts";
import { modelLimitProblem } from "./model-limits.ts";
import { mayBeOpened } from "./opening.ts";
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
  return (
    !mayBeOpened(recorder.transcript.opened) ||
    requests.instructions.agree(deps.ask, signal, recorder.transcript.choices)
  );
}

/** A workspace prompt may be used only after a person has seen its text. */
async function confirmCommand(
  conversation: ConversationState,
  words: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { prompts, ask } = conversation.deps;
  const unseen = await unseenCommand(conversation, words);
  if (unseen === undefined) return true;
  const answer = await ask(
    {
      kind: "limit",
      message: message("questionFirstUse", { name: calledIn(words) ?? "", path: unseen.path }),
      detail: unseen.prompt,
      actions: ["send-anyway", "keep-draft"],
    },
    signal,
  );
  if (answer !== "send-anyway") return false;
  prompts.accept(unseen.prompt);
  return true;
}

/** The workspace prompt in these words that no person has seen. */
async function unseenCommand(
  { deps: { prompts, settings } }: ConversationState,
  words: string,
): Promise<ReturnType<WorkspacePrompts["unseen"]>> {
  const name = calledIn(words);
  const isOwn = allCommands(settings().prompts).some((each) => each.name === name);
  if (name === undefined || isOwn) return undefined;
  await prompts.look();
  return prompts.unseen(name);
}

/** Whether a person would be asked before these words, read as these items, are sent in a running turn. */
export async function asksFirst(
  conversation: ConversationState,
  words: string,
  request: TurnRequest,
): Promise<boolean> {
  return (
    (await unseenCommand(conversation, words)) !== undefined ||
    limitProblem(conversation, request, false) !== undefined ||
    conversation.spending.isMuch(request.items, request.model)
  );
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
