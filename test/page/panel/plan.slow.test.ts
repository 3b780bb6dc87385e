// The plan above the composer, Plan First, and questions of the model: by keyboard, for screen readers, and as they look.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan, ToolPart } from "../../../src/conversation/state.ts";
import { picture, sideways } from "./support/looks.ts";
import { conversationOf, openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

const plan: Plan = {
  steps: [
    { text: "Read the callers of parse", status: "completed" },
    { text: "Change the type and all that follows from it", status: "in_progress" },
    { text: "Write a test", status: "pending" },
  ],
};
const question: ToolPart = {
  ...{ type: "tool", id: "q", call: "call_q", name: "ask_user", status: "asked" },
  summary: "Which database should it use?",
  question: { text: "Which database should it use?", choices: ["SQLite, a file beside it", "Postgres"] },
};

async function openPlan(viewState = {}) {
  const host = smallHost({ conversation: conversationOf(turn("1", { plan })), viewState });
  const panel = await openPanel(host);
  const asked = async () => {
    await panel.settled();
    return host.asked.filter(([type]) => type !== "draft");
  };
  return { host, panel, page: panel.page, asked };
}

test("the plan is ticked, reworded, removed and added to by keyboard", async () => {
  const { host, panel, page, asked } = await openPlan();
  const section = page.getByRole("region", { name: "Plan" });
  assert.equal(await section.getByRole("checkbox").count(), 3);
  await section.getByRole("button", { name: "Plan 1 of 3 done" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("F2");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Write two tests");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Delete");
  // From the step to its buttons, to the field below.
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("Tab");
  await page.keyboard.type("Say it in the README");
  await page.keyboard.press("Enter");
  const second = plan.steps[1]?.text;
  assert.deepEqual(await asked(), [
    ["edit-plan", { kind: "tick", step: 2, text: "Write a test", done: true }],
    ["edit-plan", { kind: "reword", step: 2, text: "Write a test", to: "Write two tests" }],
    ["edit-plan", { kind: "remove", step: 1, text: second }],
    ["edit-plan", { kind: "add", text: "Say it in the README" }],
  ]);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  // The host does it: the focus moves to the step in its place.
  host.happen({ type: "plan", turn: "1", steps: plan.steps.filter((_, at) => at !== 1), by: "person" });
  await panel.settled();
  assert.equal(
    await page.evaluate(() => document.activeElement?.closest("li")?.innerText.trim()),
    "Write a test",
  );
  host.happen({ type: "plan", turn: "1", steps: [], by: "person" });
  await panel.settled();
  assert.equal(await section.isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  await panel.close();
});

test("a step is reworded to nothing by Escape, and keeps what is typed while the model goes on", async () => {
  const { host, panel, page, asked } = await openPlan();
  await page.getByRole("button", { name: "Reword: Write a test" }).click();
  await page.keyboard.type("Another word");
  host.happen({
    ...{ type: "plan", turn: "1", by: "person" },
    steps: plan.steps.map((step) => ({ ...step, status: "completed" as const })),
  });
  await panel.settled();
  assert.equal(
    await page.getByRole("textbox", { name: "Reword: Write a test" }).inputValue(),
    "Another word",
  );
  await page.keyboard.press("Escape");
  assert.deepEqual(await asked(), []);
  assert.equal(
    await page.getByRole("checkbox", { name: "Write a test" }).evaluate((one) => one.matches(":focus")),
    true,
  );
  await panel.close();
});

test("the plan says to screen readers what is in progress, folds, and is empty in another conversation", async () => {
  const { host, panel, page } = await openPlan();
  const names = await page
    .getByRole("checkbox")
    .evaluateAll((all) =>
      all.map((box) => (box as HTMLInputElement).labels?.[0]?.innerText.replace(/\s+/g, " ")),
    );
  assert.equal(names[1], "Change the type and all that follows from it in progress");
  const head = page.getByRole("button", { name: /^Plan 1 of 3 done/ });
  assert.equal(await head.getAttribute("aria-expanded"), "true");
  await head.press("Enter");
  assert.equal(await head.getAttribute("aria-expanded"), "false");
  assert.equal(await page.getByRole("checkbox").count(), 0);
  assert.match((await head.textContent()) ?? "", /Change the type/);
  host.open({ id: "c2", turns: [] });
  await panel.settled();
  assert.equal(await page.getByRole("region", { name: "Plan" }).count(), 0);
  await panel.close();
});

test("a window that only reads shows the plan and offers no edit", async () => {
  const { panel, page } = await openPlan({ readOnly: true });
  assert.equal(await page.getByRole("checkbox", { disabled: true }).count(), 3);
  const section = page.getByRole("region", { name: "Plan" });
  assert.equal(await section.getByRole("textbox").count(), 0);
  assert.equal(await section.getByRole("button").count(), 1, "it still folds");
  await panel.close();
});

test("Plan First is switched on in the menu, shown above the input, and ended by Go or its key", async () => {
  const { host, panel, page, asked } = await openPlan();
  await page.getByRole("button", { name: /^Model/ }).click();
  await page.getByRole("menuitemcheckbox", { name: /Plan First/ }).click();
  assert.deepEqual(await asked(), [["set-options", true]]);
  host.setViewState({ planFirst: true });
  await panel.settled();
  assert.match((await page.getByRole("status").textContent()) ?? "", /Plan First is on/);
  const group = page.getByRole("group", { name: "Plan First" });
  await group.getByRole("button", { name: "Go" }).click();
  await page.locator(".composer textarea").focus();
  await page.keyboard.press("ControlOrMeta+Shift+Enter");
  await group.getByRole("button", { name: "Switch Plan First off" }).click();
  const go = ["go", "Go ahead with the plan."];
  assert.deepEqual((await asked()).slice(1), [go, go, ["set-options", false]]);
  host.setViewState({ planFirst: false });
  await panel.settled();
  assert.equal(await group.count(), 0);
  await page.locator(".composer textarea").press("ControlOrMeta+Shift+Enter");
  assert.equal((await asked()).length, 4, "nothing to end");
  await panel.close();
});

test("Plan First in an empty conversation has no Go, since there is nothing to go on with", async () => {
  const host = smallHost({ viewState: { planFirst: true } });
  const panel = await openPanel(host);
  const group = panel.page.getByRole("group", { name: "Plan First" });
  assert.equal(await group.isVisible(), true);
  assert.equal(await group.getByRole("button", { name: "Go" }).count(), 0);
  await panel.settled();
  const heard = (await panel.page.getByRole("status").allTextContents()).join("\n");
  assert.doesNotMatch(heard, /Plan First is/, "it was on before the page was opened");
  await panel.close();
});

test("a question of the model is answered by a number, by other words, or not at all by Escape", async () => {
  for (const [keys, decision] of [
    [["2"], { kind: "answer", text: "Postgres" }],
    [["Tab", "Tab", "Tab", "M", "y", "1", "Enter"], { kind: "answer", text: "My1" }],
    [["Tab", "Enter"], { kind: "answer", text: "Postgres" }],
    [["Tab", "Tab", "Tab", "x", "Escape", "Escape"], { kind: "reject" }],
  ] as const) {
    const { host, panel, page } = await openTurns(turn("1", { status: "running", parts: [question] }));
    const card = page.getByRole("group", { name: "Which database should it use?" });
    await page.locator("[data-armed]").waitFor();
    await card.getByRole("button", { name: "1. SQLite" }).focus();
    for (const key of keys) await page.keyboard.press(key);
    await panel.settled();
    const decided = host.asked.filter(([type]) => type === "decide");
    assert.deepEqual(decided, [["decide", "call_q", decision]], keys.join(" "));
    assert.equal(
      host.asked.some(([type]) => type === "stop"),
      false,
    );
    await panel.close();
  }
});

test("a question is announced with its words, found by Find, and keeps its answer in its row", async () => {
  const { host, panel, page } = await openTurns(turn("1", { status: "running", parts: [] }));
  host.happen({ ...question, turn: "1" });
  await panel.settled();
  assert.match((await page.getByRole("status").textContent()) ?? "", /The model asks you: Which database/);
  assert.match((await page.locator(".progress").textContent()) ?? "", /Needs your reply/);
  const message = { code: "askUserAnswer", args: { answer: "Postgres" } } as const;
  host.happen({ ...question, status: "done", message, turn: "1" });
  await panel.settled();
  assert.equal(await page.locator(".asks").count(), 0);
  assert.match(
    (await page.locator(".part.tool").innerText()) ?? "",
    /Asked you\s+Which database[^\n]*\s+Done\s+Your reply: Postgres/,
  );
  await panel.close();
});

test("a question whose window was closed is still asked in the ended response", async () => {
  const { host, panel, page } = await openTurns(turn("1", { status: "interrupted", parts: [question] }));
  await page.locator("[data-armed]").waitFor();
  await page.getByRole("button", { name: "2. Postgres" }).click();
  await panel.settled();
  assert.deepEqual(
    host.asked.filter(([type]) => type === "decide"),
    [["decide", "call_q", { kind: "answer", text: "Postgres" }]],
  );
  await panel.close();
});

const long =
  "A very long choice that explains itself in so many words that no narrow panel holds it on one line ";
for (const width of [300, 900])
  for (const theme of ["light", "dark", "contrast"] as const)
    test(`plan and question fit a panel of ${width} px in ${theme}`, async () => {
      const asks = {
        ...question,
        question: {
          text: `${long}\nand a second line?`,
          choices: ["Yes", long.repeat(2), "averyveryveryverylongwordwithoutanyspaceinit"],
        },
      };
      const host = smallHost({
        conversation: conversationOf(turn("1", { plan, status: "running", parts: [asks] })),
        viewState: { planFirst: true },
      });
      const panel = await openPanel(host, { width, height: 900, theme });
      await panel.page.locator("[data-armed]").waitFor();
      assert.equal(await sideways(panel.page), "");
      await picture(panel.page, `plan-${width}-${theme}`);
      await panel.page.getByRole("button", { name: /^Plan 1/ }).press("Enter");
      await panel.page.locator(".asks button").first().focus();
      await picture(panel.page, `plan-${width}-${theme}-folded`);
      await panel.close();
    });

test("of two steps with the same text only the one that is being reworded has a field", async () => {
  const twice = { steps: [1, 2].map(() => ({ text: "Run the tests", status: "pending" as const })) };
  const host = smallHost({ conversation: conversationOf(turn("1", { plan: twice })) });
  const panel = await openPanel(host);
  const boxes = panel.page.getByRole("region", { name: "Plan" }).getByRole("checkbox");
  await boxes.nth(1).focus();
  await panel.page.keyboard.press("F2");
  host.setViewState({ planFirst: true });
  await panel.settled();
  assert.equal(await boxes.count(), 1);
  assert.equal(await panel.page.locator(".plan-steps .field").count(), 1);
  await panel.close();
});
