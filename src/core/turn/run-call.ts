// One tool call, station by station: known, allowed, understood, agreed to, run. Each station may end it with a
// sentence for the model; whatever happens, an event tells how it ended.

import type { ToolCall } from "../api/reply.ts";
import { outputText, patchText } from "../api/tool-calls.ts";
import { type CleanText, verbatim } from "../conversation/content.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { Declined, Refusal } from "../files/refusal.ts";
import { cleanText } from "../files/secrets.ts";
import { inEnglish } from "../messages/english.ts";
import { type Message, message } from "../messages/message.ts";
import { capOutput } from "../tools/cap-output.ts";
import type { PatchShown, PreparedCall, Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import type { ToolTable } from "../tools/tool-table.ts";
import { abortedAfter, untilAborted } from "../util/abort.ts";
import type { Log } from "../util/log.ts";
import { type CallDisplay, displayPatch, displayTool } from "./call-display.ts";
import type { PendingDecisions } from "./pending-decisions.ts";

export interface ToolDeps {
  readonly table: ToolTable;
  /** The workspace as it stands when a call begins. */
  context(): Promise<ToolContext>;
  readonly decisions: PendingDecisions;
  readonly log: Log;
  /** Asked at every call: trust can be withdrawn while a turn runs. */
  isTrusted(): boolean;
  /**
   * What a patch is called here: some models start their call ids over with every reply, and what becomes of each patch is
   * told for as long as its conversation lives.
   */
  nameOfPatch(callId: string, place: Pick<CallPlace, "turn" | "part">): string;
  /** How often this turn has come to the very same call, this one included. */
  timesAsked(call: ToolCall): number;
}

export interface CallPlace {
  readonly turn: string;
  readonly part: string;
  /** Among the calls of its reply, from 0. */
  readonly number: number;
  /** It arrived whole, in a reply that was completed. */
  readonly whole: boolean;
  /** How many bytes may be told of what comes of it. */
  readonly share: number;
}

/** Resolves once the event is taken and saved. */
export type Tell = (event: ConversationEvent) => Promise<void>;

/** More than any honest reply holds. */
export const maxCalls = 64;
/** What changes files is not abandoned at once by a stop, nor waited for without end: an editor may never answer. */
const stopTimeout = 10_000;
/** The third time the very same call comes, a person is asked whether this leads anywhere. */
const maxTimes = 3;

export interface CallResult {
  readonly text: CleanText;
  readonly images: readonly string[];
}

/** Answers with what the model is told; `undefined` when the turn was stopped before anything came of it. */
export async function runCall(
  call: ToolCall,
  place: CallPlace,
  tell: Tell,
  deps: ToolDeps,
  signal: AbortSignal,
): Promise<CallResult | undefined> {
  const found = deps.table.find(call.name, call.namespace);
  const name = found?.reviews ? deps.nameOfPatch(call.callId, place) : call.callId;
  const display = found?.reviews ? displayPatch(name, place, tell) : displayTool(call, place, tell);
  try {
    const tool = check(found, call, place, deps);
    const prepared = prepare(tool, call, place);
    const { question, approves = false } = howToAsk(tool, call, deps);
    await display.understood(prepared.summary);
    if (question !== undefined && !tool.reviews) await agree(question, call, display, deps, signal);
    if (approves) deps.table.approve(tool);
    await display.running();
    const done = await finish(tool, prepared, { name, place, display }, deps, signal);
    const capped = await cleanOutput(done.output, place);
    await display.done(capped, done.message);
    return { text: capped, images: done.images ?? [] };
  } catch (error) {
    if (signal.aborted) return undefined;
    const reason = explain(error, deps.log);
    const output = await cleanOutput(inEnglish(reason), place);
    await display.failed(reason, output, error instanceof Declined);
    return { text: output, images: [] };
  }
}

/** What leaves the machine: whatever a tool came by on its way – a failing patch quotes files – passes here, once. */
const cleanOutput = async (output: string, { share }: CallPlace): Promise<CleanText> =>
  // Cut when it is clean: half a key would not be known for one.
  verbatim(capOutput((await cleanText(outputText(output))).text, share));

function check(tool: Tool | undefined, call: ToolCall, { number }: CallPlace, deps: ToolDeps): Tool {
  if (tool === undefined) {
    // What is installed here besides is nobody's business.
    const offered = deps.table.tools.filter((each) => deps.table.permission(each) !== "off");
    const names = offered.map(({ name }) => name).join(", ");
    throw new Refusal(message("toolUnknown", { name: call.name, names: names || "none" }));
  }
  if (!deps.isTrusted()) throw new Declined(message("toolUntrusted"));
  if (deps.table.permission(tool) === "off") throw new Declined(message("toolOff", { name: tool.name }));
  if (number >= maxCalls) throw new Refusal(message("toolTooMany", { count: maxCalls }));
  return tool;
}

function prepare(tool: Tool, call: ToolCall, { whole }: CallPlace): PreparedCall {
  // A model may call apply_patch as a function although it was offered as a custom tool (wire §9.3).
  const input = tool.reviews ? (patchText(call) ?? "") : call.input;
  const prepared = tool.prepare(input);
  if (!whole) throw new Refusal(message("toolHalf"));
  return prepared;
}

function howToAsk(tool: Tool, call: ToolCall, deps: ToolDeps): { question?: Message; approves?: true } {
  if (deps.timesAsked(call) >= maxTimes) return { question: message("toolAgain") };
  if (deps.table.isUnapproved(tool)) return { question: message("toolChanged"), approves: true };
  if (deps.table.permission(tool) === "auto") return {};
  return { question: message("toolAsks") };
}

async function agree(
  question: Message,
  call: ToolCall,
  display: CallDisplay,
  { decisions }: ToolDeps,
  signal: AbortSignal,
): Promise<void> {
  const answer = decisions.ask(call.callId, signal);
  await display.asked(question);
  const decision = await answer;
  if (decision.kind === "accept") return;
  const { reason = "" } = decision;
  // The person's words are the model's best hint.
  throw new Declined(
    reason.trim() === "" ? message("toolDeclined") : message("toolDeclinedSaying", { reason }),
  );
}

interface Agreed {
  readonly name: string;
  readonly place: CallPlace;
  readonly display: CallDisplay;
}

async function finish(
  tool: Tool,
  prepared: PreparedCall,
  { name, place, display }: Agreed,
  { context }: ToolDeps,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { seconds } = tool;
  const limited =
    seconds === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const show = async (patch: PatchShown) =>
    display.show(
      patch.output === undefined ? patch : { ...patch, output: await cleanOutput(patch.output, place) },
    );
  const own = { turn: place.turn, call: name, show };
  const work = context().then((around) => prepared.run({ ...around, ...own }, limited));
  try {
    return await untilAborted(work, seconds === undefined ? abortedAfter(signal, stopTimeout) : limited);
  } catch (error) {
    if (limited.aborted && !signal.aborted)
      throw new Refusal(message("toolSlow", { name: tool.name, seconds: seconds ?? 0 }));
    throw error;
  }
}

function explain(error: unknown, log: Log): Message {
  if (error instanceof Refusal) return error.asMessage;
  // Its message may name places of this machine, which are nobody's business.
  log.error("A tool failed.", error);
  return message("toolBroken");
}
