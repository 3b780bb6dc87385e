// Prints how fast a stream of small deltas becomes checked events, ours beside the decoders of the public clients in
// one run on one machine (performance.md §3). Ours is the whole way: bytes, framing, JSON, checks, reduction, what
// the eye is told. Theirs are their decoders; neither reduces. It fails nothing.
import { cpus } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createOpenAI } from "@ai-sdk/openai";
import { Stream } from "openai/streaming";
import { ChatReply } from "../../src/service/internal/chat-reply.ts";
import { objectIn, type ReplyReader } from "../../src/service/internal/read-reply.ts";
import { readResponseEvent } from "../../src/service/internal/response-events.ts";
import { ResponseReply } from "../../src/service/internal/response-reply.ts";
import { RecordReader, type WireRecord } from "../../src/service/internal/stream-records.ts";

const mib = 2 ** 20;
const response = { id: "resp_1", object: "response", created_at: 1, model: "svc-k3", output: [] };
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
const event = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const words = ["Let ", "me ", "look ", "at ", "the ", "function", " first", ", then", " change", " it. "];
const item = { id: "msg_1", type: "message", role: "assistant", status: "in_progress", content: [] };

const routes = {
  responses: {
    head:
      event({ type: "response.created", response: { ...response, status: "in_progress" } } as never) +
      event({ type: "response.output_item.added", output_index: 0, item } as never),
    delta: (at: number) =>
      event({
        type: "response.output_text.delta",
        sequence_number: at,
        ...place,
        delta: words[at % 10],
      } as never),
    end: event({ type: "response.completed", response: { ...response, status: "completed" } } as never),
    reader: (): ReplyReader => new ResponseReply({ answered: new Set(), resolve: (call) => call, sent: {} }),
  },
  chat: {
    head: "",
    delta: (at: number) =>
      `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"svc-k2.6","choices":[{"index":0,"delta":{"content":${JSON.stringify(words[at % 10])}},"finish_reason":null}]}\n\n`,
    end: 'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    reader: (): ReplyReader => new ChatReply(),
  },
} as const;
type Route = (typeof routes)[keyof typeof routes];

function bodyOf({ head, delta, end }: Route, bytes: number): Buffer {
  const pieces = [head];
  for (let size = 0, at = 0; size < bytes; at++) {
    const piece = delta(at);
    pieces.push(piece);
    size += piece.length;
  }
  return Buffer.from(pieces.join("") + end);
}

function chunksOf(body: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );
}

const fetched = (chunks: readonly Uint8Array[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );

type Run = (chunks: readonly Uint8Array[]) => Promise<number> | number;

const ours =
  (route: Route): Run =>
  (chunks) => {
    let events = 0;
    const reader = route.reader();
    const records = new RecordReader((record) => reader.accept(record));
    for (const chunk of chunks) {
      records.push(chunk);
      events += reader.take().length;
    }
    reader.close(false);
    return events + reader.take().length;
  };

/** Framing and JSON.parse alone; then also what tells a known event from anything else. */
const read = (record: WireRecord) =>
  objectIn(record, { end: undefined, torn: false, ignored: 0 }, { status: "cut" });
const parsed: Run = (chunks) => readAll(chunks, (record) => read(record) !== undefined);
const checked: Run = (chunks) =>
  readAll(chunks, (record) => {
    const value = read(record);
    return value !== undefined && readResponseEvent(value, record.name).kind !== "ignored";
  });

function readAll(chunks: readonly Uint8Array[], isEvent: (record: WireRecord) => boolean): number {
  let events = 0;
  const records = new RecordReader((record) => {
    if (isEvent(record)) events++;
  });
  for (const chunk of chunks) records.push(chunk);
  return events;
}

const openai: Run = async (chunks) => {
  let events = 0;
  for await (const _ of Stream.fromSSEResponse(fetched(chunks), new AbortController())) events++;
  return events;
};

const aiSdk =
  (name: keyof typeof routes): Run =>
  async (chunks) => {
    const provider = createOpenAI({ apiKey: "x", fetch: async () => fetched(chunks) });
    const model = name === "chat" ? provider.chat("svc-k2.6") : provider.responses("svc-k3");
    const { stream } = await model.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    });
    let events = 0;
    for await (const _ of stream as unknown as AsyncIterable<unknown>) events++;
    return events;
  };

