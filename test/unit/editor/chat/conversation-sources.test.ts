import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Turn } from "../../../../src/conversation/state.ts";
import { sourcesInConversation } from "../../../../src/editor/chat/internal/conversation-sources.ts";

const turn = (id: string, ...parts: readonly object[]) => ({ id, parts }) as unknown as Turn;
const search = (sources: readonly object[], images: readonly object[] = []) => ({
  ...{ type: "search", id: "s", status: "completed", query: "q", sources, images },
});
const cited = (...citations: readonly object[]) => ({ type: "text", id: "t", text: "It rose.", citations });

describe("sourcesInConversation", () => {
  it("lists pages, citations and images of all responses once, each with its responses", () => {
    const turns = [
      turn("one", search([{ url: "https://example.org/a" }, { url: "https://example.org/b", title: "B" }])),
      turn("two"),
      turn(
        "three",
        search([], [{ url: "https://example.org/cat.png", title: "A cat" }]),
        cited({ url: "HTTPS://example.org/a", title: "A" }, { url: "https://example.org/a", title: "Again" }),
      ),
    ];
    const short = sourcesInConversation(turns).map(({ name, host, isImage, responses }) => [
      ...[name, host, isImage],
      responses.map(({ number }) => number),
    ]);
    assert.deepEqual(short, [
      ["A", "example.org", false, [1, 3]],
      ["B", "example.org", false, [1]],
      ["A cat", "example.org", true, [3]],
    ]);
  });

  it("counts questions, not what continues a response or summarizes the conversation", () => {
    const page = search([{ url: "https://example.org/a" }]);
    const turns = [
      turn("one", page),
      { ...turn("rest", page), continues: true },
      { ...turn("summary"), compacts: true },
      turn("two", page),
    ];
    const [only] = sourcesInConversation(turns);
    assert.deepEqual(
      only?.responses.map(({ turn: id, number }) => [id, number]),
      [
        ["one", 1],
        ["rest", 1],
        ["two", 2],
      ],
    );
  });

  it("leaves out what is not clearly a web page", () => {
    const hostile = [
      { url: "javascript:alert(1)", title: "A" },
      { url: "data:text/html,x", title: "B" },
      { url: "https://example.com@evil.test/", title: "C" },
    ];
    assert.deepEqual(sourcesInConversation([turn("one", search(hostile, hostile), cited(...hostile))]), []);
  });

  it("shows look-alike letters of a host as Punycode", () => {
    const [one] = sourcesInConversation([
      turn("one", search([{ url: "https://аpple.com/", title: "Apple" }])),
    ]);
    assert.deepEqual([one?.host, one?.url], ["xn--pple-43d.com", "https://xn--pple-43d.com/"]);
  });

  it("is empty for a conversation that has none", () => {
    assert.deepEqual(sourcesInConversation([turn("one", cited())]), []);
  });
});
