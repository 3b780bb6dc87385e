import assert from "node:assert/strict";
import { test } from "node:test";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import type { Part } from "../../../src/core/conversation/state.ts";
import type { PatchFile, PatchHunk, PatchStatus } from "../../../src/core/conversation/tool-use.ts";
import { verbatim } from "../../support/english.ts";
import { closeBrowserAfterwards, openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

closeBrowserAfterwards();

const hunk = (id: string, line: number): PatchHunk => ({
  id,
  status: "pending",
  line,
  added: 1,
  removed: 1,
  diff: "-old\n+new\n",
});
const file = (path: string, ...hunks: readonly PatchHunk[]): PatchFile => ({
  path,
  change: "update",
  added: hunks.length,
  removed: hunks.length,
  hunks: [...hunks],
});

const files = [
  file("src/a.ts", hunk("a#1", 3), hunk("a#2", 30)),
  file("src/b.ts", hunk("b#1", 7)),
  { ...file("src/c.ts", hunk("c#1", 9)), problem: verbatim("The file was changed since the model read it.") },
];

async function open(
  patch: Partial<{ status: PatchStatus; files: readonly PatchFile[] }> = {},
  viewState: Partial<ViewState> = {},
) {
  const status = patch.status ?? "proposed";
  const part: Part = { type: "patch", id: "p", call: "call", status, files: [...(patch.files ?? files)] };
  const turns = [turn("1", { status: status === "proposed" ? "running" : "done", parts: [part] })];
  const host = smallHost({ conversation: { id: "c", turns }, viewState });
  const panel = await openPanel(host);
  const { page } = panel;
  const button = (name: string | RegExp) => page.locator(".patch").getByRole("button", { name });
  const armed = () => page.waitForFunction(() => document.querySelector("[data-armed]") !== null);
  const box = (name: string) => page.getByRole("checkbox", { name });
  return { host, panel, page, button, box, armed };
}

test("with nothing left out, Apply accepts the patch as a whole", async () => {
  const { host, panel, button, armed } = await open();
  await armed();
  await button("Apply").click();
  await panel.settled();
  assert.deepEqual(host.asked, [["decide", "call", { kind: "accept" }]]);
  await panel.close();
});

test("one change of a file can be left out, by keyboard alone; the file says that it is taken in part", async () => {
  const { host, panel, page, button, box, armed } = await open();
  const whole = box("Take the changes of src/a.ts");
  assert.equal(await whole.isChecked(), true);
  await page.getByText("a.ts", { exact: true }).click();
  await box("Take the change: Line 30").focus();
  await page.keyboard.press("Space");
  assert.equal(await whole.evaluate((one) => (one as HTMLInputElement).indeterminate), true);
  await armed();
  await button("Apply 2 of 3").press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["decide", "call", { kind: "partly", hunks: ["a#1", "b#1"] }]]);
  await panel.close();
});

test("a whole file can be left out; with nothing chosen nothing can be applied", async () => {
  const { host, panel, button, box, armed } = await open();
  await box("Take the changes of src/a.ts").uncheck();
  await armed();
  assert.equal(await button("Apply 1 of 3").count(), 1);
  await box("Take the changes of src/b.ts").uncheck();
  await button("Apply 0 of 3").click({ force: true });
  await panel.settled();
  assert.deepEqual(host.asked, []);
  assert.equal(await button("Apply 0 of 3").getAttribute("aria-disabled"), "true");
  await panel.close();
});

test("a file that does not fit says why and cannot be chosen", async () => {
  const { panel, page, box } = await open();
  assert.equal(await box("Take the changes of src/c.ts").count(), 0);
  await page.getByText("c.ts", { exact: true }).click();
  assert.ok(
    await page.locator(".remark").getByText("The file was changed since the model read it.").isVisible(),
  );
  await panel.close();
});

test("no can be said with a reason, which is told to the model; Escape takes the box back", async () => {
  const { host, panel, page, button, armed } = await open();
  await armed();
  await button("No, because…").click();
  const reason = page.getByRole("textbox", { name: "What should be different?" });
  await reason.press("Enter");
  await reason.press("Escape");
  assert.equal(await reason.isVisible(), false);
  assert.equal(await button("No, because…").evaluate((one) => one === document.activeElement), true);
  await page.keyboard.press("Enter");
  await reason.fill("Keep the old name.");
  await reason.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["decide", "call", { kind: "reject", reason: "Keep the old name." }]]);
  await panel.close();
});

