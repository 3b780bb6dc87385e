// Runs the tool calls of one reply. Reading tools run in parallel, writing ones alone and in the order of the reply.
// Whatever happens to a call – unknown, disabled, declined, too slow, broken – becomes its output: a failing tool is
// reported to the model and never ends the turn.

import type { ConversationEvent } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { OutputItem, Reply, ToolCall } from "../../service/reply.ts";
import { callOutput } from "../../service/response-items.ts";
import { outputShare } from "../../tools/tool.ts";
import type { ToolTable } from "../../tools/tool-table.ts";
import { forModel } from "../../util/sentences.ts";
import { answerOpenCalls, callIds, imagesItem } from "./history.ts";
import {
  type EmitEvent,
  longestSummary,
  maxCalls,
  runCall,
  type ToolDeps,
  truncated,
} from "./run-tool-call.ts";
import type { RunningTurn } from "./turn-request.ts";

interface CallsOfReply {
  /** In the order of the reply, each with a different call id. */
  readonly calls: readonly ToolCall[];
  /** Ids of the calls that arrived completely and may run. */
  readonly runnable: ReadonlySet<string>;
  readonly turn: string;
  /** The number of the request in the turn: parts of different replies never share an id. */
  readonly request: number;
}

interface CallOutputs {
  /** In the order of the calls; after an abort only those that are known. */
  readonly outputs: readonly string[];
  /** URLs. */
  readonly images: readonly string[];
  /** Whether none of the calls was refused or aborted. */
  readonly isAllDone: boolean;
  /** What the tools have shown or changed. */
  readonly paths: readonly string[];
  /** The ids of calls that had not begun when the turn was stopped. */
  readonly unrun: ReadonlySet<string>;
}

/** `emit` resolves once an event has been taken, which saves it. */
async function runCalls(
  reply: CallsOfReply,
  deps: ToolDeps,
  emit: EmitEvent,
  signal: AbortSignal,
): Promise<CallOutputs> {
  const left = new AbortController();
  // A call that was abandoned by then gets no further than to what it reports next.
  const tell: EmitEvent = (event) => (left.signal.aborted ? new Promise(() => {}) : emit(event));
  try {
    return await runBatches(reply, deps, tell, AbortSignal.any([signal, left.signal]));
  } finally {
    left.abort();
  }
}

interface Answered {
  readonly items: readonly string[];
  /** Whether the reply called only for patches and all of them fit. */
  readonly isPlaced: boolean;
  /** What the calls have shown or changed. */
  readonly paths: readonly string[];
}

/** Produces one output for every call that is kept, also for calls of unknown kinds; the end of a stopped turn does. */
export async function answerCalls(
  { request: { turn }, tools, log, signal, emit, stopped }: RunningTurn,
  step: number,
  reply: Reply,
  kept: readonly string[],
  ofTurn: Pick<ToolDeps, "timesAsked" | "readBefore">,
): Promise<Answered> {
  const ids = callIds(kept);
  // Requirements E8: the same id twice in a reply is one call.
  const calls = reply.calls.filter(({ callId }) => ids.delete(callId));
  const runnable = new Set(reply.runnable.map(({ callId }) => callId));
  const { outputs, images, isAllDone, paths, unrun } = await runCalls(
    { turn, request: step, calls, runnable },
    { ...tools, log, ...ofTurn },
    emit,
    signal,
  );
  const isPatch = ({ name, namespace }: ToolCall) => tools.table.find(name, namespace)?.reviews === true;
  const isPlaced =
    isAllDone && calls.length === reply.calls.length && calls.length > 0 && calls.every(isPatch);
  // Images come last, so that no output follows them.
  const last = images.length === 0 ? [] : [imagesItem(images)];
  if (signal.aborted) {
    // What is left of the ids are calls of unknown kinds.
    for (const id of [...unrun, ...ids]) stopped.unrun.add(id);
    for (const item of last) stopped.last.push(item);
    return { items: outputs, isPlaced, paths };
  }
  const unknown = answerOpenCalls([...kept, ...outputs], () =>
    forModel("Patchbay cannot run calls of this kind."),
  );
  return { items: [...outputs, ...unknown, ...last], isPlaced, paths };
}

/** Counts how often the same call was made, whatever its id. */
export function repeatCounter(): (call: ToolCall) => number {
  const times = new Map<string, number>();
  return ({ name, namespace = "", input }) => {
    const key = JSON.stringify([namespace, name, input]);
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    return count;
  };
}

