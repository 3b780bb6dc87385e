import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultConversationSettings } from "../../../../src/core/conversation-settings.ts";
import type { HostTool } from "../../../../src/core/tools/host-tool.ts";
import { otherTools } from "../../../../src/core/tools/other-tools.ts";
import { call, text } from "../../../sim/script.ts";
import { reading, startTalk, type Talk } from "../../../support/talk.ts";

const prefix = (talk: Talk, request = -1) => {
  const { body } = talk.bodies().at(request) ?? assert.fail();
  return {
    instructions: String(body["instructions"]),
    tools: (body["tools"] ?? []) as { name?: string; type: string }[],
  };
};

async function say(talk: Talk, prompt = "Hi.", model = "svc-k3") {
  talk.sim.reply(text("Hello."));
  return talk.ask(prompt, model);
}

test("what the workspace says of itself is read once, shown as the first chip, and frozen", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/AGENTS.md", `Use tabs.\u200b\nToken ghp_${"e".repeat(36)}`);
  const first = await say(talk);
  assert.deepEqual(first.attachments, [
    {
      kind: "instructions",
      label: "AGENTS.md",
      path: "AGENTS.md",
      bytes: 40,
      note: "It holds invisible characters; they are written out. 1 secret was taken out of this text.",
    },
  ]);
  const before = prefix(talk);
  assert.match(
    before.instructions,
    /<instructions path="AGENTS.md">\nUse tabs\.\\u\{200B\}\nToken \[secret removed\]\n<\/instructions>$/,
  );
  talk.workspace.write("work/AGENTS.md", "Use spaces.");
  const second = await say(talk);
  assert.deepEqual(second.attachments, []);
  assert.deepEqual(prefix(talk), before);
  const later = talk.reopen();
  await say(later);
  assert.deepEqual(prefix(later), before);
  talk.sim.done();
});

test("each folder has its own; an untrusted workspace has none, and neither has one whose user wants none", async () => {
  const untrusted = await startTalk();
  untrusted.workspace.write("work/AGENTS.md", "canary");
  untrusted.workspace.trusted = false;
  await say(untrusted);
  assert.doesNotMatch(prefix(untrusted).instructions, /canary/);

  const unwanted = await startTalk({ settings: { instructions: { user: "", workspaceFile: false } } });
  unwanted.workspace.write("work/AGENTS.md", "canary");
  await say(unwanted);
  assert.doesNotMatch(prefix(unwanted).instructions, /canary/);
  assert.ok(!unwanted.workspace.handedOut.includes("work/AGENTS.md"));
});

test("the user's own words stand in every conversation, on both routes", async () => {
  const talk = await startTalk({
    settings: { instructions: { user: " Answer in German. ", workspaceFile: true } },
  });
  await say(talk);
  assert.match(prefix(talk).instructions, /The user wants this in every conversation:\nAnswer in German\.$/);
  await say(talk, "Hi.", "svc-k2.6");
  const [system] = talk.bodies().at(-1)?.body["messages"] as { role: string; content: string }[];
  assert.equal(system?.role, "system");
  assert.match(system?.content ?? "", /Answer in German\.$/);
  assert.doesNotMatch(system?.content ?? "", /apply_patch/);
});

test("web search is switched in the middle of a conversation: said once, and the rest of the prefix stays", async () => {
  const talk = await startTalk();
  await say(talk);
  const before = prefix(talk);
  talk.conversation.choose({ webSearch: true });
  const turn = await say(talk);
  assert.deepEqual(reading(turn), [
    "note Web search is on from here on. The service's cache of this conversation starts anew.",
    "text Hello.",
  ]);
  assert.deepEqual(prefix(talk).tools, [...before.tools, { type: "web_search" }]);
  assert.equal(prefix(talk).instructions, before.instructions);
  assert.deepEqual(reading(await say(talk)), ["text Hello."]);
  const later = talk.reopen();
  assert.equal(later.conversation.choices.webSearch, true);
  assert.deepEqual(reading(await say(later)), ["text Hello."]);
  later.conversation.choose({ webSearch: false });
  assert.match(reading(await say(later))[0] ?? "", /Web search is off/);
  assert.deepEqual(prefix(later), before);
  talk.sim.done();
});

