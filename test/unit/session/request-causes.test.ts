// Why each request was made, and why input that was sent before was paid for again, in the ledger as the service's cache
// has it: the simulator keeps a cache of its own, by the interface.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RequestUsage, Turn } from "../../../src/conversation/state.ts";
import { type EarlierExchange, type Exchange, Exchanges } from "../../../src/inspect/exchanges.ts";
import type { Reply } from "../../../src/service/reply.ts";
import { missedInput } from "../../../src/session/internal/missed-input.ts";
import { call, text } from "../../sim/script.ts";
import { ask, openTestApp } from "../../support/test-app.ts";

const minute = 60_000;
const long = (word: string) => `${word} `.repeat(400);

async function openApp(t: TestContext, exchanges = new Exchanges()) {
  const clock = { now: 1_750_000_000_000 };
  const app = await openTestApp(t, {
    defaultModel: () => "svc-k3",
    exchanged: (owner, exchange) => exchanges.add(owner, exchange),
    now: () => clock.now++,
  });
  const rows = () => app.session.state.turns.flatMap(({ usage }) => usage);
  const last = () => rows().at(-1) ?? assert.fail();
  return { app, clock, rows, last };
}

const why = ({ cause, missed }: RequestUsage) => [cause, missed?.why];

/** What was not read from the cache. */
const paid = ({ input = 0, cached = 0 }: RequestUsage) => input - cached;

test("a conversation within the cache lifetime misses nothing, with tools and with new text", async (t) => {
  const { app, rows } = await openApp(t);
  await ask(app, long("cart"), "A list of lines.");
  app.sim.reply(call("read_file", { path: "a" }));
  await ask(app, long("price"), "Cents.");
  assert.deepEqual(rows().map(why), [
    ["answer", undefined],
    ["answer", undefined],
    ["answer", undefined],
  ]);
});

test("a question after the lifetime sends all of the history again, and says how long the pause was", async (t) => {
  const { app, clock, last } = await openApp(t);
  await ask(app, long("cart"), "A list of lines.");
  const { input: before = 0 } = last();
  clock.now += 7 * minute;
  await ask(app, "And a price?", "Cents.");
  const { missed } = last();
  assert.equal(missed?.why, "expired");
  assert.equal(Math.round((missed?.pause ?? 0) / minute), 7);
  assert.ok(Math.abs((missed?.tokens ?? 0) - before) < before / 10, `${missed?.tokens} of ${before}`);
});

test("another window, without the bytes, tells a cold cache by the figures alone", async (t) => {
  const { app, clock, last } = await openApp(t, { add: () => undefined } as unknown as Exchanges);
  await ask(app, long("cart"), "A list of lines.");
  const { cacheWrite: held = 0 } = last();
  clock.now += 7 * minute;
  await ask(app, "And a price?", "Cents.");
  assert.deepEqual([last().missed?.tokens, last().missed?.why], [held, "expired"]);
  await ask(app, "And tax?", "Less.");
  assert.equal(last().missed, undefined);
});

test("another lifetime has a cache of its own", async (t) => {
  const { app, last } = await openApp(t);
  await ask(app, long("cart"), "A list of lines.");
  app.session.choices.chooseCacheTier("1h");
  await ask(app, "And a price?", "Cents.");
  assert.deepEqual(why(last()), ["answer", "tier"]);
});

test("a question that is asked again is a retry, and reads what came before it from the cache", async (t) => {
  const { app, last } = await openApp(t);
  await ask(app, long("cart"), "A list of lines.");
  await ask(app, "And a price?", "Cents.");
  app.sim.reply(text("Dollars."));
  await app.session.retry("regenerate");
  assert.deepEqual(why(last()), ["retry", undefined]);
  assert.ok(paid(last()) < 100);
  await ask(app, "And tax?", "Less.");
  assert.deepEqual(why(last()), ["answer", undefined]);
});

test("a summary counts as compaction, and what follows it misses nothing of the history it replaced", async (t) => {
  const { app, clock, rows, last } = await openApp(t);
  await ask(app, long("cart"), "A list of lines.");
  clock.now += 7 * minute;
  app.sim.reply(text("SUMMARY"));
  const compacting = app.session.compact();
  while (app.session.question === undefined) await new Promise(setImmediate);
  app.session.answer("compact");
  await compacting;
  assert.deepEqual(why(last()), ["compaction", "expired"]);
  await ask(app, "And a price?", "Cents.");
  assert.equal(rows().length, 3);
  assert.deepEqual(why(last()), ["answer", undefined]);
});

test("an answer among several counts as a candidate, with all its requests", async (t) => {
  const { app, rows } = await openApp(t);
  app.sim.reply(call("read_file", { path: "a" }));
  app.sim.reply(text("A list."));
  await app.session.send({ prompt: "What is a cart?", cause: "candidate" });
  assert.deepEqual(rows().map(why), [
    ["candidate", undefined],
    ["candidate", undefined],
  ]);
});

interface Sent {
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly instructions?: string;
  readonly input?: readonly string[];
  readonly cacheId?: string;
  readonly began?: number;
}

const said = (content: string) => JSON.stringify({ type: "message", role: "user", content });
const usual = { tools: ["t".repeat(200)], instructions: "i".repeat(300), input: [said("a".repeat(500))] };

