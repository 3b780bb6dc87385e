// Several conversations behind one façade, on a real disk, over real HTTP.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Exchanges } from "../../src/inspect/exchanges.ts";
import { explainMiss } from "../../src/usage/prompt-cache.ts";
import { events, text } from "../sim/script.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { ask, openTestApp, prompts } from "../support/test-app.ts";

test("a new conversation replaces the open one, which is restored as it was left", async (t) => {
  const app = await openTestApp(t);
  await ask(app, "What is a cart?", "A list of lines.");
  const first = app.session.state;
  app.session.draft.write("And a price?");
  await app.newConversation();
  assert.deepEqual([prompts(app), app.session.draft.text], [[], ""]);
  await ask(app, "What is a price?", "A number of cents.");
  let resets = 0;
  app.onSwitch(() => resets++);
  await app.open(first.id);
  assert.deepEqual(app.session.state.turns, first.turns);
  assert.equal(app.session.draft.text, "And a price?");
  assert.equal(resets, 1);
  await ask(app, "And a price?", "Cents.");
  assert.deepEqual(prompts(app), ["What is a cart?", "And a price?"]);
});

test("a missing conversation cannot be opened, and the open one stays", async (t) => {
  const app = await openTestApp(t);
  await ask(app, "What is a cart?", "A list of lines.");
  await assert.rejects(app.open("gone"), /no longer exists/);
  assert.deepEqual(prompts(app), ["What is a cart?"]);
});

test("a conversation can be deleted once another one is open", async (t) => {
  const app = await openTestApp(t);
  const { library } = app;
  await ask(app, "What is a cart?", "A list of lines.");
  const { id } = app.session.state;
  await app.newConversation();
  await library.remove(id);
  assert.deepEqual(await library.list(), []);
});

test("choices belong to their conversation and are restored when it is reopened", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  app.session.choices.chooseModel("svc-k3");
  app.session.choices.chooseWebSearch(true);
  app.session.choices.chooseCacheTier("1h");
  app.session.choices.chooseOutputLimit(1000);
  app.session.choices.chooseEffort("high");
  app.session.choices.chooseJson(true);
  await ask(app, "News?", "None.");
  const { body } = sim.requests.at(-1) ?? assert.fail();
  assert.deepEqual((body["tools"] as unknown[]).at(-1), { type: "web_search" });
  assert.deepEqual(body["prompt_cache_options"], { mode: "implicit", ttl: "1h" });
  assert.equal(body["max_output_tokens"], 1000);
  assert.deepEqual(body["reasoning"], { effort: "high" });
  assert.deepEqual(app.session.choices.efforts, ["", "high", "low", "medium"], "what it takes comes first");
  assert.deepEqual(body["text"], { format: { type: "json_object" } });
  assert.equal(app.session.state.turns.at(-1)?.json, true, "the page shows it as what it is");
  const { id } = app.session.state;
  await app.newConversation();
  assert.deepEqual(
    [app.session.choices.webSearch, app.session.choices.cacheTier, app.session.choices.outputLimit],
    [false, "default", undefined],
  );
  assert.deepEqual([app.session.choices.effort, app.session.choices.json], ["", false]);
  await app.open(id);
  assert.deepEqual(
    [app.session.choices.webSearch, app.session.choices.cacheTier, app.session.choices.outputLimit],
    [true, "1h", 1000],
  );
  assert.deepEqual([app.session.choices.effort, app.session.choices.json], ["high", true]);
  assert.equal(app.session.choices.model, "svc-k3");
  app.session.choices.chooseCacheTier("default");
  app.session.choices.chooseOutputLimit(undefined);
  app.session.choices.chooseEffort("");
  app.session.choices.chooseJson(false);
  await ask(app, "Now?", "None.");
  const later = sim.requests.at(-1)?.body ?? assert.fail();
  for (const name of ["prompt_cache_options", "max_output_tokens", "reasoning", "text"])
    assert.equal(later[name], undefined, name);
});

