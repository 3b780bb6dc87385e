// Ways through the window by keys alone.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { VsCode } from "../support/vscode.ts";

export interface Keys {
  press(...keys: string[]): Promise<void>;
  /**
   * Until that has the focus. What was opened before may take it yet, and the editor knows keys of the panel's once it has
   * heard where the focus is; nobody says when.
   */
  pressUntil(target: Locator, ...keys: string[]): Promise<void>;
  /** The box for the next question, when it has the focus. */
  readonly box: Locator;
  /** Into that box, from anywhere but a terminal. */
  toTheBox(): Promise<void>;
  /** To the last answer. */
  toTheAnswer(): Promise<void>;
  ask(question: string): Promise<void>;
  /** On with this key until what has the focus is called so; through a row of buttons the arrow leads. */
  walk(name: string | RegExp, key?: string): Promise<void>;
  /** The same, and Enter. */
  choose(name: string | RegExp, key?: string): Promise<void>;
  /** From the box backwards. */
  back(name: string | RegExp): Promise<void>;
  /** The same with a decision: that takes a moment before it believes a key. */
  decide(name: string): Promise<void>;
  /** Until the conversation says it. */
  says(words: string): Promise<void>;
  /** Until an editor shows it and has the focus: the next key is for somebody else before. */
  reads(words: string): Promise<void>;
}

/** More stops than there are on any way. */
const farthest = 80;

export function createKeys({ page, chat, transcript }: VsCode): Keys {
  const { keyboard } = page;
  const box = chat.locator("textarea.input:focus");

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await keyboard.press(key);
  }

  async function pressUntil(target: Locator, ...keys: string[]): Promise<void> {
    const isThere = () =>
      target.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    do await press(...keys);
    while (!(await isThere()));
  }

  async function toTheBox(): Promise<void> {
    await pressUntil(chat.locator(":focus"), "Control+k", "Control+y");
    // From within the conversation the way is another one.
    if ((await box.count()) === 0) await press("Escape");
    await box.waitFor();
  }

  async function walk(name: string | RegExp, key = "Tab"): Promise<void> {
    const seen = new Set<string>();
    for (let step = 0; step < farthest; step += 1) {
      const { called, inRow } = await chat.locator(":focus").evaluate(describe);
      if (typeof name === "string" ? called === name : name.test(called)) return;
      await press(inRow && !seen.has(called) ? "ArrowRight" : key);
      seen.add(called);
    }
    assert.fail(`No way to ${name}: ${[...seen].join(", ")}`);
  }

  async function choose(name: string | RegExp, key?: string): Promise<void> {
    await walk(name, key);
    await press("Enter");
  }

  async function back(name: string | RegExp): Promise<void> {
    await toTheBox();
    await choose(name, "Shift+Tab");
  }

  return {
    press,
    pressUntil,
    box,
    toTheBox,
    async toTheAnswer() {
      await toTheBox();
      await pressUntil(transcript.locator("article:focus"), "Alt+ArrowUp");
    },
    async ask(question) {
      await toTheBox();
      await keyboard.insertText(question);
      await press("Enter");
    },
    walk,
    choose,
    back,
    async decide(name) {
      await transcript.locator("[data-armed]").getByRole("button", { name }).waitFor();
      await back(name);
    },
    says: (words) => transcript.getByText(words).last().waitFor(),
    reads: (words) => page.locator(".monaco-editor.focused .view-line", { hasText: words }).first().waitFor(),
  };
}

/** What an element is called, and whether it stands in a row that is one stop of the Tab key. */
const describe = (element: HTMLElement | SVGElement) => ({
  called: (element.ariaLabel ?? element.textContent ?? "").trim(),
  inRow: element.closest("[role=toolbar]") !== null,
});
