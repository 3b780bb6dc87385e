// The bar above the box, where a person decides about what waits.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import { message } from "../../../src/conversation/messages.ts";
import { picture } from "./support/looks.ts";
import { become, openPatch, waiting } from "./support/open-patch.ts";

test("the page has one primary button: the problem's, else Accept All, else the one that unblocks a stuck patch", async () => {
  const primary = async (patch: Parameters<typeof openPatch>[0], viewState: Partial<ViewState>) => {
    const { panel, page } = await openPatch(patch, viewState);
    const found = await page.locator("button.primary").allInnerTexts();
    await panel.close();
    return found;
  };
  const half = message("changeHalfWritten", { count: 1, all: 2 });
  assert.deepEqual(await primary({}, { changes: waiting }), ["Accept All"]);
  const stuck = { hunks: 0, conflicts: 1, inConflict: ["call"] };
  assert.deepEqual(await primary({}, { changes: { ...waiting, ...stuck } }), ["Retry with Current Files"]);
  assert.deepEqual(await primary({ message: half }, { changes: waiting }), ["Accept All"]);
  assert.deepEqual(await primary({ message: half }, {}), ["Finish"]);
  const problem = {
    kind: "no-key" as const,
    message: message("problemKeyLost"),
    actions: ["set-key" as const],
  };
  assert.deepEqual(await primary({}, { changes: waiting, problem }), ["Add API Key"]);
});

test("Reject with Feedback sends the reason with the rejection, and Escape closes the reason box", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting });
  const feedback = bar.getByRole("button", { name: "Reject with Feedback…" });
  await feedback.click();
  const reason = page.getByRole("textbox", { name: "What should change?" });
  await reason.press("Enter");
  await reason.press("Escape");
  assert.equal(await reason.isVisible(), false);
  assert.equal(await feedback.evaluate((one) => one === document.activeElement), true);
  await page.keyboard.press("Enter");
  await reason.fill("Keep the old name.");
  await page.locator(".changes [data-armed]").waitFor();
  await reason.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-changes", "reject-all", 7, "Keep the old name."]]);
  await panel.close();
});

test("a half-typed reason keeps its text and caret while the changes bar is redrawn", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting });
  const feedback = bar.getByRole("button", { name: "Reject with Feedback…" });
  await feedback.click();
  const reason = page.getByRole("textbox", { name: "What should change?" });
  await page.keyboard.type("Keep the name.");
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowLeft");
  host.setViewState({ changes: { ...waiting, hunks: 2, conflicts: 1, inConflict: ["call"], shown: 8 } });
  await panel.settled();
  await bar.getByText("1 conflict").waitFor();
  await page.keyboard.type("old ");
  assert.equal(await reason.inputValue(), "Keep the old name.");
  assert.equal(await feedback.getAttribute("aria-expanded"), "true");
  await page.locator(".changes [data-armed]").waitFor();
  await reason.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-changes", "reject-all", 8, "Keep the old name."]]);
  await panel.close();
});

test("Enter on a reason rejects no changes that have just come, nor does a key that is held, and says so", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting });
  await bar.getByRole("button", { name: "Reject with Feedback…" }).click();
  await page.keyboard.type("Keep the old name.");
  await page.locator(".changes [data-armed]").waitFor();
  // In the page, as soon as the new box is there.
  await page.evaluate(() => {
    const old = document.activeElement;
    const look = new MutationObserver(() => {
      const box = document.querySelector<HTMLInputElement>(".changes .reason > input");
      if (box === null || box === old) return;
      look.disconnect();
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    });
    look.observe(document.body, { childList: true, subtree: true });
  });
  host.setViewState({ changes: { ...waiting, hunks: 5, shown: 8 } });
  await bar.getByText("Press again to confirm.").waitFor();
  assert.match((await page.getByRole("status").textContent()) ?? "", /Press again to confirm/);
  await page.locator(".changes [data-armed]").waitFor();
  const reason = page.getByRole("textbox", { name: "What should change?" });
  await reason.evaluate((box) =>
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, repeat: true })),
  );
  await panel.settled();
  assert.deepEqual(host.asked, []);
  assert.equal(await reason.inputValue(), "Keep the old name.");
  await reason.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-changes", "reject-all", 8, "Keep the old name."]]);
  await panel.close();
});

