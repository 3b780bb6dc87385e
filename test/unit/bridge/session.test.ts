import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { blankView } from "../../../src/bridge/blank-view.ts";
import { reduce } from "../../../src/conversation/reduce.ts";
import { ended, open, started, text } from "./small-session.ts";

test("a page connection posts nothing before ready, and then one complete snapshot", () => {
  const { posted, tell, happen } = open();
  happen(started);
  assert.equal(posted.length, 0);
  tell({ type: "ready" });
  assert.equal(posted.length, 1);
  const snapshot = posted.find((message) => message.type === "snapshot");
  assert.equal(snapshot?.conversation.turns.length, 1);
  assert.equal(snapshot?.draft, "half a sen");
});

test("a page connection returns unsent words to an open page", () => {
  const { posted, tell, putBacks } = open();
  putBacks.fire("Nobody listens.");
  tell({ type: "ready" });
  putBacks.fire("Not sent.");
  assert.deepEqual(posted.slice(1), [{ type: "put-back", text: "Not sent." }]);
});

test("a page connection posts the view state whenever it changes, to an open page only", () => {
  const { posted, tell, viewStates } = open();
  viewStates.fire();
  tell({ type: "ready" });
  viewStates.fire();
  assert.deepEqual(posted.slice(1), [{ type: "view-state", viewState: { ...blankView, model: "svc-k3" } }]);
});

test("a page connection sends focus-dependent acts only to the page in use, and other acts to every page", () => {
  const { posted, tell, acts, goElsewhere } = open();
  tell({ type: "ready" });
  acts.fire("insert-code");
  goElsewhere();
  acts.fire("insert-code");
  acts.fire("find");
  tell({ type: "focus", focus: { area: "elsewhere" } });
  acts.fire("copy-code");
  tell({ type: "focus", focus: { area: "transcript", code: true } });
  acts.fire("copy-code");
  assert.deepEqual(
    posted.flatMap((message) => (message.type === "do" ? [message.what] : [])),
    ["insert-code", "find", "copy-code"],
  );
});

test("a page connection numbers events without gaps and merges the text of one frame", () => {
  const { posted, tell, happen } = open();
  tell({ type: "ready" });
  for (const event of [started, text("a"), text("b"), ended]) happen(event);
  const batches = posted.filter((message) => message.type === "events");
  assert.deepEqual(
    batches.map(({ seq, events }) => [seq, events.map((event) => event.type)]),
    [
      [0, ["started"]],
      [1, ["text", "ended"]],
    ],
  );
  assert.deepEqual(batches[1]?.events[0], text("ab"));
});

test("a page connection sends a full snapshot with the right sequence after a second ready", () => {
  const { posted, tell, happen } = open();
  tell({ type: "ready" });
  happen(started);
  happen(text("a"));
  tell({ type: "ready" });
  happen(text("b"));
  happen(ended);
  const last = posted.findLast((message) => message.type === "snapshot");
  assert.ok(last?.type === "snapshot");
  let page = last.conversation;
  const after = posted.slice(posted.indexOf(last) + 1);
  let next = last.seq;
  for (const message of after) {
    assert.ok(message.type === "events");
    assert.equal(message.seq, next);
    next += message.events.length;
    for (const event of message.events) page = reduce(page, event);
  }
  assert.deepEqual(page.turns[0]?.parts, [{ type: "text", id: "p", text: "ab" }]);
  assert.equal(page.turns[0]?.status, "done");
});

test("a page connection passes on events of another window like its own", () => {
  const { tell, happenElsewhere, posted } = open();
  tell({ type: "ready" });
  for (const event of [started, text("a"), ended]) happenElsewhere(event);
  const events = posted.flatMap((message) => (message.type === "events" ? message.events : []));
  assert.deepEqual(events, [started, text("a"), ended]);
});

