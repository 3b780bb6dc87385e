// The steps of a turn that is over: which they are, what is said of them, and the row that they stand behind.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { message } from "../../../src/conversation/messages.ts";
import type { Part } from "../../../src/conversation/state.ts";
import { finishedSteps, stepsInWords } from "../../../src/page/view/transcript/turn/collapsed-steps.ts";
import { currentMatch } from "./support/current-match.ts";
import { conversationOf, openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

let count = 0;
const tool = (name: string, more: Partial<Extract<Part, { type: "tool" }>> = {}): Part => {
  const id = String(count++);
  return { type: "tool", id, call: id, name, status: "done", summary: "", ...more };
};
const read = (path: string) => tool("read_file", { summary: path });
const part = (first: number) =>
  tool("read_file", { summary: message("toolLines", { path: "a.ts", first, last: first + 9 }) });
const thought = (took?: number): Part => ({ type: "reasoning", id: String(count++), text: "Hm.", took });
const web = (status = "completed"): Part => ({ type: "search", id: String(count++), status, sources: [] });
const text: Part = { type: "text", id: "t", text: "Done." };

describe("finishedSteps", () => {
  test("holds completed steps, but not checks or steps that failed, were refused or await approval", () => {
    const steps = [thought(), read("a.ts"), web()];
    const others = [
      tool("run_checks"),
      tool("read_file", { status: "failed" }),
      tool("run_task", { status: "refused" }),
      tool("run_task", { status: "asked" }),
      web("failed"),
      text,
    ];
    assert.deepEqual(finishedSteps({ status: "done", parts: [...steps, ...others] }), steps);
    assert.deepEqual(finishedSteps({ status: "stopped", parts: [...others, ...steps] }), steps);
  });

  test("is empty for a running turn and for a single step", () => {
    assert.deepEqual(finishedSteps({ status: "running", parts: [thought(), read("a.ts")] }), []);
    assert.deepEqual(finishedSteps({ status: "done", parts: [read("a.ts"), text] }), []);
  });
});

describe("stepsInWords", () => {
  const said: readonly (readonly [steps: readonly Part[], sentence: string])[] = [
    [[thought(9_000), read("a.ts"), read("b.ts"), thought(5_400)], "Read 2 files, thought for 14 s"],
    [[part(1), part(30), read("a.ts")], "Read 1 file"],
    [[tool("search_text"), tool("search_text"), tool("list_files")], "Listed files, searched twice"],
    [
      [tool("search_text"), tool("search_text"), tool("search_text"), web(), tool("problems")],
      "Searched 3 times, searched the web, checked problems",
    ],
    [[web(), web(), tool("run_task"), tool("run_task")], "Searched the web twice, used run_task"],
    [[web(), web(), web(), tool("a"), tool("b")], "Searched the web 3 times, used 2 tools"],
    [[thought(), thought(900)], "Thought"],
  ];
  for (const [steps, sentence] of said)
    test(`says “${sentence}”`, () => assert.equal(stepsInWords(steps), sentence));
});

const done = [
  { ...thought(4_100), id: "thought" } as const,
  { ...tool("read_file", { summary: "src/cart.ts", output: "const total = 0;" }), id: "read" } as const,
  { type: "text", id: "told", text: "Now the discount." } as const,
  { ...tool("search_text", { summary: "“discount”" }), id: "search" } as const,
  { ...tool("read_file", { status: "failed", summary: "src/gone.ts" }), id: "failed" } as const,
  { type: "text", id: "answer", text: "It is rounded." } as const,
] satisfies readonly Part[];

/** What stands in the answer, one line each. */
const shown = (page: Page) => page.locator(".parts > :visible").allInnerTexts();

describe("the steps of a response", () => {
  const rowIn = (page: Page) => page.getByRole("button", { name: "Read 1 file, searched, thought for 4 s" });

  test("fold into one row when the response ends, except those that failed", async () => {
    const { host, page, panel } = await openTurns(turn("1", { status: "running", parts: done }));
    assert.equal((await shown(page)).length, 6);
    assert.equal(await page.locator(".steps").count(), 0);
    host.happen({ type: "ended", turn: "1", at: 1, ending: "done" });
    await panel.settled();
    const lines = ["Read 1 file", "Now the discount.", "Read\nsrc/gone.ts\nFailed", "It is rounded."];
    const seen = await shown(page);
    assert.equal(seen.length, lines.length, seen.join(" | "));
    for (const [index, line] of lines.entries()) assert.ok(seen[index]?.startsWith(line), seen[index]);
    await rowIn(page).press("Enter");
    assert.equal(await rowIn(page).getAttribute("aria-expanded"), "true");
    assert.equal((await shown(page)).length, 7);
    assert.equal(await page.locator(".parts > .finished").count(), 3);
    await page.keyboard.press("Space");
    assert.equal((await shown(page)).length, 4);
    await panel.close();
  });

  test("stay unfolded when the turn leaves the document and when the page is opened again", async () => {
    const more = Array.from({ length: 60 }, (_, index) => turn(`after${index}`));
    const host = smallHost({ conversation: conversationOf(turn("1", { parts: done }), ...more) });
    const panel = await openPanel(host);
    const { page } = panel;
    const scrollTo = async (top: number) => {
      await page.evaluate((to) => document.querySelector(".transcript")?.scrollTo(0, to), top);
      await panel.settled();
    };
    await scrollTo(0);
    await rowIn(page).click();
    await page.locator(".composer textarea").focus();
    await scrollTo(100_000);
    await page.locator('article[data-turn="1"]').waitFor({ state: "detached" });
    await scrollTo(0);
    await rowIn(page).waitFor();
    assert.equal(await rowIn(page).getAttribute("aria-expanded"), "true");
    const state = await page.evaluate("keptState()");
    await panel.close();
    const again = await openPanel(host, { state });
    await again.page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 0));
    await rowIn(again.page).waitFor();
    assert.equal(await rowIn(again.page).getAttribute("aria-expanded"), "true");
    await again.close();
  });

  test("stay unfolded when the response ends while one of them is open and focused", async () => {
    const { host, page, panel } = await openTurns(turn("1", { status: "running", parts: done }));
    await page.locator("summary", { hasText: "src/cart.ts" }).click();
    await page.locator(".reasoning button").focus();
    host.happen({ type: "ended", turn: "1", at: 1, ending: "done" });
    await panel.settled();
    assert.equal(await rowIn(page).getAttribute("aria-expanded"), "true");
    assert.equal(await page.getByText("const total = 0;").isVisible(), true);
    assert.ok(await page.locator(".reasoning button").evaluate((one) => one === document.activeElement));
    await panel.close();
  });

  test("unfold for a find match inside them, and only then", async () => {
    const { page, panel } = await openTurns(turn("1", { parts: done }));
    await page.getByRole("button", { name: "Find in conversation" }).click();
    for (const [query, opened] of [
      ["rounded", "false"],
      ["const total", "true"],
    ] as const) {
      await page.getByRole("textbox", { name: "Find in conversation" }).fill(query);
      await panel.settled();
      assert.equal((await currentMatch(page))?.seen, true, query);
      assert.equal(await rowIn(page).getAttribute("aria-expanded"), opened, query);
    }
    await panel.close();
  });
});
