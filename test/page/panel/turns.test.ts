// A turn in the page: its question, what can be done with it, and how it ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import type { Turn } from "../../../src/core/conversation/state.ts";
import { message } from "../../../src/core/messages/message.ts";
import { conversationOf, openTurns } from "./support/open-turns.ts";
import { closeBrowserAfterwards, openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

closeBrowserAfterwards();

test("a turn says who spoke, with which model, what it used and how long it took", async () => {
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
    "K3 · 14 s",
  ]) {
    assert.ok(text.includes(expected), `${expected} in ${text}`);
  }
  await panel.close();
});

test("every action is in sight without hovering, and reachable by keyboard alone", async () => {
  const { host, page, panel } = await openTurns(samples.whole);
  const toolbar = page.getByRole("toolbar");
  const labels = await toolbar.getByRole("button").evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(labels, [
    "Copy as Markdown",
    "Regenerate",
    "Edit and resend",
    "Branch here",
    "Show request and response",
  ]);
  for (const button of await toolbar.getByRole("button").all()) {
    assert.ok(await button.evaluate((one) => one.checkVisibility({ opacityProperty: true })));
  }
  await toolbar.getByRole("button").first().focus();
  await page.keyboard.press("Enter");
  for (const _ of ["regenerate", "edit", "branch"]) await page.keyboard.press("ArrowRight");
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

test("a question can be asked again in other words, from the keyboard, and Escape leaves it as it was", async () => {
  const host = smallHost({
    conversation: conversationOf(samples.whole),
    cost: { edit: 46_110, branch: 48_120, editPrice: "€0.16" },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  const edit = page.getByRole("button", { name: "Edit and resend" });
  const branch = page.getByRole("button", { name: "Branch here" });
  await branch.hover();
  await panel.settled();
  assert.equal(
    await branch.getAttribute("title"),
    "Branch here\nA branch sends ≈48,120 cached tokens uncached.",
  );
  await edit.click();
  await page
    .getByText("≈46,110 cached tokens will be sent uncached. That costs ≈€0.16 more at your prices.")
    .waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".rewrite").count(), 0);
  await edit.click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("And for a full line?");
  await page.keyboard.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["edit-turn", "whole", "And for a full line?"]]);
  await panel.close();
});

test("what is being written in the place of a question that goes stands in the box, before what is there, and that is said", async () => {
  const { host, page, panel } = await openTurns(turn("1"), turn("2"), turn("3"));
  const box = page.locator(".composer textarea");
  const edit = page.getByRole("button", { name: "Edit and resend" });
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  await box.fill("half");
  await edit.nth(2).click();
  // Nobody has written anything there.
  host.happen({ type: "cut", turn: "3", at: 1 });
  await panel.settled();
  assert.equal(await box.inputValue(), "half");
  await edit.nth(1).click();
  await editor.fill("In other words?");
  host.happen({ type: "cut", turn: "2", at: 1 });
  await panel.settled();
  assert.equal(await editor.count(), 0);
  assert.equal(await box.inputValue(), "In other words?\n\nhalf");
  assert.deepEqual(host.asked.at(-1), ["draft", "In other words?\n\nhalf"]);
  assert.ok(await box.evaluate((element) => element === document.activeElement));
  assert.equal(
    await page.locator(".hint").innerText(),
    "The question no longer exists. Your changed text is in the box.",
  );
  // The conversation was read again, and the question is not in it any more.
  await edit.click();
  await editor.fill("And now?");
  host.open(conversationOf(turn("4")));
  await panel.settled();
  assert.equal(await box.inputValue(), "And now?\n\nIn other words?\n\nhalf");
  await panel.close();
});

test("what is being written in the place of a question is there again when the reader comes back, from far away or from another conversation", async () => {
  const many = Array.from({ length: 250 }, (_, index) => turn(String(index)));
  const { host, page, panel } = await openTurns(...many);
  const box = page.locator(".composer textarea");
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  await page.getByRole("button", { name: "Edit and resend" }).last().click();
  await editor.fill("In other words?");
  await box.focus();
  await page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 0));
  await editor.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Go to end" }).click();
  await editor.waitFor();
  assert.equal(await editor.inputValue(), "In other words?");
  host.open({ id: "c2", turns: [turn("another")] });
  await panel.settled();
  assert.deepEqual([await editor.count(), await box.inputValue()], [0, ""]);
  host.open(conversationOf(...many));
  await panel.settled();
  assert.equal(await editor.inputValue(), "In other words?");
  await editor.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["edit-turn", "249", "In other words?"]);
  // It was sent: nothing of it is kept.
  host.open({ id: "c2", turns: [] });
  await panel.settled();
  host.open(conversationOf(...many.slice(0, 249)));
  await panel.settled();
  assert.equal(await box.inputValue(), "");
  await panel.close();
});

