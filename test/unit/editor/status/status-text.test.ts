// Every state of the status bar, as text and in full words, at every minute of a clock that is ours.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { verbatim as asTyped } from "../../../../src/conversation/events.ts";
import type { Problem } from "../../../../src/conversation/problem.ts";
import type { Turn } from "../../../../src/conversation/state.ts";
import { StatusLoop } from "../../../../src/editor/status/status-bar.ts";
import {
  arriving,
  draftCount,
  type StatusFace,
  type StatusFacts,
  statusFace,
  statusParts,
  statusState,
} from "../../../../src/editor/status/status-text.ts";
import { warmth } from "../../../../src/usage/prompt-cache.ts";
import { rowsOfTurn } from "../../../../src/usage/usage-rows.ts";
import { duration, durationInWords, inShort } from "../../../../src/util/numbers-and-times.ts";
import { english, verbatim, words } from "../../../support/english.ts";

const began = Date.UTC(2025, 0, 1, 12);
const turn: Turn = {
  ...{ id: "t", at: began, model: "svc-k3", route: "responses", prompt: "?", attachments: [] },
  ...{ continues: false, parts: [], status: "done", usage: [], receipts: [], endedAt: began + 14_000 },
};
const request = {
  input: 48_200,
  cached: 40_488,
  cacheWrite: 5000,
  output: 1200,
  reasoning: 900,
  total: 49_400,
};
const answered: Turn = { ...turn, usage: [{ ...request, ttl: "5m", at: began + 14_000 }] };

const spoken = { ...words, say: english };
const facts = (more: Partial<StatusFacts> = {}): StatusFacts => ({
  now: began + 14_000,
  show: new Set(statusParts),
  problem: undefined,
  isOut: false,
  toReview: 0,
  conflicts: 0,
  others: { running: 0, waiting: 0, failed: 0 },
  turn: undefined,
  count: undefined,
  warmth: { state: "unknown" },
  cost: undefined,
  costProblem: undefined,
  arrived: () => 0,
  ...more,
});
const face = (more?: Partial<StatusFacts>) => statusFace(facts(more), spoken);