/** CPU milliseconds of the best of several runs: a busy machine can only make them worse. */
async function cost(run: Run, chunks: readonly Uint8Array[], times = 7): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage();
    await run(chunks);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

// First of all, before there is garbage of anything else.
memory();

console.log(
  `\nStream, MB/s of CPU time, best of 7; Node ${process.version}, ${cpus()[0]?.model} × ${cpus().length}\n`,
);
console.log("route       chunk     ours   openai   AI SDK   ours/openai  ours/AI SDK");
for (const name of ["responses", "chat"] as const) {
  const route = routes[name];
  const body = bodyOf(route, 4 * mib);
  for (const size of [120, 4_096, 65_536]) {
    const chunks = chunksOf(body, size);
    const speeds: number[] = [];
    for (const run of [ours(route), openai, aiSdk(name)])
      speeds.push(body.length / mib / ((await cost(run, chunks)) / 1_000));
    const [own = 1, one = 1, other = 1] = speeds;
    const cells = speeds.map((speed) => speed.toFixed(0).padStart(9));
    const ratios = [own / one, own / other].map((ratio) => `${ratio.toFixed(1)}×`.padStart(13));
    console.log(`${name.padEnd(9)}${String(size).padStart(8)}${cells.join("")} ${ratios.join("")}`);
  }
}
console.log("goal: ours at least 3× openai's decoder");
{
  const chunks = chunksOf(bodyOf(routes.responses, 4 * mib), 16_384);
  const [bare, guarded, whole] = [
    await cost(parsed, chunks),
    await cost(checked, chunks),
    await cost(ours(routes.responses), chunks),
  ];
  const share = (part: number) => `${((part / whole) * 100).toFixed(0)} %`;
  console.log(
    `\nOf our CPU: framing and JSON.parse ${share(bare)}, checking ${share(guarded - bare)} (goal: at most 10 %), reduction ${share(whole - guarded)}\n`,
  );
}

console.log("Length, ours, ms per MiB (goal: the same at every length)");
for (const size of [1, 4, 16, 64]) {
  const chunks = chunksOf(bodyOf(routes.responses, size * mib), 16_384);
  const time = await cost(ours(routes.responses), chunks, 3);
  console.log(`${String(size).padStart(4)} MiB  ${(time / size).toFixed(1).padStart(6)}`);
}

console.log("\nOne record in pieces of 4 KiB, ours, ms per MiB (goal: the same at every length)");
for (const size of [1, 2, 4, 8]) {
  const record = event({
    type: "response.output_text.delta",
    ...place,
    delta: "x".repeat(size * mib),
  } as never);
  const chunks = chunksOf(Buffer.from(routes.responses.head + record + routes.responses.end), 4_096);
  console.log(
    `${String(size).padStart(4)} MiB  ${((await cost(ours(routes.responses), chunks)) / size).toFixed(1).padStart(6)}`,
  );
}

function memory(): void {
  console.log(
    "\nMemory while a turn of 127 MiB is read, ours, MiB over the beginning (goal: flat but for the text)",
  );
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return (heapUsed + external + arrayBuffers) / mib;
  };
  const before = held();
  const reader = routes.responses.reader();
  const records = new RecordReader((record) => reader.accept(record));
  let read = 0;
  let text = 0;
  let step = 16;
  for (let at = 0; read < 127 * mib; at++) {
    const chunk = Buffer.from(routes.responses.delta(at));
    read += chunk.length;
    records.push(chunk);
    for (const told of reader.take()) if (told.type === "text") text += told.delta.length;
    if (read < step * mib) continue;
    console.log(
      `${String(step).padStart(4)} MiB  ${(held() - before).toFixed(1).padStart(6)}   of it text ${(text / mib).toFixed(1)}`,
    );
    step *= 2;
  }
  console.log(
    ` 127 MiB  ${(held() - before).toFixed(1).padStart(6)}   of it text ${(text / mib).toFixed(1)}\n`,
  );
}
