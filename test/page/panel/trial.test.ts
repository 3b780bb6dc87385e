// The card with several tries at one question: its quote, its table, and what a person takes.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TrialView } from "../../../src/bridge/view-state.ts";
import { message } from "../../../src/conversation/messages.ts";
import type { Problem } from "../../../src/conversation/problem.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

const candidate = (
  label: string,
  more: Partial<TrialView["candidates"][number]> = {},
): TrialView["candidates"][number] => ({
  ...{ label, state: "waiting", verdict: "none", checks: [], paths: [], added: 0, removed: 0, flags: [] },
  ...{ tokens: 0, quote: { fresh: 12_400, cached: 0 } },
  ...more,
});

const quoted: TrialView = {
  words: "Make the sum right.",
  way: "models",
  ways: ["repeat", "models", "efforts"],
  isStarted: false,
  isRunning: false,
  hasGrown: false,
  candidates: [
    candidate("K3", { quote: { fresh: 12_400, cached: 0, price: "$0.04" } }),
    candidate("K2.7 Code", { quote: { fresh: 12_400, cached: 0, price: "$0.02" } }),
    candidate("K2.6"),
  ],
};

const passed: Partial<TrialView["candidates"][number]> = {
  ...{ state: "finished", verdict: "pass", checks: [message("checkOk", { name: "types" })] },
  ...{ paths: ["src/sum.ts", "src/total.ts"], added: 4, removed: 2, tokens: 18_230, milliseconds: 41_000 },
};
const ended: TrialView = {
  ...quoted,
  isStarted: true,
  candidates: [
    candidate("K3", { ...passed, price: "$0.06" }),
    candidate("K2.7 Code", {
      ...passed,
      ...{ verdict: "fail", checks: [message("checkNew", { name: "types", count: 2 })] },
      ...{ paths: ["src/sum.ts"], flags: [message("riskTestOne")] },
    }),
    candidate("K2.6", { state: "failed", problem: message("sideNothing") }),
  ],
};

test("the quote of each try is told before anything is sent, and what differs can be chosen", async () => {
  const host = smallHost({ viewState: { trial: quoted } });
  const panel = await openPanel(host);
  const { page } = panel;
  const card = page.getByRole("group", { name: /^Three tries/ });
  await card.waitFor();
  const cells = await card.getByRole("row").nth(1).getByRole("cell").allInnerTexts();
  assert.deepEqual(cells, ["≈ 12,400", "0", "$0.04"]);
  await card.getByRole("radio", { name: "Efforts" }).click();
  await card.getByRole("button", { name: "Start" }).click();
  await card.getByRole("button", { name: "Cancel" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["choose-trial-way", "efforts"],
    ["act-on-trial", "start"],
    ["act-on-trial", "leave"],
  ]);
  await panel.close();
});

test("a quote that has grown is told as a reason why nothing was sent", async () => {
  const two = { ...quoted, hasGrown: true, candidates: quoted.candidates.slice(0, 2) };
  const panel = await openPanel(smallHost({ viewState: { trial: two } }));
  const card = panel.page.getByRole("group", { name: /^Two tries/ });
  await card.getByText(/^Nothing was sent: it has become more than you agreed to/).waitFor();
  await panel.close();
});

test("the table tells checks, change, cost and time of each try, one of which is taken", async () => {
  const host = smallHost({ viewState: { trial: ended } });
  const panel = await openPanel(host);
  const { page } = panel;
  const card = page.getByRole("group", { name: /^Three tries/ });
  await card.waitFor();
  const row = card.getByRole("row").nth(1);
  const cells = await row.getByRole("cell").allInnerTexts();
  const words = cells.slice(0, 4).map((text) => text.replace(/\s+/g, " "));
  assert.deepEqual(words, ["types ✓", "2 files +4 −2", "$0.06", "41 s"]);
  await row.getByRole("button", { name: "Look: 1 · K3" }).click();
  await row.getByRole("button", { name: "Response: 1 · K3" }).click();
  await row.getByRole("button", { name: "Take This One: 1 · K3" }).click();
  await card.getByRole("button", { name: "Try Again: 3 · K2.6" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-trial", "look", 0],
    ["act-on-trial", "read", 0],
    ["act-on-trial", "take", 0],
    ["act-on-trial", "again", 2],
  ]);
  await panel.close();
});

