// One question of a conversation, up to its final event: what a person has to confirm first, then the loop of the turn –
// send the history, run the tools that the reply calls, send their outputs back – until nothing is left to run. Until a
// person has agreed, nothing is cut, stored or sent. Callers ensure that only one turn runs at a time.
import type { HistoryForm } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { resendModeOf } from "../../conversation/reduce.ts";
import type { Plan, Turn } from "../../conversation/state.ts";
import type { Reply } from "../../service/reply.ts";
import { callsIn } from "../../service/response-items.ts";
import { restoreAttachments } from "../../tools/attached-text.ts";
import { requestFactEvents } from "../../usage/usage-rows.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { monotonicClock } from "../../util/monotonic-clock.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import { acceptByRule } from "./auto-accept.ts";
import type { ReadyOpening } from "./build-request.ts";
import { continuePrompt, isTooLong, lengthOf, limitIn, summaryPrompt, summarySteps } from "./compaction.ts";
import { confirmRequest, confirmSummary, confirmWorkspaceTexts } from "./confirm-before-sending.ts";
import type { ConversationState } from "./conversation-state.ts";
import { isDecisionReport } from "./decision-report.ts";
import {
  answerOpenCalls,
  assistantItem,
  callIds,
  cutOffItem,
  itemsToKeep,
  madeHere,
  textWithoutItem,
} from "./history.ts";
import { HistoryFallback } from "./history-fallback.ts";
import { missedInput } from "./missed-input.ts";
import type { TurnOutput } from "./recorder.ts";
import { withoutLimit, withRecoveryActions } from "./recovery-actions.ts";
import {
  type Ended,
  endWithoutCalls,
  overLimit,
  ReplyView,
  toEnded,
  tooManySteps,
  tooMuch,
  unreadableReply,
} from "./reply-events.ts";
import { handOver } from "./steering.ts";
import { WrittenCalls } from "./text-calls-to-items.ts";
import { answerCalls, droppedCalls, readBefore, repeatCounter, stoppedBefore } from "./tool-call-batches.ts";
import { answerSoFar } from "./transcript.ts";
import { areChecksDue, checkAtTurnEnd } from "./turn-proposals.ts";
import { outgoingOf, type RunningTurn, type TurnRequest, type TurnSteps } from "./turn-request.ts";
import { type AskOptions, promptOf, type Question, type UserInput, withoutLabels } from "./user-question.ts";

/** Resolves with the turn once it has ended, or with undefined if there was nothing to ask. */
export async function askQuestion(
  conversation: ConversationState,
  asked: UserInput,
  options: AskOptions,
): Promise<Turn | undefined> {
  const { prompt, command, attachments = [] } = asked;
  if (prompt.trim() === "" && command === undefined && attachments.length === 0) return undefined;
  const { requests, deps } = conversation;
  const { model } = options;
  const { cause } = asked;
  return ask(conversation, (signal) => requests.read(asked, model, signal, deps.ask), {
    ...options,
    ...present({ cause }),
    words: promptOf(asked),
    trim: (labels, signal) => requests.read(withoutLabels(asked, labels), model, signal),
  });
}

/** The same for a question that is read in another way. */
export async function ask(
  conversation: ConversationState,
  read: (signal: AbortSignal) => Question | Promise<Question>,
  options: AskOptions,
): Promise<Turn | undefined> {
  const { turn = conversation.deps.newId(), signal, kept } = options;
  if (signal.aborted) kept?.();
  else await confirmAndRun(conversation, read, { ...options, turn });
  const own = conversation.recorder.transcript.turn(turn);
  // A turn that was too long may have been continued in another one.
  return own?.status === "failed" ? conversation.state.turns.at(-1) : own;
}

type TurnOptions = AskOptions & { readonly turn: string };