test("a page connection performs one action for each message of the protocol", () => {
  const { tell, done } = open();
  const table: readonly (readonly [object, string])[] = [
    [{ type: "send", prompt: "x" }, "send x"],
    [{ type: "send", prompt: "x", command: "explain" }, "explain x"],
    [{ type: "unqueue", id: "q" }, "unqueue q"],
    [{ type: "deliver", id: "q", delivery: "turn" }, "deliver q turn"],
    [{ type: "send-queued" }, "send queued"],
    [{ type: "attach", attachment: { kind: "file", path: "a.ts" } }, "attach file"],
    [{ type: "attach-uris", uris: ["file:///a", "file:///b"] }, "attach file:///a file:///b"],
    [{ type: "pick", kind: "symbol" }, "pick symbol"],
    [{ type: "detach", id: "a" }, "detach a"],
    [{ type: "set-options", webSearch: true }, "options webSearch true"],
    [{ type: "set-options", cacheTier: "1h" }, "options cacheTier 1h"],
    [{ type: "set-options", effort: "high" }, "options effort high"],
    [{ type: "set-options", json: true }, "options json true"],
    [{ type: "run", command: "compact" }, "run compact"],
    [{ type: "rename", title: "The parser" }, "rename The parser"],
    [{ type: "stop" }, "stop"],
    [{ type: "draft", text: "y", conversation: "c" }, "draft y"],
    [{ type: "choose-model", model: "svc-k2.6" }, "model svc-k2.6"],
    [{ type: "act", action: "set-key" }, "act set-key"],
    [{ type: "use-code", use: "insert", code: "1", language: "ts" }, "insert ts 1"],
    [{ type: "focus", focus: { area: "composer" } }, "focus composer"],
    [{ type: "open-file", path: "src/a.ts", line: 3 }, "open src/a.ts 3"],
    [{ type: "copy", text: "z" }, "copy z"],
    [{ type: "open-link", url: "https://a.test" }, "open https://a.test"],
  ];
  for (const [message] of table) tell(message);
  assert.deepEqual(
    done,
    table.map(([, expected]) => expected),
  );
});

test("a page connection saves a draft only for the conversation it was typed in", () => {
  const { tell, done } = open();
  tell({ type: "ready" });
  tell({ type: "draft", text: "for the one before", conversation: "c0" });
  tell({ type: "draft", text: "for nobody" });
  tell({ type: "draft", text: "mine", conversation: "c" });
  assert.deepEqual(done, ["draft mine"]);
});

test("a page connection posts completions with the query they belong to", async () => {
  const { tell, posted } = open();
  tell({ type: "ready" });
  tell({ type: "complete", query: "par" });
  await setImmediate();
  const items = [{ label: "par", attachment: { kind: "file", path: "par" } }];
  assert.deepEqual(posted.slice(1), [
    { type: "completions", query: "par", items: [], indexing: true },
    { type: "completions", query: "par", items, indexing: false },
  ]);
});

test("a page connection cancels completions on the next query and posts none when they fail", async () => {
  const { tell, posted } = open();
  tell({ type: "ready" });
  tell({ type: "complete", query: "p" });
  tell({ type: "complete", query: "pa" });
  tell({ type: "complete", query: "broken" });
  await setImmediate();
  assert.deepEqual(
    posted.slice(1).map((message) => message.type === "completions" && [message.query, message.indexing]),
    [["broken", false]],
  );
});

test("a page connection posts the cost of returning to a turn on request", () => {
  const { tell, posted } = open();
  tell({ type: "ready" });
  tell({ type: "cost", turn: "one" });
  assert.deepEqual(posted.at(-1), {
    ...{ type: "cost", turn: "one", edit: 3, branch: 48_120 },
    branchPrice: "€0.17",
  });
});

test("a page connection ignores messages outside the protocol", () => {
  const { tell, done, posted } = open();
  const strangers = [
    null,
    1,
    "ready",
    [],
    {},
    { type: "run" },
    { type: "send" },
    { type: "act", action: "delete" },
  ];
  for (const message of strangers) tell(message);
  tell({ type: "send", prompt: "x".repeat(1024 * 1024 + 1) });
  assert.deepEqual([done, posted], [[], []]);
});

test("a page connection is silent after dispose", () => {
  const { session, tell, posted, done, happen } = open();
  session.dispose();
  tell({ type: "ready" });
  happen(started);
  assert.deepEqual([posted, done], [[], []]);
});

test("a page connection passes on actions only for existing turns", () => {
  const { tell, done, happen } = open();
  happen(started);
  for (const turn of ["1", "2", "__proto__"]) {
    tell({ type: "act-on-turn", turn, action: "branch" });
    tell({ type: "edit-turn", turn, prompt: "Hello" });
  }
  assert.deepEqual(done, ["branch 1", "edit 1 Hello"]);
});