test("a workspace that is trusted later gets its tools and its own instructions", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/AGENTS.md", "Use tabs.");
  talk.workspace.trusted = false;
  await say(talk);
  assert.deepEqual(prefix(talk).tools, []);
  talk.workspace.trusted = true;
  const turn = await say(talk);
  assert.match(reading(turn)[0] ?? "", /More tools are offered/);
  assert.equal(turn.attachments[0]?.label, "AGENTS.md");
  assert.match(prefix(talk).instructions, /apply_patch[\s\S]*Use tabs\./);
  const keys = talk.bodies().map(({ body }) => body["prompt_cache_key"]);
  assert.equal(new Set(keys).size, 1);
});

const weather: HostTool = {
  namespace: "weather.server",
  name: "forecast",
  description: "Tells the weather.",
  parameters: { properties: { city: { type: "string" } }, required: ["city"] },
  readOnly: true,
  call: async ({ city }) => `Rain in ${city}`,
};
const allowing = (permission: "ask" | "auto") => ({
  tools: { user: new Map([["weather_server", permission]]), workspace: new Map<string, "off">() },
});

test("tools of others are off until they are chosen; then they come in their namespace, each answer like any other", async () => {
  const off = await startTalk({ hostTools: [weather] });
  await say(off);
  assert.ok(!JSON.stringify(prefix(off).tools).includes("forecast"));
  off.sim.reply(call("forecast", { city: "Rome" }, { namespace: "weather_server", callId: "c1" }));
  off.sim.reply(text("No."));
  assert.deepEqual(reading(await off.ask("Weather?")), ["weather_server/forecast refused", "text No."]);

  const talk = await startTalk({ hostTools: [weather], settings: allowing("auto") });
  talk.sim.reply(call("forecast", { city: "Rome" }, { namespace: "weather_server", callId: "c1" }));
  talk.sim.reply(text("Rain."));
  assert.deepEqual(reading(await talk.ask("Weather?")), ["weather_server/forecast done", "text Rain."]);
  assert.deepEqual(prefix(talk).tools.at(-1), {
    type: "namespace",
    name: "weather_server",
    description: "Tools of weather_server.",
    tools: [
      {
        type: "function",
        name: "forecast",
        description: "Tells the weather.",
        strict: false,
        parameters: { type: "object", ...weather.parameters },
      },
    ],
  });
  const answer = talk.bodies().at(-1)?.input.at(-1);
  assert.deepEqual([answer?.["call_id"], answer?.["output"]], ["c1", "Rain in Rome"]);
});

test("a tool of others that fails, quotes a key or is gone is something for the model to read", async () => {
  const key = ["ghp", "f".repeat(36)].join("_");
  const failing: HostTool = {
    ...weather,
    name: "storm",
    call: () => Promise.reject(new Error(`No key ${key}`)),
  };
  const talk = await startTalk({ hostTools: [weather, failing], settings: allowing("auto") });
  await say(talk);
  talk.hostTools.splice(0, 1);
  const place = { namespace: "weather_server" };
  talk.sim.reply(call("storm", {}, place), call("forecast", {}, place), call("storm", "[1]", place));
  talk.sim.reply(text("I see."));
  const turn = await talk.ask("Weather?");
  assert.equal(turn.status, "done");
  const outputs = talk
    .bodies()
    .at(-1)
    ?.input.flatMap(({ output }) => (typeof output === "string" ? [output] : []));
  assert.equal(outputs?.[0], "storm failed: No key [secret removed]");
  assert.match(outputs?.[1] ?? "", /no tool named "forecast"/);
  assert.match(outputs?.[2] ?? "", /not a JSON object|not run|arrive whole/);
  assert.match(JSON.stringify(prefix(talk).tools), /forecast/, "what was offered stays as it was");
});

