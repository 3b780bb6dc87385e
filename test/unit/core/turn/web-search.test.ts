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
