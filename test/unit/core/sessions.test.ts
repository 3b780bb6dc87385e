// Several conversations behind one façade, on a real disk, over real HTTP.
import assert from "node:assert/strict";
import { test } from "node:test";
import { events, text } from "../../sim/script.ts";
import { ask, openDesk, prompts } from "../../support/desk.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

test("another conversation takes the place of the open one, and the first comes back as it was left", async (t) => {
  const desk = await openDesk(t);
  await ask(desk, "What is a cart?", "A list of lines.");
  const first = desk.session.state;
  desk.session.draft.write("And a price?");
  await desk.newConversation();
  assert.deepEqual([prompts(desk), desk.session.draft.text], [[], ""]);
  await ask(desk, "What is a price?", "A number of cents.");
  let resets = 0;
  desk.onSwitch(() => resets++);
  await desk.open(first.id);
  assert.deepEqual(desk.session.state.turns, first.turns);
  assert.equal(desk.session.draft.text, "And a price?");
  assert.equal(resets, 1);
  await ask(desk, "And a price?", "Cents.");
  assert.deepEqual(prompts(desk), ["What is a cart?", "And a price?"]);
});

test("a conversation that is gone cannot be opened, and the open one stays", async (t) => {
  const desk = await openDesk(t);
  await ask(desk, "What is a cart?", "A list of lines.");
  await assert.rejects(desk.open("gone"), /no longer exists/);
  assert.deepEqual(prompts(desk), ["What is a cart?"]);
});

test("the open conversation can be deleted once another one is open", async (t) => {
  const desk = await openDesk(t);
  const { library } = desk;
  await ask(desk, "What is a cart?", "A list of lines.");
  const { id } = desk.session.state;
  await desk.newConversation();
  await library.remove(id);
  assert.deepEqual(await library.list(), []);
});

test("what was chosen belongs to its conversation and is there when it is opened again", async (t) => {
  const desk = await openDesk(t);
  const { sim } = desk;
  desk.session.choices.chooseModel("svc-k3");
  desk.session.choices.chooseWebSearch(true);
  desk.session.choices.chooseCacheTier("1h");
  desk.session.choices.chooseOutputLimit(1000);
  desk.session.choices.chooseEffort("high");
  desk.session.choices.chooseJson(true);
  await ask(desk, "News?", "None.");
  const { body } = sim.requests.at(-1) ?? assert.fail();
  assert.deepEqual((body["tools"] as unknown[]).at(-1), { type: "web_search" });
  assert.deepEqual(body["prompt_cache_options"], { mode: "implicit", ttl: "1h" });
  assert.equal(body["max_output_tokens"], 1000);
  assert.deepEqual(body["reasoning"], { effort: "high" });
  assert.deepEqual(desk.session.choices.efforts, ["", "high", "low", "medium"], "what it takes comes first");
  assert.deepEqual(body["text"], { format: { type: "json_object" } });
  assert.equal(desk.session.state.turns.at(-1)?.json, true, "the page shows it as what it is");
  const { id } = desk.session.state;
  await desk.newConversation();
  assert.deepEqual(
    [desk.session.choices.webSearch, desk.session.choices.cacheTier, desk.session.choices.outputLimit],
    [false, "default", undefined],
  );
  assert.deepEqual([desk.session.choices.effort, desk.session.choices.json], ["", false]);
  await desk.open(id);
  assert.deepEqual(
    [desk.session.choices.webSearch, desk.session.choices.cacheTier, desk.session.choices.outputLimit],
    [true, "1h", 1000],
  );
  assert.deepEqual([desk.session.choices.effort, desk.session.choices.json], ["high", true]);
  assert.equal(desk.session.choices.model, "svc-k3");
  desk.session.choices.chooseCacheTier("default");
  desk.session.choices.chooseOutputLimit(undefined);
  desk.session.choices.chooseEffort("");
  desk.session.choices.chooseJson(false);
  await ask(desk, "Now?", "None.");
  const later = sim.requests.at(-1)?.body ?? assert.fail();
  for (const name of ["prompt_cache_options", "max_output_tokens", "reasoning", "text"])
    assert.equal(later[name], undefined, name);
});

test("what was edited away is neither sent nor kept, and the conversation is whole when it is opened again", async (t) => {
  const desk = await openDesk(t);
  const { library, sim } = desk;
  desk.session.choices.chooseModel("svc-k3");
  await ask(desk, "One?", "Eins.");
  await ask(desk, "My canary?", "Your canary.");
  await ask(desk, "Three?", "Drei.");
  desk.session.choices.chooseCacheTier("1h");
  sim.reply(text("Zwei."));
  const edited = new Promise<void>((resolve) =>
    desk.session.onEvent(({ type }) => {
      if (type === "ended") resolve();
    }),
  );
  desk.session.edit(desk.session.state.turns[1]?.id ?? "", "Two?");
  await edited;
  assert.deepEqual(prompts(desk), ["One?", "Two?"]);
  assert.doesNotMatch(sim.requests.at(-1)?.raw.toString("utf8") ?? "", /canary|Three/);
  const { id } = desk.session.state;
  await desk.newConversation();
  const journal = await library.open(id);
  assert.doesNotMatch(JSON.stringify(await journal.read(() => true)), /canary|Drei/);
  await journal.close();
  await desk.open(id);
  assert.deepEqual(prompts(desk), ["One?", "Two?"]);
  assert.equal(desk.session.choices.cacheTier, "1h", "what was chosen after the place of the cut stays");
});