test("what is being written in the place of a question outlives the page", async () => {
  const { host, page, panel } = await openTurns(turn("1"), turn("2"));
  await page.getByRole("button", { name: "Edit and resend" }).first().click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("In other words?");
  const isKept = (wanted: boolean) =>
    JSON.stringify((window as unknown as { keptState(): unknown }).keptState()).includes("In other") ===
    wanted;
  await page.waitForFunction(isKept, true);
  const state = await page.evaluate("keptState()");
  await panel.close();
  const next = await openPanel(host, { state });
  const editor = next.page.getByRole("textbox", { name: "Edit the question" });
  await editor.waitFor();
  assert.equal(await editor.inputValue(), "In other words?");
  await next.page.getByRole("button", { name: "Cancel" }).click();
  await next.page.waitForFunction(isKept, false);
  assert.equal(await editor.count(), 0);
  await next.close();
});

test("what is too long to be sent stays where it was written, and that is said", async () => {
  const { host, page, panel } = await openTurns(turn("1"));
  const long = "long ".repeat(220_000);
  const sentence = "Too long to send. Attach a file instead.";
  const box = page.locator(".composer textarea");
  await box.fill(long);
  await box.press("Enter");
  await panel.settled();
  assert.equal(await page.locator(".hint").innerText(), sentence);
  await page.getByRole("button", { name: "Edit and resend" }).click();
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  await editor.fill(long);
  await editor.press("Enter");
  await page.locator(".rewrite").getByText(sentence).waitFor();
  assert.deepEqual([await box.inputValue(), await editor.inputValue()], [long, long]);
  assert.equal(await editor.getAttribute("dir"), "ltr");
  await box.fill("short");
  await box.press("Enter");
  await panel.settled();
  assert.deepEqual(
    host.asked.filter(([type]) => type !== "draft" && type !== "cost"),
    [["send", "short"]],
  );
  await panel.close();
});

test("the editor of a question opens on its bubble and is wholly in sight, however long the answer below it", async () => {
  const long = turn("long", {
    prompt: "Why?\n".repeat(8).trim(),
    parts: [{ type: "text", id: "t", text: "Because of it.\n\n".repeat(60) }],
  });
  const host = smallHost({
    conversation: conversationOf(samples.whole, long),
    cost: { edit: 46_110, branch: 48_120, editPrice: "€0.16" },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  for (const width of [300, 900]) {
    await page.setViewportSize({ width, height: 600 });
    await page.getByRole("button", { name: "Edit and resend" }).last().click();
    await page.getByText("≈46,110 cached tokens will be sent uncached.").last().waitFor();
    await panel.settled();
    const [form, seen] = await page.locator(".rewrite").evaluate((element) => {
      const edges = (one: Element | null) => one?.getBoundingClientRect() ?? new DOMRect();
      return [edges(element).toJSON(), edges(element.closest(".transcript")).toJSON()];
    });
    assert.ok(
      form.top >= seen.top - 1 && form.bottom <= seen.bottom + 1,
      JSON.stringify({ width, form, seen }),
    );
    assert.equal(await page.locator(".composer textarea").inputValue(), "");
    await page.keyboard.press("Escape");
  }
  await panel.close();
});

test("how long a turn has taken, and what it waits for, is counted on when the clock of the machine is set and it is drawn anew", async () => {
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

test("the ways a turn can end are one sentence each, with what can be done about it", async () => {
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

test("how long there is to wait is said of the last turn alone, which is the one to be asked again", async () => {
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

test("a refused key is replaced first, and what failed by it is asked again once it is", async () => {
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

test("what was stopped is left out of the context in one click, also further up", async () => {
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

test("a summary stands between what is above and what goes on from it, folded, and is no question", async () => {
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

test("how full the window is stands below the box; nearly full it offers to compact", async () => {
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

test("where a service takes basic fields only, the line that says so leads to what it may take all the same", async () => {
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

test("only the last turn can be continued", async () => {
  const { page, panel } = await openTurns(samples.interrupted, samples.whole);
  assert.equal(await page.getByRole("button", { name: "Continue" }).count(), 0);
  await panel.close();
});

test("a turn that is cut away disappears, also when it was not loaded yet", async () => {
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

test("a damaged record, with a time that is none, is shown like any other", async () => {
  const { page, panel } = await openTurns(turn("odd", { at: 2 ** 53, endedAt: -(2 ** 53) }));
  assert.match(await page.locator("article").innerText(), /Answer odd/);
  await panel.close();
});