async function confirmAndRun(
  conversation: ConversationState,
  read: (signal: AbortSignal) => Question | Promise<Question>,
  options: TurnOptions,
): Promise<void> {
  const { recorder, requests } = conversation;
  const { turn, model, signal, words = "", insteadOf, stream = true, cause, kept } = options;
  await recorder.remember();
  if (!(await confirmWorkspaceTexts(conversation, words, signal))) return kept?.();
  const ready = await requests.settle(model);
  const question = await read(signal);
  if (signal.aborted) return kept?.();
  const wanted = requests.make(question, model, ready, insteadOf);
  const agreed = wanted.compacts
    ? await confirmSummary(conversation, wanted, signal)
    : await confirmRequest(conversation, wanted, options, ready);
  // If stopped before this point, nothing is cut, stored or sent.
  if (agreed === undefined || signal.aborted) return kept?.();
  if (agreed === "compact") {
    if (!(await compactFirst(conversation, options, [], { waiting: question }))) return kept?.();
    const now = await requests.settle(model);
    const request = { ...requests.make(question, model, now), turn, stream, cause };
    return runTurn(conversation, request, now, signal);
  }
  if (insteadOf !== undefined) await giveUp(conversation, insteadOf, turn, question);
  await runTurn(conversation, { ...agreed, turn, stream, cause }, ready, signal);
  if (!signal.aborted) await relieve(conversation, question, options);
}

/**
 * Discards this turn and everything after it for a question, which is kept on the disk until its own turn contains it.
 */
async function giveUp(
  conversation: ConversationState,
  insteadOf: string,
  turn: string,
  question: Question,
): Promise<void> {
  const items = question.items.filter((each) => !isDecisionReport(each));
  const attached = restoreAttachments(question.attachments, items);
  await conversation.deps.hold({ turn, words: question.prompt, attached });
  await conversation.withdraw(insteadOf);
  await conversation.recorder.cut(insteadOf);
}

/**
 * Returns true once the history continues from a summary; otherwise it is unchanged. `waiting`: the question that is
 * asked next; `window`: the context window found for the model.
 */
async function compactFirst(
  conversation: ConversationState,
  { model, signal }: AskOptions,
  why: readonly Message[],
  { waiting, window }: { readonly waiting?: Question; readonly window?: number } = {},
): Promise<boolean> {
  const { recorder, requests, deps } = conversation;
  const ready = await requests.settle(model);
  const request = requests.make(summaryPrompt(waiting), model, ready);
  if (request.history.length === 0) return false;
  const agreed = await confirmRequest(conversation, request, { signal }, ready);
  if (agreed === undefined || agreed === "compact" || signal.aborted) return false;
  const cost = message("noteCompacting", { tokens: requests.tokens(request) });
  const turn = deps.newId();
  await runTurn(conversation, { ...agreed, turn, notes: [...why, cost] }, ready, signal, window);
  return recorder.transcript.turn(turn)?.status === "done";
}

/**
 * If the service has found the conversation too long, summarizes it once, then asks the question again or continues.
 */
async function relieve(
  conversation: ConversationState,
  question: Question,
  options: TurnOptions,
): Promise<void> {
  const { recorder, requests, deps } = conversation;
  const { turn, model, signal, stream = true, cause, kept } = options;
  const { transcript } = recorder;
  const own = transcript.turn(turn);
  if (own?.status !== "failed" || question.compacts || !isTooLong(own.problem)) return;
  // The request has too many bytes for a server on the way, whatever the model accepts. A person decides what to
  // leave out.
  if (own.problem?.message.code === "problemSent") return;
  const limit = own.problem && limitIn(own.problem);
  if (limit !== undefined) await deps.client.learnWindow(model, limit);
  const isBegun = resendModeOf(own) !== "nothing";
  // A question that is too long on its own would be so after any history.
  if (!isBegun && lengthOf(transcript.history({ insteadOf: turn })) < lengthOf(question.items)) return;
  const why = limit === undefined ? message("noteTooLongHere") : message("noteTooLong", { limit });
  const refused = requests.make(question, model, await requests.settle(model));
  if (!isBegun) await giveUp(conversation, turn, turn, question);
  const window = limit ?? requests.tokens(refused);
  const next = isBegun ? {} : { waiting: question };
  if (!(await compactFirst(conversation, options, [why], { window, ...next }))) {
    if (!isBegun) kept?.();
    return;
  }
  const ready = await requests.settle(model);
  const again = requests.make(isBegun ? continuePrompt : question, model, ready);
  const id = isBegun ? deps.newId() : turn;
  await runTurn(conversation, { ...again, turn: id, stream, cause }, ready, signal);
}

