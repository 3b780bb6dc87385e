// Asking the same conversation once more: which question follows from what a person wants of a turn that has ended, or
// of one that is to be asked in other words.

import { type Decision, verbatim } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import { isPersons, resendModeOf } from "../../conversation/reduce.ts";
import type { Turn } from "../../conversation/state.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import { continuePrompt, summaryPrompt } from "./compaction.ts";
import type { ConversationState } from "./conversation-state.ts";
import { userItem } from "./history.ts";
import { answerIn } from "./run-tool-call.ts";
import { ask } from "./run-turn.ts";
import { openQuestion } from "./transcript.ts";
import {
  type AskOptions,
  type EarlierQuestion,
  type Question,
  repeated,
  rephrased,
  restOf,
  withoutAttachments,
  withSteered,
} from "./user-question.ts";

export type Ask = (conversation: ConversationState, options: AskOptions) => Promise<Turn | undefined>;

/**
 * How to ask again or continue. `retry` continues if tools have acted, otherwise asks the question again; `retry-whole`
 * does so without streaming, `drop-reasoning` without items only the service can read; `compact` summarizes first.
 */
export type RetryMode =
  | "retry"
  | "retry-whole"
  | "drop-reasoning"
  | "remove-attachments"
  | "raise-limit"
  | "continue"
  | "regenerate"
  | "compact";

/**
 * Asks again after the last turn, or in place of the given one; returns undefined if there is nothing to ask again.
 */
export async function retry(
  conversation: ConversationState,
  way: RetryMode,
  options: AskOptions,
  turn?: string,
): Promise<Turn | undefined> {
  const last = conversation.state.turns.at(-1);
  if (way === "compact") return compactAndAsk(conversation, options);
  if (last === undefined) return undefined;
  if (way === "regenerate") return regenerate(conversation, turn ?? last.id, options);
  if (way === "remove-attachments")
    return askInstead(conversation, last.id, { ...options, cause: "retry" }, withoutAttachments);
  if (way === "continue" || way === "raise-limit") return goOn(conversation, last, options);
  // From now on the history leaves out what only the service can read.
  if (way === "drop-reasoning") await conversation.requests.agreeToRetell();
  const asked = way === "retry-whole" ? { ...options, stream: false } : options;
  // If tools have acted, their work is done and only the response is missing (faults, row 59).
  const acted = last.parts.some(
    (part) => part.type === "tool" || (part.type === "patch" && !isPersons(part)),
  );
  return acted ? goOn(conversation, last, asked) : regenerate(conversation, last.id, asked);
}

/**
 * Asks the question of a turn again in other words, which stand for all that was said in it; its attachments are kept.
 */
export async function edit(
  conversation: ConversationState,
  turn: string,
  prompt: string,
  options: AskOptions,
): Promise<Turn | undefined> {
  const { requests, recorder } = conversation;
  if (prompt.trim() === "" || recorder.transcript.turn(turn)?.compacts) return undefined;
  const read = (asked: EarlierQuestion) => rephrased(asked, prompt, requests.commands);
  return askInstead(conversation, turn, { ...options, words: prompt }, read);
}

/**
 * Summarizes the conversation once a person has agreed to what that sends; the history continues from the summary.
 */
export function compact(
  conversation: ConversationState,
  { model, signal, insteadOf }: AskOptions,
  waiting?: Turn,
): Promise<Turn | undefined> {
  return ask(conversation, () => summaryPrompt(waiting), present({ model, signal, insteadOf }));
}

/** Summarizes the conversation, then asks the question that was too long again, or continues. */
async function compactAndAsk(
  conversation: ConversationState,
  options: AskOptions,
): Promise<Turn | undefined> {
  const last = conversation.state.turns.at(-1);
  if (last?.status !== "failed" || last.compacts) return compact(conversation, options);
  const asked = resendModeOf(last) === "nothing" ? await earlier(conversation, last.id) : undefined;
  const summary = await compact(conversation, options, asked?.turn);
  if (summary?.status !== "done") return summary;
  const again = asked === undefined ? options : { ...options, cause: "retry" as const };
  return ask(conversation, () => (asked === undefined ? continuePrompt : repeated(asked)), again);
}

/** Continues the response once the user answers a question that was still open when its window closed. */
export async function answerOpen(
  conversation: ConversationState,
  call: string,
  decision: Decision,
  options: AskOptions,
): Promise<Turn | undefined> {
  const { recorder, state } = conversation;
  await recorder.remember();
  const last = state.turns.at(-1);
  const question = last && openQuestion(last.parts, call);
  if (last === undefined || question === undefined) return undefined;
  const answer = answerIn(decision);
  const answered = answer === undefined ? message("askUserNoAnswer") : message("askUserAnswer", { answer });
  const said = forModel(
    answer === undefined
      ? "[Patchbay: the user gives no answer to your question. Go on with what you find likeliest.]"
      : `[Patchbay: the user has now answered your question:]\n${answer}`,
  );
  const item = userItem([{ kind: "text", text: verbatim(said) }]);
  await recorder.take({ type: "replay", turn: last.id, items: [item] });
  await recorder.take({ ...question, turn: last.id, status: "done", message: answered });
  return ask(conversation, () => ({ prompt: "", attachments: [], continues: true, items: [] }), options);
}

/** Continues an incomplete answer; there is nothing to continue after a complete one. */
async function goOn(
  conversation: ConversationState,
  last: Turn,
  options: AskOptions,
): Promise<Turn | undefined> {
  if (last.status === "done") return undefined;
  if (last.compacts) return compact(conversation, { ...options, insteadOf: last.id });
  const { transcript } = conversation.recorder;
  return ask(conversation, () => restOf(transcript.history({ goesOn: true })), options);
}

async function regenerate(
  conversation: ConversationState,
  turn: string,
  options: AskOptions,
): Promise<Turn | undefined> {
  if (conversation.recorder.transcript.turn(turn)?.compacts)
    return compact(conversation, { ...options, insteadOf: turn });
  return askInstead(conversation, turn, { ...options, cause: "retry" }, repeated);
}

/** Asks the question of a turn again; that turn and everything after it leave the conversation. */
async function askInstead(
  conversation: ConversationState,
  turn: string,
  options: AskOptions,
  read: (asked: EarlierQuestion) => Question,
): Promise<Turn | undefined> {
  const asked = await earlier(conversation, turn);
  if (asked !== undefined) return ask(conversation, () => read(asked), { ...options, insteadOf: turn });
  // The turn no longer exists, but the text typed for it must not be lost.
  options.kept?.();
  return undefined;
}

/** The question of a turn, with what was said while it was answered. */
export async function earlier(
  { recorder, requests }: ConversationState,
  id: string,
): Promise<EarlierQuestion | undefined> {
  await recorder.remember();
  const { transcript } = recorder;
  const turn = transcript.turn(id);
  const asked = turn && { turn, items: transcript.asked(id) };
  return asked && withSteered(asked, transcript.steered(id), requests.commands);
}
