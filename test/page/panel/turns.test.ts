// A turn in the page: its question, what can be done with it, and how it ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import { fixErrorsPrompt, message } from "../../../src/conversation/messages.ts";
import type { Turn } from "../../../src/conversation/state.ts";
import { picture } from "./support/looks.ts";
import { conversationOf, openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

test("a turn shows author, model, attachments, usage and duration", async () => {
  const { page, panel } = await openTurns(samples.whole);
  const text = await page.locator("article").innerText();
  for (const expected of [
    "You",
    "K3",
    "src/parse.ts, lines 3–9",
    // What was counted here, what the service has counted, and what nobody has.
    "≈\u2009131",
    "812",
    "47 KB",
    "parse() splits a line at its first colon.",
    "K3 · 14 s · 48.2k in (83 % cached) · 1.2k out",
  ]) {
    assert.ok(text.includes(expected), `${expected} in ${text}`);
  }
  await panel.close();
});

test("the prompt of an editor action appears in plain words, and that of a button under the name Patchbay", async () => {
  const asked = [
    "/explain src/cart.ts:10–16",
    "/fix total is wrong (src/cart.ts:3)",
    "/explain this",
    fixErrorsPrompt,
  ];
  const { page, panel } = await openTurns(
    ...asked.map((prompt, at) => ({ ...samples.whole, id: String(at), attachments: [], prompt })),
  );
  const said = await page
    .locator(".question")
    .evaluateAll((all) =>
      all.map((one) => [
        one.querySelector(".author")?.textContent ?? "",
        one.querySelector(".prompt")?.textContent ?? "",
      ]),
    );
  assert.deepEqual(said, [
    ["You", "Explain cart.ts:10–16"],
    ["You", "Fix cart.ts:3: total is wrong"],
    ["You", "/explain this"],
    ["Patchbay", fixErrorsPrompt],
  ]);
  assert.equal(await page.locator(".title .name").textContent(), "Explain cart.ts:10–16");
  await panel.close();
});

test("the actions of a turn are visible without hovering and reachable by keyboard alone", async () => {
  const { host, page, panel } = await openTurns(samples.whole);
  const toolbar = page.getByRole("toolbar");
  const labels = await toolbar.getByRole("button").evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(labels, [
    "Copy as Markdown",
    "Regenerate",
    "Edit and resend",
    "Rewind to before this question",
    "Branch here",
    "Show request and response",
  ]);
  for (const button of await toolbar.getByRole("button").all()) {
    assert.ok(await button.evaluate((one) => one.checkVisibility({ opacityProperty: true })));
  }
  await toolbar.getByRole("button").first().focus();
  await page.keyboard.press("Enter");
  for (const _ of ["regenerate", "edit", "rewind", "branch"]) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await panel.settled();
  assert.equal(host.asked[0]?.[0], "copy");
  assert.match(String(host.asked[0]?.[1]), /^parse\(\) splits/);
  assert.deepEqual(host.asked.slice(1), [
    ["act-on-turn", "whole", "branch"],
    ["act-on-turn", "whole", "inspect"],
  ]);
  await panel.close();
});

test("the elapsed and waiting times of a turn survive a change of the system clock and a redraw", async () => {
  const running = { ...turn("runs", { prompt: "Go", parts: [] }), at: Date.now() - 5000, status: "running" };
  const busy = {
    ...samples.waiting,
    waiting: { ...samples.waiting.waiting, until: Date.now() + 600_000 },
  };
  for (const [shown, counted] of [
    [running, /\b\d+ s$/],
    [busy, /(?:9 min|10 min)/],
  ] as const) {
    const conversation = conversationOf(shown as Turn);
    const host = smallHost({ conversation });
    const panel = await openPanel(host);
    const progress = panel.page.locator(".progress");
    assert.match(await progress.innerText(), counted);
    await panel.page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 7_200_000;
    });
    host.open({ ...conversation, id: "another", turns: [] });
    await panel.settled();
    assert.equal(await progress.count(), 0);
    host.open(conversation);
    await panel.settled();
    assert.match(await progress.innerText(), counted);
    await panel.close();
  }
});

