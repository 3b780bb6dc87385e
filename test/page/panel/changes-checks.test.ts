// What checks say of what waits, above the box and on the card.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import { message } from "../../../src/conversation/messages.ts";
import { openPatch, waiting } from "./support/open-patch.ts";

const said = { name: "tests", count: 2, first: "ten of one article gets a discount" };

const failing = {
  id: "2",
  name: "tests",
  state: "new-findings",
  said: message("checkNewFailures", said),
} as const;

const evidence: ViewState["checks"] = [
  {
    ...{ id: "1", name: "types", state: "passed", found: [], isRepaired: true },
    said: message("checkRepaired", { name: "types" }),
  },
  { ...failing, found: ["ten of one article gets a discount", "a receipt has two rows"] },
  { id: "3", name: "lint", state: "stale", said: message("checkStale", { name: "lint" }), found: [] },
  {
    ...{ id: "4", name: "unit", state: "unavailable", said: message("checkUnavailable", { name: "unit" }) },
    ...{ found: [], why: message("checkNotInstalled", { program: "vitest" }) },
  },
  {
    ...{ id: "5", name: "build", state: "unavailable", said: message("checkUnavailable", { name: "build" }) },
    ...{ found: [], why: message("checkNotInstalled", { program: "make" }) },
  },
  {
    ...{ id: "offered", name: "npm test", state: "offered", found: [] },
    said: message("checkOffered", { command: "npm test" }),
  },
];

test("check results appear uncut at 300 pixels in the bar and on the card, buttons to run or set up only in the bar", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting, checks: evidence });
  for (const [place, again, first] of [
    [bar, ["lint: out of date – run again"], ["Prove Edits with npm test"]],
    [page.locator(".patch"), [], []],
  ] as const) {
    const checks = place.getByRole("group", { name: "Checks" });
    const chips = checks.locator("button.check");
    assert.deepEqual(await chips.allTextContents(), [
      "✓ types: failed before, passes now",
      "✗ tests: 2 new failures – ten of one article gets a discount",
      ...again,
      "unit: can't run – vitest isn't installed.",
      "build: can't run – make isn't installed.",
      ...first,
    ]);
    await page.setViewportSize({ width: 300, height: 800 });
    for (const chip of await chips.all()) {
      const { height = 0, x = -1, width = 400 } = (await chip.boundingBox()) ?? {};
      assert.ok(height > 0 && height < 50, `a chip is ${height} pixels high`);
      assert.ok(x >= 0 && x + width <= 300, "a chip is cut off");
    }
    const cut = await chips.evaluateAll(
      (all) => all.filter((one) => one.scrollWidth > one.clientWidth).length,
    );
    assert.equal(cut, 0, "the words of a chip are cut off");
    await chips.nth(1).click();
    for (const name of [...again, ...first]) await checks.getByRole("button", { name }).click();
  }
  const setUp = bar.getByRole("button", { name: "Set Up Checks…" });
  const left = (button: Locator) =>
    button.evaluate((one) => {
      const words = document.createRange();
      words.selectNodeContents(one);
      return words.getBoundingClientRect().left;
    });
  assert.equal(
    await left(setUp),
    await left(bar.locator("button.check").first()),
    "below the words above it",
  );
  await setUp.click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-check", "2", "open"],
    ["act-on-check", "3", "run"],
    ["act-on-check", "offered", "run"],
    ["act-on-check", "2", "open"],
    ["run", "set-up-checks"],
  ]);
  await panel.close();
});

test("a failing check is red and turns Accept All into a non-primary Accept Anyway", async () => {
  const checks = [{ ...failing, found: [] }];
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting, checks });
  const colour = (name: string) =>
    bar.getByRole("button", { name }).evaluate((one) => getComputedStyle(one).color);
  const red = await page.evaluate(() => {
    const one = document.body.appendChild(document.createElement("i"));
    one.style.color = "var(--failing)";
    return getComputedStyle(one).color;
  });
  assert.equal(await colour("✗ tests"), red);
  await bar.locator("[data-armed]").waitFor();
  assert.equal(await page.locator("button.primary").count(), 0);
  await bar.getByRole("button", { name: "Accept Anyway" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-changes", "accept-all", 7]]);
  await panel.close();
});