test("checks of a try that wait for a person are run from its row, and stopped there", async () => {
  const waiting: typeof passed = { ...passed, verdict: "open", asks: true };
  const trial: TrialView = {
    ...ended,
    candidates: [
      candidate("K3", waiting),
      candidate("K2.7 Code", { ...passed, verdict: "pending" }),
      candidate("K2.6", { state: "finished" }),
    ],
  };
  const host = smallHost({ viewState: { trial } });
  const panel = await openPanel(host);
  const card = panel.page.getByRole("group", { name: /^Three tries/ });
  await card.getByRole("button", { name: "Run Checks…: 1 · K3" }).press("Enter");
  await card.getByRole("button", { name: "Stop: 2 · K2.7 Code" }).press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-trial", "check", 0],
    ["act-on-trial", "stop", 1],
  ]);
  assert.equal(await card.getByRole("button", { name: "Look: 3 · K2.6" }).count(), 0);
  await panel.close();
});

test("changes of two tries are chosen file by file, by keyboard", async () => {
  const host = smallHost({ viewState: { trial: ended } });
  const panel = await openPanel(host);
  const { page } = panel;
  const card = page.getByRole("group", { name: /^Three tries/ });
  await card.getByRole("button", { name: "Take Changes of…" }).press("Enter");
  const select = card.getByRole("combobox", { name: "src/sum.ts" });
  assert.equal(await select.evaluate((one) => one === document.activeElement), true);
  await select.press("ArrowDown");
  await card.getByRole("button", { name: "Take These" }).press("Enter");
  await panel.settled();
  const files = [
    { path: "src/sum.ts", candidate: 1 },
    { path: "src/total.ts", candidate: 0 },
  ];
  assert.deepEqual(host.asked, [["act-on-trial", "take", 1, files]]);
  await panel.close();
});

test("a file of a try that ended again is taken as the open form shows it", async () => {
  const host = smallHost({ viewState: { trial: ended } });
  const panel = await openPanel(host);
  const card = panel.page.getByRole("group", { name: /^Three tries/ });
  await card.getByRole("button", { name: "Take Changes of…" }).press("Enter");
  const again = candidate("K2.6", { ...passed, paths: ["src/more.ts"] });
  host.setViewState({ trial: { ...ended, candidates: [...ended.candidates.slice(0, 2), again] } });
  await card.getByRole("combobox", { name: "src/more.ts" }).waitFor();
  await card.getByRole("button", { name: "Take These" }).press("Enter");
  await panel.settled();
  const files = [
    { path: "src/sum.ts", candidate: 0 },
    { path: "src/total.ts", candidate: 0 },
    { path: "src/more.ts", candidate: 2 },
  ];
  assert.deepEqual(host.asked, [["act-on-trial", "take", 0, files]]);
  await panel.close();
});

test("in a narrow page nothing of the table is cut off", async () => {
  const panel = await openPanel(smallHost({ viewState: { trial: ended } }), { width: 300 });
  const { page } = panel;
  await page.getByRole("group", { name: /^Three tries/ }).waitFor();
  const isWider = await page.evaluate(() => {
    const main = document.querySelector("main");
    return main !== null && main.scrollWidth > main.clientWidth;
  });
  assert.equal(isWider, false);
  assert.equal(await page.getByRole("row").count(), 4, "it stays a table for screen readers");
  await panel.close();
});

test("the menu of the model and a failed turn offer it where it is possible", async () => {
  const problem: Problem = { kind: "bug", message: message("problemInside"), actions: ["retry"] };
  const host = smallHost({
    conversation: { id: "c1", turns: [turn("1", { parts: [], status: "failed", problem })] },
    draft: "Make the sum right.",
    viewState: { canTry: true },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  await page.getByRole("button", { name: "Try 3 Ways" }).click();
  await page.getByRole("button", { name: /^Model: / }).click();
  await page.getByRole("menuitem", { name: /^Try 3 Ways/ }).click();
  await panel.settled();
  const asked = host.asked.filter(([type]) => type !== "draft");
  assert.deepEqual(asked, [
    ["try-turn", "1"],
    ["try-ways", "Make the sum right."],
  ]);
  await panel.close();
});

test("a page without tries loads nothing for them", async () => {
  const panel = await openPanel(smallHost());
  const loaded = await panel.page.evaluate(() => globalThis.patchbayTrialCard !== undefined);
  assert.equal(loaded, false);
  await panel.close();
});