test("an edit removes the old turns from requests and disk, and the conversation reopens intact", async (t) => {
  const app = await openTestApp(t);
  const { library, sim } = app;
  app.session.choices.chooseModel("svc-k3");
  await ask(app, "One?", "Eins.");
  await ask(app, "My canary?", "Your canary.");
  await ask(app, "Three?", "Drei.");
  app.session.choices.chooseCacheTier("1h");
  sim.reply(text("Zwei."));
  const edited = new Promise<void>((resolve) =>
    app.session.onEvent(({ type }) => {
      if (type === "ended") resolve();
    }),
  );
  app.session.edit(app.session.state.turns[1]?.id ?? "", "Two?");
  await edited;
  assert.deepEqual(prompts(app), ["One?", "Two?"]);
  const sent = String(sim.requests.at(-1)?.raw);
  assert.match(sent, /One\?.*Two\?/);
  assert.doesNotMatch(sent, /canary|Three/);
  const { id } = app.session.state;
  await app.newConversation();
  const journal = await library.open(id);
  assert.doesNotMatch(JSON.stringify(await journal.read(() => true)), /canary|Drei/);
  await journal.close();
  await app.open(id);
  assert.deepEqual(prompts(app), ["One?", "Two?"]);
  assert.equal(app.session.choices.cacheTier, "1h", "what was chosen after the place of the cut stays");
  sim.reply(text("Noch einmal zwei."));
  await app.session.retry("regenerate");
  assert.match(
    String(sim.requests.at(-1)?.raw),
    /One\?.*Eins.*Two\?/,
    "what a turn asked is read before it is asked again",
  );
});

test("a branch shares its history byte for byte through its turn and then diverges", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  app.session.choices.chooseModel("svc-k3");
  await ask(app, "One?", "Eins.");
  await ask(app, "Two?", "Zwei.");
  await ask(app, "Three?", "Drei.");
  const trunk = app.session.state;
  const second = sim.requests.at(1)?.body["input"] as unknown[];
  await app.branch(trunk.turns[1]?.id ?? "");
  assert.notEqual(app.session.id, trunk.id);
  assert.deepEqual(prompts(app), ["One?", "Two?"]);
  assert.equal(app.session.choices.model, "svc-k3");
  await ask(app, "Other?", "Anders.");
  const last = sim.requests.at(-1)?.body ?? assert.fail();
  assert.deepEqual((last["input"] as unknown[]).slice(0, second.length), second);
  assert.equal(last["prompt_cache_key"], sim.requests[0]?.body["prompt_cache_key"]);
  await app.open(trunk.id);
  assert.deepEqual(prompts(app), ["One?", "Two?", "Three?"]);
});

test("a preview equals the request sent later, byte for byte, and changes nothing", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  workspace.write("work/AGENTS.md", "Use tabs.");
  const app = await openTestApp(t, { workspace });
  const { sim } = app;
  app.session.choices.chooseModel("svc-k3");
  app.session.choices.chooseCacheTier("1h");
  app.session.draft.attach({ kind: "file", path: "a.ts" });
  app.session.draft.write("What is it?");
  const never = new AbortController().signal;
  const first = await app.session.preview(undefined, never);
  assert.equal(sim.requests.length, 0);
  assert.deepEqual([app.session.draft.attachments.length, app.session.state.turns], [1, []]);
  await ask(app, "What is it?", "A constant.");
  const sent = sim.requests.at(-1)?.body ?? assert.fail();
  assert.ok(first.route === "responses");
  assert.deepEqual(
    first.request.input.map((raw) => JSON.parse(raw) as unknown),
    sent["input"],
  );
  assert.deepEqual([first.request.instructions, first.request.cacheTtl], [sent["instructions"], "1h"]);
  app.session.choices.chooseModel("svc-k2.6");
  const chat = await app.session.preview({ prompt: "And now?" }, never);
  await ask(app, "And now?", "Still.");
  assert.ok(chat.route === "chat");
  assert.deepEqual(chat.request.messages, sim.requests.at(-1)?.body["messages"]);
});