/** Sends what a person has agreed to. `window`: the context window found for the model. */
async function runTurn(
  conversation: ConversationState,
  request: TurnRequest,
  ready: ReadyOpening,
  signal: AbortSignal,
  window?: number,
): Promise<void> {
  const { deps, recorder, requests, decisions } = conversation;
  const { turn, compacts } = request;
  const table = requests.table(recorder.transcript.choices, request.route);
  const running = {
    ...{ conversation, log: deps.log, signal, window, now: monotonicClock(deps.now) },
    request: await requests.begin(request, ready),
    tools: {
      ...{ table, decisions },
      context: () => conversation.toolContext(),
      isTrusted: () => deps.workspace.trusted,
      isPlanFirst: () => conversation.choices.planFirst === true,
      showPlan: (id: string, steps: Plan["steps"]) => conversation.showPlan(id, steps),
      nameOfPatch: (callId: string, place: { readonly turn: string; readonly part: string }) =>
        conversation.nameOfPatch(callId, place),
    },
  };
  await withFinalEvent(compacts ? summarySteps : answerSteps, running);
  await acceptByRule(conversation, turn).catch((error: unknown) =>
    deps.log.error("What a turn proposed could not be accepted by its rule.", error),
  );
}

/**
 * The guarantees of every turn: exactly one `ended` event comes, and it is the last; nothing is thrown; after a stop
 * nothing is shown but `ended: stopped`; and by then every call of the turn has exactly one output.
 */
async function withFinalEvent(
  steps: TurnSteps,
  running: Omit<RunningTurn, "emit" | "send" | "stopped">,
): Promise<void> {
  const { conversation, request, log, signal, now } = running;
  const { turn } = request;
  const { recorder } = conversation;
  const items: string[] = [];
  const stopped = { unrun: new Set<string>(), last: [] as string[] };
  let isOver = false;
  const emit = async (output: TurnOutput) => {
    if (isOver) return;
    if (output.type === "replay") for (const each of output.items) items.push(each);
    if (!signal.aborted || outlivesStop(output)) await recorder.take(output);
  };
  let ended: Ended | undefined;
  try {
    await begin(request, emit, now());
    const whole: RunningTurn = {
      ...{ ...running, emit, stopped },
      send: (step, input, form) => sendRequest(whole, step, input, form),
    };
    ended = await steps(whole);
  } catch (error) {
    if (!signal.aborted) log.error("A turn failed inside the extension.", error);
  }
  isOver = true;
  const end: Ended = signal.aborted
    ? { type: "ended", turn, at: now(), ending: "stopped" }
    : (ended ?? { type: "ended", turn, at: now(), ending: "failed", problem: bug });
  const parts = recorder.transcript.turn(turn)?.parts ?? [];
  const lateAnswer = (id: string) => (stopped.unrun.has(id) ? stoppedBefore : lateAnswers[end.ending]);
  const answers = answerOpenCalls(items, (callId) => answerSoFar(parts, callId) ?? lateAnswer(callId));
  const late = [...answers, ...stopped.last];
  if (late.length > 0) await recorder.take({ type: "replay", turn, items: late });
  await recorder.take(end);
}

/**
 * Outputs that are passed on even after a stop: history items are not shown, and usage belongs to requests sent before.
 * A patch that was being added to the change set during the stop is pending or was refused, and its row must say so. So
 * must the row of a command that has changed files of the real folder.
 */
