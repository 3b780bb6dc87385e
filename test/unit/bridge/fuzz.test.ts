import assert from "node:assert/strict";
import { test } from "node:test";
import { blankView } from "../../../src/bridge/blank-view.ts";
import { connectPage, type PageHost } from "../../../src/bridge/page-connection.ts";
import { ToHost } from "../../../src/bridge/protocol.ts";
import type { Conversation } from "../../../src/conversation/state.ts";
import { Emitter } from "../../../src/util/emitter.ts";
import { silentLog } from "../../../src/util/log.ts";
import { draws } from "../../support/draws.ts";
import { fuzzMessages } from "../../support/fuzz-messages.ts";
import { type Asked, recordingHandlers } from "../../support/page-handlers.ts";

const count = process.env["PATCHBAY_LONG"] === undefined ? 1_200 * draws : 100_000;

/** One true message of every type: the compiler asks for the ones that are missing. */
const trueOnes = {
  ready: { type: "ready" },
  earlier: { type: "earlier", before: 1 },
  send: { type: "send", prompt: "Hello", command: "explain" },
  stop: { type: "stop" },
  draft: { type: "draft", text: "Hel", conversation: "c" },
  "choose-model": { type: "choose-model", model: "svc-k3" },
  "choose-agent": { type: "choose-agent", agent: ".github/agents/a.agent.md" },
  unqueue: { type: "unqueue", id: "q" },
  deliver: { type: "deliver", id: "q", delivery: "turn" },
  "send-queued": { type: "send-queued" },
  attach: { type: "attach", attachment: { kind: "selection", path: "a.ts", start: 1, end: 2 } },
  "attach-uris": { type: "attach-uris", uris: ["file:///a.ts"] },
  pick: { type: "pick", kind: "file" },
  detach: { type: "detach", id: "a" },
  complete: { type: "complete", query: "a" },
  cost: { type: "cost", turn: "1" },
  "plan-rewind": { type: "plan-rewind", turn: "1" },
  rewind: { type: "rewind", turn: "1", scope: "both" },
  "set-options": { type: "set-options", effort: "high", cacheTier: "1h", webSearch: true, json: true },
  run: { type: "run", command: "compact" },
  rename: { type: "rename", title: "The parser" },
  act: { type: "act", action: "set-key" },
  answer: { type: "answer", question: "1", action: "send-anyway" },
  "act-on-turn": { type: "act-on-turn", turn: "1", action: "branch" },
  "edit-turn": { type: "edit-turn", turn: "1", prompt: "Again" },
  go: { type: "go", prompt: "Go." },
  "edit-plan": { type: "edit-plan", edit: { kind: "tick", step: 0, text: "Read", done: true } },
  decide: { type: "decide", call: "asking", decision: { kind: "reject", reason: "h" } },
  "act-on-call": { type: "act-on-call", call: "asking", action: "undo", path: "h" },
  "ask-again-in": { type: "ask-again-in", folder: "work" },
  "try-ways": { type: "try-ways", prompt: "Hello", command: "explain" },
  "try-turn": { type: "try-turn", turn: "t" },
  "choose-trial-way": { type: "choose-trial-way", way: "models" },
  "act-on-trial": {
    ...{ type: "act-on-trial", action: "take", candidate: 0 },
    files: [{ path: "a.ts", candidate: 1 }],
  },
  "act-on-check": { type: "act-on-check", check: "c", action: "run" },
  "act-on-remarks": { type: "act-on-remarks", action: "send" },
  "act-on-breaking": { type: "act-on-breaking", action: "send-back", shown: 3 },
  "act-on-changes": { type: "act-on-changes", action: "accept-all", shown: 3 },
  "open-file": { type: "open-file", path: "a.ts", line: 3 },
  copy: { type: "copy", text: "text" },
  "use-code": { type: "use-code", use: "insert", code: "1", language: "ts" },
  focus: { type: "focus", focus: { area: "transcript", turn: "1" } },
  "open-link": { type: "open-link", url: "https://example.test/" },
  "show-code": { type: "show-code", theme: "Monokai" },
  "colour-code": {
    ...{ type: "colour-code", block: 1, table: 1, language: "ts" },
    ...{ from: 0, lines: ["let a;"], isEnd: true },
  },
  "draw-diagram": { type: "draw-diagram", source: "graph TD" },
} as const satisfies Readonly<Record<ToHost["type"], ToHost>>;

const conversation: Conversation = {
  id: "c",
  turns: [
    {
      id: "1",
      at: 1,
      model: "svc-k3",
      route: "responses",
      prompt: "Hello",
      attachments: [],
      continues: false,
      parts: [{ type: "tool", id: "p", call: "asking", name: "look", status: "asked", summary: "" }],
      status: "running",
      usage: [],
      receipts: [],
    },
  ],
};

/** A host that only remembers what it was asked to do. */
function watchedHost() {
  const done: Asked[] = [];
  const toHost = new Emitter<unknown>();
  const none = () => ({ dispose() {} });
  const host: PageHost = {
    viewState: { ...blankView, model: "svc-k3" },
    handlers: recordingHandlers((message) => void done.push(message)),
    async *complete() {},
    follow: (listener) =>
      listener({
        state: conversation,
        draft: { text: "" },
        onEvent: none,
        onRemoteEvent: none,
        onPutBack: none,
      }),
    onViewState: none,
    onAct: none,
    use() {},
    isInUse: () => true,
    leave() {},
  };
  let posted = 0;
  const post = () => {
    posted += 1;
  };
  connectPage({ post, onMessage: toHost.on }, host, silentLog);
  return { done, tell: (message: unknown) => toHost.fire(message), posted: () => posted };
}

test(`a page connection survives ${count} broken messages and passes on only valid ones`, () => {
  const seed = Number(process.env["PATCHBAY_SEED"] ?? 20_260_115);
  const { done, tell, posted } = watchedHost();
  const fuzz = fuzzMessages(Object.values(trueOnes), seed);
  let understood = 0;
  for (let index = 0; index < count; index += 1) {
    const message = fuzz.next();
    const before = { done: done.length, posted: posted() };
    tell(message);
    const parsed = ToHost.safeParse(message);
    const where = `message ${index} of seed ${seed}`;
    if (!parsed.success) {
      assert.deepEqual({ done: done.length, posted: posted() }, before, where);
      continue;
    }
    understood += 1;
    const news = done.slice(before.done);
    assert.ok(news.length <= 1, where);
    for (const asked of news) {
      if (asked.type === "decide" || asked.type === "act-on-call") assert.equal(asked.call, "asking", where);
      if (asked.type === "act-on-turn" || asked.type === "edit-turn") assert.equal(asked.turn, "1", where);
    }
  }
  // Both kinds were really there.
  assert.ok(understood > count / 20 && understood < count * 0.9, String(understood));
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});