test("each ending of a turn shows one sentence with the matching buttons", async () => {
  const endings: readonly (readonly [Turn, RegExp, readonly string[]])[] = [
    [samples.incomplete, /output limit/, ["Continue", "Raise the Limit"]],
    [samples.filtered, /cut off the response: content_filter\./, ["Continue", "Try Again"]],
    [
      samples.stopped,
      /^Stopped[\s\S]*Details[\s\S]*told that this was stopped/,
      ["Continue", "Try Again", "Exclude from Context"],
    ],
    [{ ...samples.stopped, excluded: true }, /Excluded from context/, ["Continue", "Try Again"]],
    [samples.interrupted, /interrupted/, ["Continue", "Try Again", "Exclude from Context"]],
    [
      samples.failed,
      /502 three times[\s\S]*told that this failed/,
      ["Try Again", "Open Log", "Exclude from Context"],
    ],
    [samples.offline, /^You seem to be offline\. Check your network connection\./, ["Try Again"]],
    [samples.badKey, /did not accept the API key[\s\S]*Not included in later requests/, ["Try Again"]],
    [turn("empty", { parts: [] }), /empty response/, ["Try Again"]],
    [
      samples.tooLarge,
      /Largest context: src\/generated\.ts \(412 KB\), src\/small\.ts \(900 bytes\)\./,
      ["Remove Attachments", "Choose Another Model", "Try Again"],
    ],
    [samples.modelGone, /did not find it/, ["Choose Another Model", "Try Again"]],
  ];
  const { host, page, panel } = await openTurns();
  const card = page.locator(".ending .card");
  for (const [ended, sentence, buttons] of endings) {
    host.open(conversationOf(ended));
    await panel.settled();
    assert.match((await card.textContent()) ?? "", sentence);
    assert.equal(await card.locator("details[open]").count(), 0, "what nobody acts on is folded");
    assert.ok((await card.locator("button.primary").count()) <= 1);
    assert.deepEqual(await card.getByRole("button").allInnerTexts(), buttons);
  }
  await panel.close();
});

test("a failed turn shows how long to wait only if it is the last", async () => {
  const { failed } = samples;
  assert.ok(failed.problem !== undefined);
  const later = { ...failed, problem: { ...failed.problem, retryAt: Date.now() + 600_000 } };
  const { host, page, panel } = await openTurns(later);
  const wait = page.getByText(/^The service asks to wait/);
  await wait.waitFor();
  host.happen({ type: "started", turn: "2", at: 1, model: "svc-k3", route: "responses", prompt: "Else" });
  await panel.settled();
  assert.equal(await wait.count(), 0);
  await panel.close();
});

test("a turn with a refused API key offers Replace Key first, and only Try Again once the key is replaced", async () => {
  const { host, page, panel } = await openTurns(samples.badKey);
  const buttons = () => page.locator(".card").getByRole("button").allInnerTexts();
  const { problem } = samples.badKey;
  assert.ok(problem !== undefined);
  host.setViewState({ caution: problem });
  await panel.settled();
  assert.deepEqual(await buttons(), ["Replace Key", "Try Again"]);
  host.setViewState({ caution: undefined });
  await panel.settled();
  assert.deepEqual(await buttons(), ["Try Again"]);
  await page.getByRole("button", { name: "Try Again", exact: true }).click();
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["act-on-turn", "badKey", "retry"]);
  await panel.close();
});