const outlivesStop = (output: TurnOutput): boolean =>
  output.type === "replay" ||
  output.type === "steered" ||
  output.type === "usage" ||
  (output.type === "patch" && output.status !== "arriving") ||
  (output.type === "tool" && output.message?.code === "commandStoppedTouched");

const bug = {
  kind: "bug" as const,
  message: message("problemInside"),
  actions: ["retry" as const, "open-log" as const],
};

const lateAnswers: Record<Ended["ending"], string> = forModel({
  done: "This call was not run.",
  incomplete: "This call was not run, because the reply was cut off before its end.",
  stopped: "The user stopped the turn before this call came to an end; nothing can be said about its result.",
  failed: "This call was not run, because the reply failed.",
  interrupted: "This call was not run, because the reply was cut off before its end.",
});

async function begin(
  { turn, route, model, prompt, attachments, continues, compacts, notes, limits }: TurnRequest,
  emit: RunningTurn["emit"],
  at: number,
): Promise<void> {
  const more = {
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(continues && { continues }),
    ...(compacts && { compacts }),
    ...(limits.json && route === "responses" && !compacts && { json: true }),
  };
  await emit({ type: "started", turn, at, model, route, prompt, ...more });
  if (notes.length > 0) await emit({ type: "note", turn, notes: [...notes] });
}

/** A turn on either operation. */
const answerSteps: TurnSteps = async (turn) => {
  const { conversation, request, now, signal, emit } = turn;
  const { turn: id, route, history, items, limits } = request;
  const isChat = route === "chat";
  const input = [...history, ...items];
  const replay = async (added: readonly string[], maker?: string) => {
    for (const each of added) input.push(each);
    await emit({ type: "replay", turn: id, items: added, ...present({ maker }) });
  };
  await emit({ type: "replay", turn: id, items });
  const ofTurn = { timesAsked: repeatCounter(), readBefore: readBefore(input) };
  const brought: string[] = [];
  const fallback = new HistoryFallback(turn);
  const pause = createYieldPoint();
  let told = 0;
  for (let step = 0; ; step++) {
    const isLastStep = step + 1 >= limits.steps;
    let reply: Reply;
    let isAgain = false;
    do {
      const form = isChat ? fallback.form : await fallback.formFor(input);
      reply = await sendRequest(turn, step, input, form, isAgain);
      isAgain = true;
    } while (!isChat && (await fallback.sendsAgain(reply, input)));
    await pause();
    const isForeign = !isChat && fallback.holdsForeign(reply);
    const kept = itemsToKeep(reply, callsIn(input));
    const raw = kept.map((item) => item.raw);
    await replay(raw, isChat ? madeHere : reply.by?.maker);
    // From now on the history contains the items of this reply.
    if (raw.length > 0) fallback.keepItemsOf(reply);
    for (const each of droppedCalls(id, step, reply, kept)) await emit(each);
    const unheld = textWithoutItem(reply, kept);
    if (reply.status !== "completed") {
      if (unheld.trim() !== "") await emit({ type: "replay", turn: id, items: [cutOffItem(unheld)] });
      if (signal.aborted) for (const callId of callIds(raw)) turn.stopped.unrun.add(callId);
      const refused = { ...request, form: fallback.form, isForeign };
      const ended = withRecoveryActions(toEnded(id, reply, now()), refused, isChat ? [] : input);
      return isChat ? withoutLimit(ended) : ended;
    }
    // Text that arrived only as deltas is part of the response as well.
    if (unheld.trim() !== "") await replay([assistantItem(unheld)]);
    await pause();
    const { items: outputs, isPlaced, paths } = await answerCalls(turn, step, reply, raw, ofTurn);
    if (isPlaced && isWholeEdit(turn, reply) && !signal.aborted) {
      await emit({ type: "replay", turn: id, items: outputs });
      return toEnded(id, reply, now());
    }
    const findings =
      outputs.length > 0 || reply.calls.length > 0
        ? undefined
        : await checkAtTurnEnd(turn, { step, told, isLastStep });
    if (signal.aborted && outputs.length === 0) return undefined;
    if (outputs.length === 0 && findings === undefined) return endWithoutCalls(reply, id, step, now());
    if (findings !== undefined) told += 1;
    const { deps, requests } = conversation;
    const asking = { person: deps.ask, signal };
    const instructions = signal.aborted
      ? []
      : await requests.instructions.tell(paths, input, request.model, asking);
    const sent = [
      ...outputs,
      ...instructions.map(({ item }) => item),
      ...(findings === undefined ? [] : [findings]),
      ...(signal.aborted ? [] : requests.news(input)),
    ];
    await replay(sent);
    const chips = instructions.map(({ chip }) => chip);
    if (chips.length > 0) await emit({ type: "attached", turn: id, attachments: chips });
    if (signal.aborted) return undefined;
    for (const each of sent) brought.push(each);
    if (isLastStep) return tooManySteps(id, limits.steps, now());
    if (conversation.spending.isMuch(brought, request.model)) return tooMuch(id, now());
    const spent = conversation.spending.spent(conversation.state.turns, id);
    if (spent !== undefined) return overLimit(id, spent, now());
    for (const each of await handOver(turn, input)) input.push(each);
  }
};

