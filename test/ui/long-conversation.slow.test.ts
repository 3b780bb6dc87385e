// A question that is stopped and a conversation that grows too long, as a person sees them: what the model still hears is
// said on the turn, can be taken back in one click, and what came before a summary stays readable.
import { strict as assert } from "node:assert";
import { status } from "../sim/http-answers.ts";
import { form, text } from "../sim/script.ts";
import type { Simulator } from "../sim/simulator.ts";
import { asked } from "./support/asked.ts";
import { takePictures } from "./support/pictures.ts";
import type { VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const themes = ["light", "contrast", "dark"] as const;

async function inEveryTheme(vscode: VsCode, name: string): Promise<void> {
  await takePictures(vscode, themes, (theme) => `${name}-${theme}`);
}

/** The input of the last question, as it went out. */
const sent = (sim: Simulator): string => JSON.stringify(asked(sim).at(-1)?.body["input"]);

async function answered(vscode: VsCode, sim: Simulator, question: string, answer: string): Promise<void> {
  sim.reply(text(answer));
  await vscode.ask(question, "svc-k3");
  await vscode.transcript.getByText(answer).waitFor();
}

vscodeTest(
  "the context says that a question was stopped, and omits the question once it is excluded",
  {},
  async (vscode, sim) => {
    const { chat, transcript } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(form({ pace: 100 }), text(`I begin with the first. ${"And then the next one. ".repeat(100)}`));
    await vscode.ask("Rename every file to x.", "svc-k3");
    await transcript.getByText("I begin with the first.").waitFor();
    await chat.getByRole("button", { name: "Stop" }).first().click();
    const details = transcript.getByRole("group", { name: "Stopped" }).getByText("Details");
    await details.click();
    await transcript.getByText("The model is told that this was stopped.").waitFor();
    await answered(vscode, sim, "What time is it?", "It is noon.");
    assert.match(sent(sim), /Rename every file.*stopped this request.*do not go on with it.*What time is it/);
    await inEveryTheme(vscode, "stopped");

    await chat.getByRole("button", { name: "Exclude from Context" }).first().click();
    await chat.getByRole("button", { name: "Exclude from Context" }).waitFor({ state: "detached" });
    await transcript.getByText("Excluded from context.").waitFor();
    await answered(vscode, sim, "And tomorrow?", "Noon again.");
    assert.doesNotMatch(sent(sim), /Rename every file|stopped this request/);
    assert.match(sent(sim), /What time is it.*And tomorrow/);
    await vscode.screenshot("stopped-excluded");
  },
);

vscodeTest(
  "a conversation is compacted on request, and automatically if it is too long, and stays readable in full",
  {},
  async (vscode, sim) => {
    const { chat, composer, transcript } = vscode;
    const earliest = transcript.getByRole("heading", { name: "Remember alpha." });
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await answered(vscode, sim, "Remember alpha.", "Alpha it is.");

    // What it costs is said before.
    await composer.fill("/compact");
    const question = chat.getByText(/Compact this conversation\? This sends ≈[\d,.]+k? tokens/).first();
    await chat.getByRole("option", { name: "/compact" }).waitFor();
    await vscode.page.keyboard.press("Enter");
    await question.waitFor();
    const before = asked(sim).length;
    await inEveryTheme(vscode, "compact-question");
    assert.equal(asked(sim).length, before);
    sim.reply(text("SUMMARY: the word is alpha."));
    await chat.getByRole("button", { name: "Compact", exact: true }).first().click();
    await transcript.getByText("Earlier messages are summarized above").waitFor();
    await answered(vscode, sim, "Which word?", "It was alpha.");
    assert.match(sent(sim), /SUMMARY: the word is alpha.*Which word/);
    // What the person said stays word for word; what was answered is in the summary.
    assert.match(sent(sim), /Remember alpha/);
    assert.doesNotMatch(sent(sim), /Alpha it is/);
    await earliest.waitFor();
    await transcript.getByText("Alpha it is.").waitFor();
    await inEveryTheme(vscode, "compacted");

    // The service says how much its model takes: summarized by itself, once, and the question is answered after all.
    sim.reply(
      status(400, {
        message:
          "This model's maximum context length is 20000 tokens. Your messages resulted in 21000 tokens.",
        code: "context_length_exceeded",
      }),
    );
    sim.reply(text("SUMMARY: still alpha."));
    await answered(vscode, sim, "And now?", "Still alpha, I think.");
    // Why it was is with the summary.
    await transcript.getByText("Summary for the model").last().click();
    await transcript.getByText(/longer than the model takes \(20,000 tokens\), so it is compacted/).waitFor();
    assert.match(sent(sim), /SUMMARY: still alpha.*And now/);
    assert.doesNotMatch(sent(sim), /It was alpha/);
    // Now the size is known, and how much of it is used.
    await chat
      .locator(".window-meter")
      .getByText(/of 20,000/)
      .waitFor({ state: "attached" });
    await earliest.scrollIntoViewIfNeeded();
    await earliest.waitFor();
    await vscode.screenshot("compacted-twice");
  },
);
