import assert from "node:assert/strict";
import { test } from "node:test";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import type { ConversationEvent } from "../../../src/core/conversation/events.ts";
import type { Part } from "../../../src/core/conversation/state.ts";
import type { PatchFile, PatchHunk, PatchStatus } from "../../../src/core/conversation/tool-use.ts";
import { type Message, message } from "../../../src/core/messages/message.ts";
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

const files = [file("src/a.ts", hunk("a#1", 3), hunk("a#2", 30)), file("src/b.ts", hunk("b#1", 7))];
const withStatus = (status: PatchHunk["status"], all = files): PatchFile[] =>
  all.map((one) => ({ ...one, hunks: one.hunks.map((each) => ({ ...each, status })) }));

const waiting = {
  files: 2,
  added: 3,
  removed: 3,
  hunks: 3,
  conflicts: 0,
  inConflict: [],
  risks: [],
  flagged: [],
  shown: 7,
};

async function open(
  patch: Partial<{ status: PatchStatus; files: readonly PatchFile[]; message: Message }> = {},
  viewState: Partial<ViewState> = {},
) {
  const status = patch.status ?? "proposed";
  const shown = {
    status,
    files: [...(patch.files ?? files)],
    ...(patch.message && { message: patch.message }),
  };
  const part: Part = { type: "patch", id: "p", call: "call", ...shown };
  const turns = [turn("1", { status: "done", parts: [part] })];
  const host = smallHost({ conversation: { id: "c", turns }, viewState });
  const panel = await openPanel(host);
  const { page } = panel;
  const button = (name: string | RegExp) => page.locator(".patch").getByRole("button", { name, exact: true });
  const bar = page.getByRole("region", { name: "Proposed changes" });
  const armed = () =>
    page.waitForFunction(() => document.querySelector(".question-for-you [data-armed]") !== null);
  return { host, panel, page, button, bar, armed };
}

/** What became of it is told as what is new. */
const become = (status: "applied" | "undone"): ConversationEvent => ({
  ...{ type: "patch-state", turn: "1", id: "p", call: "call", status },
  hunks: files.flatMap(({ hunks }) => hunks.map(({ id }) => ({ id, status }))),
});

test("what waits is accepted, rejected or looked at from its row", async () => {
  const { host, panel, button, armed } = await open();
  await armed();
  await button("Accept").click();
  await button("Reject").click();
  await button("Review").click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-call", "call", "accept"],
    ["act-on-call", "call", "reject"],
    ["act-on-call", "call", "review"],
  ]);
  await panel.close();
});

test("what the bar can do is primary there alone, what only the row can do in the row", async () => {
  const primary = async (patch: Parameters<typeof open>[0], changes: Partial<ViewState["changes"]>) => {
    const { panel, page } = await open(patch, { changes: { ...waiting, ...changes } });
    const found = await page.locator("button.primary").allInnerTexts();
    await panel.close();
    return found;
  };
  const half = message("changeHalfWritten", { count: 1, all: 2 });
  assert.deepEqual(await primary({}, {}), ["Accept All"]);
  const stuck = { hunks: 0, conflicts: 1, inConflict: ["call"] };
  assert.deepEqual(await primary({}, stuck), ["Retry with Current Files"]);
  assert.deepEqual(await primary({ message: half }, {}), ["Finish", "Accept All"]);
});

test("no can be said with a reason, which is told to the model; Escape takes the box back", async () => {
  const { host, panel, page, button, armed } = await open();
  await armed();
  await button("Reject with Feedback…").click();
  const reason = page.getByRole("textbox", { name: "What should change?" });
  await reason.press("Enter");
  await reason.press("Escape");
  assert.equal(await reason.isVisible(), false);
  assert.equal(await button("Reject with Feedback…").evaluate((one) => one === document.activeElement), true);
  await page.keyboard.press("Enter");
  await reason.fill("Keep the old name.");
  await reason.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-call", "call", "reject", "Keep the old name."]]);
  await panel.close();
});

test("what is being written as a reason stays while the row is drawn again, with the caret where it was", async () => {
  const { host, panel, page, button } = await open({}, { changes: waiting });
  await button("Reject with Feedback…").click();
  const reason = page.getByRole("textbox", { name: "What should change?" });
  await page.keyboard.type("Keep the name.");
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowLeft");
  host.setViewState({ changes: { ...waiting, hunks: 2, conflicts: 1, inConflict: ["call"] } });
  await panel.settled();
  await button("Retry with Current Files").waitFor();
  await page.keyboard.type("old ");
  assert.equal(await reason.inputValue(), "Keep the old name.");
  assert.equal(await button("Reject with Feedback…").getAttribute("aria-expanded"), "true");
  await reason.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-call", "call", "reject", "Keep the old name."]]);
  await panel.close();
});

