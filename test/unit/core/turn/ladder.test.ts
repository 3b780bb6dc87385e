// A service that refuses its own earlier items (requirements E11, E12): first without searches, then, when a person agrees,
// retold, and without what it thought last of all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { status as refuse } from "../../../sim/answers.ts";
import { call, reasoning, search, text } from "../../../sim/script.ts";
import { lastBody, reading, startTalk } from "../../../support/talk.ts";

const no = () => refuse(400, { message: "Invalid input[2].type", type: "invalid_request_error" });
const kinds = (talk: Parameters<typeof lastBody>[0]) =>
  lastBody(talk).input.map(({ type, role }) => (type === "message" ? role : type));

async function searched() {
  const talk = await startTalk({ settings: { webSearch: true } });
  talk.sim.reply(search("what is new"), reasoning("hm"), text("This is new."));
  await talk.ask("What is new?");
  return talk;
}

test("a refusal that names nothing is answered once without the searches, which is told and kept", async () => {
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
      "note The service refused what was said so far; it is asked again without its own searches.",
      "note The service does not take its own searches back; they are left out from here on.",
    ],
  );
  assert.ok(!kinds(talk).includes("web_search_call"));
  assert.ok(kinds(talk).includes("reasoning"));
  assert.equal(talk.reopen().conversation.state.turns.length, 2);
  talk.sim.reply(text("Right."));
  assert.equal((await talk.ask("Right?")).parts.length, 1);
  talk.sim.done();
});

test("searches that were not the reason stay, and a person may let the answers be retold", async () => {
  const talk = await searched();
  talk.sim.reply(no());
  talk.sim.reply(no());
  const turn = await talk.ask("And else?");
  assert.equal(turn.status, "failed");
  assert.ok(turn.problem?.actions.includes("drop-reasoning"));
  assert.doesNotMatch(talk.lines.join("\n"), /"simplified"/);
  talk.sim.reply(text("Retold."));
  await talk.conversation.retryPlainly("svc-k3");
  assert.deepEqual(kinds(talk), ["user", "user", "user"]);
  assert.match(JSON.stringify(lastBody(talk).input[1]), /The assistant answered:.*This is new\./);
  assert.match(reading(talk.last()).join(), /left out from here on, and its answers are retold/);
  talk.sim.done();
});

test("after a change of the key a refusal offers to go on without what only the earlier key could read", async () => {
  const talk = await startTalk();
  talk.sim.reply(reasoning({ summary: [], encrypted: "b3BhcXVl" }), text("Yes."));
  await talk.ask("Is it?");
  talk.sim.reply(refuse(400, { message: "The encrypted content could not be verified." }));
  const turn = await talk.ask("Still?");
  assert.deepEqual(turn.problem?.actions, ["retry", "drop-reasoning"]);
  talk.sim.reply(text("Still."));
  await talk.conversation.retryPlainly("svc-k3");
  assert.doesNotMatch(lastBody(talk).raw, /b3BhcXVl/);
  assert.equal(talk.last().status, "done");
});

test("a prefix that a chat turn finds changed is told with the next turn that has one", async () => {
  const talk = await startTalk();
  talk.sim.reply(text("One."));
  await talk.ask("One?");
  talk.settings = { ...talk.settings, webSearch: true };
  talk.sim.reply(text("Two."));
  assert.deepEqual(reading(await talk.ask("Two?", "svc-k2.6")), ["text Two."]);
  talk.sim.reply(text("Three."));
  assert.match(reading(await talk.ask("Three?")).join(), /Web search is on from here on.*cache.*anew/);
});