test("statusFace has a text, a full-word label and a click for every state", () => {
  const selection = { of: "selection", tokens: 1187, exact: false, margin: 0.12 } as const;
  const running: Turn = { ...turn, status: "running" };
  const tool = {
    type: "tool",
    id: "1/a",
    name: "x",
    call: "c",
    status: "asked",
  } as unknown as Turn["parts"][number];
  const problem = (kind: "no-key" | "auth") => ({ kind, message: verbatim("No key."), actions: [] });
  const cases: readonly (readonly [
    Partial<StatusFacts>,
    string,
    StatusFace["click"],
    StatusFace["background"],
  ])[] = [
    [{ problem: problem("no-key") }, "$(key) Patchbay: Set up", "connect", undefined],
    [{ problem: problem("auth") }, "$(error) Patchbay", "connect", "error"],
    [{}, "Patchbay", "menu", undefined],
    [{ count: selection }, "$(symbol-numeric) ≈1.2k", "menu", undefined],
    [{ count: { ...selection, exact: true } }, "$(symbol-numeric) 1,187", "menu", undefined],
    [{ turn: running, arrived: () => 2100 }, "$(loading~spin) 14s · ≈2.1k out", "stop", undefined],
    [{ turn: running }, "$(loading~spin) 14s", "stop", undefined],
    [
      { turn: { ...running, waiting: { until: began + 19_000, reason: verbatim("Busy.") } } },
      "$(watch) again in 5s",
      "stop",
      undefined,
    ],
    [{ turn: { ...running, parts: [tool] } }, "$(bell) Patchbay: review 1", "chat", "warning"],
    [{ turn: running, toReview: 3 }, "$(bell) Patchbay: review 3", "review", "warning"],
    [{ toReview: 3, conflicts: 1 }, "$(bell) Patchbay: review 3 · 1 conflict", "review", "warning"],
    [{ toReview: 3, conflicts: 2 }, "$(bell) Patchbay: review 3 · 2 conflicts", "review", "warning"],
    [{ turn: answered, toReview: 3, count: selection }, "$(bell) Patchbay: review 3", "review", "warning"],
    [{ turn: { ...answered, status: "failed" } }, "$(error) Patchbay", "chat", "error"],
    [{ turn: answered }, "$(database) 48.2k in (84% cached) · 1.2k out", "menu", undefined],
    [
      { turn: answered, cost: "€0.07" },
      "$(database) 48.2k in (84% cached) · 1.2k out · €0.07",
      "menu",
      undefined,
    ],
    [{ turn: answered, count: selection }, "$(symbol-numeric) ≈1.2k", "menu", undefined],
    [{ turn }, "Patchbay", "menu", undefined],
  ];
  for (const [more, text, click, background] of cases) {
    const shown = face(more);
    assert.deepEqual([shown.text, shown.click, shown.background], [text, click, background]);
    assert.ok(shown.label !== "", text);
    assert.doesNotMatch(shown.label, /\$\(|≈|\dk\b/, "the label is in full words");
  }
});

test("statusFace counts changes to review in matching grammar, with their conflicts", () => {
  const label = (toReview: number, conflicts: number) => face({ toReview, conflicts }).label;
  assert.equal(label(1, 0), "1 change to review. Click to open it.");
  assert.equal(label(2, 0), "2 changes to review. Click to open them.");
  assert.equal(label(1, 1), "1 change to review, in conflict. Click to open it.");
  assert.equal(label(3, 2), "3 changes to review, 2 of them in conflict. Click to open them.");
});

test("statusFace clears the error of an outage once the service responds, and keeps every other failure", () => {
  const failed = (kind: Problem["kind"]): Turn => ({
    ...{ ...turn, status: "failed" },
    problem: { kind, message: verbatim("No."), actions: ["retry"] },
  });
  const red = (kind: Problem["kind"], isOut: boolean) =>
    face({ turn: failed(kind), isOut }).background === "error";
  for (const kind of ["network", "timeout", "server", "busy"] as const)
    assert.deepEqual([red(kind, true), red(kind, false)], [true, false], kind);
  for (const kind of ["bad-request", "too-large", "protocol"] as const)
    assert.deepEqual([red(kind, true), red(kind, false)], [true, true], kind);
});

test("statusFace sums the usage of all requests of a turn, each bucket once", () => {
  const usage = [request, { input: 51_800, cached: 48_000, cacheWrite: 3000, output: 800, reasoning: 0 }];
  const shown = face({ turn: { ...turn, usage } });
  assert.equal(shown.text, "$(database) 100.0k in (88% cached) · 2.0k out");
  const rows = new Map(shown.rows);
  assert.equal(rows.get("Read from the cache"), "88,488");
  assert.equal(rows.get("Written to the cache"), "8,000");
  assert.equal(rows.get("Not cached"), "3,512");
  assert.equal(rows.get("of it reasoning"), "900");
  assert.equal(rows.get("Requests"), "2");
  assert.equal(rows.get("Receipts"), "none");
  assert.equal(rows.get("Input"), "100,000");
});

test("statusFace omits hidden parts and shows unreported figures as no number", () => {
  const warm = { state: "warm", until: began + 14_000 + 50_000, tokens: 45_000 } as const;
  const only = (...parts: (typeof statusParts)[number][]) =>
    face({ turn: answered, cost: "€1", warmth: warm, show: new Set(parts) }).text;
  assert.equal(only("usage"), "$(database) 48.2k in · 1.2k out");
  assert.equal(only("usage", "cost"), "$(database) 48.2k in · 1.2k out · €1");
  assert.equal(only("cache"), "Patchbay · cached for 0:50");
  assert.equal(only(), "Patchbay");
  assert.equal(face({ count: { of: "draft", tokens: 5, exact: true }, show: new Set() }).text, "Patchbay");
  assert.equal(face({ turn: { ...turn, usage: [{}] } }).text, "Patchbay");
  const odd = face({ turn: { ...turn, usage: [request, { input: 1, cached: 2 }, {}] } });
  assert.equal(odd.text, "$(database) 48.2k in (84% cached) · 1.2k out");
  assert.equal(odd.notes.length, 3);
  assert.equal(odd.notes[2], "Request 2, as reported: input_tokens 1, cached_tokens 2.");
});

test("statusFace omits rows of unreported figures and notes the figures as reported", () => {
  const usage = [{ input: 1000, output: 50, cached: 900 }];
  const shown = face({ turn: { ...turn, usage } });
  const names = shown.rows.map(([name]) => name);
  for (const name of ["Read from the cache", "Written to the cache", "Not cached", "of it reasoning"])
    assert.ok(!names.includes(name), name);
  assert.equal(new Map(shown.rows).get("not split by the service"), "1,000");
  assert.match(shown.notes.join(), /input_tokens 1,000, cached_tokens 900, output_tokens 50/);
  const outOnly = face({ turn: { ...turn, usage: [{ output: 7 }] } });
  assert.equal(outOnly.text, "$(database) 7 out");
  assert.equal(outOnly.label, "The last turn: 7 tokens out; the input was not reported.");
  assert.equal(new Map(outOnly.rows).get("Input"), "not reported");
});

test("arriving lists the parts of requests whose usage is not yet reported", () => {
  const part = (id: string, said: string) => ({ type: "text" as const, id, text: said });
  const parts = [
    part("0/a", "one"),
    { ...part("0/b", "two"), type: "reasoning" as const },
    part("1/a", "three"),
  ];
  assert.deepEqual(arriving({ ...turn, parts: parts.slice(0, 2) }), ["one", "two"]);
  assert.deepEqual(arriving({ ...answered, parts }), ["three"]);
  assert.deepEqual(arriving({ ...turn, usage: [request, request], parts }), []);
});

test("StatusLoop redraws at most once a second while a response arrives", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: began });
  let turnNow: Turn = { ...turn, status: "running" };
  const drawn: string[] = [];
  const now = () => facts({ now: Date.now(), turn: turnNow, arrived: () => 10 });
  const loop = new StatusLoop({
    now: Date.now,
    state: () => statusState(now()),
    face: () => statusFace(now(), spoken),
    draw: ({ text }) => drawn.push(text),
  });
  for (let step = 0; step < 50; step += 1) {
    loop.refresh();
    context.mock.timers.tick(100);
  }
  assert.deepEqual(
    drawn,
    [0, 1, 2, 3, 4, 5].map((second) => `$(loading~spin) ${second}s · ≈10 out`),
  );
  turnNow = answered;
  loop.refresh();
  assert.equal(drawn.at(-1), "$(database) 48.2k in (84% cached) · 1.2k out", "the end is shown at once");
  context.mock.timers.tick(60_000);
  assert.equal(drawn.length, 7, "and nothing moves after it");
  loop.dispose();
});