test("a service without namespaces gets the same tools one by one, and they run", async () => {
  const talk = await startTalk({ profile: "namespace-no", hostTools: [weather], settings: allowing("auto") });
  talk.sim.reply(call("weather_server__forecast", { city: "Oslo" }, { callId: "c1" }));
  talk.sim.reply(text("Rain."));
  const turn = await talk.ask("Weather?");
  assert.ok(reading(turn).includes("weather_server/forecast done"));
  assert.equal(talk.bodies().at(-1)?.input.at(-1)?.["output"], "Rain in Oslo");
});

test("a tool of others asks when it is told to", async () => {
  const talk = await startTalk({ hostTools: [weather], settings: allowing("ask") });
  talk.decide = () => ({ kind: "reject", reason: "not today" });
  talk.sim.reply(call("forecast", { city: "Rome" }, { namespace: "weather_server" }));
  talk.sim.reply(text("Fine."));
  assert.deepEqual(reading(await talk.ask("Weather?")), ["weather_server/forecast refused", "text Fine."]);
});

test("a tool of others may do in a conversation what was chosen there, also after it was opened again", async () => {
  const storm: HostTool = { ...weather, name: "storm" };
  const talk = await startTalk({ hostTools: [weather, storm] });
  talk.conversation.choose({ tools: { "weather_server/forecast": "auto" } });
  await say(talk);
  assert.match(JSON.stringify(prefix(talk).tools), /forecast/);
  assert.doesNotMatch(JSON.stringify(prefix(talk).tools), /storm/);
  const again = talk.reopen();
  const place = { namespace: "weather_server" };
  again.sim.reply(call("forecast", { city: "Rome" }, { ...place, callId: "c1" }));
  again.sim.reply(call("storm", {}, { ...place, callId: "c2" }));
  again.sim.reply(text("Rain."));
  const turn = await again.ask("Weather?");
  assert.deepEqual(reading(turn), [
    "weather_server/forecast done",
    "weather_server/storm refused",
    "text Rain.",
  ]);
});

test("what the settings switch off no conversation switches on, and what asks there asks", () => {
  const whole = "weather_server/forecast";
  const named = (...user: (readonly [string, "off" | "auto"])[]) => ({
    user: new Map(user),
    workspace: new Map<string, "off">(),
  });
  const barred = { ...named(), workspace: new Map([[whole, "off" as const]]) };
  for (const [settings, chosen, permission, isBarred] of [
    [named(), {}, "off", false],
    [named(), { [whole]: "ask" }, "ask", false],
    [named(["weather_server", "auto"]), {}, "auto", false],
    [named(["weather_server", "auto"]), { [whole]: "ask" }, "ask", false],
    [named(["weather_server", "auto"]), { [whole]: "off" }, "off", false],
    [named(["weather_server", "off"]), { [whole]: "auto" }, "off", true],
    [barred, { [whole]: "auto" }, "off", true],
  ] as const) {
    const { description } = weather;
    const expected = { name: whole, namespace: "weather_server", description, permission, isBarred };
    assert.deepEqual(otherTools([weather], settings, chosen), [expected]);
  }
});

test("a model that asks for a tool of nobody hears what is offered, not what is installed", async () => {
  const talk = await startTalk({ hostTools: [weather] });
  talk.sim.reply(call("tornado", {}, { callId: "c1" }));
  talk.sim.reply(text("I see."));
  await talk.ask("Weather?");
  const output = String(talk.bodies().at(-1)?.input.at(-1)?.["output"]);
  assert.match(output, /no tool named "tornado"/);
  assert.doesNotMatch(output, /forecast/);
});

test("by default nothing of others is offered and nothing standing is said", () => {
  const { instructions, prompts, webSearch } = defaultConversationSettings;
  assert.deepEqual([instructions.user, prompts, webSearch], ["", [], false]);
});
