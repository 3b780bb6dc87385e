// What a person meets when a repository speaks, a rule accepts, a limit stops and a command asks, in the real editor: the
// menu of custom agents, the consent for a repository's own words and its Read Whole Text, chips of skills, a change accepted
// by rule, the cap of a question, and the command in the real folder with its line to edit. Pictures are for people.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { call, patchCall, text, usage } from "../sim/script.ts";
import { attempt } from "./support/insist.ts";
import { ledgerSettings } from "./support/ledger-settings.ts";
import { takePictures } from "./support/pictures.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const rules = `Use tabs.\n${"Say in a comment why, not what, in one whole sentence.\n".repeat(280)}Never send keys.\n`;
const skill = (description: string) => `---\ndescription: ${description}\n---\nFollow the steps.\n`;
const files = {
  "AGENTS.md": rules,
  ".github/agents/owl.agent.md":
    "---\nname: Owl\ndescription: Reviews at night\nmodel: K2.6\n---\nReview like an owl.\n",
  ".claude/agents/cat.md":
    "---\nname: cat\ndescription: Waits and then pounces on duplicated code\n---\nWait.\n",
  ".claude/skills/release/SKILL.md": skill("How we release"),
  ".claude/skills/invoices/SKILL.md": skill("How we number invoices"),
};
const note =
  "*** Begin Patch\n*** Add File: docs/rounding.md\n+# Rounding\n+Half a cent rounds up.\n*** End Patch\n";

vscodeTest(
  "agents, a repository's words, a rule, a limit and a command in the real folder are read and answered by keyboard",
  {
    size: { width: 1500, height: 900 },
    settings: {
      ...ledgerSettings,
      "patchbay.agent.tools": { run_command: "ask" },
      "patchbay.patch.autoAccept": ["docs/**"],
      "patchbay.spend.stopRunAboveTokens": 50_000,
    },
  },
  async (vscode, sim) => {
    const { chat, composer, page, transcript, workspace } = vscode;
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
    }
    /** Of what stays in sight while themes change: dark and high contrast wide, light narrow. */
    async function pictures(name: string): Promise<void> {
      for (const [theme, width] of [
        ["contrast", 900],
        ["light", 300],
        ["dark", 900],
      ] as const) {
        await vscode.show(theme);
        await attempt(async (timeout) => {
          await vscode.resizePanel(width);
          const isWide = chat.locator("html").evaluate((root) => root.clientWidth, undefined, { timeout });
          assert.ok(Math.abs((await isWide) - width) < 20);
        });
        const excess = await chat.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth);
        assert.equal(excess, 0, `${name} is cut off sideways`);
        await vscode.screenshot(`together-${name}-${width}-${theme}`);
      }
    }

    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.chooseModel("svc-k3");

    const model = chat.getByRole("button", { name: /^Model: / });
    const menu = chat.getByRole("menu", { name: "Model" });
    const agents = chat.getByRole("menu", { name: "Agent" });
    for (const theme of ["contrast", "dark"] as const) {
      await vscode.show(theme);
      await vscode.resizePanel(900);
      await attempt(async (timeout) => {
        if (await agents.isVisible()) return;
        // Opened anew each time, since the agents are looked for as the menu opens.
        if (await menu.isVisible()) await page.keyboard.press("Escape");
        await model.press("Enter", { timeout });
        await menu.getByRole("menuitem", { name: /^Agent/ }).waitFor({ timeout });
        for (const key of ["a", "ArrowRight"]) await page.keyboard.press(key);
        await agents.waitFor({ timeout });
      });
      await vscode.screenshot(`together-agents-900-${theme}`);
    }
    const heard = await agents.getByRole("menuitemradio").allInnerTexts();
    assert.deepEqual(heard.map((words) => words.split("\n")[0]).sort(), ["None", "Owl", "cat"]);
    await page.keyboard.type("c");
    await page.keyboard.press("Enter");
    await chat.getByRole("button", { name: "Model: K3 · cat" }).waitFor();

    sim.reply(text("Tabs, and whole sentences."));
    await vscode.ask("What are our rules?");
    const consent = chat.getByRole("group", { name: /AGENTS\.md/ });
    const whole = consent.getByRole("button", { name: "Read Whole Text" });
    await whole.waitFor();
    await pictures("consent");
    const { y = Number.NaN, height = 0 } = (await whole.boundingBox()) ?? {};
    assert.ok(y + height < (page.viewportSize()?.height ?? 0), "the buttons are in sight");
    assert.equal(sim.requests.filter(({ body }) => "input" in body).length, 0, "nothing is sent before Send");
    await whole.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: /What the model would be told/ }).waitFor();
    const lines = page.locator(".editor-instance .view-line");
    await lines.getByText("Use tabs.").first().waitFor();
    await page.keyboard.press("Control+End");
    await lines.getByText("Never send keys.").first().waitFor();
    await page.keyboard.press("Control+Home");
    await takePictures(vscode, ["contrast", "dark"], (theme) => `together-whole-text-${theme}`);
    await vscode.command("View: Close Editor");
    await consent.getByRole("button", { name: "Send Anyway" }).press("Enter");
    await transcript.getByText("Tabs, and whole sentences.").waitFor();
    const skills = transcript.locator(".chip", { hasText: ".claude/skills" });
    assert.match((await skills.getAttribute("title")) ?? "", /what these skills are for.*invoices/s);
    await pictures("skills");

    sim.reply(patchCall(note));
    sim.reply(text("The rule is written down."));
    await vscode.ask("Write down how we round.");
    await transcript.getByText("Accepted by your rule docs/**").first().waitFor();
    await transcript.getByText("The rule is written down.").waitFor();
    assert.equal(
      readFileSync(join(workspace, "docs/rounding.md"), "utf8"),
      "# Rounding\nHalf a cent rounds up.\n",
    );
    await pictures("rule");

    const spent = usage({ input: 60_000, cached: 0, written: 0, output: 10, reasoning: 0 });
    sim.reply(call("read_file", { path: "src/cart.ts" }), spent);
    await vscode.ask("Read everything.");
    const limit = chat.getByRole("group", {
      name: /^This question has used .* more than your limit of 50,000/,
    });
    const goOn = limit.getByRole("button", { name: "Continue" });
    await goOn.waitFor();
    await pictures("limit");
    sim.reply(text("Read."));
    await goOn.focus();
    await page.keyboard.press("Enter");
    await transcript.getByText("Read.", { exact: true }).waitFor();

    sim.reply(call("run_command", { command: "git push --force origin main", real: true }));
    sim.reply(text("Not pushed, then."));
    await vscode.ask("Push it.");
    const line = chat.getByRole("textbox", { name: "Command line, which you can edit" });
    await line.waitFor();
    await pictures("command");
    await line.fill("git push --dry-run");
    await line.press("Enter");
    const run = chat.getByRole("button", { name: "Run in Terminal" });
    assert.ok(await run.evaluate((one) => one === document.activeElement), "Enter runs nothing yet");
    await chat.getByRole("button", { name: "Decline" }).press("Enter");
    await transcript.getByText("Not pushed, then.").waitFor();
    await vscode.show("dark");
    assert.equal(await composer.isVisible(), true);
  },
);