test("StatusLoop shows the cache countdown in its last minute, every ten seconds, until a hit ends it", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: began + 14_000 });
  let last = answered;
  const drawn: string[] = [];
  const now = () => facts({ now: Date.now(), turn: last, warmth: warmth(rowsOfTurn("c", last), Date.now()) });
  const loop = new StatusLoop({
    now: Date.now,
    state: () => statusState(now()),
    face: () => statusFace(now(), spoken),
    draw: ({ text }) => drawn.push(text.split(" · ").slice(2).join()),
  });
  loop.refresh();
  for (let second = 0; second < 299; second += 1) context.mock.timers.tick(1000);
  const seconds = ["1:00", "0:50", "0:40", "0:30", "0:20", "0:10"];
  assert.deepEqual(drawn, ["", ...seconds.map((left) => `cached for ${left}`)]);
  context.mock.timers.tick(1000);
  assert.equal(drawn.at(-1), "", "then it says nothing");
  context.mock.timers.tick(600_000);
  assert.equal(drawn.length, 8, "and rests");
  last = { ...answered, usage: [{ ...request, ttl: "5m", at: Date.now() }] };
  loop.refresh();
  context.mock.timers.tick(240_000);
  assert.equal(drawn.at(-1), "cached for 1:00");
  last = { ...answered, usage: [{ ...request, ttl: "5m", at: Date.now() }] };
  loop.refresh();
  assert.equal(drawn.at(-1), "");
  loop.dispose();
  context.mock.timers.tick(1_000_000);
  assert.equal(drawn.length, 11, "a closed window draws nothing");
});