/** Its letters are its tokens, and this many of them were read from the cache. */
function exchange(sent: Sent, cached: number): EarlierExchange["exchange"] {
  const { model = "svc-k3", began = 0, cacheId = "id", ...changed } = sent;
  const request = { ...usual, ...changed, model, cacheId };
  const all = [...request.tools, request.instructions, ...request.input].join("").length;
  const usage = { input: all, cached, cacheWrite: all - cached, output: 1 };
  const reply: Reply = {
    ...{ status: "completed", text: "", items: [], calls: [], runnable: [], requests: 1 },
    ...{ model, usage, cache: { ttl: "5m" } },
  };
  return { route: "responses", model, request, reply, number: 1, began, ended: began, sent: undefined };
}

const turnNamed = (id: string, more: Partial<Turn> = {}): Turn => ({
  ...{ id, at: 0, model: "svc-k3", route: "responses", prompt: "", attachments: [], continues: false },
  ...{ parts: [], status: "done", usage: [], receipts: [], ...more },
});

const missed = (now: Sent, cached: number, turns: readonly Turn[] = [turnNamed("t"), turnNamed("u")]) => {
  const after: Exchange = exchange(now, cached);
  const found = missedInput(after, { turn: "t", exchange: exchange({}, 0) }, turns);
  return found && [found.why, found.tokens];
};

test("missedInput names what differs, and counts only what was sent before and not read from the cache", () => {
  const item = usual.input[0]?.length ?? 0;
  const all = 500 + item;
  const more = { input: [...usual.input, said("new")] };
  assert.equal(missed(more, all), undefined);
  assert.deepEqual(missed({ ...more, model: "svc-k4" }, 0), ["model", all]);
  assert.deepEqual(missed({ ...more, cacheId: "other" }, 0), ["cache-id", all]);
  assert.deepEqual(missed({ ...more, began: 300_000 }, 0), ["expired", all]);
  assert.deepEqual(missed(more, 0), ["elsewhere", all]);
  assert.deepEqual(missed({ ...more, tools: ["another"] }, 0), ["tools", 300 + item]);
  assert.deepEqual(missed({ ...more, instructions: "other" }, 200), ["instructions", item]);
  assert.equal(missed({ input: [said("else")] }, 500), undefined, "all that still begins the same was read");
});

test("missedInput tells a summary, changed attachments and a rewind by what has happened since", () => {
  const item = usual.input[0]?.length ?? 0;
  const moved = (first: string) => ({ input: [said(first), ...usual.input] });
  const at = (first: string, turns?: readonly Turn[]) => missed(moved(first), 500, turns);
  assert.deepEqual(at("text"), ["history", item]);
  assert.deepEqual(at("text", [turnNamed("u")]), ["rewound", item]);
  assert.deepEqual(at('<file name="a.ts">\nx\n</file>', [turnNamed("u")]), ["attachments", item]);
  assert.deepEqual(at("text", [turnNamed("t"), turnNamed("s", { compacts: true })]), ["summary", item]);
  const rewound = [turnNamed("s", { compacts: true }), turnNamed("u")];
  assert.deepEqual(at("text", rewound), ["rewound", item], "the summary is older than what was rewound");
  const failed = turnNamed("s", { compacts: true, status: "failed" });
  assert.deepEqual(at("text", [turnNamed("t"), failed]), ["history", item]);
});

test("missedInput counts a picture by about what it costs, and not by its bytes", () => {
  const picture = (letters: number) =>
    JSON.stringify({
      content: [{ type: "input_image", image_url: `data:image/png;base64,${"A".repeat(letters)}` }],
    });
  const text = said("a".repeat(2000));
  const tokens = (letters: number) => {
    const before = exchange({ input: [picture(letters), text] }, 0);
    const after = exchange({ input: [said("else".repeat(2000)), picture(letters), text] }, 0);
    const usage = { input: 4000, cached: 500, cacheWrite: 3500, output: 1 };
    const now = { ...after, reply: { ...after.reply, usage } };
    return missedInput(now, { turn: "t", exchange: before }, [turnNamed("t")])?.tokens;
  };
  assert.equal(tokens(1_000_000), tokens(10_000));
  assert.notEqual(tokens(1_000_000), tokens(100));
});

test("missedInput knows another model, a cold cache and nothing else by the figures of an earlier day", () => {
  const held = { at: 0, model: "svc-k3", ttl: "5m", input: 900, cached: 0, cacheWrite: 900, output: 5 };
  const by = (more: object, now: Sent, cached = 0) => {
    const found = missedInput(exchange(now, cached), undefined, [
      turnNamed("t", { usage: [{ ...held, ...more }] }),
    ]);
    return found && [found.why, found.tokens, found.pause];
  };
  assert.deepEqual(by({}, { began: 400_000 }), ["expired", 900, 400_000]);
  assert.deepEqual(by({ model: "svc-k4" }, { began: 400_000 }), ["model", 900, undefined]);
  assert.deepEqual(by({}, { began: 10 }), ["unknown", 900, undefined]);
  assert.deepEqual(by({ ttl: "1h" }, { began: 10 }), ["tier", 900, undefined]);
  assert.equal(by({ cached: undefined }, { began: 10 }), undefined);
  assert.equal(by({}, { began: 10 }, 760), undefined, "a cache holds whole blocks");
});
