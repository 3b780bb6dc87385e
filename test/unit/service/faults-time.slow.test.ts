// The fault matrix (faults.md §3), rows 47 to 53: silence, slowness, floods, and ends that are none. Where bytes must
// come slowly the server paces them; no test waits by itself.
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { english } from "../../support/english.ts";
import { faultRow } from "../../support/fault-row.ts";
import {
  answer,
  head,
  paced,
  sse,
  startFaultServer,
  startTimersOfUndici,
} from "../../support/fault-server.ts";
import { completedWith, created, delta, whole } from "../../support/hello-reply.ts";

faultRow(47, "silence after text interrupts the reply after idleSeconds", async ({ watch }) => {
  await using server = await startFaultServer((socket) => void socket.write(head(200) + sse(delta("Hel"))));
  const watched = watch(server.url, { idleSeconds: 0.1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.requests], ["interrupted", "Hel", 1]);
  assert.equal(english(reply.problem), "The service sent no data for 0.1 seconds.");
  assert.deepEqual(reply.problem?.actions, ["continue", "retry"]);
  await server.idle();
});

faultRow(47, "a reader that pauses for an hour does not trigger the idle timeout", async ({ watch, t }) => {
  const deltas = Array.from({ length: 2_500 }, (_, at) => delta(`${at} `.padEnd(3_000)));
  const text = deltas.map((event) => event.delta).join("");
  let sent: Socket | undefined;
  await using server = await startFaultServer((socket) => {
    sent = socket;
    socket.write(head(200));
    socket.end(sse(created, ...deltas, completedWith(text)));
  });
  await startTimersOfUndici();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { client } = watch(server.url, { idleSeconds: 1 });
  const input = ['{"type":"message","role":"user","content":"Hi"}'];
  let isHeld = false;
  let ended: readonly unknown[] = [];
  for await (const event of client.respond({ input }, new AbortController().signal)) {
    if (event.type === "text" && !isHeld) {
      isHeld = true;
      await standsStill(() => sent?.writableLength);
      t.mock.timers.tick(3_600_000);
    }
    if (event.type === "ended") ended = [event.reply.status, event.reply.text.length];
  }
  assert.deepEqual([isHeld, ended], [true, ["completed", text.length]]);
});

faultRow(
  47,
  "data that arrives while the process is blocked is read before the idle timeout counts",
  async ({ watch }) => {
    // Longer than is waited for, which is long enough for a machine that is busy with other things.
    const standStill = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
    let sent: Socket | undefined;
    await using server = await startFaultServer((socket) => {
      sent = socket;
      socket.write(head(200) + sse(created, delta("Hel")));
      standStill();
    });
    const { turn } = watch(server.url, { firstByteSeconds: 1, idleSeconds: 1 });
    let isTold = false;
    const { reply } = await turn({
      onEvent({ type }) {
        if (type !== "text" || isTold) return;
        isTold = true;
        sent?.write(sse(delta("lo"), completedWith("Hello")));
        standStill();
      },
    });
    assert.deepEqual([reply.status, reply.text, reply.requests], ["completed", "Hello", 1]);
  },
);

/** Neither side has moved for some rounds of the event loop. */
async function standsStill(measure: () => unknown): Promise<void> {
  let before = measure();
  for (let rounds = 0; rounds < 50; rounds++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (measure() !== before) rounds = 0;
    before = measure();
  }
}

faultRow(48, "heartbeats reset the idle timeout of a reply", async ({ watch }) => {
  await using server = await startFaultServer(
    paced(150, [head(200), ...Array(12).fill(": ping\n\n"), whole]),
  );
  const watched = watch(server.url, { idleSeconds: 1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.requests], ["completed", "Hello", 1]);
});

faultRow(49, "a slow reply completes", async ({ watch }) => {
  const pieces = whole.match(/[\s\S]{1,40}/g) ?? [];
  await using server = await startFaultServer(paced(50, [head(200), ...pieces]));
  const watched = watch(server.url, { idleSeconds: 1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
});

faultRow(50, "a reply that a proxy buffers and sends in one burst is read completely", async ({ watch }) => {
  const words = Array.from({ length: 2_000 }, (_, index) => `word${index} `);
  await using server = await startFaultServer(
    paced(100, [head(200), sse(...words.map(delta), completedWith(words.join("")))]),
  );
  const watched = watch(server.url);
  const { reply, events } = await watched.turn();
  assert.equal(reply.text, words.join(""));
  assert.equal(events.filter((event) => event.type === "text").length, 2_000);
});

faultRow(51, "a record over 32 MiB is refused, and the text before it is kept", async ({ watch }) => {
  const filler = Buffer.alloc(2 ** 20, "x");
  await using server = await startFaultServer((socket) => {
    socket.write(`${head(200) + sse(delta("Hel"))}data: {"type":"response.output_text.delta","delta":"`);
    const pour = () => {
      while (!socket.destroyed && socket.write(filler));
    };
    socket.on("drain", pour);
    pour();
  });
  const watched = watch(server.url);
  const { reply } = await watched.turn();
  await server.idle();
  assert.deepEqual([reply.status, reply.text, reply.problem?.kind], ["interrupted", "Hel", "too-large"]);
});

faultRow(52, "20,000 deltas are read in order without blocking the event loop", async ({ watch }) => {
  const deltas = Array.from({ length: 20_000 }, (_, index) => delta(`${index} `));
  const text = deltas.map((event) => event.delta).join("");
  await using server = await startFaultServer(answer(200, sse(...deltas, completedWith(text))));
  const watched = watch(server.url);
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const { reply } = await watched.turn();
  clearInterval(ticking);
  assert.equal(reply.text, text);
  assert.ok(turns > 2, "the event loop went round while the reply was read");
});

faultRow(53, "a completed reply closes a socket that stays open after the end record", async ({ watch }) => {
  await using server = await startFaultServer(
    (socket) => void socket.write(head(200) + whole.replaceAll("\n", "\r")),
  );
  const watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.equal(reply.status, "completed");
  await server.idle();
});

faultRow(53, "a chat reply completes without usage if none follows the end", async ({ watch }) => {
  await using server = await startFaultServer(
    (socket) =>
      void socket.write(
        head(200) + sse({ choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop" }] }),
      ),
  );
  const { reply } = await watch(server.url).turn({ route: "chat" });
  assert.deepEqual([reply.status, reply.text, reply.usage], ["completed", "Hello", undefined]);
  await server.idle();
});

for (const [route, document] of [
  ["responses", completedWith("Hello").response],
  ["responses", { output: completedWith("Hello").response.output }],
  ["chat", { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] }],
  ["chat", { choices: [{ message: { content: "Hello" } }] }],
] as const) {
  const keys = Object.keys(document).join(", ");
  faultRow(
    53,
    `a ${route} document with ${keys} completes while its socket stays open`,
    async ({ watch }) => {
      await using server = await startFaultServer(
        (socket) =>
          void socket.write(head(200, { "content-type": "application/json" }) + JSON.stringify(document)),
      );
      const { reply } = await watch(server.url).turn({ route });
      assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
      await server.idle();
    },
  );
}
