// Runs one tool call step by step: find the tool, check permission, parse, ask, run. Each step may end it with a
// message for the model; in any case an event reports how it ended.

import { inEnglish } from "../../conversation/english.ts";
import {
  type CleanText,
  type ConversationEvent,
  type Decision,
  verbatim,
} from "../../conversation/events.ts";
import { type Message, message, withArguments } from "../../conversation/messages.ts";
import type { Plan, ToolPart, ToolStatus, UserQuestion } from "../../conversation/state.ts";
import { cleanText, takeOutSecrets } from "../../files/privacy.ts";
import { Declined, Refusal } from "../../files/refusal.ts";
import type { ToolCall } from "../../service/reply.ts";
import { outputText } from "../../service/response-items.ts";
import {
  type CallQuestion,
  capOutput,
  type PatchShown,
  type PreparedCall,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../tools/tool.ts";
import { fullName, isActing, type ToolTable } from "../../tools/tool-table.ts";
import type { Disposable } from "../../util/disposables.ts";
import type { Log } from "../../util/log.ts";
import { present } from "../../util/present.ts";
import { wellFormed } from "../../util/text.ts";
import { abortedAfter, raceAbort } from "../../util/timeouts.ts";

/** How a call is shown while it runs: a tool as a row, a patch as a card. Both are reported by events. */
interface CallDisplay {
  understood(summary: string | Message, line?: string): Promise<void>;
  asked(question: Message, can: Pick<CallQuestion, "canAllow" | "canEdit">): Promise<void>;
  /** It runs without a question, by the person's permission for this folder. */
  allowed(folder: string): void;
  /** It waits for an answer. */
  asks(question: UserQuestion): Promise<void>;
  running(): Promise<void>;
  /** Shows the end of an output that is still arriving. */
  live(output: string): Promise<void>;
  done(output: string, message: Message | undefined): Promise<void>;
  /** `output`: what the model is told. */
  failed(reason: Message, output: string, declined: boolean): Promise<void>;
  show(patch: PatchShown): Promise<void>;
}

/** The page shows the beginning of an output; the model gets all of it. */
const previewLength = 2000;
/** A model's input may be of any length; a row must not be. */
export const longestSummary = 200;
export const truncated = (text: string, most: number): string =>
  text.length <= most ? text : wellFormed(`${text.slice(0, most - 1)}…`);

/** Of a command, the end tells more than the beginning. */
const previewOf = (output: string, isCommand: boolean): string =>
  output.length <= previewLength || !isCommand
    ? output.slice(0, previewLength)
    : wellFormed(`${output.slice(0, previewLength / 4)}\n[…]\n${output.slice((-previewLength * 3) / 4)}`);

/** Cleans names and reasons in the message, which come from the model or from other programs. */
const shown = (message: Message): Message =>
  withArguments(message, (text) =>
    truncated(takeOutSecrets(text.slice(0, 2 * previewLength)).text, previewLength),
  );

function displayTool(call: ToolCall, { turn, part }: CallPlace, tell: EmitEvent): CallDisplay {
  let summary: string | Message = "";
  let question: UserQuestion | undefined;
  let command: ToolPart["command"];
  const row = (status: ToolStatus, more: Partial<Pick<ToolPart, "message" | "output">>) =>
    tell({
      type: "tool",
      turn,
      id: part,
      call: call.callId,
      name: truncated(fullName(call), longestSummary),
      status,
      summary,
      ...present({ ...more, question, command }),
    });
  return {
    async understood(text, line) {
      if (line !== undefined) command = { line };
      summary =
        typeof text === "string"
          ? truncated(text, longestSummary)
          : withArguments(text, (each) => truncated(each, longestSummary));
    },
    async asked(message, { canAllow, canEdit }) {
      const line = command;
      if (line !== undefined) command = { ...line, ...present({ canAllow, canEdit }) };
      await row("asked", { message });
      command = line;
    },
    allowed(allowedIn) {
      if (command !== undefined) command = { ...command, allowedIn };
    },
    asks(asked) {
      question = asked;
      return row("asked", {});
    },
    running: () => row("running", {}),
    live: (output) => row("running", { output: output.slice(-previewLength) }),
    // An answer is shown whole, in the message.
    done: (output, message) =>
      row("done", {
        message,
        output: question === undefined ? previewOf(output, command !== undefined) : undefined,
      }),
    failed: (reason, _, declined) => row(declined ? "refused" : "failed", { message: shown(reason) }),
    show: async () => {},
  };
}

function displayPatch(name: string, { turn, part }: CallPlace, tell: EmitEvent): CallDisplay {
  let last: PatchShown = { status: "arriving", files: [] };
  const show = (patch: PatchShown) => {
    last = patch;
    return tell({ type: "patch", turn, id: part, call: name, ...present(patch) });
  };
  return {
    understood: async () => {},
    asked: async () => {},
    allowed() {},
    asks: async () => {},
    running: async () => {},
    live: async () => {},
    // A patch has already reported its result.
    done: async () => {},
    failed: (reason, output, declined) =>
      show({ ...last, status: declined ? "rejected" : "failed", message: shown(reason), output }),
    show,
  };
}

export interface ToolDeps {
  readonly table: ToolTable;
  /** The workspace as it is when a call begins. */
  context(): Promise<ToolContext>;
  readonly decisions: PendingDecisions;
  readonly log: Log;
  /** Asked for every call, because trust can be withdrawn while a turn runs. */
  isTrusted(): boolean;
  /** Whether calls that act are refused until the user has seen a plan; asked for every call. */
  isPlanFirst(): boolean;
  /** As a tool shows it (tool.ts). */
  showPlan(turn: string, steps: Plan["steps"]): Promise<ToolResult>;
  /**
   * The id used for a patch here: some models restart their call ids with every reply, but the status of a patch is
   * reported as long as its conversation exists.
   */
  nameOfPatch(callId: string, place: Pick<CallPlace, "turn" | "part">): string;
  /** How often this turn has made the same call, including this one. */
  timesAsked(call: ToolCall): number;
  /** What the model is told instead of an output it already has (tool-call-batches.ts). */
  readBefore?(call: ToolCall, output: CleanText): string | undefined;
}

interface CallPlace {
  readonly turn: string;
  readonly part: string;
  /** The 0-based index among the calls of its reply. */
  readonly number: number;
  /** Whether it arrived completely, in a reply that was completed. */
  readonly whole: boolean;
  /** How many bytes of its output may be sent. */
  readonly share: number;
  /** Whether a call of the same reply has asked the user something. */
  readonly asking: { isTaken: boolean };
}

/** Resolves once the event is taken and saved. */
export type EmitEvent = (event: ConversationEvent) => Promise<void>;

/** More than any reasonable reply contains. */
export const maxCalls = 64;
/**
 * A stop does not abandon a file change at once, but does not wait for it forever either: an editor may never answer.
 */
const stopTimeout = 10_000;
/** When the same call is made for the third time, a person is asked whether it leads anywhere. */
const maxTimes = 3;

interface CallResult {
  readonly text: CleanText;
  readonly images: readonly string[];
  /** What it has shown or changed, as the tool says. */
  readonly paths: readonly string[];
  /** The call had no effect, and the text states why. */
  readonly isRefused: boolean;
}

/** Returns what the model is told; `undefined` if the turn was stopped before there was a result. */
export async function runCall(
  call: ToolCall,
  place: CallPlace,
  tell: EmitEvent,
  deps: ToolDeps,
  signal: AbortSignal,
): Promise<CallResult | undefined> {
  const found = deps.table.find(call.name, call.namespace);
  const name = found?.reviews ? deps.nameOfPatch(call.callId, place) : call.callId;
  const display = found?.reviews ? displayPatch(name, place, tell) : displayTool(call, place, tell);
  try {
    const tool = check(found, call, place, deps);
    const prepared = prepare(tool, call, place);
    await display.understood(prepared.summary, prepared.line);
    const { question: own, folder } = (await prepared.ask?.(await deps.context(), signal)) ?? {};
    const { question = own?.text, approves = false } = howToAsk(tool, prepared, call, deps);
    const agreed =
      question !== undefined && !tool.reviews
        ? await agree(own ?? { text: question }, call, display, deps, signal)
        : undefined;
    if (agreed?.line !== undefined && own?.canEdit === true)
      await display.understood(agreed.line, agreed.line);
    if (folder !== undefined && (own === undefined || agreed?.always === true)) display.allowed(folder);
    if (approves) deps.table.approve(tool);
    await display.running();
    const done = await finish(tool, prepared, { call, name, place, display, tell }, deps, signal);
    const whole = await cleanOutput(done.output, place);
    const capped = verbatim(deps.readBefore?.(call, whole) ?? whole);
    await display.done(capped, done.message);
    const { images = [], paths = [], isRefused = false } = done;
    return { text: capped, images, paths, isRefused };
  } catch (error) {
    if (signal.aborted) return undefined;
    const reason = explain(error, deps.log);
    const output = await cleanOutput(inEnglish(reason), place);
    await display.failed(reason, output, error instanceof Declined);
    return { text: output, images: [], paths: [], isRefused: true };
  }
}

/**
 * All output that leaves the machine is cleaned here, once. Any of it may contain file contents, since a failing patch
 * quotes files.
 */
const cleanOutput = async (output: string, { share }: CallPlace): Promise<CleanText> =>
  // Cut after cleaning: half a key would not be recognized as one.
  verbatim(capOutput((await cleanText(outputText(output))).text, share));

function check(tool: Tool | undefined, call: ToolCall, { number }: CallPlace, deps: ToolDeps): Tool {
  if (call.isWords) throw new Refusal(message("toolNoBlock"));
  if (tool === undefined) {
    // Name only the offered tools; what else is installed must not be revealed.
    const offered = deps.table.tools.filter((each) => deps.table.permission(each) !== "off");
    const names = offered.map(fullName).join(", ");
    throw new Refusal(message("toolUnknown", { name: fullName(call), names: names || "none" }));
  }
  if (!deps.isTrusted()) throw new Declined(message("toolUntrusted"));
  if (deps.table.permission(tool) === "off") throw new Declined(message("toolOff", { name: tool.name }));
  if (deps.isPlanFirst() && isActing(tool)) throw new Declined(message("toolPlanFirst"));
  if (number >= maxCalls) throw new Refusal(message("toolTooMany", { count: maxCalls }));
  return tool;
}

function prepare(tool: Tool, call: ToolCall, { whole }: CallPlace): PreparedCall {
  const prepared = tool.prepare(tool.inputOf?.(call) ?? call.input);
  if (!whole) throw new Refusal(message("toolHalf"));
  return prepared;
}

function howToAsk(
  tool: Tool,
  { line }: PreparedCall,
  call: ToolCall,
  deps: ToolDeps,
): { question?: Message; approves?: true } {
  // The same tests run again after each change.
  if (deps.timesAsked(call) >= maxTimes && line === undefined) return { question: message("toolAgain") };
  if (deps.table.isUnapproved(tool)) return { question: message("toolChanged"), approves: true };
  if (deps.table.permission(tool) === "auto") return {};
  return { question: message("toolAsks") };
}

async function agree(
  { text, accepted, ...can }: Pick<CallQuestion, "text"> & Partial<CallQuestion>,
  call: ToolCall,
  display: CallDisplay,
  { decisions }: ToolDeps,
  signal: AbortSignal,
): Promise<Extract<Decision, { kind: "accept" }>> {
  const answer = decisions.ask(call.callId, signal);
  await display.asked(text, can);
  const decision = await answer;
  if (decision.kind === "accept") {
    await accepted?.(decision);
    return decision;
  }
  const { reason = "" } = decision.kind === "reject" ? decision : {};
  // The person's words are the best hint for the model.
  throw new Declined(
    reason.trim() === "" ? message("toolDeclined") : message("toolDeclinedSaying", { reason }),
  );
}

interface Agreed {
  readonly call: ToolCall;
  readonly name: string;
  readonly place: CallPlace;
  readonly display: CallDisplay;
  readonly tell: EmitEvent;
}

async function finish(
  tool: Tool,
  prepared: PreparedCall,
  { call, name, place, display, tell }: Agreed,
  { context, table, decisions, showPlan, nameOfPatch }: ToolDeps,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { seconds } = tool;
  const limited =
    seconds === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const cleaned = async (patch: PatchShown) =>
    patch.output === undefined ? patch : { ...patch, output: await cleanOutput(patch.output, place) };
  const show = async (patch: PatchShown) => display.show(await cleaned(patch));
  const beside = () => {
    const own = { ...place, part: `${place.part}/files` };
    const named = nameOfPatch(`${call.callId}-files`, own);
    const card = displayPatch(named, own, tell);
    return { call: named, show: async (patch: PatchShown) => card.show(await cleaned(patch)) };
  };
  const stopping = new AbortController();
  const listening = prepared.line === undefined ? undefined : decisions.whileRunning(call.callId, stopping);
  const offers = (other: string) => {
    const known = table.find(other, undefined);
    return known !== undefined && table.permission(known) !== "off";
  };
  const ask = async (question: UserQuestion) => {
    if (place.asking.isTaken) throw new Refusal(message("askUserTwice"));
    place.asking.isTaken = true;
    const answer = decisions.ask(call.callId, signal);
    await display.asks(question);
    return answerIn(await answer);
  };
  const plan = (steps: Plan["steps"]) => showPlan(place.turn, steps);
  const [stop, live] = [stopping.signal, display.live];
  const own = { turn: place.turn, call: name, offers, show, showPlan: plan, ask, stop, live, beside };
  const work = context().then((around) => prepared.run({ ...around, ...own }, limited));
  try {
    return await raceAbort(work, seconds === undefined ? abortedAfter(signal, stopTimeout) : limited);
  } catch (error) {
    if (limited.aborted && !signal.aborted)
      throw new Refusal(message("toolSlow", { name: tool.name, seconds: seconds ?? 0 }));
    throw error;
  } finally {
    listening?.dispose();
  }
}

/** The user's answer to a question from the model; `undefined` if they gave none. */
export function answerIn(decision: Decision): string | undefined {
  const text = decision.kind === "answer" ? decision.text.trim() : "";
  return text === "" ? undefined : text;
}

function explain(error: unknown, log: Log): Message {
  if (error instanceof Refusal) return error.asMessage;
  // The error message may contain paths of this machine, which must not be sent.
  log.error("A tool failed.", error);
  return message("toolBroken");
}

/**
 * Questions of a running turn that wait for a person. A question is reported as an event, and its response arrives
 * here. Nothing is stored: the questions end with their turn.
 */
export class PendingDecisions {
  readonly #open = new Map<string, (decision: Decision) => void>();
  readonly #running = new Map<string, AbortController>();

  /** Rejects when the turn is stopped. Call this before reporting the event, or a quick answer would be lost. */
  ask(call: string, signal: AbortSignal): Promise<Decision> {
    const answer = new Promise<Decision>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      this.#open.set(call, (decision) => {
        signal.removeEventListener("abort", stop);
        resolve(decision);
      });
    }).finally(() => this.#open.delete(call));
    // The caller may not be awaiting the response yet; a stop at that moment must not become an unhandled rejection.
    answer.catch(() => {});
    return answer;
  }

  /** A person may end this call while it runs, until the result is disposed. */
  whileRunning(call: string, stop: AbortController): Disposable {
    this.#running.set(call, stop);
    return { dispose: () => void this.#running.delete(call) };
  }

  /** Returns false if no question is open under this name: it was answered already, or never asked. */
  decide(call: string, decision: Decision): boolean {
    if (decision.kind === "stop") {
      this.#running.get(call)?.abort();
      return this.#running.has(call);
    }
    const resolve = this.#open.get(call);
    this.#open.delete(call);
    resolve?.(decision);
    return resolve !== undefined;
  }
}
