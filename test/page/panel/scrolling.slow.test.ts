import assert from "node:assert/strict";
import { test } from "node:test";
import type { Part } from "../../../src/conversation/state.ts";
import { files, waiting } from "./support/open-patch.ts";
import {
  ask,
  begin,
  manyTurns,
  metrics,
  open,
  preferences,
  questionInSight,
  scrollBy,
  topOf,
  write,
} from "./support/reading.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

test("anchorTop: a new response begins at the top and does not move while it grows", async () => {
  const host = smallHost({
    conversation: { id: "c1", turns: manyTurns(5) },
    viewState: preferences("anchorTop"),
  });
  const panel = await open(host);
  const { page } = panel;
  await ask(page, host, "n");
  await panel.settled();
  assert.ok(Math.abs((await topOf(page, "New question n")) ?? 99) < 1);
  for (let step = 0; step < 10; step += 1) {
    host.happen(write("n", 10));
    await panel.settled();
    assert.ok(Math.abs((await topOf(page, "New question n")) ?? 99) < 1, `after ${step}`);
  }
  await page.getByRole("button", { name: "New text" }).waitFor();
  host.happen({ type: "ended", turn: "n", at: 2, ending: "done" });
  await panel.settled();
  assert.ok(Math.abs((await topOf(page, "New question n")) ?? 99) < 1);
  await panel.close();
});

test("the New text pill scrolls to the end and follows it until the reader scrolls away", async () => {
  const host = smallHost({
    conversation: { id: "c1", turns: manyTurns(3) },
    viewState: preferences("anchorTop"),
  });
  const panel = await open(host);
  const { page } = panel;
  await ask(page, host, "n");
  host.happen(write("n", 100));
  await panel.settled();
  await page.getByRole("button", { name: "New text" }).click();
  host.happen(write("n", 20));
  await panel.settled();
  assert.ok((await metrics(page)).fromEnd < 2);
  assert.equal(await page.locator(".pill").isVisible(), false);
  await scrollBy(page, -300);
  const before = await metrics(page);
  host.happen(write("n", 20));
  await panel.settled();
  assert.equal((await metrics(page)).scrollTop, before.scrollTop);
  await panel.close();
});

test("follow: the end stays in sight only for a reader who is at the end", async () => {
  const host = smallHost({
    conversation: { id: "c1", turns: manyTurns(5) },
    viewState: preferences("follow"),
  });
  const panel = await open(host);
  const { page } = panel;
  await ask(page, host, "n");
  for (let step = 0; step < 5; step += 1) {
    host.happen(write("n", 15));
    await panel.settled();
    assert.ok((await metrics(page)).fromEnd < 2, `step ${step}`);
  }
  await scrollBy(page, -400);
  const { scrollTop } = await metrics(page);
  host.happen(write("n", 50));
  await panel.settled();
  assert.equal((await metrics(page)).scrollTop, scrollTop);
  await scrollBy(page, 100_000);
  host.happen(write("n", 50));
  await panel.settled();
  assert.ok((await metrics(page)).fromEnd < 2);
  await panel.close();
});

test("off: nothing scrolls automatically", async () => {
  const host = smallHost({
    conversation: { id: "c1", turns: manyTurns(5) },
    viewState: preferences("off"),
  });
  const panel = await open(host);
  const { page } = panel;
  const before = await topOf(page, "Question 4");
  await ask(page, host, "n");
  host.happen(write("n", 100));
  await panel.settled();
  assert.ok(Math.abs(((await topOf(page, "Question 4")) ?? 1e9) - (before ?? 0)) < 1);
  await page.getByRole("button", { name: "New text" }).waitFor();
  await panel.close();
});

test("a turn begun by a button further up begins at the top, and one that the button did not ask for does not", async () => {
  const stale = { ...waiting, files: 1, hunks: 0, conflicts: 1, inConflict: ["call"] };
  const patched: Part = { type: "patch", id: "p", call: "call", status: "proposed", files };
  for (const name of ["Retry with Current Files", "Review"]) {
    const host = smallHost({
      conversation: {
        id: "c1",
        turns: [turn("p", { prompt: "Patch it", parts: [patched] }), ...manyTurns(9)],
      },
      viewState: { ...preferences("anchorTop"), changes: stale },
    });
    const panel = await open(host);
    const { page } = panel;
    await scrollBy(page, -100_000);
    await page.locator(".patch [data-armed]").getByRole("button", { name }).click();
    const before = await topOf(page, "Patch it");
    host.happen(begin("n"), write("n", 100));
    await panel.settled();
    if (name === "Review") assert.equal(await topOf(page, "Patch it"), before);
    else assert.ok(Math.abs((await topOf(page, "New question n")) ?? 99) < 1, name);
    await panel.close();
  }
});

test("a turn begun elsewhere does not move a reader who is further up", async () => {
  for (const mode of ["anchorTop", "follow"] as const) {
    const host = smallHost({
      conversation: { id: "c1", turns: manyTurns(30) },
      viewState: preferences(mode),
    });
    const panel = await open(host);
    const { page } = panel;
    await scrollBy(page, -3000);
    const inSight = await questionInSight(page);
    const before = await topOf(page, inSight);
    host.happen(begin("n"), write("n", 100));
    await panel.settled();
    assert.ok(Math.abs(((await topOf(page, inSight)) ?? 1e9) - (before ?? 0)) < 1, mode);
    await panel.close();
  }
});
