// A refusal that does not say what it is about: what helps against it is a guess, held for a while, confirmed by a second
// refusal and given up as soon as the full request is answered.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Capabilities } from "../../../src/service/capabilities.ts";
import type { ReplyEvent } from "../../../src/service/reply.ts";
import { createServiceClient, type ServiceClient } from "../../../src/service/service-client.ts";
import { silentLog } from "../../../src/util/log.ts";
import { htmlPage, type StatusDetails, status } from "../../sim/http-answers.ts";
import { refusing as refusingFields } from "../../sim/profiles.ts";
import { text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { usingSimulator } from "../../support/using-simulator.ts";
import { namespace, never, patchTool, reply, user } from "./simulator-ground.ts";

const minutes = 60_000;
const days = 24 * 60 * minutes;

const refusing = (details: StatusDetails) => status(400, { type: "invalid_request_error", ...details });

interface Windows {
  readonly saved: Map<string, Capabilities>;
  now: number;
  open(): ServiceClient;
}

function windowsOf(sim: Simulator): Windows {
  const windows: Windows = {
    saved: new Map(),
    now: 1_790_000_000_000,
    open: () =>
      createServiceClient({
        connection: async () => ({ baseUrl: sim.url, key: sim.key }),
        settings: () => ({ userId: "u".repeat(64) }),
        capabilities: {
          load: async (origin) => windows.saved.get(origin),
          save: async (origin, found) => void windows.saved.set(origin, found),
        },
        log: silentLog,
        now: () => windows.now,
        wait: async () => {},
        environment: {},
      }),
  };
  return windows;
}

const respond = (client: ServiceClient) =>
  client.respond({ input: [user("Hi")], tools: [patchTool, namespace], cacheId: "conversation-1" }, never);
const chat = (client: ServiceClient) =>
  client.chat({ model: "svc-k2.6", messages: [{ role: "user", content: "Hi" }] }, never);

const routes = [
  ["responses", respond, "prompt_cache_key"],
  ["chat", chat, "stream_options"],
] as const;

/** One question, refused without a reason in full; what of it went out each time. */
async function ask(
  sim: Simulator,
  events: AsyncGenerator<ReplyEvent, void>,
  field: string,
  refusals: number,
): Promise<readonly boolean[]> {
  const before = sim.requests.length;
  for (let each = 0; each < refusals; each++) sim.fault(refusing({ message: "Bad request." }));
  sim.reply(text("Hello."));
  assert.equal((await reply(events)).reply.status, "completed");
  return sim.requests.slice(before).map(({ body }) => Object.hasOwn(body, field));
}

for (const [route, asked, field] of routes)
  describe(`a refusal without a reason (${route})`, () => {
    test("simplifies the requests of this window only", async () => {
      await using sim = await usingSimulator({});
      const windows = windowsOf(sim);
      const client = windows.open();
      assert.deepEqual(await ask(sim, asked(client), field, 1), [true, false]);
      assert.deepEqual(await ask(sim, asked(client), field, 0), [false]);
      const next = windows.open();
      assert.deepEqual(await ask(sim, asked(next), field, 0), [true], "all of it is sent, and taken");
      const found = [...windows.saved.values()].at(-1);
      const { refused, plain, guesses, patch, namespaces } = found ?? assert.fail();
      assert.deepEqual([refused, plain, guesses, patch, namespaces], [[], [], [], "grammar", "namespace"]);
      for (const each of [client, next]) each.dispose();
    });

    test("is discarded in the same window once the full request succeeds", async () => {
      await using sim = await usingSimulator({});
      const windows = windowsOf(sim);
      const client = windows.open();
      await ask(sim, asked(client), field, 1);
      windows.now += 16 * minutes;
      assert.deepEqual(await ask(sim, asked(client), field, 0), [true]);
      assert.deepEqual(await ask(sim, asked(client), field, 0), [true]);
      assert.deepEqual((await client.found())?.guesses, []);
      client.dispose();
    });

    test("is confirmed by a second refusal of the full request and cleared by a later success", async () => {
      await using sim = await usingSimulator({});
      const windows = windowsOf(sim);
      for (const [refusals, sent] of [
        [1, [true, false]],
        [1, [true, false]],
        [0, [false]],
      ] as const) {
        const client = windows.open();
        assert.deepEqual(await ask(sim, asked(client), field, refusals), sent);
        client.dispose();
      }
      assert.deepEqual([...windows.saved.values()].at(-1)?.plain, [route]);
      windows.now += 8 * days;
      const client = windows.open();
      assert.deepEqual(await ask(sim, asked(client), field, 0), [true]);
      const found = [...windows.saved.values()].at(-1);
      assert.deepEqual([found?.plain, found?.refused, found?.patch], [[], [], "grammar"]);
      client.dispose();
    });

    test("is not guessed from a gateway's page or a message with a specific reason", async () => {
      for (const refusal of [
        htmlPage(400, "Bad Request"),
        refusing({ message: "message at position 3 with role 'assistant' must not be empty" }),
        refusing({ message: "tool_call_id read_file:0 is not found" }),
        refusing({ message: "Unsupported content: prompt_cache_breakpoint." }),
        refusing({ message: "The request was rejected because it was considered high risk" }),
        refusing({ message: "Invalid request: the input was flagged." }),
        refusing({ message: "Bad request.", type: "content_filter" }),
        refusing({ message: "Input data may contain inappropriate content." }),
        refusing({ message: "输入内容包含敏感信息" }),
      ]) {
        await using sim = await usingSimulator({});
        const windows = windowsOf(sim);
        const client = windows.open();
        sim.fault(refusal);
        const { reply: given } = await reply(asked(client));
        assert.deepEqual([given.status, given.requests], ["failed", 1]);
        assert.deepEqual([...windows.saved.values()], []);
        client.dispose();
      }
    });
  });

describe("a connection check", () => {
  test("keeps a guess about chat completions a guess", async () => {
    await using sim = await usingSimulator({
      profile: { ...refusingFields("stream_options"), wording: "opaque" },
    });
    const windows = windowsOf(sim);
    const client = windows.open();
    for (const _ of [1, 2]) sim.reply(text("ok"));
    await client.checkConnection(async () => true, never);
    const { plain, guesses } = (await client.found()) ?? assert.fail();
    assert.deepEqual(
      [plain, guesses.map(({ about, state }) => [about, state])],
      [["chat"], [["chat", "held"]]],
    );
    assert.deepEqual([...windows.saved.values()].at(-1)?.plain, [], "the next window sends all of it");
    client.dispose();
  });

  test("restores all forms that a guess had made plainer", async () => {
    await using sim = await usingSimulator({});
    const windows = windowsOf(sim);
    const client = windows.open();
    await ask(sim, respond(client), "prompt_cache_key", 1);
    assert.equal((await client.found())?.customOutput, "function");
    for (const _ of [1, 2]) sim.reply(text("ok"));
    await client.checkConnection(async () => true, never);
    const { patch, customOutput, assistantText, guesses } = (await client.found()) ?? assert.fail();
    assert.deepEqual([patch, customOutput, assistantText, guesses], ["grammar", "custom", "message", []]);
    client.dispose();
  });
});

describe("a field that is refused by name", () => {
  test("is sent again in the next turn if omitting it did not help", async () => {
    await using sim = await usingSimulator({});
    const windows = windowsOf(sim);
    const client = windows.open();
    const refusal = refusing({ message: "Unknown parameter: 'prompt_cache_key'." });
    sim.fault(refusal);
    sim.fault(refusal);
    assert.equal((await reply(respond(client))).reply.status, "failed");
    assert.deepEqual((await client.found())?.refused, []);
    client.dispose();
  });
});

describe("a history accepted without its searches", () => {
  test("omits searches in this window, permanently after a second window needs it, and is whole where accepted", async () => {
    await using sim = await usingSimulator({});
    const { origin } = new URL(sim.url);
    const windows = windowsOf(sim);
    const nextWindow = async (form: "no-search" | "whole") => {
      const client = windows.open();
      const begins = (await client.found())?.history;
      await client.learnHistory(origin, form);
      const now = (await client.found())?.history;
      client.dispose();
      return [begins, now];
    };
    assert.deepEqual(await nextWindow("no-search"), ["whole", "no-search"]);
    assert.deepEqual(await nextWindow("whole"), ["whole", "whole"], "one refusal was about something else");
    assert.deepEqual(await nextWindow("no-search"), ["whole", "no-search"]);
    assert.deepEqual(await nextWindow("no-search"), ["whole", "no-search"]);
    assert.deepEqual(await nextWindow("no-search"), ["no-search", "no-search"], "confirmed");
  });
});
