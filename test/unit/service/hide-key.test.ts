// A key that the service says itself, whole or in pieces: no event tells it, and nothing else is touched.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyHider } from "../../../src/service/internal/hide-key-in-replies.ts";
import type { ReplyEvent } from "../../../src/service/reply.ts";

const key = "sk-canary/0123456789";
const ended = {
  type: "ended",
  reply: { status: "completed", text: "", items: [], calls: [], runnable: [], requests: 1 },
} as const satisfies ReplyEvent;
const text = (delta: string, part = "p"): ReplyEvent => ({ type: "text", part, delta });

function told(events: readonly ReplyEvent[], keys: readonly string[] = [key]): ReplyEvent[] {
  const hider = new KeyHider(() => keys);
  return events.flatMap((event) => hider.take(event));
}

const words = (events: readonly ReplyEvent[], part = "p"): string =>
  events.map((event) => (event.type === "text" && event.part === part ? event.delta : "")).join("");

test("KeyHider hides a key that is split across deltas", () => {
  for (let at = 0; at <= key.length; at++) {
    const said = words(told([text(`a ${key.slice(0, at)}`), text(`${key.slice(at)} b`), ended]));
    const shown = at > 0 && at <= 3 ? key.slice(0, at) : "";
    assert.equal(said, `a ${shown}[hidden] b`, `${at}`);
  }
  const letters = [...`${key}${key} sk-`].map((letter) => text(letter));
  assert.equal(words(told([...letters, ended])), "sk-[hidden]sk-[hidden] sk-");
});

test("KeyHider passes text that only starts like a key and hides half a key at the end", () => {
  for (const said of ["sk-", "sk-can", "s", "sk-cans and sk-canary bird", "ssk-sk-"])
    assert.equal(words(told([...[...said].map((letter) => text(letter)), ended])), said);
  assert.equal(words(told([text("a sk-canary/01"), ended])), "a [hidden]");
  assert.equal(
    words(told([text("a sk-canary/01"), { type: "replaced", part: "p", text: "b" }, ended])),
    "a ",
  );
});

test("KeyHider recognizes the rest of a key behind another event", () => {
  const between: ReplyEvent = { type: "call", item: "c", name: "read_file" };
  for (let at = 4; at < key.length; at++) {
    const events = told([text(`a ${key.slice(0, at)}`), between, text(`${key.slice(at)} b`), ended]);
    assert.ok(events.indexOf(between) > 0, "what is held back goes before it");
    const said = words(events);
    assert.equal(said, at < 8 ? `a ${key.slice(0, at)}[hidden] b` : "a [hidden][hidden] b", `${at}`);
  }
  const letters = [...key].flatMap((letter) => [text(letter), between]);
  assert.ok(words(told([...letters, ended])).length < 8 + "[hidden]".length * key.length);
  assert.doesNotMatch(words(told([...letters, ended])), /canary/);
  assert.equal(words(told([text("sk-cana"), between, text("pe"), ended])), "sk-canape");
});

test("KeyHider hides a key that begins in a text that replaced another one", () => {
  for (let at = 1; at < key.length; at++) {
    const replaced: ReplyEvent = { type: "replaced", part: "p", text: `a ${key.slice(0, at)}` };
    const events = told([text("something else"), replaced, text(`${key.slice(at)} b`), ended]);
    const said = events.map((event) => (event.type === "replaced" ? event.text : "")).join("");
    assert.equal(said, at < 8 ? `a ${key.slice(0, at)}` : "a [hidden]", `${at}`);
    assert.equal(
      words(events.slice(events.findIndex(({ type }) => type === "replaced"))),
      "[hidden] b",
      `${at}`,
    );
  }
  const whole: ReplyEvent = { type: "replaced", part: "p", text: `a ${key} b` };
  assert.deepEqual(told([whole]), [{ ...whole, text: "a [hidden] b" }]);
});

test("KeyHider keeps parallel texts apart and passes text without a key immediately", () => {
  const events = [text("sk-cana", "p"), text("sk-cana", "q"), text("ry/0123456789", "p"), text("pe", "q")];
  assert.equal(words(told(events), "p"), "[hidden]");
  assert.equal(words(told(events), "q"), "sk-canape");
  assert.deepEqual(told([text("Hello"), text(" there")]), [text("Hello"), text(" there")]);
});

test("KeyHider hides a key that is added during a reply as well as the first one", () => {
  const keys = [key];
  const hider = new KeyHider(() => [...keys]);
  const take = (event: ReplyEvent) => words(hider.take(event));
  assert.equal(take(text("sk-second-key-of-it, ")), "sk-second-key-of-it, ");
  keys.push("sk-second-key-of-it");
  assert.equal(take(text(`${key} sk-second-key-of-it.`)), "[hidden] [hidden].");
});

test("KeyHider copies only the list entries that contain a key", () => {
  const item = (raw: string) => ({ raw, view: { kind: "other", type: "note", bytes: 1 } }) as const;
  const items = [item("{}"), item(`"${key}"`), item("{}")];
  const [event] = told([{ type: "ended", reply: { ...ended.reply, items } }]);
  assert.ok(event?.type === "ended");
  assert.deepEqual(
    event.reply.items.map(({ raw }) => raw),
    ["{}", '"[hidden]"', "{}"],
  );
  assert.deepEqual(
    event.reply.items.map((each, at) => each === items[at]),
    [true, false, true],
  );
});

test("KeyHider hides a key in any field, also escaped for JSON and URLs, and ignores short keys", () => {
  const view = { kind: "other", type: key, bytes: 1 } as const;
  const raw = `{"a":"${key}","b":"${key.replace("/", "\\/")}"}`;
  assert.deepEqual(told([{ type: "item", item: { raw, view } }]), [
    { type: "item", item: { raw: '{"a":"[hidden]","b":"[hidden]"}', view: { ...view, type: "[hidden]" } } },
  ]);
  const sources = [{ url: `https://a.example/?key=${encodeURIComponent(key)}` }];
  assert.deepEqual(
    told([{ type: "search", item: "s", status: "completed", query: key, sources, images: [] }]),
    [
      {
        type: "search",
        item: "s",
        status: "completed",
        query: "[hidden]",
        sources: [{ url: "https://a.example/?key=[hidden]" }],
        images: [],
      },
    ],
  );
  assert.equal(words(told([text("a test")], ["test"])), "a test");
});

test("KeyHider hides a key encoded in base64 at any offset, whole and in pieces", () => {
  for (const encoding of ["base64", "base64url"] as const)
    for (const before of ["", "a", "Bearer ", "user:"]) {
      const encoded = Buffer.from(`${before}${key}`).toString(encoding);
      const [whole, pieces] = [[encoded], encoded.match(/.{1,7}/g) ?? []].map((deltas) =>
        words(told([...deltas.map((delta) => text(delta)), ended])),
      );
      for (const said of [whole, pieces]) {
        assert.match(said ?? "", /\[hidden\]/);
        assert.ok(
          !Buffer.from(said?.replace("[hidden]", "") ?? "", encoding)
            .toString()
            .includes("canary"),
        );
      }
    }
});