test("what is being written as a reason stays while the reader is far away", async () => {
  const part: Part = { type: "patch", id: "p", call: "call", status: "proposed", files };
  const turns = Array.from({ length: 60 }, (_, index) => turn(String(index)));
  const host = smallHost({ conversation: { id: "c", turns: [...turns, turn("last", { parts: [part] })] } });
  const panel = await openPanel(host);
  const { page } = panel;
  await page.getByRole("button", { name: "Reject with Feedback…" }).click();
  await page.keyboard.type("Keep the name.");
  await page.locator(".composer textarea").focus();
  await page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 0));
  await page.locator('article[data-turn="0"]').waitFor();
  await page.getByRole("button", { name: "Go to end" }).click();
  await panel.settled();
  assert.equal(
    await page.getByRole("textbox", { name: "What should change?" }).inputValue(),
    "Keep the name.",
  );
  await panel.close();
});

test("a short patch is open as it arrives, a long one is not; each change opens its file at its line", async () => {
  const { host, panel, page } = await open();
  await page.getByRole("button", { name: "Line 7" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [["open-file", "src/b.ts", 7]]);
  await panel.close();
  const long = await open({ files: [{ ...file("src/a.ts", hunk("a#1", 3)), added: 21, removed: 0 }] });
  assert.equal(await long.page.getByRole("button", { name: "Line 3" }).count(), 0);
  await long.page.getByText("a.ts", { exact: true }).click();
  assert.equal(await long.page.getByRole("button", { name: "Line 3" }).count(), 1);
  await long.panel.close();
});

test("what arrives is folded, also a file that is named twice, and opens by itself once all of it is there", async () => {
  const arriving = { type: "patch", turn: "1", id: "p", call: "call", status: "arriving" } as const;
  /** Nobody knows yet at which line. */
  const placeless = ({ line: _, ...rest }: PatchHunk): PatchHunk => rest;
  const [a, b] = files.map((each) => ({ ...each, hunks: each.hunks.map(placeless) }));
  const twice = [b, b, a].flatMap((each) => each ?? []);
  const host = smallHost({ conversation: { id: "c", turns: [turn("1", { status: "running", parts: [] })] } });
  const panel = await openPanel(host);
  const { page } = panel;
  const open = () =>
    page.locator(".patch details").evaluateAll((all) => all.map((one) => one.matches("[open]")));
  host.happen({ ...arriving, files: twice.slice(0, 2) });
  await panel.settled();
  assert.deepEqual(await open(), [false, false]);
  host.happen({ ...arriving, files: twice });
  await panel.settled();
  assert.deepEqual(await page.locator(".patch .path").allTextContents(), ["b.ts", "b.ts", "a.ts"]);
  host.happen({ ...arriving, status: "proposed", files: withStatus("pending") });
  await panel.settled();
  assert.deepEqual(await open(), [true, true]);
  await panel.close();
});

test("accepted edits can be looked at and taken back, and then accepted again", async () => {
  const { host, panel, page, button, armed } = await open({
    status: "applied",
    files: withStatus("applied"),
  });
  await armed();
  await button("Review").click();
  await button("Undo").click();
  await panel.settled();
  host.happen(become("undone"));
  await panel.settled();
  assert.equal(await page.getByRole("group", { name: "Undone" }).count(), 1);
  assert.equal(await button("Undo").count(), 0);
  await armed();
  await button("Accept Again").click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-call", "call", "review"],
    ["act-on-call", "call", "undo"],
    ["act-on-call", "call", "accept-again"],
  ]);
  await panel.close();
});