test("a stopped turn is excluded from the context with one click, even if it is not the last", async () => {
  const { host, page, panel } = await openTurns(samples.stopped, samples.whole);
  await page.getByRole("button", { name: "Exclude from Context" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-turn", "stopped", "exclude"]]);
  host.happen({ type: "excluded", turn: "stopped", at: 1 });
  await panel.settled();
  assert.match(await page.locator(".ending .card").innerText(), /Excluded from context/);
  assert.equal(await page.getByRole("button", { name: "Exclude from Context" }).count(), 0);
  await panel.close();
});

test("a summary appears folded between the turns, without a question and without Edit and resend", async () => {
  const summary = turn("summary", {
    prompt: "",
    compacts: true,
    parts: [{ type: "text", id: "s", text: "The user works on the parser." }],
  });
  const { page, panel } = await openTurns(samples.whole, summary, samples.filtered);
  const article = page.locator('article[data-turn="summary"]');
  assert.match(
    await article.innerText(),
    /Summary for the model[\s\S]*Earlier messages are summarized above/,
  );
  assert.equal(await article.getByText("The user works on the parser.").isVisible(), false);
  await article.getByText("Summary for the model").click();
  assert.equal(await article.getByText("The user works on the parser.").isVisible(), true);
  assert.equal(await article.getByRole("button", { name: "Edit and resend" }).count(), 0);
  assert.equal(await article.locator(".question").isVisible(), false);
  await panel.close();
});

test("the window meter shows how full the context window is and offers to compact when it is nearly full", async () => {
  const host = smallHost({
    conversation: conversationOf(samples.whole),
    viewState: { window: { used: 26_000, size: 131_000 } },
  });
  const panel = await openPanel(host);
  const meter = panel.page.locator(".window-meter");
  assert.match(await meter.innerText(), /^20%\n/);
  assert.match(await meter.innerText(), /26,000 of 131,000[\s\S]*You're asked first/);
  host.setViewState({ window: { used: 118_000, size: 131_000 } });
  await panel.settled();
  assert.match(await meter.innerText(), /^90% · Compact\n/);
  await meter.click();
  await panel.settled();
  assert.deepEqual(host.asked, [["run", "compact"]]);
  await panel.close();
});

test("the window meter offers a summary once the cache has gone cold, also where the window's size is unknown", async () => {
  const cold = { from: Date.now() - 1, tokens: 182_000, summary: 4_100 };
  const host = smallHost({ conversation: conversationOf(samples.whole), viewState: { cold } });
  const panel = await openPanel(host);
  const meter = panel.page.locator(".window-meter");
  assert.match(await meter.innerText(), /^≈\u2009182\.0k not cached · Compact\n/);
  assert.match(await meter.innerText(), /sends ≈\u2009182\.0k tokens again[\s\S]*summary of ≈\u20094\.1k/);
  await picture(panel.page, "cold-cache");
  host.setViewState({ cold: { ...cold, from: Date.now() + 3_600_000 } });
  await panel.settled();
  assert.equal(await meter.isVisible(), false, "it is still warm");
  host.setViewState({ cold, window: { used: 182_000, size: 1_000_000 } });
  await panel.settled();
  assert.match(await meter.innerText(), /^18% · ≈\u2009182\.0k not cached · Compact\n/);
  await meter.click();
  await panel.settled();
  assert.deepEqual(host.asked, [["run", "compact"]]);
  await panel.close();
});

test("the note about a service with basic fields offers Detect Features, except in a read-only conversation", async () => {
  const plain = (viewState: Partial<ViewState>) =>
    smallHost({
      conversation: conversationOf(
        turn("plain", { parts: [{ type: "note", id: "n", notes: [message("notePlain")] }] }),
      ),
      viewState,
    });
  const host = plain({});
  const panel = await openPanel(host);
  const detect = panel.page.locator(".part.note").getByRole("button", { name: "Detect Features…" });
  await detect.click();
  await panel.settled();
  assert.deepEqual(host.asked, [["act", "detect-features"]]);
  await panel.close();
  const elsewhere = await openPanel(plain({ readOnly: true }));
  await elsewhere.page.getByText("only accepts what its interface shows").waitFor();
  assert.equal(await elsewhere.page.getByRole("button", { name: "Detect Features…" }).count(), 0);
  await elsewhere.close();
});

test("an interrupted turn offers Continue only if it is the last", async () => {
  const { page, panel } = await openTurns(samples.interrupted, samples.whole);
  assert.equal(await page.getByRole("button", { name: "Continue" }).count(), 0);
  await panel.close();
});

test("a cut turn disappears, even if it was not loaded yet", async () => {
  const many = Array.from({ length: 250 }, (_, index) => turn(String(index)));
  const { host, page, panel } = await openTurns(...many);
  host.happen({ type: "cut", turn: "248", at: 1 });
  await panel.settled();
  assert.equal(await page.getByText("Question 248", { exact: true }).count(), 0);
  host.happen({ type: "cut", turn: "3", at: 1 });
  await panel.settled();
  assert.deepEqual(await page.locator("article h3").allTextContents(), [
    "Question 0",
    "Question 1",
    "Question 2",
  ]);
  await panel.close();
});

test("a turn with an invalid time is shown like any other", async () => {
  const { page, panel } = await openTurns(turn("odd", { at: 2 ** 53, endedAt: -(2 ** 53) }));
  assert.match(await page.locator("article").innerText(), /Answer odd/);
  await panel.close();
});

test("the question sticks above its response, gives way to the find bar and scrolls back to itself on click", async () => {
  const text = `${"A line of the answer.\n\n".repeat(60)}needle\n\n${"More of it.\n\n".repeat(60)}`;
  const { page, panel } = await openTurns(
    turn("1", { prompt: "/explain src/cart.ts:3", parts: [{ type: "text", id: "t", text }] }),
    turn("2", { continues: true, prompt: "", parts: [{ type: "text", id: "t", text }] }),
  );
  await page.setViewportSize({ width: 300, height: 600 });
  const stuck = page.locator(".stuck-question");
  const scrollTo = async (top: number) => {
    await page.evaluate((to) => document.querySelector(".transcript")?.scrollTo(0, to), top);
    await panel.settled();
  };
  await scrollTo(0);
  await stuck.waitFor({ state: "hidden" });
  await scrollTo(900);
  await stuck.getByText("Explain cart.ts:3").waitFor();
  // Of an answer that goes on as well.
  await scrollTo(100_000);
  await stuck.getByText("Explain cart.ts:3").waitFor();
  await page.getByRole("button", { name: "Find in conversation" }).click();
  await page.keyboard.type("needle");
  await panel.settled();
  // The find bar has its place meanwhile.
  await stuck.waitFor({ state: "hidden" });
  const edges = await page.evaluate(() => {
    const [found] = [...(CSS.highlights.get("found-now") ?? [])] as Range[];
    const bar = document.querySelector(".find");
    return [found?.getBoundingClientRect().top ?? 0, bar?.getBoundingClientRect().bottom ?? 0] as const;
  });
  assert.ok(edges[1] > 0 && edges[0] >= edges[1], `found at ${edges[0]}, below ${edges[1]}`);
  await page.keyboard.press("Escape");
  await stuck.locator(".bubble").click();
  await page.locator('article[data-turn="1"]:focus').waitFor();
  await stuck.waitFor({ state: "hidden" });
  await panel.close();
});

test("a turn shows what was sent beside the results of its tools as further chips of its question", async () => {
  const host = smallHost({ conversation: { id: "c", turns: [] } });
  const { page, settled, close } = await openPanel(host);
  const chip = (path: string) => ({ kind: "instructions", label: path, path, bytes: 10 });
  host.happen({
    ...{ type: "started", turn: "1", at: 1, model: "svc-k3", route: "responses" },
    ...{ prompt: "Why?", attachments: [chip("AGENTS.md")] },
  });
  await settled();
  for (const path of ["a/AGENTS.md", "b/AGENTS.md"])
    host.happen({ type: "attached", turn: "1", attachments: [chip(path)] });
  await settled();
  const chips = await page.locator(".chips.attached li").allInnerTexts();
  assert.deepEqual(
    chips.map((text) => /\S*AGENTS\.md/.exec(text)?.[0]),
    ["AGENTS.md", "a/AGENTS.md", "b/AGENTS.md"],
  );
  await close();
});

test("a question about instructions of the workspace shows them, and offers to send without them", async () => {
  const question: ViewState["question"] = {
    id: "1",
    kind: "limit",
    message: message("questionInstructions", { names: "a/AGENTS.md" }),
    detail: "a/AGENTS.md\n\nUse tabs.",
    actions: ["send-anyway", "leave-out"],
  };
  const host = smallHost({ viewState: { question } });
  const { page, settled, close } = await openPanel(host);
  assert.match(
    await page.locator("body").innerText(),
    /give the model instructions \(a\/AGENTS\.md\)[\s\S]*Use tabs\./,
  );
  await page.getByRole("button", { name: "Send Without It" }).click();
  await settled();
  assert.match(JSON.stringify(host.asked.at(-1)), /leave-out/);
  await close();
});
