// VS Code's own chat, answered by our models: what a person does in its view, as functions. What is known of VS Code's DOM
// for it is known here alone.
import type { Locator } from "playwright-core";
import type { Simulator } from "../../sim/simulator.ts";
import { attempt, insist } from "./insist.ts";
import type { VsCode } from "./vscode.ts";

/** Of a window that has it. Inline chat answers in the editor only where it is told to. */
export const vscodeChatSettings = {
  "chat.disableAIFeatures": false,
  "inlineChat.askInChat": false,
  "patchbay.languageModel.enabled": true,
};

export interface VscodeChat {
  /** The last answer, ended or not. */
  readonly answer: Locator;
  /** What stands above the box while edits wait for a yes. */
  readonly edits: Locator;
  /** How full the window of the model is, in words. */
  readonly ring: Locator;
  ask(question: string): Promise<void>;
  /** Asks again what came to nothing. */
  tryAgain(): Promise<void>;
  /** Stops the answer that is being written. */
  stop(): Promise<void>;
  /** Resolves once the last answer has ended with these words in it. */
  ended(words: string): Promise<void>;
  /** Unfolds what the model did before it answered, and of that the thought with this title. */
  showThought(title: string): Promise<void>;
  /** How much the model is to think, by its name in the list beside the model. */
  chooseEffort(name: string): Promise<void>;
  keepEdits(): Promise<void>;
  undoEdits(): Promise<void>;
}

/** With the key of this service, in a conversation without questions. */
export async function openVscodeChat(vscode: VsCode, sim: Simulator, model = "K3"): Promise<VscodeChat> {
  const { page } = vscode;
  const view = page.locator(".part.auxiliarybar .interactive-session");
  const input = view.locator(".chat-input-container .monaco-editor").last();
  const transcript = view.locator(".interactive-list");
  // The rows do not stand in the page in their order, and a question that is out of sight stands there twice.
  const answer = transcript.locator('.monaco-list-row.response[data-last-element="true"]');
  const question = transcript.locator(".monaco-list-row.request").filter({ visible: true });

  await vscode.setKey(sim.key);
  // Its list of models, opened once, is the door: without it VS Code asks for a sign-in.
  await vscode.command("Chat: Manage Language Models");
  await page.locator(".editor-instance").getByText("K3", { exact: true }).first().waitFor();
  await vscode.command("View: Close Editor");
  await vscode.command("Chat: Open Chat");
  // It offers this once it is ready; asked before, it still wants a sign-in.
  await view.getByText("Set BYOK utility models").waitFor();
  await chooseModel(view, model);
  if (await question.first().isVisible()) {
    await input.click();
    await insist(() => page.keyboard.press("Control+N"), view.getByText("Build with Agent"));
  }

  const edits = view.locator(".chat-editing-session");
  const keep = edits.getByRole("button", { name: /^Keep All/ });
  return {
    answer,
    edits,
    ring: view.getByRole("button", { name: /^Context window usage/ }),
    async ask(words) {
      await input.click();
      await page.keyboard.insertText(words);
      await view
        .getByRole("button", { name: /^Send/ })
        .and(page.locator(":not(.disabled)"))
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await question.filter({ hasText: words }).first().waitFor();
    },
    tryAgain: () => answer.getByRole("button", { name: "Try Again" }).click(),
    stop: () => view.getByRole("button", { name: /^Cancel/ }).click(),
    async ended(words) {
      const ended = answer.filter({ has: page.locator(".interactive-response:not(.chat-response-loading)") });
      await ended.filter({ hasText: words }).waitFor();
    },
    async showThought(title) {
      const thought = answer.getByRole("button", { name: title });
      await answer.getByText(/^Completed \d+ steps?/).click();
      await thought.click();
      await thought.and(page.locator('[aria-expanded="true"]')).waitFor();
    },
    async chooseEffort(name) {
      const effort = view.locator(".model-picker-config");
      const row = page
        .locator(".action-widget .monaco-list-row, .monaco-menu .action-item")
        .filter({ hasText: new RegExp(`^${name}`) });
      await insist(() => effort.click(), row.first());
      await row.first().click();
      // The list stays open for another choice.
      await page.keyboard.press("Escape");
      await effort.and(page.locator(`[aria-label="Reasoning Effort: ${name}"]`)).waitFor();
    },
    async keepEdits() {
      await keep.click();
      await keep.waitFor({ state: "hidden" });
    },
    async undoEdits() {
      await edits.getByRole("button", { name: /^Undo All/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Yes" }).click();
      await keep.waitFor({ state: "hidden" });
    },
  };
}

/** In the editor that has the focus. */
export async function askInline({ page }: VsCode, question: string) {
  const widget = page.locator(".inline-chat-widget");
  const input = widget.locator(".monaco-editor.focused");
  await insist(() => page.keyboard.press("Control+I"), input);
  await chooseModel(widget, "K3");
  await input.click();
  await page.keyboard.insertText(question);
  await page.keyboard.press("Enter");
  const end = async (name: RegExp) => {
    await widget.getByRole("button", { name }).click();
    await widget.waitFor({ state: "hidden" });
  };
  return { keep: () => end(/^Keep/), close: () => end(/^Close/) };
}

/** The list holds few at first, and is drawn anew while models are still coming in. */
async function chooseModel(asked: Locator, name: string): Promise<void> {
  const page = asked.page();
  const button = asked.getByRole("button", { name: /^Models, / }).first();
  const chosen = asked.getByRole("button", { name: `Models, ${name}`, exact: true }).first();
  const rows = page.locator(".action-widget .monaco-list-row");
  const row = rows.filter({ hasText: new RegExp(`^${name}(?!\\.)`) });
  await attempt(async (timeout) => {
    await button.waitFor({ timeout });
    if (await chosen.isVisible()) return;
    if (!(await rows.first().isVisible())) await button.click({ timeout });
    await rows.first().waitFor({ timeout });
    if (!(await row.isVisible())) await rows.filter({ hasText: "Other Models" }).click({ timeout });
    await row.click({ timeout });
    await chosen.waitFor({ timeout });
  });
}