test("of a patch that was accepted in part, the row counts what was really changed", async () => {
  const [one, other] = files;
  assert.ok(one && other);
  const [first, second] = one.hunks;
  assert.ok(first && second);
  const { panel, page } = await open({
    status: "applied",
    files: [
      {
        ...one,
        hunks: [
          { ...first, status: "applied" },
          { ...second, status: "rejected" },
        ],
      },
      ...withStatus("rejected", [other]),
    ],
  });
  assert.equal(await page.locator(".patch .head").innerText(), "Partly accepted\n1 file\n+1\n−1");
  const rows = page.locator(".patch .file > summary");
  assert.match((await rows.nth(0).innerText()).replaceAll(/\s+/g, " "), /a\.ts src \+1 −1$/);
  assert.match((await rows.nth(1).innerText()).replaceAll(/\s+/g, " "), /b\.ts src Rejected$/);
  await page.getByText("a.ts", { exact: true }).click();
  assert.deepEqual(await page.locator(".hunk-head .status:visible").allInnerTexts(), [
    "Accepted",
    "Rejected",
  ]);
  await panel.close();
});

test("what no longer fits says so at once, and is asked for once more with the files as they are", async () => {
  const { host, panel, page, button, armed } = await open(
    {},
    { changes: { ...waiting, hunks: 0, conflicts: 1, inConflict: ["call"] } },
  );
  assert.equal(await page.getByRole("group", { name: "Conflict" }).count(), 1);
  await armed();
  const offered = await page.locator(".patch [data-armed] button").allInnerTexts();
  assert.deepEqual(offered, ["Retry with Current Files", "Review", "Reject", "Reject with Feedback…"]);
  assert.equal(await button("Accept All").count(), 0, "nothing of it can be accepted");
  await button("Retry with Current Files").click();
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-call", "call", "send-current"]]);
  host.setViewState({ changes: waiting });
  await panel.settled();
  assert.equal(await page.getByRole("group", { name: "Proposed", exact: true }).count(), 1);
  assert.equal(await button("Retry with Current Files").count(), 0);
  await panel.close();
});

test("after a crash in the middle of writing the row says how far it came, and it is finished or taken back there", async () => {
  const said = message("changeHalfWritten", { count: 1, all: 2 });
  const { host, panel, page, button, armed } = await open({ message: said });
  await page.getByText("Only 1 of 2 files were written.").waitFor();
  await armed();
  assert.deepEqual(await page.locator(".patch [data-armed] button").allInnerTexts(), [
    ...["Finish", "Undo", "Review"],
  ]);
  await button("Finish").click();
  await button("Undo").click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-call", "call", "finish"],
    ["act-on-call", "call", "undo"],
  ]);
  host.happen(become("applied"));
  await panel.settled();
  assert.equal(await page.getByText("files were written.").count(), 0);
  await armed();
  assert.equal(await button("Finish").count(), 0);
  await panel.close();
});

test("of an edit that never fitted anywhere there is nothing to retry, and while a turn runs the model hears it anyway", async () => {
  const never = await open({ status: "failed", files: [] });
  assert.equal(await never.button(/Retry/).count(), 0);
  await never.panel.close();
  const { host, panel, button } = await open({ status: "failed" });
  assert.equal(await button("Retry with Current Files").count(), 1);
  host.happen({ type: "started", turn: "2", at: 1, model: "svc-k3", route: "responses", prompt: "Go on." });
  await panel.settled();
  assert.equal(await button("Retry with Current Files").count(), 0);
  await panel.close();
});

test("a moved file shows both names, a deleted one says so", async () => {
  const { panel, page } = await open({
    files: [
      { ...file("src/a.ts", hunk("a#1", 3)), change: "move", to: "lib/of/the/whole/message/a.ts" },
      { path: "src/old.ts", change: "delete", added: 0, removed: 80, hunks: [] },
    ],
  });
  const rows = page.locator(".patch .file > summary");
  assert.match(await rows.nth(0).innerText(), /a\.ts[\s\S]*lib\/of\/the\/whole\/message\/a\.ts/);
  assert.match(await rows.nth(1).innerText(), /old\.ts[\s\S]*File deleted/);
  await page.setViewportSize({ width: 300, height: 800 });
  const { width = 0 } = (await rows.nth(0).locator(".path").boundingBox()) ?? {};
  assert.ok(width > 20, `its old name is ${width} pixels wide`);
  await panel.close();
});