/** Sends one request of a turn and returns its reply. `input`: everything said so far, including this turn. */
async function sendRequest(
  turn: RunningTurn,
  step: number,
  input: readonly string[],
  form: HistoryForm,
  isAgain = false,
): Promise<Reply> {
  const { conversation, request, now, signal, emit } = turn;
  const { deps, spending, state } = conversation;
  const { turn: id, route } = request;
  const outgoing = outgoingOf({ ...request, form, history: input, items: [] });
  const began = now();
  const view = new ReplyView(id, step);
  const written =
    route === "chat" ? new WrittenCalls(request.frozen.inText, callPrefix(id, step)) : undefined;
  const events =
    outgoing.route === "responses"
      ? deps.client.respond(outgoing.request, signal)
      : deps.client.chat(outgoing.request, signal);
  // Leaving this loop early closes the socket.
  for await (const event of events) {
    for (const shown of written?.show(event) ?? [event])
      for (const each of view.take(shown, now())) await emit(each);
    if (event.type !== "ended") continue;
    const { reply: received, sent } = event;
    const owner = { conversation: state.id, turn: id };
    const exchange = { ...outgoing, number: step + 1, began, ended: now(), sent, reply: received };
    const missed = missedInput(exchange, deps.exchanged(owner, exchange), state.turns);
    const reply = written?.replyOf(received) ?? received;
    const estimate = isRefused(reply) ? undefined : spending.learn(outgoing, reply.usage);
    for (const each of unreadableReply(id, step, reply)) await emit(each);
    const cause = isAgain ? "retry" : (request.cause ?? (request.compacts ? "compaction" : "answer"));
    const facts = present({ cause, missed, askedTtl: reply.askedTtl, estimate });
    for (const each of requestFactEvents(id, reply, now(), facts)) await emit(each);
    return reply;
  }
  throw new Error("The client ended without telling how.");
}

/** The service has not begun to answer, so that the request has cost nothing. */
const isRefused = ({ status, id, usage, text, items }: Reply): boolean =>
  status === "failed" && id === undefined && usage === undefined && text === "" && items.length === 0;

/** Unique in a conversation: the ids that chat models give begin again with every reply. */
const callPrefix = (turn: string, step: number): string => `${turn.slice(0, 8)}-${step}`;

/** An edit on its own: everything was said with the patch, so another request would only repeat it. */
const isWholeEdit = ({ request, conversation }: RunningTurn, { text }: Reply): boolean =>
  request.endsWithPatch === true && text.trim() !== "" && !areChecksDue(conversation, request.turn);
