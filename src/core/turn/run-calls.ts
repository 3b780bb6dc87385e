// The tool calls of one reply, from call to output. Readers run side by side, writers alone and in the order of the
// reply. Whatever happens to a call – unknown, switched off, declined, too slow, broken – becomes its output: a
// failing tool is something for the model to read, never the end of the turn.
import type { ToolCall } from "../api/reply.ts";
import { callOutput } from "../api/tool-calls.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { shareOf } from "../tools/cap-output.ts";
import type { ToolTable } from "../tools/tool-table.ts";
import { untilAborted } from "../util/abort.ts";
import { EventQueue } from "./event-queue.ts";
import { imagesItem } from "./history.ts";
import { maxCalls, runCall, type ToolDeps } from "./run-call.ts";

export interface CallsOfReply {
  /** In the order of the reply; each has a call id of its own. */
  readonly calls: readonly ToolCall[];
  /** Call ids of those that arrived whole and may run. */
  readonly runnable: ReadonlySet<string>;
  readonly turn: string;
  /** Which request of the turn: parts of different replies never share a name. */
  readonly request: number;
}

/** Returns the output items in the order of the calls; after an abort only those that are known. */
export async function* runCalls(
  reply: CallsOfReply,
  deps: ToolDeps,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, readonly string[]> {
  const queue = new EventQueue<ConversationEvent>();
  const left = new AbortController();
  const work = runBatches(reply, deps, queue, AbortSignal.any([signal, left.signal]));
  untilAborted(work, left.signal)
    .finally(() => queue.close())
    .catch(() => {});
  try {
    yield* queue.read();
    return await work;
  } finally {
    left.abort();
  }
}

async function runBatches(
  { calls, runnable, turn, request }: CallsOfReply,
  deps: ToolDeps,
  queue: EventQueue<ConversationEvent>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const outputs: string[] = [];
  const images: string[] = [];
  const share = shareOf(Math.min(calls.length, maxCalls));
  let number = 0;
  for (const batch of batches(calls, deps.table)) {
    if (signal.aborted) break;
    const running = batch.map((call) => {
      const part = `${request}/${call.item === "" ? call.callId : call.item}`;
      const place = { turn, part, number: number++, whole: runnable.has(call.callId), share };
      return runCall(call, place, (event) => queue.send(event), deps, signal);
    });
    const results = await Promise.all(running);
    for (const [index, call] of batch.entries()) {
      const answer = results[index];
      if (answer === undefined) continue;
      outputs.push(callOutput(call, answer.text));
      for (const url of answer.images) images.push(url);
    }
  }
  // No output stands behind them.
  return images.length === 0 ? outputs : [...outputs, imagesItem(images)];
}

/** Neighbouring readers together, everything else alone. */
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