test("a page connection returns the words of an edit to the page when its turn no longer exists", () => {
  const { posted, tell, done, happen } = open();
  happen(started);
  tell({ type: "ready" });
  tell({ type: "edit-turn", turn: "2", prompt: "In other words?" });
  assert.deepEqual(done, []);
  assert.deepEqual(posted.slice(1), [{ type: "put-back", text: "In other words?", gone: true }]);
});

test("a page connection passes on a decision only for a tool call that asks, and only once", () => {
  const { tell, done, happen } = open();
  const tool = { type: "tool", turn: "1", id: "p", call: "call_1", name: "look", summary: "" } as const;
  const accept = () => tell({ type: "decide", call: "call_1", decision: { kind: "accept" } });
  accept();
  happen(started);
  accept();
  happen({ ...tool, status: "asked" });
  for (const call of ["call_2", "__proto__"]) tell({ type: "decide", call, decision: { kind: "accept" } });
  accept();
  happen({ ...tool, status: "running" });
  accept();
  assert.deepEqual(done, ["accept call_1"]);
});

test("a page connection acts on a patch at its row at any time, but never through a decision", () => {
  const { tell, done, happen } = open();
  const patch = { type: "patch", turn: "1", id: "p", call: "own", status: "proposed" } as const;
  const undo = (call: string) => tell({ type: "act-on-call", call, action: "undo" });
  happen(started);
  happen({ ...patch, files: [] });
  happen({ type: "ended", turn: "1", at: 2, ending: "done" });
  tell({ type: "decide", call: "own", decision: { kind: "accept" } });
  undo("another");
  assert.deepEqual(done, []);
  undo("own");
  tell({ type: "act-on-changes", action: "reject-all", shown: 7 });
  assert.deepEqual(done, ["undo own", "reject-all 7"]);
});

test("a page connection reviews only edits of its conversation", () => {
  const { done, tell, happen } = open();
  const review = () => tell({ type: "act-on-call", call: "call_1", action: "review" });
  review();
  happen(started);
  const patch = { type: "patch", turn: "1", id: "p", call: "call_1" } as const;
  happen({ ...patch, files: [], status: "applied" });
  review();
  assert.deepEqual(done, ["review call_1"]);
});

test("a page connection sends a long conversation from its end in adjoining windows", () => {
  const { posted, tell, happen } = open();
  for (let turn = 0; turn < 950; turn += 1) {
    happen({ ...started, turn: String(turn) });
    happen({ ...text(`answer ${turn} `.repeat(turn % 50)), turn: String(turn) });
    happen({ ...ended, turn: String(turn) });
  }
  tell({ type: "ready" });
  const [snapshot] = posted;
  assert.ok(snapshot?.type === "snapshot");
  let { above } = snapshot;
  const turns = [...snapshot.conversation.turns];
  assert.equal(turns.at(-1)?.id, "949");
  for (let asked = 0; above > 0 && asked < 950; asked += 1) {
    tell({ type: "earlier", before: above });
    const answer = posted.at(-1);
    assert.ok(answer?.type === "earlier");
    assert.ok(JSON.stringify(answer).length < 1024 * 1024);
    assert.equal(answer.first + answer.turns.length, above);
    turns.unshift(...answer.turns);
    above = answer.first;
  }
  assert.deepEqual(
    turns.map(({ id }) => id),
    Array.from({ length: 950 }, (_, index) => String(index)),
  );
});

test("a page connection sends nothing for an invalid range of earlier turns", () => {
  const { posted, tell, happen } = open();
  happen(started);
  tell({ type: "ready" });
  for (const before of [0, -1, 1.5, 2, Number.NaN, 1e9, "1"]) tell({ type: "earlier", before });
  assert.equal(posted.length, 1);
});

test("a page goes to a response only in the conversation that it shows", () => {
  const { tell, happen, acts, posted } = open();
  acts.fire({ turn: "elsewhere" });
  happen(started);
  tell({ type: "ready" });
  acts.fire({ turn: "elsewhere" });
  acts.fire({ turn: "1" });
  assert.deepEqual(
    posted.filter(({ type }) => type === "go-to-turn"),
    [{ type: "go-to-turn", turn: "1" }],
  );
});