test("the changes bar acts on exactly the changes it showed, and a question can be sent meanwhile", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting });
  assert.match(
    (await bar.innerText()).replaceAll(/\s+/g, " "),
    /^2 files \+3 −3 Accept All Reject All Review$/,
  );
  assert.match(
    (await page.getByRole("status").textContent()) ?? "",
    /Proposed changes, 2 files, 3 added, 3 removed/,
  );
  await page.locator(".changes [data-armed]").waitFor();
  await bar.getByRole("button", { name: "Accept All" }).click();
  host.setViewState({ changes: { ...waiting, hunks: 2, shown: 8, conflicts: 1 } });
  await panel.settled();
  assert.match(await bar.innerText(), /1 conflict/);
  await page.locator(".changes [data-armed]").waitFor();
  await bar.getByRole("button", { name: "Reject All" }).click();
  await bar.getByRole("button", { name: "Review" }).click();
  await page.getByRole("textbox").fill("And the tests?");
  await page.keyboard.press("Enter");
  await panel.settled();
  const asked = host.asked.filter(([type]) => type !== "draft");
  assert.deepEqual(asked, [
    ["act-on-changes", "accept-all", 7],
    ["act-on-changes", "reject-all", 8],
    ["act-on-changes", "review", 8],
    ["send", "And the tests?"],
  ]);
  host.setViewState({ changes: undefined });
  await panel.settled();
  assert.equal(await bar.count(), 0);
  await panel.close();
});

test("the changes bar keeps its buttons on one line at 280 pixels, also if the first is Accept Anyway", async () => {
  const failing: ViewState["checks"][number] = {
    ...{ id: "t", name: "tests", state: "new-findings", found: [] },
    said: message("checkNewErrors", { name: "tests", count: 1, first: "adds up" }),
  };
  for (const checks of [[], [failing]]) {
    const { panel, page, bar } = await openPatch({}, { changes: waiting, checks });
    await panel.putOn("dark");
    await page.setViewportSize({ width: 280, height: 700 });
    const middles = await bar
      .getByRole("toolbar")
      .getByRole("button")
      .evaluateAll((all) =>
        all.map((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        }),
      );
    assert.equal(middles.length, 4);
    assert.ok(Math.max(...middles) - Math.min(...middles) < 5, middles.join(", "));
    await panel.close();
  }
});

test("the changes bar is one Tab stop with arrow keys inside, and announces new conflicts", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting });
  const tools = bar.getByRole("toolbar", { name: "Proposed changes" });
  assert.equal(await tools.locator('button[tabindex="0"]').count(), 1);
  await tools.getByRole("button", { name: "Accept All" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Review");
  host.setViewState({ changes: { ...waiting, conflicts: 2, shown: 8 } });
  await panel.settled();
  // The buttons are others by now, and whoever stood on one stands on it again.
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Review");
  assert.equal(await tools.locator('button[tabindex="0"]').textContent(), "Review");
  assert.match((await page.getByRole("status").textContent()) ?? "", /2 conflicts/);
  await panel.close();
});

