// The row of a command: what a person reads before it runs, its output while it arrives, and the button that ends it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import type { ToolPart } from "../../../src/conversation/state.ts";
import { openTurns } from "./support/open-turns.ts";
import { turn } from "./support/sample-turn.ts";

const row = (more: Partial<ToolPart>) => ({
  ...({ type: "tool", turn: "1", id: "c", call: "call", name: "run_command", summary: "npm test" } as const),
  ...{ status: "running" as const, command: { line: "npm test" } },
  ...more,
});

async function openRow(more: Partial<ToolPart>) {
  const opened = await openTurns(turn("1", { status: "running", parts: [] }));
  opened.host.happen(row(more));
  await opened.panel.settled();
  return opened;
}

describe("the row of a command", () => {
  test("shows the whole line before it runs, with everything that is hidden in it", async () => {
    const line = `echo safe #\u202e\u200b\r\nrm -rf ${"x".repeat(300)} end`;
    const { page, panel } = await openRow({ status: "asked", summary: "echo safe", command: { line } });
    const shown = await page.getByRole("group", { name: "Command line" }).textContent();
    assert.equal(shown, `echo safe #\\u{202E}\\u{200B}\\u{000D}⏎\nrm -rf ${"x".repeat(300)} end`);
    const box = await page.locator("pre.command").evaluate((pre) => pre.scrollHeight - pre.clientHeight);
    assert.ok(box <= 1, "all of it is in sight");
    assert.equal(await page.locator(".tool .what").textContent(), "", "and once");
    await panel.close();
  });

  test("offers to allow the folder only where that is possible, and sends what was chosen", async () => {
    const { host, page, panel } = await openRow({
      status: "asked",
      message: message("commandFolder", { folder: "work" }),
      command: { line: "npm test", canAllow: true },
    });
    await page.getByRole("button", { name: "Allow in This Folder" }).click();
    host.happen(row({ status: "asked", id: "d", call: "other", message: message("toolAsks") }));
    await panel.settled();
    assert.equal(await page.getByRole("button", { name: "Allow in This Folder" }).count(), 1);
    await page.getByRole("button", { name: "Allow", exact: true }).last().click();
    await panel.settled();
    assert.deepEqual(host.asked, [
      ["decide", "call", { kind: "accept", always: true }],
      ["decide", "other", { kind: "accept" }],
    ]);
    await panel.close();
  });

  test("is open while its output arrives, and folded once it has ended", async () => {
    const { host, page, panel } = await openRow({ output: "one\n" });
    const output = page.locator(".tool details pre");
    assert.ok(await output.isVisible());
    host.happen(row({ output: `one\n${"two\n".repeat(200)}` }));
    await panel.settled();
    assert.ok(await output.evaluate((pre) => pre.scrollTop + pre.clientHeight >= pre.scrollHeight - 2));
    host.happen(
      row({ status: "done", output: "one", message: message("commandFailed", { code: 1, seconds: 2 }) }),
    );
    await panel.settled();
    assert.ok(!(await output.isVisible()));
    assert.equal(await page.locator(".tool").getAttribute("data-outcome"), "failed");
    assert.match(await page.locator(".tool").innerText(), /Ran\s+npm test[\s\S]*Exit code 1, 2 s/);
    assert.equal(await page.getByRole("button", { name: "Stop This Command" }).count(), 0);
    await panel.close();
  });

  test("of the real folder can be edited before it runs, by keyboard too", async () => {
    const { host, page, panel } = await openRow({
      ...{ status: "asked", message: message("commandReal", { folder: "work" }) },
      command: { line: "git push --force", canEdit: true },
    });
    const field = page.getByRole("textbox", { name: "Command line, which you can edit" });
    assert.equal(await field.inputValue(), "git push --force");
    assert.equal(await page.getByRole("button", { name: "Allow", exact: true }).count(), 0);
    await page.locator("[data-armed]").waitFor();
    await field.fill("git push\n--dry-run");
    await field.press("Enter");
    await panel.settled();
    assert.deepEqual(host.asked, [], "Enter in the field runs nothing");
    const run = page.getByRole("button", { name: "Run in Terminal" });
    assert.ok(await run.evaluate((one) => one === document.activeElement), "but goes on to what does");
    await page.keyboard.press("Enter");
    await panel.settled();
    assert.deepEqual(host.asked, [["decide", "call", { kind: "accept", line: "git push --dry-run" }]]);
    await panel.close();
  });

  test("of the real folder shows a line of any length whole, so that nothing is agreed to unseen", async () => {
    const line = `git push ${"--force ".repeat(240)}; rm -rf end`;
    const { page, panel } = await openRow({ status: "asked", command: { line, canEdit: true } });
    const field = page.getByRole("textbox", { name: "Command line, which you can edit" });
    assert.equal(await field.inputValue(), line);
    const hidden = await field.evaluate((box) => box.scrollHeight - box.clientHeight);
    assert.ok(hidden <= 1, `${hidden} pixels are out of sight`);
    await panel.close();
  });

  test("of the real folder stays edited while its turn is out of sight", async () => {
    const long = { type: "text", id: "t", text: "A line.\n\n".repeat(400) } as const;
    const before = ["a", "b", "c"].map((id) => turn(id, { parts: [long] }));
    const { host, page, panel } = await openTurns(...before, turn("1", { status: "running", parts: [] }));
    host.happen(row({ status: "asked", command: { line: "git push", canEdit: true } }));
    const field = page.getByRole("textbox", { name: "Command line, which you can edit" });
    await field.fill("git push --dry-run");
    await page.locator(".composer textarea").focus();
    await page.locator(".transcript").evaluate((box) => box.scrollTo(0, 0));
    await page.locator('[data-turn="a"]').waitFor();
    await panel.settled();
    assert.equal(await field.inputValue(), "git push --dry-run");
    await panel.close();
  });

  test("of the real folder runs as it is, unless it was edited, and never empty", async () => {
    const { host, page, panel } = await openRow({
      ...{ status: "asked", command: { line: "git push", canEdit: true } },
    });
    const field = page.getByRole("textbox", { name: "Command line, which you can edit" });
    const run = page.getByRole("button", { name: "Run in Terminal" });
    await page.locator("[data-armed]").waitFor();
    await field.fill(" ");
    await run.click();
    await panel.settled();
    assert.deepEqual(host.asked, []);
    await field.fill("git push");
    await run.click();
    await panel.settled();
    assert.deepEqual(host.asked, [["decide", "call", { kind: "accept" }]]);
    await panel.close();
  });

  test("that ran by a permission for its folder has a button that withdraws it, while it stands", async () => {
    const { host, page, panel } = await openRow({ output: "one\n" });
    host.setViewState({ commandFolders: ["work"] });
    const command = { line: "npm test", allowedIn: "work" };
    host.happen(row({ status: "done", output: "one", command }));
    host.happen(row({ id: "d", call: "d", status: "done", output: "one" }));
    await panel.settled();
    const ask = page.getByRole("button", { name: "Ask Again in This Folder", includeHidden: true });
    assert.equal(await ask.count(), 1, "a command that asked has none");
    await page.locator(".tool summary").first().click();
    await page.getByText("Runs without asking, since you allowed commands in work.").waitFor();
    await ask.focus();
    await page.keyboard.press("Enter");
    await panel.settled();
    assert.deepEqual(host.asked, [["ask-again-in", "work"]]);
    assert.equal(await page.getByRole("status").textContent(), "Commands ask again in this folder.");
    host.setViewState({ commandFolders: [] });
    await panel.settled();
    assert.equal(await ask.count(), 0);
    await panel.close();
  });

  test("has a button by which it alone is ended, by keyboard too", async () => {
    const { host, page, panel } = await openRow({ output: "one\n" });
    await page.getByRole("button", { name: "Stop This Command" }).focus();
    host.happen(row({ output: "one\ntwo\n" }));
    await panel.settled();
    await page.keyboard.press("Enter");
    await panel.settled();
    assert.deepEqual(host.asked, [["decide", "call", { kind: "stop" }]]);
    await panel.close();
  });
});
