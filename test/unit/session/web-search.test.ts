// Searches that the service makes on its own side: what is asked for, shown and sent back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cite, reasoning, search, text } from "../../sim/script.ts";
import { reading, startTalk } from "../../support/talk.ts";

test("web search and reasoning are shown and sent back in order", async () => {
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
  assert.deepEqual(first?.body["include"], ["web_search_call.action.sources", "web_search_call.results"]);
  assert.deepEqual(
    second?.input.map(({ type }) => type),
    ["message", "web_search_call", "reasoning", "message", "message"],
  );
  talk.sim.done();
});

test("citations of a text are kept and restored on reopening", async () => {
  const talk = await startTalk({ settings: { webSearch: true } });
  const url = "https://example.org/a";
  talk.sim.reply(
    text("It rose. It fell.", cite(url, "A", "It rose."), cite("javascript:x", "B", "It fell.")),
  );
  const cited = {
    type: "text",
    text: "It rose. It fell.",
    citations: [{ url, title: "A", start: 0, end: 8 }],
  };
  const asSaid = (turn: { readonly parts: readonly object[] }) =>
    turn.parts.map((part) => ({ ...part, id: undefined }));
  assert.deepEqual(asSaid(await talk.ask("News?")), [{ ...cited, id: undefined }]);
  assert.deepEqual(asSaid(talk.reopen().last()), [{ ...cited, id: undefined }]);
  talk.sim.done();
});

test("image results of a search are shown with it, and unreadable ones as a raw part", async () => {
  const talk = await startTalk({ settings: { webSearch: true } });
  const results = [
    { image_url: "https://example.org/cat.png", title: "A cat" },
    { image_url: { url: "https://example.org/dog.png" } },
    { image_url: "file:///etc/passwd" },
  ];
  talk.sim.reply(search("cats", [], results), text("Two."));
  const turn = await talk.ask("Cats?");
  const found = turn.parts.find((part) => part.type === "search");
  assert.deepEqual(found?.images, [
    { url: "https://example.org/cat.png", title: "A cat" },
    { url: "https://example.org/dog.png" },
  ]);
  const other = turn.parts.find((part) => part.type === "other");
  assert.deepEqual([other?.kind, JSON.parse(other?.json ?? "")], ["web_search_call.results", [results[2]]]);
  talk.sim.done();
});