test("a change opens its file at its line", async () => {
  const { host, panel, page } = await open();
  await page.getByText("b.ts", { exact: true }).click();
  await page.getByRole("button", { name: "Line 7" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [["open-file", "src/b.ts", 7]]);
  await panel.close();
});

test("applied edits can be looked at and undone; nothing in them can be chosen any more", async () => {
  const { host, panel, page, button } = await open({ status: "applied" });
  await button("Review").click();
  await button("Undo").click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-call", "call", "review"],
    ["act-on-call", "call", "undo"],
  ]);
  assert.equal(await page.getByRole("checkbox").count(), 0);
  await panel.close();
});

test("of a patch that was taken in part, the card counts what was really changed", async () => {
  const taken = (one: PatchHunk): PatchHunk => ({ ...one, status: "applied" });
  const left = (one: PatchHunk): PatchHunk => ({ ...one, status: "rejected" });
  const { panel, page } = await open({
    status: "applied",
    files: [
      file("src/a.ts", taken(hunk("a#1", 3)), left(hunk("a#2", 30))),
      file("src/b.ts", left(hunk("b#1", 7))),
    ],
  });
  assert.equal(await page.locator(".patch .head").innerText(), "Applied\n1 file\n+1\n−1");
  const rows = page.locator(".patch .file > summary");
  assert.match((await rows.nth(0).innerText()).replaceAll(/\s+/g, " "), /a\.ts src \+1 −1$/);
  assert.match((await rows.nth(1).innerText()).replaceAll(/\s+/g, " "), /b\.ts src Rejected$/);
  await panel.close();
});

test("what was taken back says so in the place of what was applied, and can still be looked at", async () => {
  const applied = files.slice(0, 2).map((one): PatchFile => {
    return { ...one, hunks: one.hunks.map((each): PatchHunk => ({ ...each, status: "applied" })) };
  });
  const { host, panel, page, button } = await open({ status: "applied", files: applied });
  const part = { type: "patch", turn: "1", id: "p", call: "call", status: "undone" } as const;
  host.happen({ ...part, files: [...applied] });
  await panel.settled();
  assert.equal(await page.getByRole("group", { name: "Taken back" }).count(), 1);
  assert.equal(await button("Undo").count(), 0);
  await page.getByText("b.ts", { exact: true }).click();
  assert.equal(await page.locator(".hunk-head .status:visible").innerText(), "Taken back");
  await button("Review").click();
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-call", "call", "review"]]);
  await panel.close();
});

test("when files were changed meanwhile, the model can be told what they hold now", async () => {
  const { host, panel, button } = await open({ status: "failed" });
  await button("Tell the model what the files hold now").click();
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-call", "call", "send-current"]]);
  await panel.close();
});

test("of an edit that never fitted anywhere there is nothing to tell, and while its turn runs the model hears it anyway", async () => {
  const never = await open({ status: "failed", files: [] });
  assert.equal(await never.button(/Tell the model/).count(), 0);
  await never.panel.close();
  const { host, panel, button } = await open();
  const part = { type: "patch", turn: "1", id: "p", call: "call", status: "failed" } as const;
  host.happen({ ...part, files: [...files] });
  await panel.settled();
  assert.equal(await button(/Tell the model/).count(), 0);
  host.happen({ type: "ended", turn: "1", at: 1, ending: "done" });
  await panel.settled();
  assert.equal(await button(/Tell the model/).count(), 1);
  await panel.close();
});

test("folds and choices survive while the patch is drawn again, and a new look begins when files have changed", async () => {
  const { host, panel, page, box } = await open();
  await page.getByText("a.ts", { exact: true }).click();
  await box("Take the change: Line 30").uncheck();
  const part = { type: "patch", turn: "1", id: "p", call: "call", status: "proposed" } as const;
  host.happen({
    ...part,
    files: [...files],
    message: verbatim("The files have changed meanwhile; please look again."),
  });
  await panel.settled();
  assert.ok(await page.getByText("please look again").isVisible());
  assert.equal(await box("Take the change: Line 30").isVisible(), true);
  assert.equal(await box("Take the change: Line 30").isChecked(), false);
  await panel.close();
});
