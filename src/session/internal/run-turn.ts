// The loop of a turn: send the history, run the tools that the reply calls, send their outputs back, and repeat until
// nothing is left to run. Whatever happens is emitted as events, and `runTurn` ends every turn with exactly one.
import { summarizeProposalRun } from "../../checks/report.ts";
import type { HistoryForm } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import type { Reply, ToolCall } from "../../service/reply.ts";
import { callsIn } from "../../service/response-items.ts";
import { requestFactEvents } from "../../tokens/usage-rows.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import {
  answerOpenCalls,
  assistantItem,
  callIds,
  cutOffItem,
  findingsItem,
  formNotes,
  hasSearches,
  itemsToKeep,
  omitsItems,
  textWithoutItem,
} from "./history.ts";
import type { TurnOutput } from "./recorder.ts";
import { withRecoveryActions } from "./recovery-actions.ts";
import { type Ended, ReplyView, toEnded, unreadableReply } from "./reply-events.ts";
import type { ToolDeps } from "./run-tool-call.ts";
import { droppedCalls, readBefore, runCalls } from "./tool-call-batches.ts";
import { outgoingOf, type TurnDeps, type TurnRequest } from "./turn-request.ts";

/** A turn while it runs. */
export interface RunningTurn extends Omit<TurnDeps, "record"> {
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  /** Resolves once the event is taken and saved. After a stop most events are dropped. */
  emit(output: TurnOutput): Promise<void>;
}

/** Runs a turn up to its end; after a stop, what is returned does not matter. */
export type TurnSteps = (turn: RunningTurn) => Promise<Ended | undefined>;

/**
 * The guarantees of every turn: exactly one `ended` event comes, and it is the last; nothing is thrown; after a stop
 * nothing is shown but `ended: stopped`; and by then every call of the turn has exactly one output.
 */
export async function runTurn(
  steps: TurnSteps,
  request: TurnRequest,
  { record, ...deps }: TurnDeps,
  signal: AbortSignal,
): Promise<void> {
  const { turn } = request;
  const { log, now } = deps;
  const items: string[] = [];
  let isOver = false;
  const emit = async (output: TurnOutput) => {
    if (isOver) return;
    if (output.type === "replay") for (const each of output.items) items.push(each);
    if (!signal.aborted || outlivesStop(output)) await record(output);
  };
  let ended: Ended | undefined;
  try {
    await begin(request, emit, now());
    ended = await steps({ ...deps, request, signal, emit });
  } catch (error) {
    if (!signal.aborted) log.error("A turn failed inside the extension.", error);
  }
  isOver = true;
  const end: Ended = signal.aborted
    ? { type: "ended", turn, at: now(), ending: "stopped" }
    : (ended ?? { type: "ended", turn, at: now(), ending: "failed", problem: bug });
  const late = answerOpenCalls(items, () => lateAnswers[end.ending]);
  if (late.length > 0) await record({ type: "replay", turn, items: late });
  await record(end);
}

/**
 * Outputs that are passed on even after a stop: history items are not shown, and usage belongs to requests sent before.
 * A patch that was being added to the change set during the stop is pending or was refused, and its row must say so.
 */
const outlivesStop = (output: TurnOutput): boolean =>
  output.type === "replay" ||
  output.type === "usage" ||
  (output.type === "patch" && output.status !== "arriving");

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

/** How often the model may repair its proposal. */
const maxRepairs = 2;