test("a branch is the same through its turn, byte for byte, and each goes its own way from there", async (t) => {
  const desk = await openDesk(t);
  const { sim } = desk;
  desk.session.choices.chooseModel("svc-k3");
  await ask(desk, "One?", "Eins.");
  await ask(desk, "Two?", "Zwei.");
  await ask(desk, "Three?", "Drei.");
  const trunk = desk.session.state;
  const second = sim.requests.at(1)?.body["input"] as unknown[];
  await desk.branch(trunk.turns[1]?.id ?? "");
  assert.notEqual(desk.session.id, trunk.id);
  assert.deepEqual(prompts(desk), ["One?", "Two?"]);
  assert.equal(desk.session.choices.model, "svc-k3");
  await ask(desk, "Other?", "Anders.");
  const last = sim.requests.at(-1)?.body ?? assert.fail();
  assert.deepEqual((last["input"] as unknown[]).slice(0, second.length), second);
  assert.equal(last["prompt_cache_key"], sim.requests[0]?.body["prompt_cache_key"]);
  await desk.open(trunk.id);
  assert.deepEqual(prompts(desk), ["One?", "Two?", "Three?"]);
});

test("what would be sent can be seen before it is sent, byte for byte, and looking changes nothing", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  workspace.write("work/AGENTS.md", "Use tabs.");
  const desk = await openDesk(t, { workspace });
  const { sim } = desk;
  desk.session.choices.chooseModel("svc-k3");
  desk.session.choices.chooseCacheTier("1h");
  desk.session.draft.attach({ kind: "file", path: "a.ts" });
  desk.session.draft.write("What is it?");
  const never = new AbortController().signal;
  const first = await desk.session.preview(undefined, never);
  assert.equal(sim.requests.length, 0);
  assert.deepEqual([desk.session.draft.attachments.length, desk.session.state.turns], [1, []]);
  await ask(desk, "What is it?", "A constant.");
  const sent = sim.requests.at(-1)?.body ?? assert.fail();
  assert.ok(first.route === "responses");
  assert.deepEqual(
    first.request.input.map((raw) => JSON.parse(raw) as unknown),
    sent["input"],
  );
  assert.deepEqual([first.request.instructions, first.request.cacheTtl], [sent["instructions"], "1h"]);
  desk.session.choices.chooseModel("svc-k2.6");
  const chat = await desk.session.preview({ prompt: "And now?" }, never);
  await ask(desk, "And now?", "Still.");
  assert.ok(chat.route === "chat");
  assert.deepEqual(chat.request.messages, sim.requests.at(-1)?.body["messages"]);
});

test("why a request missed the cache is said by what differs from the one before it", async (t) => {
  const desk = await openDesk(t);
  const long = "word ".repeat(400);
  const reason = () => {
    const { turns } = desk.session.state;
    return desk.session.history.sent.whyMissed(turns.at(-1)?.id ?? "", 1);
  };
  desk.session.choices.chooseModel("svc-k3");
  await ask(desk, long, "One.");
  assert.deepEqual(reason(), { reason: "first" });
  await ask(desk, "Two?", "Two.");
  assert.equal(reason(), undefined, "it read what the first one wrote");
  desk.session.choices.chooseWebSearch(true);
  await ask(desk, "Three?", "Three.");
  assert.deepEqual(reason(), {
    reason: "differs",
    block: { part: "tools", position: 1 },
    change: { kind: "added" },
  });
  const first = desk.session.state.turns[0]?.id ?? "";
  desk.sim.reply(text("Other."));
  const ended = new Promise<void>((resolve) =>
    desk.session.onEvent(({ type }) => {
      if (type === "ended") resolve();
    }),
  );
  desk.session.edit(first, `Other ${long}`);
  await ended;
  const why = reason();
  assert.ok(why?.reason === "differs" && why.block.part === "input" && why.block.position === 1);
  desk.session.choices.chooseCacheTier("1h");
  await ask(desk, "Five?", "Five.");
  assert.deepEqual(reason(), { reason: "tier", before: "5m", after: "1h" });
  assert.equal(desk.session.history.sent.of(desk.session.state.turns.at(-1)?.id ?? "")[0]?.input.length, 3);
});

test("there is nothing to go on with before the first answer and after a whole one: nothing is sent", async (t) => {
  const desk = await openDesk(t);
  const { sim } = desk;
  const goOn = async () => {
    desk.session.goOn();
    await desk.newConversation();
  };
  await goOn();
  assert.equal(sim.requests.length, 0);
  await ask(desk, "What is a cart?", "A list of lines.");
  await goOn();
  assert.equal(sim.requests.length, 1);
});

test("a stream that cannot be understood is asked for again in one piece, once a person says so", async (t) => {
  const desk = await openDesk(t);
  const { sim } = desk;
  desk.session.choices.chooseModel("svc-k3");
  const strange = events(() => [{ type: "words", words: "One." }]);
  sim.reply(text("One."), strange);
  const broken = await desk.session.send({ prompt: "Count." });
  assert.equal(broken?.problem?.actions[0], "retry-whole");
  assert.equal(sim.requests.length, 1);
  sim.reply(text("One."));
  const ending = new Promise<void>((resolve) => {
    desk.session.onEvent(({ type }) => type === "ended" && resolve());
  });
  desk.session.retryWhole();
  await ending;
  assert.equal(sim.requests.at(-1)?.body["stream"], undefined);
  assert.deepEqual(
    desk.session.state.turns.map(({ status }) => status),
    ["done"],
  );
  // The next question is an ordinary one.
  sim.reply(text("Two."));
  await desk.session.send({ prompt: "And on." });
  assert.equal(sim.requests.at(-1)?.body["stream"], true);
  sim.done();
});

test("who shows a session hears of every change to the draft", async (t) => {
  const desk = await openDesk(t);
  const heard: number[] = [];
  desk.session.onChange(() => heard.push(desk.session.draft.contents.length));
  desk.session.draft.write("Why");
  desk.session.draft.write("");
  assert.deepEqual(heard, [1, 0]);
});
