// The panel looked at in other ways, and what stands there before there is anything to show. Every state in every theme
// and language: states.slow.test.ts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blankView } from "../../../src/bridge/blank-view.ts";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import { message } from "../../../src/core/messages/message.ts";
import { openState, picture, sideways, themes } from "./support/looks.ts";
import { closeBrowserAfterwards, openPanel } from "./support/panel.ts";
import { smallHost } from "./support/small-host.ts";
import { states } from "./support/states.ts";

closeBrowserAfterwards();

test("in forced colours every control has an edge or a colour of its own", async () => {
  const panel = await openState(states["choosing"] ?? {}, { media: { forcedColors: "active" } });
  await picture(panel.page, "forced-colours");
  const edges = await panel.page
    .locator(".card, .asked, button.primary")
    .evaluateAll((all) =>
      all.map(
        (one) =>
          `${one.className} ${getComputedStyle(one).borderTopStyle} ${getComputedStyle(one).borderTopWidth}`,
      ),
    );
  for (const edge of edges) assert.match(edge, / solid [1-9]/);
  await panel.close();
});

test("landmarks: a heading line, the conversation, the composer; the log is not read out token by token", async () => {
  const panel = await openState(states["composing"] ?? {});
  const { page } = panel;
  for (const role of ["banner", "main", "log"] as const)
    assert.equal(await page.getByRole(role).count(), 1, role);
  assert.equal(await page.getByRole("region", { name: "Your question" }).count(), 1);
  assert.equal(await page.getByRole("log").getAttribute("aria-live"), "off");
  await panel.close();
});

test("who wants less motion sees none", async () => {
  const panel = await openState(states["running"] ?? {}, { media: { reducedMotion: "reduce" } });
  const moving = await panel.page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
  await panel.close();
});

test("who wants less motion in VS Code alone sees none either", async () => {
  const panel = await openState(states["running"] ?? {});
  const moving = () => panel.page.evaluate(() => document.getAnimations().length);
  assert.ok((await moving()) > 0);
  await panel.page.evaluate(() => document.body.classList.add("vscode-reduce-motion"));
  assert.equal(await moving(), 0);
  await panel.close();
});

test("before the host has answered there is the box alone, and what is sent then stays in it", async () => {
  const { page, close } = await openPanel(smallHost(), { unanswered: true });
  const buttons = page.getByRole("button");
  await page.locator(".composer textarea").fill("Hello");
  await page.keyboard.press("Enter");
  assert.deepEqual(await buttons.evaluateAll((all) => all.map((each) => each.ariaLabel)), ["Send"]);
  assert.equal(await page.locator(".composer textarea").inputValue(), "Hello");
  assert.match((await page.locator("[role=status]").textContent()) ?? "", /still starting/);
  assert.equal(await page.getByRole("heading").count(), 0);
  await close();
});

test("what keeps the host from answering stands there in one sentence, with what can be done about it", async () => {
  const sentence = "Patchbay couldn't open your conversations. See the log for details.";
  for (const width of [300, 900]) {
    const panel = await openPanel(smallHost(), { unanswered: true, theme: "dark", width });
    const { page, posted } = panel;
    const problem = {
      kind: "bug",
      message: message("placeNoService"),
      actions: ["retry", "open-log"],
    } as const;
    const tell = async (viewState: Partial<ViewState>) => {
      const message = { type: "view-state", viewState: { ...blankView, ...viewState } };
      await page.evaluate((data) => window.postMessage(data, "*"), message);
      await panel.settled();
    };
    await tell({ problem: { ...problem, actions: [...problem.actions] } });
    const card = page.getByRole("group", { name: sentence });
    for (const theme of themes) {
      await panel.putOn(theme);
      await picture(page, `unopened-${width}-${theme}`);
    }
    assert.equal(await sideways(page), "");
    await card.getByRole("button", { name: "Try Again" }).click();
    await card.getByRole("button", { name: "Open Log" }).click();
    assert.deepEqual(posted.slice(-2), [
      { type: "act", action: "retry" },
      { type: "act", action: "open-log" },
    ]);
    await tell({});
    assert.equal(await card.count(), 0);
    await panel.close();
  }
});