/** A turn on the Responses operation. */
export const responsesSteps: TurnSteps = async (turn) => {
  const { request, now, signal, emit } = turn;
  const { turn: id, history, items, limits } = request;
  const input = [...history, ...items];
  const replay = async (added: readonly string[], maker?: string) => {
    for (const each of added) input.push(each);
    await emit({ type: "replay", turn: id, items: added, ...present({ maker }) });
  };
  await emit({ type: "replay", turn: id, items });
  const ofTurn = { timesAsked: repeatCounter(), readBefore: readBefore(input) };
  const brought: string[] = [];
  const sending = startSending(request);
  const pause = createYieldPoint();
  let told = 0;
  for (let step = 0; ; step++) {
    const isLastStep = step + 1 >= limits.steps;
    const reply = await sendHistory(turn, step, input, sending);
    await pause();
    const isForeign = holdsForeign(reply, sending);
    const kept = itemsToKeep(reply, callsIn(input));
    const raw = kept.map((item) => item.raw);
    await replay(raw, reply.by?.maker);
    // From now on the history contains the items of this reply.
    if (raw.length > 0 && reply.by !== undefined) sending.makers.add(reply.by.maker);
    for (const each of droppedCalls(id, step, reply, kept)) await emit(each);
    const unheld = textWithoutItem(reply, kept);
    if (reply.status !== "completed") {
      if (unheld.trim() !== "") await emit({ type: "replay", turn: id, items: [cutOffItem(unheld)] });
      const refused = { ...request, form: sending.form, isForeign };
      return withRecoveryActions(toEnded(id, reply, now()), refused, input);
    }
    // Text that arrived only as deltas is part of the response as well.
    if (unheld.trim() !== "") await replay([assistantItem(unheld)]);
    await pause();
    const { items: outputs, isPlaced } = await answerCalls(turn, step, reply, raw, ofTurn);
    if (endsHere(turn, reply, isPlaced) && !signal.aborted) {
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
    const sent = [...outputs, ...(findings === undefined ? [] : [findings]), ...turn.news(input)];
    await replay(sent);
    if (signal.aborted) return undefined;
    for (const each of sent) brought.push(each);
    if (isLastStep) return tooManySteps(id, limits.steps, now());
    if (turn.isMuch(brought)) return tooMuch(id, now());
  }
};

/** Sends one request of a turn and returns its reply. `input`: everything said so far, including this turn. */
export async function sendRequest(
  turn: RunningTurn,
  step: number,
  input: readonly string[],
  form: HistoryForm,
): Promise<Reply> {
  const { request, client, now, signal, emit } = turn;
  const { turn: id, route } = request;
  const outgoing = outgoingOf({ ...request, form, history: input, items: [] });
  const began = now();
  const view = new ReplyView(id, step, route);
  const events =
    outgoing.route === "responses"
      ? client.respond(outgoing.request, signal)
      : client.chat(outgoing.request, signal);
  // Leaving this loop early closes the socket.
  for await (const event of events) {
    for (const each of view.take(event, now())) await emit(each);
    if (event.type !== "ended") continue;
    const { reply, sent } = event;
    turn.exchanged({ ...outgoing, number: step + 1, began, ended: now(), sent, reply });
    const estimate = turn.counted(outgoing, reply.usage);
    for (const each of unreadableReply(id, step, reply)) await emit(each);
    const facts = present({ askedTtl: reply.askedTtl, estimate });
    for (const each of requestFactEvents(id, reply, now(), facts)) await emit(each);
    return reply;
  }
  throw new Error("The client ended without telling how.");
}

/** How a turn's history is sent, and what is known of its items. */
interface SentHistory {
  /** The form in which it was accepted. */
  form: HistoryForm;
  /** The person was told that this form is used. */
  isNoted: boolean;
  /** The person has just agreed to the form after a refusal. */
  isAgreed: boolean;
  /** The makers of the service's items, as far as known. */
  readonly makers: Set<string>;
}

export const startSending = ({ form, formNoted, formAgreed, makers }: TurnRequest): SentHistory => ({
  form,
  isNoted: formNoted,
  isAgreed: formAgreed,
  makers: new Set(makers),
});

/** Whether the history contains items made under another key or address than this reply (requirements E12). */
function holdsForeign({ by }: Reply, { form, makers }: SentHistory): boolean {
  const others = [...makers].some((maker) => maker !== by?.maker);
  return by !== undefined && form !== "plain" && others;
}

/**
 * Sends a turn's history and learns from refusals (requirements E11): first as it is; then, once, without searches;
 * then, if a person agrees, in plain form. What worked is remembered for the origin and noted in each conversation it
 * changes. Omitting searches needs no agreement, so it is remembered only for this window until a second refusal
 * confirms it.
 */
export async function sendHistory(
  turn: RunningTurn,
  step: number,
  input: readonly string[],
  sending: SentHistory,
): Promise<Reply> {
  const { client, signal, request, emit } = turn;
  const note = (...notes: Message[]) => emit({ type: "note", turn: request.turn, notes });
  const noteForm = async () => {
    const { form, isNoted } = sending;
    if (form === "whole" || isNoted || !omitsItems(form, input)) return;
    sending.isNoted = true;
    await note(...formNotes[form]);
  };
  await noteForm();
  const reply = await sendRequest(turn, step, input, sending.form);
  if (signal.aborted) return reply;
  const { by } = reply;
  if (sending.form === "whole" && hasSearches(input)) {
    if (isAnswered(reply) && by !== undefined) await client.learnHistory(by.origin, "whole");
    // Whatever the service says, searches may be the reason: the interface shows no such input item.
    if (!isRefused(reply)) return reply;
    await note(message("noteAgain"));
    const simpler = await sendRequest(turn, step, input, "no-search");
    // If the searches were not the reason, they stay.
    if (signal.aborted || isRefused(simpler)) return simpler;
    sending.form = "no-search";
    // A failure of another kind does not tell whether the history is accepted.
    if (simpler.by !== undefined && isAnswered(simpler))
      await client.learnHistory(simpler.by.origin, "no-search");
    await noteForm();
    return simpler;
  }
  if (sending.isAgreed && sending.form === "plain" && isAnswered(reply) && by !== undefined) {
    sending.isAgreed = false;
    // Remembered for other conversations, unless the key was the reason.
    const isOwn = sending.makers.size > 0 && [...sending.makers].every((maker) => maker === by.maker);
    if (isOwn) {
      await client.learnHistory(by.origin, "plain");
      await note(message("noteAgreed"));
    }
  }
  return reply;
}

const isAnswered = ({ status }: Reply): boolean => status === "completed" || status === "incomplete";

const isRefused = ({ status, problem }: Reply): boolean =>
  status === "failed" && problem?.kind === "bad-request";

/**
 * Runs the person's own checks when the model has finished its proposal, shown as a row of the turn, and sends findings
 * back to the model, at most twice. Without new findings no request is made; the row shows the result. Returns the item
 * that tells the model about findings; undefined if there is nothing to repair or report. After the last repair the
 * model is asked to report remaining problems in a final text, because its earlier text described changes it believed
 * to be correct. `told`: how often findings were sent in this turn.
 */
async function checkAtTurnEnd(
  { request: { turn }, proof, signal, emit }: RunningTurn,
  { step, told, isLastStep }: { readonly step: number; readonly told: number; readonly isLastStep: boolean },
): Promise<string | undefined> {
  if (proof === undefined) return undefined;
  // Checks that all wait for a person have their links in the bar: nothing has run that a row could tell of.
  if (proof.isDue() && !(await proof.runsUnasked())) await proof.run(signal);
  else if (proof.isDue()) {
    const id = `${step}/checks`;
    const row = { type: "tool", turn, id, call: "", name: "run_checks", summary: "" } as const;
    await emit({ ...row, status: "running" });
    const results = await proof.run(signal);
    if (signal.aborted) return undefined;
    const output = await proof.report(results, signal);
    await emit({ ...row, status: "done", message: summarizeProposalRun(results), output });
  }
  const isOver = told > maxRepairs || (told === maxRepairs && isLastStep);
  const news = isOver ? [] : proof.takeNews();
  if (news.length === 0) return undefined;
  return findingsItem(await proof.report(news, signal), told < maxRepairs ? "mend" : "tell");
}

/**
 * Whether the turn ends here: everything was said with the patch, and it fits, so another request would only repeat it.
 */
const endsHere = ({ request, proof }: RunningTurn, { text }: Reply, isPlaced: boolean): boolean =>
  request.endsWithPatch === true && isPlaced && text.trim() !== "" && proof?.isDue() !== true;

interface Answered {
  readonly items: readonly string[];
  /** Whether the reply called only for patches and all of them fit. */
  readonly isPlaced: boolean;
}

/** Produces one output for every call that is kept, also for calls of unknown kinds. */
async function answerCalls(
  { request: { turn }, tools, log, signal, emit }: RunningTurn,
  step: number,
  reply: Reply,
  kept: readonly string[],
  ofTurn: Pick<ToolDeps, "timesAsked" | "readBefore">,
): Promise<Answered> {
  const ids = callIds(kept);
  // Requirements E8: the same id twice in a reply is one call.
  const calls = reply.calls.filter(({ callId }) => ids.delete(callId));
  const runnable = new Set(reply.runnable.map(({ callId }) => callId));
  const { items, isAllDone } = await runCalls(
    { turn, request: step, calls, runnable },
    { ...tools, log, ...ofTurn },
    emit,
    signal,
  );
  const isPatch = ({ name, namespace }: ToolCall) => tools.table.find(name, namespace)?.reviews === true;
  const isPlaced =
    isAllDone && calls.length === reply.calls.length && calls.length > 0 && calls.every(isPatch);
  if (signal.aborted) return { items, isPlaced };
  const unknown = answerOpenCalls([...kept, ...items], () =>
    forModel("Patchbay cannot run calls of this kind."),
  );
  return { items: [...items, ...unknown], isPlaced };
}

/** Counts how often the same call was made, whatever its id. */
function repeatCounter(): (call: ToolCall) => number {
  const times = new Map<string, number>();
  return ({ name, namespace = "", input }) => {
    const key = JSON.stringify([namespace, name, input]);
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    return count;
  };
}

function endWithoutCalls(reply: Reply, turn: string, step: number, at: number): Ended {
  const isSilent = reply.text.trim() === "" && reply.refusal === undefined;
  if (!isSilent || (reply.calls.length === 0 && step === 0)) return toEnded(turn, reply, at);
  const isRepeated = reply.calls.length > 0;
  const problem: Problem = {
    kind: "protocol",
    message: isRepeated ? message("problemRepeats") : message("problemNoFinal"),
    actions: ["continue", "retry"],
  };
  return { type: "ended", turn, at, ending: isRepeated ? "failed" : "incomplete", problem };
}

function tooManySteps(turn: string, steps: number, at: number): Ended {
  const problem: Problem = {
    kind: "limit",
    message: message("problemSteps", { steps }),
    actions: ["continue"],
  };
  return { type: "ended", turn, at, ending: "incomplete", reason: "steps", problem };
}

/** Threats, LLM10: a model can request far more than the question a person agreed to send. */
function tooMuch(turn: string, at: number): Ended {
  const problem: Problem = { kind: "limit", message: message("problemMuch"), actions: ["continue"] };
  return { type: "ended", turn, at, ending: "incomplete", reason: "much", problem };
}
