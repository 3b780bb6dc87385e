// Searches that the service makes on its own side: what is asked for, shown and sent back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reasoning, search, text } from "../../../sim/script.ts";
import { reading, startTalk } from "../../../support/talk.ts";

test("web search and reasoning are shown, and sent back as they came", async () => {
  const talk = await startTalk({ settings: { webSearch: true } });
  const source = { url: "https://example.org/a", title: "A" };
  talk.sim.reply(search("what is new", [source]), reasoning("hm"), text("This is new."));
  talk.sim.reply(text("Yes."));
  const turn = await talk.ask("News?");
  assert.deepEqual(reading(turn), ["search what is new", "reasoning hm", "text This is new."]);
  const found = turn.parts.find((part) => part.type === "search");
  assert.deepEqual(found?.sources, [source]);
  await talk.ask("Sure?");
  const [first, second] = talk.bodies();
  assert.deepEqual((first?.body["tools"] as { type: string }[]).at(-1), { type: "web_search" });
  assert.deepEqual(first?.body["include"], ["web_search_call.action.sources"]);
  assert.deepEqual(
    second?.input.map(({ type }) => type),
    ["message", "web_search_call", "reasoning", "message", "message"],
  );
  talk.sim.done();
});

test("who does not want the pages of a search named does not ask for them, and the rest of the bytes stays", async () => {
  const talk = await startTalk({ settings: { webSearch: true, searchSources: false } });
  talk.sim.reply(search("what is new", [{ url: "https://example.org/a", title: "A" }]), text("This is new."));
  const turn = await talk.ask("News?");
  assert.deepEqual(
    turn.parts.flatMap((part) => (part.type === "search" ? [part.sources] : [])),
    [[]],
  );
  talk.settings = { ...talk.settings, searchSources: true };
  talk.sim.reply(text("Yes."));
  await talk.ask("Sure?");
  const [without, asked] = talk.bodies();
  assert.equal(without?.body["include"], undefined);
  assert.deepEqual(asked?.body["include"], ["web_search_call.action.sources"]);
  assert.deepEqual(without?.body["tools"], asked?.body["tools"]);
  talk.sim.done();
});
