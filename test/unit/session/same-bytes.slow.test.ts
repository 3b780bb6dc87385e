// The cache reads a request from its beginning: what was sent once is sent again, byte for byte, with more behind it –
// in the same process and after the conversation was opened again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutAfterEvents } from "../../sim/delivery-faults.ts";
import {
  call,
  failed,
  incomplete,
  type Part,
  patchCall,
  reasoning,
  refusal,
  search,
  text,
} from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { random as dice, type Pick as Roll } from "../../support/random-text.ts";
import { startTalk, type Talk } from "../../support/talk.ts";

const wordsFrom = (roll: Roll): string =>
  Array.from(
    { length: 1 + roll(12) },
    () => ["cart", "naïve", "價格", "🦜", '"quoted"', "\\n", "\u2028", "a\tb", "</file>"][roll(9)],
  ).join(" ");

function answer(roll: Roll): Part[] {
  const said = text(wordsFrom(roll));
  switch (roll(9)) {
    case 0:
      return [reasoning(wordsFrom(roll)), said];
    case 1:
      return [search("news", [{ url: "https://example.org/", title: wordsFrom(roll) }]), said];
    case 2:
      return [said, incomplete()];
    case 3:
      return [said, failed()];
    case 4:
      return [reasoning("hm"), said, cutAfterEvents(3 + roll(8))];
    case 5:
      return [refusal(wordsFrom(roll))];
    default:
      return [said];
  }
}

function toolRound(roll: Roll): Part[] {
  const calls: Part[] = [
    call("read_file", { path: "a.ts" }),
    call("read_file", '{"path":'),
    call("search_text", { query: wordsFrom(roll) }),
    call("no_such_tool", { x: wordsFrom(roll) }),
    patchCall(`*** Begin Patch\n*** Update File: a.ts\n@@\n-${wordsFrom(roll)}\n+x\n*** End Patch`),
  ];
  return [reasoning("look"), ...calls.filter(() => roll(2) === 0), calls[roll(calls.length)] ?? said];
}
const said = text("Nothing.");

async function turn(talk: Talk, roll: Roll): Promise<void> {
  talk.decide = () => ({ kind: "reject" });
  const rounds = roll(3);
  for (let round = 0; round < rounds; round++) talk.sim.reply(...toolRound(roll));
  talk.sim.reply(...answer(roll));
  const attachments = roll(3) === 0 ? [{ kind: "text" as const, name: "n", text: wordsFrom(roll) }] : [];
  await talk.ask({ prompt: wordsFrom(roll), attachments });
}

/** `{"model":…,"instructions":…,"tools":…,"input":[…]` as it was sent, up to the end of the input's last item. */
function upToInput(raw: string, body: Record<string, unknown>): string {
  const start = raw.indexOf('"input":[');
  const input = raw.slice(start);
  let depth = 0;
  let quoted = false;
  for (let at = '"input":'.length; at < input.length; at++) {
    const letter = input[at];
    if (letter === "\\" && quoted) at++;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === "[") depth++;
    else if (!quoted && letter === "]" && --depth === 0) return raw.slice(0, start + at);
    else if (!quoted && (letter === "{" || letter === "}")) depth += letter === "{" ? 1 : -1;
  }
  return assert.fail(JSON.stringify(Object.keys(body)));
}

const seeds = process.env["PATCHBAY_LONG"] === undefined ? [1] : [1, 2, 3, 4, 5, 6, 7, 8];

for (const seed of seeds) {
  test(`each request begins with the whole request before it, over twenty turns of every kind (seed ${seed})`, async () => {
    const talk = await startTalk({ settings: { webSearch: true }, assistant: () => [said] });
    talk.workspace.write("work/a.ts", "one\ntwo\n");
    const roll = dice(seed);
    for (let count = 0; count < 20; count++) await turn(talk, roll);
    const sent = talk.bodies().map(({ raw, body }) => upToInput(raw, body));
    assert.ok(sent.length >= 20);
    for (const [index, bytes] of sent.entries()) {
      const before = sent[index - 1] ?? "";
      assert.ok(bytes.startsWith(before), `request ${index} does not begin with request ${index - 1}`);
    }
    const ids = new Set(talk.bodies().map(({ body }) => body["prompt_cache_key"]));
    assert.equal(ids.size, 1);
  });

  test(`a conversation reopened after any turn sends the same bytes (seed ${seed})`, async () => {
    let talk = await startTalk({ settings: { webSearch: true }, assistant: () => [said] });
    talk.workspace.write("work/a.ts", "one\ntwo\n");
    const roll = dice(seed + 100);
    for (let count = 0; count < 10; count++) {
      await turn(talk, roll);
      const reopened = talk.reopen();
      assert.deepEqual(reopened.conversation.state, talk.conversation.state);
      // Written by an earlier version, which did not say who had made what.
      const old = talk.reopen(talk.lines.map((line) => line.replace(/,"maker":"[0-9a-f]{4}"\}$/, "}")));
      assert.doesNotMatch(old.lines.join(), /"maker"/);
      for (const each of [talk, reopened, old]) {
        each.sim.reply(text("Yes."));
        await each.ask("Do you remember?");
      }
      const [kept, again, ofOld] = talk.bodies().slice(-3);
      assert.equal(again?.raw, kept?.raw);
      assert.equal(ofOld?.raw, kept?.raw);
      talk = reopened;
    }
  });
}

test("an edit keeps the bytes of the requests before its turn", async () => {
  const talk = await startTalk();
  const roll = dice(7);
  talk.workspace.write("work/a.ts", "one\ntwo\n");
  for (let count = 0; count < 5; count++) await turn(talk, roll);
  const third = talk.conversation.state.turns[2]?.id ?? "";
  const sent = talk.bodies().map(({ raw, body }) => upToInput(raw, body));
  talk.sim.reply(text("Other."));
  await talk.conversation.edit(third, "In other words.", asking());
  const { raw, body } = talk.bodies().at(-1) ?? assert.fail();
  const bytes = upToInput(raw, body);
  const shared = sent.filter((before) => bytes.startsWith(before));
  assert.ok(shared.length >= 2);
});

test("a request contains no name, path or time of the machine", async () => {
  const { hostname, homedir, userInfo } = await import("node:os");
  const talk = await startTalk({ settings: { webSearch: true }, assistant: () => [said] });
  talk.workspace.write("work/a.ts", "one\n");
  talk.workspace.write("work/AGENTS.md", "Use tabs.");
  const roll = dice(9);
  for (let count = 0; count < 8; count++) await turn(talk, roll);
  const all = talk
    .bodies()
    .map(({ raw }) => raw)
    .join("\n");
  for (const name of [hostname(), homedir(), talk.workspace.root, process.cwd()])
    assert.ok(name.length < 3 || !all.includes(name), name);
  const user = userInfo().username;
  assert.ok(user === "root" || !new RegExp(`\\b${user}\\b`).test(all));
  assert.doesNotMatch(all, /20[2-3]\d-\d\d-\d\d|T\d\d:\d\d:\d\d/);
});