test("folds survive while the row is drawn again", async () => {
  const { host, panel, page } = await open();
  await page.getByText("a.ts", { exact: true }).click();
  assert.equal(await page.getByRole("button", { name: "Line 30" }).count(), 0);
  host.happen(become("applied"));
  await panel.settled();
  assert.equal(await page.getByRole("button", { name: "Line 30" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Line 7" }).count(), 1);
  await panel.close();
});

test("the bar says what waits and decides about exactly what it showed; a question goes out meanwhile", async () => {
  const { host, panel, page, bar } = await open({}, { changes: waiting });
  assert.match(
    (await bar.innerText()).replaceAll(/\s+/g, " "),
    /^2 files \+3 −3 Accept All Review Reject All$/,
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

test("the bar is one stop for the Tab key, arrows move within it, and conflicts that come are heard", async () => {
  const { host, panel, page, bar } = await open({}, { changes: waiting });
  const tools = bar.getByRole("toolbar", { name: "Proposed changes" });
  assert.equal(await tools.locator('button[tabindex="0"]').count(), 1);
  await tools.getByRole("button", { name: "Accept All" }).focus();
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

test("buttons of the bar that have just come decide nothing", async () => {
  const { host, panel, bar } = await open({}, { changes: waiting });
  host.setViewState({ changes: { ...waiting, shown: 9 } });
  await bar.getByRole("button", { name: "Accept All" }).click({ force: true });
  await panel.settled();
  assert.deepEqual(host.asked, []);
  await panel.close();
});

test("in a conversation that is only read here nothing can be decided", async () => {
  const { panel, button, bar } = await open({}, { changes: waiting, readOnly: true });
  assert.equal(await bar.count(), 0);
  assert.equal(await button("Accept").count(), 0);
  await panel.close();
});

test("errors that came with an applied patch stand in its row, each with its line; Fix asks, Show leads there", async () => {
  const errors = [
    { path: "src/a.ts", line: 4, text: "Cannot find name 'x'." },
    { path: "src/b.ts", line: 9, text: "Expected 2 arguments." },
  ];
  const { host, panel, page, button } = await open(
    { status: "applied", files: withStatus("applied") },
    { newErrors: [{ call: "call", errors, count: 2 }] },
  );
  await page.locator(".patch .new-errors .fate").filter({ hasText: "2 new errors" }).waitFor();
  await button("src/b.ts:9").click();
  await button("Show").click();
  await button("Fix").click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["open-file", "src/b.ts", 9],
    ["open-file", "src/a.ts", 4],
    ["act-on-call", "call", "fix-errors"],
  ]);
});

const evidence: NonNullable<ViewState["checks"]> = [
  { id: "1", name: "types", state: "passed", seconds: 3.6, found: 0 },
  { id: "2", name: "tests of all packages", state: "new-findings", seconds: 41.2, found: 2 },
  { id: "3", name: "lint", state: "stale", found: 0 },
];

test("what the checks say stands above the box and on the card, in one line each at 300 pixels", async () => {
  const { host, panel, page, bar } = await open({}, { changes: waiting, checks: evidence });
  for (const place of [bar, page.locator(".patch")]) {
    const chips = place.getByRole("group", { name: "Checks" }).getByRole("button");
    assert.deepEqual(await chips.allTextContents(), [
      "types ✓ 3.6 s",
      "tests of all packages ✗ 2 new",
      "lint: out of date – run again",
    ]);
    await page.setViewportSize({ width: 300, height: 800 });
    for (const chip of await chips.all()) {
      const { height = 0, x = -1, width = 400 } = (await chip.boundingBox()) ?? {};
      assert.ok(height > 0 && height < 30, `a chip is ${height} pixels high`);
      assert.ok(x >= 0 && x + width <= 300, "a chip is cut off");
    }
    const cut = await chips.evaluateAll(
      (all) => all.filter((one) => one.scrollWidth > one.clientWidth).length,
    );
    assert.equal(cut, 0, "the words of a chip are cut off");
    await chips.nth(1).click();
    await chips.nth(2).click();
  }
  await panel.settled();
  const asked = [
    ["act-on-check", "2", "open"],
    ["act-on-check", "3", "run"],
  ];
  assert.deepEqual(host.asked, [...asked, ...asked]);
  await panel.close();
});

test("why a change deserves a look stands beside its file, and counted above the box", async () => {
  const flags = [
    message("riskGrave", { flag: message("riskTest") }),
    message("riskPublicMany", { count: 3 }),
  ];
  const flagged = [
    { path: "src/b.ts", calls: ["call"], flags },
    { path: "src/a.ts", calls: ["another"], flags: [message("riskFormat")] },
  ];
  const risks = [message("riskTestOne"), message("riskPublicApiOne")];
  const { host, panel, page, bar } = await open({}, { changes: { ...waiting, risks, flagged } });
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