test("explainMiss reports how a request differs from the one before it", async (t) => {
  const exchanges = new Exchanges();
  const app = await openTestApp(t, { exchanged: (owner, exchange) => exchanges.add(owner, exchange) });
  const long = "word ".repeat(400);
  const reason = () => {
    const known = exchanges.withEarlier(app.session.state.turns.at(-1)?.id ?? "", 1);
    return explainMiss(...(known ?? assert.fail("it is not known")));
  };
  app.session.choices.chooseModel("svc-k3");
  await ask(app, long, "One.");
  assert.deepEqual(reason(), { reason: "first" });
  await ask(app, "Two?", "Two.");
  assert.equal(reason(), undefined, "it read what the first one wrote");
  app.session.choices.chooseWebSearch(true);
  await ask(app, "Three?", "Three.");
  assert.deepEqual(reason(), {
    reason: "differs",
    block: { part: "tools", position: 1 },
    change: { kind: "added" },
  });
  const first = app.session.state.turns[0]?.id ?? "";
  app.sim.reply(text("Other."));
  const ended = new Promise<void>((resolve) =>
    app.session.onEvent(({ type }) => {
      if (type === "ended") resolve();
    }),
  );
  app.session.edit(first, `Other ${long}`);
  await ended;
  const why = reason();
  assert.ok(why?.reason === "differs" && why.block.part === "input" && why.block.position === 1);
  app.session.choices.chooseCacheTier("1h");
  await ask(app, "Five?", "Five.");
  assert.deepEqual(reason(), { reason: "tier", before: "5m", after: "1h" });
});

test("continue sends nothing before the first response or after a complete one", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  const goOn = async () => {
    app.session.retry("continue");
    await app.newConversation();
  };
  await goOn();
  assert.equal(sim.requests.length, 0);
  await ask(app, "What is a cart?", "A list of lines.");
  await goOn();
  assert.equal(sim.requests.length, 1);
});

test("raise-limit leaves the output limit unchanged while a response is running", async (t) => {
  const app = await openTestApp(t);
  app.sim.reply(text("A list of lines."));
  const running = app.session.send({ prompt: "What is a cart?" });
  app.session.retry("raise-limit");
  await running;
  assert.equal(app.session.choices.outputLimit, undefined);
});

test("a stop right after retry, compact or edit sends nothing and loses nothing", async (t) => {
  const app = await openTestApp(t);
  const { session, sim } = app;
  await ask(app, "What is a cart?", "A list of lines.");
  const { turns } = session.state;
  const { id = "" } = turns[0] ?? {};
  const wishes = [
    () => session.retry("regenerate"),
    () => session.retry("compact"),
    () => session.compact(),
    () => session.edit(id, "What is a price?"),
  ];
  for (const wish of wishes) {
    const wished = wish();
    session.stop();
    await wished;
    assert.equal(session.isRunning, false);
  }
  assert.equal(sim.requests.length, 1);
  assert.deepEqual(session.state.turns, turns);
  assert.equal(session.draft.text, "What is a price?", "it is in the box again");
});

test("retry-whole repeats an unreadable stream as one request without streaming", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  app.session.choices.chooseModel("svc-k3");
  const strange = events(() => [{ type: "words", words: "One." }]);
  sim.reply(text("One."), strange);
  const broken = await app.session.send({ prompt: "Count." });
  assert.equal(broken?.problem?.actions[0], "retry-whole");
  assert.equal(sim.requests.length, 1);
  sim.reply(text("One."));
  const ending = new Promise<void>((resolve) => {
    app.session.onEvent(({ type }) => type === "ended" && resolve());
  });
  app.session.retry("retry-whole");
  await ending;
  assert.equal(sim.requests.at(-1)?.body["stream"], undefined);
  assert.deepEqual(
    app.session.state.turns.map(({ status }) => status),
    ["done"],
  );
  // The next question is an ordinary one.
  sim.reply(text("Two."));
  await app.session.send({ prompt: "And on." });
  assert.equal(sim.requests.at(-1)?.body["stream"], true);
  sim.done();
});

test("a session reports every change of the draft to its listeners", async (t) => {
  const app = await openTestApp(t);
  const heard: number[] = [];
  app.session.onChange(() => heard.push(app.session.draft.contents.length));
  app.session.draft.write("Why");
  app.session.draft.write("");
  assert.deepEqual(heard, [1, 0]);
});
