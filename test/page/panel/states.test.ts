// The panel looked at in other ways, and what stands there before there is anything to show. Every state in every theme
// and language: states.slow.test.ts.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { blankView } from "../../../src/bridge/blank-view.ts";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import { message } from "../../../src/conversation/messages.ts";
import { isObject } from "../../sim/json.ts";
import { verbatim } from "../../support/english.ts";
import { openState, picture, sideways } from "./support/looks.ts";
import { openPanel, themes } from "./support/panel.ts";
import { smallHost } from "./support/small-host.ts";
import { states } from "./support/states.ts";

const emptySnapshot = {
  ...{ type: "snapshot", seq: 0, above: 0, draft: "", viewState: blankView },
  conversation: { id: "empty", turns: [] },
};
const isSend = (message: unknown) => isObject(message) && message["type"] === "send";

test("cards and primary buttons have a solid border in forced colours", async () => {
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

test("Send is an icon while another button is the primary one, and a primary button otherwise", async () => {
  for (const [name, isPrimary] of [
    ["composing", true],
    ["failed", false],
    ["pending", false],
    ["spending", false],
    ["refusedKey", false],
  ] as const) {
    const panel = await openState(states[name] ?? {}, { theme: "light" });
    const send = panel.page.getByRole("button", { name: "Send", exact: true });
    assert.equal(await send.isEnabled(), true, name);
    const isFilled = await send.evaluate(
      (one) => getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)",
    );
    assert.equal(isFilled, isPrimary, name);
    assert.equal(await panel.page.locator("button.primary").count(), isPrimary ? 0 : 1, name);
    await panel.close();
  }
});

test("what floats above text is opaque, also where the theme's widgets are translucent", async () => {
  for (const [name, floating] of [
    ["spending", ".stuck-question > .bubble"],
    ["finding", ".find"],
    ["long", ".pill"],
    ["modelMenu", ".popup"],
  ] as const) {
    const panel = await openState(states[name] ?? {}, { theme: "synthwave" });
    const ground = await panel.page
      .locator(floating)
      .filter({ visible: true })
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor);
    assert.match(ground, /^rgb\(/, name);
    await panel.close();
  }
});

test("the page has landmarks for header, conversation and composer, and its log is no live region", async () => {
  const panel = await openState(states["composing"] ?? {});
  const { page } = panel;
  for (const role of ["banner", "main", "log"] as const)
    assert.equal(await page.getByRole(role).count(), 1, role);
  assert.equal(await page.getByRole("region", { name: "Your question" }).count(), 1);
  assert.equal(await page.getByRole("log").getAttribute("aria-live"), "off");
  await panel.close();
});

test("the page runs no animation if the system asks for reduced motion", async () => {
  const panel = await openState(states["running"] ?? {}, { media: { reducedMotion: "reduce" } });
  const moving = await panel.page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
  await panel.close();
});

test("the page runs no animation if VS Code alone asks for reduced motion", async () => {
  const panel = await openState(states["running"] ?? {});
  const moving = () => panel.page.evaluate(() => document.getAnimations().length);
  assert.ok((await moving()) > 0);
  await panel.page.evaluate(() => document.body.classList.add("vscode-reduce-motion"));
  assert.equal(await moving(), 0);
  await panel.close();
});

describe("an empty conversation", () => {
  const selection = { kind: "selection", path: "src/cart.ts", start: 3, end: 9 } as const;
  const file = { kind: "file", path: "src/cart.ts" } as const;
  const suggest = (attachment: typeof selection | typeof file) => ({
    suggested: { kind: attachment.kind, label: "src/cart.ts", attachment },
  });

  test("suggests up to three first questions about what is open, each asked with one press", async () => {
    const host = smallHost();
    const panel = await openPanel(host);
    const { page } = panel;
    const offers = page.getByRole("group", { name: "Suggestions for a first question" }).getByRole("button");
    const offered = async (viewState: Partial<ViewState>) => {
      host.setViewState({ suggested: undefined, starters: [], ...viewState });
      await panel.settled();
      return offers.allInnerTexts();
    };
    assert.deepEqual(await offered({}), []);
    assert.deepEqual(await offered({ starters: ["project"] }), ["Explain this project"]);
    assert.deepEqual(await offered({ starters: ["changes", "project"] }), [
      "Explain this project",
      "Find bugs in my changes",
    ]);
    assert.deepEqual(await offered(suggest(file)), [
      "Explain cart.ts",
      "Find bugs in cart.ts",
      "Write tests for cart.ts",
    ]);
    const all = { ...suggest(selection), starters: ["changes", "project"] } satisfies Partial<ViewState>;
    assert.deepEqual(await offered(all), [
      "Explain cart.ts:3–9",
      "Find bugs in my changes",
      "Write tests for cart.ts:3–9",
    ]);
    await offers.first().press("Enter");
    await offers.nth(1).dblclick();
    await panel.settled();
    assert.deepEqual(host.asked, [
      ["attach", selection],
      ["send", "src/cart.ts:3–9", "explain"],
      ["run", "review-changes"],
    ]);
    // What nothing would come of is not offered.
    const message = verbatim("There is no API key yet.");
    assert.deepEqual(await offered({ ...all, problem: { kind: "no-key", message, actions: [] } }), []);
    assert.deepEqual(await offered({ ...all, problem: undefined, readOnly: true }), []);
    assert.deepEqual(await offered({ ...suggest(file), readOnly: false, proposesCode: false }), [
      "Explain cart.ts",
      "Find bugs in cart.ts",
    ]);
    await panel.close();
  });
});

test("the panel shows only the composer until the host responds, and a question sent before stays in it until then", async () => {
  const { page, posted, settled, close } = await openPanel(smallHost(), { unanswered: true });
  const buttons = page.getByRole("button");
  await page.locator(".composer textarea").fill("Hello");
  await page.keyboard.press("Enter");
  assert.deepEqual(await buttons.evaluateAll((all) => all.map((each) => each.ariaLabel)), ["Send"]);
  assert.equal(await page.locator(".composer textarea").inputValue(), "Hello");
  assert.match((await page.locator("[role=status]").textContent()) ?? "", /still starting/);
  assert.equal(await page.getByRole("heading").count(), 0);
  await page.evaluate((data) => window.postMessage(data, "*"), emptySnapshot);
  await settled();
  assert.deepEqual(posted.filter(isSend), [{ type: "send", prompt: "Hello" }], "once");
  await close();
});

test("of a question sent before the host responds nothing goes out if more was typed since", async () => {
  const { page, posted, settled, close } = await openPanel(smallHost(), { unanswered: true });
  const input = page.locator(".composer textarea");
  await input.fill("Hello");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" there");
  await page.evaluate((data) => window.postMessage(data, "*"), emptySnapshot);
  await settled();
  assert.deepEqual(posted.filter(isSend), []);
  assert.equal(await input.inputValue(), "Hello there");
  await close();
});

test("a host that cannot open its conversations shows one sentence with Try Again and Open Log", async () => {
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
