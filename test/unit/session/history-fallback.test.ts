// A service that refuses its own earlier items (requirements E11, E12): first without searches, then, when a person agrees,
// retold, and without what it thought last of all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { status as refuse } from "../../sim/http-answers.ts";
import { call, reasoning, search, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { lastBody, reading, startTalk, type Talk } from "../../support/talk.ts";

const no = () => refuse(400, { message: "Invalid input[2].type", type: "invalid_request_error" });
const kinds = (talk: Parameters<typeof lastBody>[0]) =>
  lastBody(talk).input.map(({ type, role }) => (type === "message" ? role : type));

async function searched() {
  const talk = await startTalk({ settings: { webSearch: true } });
  talk.sim.reply(search("what is new"), reasoning("hm"), text("This is new."));
  await talk.ask("What is new?");
  return talk;
}

test("a refusal without a cause is retried once without searches, with a note, and remembered", async () => {
  const talk = await searched();
  talk.workspace.write("work/a.ts", "x\n");
  talk.sim.reply(no());
  talk.sim.reply(call("read_file", { path: "a.ts" }));
  talk.sim.reply(text("And this."));
  const turn = await talk.ask("And else?");
  assert.equal(turn.status, "done");
  assert.deepEqual(
    reading(turn).filter((part) => part.startsWith("note")),
    [
      "note The service refused the conversation. Retried without its own searches.",
      "note The service doesn't accept its own searches, so they're omitted.",
    ],
  );
  assert.ok(!kinds(talk).includes("web_search_call"));
  assert.ok(kinds(talk).includes("reasoning"));
  assert.equal(talk.reopen().conversation.state.turns.length, 2);
  talk.sim.reply(text("Right."));
  assert.equal((await talk.ask("Right?")).parts.length, 1);
  talk.sim.done();
});

test("a service that accepts its searches again is recorded as accepting the whole history", async () => {
  const talk = await searched();
  const learned: string[] = [];
  const { learnHistory } = talk.client;
  talk.client.learnHistory = async (origin, form) => {
    learned.push(form);
    await learnHistory(origin, form);
  };
  talk.sim.reply(text("And this."));
  await talk.ask("And else?");
  assert.deepEqual(learned, ["whole"]);
  talk.sim.done();
});

test("a refused retry keeps the searches and offers to send earlier responses as a summary", async () => {
  const talk = await searched();
  talk.sim.reply(no());
  talk.sim.reply(no());
  const turn = await talk.ask("And else?");
  assert.equal(turn.status, "failed");
  assert.ok(turn.problem?.actions.includes("drop-reasoning"));
  assert.doesNotMatch(talk.lines.join("\n"), /"simplified"/);
  talk.sim.reply(text("Retold."));
  await talk.conversation.retry("drop-reasoning", asking());
  assert.deepEqual(kinds(talk), ["user", "user", "user"]);
  assert.match(JSON.stringify(lastBody(talk).input[1]), /The assistant answered:.*This is new\./);
  assert.match(reading(talk.last()).join(), /earlier responses are sent as a summary/);
  talk.sim.done();
});

test("a refusal of encrypted content offers to continue without it", async () => {
  const talk = await startTalk();
  talk.sim.reply(reasoning({ summary: [], encrypted: "b3BhcXVl" }), text("Yes."));
  await talk.ask("Is it?");
  talk.sim.reply(refuse(400, { message: "The encrypted content could not be verified." }));
  const turn = await talk.ask("Still?");
  assert.deepEqual(turn.problem?.actions, ["retry", "drop-reasoning"]);
  assert.doesNotMatch(english(turn.problem), /another key/, "nothing says that it was");
  talk.sim.reply(text("Still."));
  await talk.conversation.retry("drop-reasoning", asking());
  assert.doesNotMatch(lastBody(talk).raw, /b3BhcXVl/);
  assert.equal(talk.last().status, "done");
});

test("a prefix change found by a chat turn is reported with the next Responses turn", async () => {
  const talk = await startTalk();
  talk.sim.reply(text("One."));
  await talk.ask("One?");
  talk.settings = { ...talk.settings, webSearch: true };
  talk.sim.reply(text("Two."));
  assert.deepEqual(reading(await talk.ask("Two?", "svc-k2.6")), ["text Two."]);
  talk.sim.reply(text("Three."));
  assert.match(reading(await talk.ask("Three?")).join(), /Web search turned on.*cache was reset/);
});

/** Takes messages, calls and their outputs back, and nothing else. */
const strict = () => startTalk({ profile: "replay-strict" });

test("searches that an origin refused are omitted in all its conversations, with one note in each", async () => {
  const talk = await searched();
  talk.sim.reply(no());
  talk.sim.reply(text("And this."));
  await talk.ask("And else?");
  assert.deepEqual((await talk.client.found())?.history, "no-search");
  const other = talk.beside();
  for (const words of ["One.", "Two.", "Three."]) {
    talk.sim.reply(search("more"), text(words));
    const turn = await other.ask("And?");
    assert.equal(turn.status, "done");
    assert.ok(!kinds(other).includes("web_search_call"));
    const notes = reading(turn).filter((part) => part.startsWith("note"));
    const told = ["note The service doesn't accept its own searches, so they're omitted."];
    assert.deepEqual(notes, words === "Two." ? told : []);
  }
  talk.sim.done();
});

test("a refused history form is tried again after forgetFound and never applied to another origin", async () => {
  const talk = await searched();
  talk.sim.reply(no());
  talk.sim.reply(text("And this."));
  await talk.ask("And else?");
  const elsewhere = await startTalk({ settings: { webSearch: true } });
  const moved = elsewhere.reopen(talk.lines);
  elsewhere.sim.reply(text("Taken."));
  await moved.ask("And here?");
  assert.ok(kinds(moved).includes("web_search_call"), "another origin is asked as it came");
  await talk.client.forgetFound();
  talk.sim.reply(text("Taken."));
  assert.equal((await talk.ask("And now?")).status, "done");
  assert.ok(kinds(talk).includes("web_search_call"));
});

test("a plain history that the user agreed to is remembered for the origin, noted and offered once", async () => {
  const talk = await strict();
  talk.sim.reply(reasoning("hm"), text("Yes."));
  await talk.ask("Is it?");
  assert.ok((await talk.ask("Still?")).problem?.actions.includes("drop-reasoning"));
  assert.equal((await talk.client.found())?.history, "whole", "nobody has agreed to anything");
  talk.sim.reply(reasoning("hm"), text("Still."));
  await talk.conversation.retry("drop-reasoning", asking());
  assert.match(
    reading(talk.last()).join("\n"),
    /sent as a summary.*\n.*Still\.\n.*remembered for the service URL/s,
  );
  assert.equal((await talk.client.found())?.history, "plain");
  const other = talk.beside();
  talk.sim.reply(reasoning("hm"), text("One."));
  assert.deepEqual(reading(await other.ask("One?")), ["reasoning hm", "text One."]);
  talk.sim.reply(text("Two."));
  const turn = await other.ask("Two?");
  assert.equal(turn.status, "done", "nothing had to be refused first");
  assert.match(reading(turn).join("\n"), /sent as a summary/);
  talk.sim.reply(text("Three."));
  assert.doesNotMatch(reading(await other.ask("Three?")).join("\n"), /as a summary/);
  await talk.client.forgetFound();
  assert.ok((await other.ask("Four?")).problem?.actions.includes("drop-reasoning"), "it is tried again");
  talk.sim.done();
});

/** One answer with what only its maker can read, then a change, then a refusal. */
async function afterChange(change: (talk: Talk) => Talk): Promise<Talk> {
  const talk = await startTalk({ otherKeys: [otherKey] });
  talk.sim.reply(reasoning({ summary: [], encrypted: "b3BhcXVl" }), text("Yes."));
  await talk.ask("Is it?");
  const changed = change(talk);
  changed.sim.reply(refuse(400, { message: "The encrypted content could not be verified." }));
  await changed.ask("Still?");
  return changed;
}

const otherKey = "sk-another-0123456789abcdef";

function withOtherKey(talk: Talk): Talk {
  talk.key = otherKey;
  return talk;
}

for (const [name, change] of [
  ["another key", withOtherKey],
  ["another key, in another window", (talk: Talk) => withOtherKey(talk.reopen())],
] as const)
  test(`a refusal after ${name} names it as a possible cause and offers drop-reasoning first`, async () => {
    const talk = await afterChange(change);
    const { problem } = talk.last();
    assert.deepEqual(problem?.actions, ["drop-reasoning", "retry"]);
    assert.match(english(problem), /created with another key or URL/);
    talk.sim.reply(text("Still."));
    await talk.conversation.retry("drop-reasoning", asking());
    assert.equal(talk.last().status, "done");
    assert.doesNotMatch(lastBody(talk).raw, /b3BhcXVl/);
    assert.equal((await talk.client.found())?.history, "whole", "the key was the reason, not the service");
  });

test("a key changed between two requests of a turn counts as another maker for the second", async () => {
  const talk = await startTalk({ otherKeys: [otherKey] });
  talk.workspace.write("work/a.ts", "x\n");
  const changing = talk.onEvent(({ type }) => {
    if (type === "tool") talk.key = otherKey;
  });
  talk.sim.reply(reasoning("hm"), call("read_file", { path: "a.ts" }));
  talk.sim.reply(no());
  const { problem } = await talk.ask("What is in it?");
  changing.dispose();
  assert.deepEqual(problem?.actions, ["drop-reasoning", "retry"]);
  talk.sim.reply(text("An x."));
  await talk.conversation.retry("drop-reasoning", asking());
  assert.equal(talk.last().status, "done");
});

test("the same key at another URL counts as another maker", async () => {
  const talk = await startTalk();
  talk.sim.reply(reasoning("hm"), text("Yes."));
  await talk.ask("Is it?");
  const elsewhere = await startTalk();
  const moved = elsewhere.reopen(talk.lines);
  elsewhere.sim.reply(no());
  assert.match(english((await moved.ask("Still?")).problem), /another key or URL/);
});

test("the same key in another window counts as the same maker, and an old journal has an unknown one", async () => {
  for (const lines of [(all: string[]) => all, (all: string[]) => all.map(withoutMaker)]) {
    const talk = await afterChange((before) => before.reopen(lines(before.lines)));
    const { problem } = talk.last();
    assert.deepEqual(problem?.actions, ["retry", "drop-reasoning"]);
    assert.doesNotMatch(english(problem), /another key/);
  }
});

/** As a journal was written before it was known who makes what. */
const withoutMaker = (line: string) => {
  const { maker: _, ...record } = JSON.parse(line);
  return JSON.stringify(record);
};

test("the maker tag of a journal has four hex digits, differs between conversations and is never sent", async () => {
  const talk = await startTalk();
  const seen = new Set<string>();
  for (const each of Array.from({ length: 4 }, () => talk.reopen([]))) {
    talk.sim.reply(reasoning("hm"), text("Yes."));
    await each.ask("Is it?");
    const makers = each.lines.flatMap((line) => JSON.parse(line).maker ?? []);
    assert.equal(makers.length, 1, "what the person asked was made by nobody else");
    assert.match(makers[0], /^[0-9a-f]{4}$/);
    seen.add(makers[0]);
    assert.ok(!each.lines.join("").includes(talk.key));
    const old = each.reopen(each.lines.map(withoutMaker));
    for (const later of [each, old]) {
      talk.sim.reply(text("Yes."));
      await later.ask("Still?");
    }
    const [kept, again] = talk.bodies().slice(-2);
    assert.equal(again?.raw, kept?.raw, "the tag is not in what is sent");
  }
  assert.ok(seen.size > 1);
});
