import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

test("approval and review buttons ignore a click as they appear and act once after a short delay", async () => {
  const host = smallHost({
    conversation: { id: "c", turns: [turn("asking", { status: "running", parts: [] })] },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  // Somebody clicks in the very instant in which the buttons appear under their pointer.
  await page.evaluate(() => {
    const met = new Set<Element>();
    const pale: string[] = [];
    const watch = new MutationObserver(() => {
      for (const one of document.querySelectorAll<HTMLButtonElement>(".question-for-you button")) {
        if (met.has(one)) continue;
        met.add(one);
        if (one.ariaDisabled && getComputedStyle(one).opacity === "0.5") pale.push(one.innerText);
        one.click();
      }
    });
    Object.assign(window, { pale });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  for (const part of samples.asking.parts) {
    if (part.type === "tool" || part.type === "patch") host.happen({ ...part, turn: "asking" });
  }
  await panel.settled();
  assert.deepEqual(host.asked, []);
  // They looked like it, and the click was not lost without a word.
  const pale = await page.evaluate(() => (window as unknown as { pale: string[] }).pale);
  assert.deepEqual(pale, ["Allow", "Decline", "Review"]);
  assert.equal(await page.locator(".too-soon:visible").count(), 2);
  assert.match((await page.getByRole("status").textContent()) ?? "", /Press again to confirm/);
  // What looks unavailable is waited for: no clock is needed here.
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["decide", "call_a", { kind: "accept" }],
    ["act-on-call", "call_p", "review"],
  ]);
  await panel.close();
});

describe("a question that follows another one in its place", () => {
  const asks = (call: string) => ({
    ...({ type: "tool", turn: "1", name: "run_command", status: "asked", summary: "npm test" } as const),
    ...{ id: call, call, command: { line: "npm test" }, message: message("toolAsks") },
  });
  const declined = (call: string) => ({ ...asks(call), status: "refused" as const });

  async function openFirst() {
    const opened = await openTurns(turn("1", { status: "running", parts: [] }));
    const { host, page, panel } = opened;
    host.happen(asks("first"));
    await page.locator("[data-armed]").waitFor();
    const followed = async () => {
      await panel.settled();
      host.happen(declined("first"), asks("second"));
      await panel.settled();
      await page.locator("[data-armed]").waitFor();
      return page.getByRole("button", { name: "Decline", exact: true });
    };
    return { ...opened, decline: page.getByRole("button", { name: "Decline", exact: true }), followed };
  }
  const [first, second] = ["first", "second"].map((call) => ["decide", call, { kind: "reject" }]);

  test("is not answered by the second click of a double click, however late that comes", async () => {
    const { host, page, panel, decline, followed } = await openFirst();
    const centre = async () => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await decline.boundingBox()) ?? {};
      await page.mouse.move(x + width / 2, y + height / 2);
    };
    await centre();
    await page.mouse.down({ clickCount: 1 });
    await page.mouse.up({ clickCount: 1 });
    await followed();
    await centre();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.getByText("Press again to confirm.").first().waitFor();
    assert.deepEqual(host.asked, [first]);
    await decline.click();
    await panel.settled();
    assert.deepEqual(host.asked, [first, second]);
    await panel.close();
  });

  test("is not answered by a key that is still held", async () => {
    const { host, page, panel, decline, followed } = await openFirst();
    await decline.focus();
    await page.keyboard.down("Enter");
    await followed();
    await decline.focus();
    for (const key of ["Enter", "Enter"]) await page.keyboard.down(key);
    await page.keyboard.up("Enter");
    await page.keyboard.down(" ");
    await panel.settled();
    assert.deepEqual(host.asked, [first]);
    await page.keyboard.up(" ");
    await panel.settled();
    assert.deepEqual(host.asked, [first, second], "a press of its own answers it");
    await panel.close();
  });

  test("is not answered by a press that began before it could be", async () => {
    const { host, page, panel } = await openTurns(turn("1", { status: "running", parts: [] }));
    await page.evaluate(() => {
      new MutationObserver((_, watch) => {
        const [button] = document.querySelectorAll(".question-for-you button");
        if (button === undefined) return;
        watch.disconnect();
        button.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, detail: 1 }));
      }).observe(document.body, { childList: true, subtree: true });
    });
    host.happen(asks("first"));
    await page.locator("[data-armed]").waitFor();
    const click = (type: string) =>
      page
        .locator(".question-for-you button")
        .first()
        .evaluate((one, type) => one.dispatchEvent(new MouseEvent(type, { bubbles: true, detail: 1 })), type);
    await click("click");
    await panel.settled();
    assert.deepEqual(host.asked, []);
    for (const type of ["mousedown", "mouseup", "click"]) await click(type);
    await panel.settled();
    assert.deepEqual(host.asked, [["decide", "first", { kind: "accept" }]]);
    await panel.close();
  });

  test("is not answered before anybody has seen it, and only once", async () => {
    const { host, page, panel } = await openTurns(turn("1", { status: "running", parts: [] }));
    const hide = (isHidden: boolean) =>
      page.evaluate(
        (hides) => document.body.style.setProperty("display", hides ? "none" : "block"),
        isHidden,
      );
    const press = () =>
      page
        .locator(".question-for-you button")
        .first()
        .evaluate((one) => (one as HTMLElement).click());
    await hide(true);
    host.happen(asks("first"));
    await page.locator(".question-for-you button").first().waitFor({ state: "attached" });
    // A question that is in sight arms meanwhile, or at least as long a time passes.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 600)));
    await press();
    await panel.settled();
    assert.deepEqual(host.asked, []);
    await hide(false);
    // Nothing on the page tells when it is; a press too many does nothing.
    while (host.asked.length === 0) {
      await press();
      await panel.settled();
    }
    await press();
    await panel.settled();
    assert.deepEqual(host.asked, [["decide", "first", { kind: "accept" }]]);
    await panel.close();
  });
});

describe("a redrawn edit card", () => {
  const lines = Array.from({ length: 60 }, (_, index) => `+line ${index}`).join("\n");
  const change = { status: "pending", added: 60, removed: 0, diff: lines } as const;
  const hunks = [
    { ...change, id: "1", line: 3 },
    { ...change, id: "2", line: 90 },
  ];
  const file = { path: "src/cart.ts", change: "update", added: 120, removed: 0, hunks } as const;
  const card = { type: "patch", id: "p", call: "call", status: "proposed", files: [file] } as const;

  test("stays unfolded and keeps its scroll position and focus", async () => {
    const { host, page, panel } = await openTurns(
      turn("1", { parts: [{ ...card, files: [{ ...file, hunks }] }] }),
    );
    await page.locator(".file summary").click();
    const diff = page.getByRole("group", { name: "Line 90" });
    await diff.focus();
    await diff.evaluate((box) => box.scrollTo(0, 200));
    await panel.settled();
    // A person has accepted one of them, after a change of their own.
    host.happen({
      ...{ type: "patch-state", turn: "1", id: "p", call: "call", status: "proposed" },
      message: message("patchEdited", { names: "src/cart.ts" }),
      hunks: [{ id: "1", status: "applied" }],
    });
    await page.getByText("You edited src/cart.ts before you accepted it.").waitFor();
    await page.locator(".hunk .status.applied").waitFor();
    assert.equal(await page.locator(".file").getAttribute("open"), "");
    assert.equal(await diff.evaluate((box) => box.scrollTop), 200);
    assert.ok(await diff.evaluate((box) => box === document.activeElement));
    await panel.close();
  });
});