test("the cache countdown never overstates the time left by ten seconds or more", () => {
  const until = began + 14_000 + 300_000;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), (left) => {
      const warm = { state: "warm", until, tokens: 45_000 } as const;
      const shown = face({ turn: answered, now: until - left, warmth: warm });
      const [, minutes = "", seconds = ""] = /cached for (\d+):(\d\d)/.exec(shown.text) ?? [];
      const said = (Number(minutes) * 60 + Number(seconds)) * 1000;
      assert.ok(said - left >= 0 && said - left < 10_000);
      assert.ok((shown.again ?? 0) > 0 && (shown.again ?? 0) <= 10_000);
    }),
  );
  const early = face({ turn: answered, warmth: { state: "warm", until, tokens: 45_000 } });
  const end = new Date(until).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit" });
  assert.deepEqual(early.rows.at(-1), ["Stays cached until about", end]);
  assert.doesNotMatch(early.text, /cached for/);
  const cheap = { state: "warm", until, tokens: 900 } as const;
  assert.doesNotMatch(face({ turn: answered, now: until - 5000, warmth: cheap }).text, /cached for/);
  assert.match(
    early.notes.join(" "),
    /asked before then reads ≈45,000 tokens from the cache.*Times are approximate/,
  );
});

test("statusFace says that the cache belongs to the organization, and no command offers to clear it", () => {
  const warm = { state: "warm", until: began + 200_000, tokens: 1 } as const;
  const { notes } = face({ turn: answered, warmth: warm });
  assert.match(notes.join(" "), /belongs to your organization and can't be cleared/);
  const commands = JSON.parse(readFileSync("package.nls.json", "utf8")) as Record<string, string>;
  const titles = Object.entries(commands).filter(([key]) => key.startsWith("command."));
  assert.deepEqual(
    titles.filter(([, title]) => /clear.*cache|cache.*clear/i.test(title)),
    [],
  );
});

test("numbers and durations are formatted short for the status bar and in words for the label", () => {
  assert.deepEqual([0, 999, 1000, 1187, 48_200, 999_949, 999_950, 3_100_000].map(inShort), [
    "0",
    "999",
    "1.0k",
    "1.2k",
    "48.2k",
    "999.9k",
    "1.0M",
    "3.1M",
  ]);
  assert.equal(durationInWords(190_000, "en"), "3 minutes, 10 seconds");
  assert.equal(durationInWords(3_600_000, "en"), "1 hour");
  assert.equal(durationInWords(0, "en"), "0 seconds");
  assert.deepEqual([320, 3210, 250_000].map(duration), ["320 ms", "3.2 s", "4 min 10 s"]);
  assert.deepEqual([999.7, 59_970, 119_600].map(duration), ["1.0 s", "1 min 0 s", "2 min 0 s"]);
});

test("draftCount widens the margin of a draft by the estimate errors of its conversation only", () => {
  const draftContents = [{ kind: "text", text: asTyped("?") }] as const;
  const counts = {
    about: () => ({ tokens: 100, margin: 0.02, counts: 9 }),
    best: () => ({ tokens: 100, exact: false }),
  };
  const shown = (turns: readonly Turn[]) => {
    const drafting = {
      choices: { model: "svc-k3" },
      draft: { contents: draftContents, attachments: [] },
      state: { id: "c", turns: [...turns] },
    };
    return face({ count: draftCount(drafting, counts) }).rows[0]?.[1];
  };
  assert.equal(shown([]), "≈100 ± 2 %");
  assert.equal(shown([{ ...turn, usage: [{ ...request, input: 1000, estimate: 600 }] }]), "≈100 ± 40 %");
  const drafting = {
    choices: { model: "svc-k3" },
    draft: { contents: [], attachments: [] },
    state: { id: "c", turns: [] },
  };
  assert.equal(draftCount(drafting, counts), undefined);
});

test("statusFace adds the activity of other conversations to that of the current one", () => {
  const quiet = face({});
  const busy = face({ others: { running: 2, waiting: 1, failed: 0 } });
  assert.equal(busy.text, `${quiet.text} $(sync~spin) 2 $(bell) 1`);
  assert.match(busy.label, /Other conversations running: 2\. Other conversations to review: 1\.$/);
  assert.deepEqual(busy.rows.slice(quiet.rows.length), [
    ["Other conversations running", "2"],
    ["Other conversations to review", "1"],
  ]);
});
