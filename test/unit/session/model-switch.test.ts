// One conversation, several models: what each of them is told of what was said with the others.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attachment } from "../../../src/conversation/state.ts";
import { cutAfterEvents } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { call, type Part, patchCall, reasoning, refusal, search, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { reading, startTalk, type Talk } from "../../support/talk.ts";

interface Message {
  readonly role: string;
  readonly content:
    | string
    | { readonly type: string; readonly text?: string; readonly image_url?: { url: string } }[];
}

const url = `data:image/png;base64,${Buffer.from("picture").toString("base64")}`;
const picture: Attachment = { kind: "image", name: "a.png", url };

const messagesOf = (talk: Talk): Message[] => (talk.bodies().at(-1)?.body["messages"] ?? []) as Message[];

async function say(talk: Talk, prompt: string, model: string, ...parts: Part[]) {
  talk.sim.reply(...(parts.length > 0 ? parts : [text("Good.")]));
  return talk.ask(prompt, model);
}

function assertWellFormed(messages: readonly Message[]): void {
  assert.equal(messages[0]?.role, "system");
  for (const [index, { role, content }] of messages.entries()) {
    assert.ok(typeof content === "string" ? content.trim() !== "" : content.length > 0);
    if (index > 0) assert.equal(role, index % 2 === 1 ? "user" : "assistant", "they take turns");
  }
}

test("a chat model is sent earlier words, images and tool results as alternating messages", async () => {
  const talk = await startTalk({ profile: "strict" });
  talk.workspace.write("work/a.ts", "one\n");
  talk.decide = () => ({ kind: "accept" });
  talk.sim.reply(text("A cart."));
  await talk.ask({ prompt: "What is this?", attachments: [picture] });
  talk.sim.reply(reasoning("secret thought"), call("read_file", { path: "a.ts" }));
  talk.sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+ONE\n*** End Patch"));
  await say(talk, "Shout.", "svc-k3", text("Done."));
  talk.conversation.choose({ webSearch: true });
  await say(talk, "News?", "svc-k3", search("news"), text("None."));
  await say(talk, "And you?", "svc-k2.6");
  const messages = messagesOf(talk);
  assertWellFormed(messages);
  assert.deepEqual(messages[1]?.content, [
    { type: "image_url", image_url: { url } },
    { type: "text", text: "What is this?" },
  ]);
  const all = JSON.stringify(messages);
  assert.match(all, /<tool_call_\w+>\\n\{\\"name\\":\\"read_file\\"/);
  assert.match(all, /<apply_patch_\w+>\\n\*\*\* Begin Patch/);
  assert.match(all, /<tool_result_\w+ name=\\"apply_patch\\" call=\\"\w+\\">\\nSuccess/);
  assert.doesNotMatch(all, /secret thought|encrypted|web_search/);
  talk.sim.done();
});

test("a turn with another model leaves the earlier input unchanged and is part of the next request", async () => {
  const talk = await startTalk({ profile: "strict" });
  await say(talk, "One?", "svc-k3", reasoning("hm"), text("Eins."));
  await say(talk, "Two?", "svc-k3");
  const before = talk.bodies().at(-1)?.input ?? [];
  talk.sim.reply(text("I see a cart."));
  await talk.ask({ prompt: "And this?", attachments: [picture] }, "svc-k2.7-code");
  await say(talk, "So?", "svc-k3");
  const after = talk.bodies().at(-1)?.input ?? [];
  assert.deepEqual(after.slice(0, before.length), before);
  assert.deepEqual(
    after.slice(before.length).map(({ role }) => role),
    ["assistant", "user", "user", "assistant", "user"],
  );
  assert.match(JSON.stringify(after), /input_image.*I see a cart/);
  talk.sim.done();
});

test("a turn without a response, a refusal and an empty response are never sent as empty messages", async () => {
  const talk = await startTalk({ profile: "strict" });
  await say(talk, "One?", "svc-k2.6", text("Never seen."), cutAfterEvents(1));
  await say(talk, "Two?", "svc-k2.6", refusal("I cannot."));
  await say(talk, "Three?", "svc-k2.6", text(" "));
  for (const model of ["svc-k2.6", "svc-k3", "svc-k2.6"]) {
    const turn = await say(talk, "Four?", model);
    assert.equal(turn.status, "done", JSON.stringify(turn.problem));
  }
  assertWellFormed(messagesOf(talk));
});

test("a refused question offers remove-attachments only for attachments of its own", async () => {
  for (const model of ["svc-k3", "svc-k2.6"]) {
    const talk = await startTalk();
    talk.workspace.write("work/AGENTS.md", "Use tabs.");
    talk.sim.reply(status(400));
    const turn = await talk.ask("Hi.", model);
    assert.equal(turn.attachments[0]?.kind, "instructions");
    assert.ok(!turn.problem?.actions.includes("remove-attachments"));
    talk.sim.reply(status(400));
    const other = await talk.ask({ prompt: "This?", attachments: [picture] }, model);
    assert.ok(other.problem?.actions.includes("remove-attachments"));
  }
});

test("a question with an image is sent without it where images are refused, with a note", async () => {
  const talk = await startTalk({ profile: "images-no" });
  talk.sim.reply(text("Just words, then."));
  const turn = await talk.ask({ prompt: "What is this?", attachments: [picture] });
  assert.equal(turn.status, "done");
  assert.deepEqual(reading(turn), [
    "note The model doesn't accept images here, so they were left out of this request.",
    "text Just words, then.",
  ]);
  const images = talk.bodies().map(({ raw }) => [raw.includes("What is this?"), raw.includes("input_image")]);
  assert.deepEqual(
    [images[0], images.at(-1)],
    [
      [true, true],
      [true, false],
    ],
  );
  talk.sim.done();
});

test("the card of a refused prompt_cache_breakpoint names the attachment and offers to remove it", async () => {
  const talk = await startTalk({ profile: "strict" });
  talk.workspace.write("work/a.ts", "const key = 'prompt_cache_breakpoint';\n");
  talk.workspace.write("work/b.ts", "const other = 1;\n");
  const attachments = ["a.ts", "b.ts"].map((path): Attachment => ({ kind: "file", path }));
  const turn = await talk.ask({ prompt: "What is this?", attachments });
  assert.match(talk.bodies().at(-1)?.raw ?? "", /prompt_cache_breakpoint/, "it is sent as it is");
  assert.match(english(turn.problem), /prompt_cache_breakpoint.* It's in a\.ts\.$/);
  assert.ok(turn.problem?.actions.includes("remove-attachments"));
  assert.deepEqual(
    turn.attachments.map(({ notes }) => notes && english(notes)),
    ["It contains “prompt_cache_breakpoint”, which the service may refuse.", undefined],
  );
  talk.sim.reply(text("Nothing."));
  await talk.conversation.retry("remove-attachments", asking());
  assert.deepEqual(reading(talk.last()), ["text Nothing."]);
  talk.sim.done();
});

test("a question refused for its key is sent byte for byte by Retry with another key", async () => {
  const talk = await startTalk();
  await say(talk, "One?", "svc-k3", reasoning("hm"), text("Eins."));
  talk.key = "sk-of-somebody-else-0123456789";
  const turn = await talk.ask("Two?");
  assert.deepEqual([turn.status, turn.problem?.kind, turn.problem?.actions], ["failed", "auth", ["set-key"]]);
  talk.key = talk.sim.key;
  talk.sim.reply(text("Zwei."));
  await talk.conversation.retry("retry", asking());
  assert.deepEqual(reading(talk.last()), ["text Zwei."]);
  const [, refused, accepted] = talk.bodies();
  assert.equal(accepted?.raw, refused?.raw);
  assert.equal(talk.conversation.state.turns.length, 2);
  talk.sim.done();
});