async function runBatches(
  { calls, runnable, turn, request }: CallsOfReply,
  deps: ToolDeps,
  tell: EmitEvent,
  signal: AbortSignal,
): Promise<CallOutputs> {
  let isAllDone = true;
  const outputs: string[] = [];
  const images: string[] = [];
  const paths: string[] = [];
  const unrun = new Set<string>();
  const share = outputShare(Math.min(calls.length, maxCalls));
  const asking = { isTaken: false };
  let number = 0;
  for (const batch of batches(calls, deps.table)) {
    if (signal.aborted) {
      for (const { callId } of batch) unrun.add(callId);
      continue;
    }
    const running = batch.map((call) => {
      const part = `${request}/${call.item === "" ? call.callId : call.item}`;
      const place = { turn, part, number: number++, whole: runnable.has(call.callId), share, asking };
      return runCall(call, place, tell, deps, signal);
    });
    const results = await Promise.all(running);
    for (const [index, call] of batch.entries()) {
      const answer = results[index];
      if (answer?.isRefused !== false) isAllDone = false;
      if (answer === undefined) continue;
      outputs.push(callOutput(call, answer.text));
      for (const url of answer.images) images.push(url);
      for (const path of answer.paths) paths.push(path);
    }
  }
  return { outputs, images, isAllDone, paths, unrun };
}

/** What the model is told of a call that had not begun: it need not look whether something came of it. */
export const stoppedBefore = forModel("The user stopped the turn before this call was run.");

/** Groups adjacent reading calls; every other call is a batch of its own. */
function batches(calls: readonly ToolCall[], table: ToolTable): ToolCall[][] {
  const all: ToolCall[][] = [];
  let readers: ToolCall[] | undefined;
  for (const call of calls) {
    const reads = table.find(call.name, call.namespace)?.kind !== "write";
    if (reads && readers !== undefined) readers.push(call);
    else all.push([call]);
    readers = reads ? all.at(-1) : undefined;
  }
  return all;
}

type Call = Extract<OutputItem["view"], { kind: "call" }>;

/**
 * Calls of a reply that are neither run nor sent back. Each gets a row of its own, so none is dropped silently. The
 * model is told nothing, because for the service they were never made.
 */
export function* droppedCalls(
  turn: string,
  request: number,
  { items, status }: Reply,
  kept: readonly OutputItem[],
): Generator<ConversationEvent, void> {
  const keptCalls = kept.flatMap(({ view }) => (view.kind === "call" ? [view] : []));
  for (const [index, item] of items.entries()) {
    const { view } = item;
    if (view.kind !== "call" || kept.includes(item)) continue;
    const why = reasonOf(view, keptCalls, status);
    const isOwnRow = view.id !== "" && keptCalls.every(({ id }) => id !== view.id);
    const id = `${request}/${isOwnRow ? view.id : `dropped-${index}`}`;
    const name = truncated(view.name, longestSummary);
    yield view.name === "apply_patch"
      ? { type: "patch", turn, id, call: "", status: "failed", files: [], message: why }
      : { type: "tool", turn, id, call: view.callId, name, status: "failed", summary: "", message: why };
  }
}

function reasonOf({ callId }: Call, kept: readonly Call[], status: Reply["status"]): Message {
  if (kept.some((each) => each.callId === callId)) return message("toolTwice");
  return status === "completed" ? message("toolReplayed") : message("toolCut");
}

/** For shorter outputs the replacement would hardly save anything. */
const shortest = 400;

/**
 * Avoids sending unchanged lines of a file that the model has read already, because every later request would contain
 * them twice. If the model asks for exactly the same lines once more it gets them, since they may be hard to find by
 * then. Takes the raw items sent so far; they are read at the time of the call. The function returns what to answer
 * instead of a clean output, or `undefined` to send the output itself.
 */
export function readBefore(sent: readonly string[]): (call: ToolCall, output: string) => string | undefined {
  const spared = new Set<string>();
  return ({ name, namespace, input }, output) => {
    if (name !== "read_file" || namespace !== undefined || output.length < shortest) return undefined;
    const [, head = "", path = "", first = "", last = ""] =
      /^((.+), lines (\d+)–(\d+) of \d+)\n/.exec(output) ?? [];
    if (path === "" || spared.has(input)) return undefined;
    const lines = written(output.slice(head.length));
    const at = sent.findLastIndex((item) => isRead(item, path) && holds(item, lines));
    // If these lines were read in another version since, "above" would be ambiguous.
    const later = sent.slice(at + 1).filter((item) => isRead(item, path));
    if (at < 0 || later.some((item) => shows(item, [first, last]))) return undefined;
    spared.add(input);
    return `${head}: you have read them above, and they have not changed.`;
  };
}

/** Escaped as in the JSON of an item. */
const written = (text: string): string => JSON.stringify(text).slice(1, -1);

const isRead = (item: string, path: string): boolean => item.includes(`"output":"${written(path)}, lines `);

/** `lines` begin with a line break, and must be followed by another one or by the end of the string. */
function holds(item: string, lines: string): boolean {
  const at = item.indexOf(lines);
  return at >= 0 && /^(?:\\n|")/.test(item.slice(at + lines.length, at + lines.length + 2));
}

/** Whether the item shows a line with one of these numbers. */
const shows = (item: string, numbers: readonly string[]): boolean =>
  numbers.some((number) => item.includes(`\\n${number}\\t`));
