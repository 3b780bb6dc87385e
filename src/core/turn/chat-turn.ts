// A turn on the chat completions operation. Same promises as responses-turn.ts; no tools, no cache figures: the interface
// shows neither for this operation. An answer that holds a patch proposes it, and a patch that is refused is asked for once
// more.
import type { Reply, ToolCall } from "../api/reply.ts";
import { patchText } from "../api/tool-calls.ts";
import { verbatim } from "../conversation/content.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { inEnglish } from "../messages/english.ts";
import { type Message, message } from "../messages/message.ts";
import { factsOf } from "../tokens/usage-rows.ts";
import { asObject, asString, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import { few, longestSummary } from "./call-display.ts";
import { assistantItem, userItem } from "./history.ts";
import { withWaysOut } from "./recovery-actions.ts";
import { type Ended, toConversationEvents, toEnded } from "./reply-events.ts";
import { beginning } from "./responses-turn.ts";
import { runCalls } from "./run-calls.ts";
import { chatRequest } from "./service-request.ts";
import { patchAgain, patchIn, textPatchInstructions } from "./text-patch.ts";
import { ThinkingTime } from "./thinking-time.ts";
import { ensureOneEnd, type TurnOutput } from "./turn-guarantees.ts";
import type { TurnDeps, TurnRequest } from "./turn-request.ts";
import { unreadOf } from "./unseen-items.ts";

export const chatTurn = (
  request: TurnRequest,
  deps: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> => ensureOneEnd(request.turn, steps(request, deps, signal), deps, signal);

/** What goes wrong twice a person has to look at. */
const maxTries = 2;

async function* steps(
  request: TurnRequest,
  deps: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> {
  const { turn, items, history, frozen } = request;
  const { now } = deps;
  const proposes = frozen.instructions.includes(textPatchInstructions);
  yield* beginning(request, "chat", now());
  yield { type: "replay", turn, items };
  const input = [...history, ...items];
  for (let step = 0; ; step++) {
    const reply = yield* askChat(request, step, input, deps, signal);
    const patch = proposes ? patchCalled(reply) : undefined;
    const text = patch === undefined ? reply.text : `${reply.text}\n\n${patch.text}`.trim();
    yield* uncallable(turn, step, reply, patch?.call);
    // Interface: "an `assistant` message carrying the previous result is appended". Without text there is none.
    const answer = text.trim() === "" ? [] : [assistantItem(text)];
    if (answer.length > 0) yield { type: "replay", turn, items: answer };
    const end = withoutLimit(withWaysOut(endOf(turn, reply, patch?.call, now()), request, []));
    if (!proposes || reply.status !== "completed" || signal.aborted) return yield end;
    const outcome = yield* propose(turn, step, text, deps, signal);
    if (outcome === undefined || signal.aborted) return yield end;
    const isAgain = outcome.isRefused && step + 1 < maxTries;
    const feedback = [
      own(`[Patchbay, about the patch in your answer:]\n${outcome.text}${isAgain ? `\n${patchAgain}` : ""}`),
    ];
    yield { type: "replay", turn, items: feedback };
    if (!isAgain) return yield end;
    for (const each of [...answer, ...feedback]) input.push(each);
  }
}

/** A patch that the model has put into a call, though it was told of no tool, is a patch of its answer. */
function patchCalled({ runnable }: Reply): { readonly call: ToolCall; readonly text: string } | undefined {
  const call = runnable.find(({ name }) => name === "apply_patch");
  const text = call && patchText(call);
  return call === undefined || text === undefined ? undefined : { call, text };
}

/** Every other call runs nowhere, and says so on its row. */
function* uncallable(
  turn: string,
  step: number,
  { calls }: Reply,
  patch: ToolCall | undefined,
): Generator<ConversationEvent, void> {
  for (const { item, callId, name } of calls) {
    if (item === patch?.item) continue;
    const row = { type: "tool", turn, id: `${step}/${item}`, call: callId, status: "failed" } as const;
    yield { ...row, name: few(name, longestSummary), summary: "", message: message("toolNone") };
  }
}

/** An answer of nothing but calls that run nowhere is none. */
function endOf(turn: string, reply: Reply, patch: ToolCall | undefined, at: number): Ended {
  const { status, text, refusal = "", calls } = reply;
  const ended = toEnded(turn, reply, at);
  const isSilent = status === "completed" && `${text}${refusal}`.trim() === "";
  if (!isSilent || calls.length === 0 || patch !== undefined) return ended;
  const problem = { kind: "protocol", message: message("problemToolless"), actions: ["retry"] } as const;
  return { ...ended, ending: "incomplete", problem: { ...problem, actions: [...problem.actions] } };
}

/** Of what the model has written itself, and of outputs that have passed the filter. */
const own = (words: string): string => userItem([{ kind: "text", text: verbatim(words) }]);

interface Outcome {
  /** In the model's words. */
  readonly text: string;
  readonly isRefused: boolean;
}

/** Nothing where the answer proposes nothing. */
async function* propose(
  turn: string,
  step: number,
  text: string,
  { tools, log }: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, Outcome | undefined> {
  const read = patchIn(text);
  if (read.kind === "none") return undefined;
  if (read.kind === "refused") {
    yield refused(turn, step, read.why);
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
  let isRefused = false;
  const running = runCalls(reply, { ...tools, log, timesAsked: () => 1 }, signal);
  try {
    for (;;) {
      const next = await running.next();
      if (next.done === true) {
        const output = asString(asObject(parseJson(next.value[0] ?? ""))?.["output"]);
        return output === undefined ? undefined : { text: output, isRefused };
      }
      if (next.value.type === "patch") isRefused = next.value.status === "failed";
      yield next.value;
    }
  } finally {
    await running.return([]);
  }
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

/** One request of a turn, and its reply. `input`: everything said so far, in this turn too. */
export async function* askChat(
  request: TurnRequest,
  step: number,
  input: readonly string[],
  { client, now, exchanged, counted }: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, Reply> {
  const { turn, model } = request;
  const body = chatRequest({ ...request, history: input, items: [] });
  const began = now();
  const thinking = new ThinkingTime();
  for await (const event of client.chat(body, signal)) {
    yield* thinking.take(turn, step, event, now());
    if (event.type !== "ended") {
      yield* toConversationEvents(turn, step, event, now());
      continue;
    }
    const { reply, sent } = event;
    const outgoing = { route: "chat", model, request: body } as const;
    exchanged({ ...outgoing, number: step + 1, began, ended: now(), sent, reply });
    yield* unreadOf(turn, step, reply);
    const estimate = counted(outgoing, reply.usage);
    yield* factsOf(turn, reply, now(), present({ estimate }));
    return reply;
  }
  throw new Error("The client ended without telling how.");
}

/** Chat completions take no limit, so none of ours was reached, and a higher one would not be sent. */
function withoutLimit(ended: Ended): Ended {
  const { problem } = ended;
  if (problem === undefined) return ended;
  return {
    ...ended,
    problem: { ...problem, actions: problem.actions.filter((action) => action !== "raise-limit") },
  };
}
