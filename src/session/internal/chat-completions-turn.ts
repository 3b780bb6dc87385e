// A turn on the chat completions operation. It has neither tools nor cache figures, because the interface shows neither
// for this operation. A patch in a response is proposed; if it is refused, the model is asked once more.
import { inEnglish } from "../../conversation/english.ts";
import { type ConversationEvent, verbatim } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Reply, ToolCall } from "../../service/reply.ts";
import { patchText } from "../../service/response-items.ts";
import { patchAgain, patchIn, textPatchInstructions } from "../../tools/apply-patch.ts";
import { asObject, asString, parseJson } from "../../util/json.ts";
import { assistantItem, userItem } from "./history.ts";
import { withRecoveryActions } from "./recovery-actions.ts";
import { type Ended, toEnded } from "./reply-events.ts";
import { longestSummary, truncated } from "./run-tool-call.ts";
import { runCalls } from "./tool-call-batches.ts";
import type { RunningTurn, TurnSteps } from "./turn-request.ts";

/** After a second failure a person has to look. */
const maxTries = 2;

export const chatSteps: TurnSteps = async (turn) => {
  const { request, now, signal, emit } = turn;
  const { turn: id, items, history, frozen, form } = request;
  const proposes = frozen.instructions.includes(textPatchInstructions);
  await emit({ type: "replay", turn: id, items });
  const input = [...history, ...items];
  for (let step = 0; ; step++) {
    const reply = await turn.send(step, input, form);
    const patch = proposes ? patchCalled(reply) : undefined;
    const text = patch === undefined ? reply.text : `${reply.text}\n\n${patch.text}`.trim();
    for (const each of uncallable(id, step, reply, patch?.call)) await emit(each);
    // Interface: "an `assistant` message carrying the previous result is appended". Without text there is none.
    const answer = text.trim() === "" ? [] : [assistantItem(text)];
    if (answer.length > 0) await emit({ type: "replay", turn: id, items: answer });
    const end = withoutLimit(withRecoveryActions(endOf(id, reply, patch?.call, now()), request, []));
    if (!proposes || reply.status !== "completed" || signal.aborted) return end;
    const outcome = await propose(turn, step, text);
    if (outcome === undefined || signal.aborted) return end;
    const isAgain = outcome.isRefused && step + 1 < maxTries;
    const feedback = [
      own(`[Patchbay, about the patch in your answer:]\n${outcome.text}${isAgain ? `\n${patchAgain}` : ""}`),
    ];
    await emit({ type: "replay", turn: id, items: feedback });
    if (!isAgain) return end;
    for (const each of [...answer, ...feedback]) input.push(each);
  }
};

/** Finds a patch the model put into a call although it was offered no tool; it is treated as part of the response. */
function patchCalled({ runnable }: Reply): { readonly call: ToolCall; readonly text: string } | undefined {
  const call = runnable.find(({ name }) => name === "apply_patch");
  const text = call && patchText(call);
  return call === undefined || text === undefined ? undefined : { call, text };
}

/** Reports every other call as failed, because there are no tools to run. */
function* uncallable(
  turn: string,
  step: number,
  { calls }: Reply,
  patch: ToolCall | undefined,
): Generator<ConversationEvent, void> {
  for (const { item, callId, name } of calls) {
    if (item === patch?.item) continue;
    const row = { type: "tool", turn, id: `${step}/${item}`, call: callId, status: "failed" } as const;
    yield { ...row, name: truncated(name, longestSummary), summary: "", message: message("toolNone") };
  }
}

/** A response that consists only of calls that cannot run is incomplete. */
function endOf(turn: string, reply: Reply, patch: ToolCall | undefined, at: number): Ended {
  const { status, text, refusal = "", calls } = reply;
  const ended = toEnded(turn, reply, at);
  const isSilent = status === "completed" && `${text}${refusal}`.trim() === "";
  if (!isSilent || calls.length === 0 || patch !== undefined) return ended;
  const problem = { kind: "protocol", message: message("problemToolless"), actions: ["retry"] } as const;
  return { ...ended, ending: "incomplete", problem: { ...problem, actions: [...problem.actions] } };
}

/** Only for the model's own text and for outputs that were cleaned already. */
const own = (words: string): string => userItem([{ kind: "text", text: verbatim(words) }]);

interface Outcome {
  /** The result as reported to the model. */
  readonly text: string;
  readonly isRefused: boolean;
}

/** Returns undefined if the response proposes nothing. */
async function propose(
  { request: { turn }, tools, log, signal, emit }: RunningTurn,
  step: number,
  text: string,
): Promise<Outcome | undefined> {
  const read = patchIn(text);
  if (read.kind === "none") return undefined;
  if (read.kind === "refused") {
    await emit(refused(turn, step, read.why));
    return { text: inEnglish(read.why), isRefused: true };
  }
  const call: ToolCall = {
    item: "patch",
    callId: `patch-${turn}`,
    name: "apply_patch",
    kind: "custom",
    input: read.patch,
  };
  const reply = { turn, request: step, calls: [call], runnable: new Set([call.callId]) };
  const { items, isAllDone } = await runCalls(reply, { ...tools, log, timesAsked: () => 1 }, emit, signal);
  const output = asString(asObject(parseJson(items[0] ?? ""))?.["output"]);
  return output === undefined ? undefined : { text: output, isRefused: !isAllDone };
}

const refused = (turn: string, step: number, why: Message): ConversationEvent => ({
  type: "patch",
  turn,
  id: `${step}/patch`,
  call: "",
  status: "failed",
  files: [],
  message: why,
});

/** Chat completions take no output limit, so ours was not reached, and a higher one would not be sent. */
function withoutLimit(ended: Ended): Ended {
  const { problem } = ended;
  if (problem === undefined) return ended;
  return {
    ...ended,
    problem: { ...problem, actions: problem.actions.filter((action) => action !== "raise-limit") },
  };
}