test("the buttons of the changes bar ignore clicks in the moment they appear", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting });
  const old = await bar.getByRole("button", { name: "Accept All" }).elementHandle();
  // In the page, as soon as they are there: on a busy machine a click from here comes when they have been there for long.
  const clicked = page.evaluate(
    (before) =>
      new Promise<void>((resolve) => {
        const look = new MutationObserver(() => {
          const all = [...document.querySelectorAll<HTMLButtonElement>("button")];
          const now = all.find((each) => each.textContent === "Accept All" && each !== before);
          if (now === undefined) return;
          look.disconnect();
          now.click();
          resolve();
        });
        look.observe(document.body, { childList: true, subtree: true });
      }),
    old,
  );
  host.setViewState({ changes: { ...waiting, shown: 9 } });
  await clicked;
  await panel.settled();
  assert.deepEqual(host.asked, []);
  await panel.close();
});

test("a key on Reject when a conflict has just gone decides nothing and says so, and decides when pressed again", async () => {
  const stuck = { ...waiting, hunks: 0, conflicts: 1 };
  const { host, panel, page, bar } = await openPatch({}, { changes: stuck });
  const armed = page.locator(".changes [data-armed]");
  await armed.waitFor();
  await bar.getByRole("button", { name: "Reject", exact: true }).focus();
  // In the page, as soon as the new buttons are there.
  await page.evaluate(() => {
    const look = new MutationObserver(() => {
      const { activeElement: now } = document;
      if (!(now instanceof HTMLButtonElement) || now.ariaDisabled !== "true") return;
      look.disconnect();
      now.click();
    });
    look.observe(document.body, { childList: true, subtree: true });
  });
  host.setViewState({ changes: { ...waiting, hunks: 1, conflicts: 0 } });
  await bar.getByText("Press again to confirm.").waitFor();
  await armed.waitFor();
  assert.deepEqual(host.asked, []);
  await page.keyboard.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-changes", "reject-all", 7]]);
  await panel.close();
});

test("a read-only conversation shows neither the changes bar nor Review", async () => {
  const { panel, button, bar } = await openPatch({}, { changes: waiting, readOnly: true });
  assert.equal(await bar.count(), 0);
  assert.equal(await button("Review").count(), 0);
  await panel.close();
});

test("risk flags appear beside their file and as counts in the changes bar until the patch is applied", async () => {
  const flags = [
    message("riskGrave", { flag: message("riskTest") }),
    message("riskPublicMany", { count: 3 }),
  ];
  const flagged = [
    { path: "src/b.ts", calls: ["call"], flags },
    { path: "src/a.ts", calls: ["another"], flags: [message("riskFormat")] },
  ];
  const risks = [message("riskTestOne"), message("riskPublicApiOne")];
  const { host, panel, page, bar } = await openPatch({}, { changes: { ...waiting, risks, flagged } });
  assert.deepEqual(await page.locator(".patch .flags").allTextContents(), [
    "⚠ test weakened · public API, 3 references",
  ]);
  assert.equal(
    await page
      .locator(".file-row", { has: page.locator(".flags") })
      .locator(".path")
      .textContent(),
    "b.ts",
  );
  assert.match((await bar.textContent()) ?? "", /1 test weakened.*1 public API change/);
  host.happen(become("applied"));
  host.setViewState({ changes: undefined });
  await panel.settled();
  assert.equal(await page.locator(".patch .flags").count(), 0);
  await panel.close();
});

test("remarks that were not sent are counted, listed and sent, also when no change is left to decide about", async () => {
  const { host, panel, page, bar } = await openPatch({}, { changes: waiting, remarks: 1 });
  await bar.getByRole("button", { name: "1 remark not sent", exact: true }).waitFor();
  await bar.getByRole("button", { name: "Send 1 Remark", exact: true }).waitFor();
  host.setViewState({ remarks: 3 });
  await bar.getByRole("button", { name: "3 remarks not sent", exact: true }).press("Enter");
  await picture(page, "remarks");
  host.setViewState({ changes: undefined });
  await bar.getByRole("button", { name: "Send 3 Remarks", exact: true }).press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-remarks", "list"],
    ["act-on-remarks", "send"],
  ]);
  host.setViewState({ remarks: undefined });
  await bar.waitFor({ state: "hidden" });
  await panel.close();
});
