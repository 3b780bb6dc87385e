// The panel in the hand of somebody who uses keys alone: nothing is clicked, nothing is filled in or focused from
// outside.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { enterDiffOfAll } from "../support/diff-of-all.ts";
import { until } from "../support/insist.ts";
import { chatBar, type VsCode } from "../support/vscode.ts";
import { editorOn, type Hand } from "./panel-hand.ts";

export interface Keys extends Hand {
  hit(...keys: string[]): Promise<void>;
  /**
   * Until that has the focus. What was opened before may take it yet, and the editor knows keys of the panel's once it has
   * heard where the focus is; nobody says when.
   */
  hitUntil(target: Locator, ...keys: string[]): Promise<void>;
  /** The same for a key that leads away as long as the editor does not know: between two tries it goes back. */
  hitInTurns(target: Locator, back: () => Promise<void>, key: string): Promise<void>;
  /** The box for the next question, when it has the focus. */
  readonly box: Locator;
  /** Into that box, from anywhere but a terminal. */
  toTheBox(): Promise<void>;
  /** To the last answer. */
  toTheAnswer(): Promise<void>;
  /** On with this key until what has the focus is called so; through a row of buttons the arrow leads. */
  walk(name: string | RegExp, key?: string): Promise<void>;
  /** The same, and Enter. */
  choose(name: string | RegExp, key?: string): Promise<void>;
}

/** More stops than there are on any way. */
const farthest = 80;

export function createKeys(vscode: VsCode): Keys {
  const { page, chat, transcript } = vscode;
  const { keyboard } = page;
  const quickInput = page.locator(".quick-input-widget");
  const box = chat.locator("textarea.input:focus");

  async function hit(...keys: string[]): Promise<void> {
    for (const key of keys) await keyboard.press(key);
  }

  const comes = (target: Locator) =>
    target.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );

  async function hitUntil(target: Locator, ...keys: string[]): Promise<void> {
    await hit(...keys);
    await until(
      () => comes(target),
      () => hit(...keys),
    );
  }

  async function hitInTurns(target: Locator, back: () => Promise<void>, key: string): Promise<void> {
    await hit(key);
    let isBack = false;
    await until(
      () => comes(target),
      async () => {
        isBack = !isBack;
        await (isBack ? back() : hit(key));
      },
    );
  }

  async function toTheBox(): Promise<void> {
    await hitUntil(chat.locator(":focus"), "Control+k", "Control+y");
    // From within the conversation the way is another one.
    if ((await box.count()) === 0) await hit("Escape");
    await box.waitFor();
  }

  async function walk(name: string | RegExp, key = "Tab"): Promise<void> {
    const seen: string[] = [];
    /** Where the arrow has been in the row that has the focus. */
    const row = new Set<string>();
    const panel = await (await chat.locator("html").elementHandle())?.ownerFrame();
    assert.ok(panel);
    for (let step = 0; step < farthest; step += 1) {
      const { called, inRow, hasFocus } = await panel.evaluate(describe);
      if (!hasFocus) {
        // It is on its way.
        await chat.locator(":focus").waitFor();
        continue;
      }
      if (typeof name === "string" ? called === name : name.test(called)) return;
      seen.push(called);
      if (inRow && !row.has(called)) {
        row.add(called);
        await hit("ArrowRight");
      } else {
        row.clear();
        await hit(key);
      }
    }
    assert.fail(`No way to ${name}: ${seen.join(", ")}`);
  }

  async function choose(name: string | RegExp, key?: string): Promise<void> {
    await walk(name, key);
    await hit("Enter");
  }

  /** From the box backwards. */
  async function back(name: string | RegExp): Promise<void> {
    await toTheBox();
    await choose(name, "Shift+Tab");
  }

  async function write(question: string): Promise<void> {
    // What is typed while the focus is on its way comes to nowhere.
    const type = async () => {
      await toTheBox();
      await hit("Control+a");
      await keyboard.insertText(question);
    };
    await type();
    await until(async () => (await box.inputValue()) === question, type);
  }

  async function ask(question: string): Promise<void> {
    await write(question);
    await hit("Enter");
  }

  // The next key is for somebody else before it has the focus.
  const reads = (words: string) =>
    page.locator(".monaco-editor.focused .view-line", { hasText: words }).first().waitFor();

  return {
    hit,
    hitUntil,
    hitInTurns,
    box,
    toTheBox,
    async toTheAnswer() {
      await toTheBox();
      await hitUntil(transcript.locator("article:focus"), "Alt+ArrowUp");
    },
    walk,
    choose,
    async press(name) {
      await toTheBox();
      await chat.getByRole("button", { name }).last().waitFor();
      await choose(name, "Shift+Tab");
    },
    async pressBelow(name) {
      await toTheBox();
      await chat.getByRole("button", { name }).waitFor();
      await choose(name);
    },
    async pressAtCode(name) {
      await toTheBox();
      // Only the long block can be folded.
      await walk("Fold", "Shift+Tab");
      await choose(name);
    },
    async decide(name) {
      await chat.locator("[data-armed]").getByRole("button", { name, exact: true }).last().waitFor();
      await back(name);
    },
    unfold: back,
    async nearlyFollow(link, address) {
      await choose(link);
      const leave = page.getByRole("dialog");
      await leave.getByText(address).waitFor();
      await leave.locator(":focus").waitFor();
      await hit("Escape");
    },
    write,
    async send() {
      await toTheBox();
      await hit("Enter");
    },
    ask,
    lineUp: ask,
    async mention(letters, name) {
      await toTheBox();
      await keyboard.type(`@${letters}`);
      await chat.getByRole("option", { name, selected: true }).waitFor();
      await hit("Enter");
    },
    async askInOtherWords(question) {
      // What is typed before the form has the focus goes nowhere.
      await chat.locator(".rewrite textarea:focus").waitFor();
      await hit("Control+a");
      await keyboard.insertText(question);
      await hit("Enter");
    },
    async stop() {
      await toTheBox();
      await hit("Escape");
    },
    toTheEditor: (path) => hitUntil(page.locator(`${editorOn(path)}.focused`), "Control+1"),
    async leaveTerminal() {
      await page.locator(".terminal.xterm textarea:focus").waitFor();
      // A terminal keeps its keys for itself.
      await hit("F1");
      await quickInput.locator("input:focus").waitFor();
      await keyboard.insertText(chatBar.focus);
      // Until then Enter would take what stood first before.
      await quickInput.locator(".monaco-list-row.focused", { hasText: chatBar.focus }).waitFor();
      await hit("Enter");
    },
    says: (words) => transcript.getByText(words).last().waitFor(),
    reads,
    async readsInDiff(words) {
      await enterDiffOfAll(vscode);
      await reads(words);
    },
  };
}

/** What the control that has the focus is called, and whether it stands in a row that is one stop of the Tab key. */
const describe = () => {
  const { activeElement } = document;
  return {
    hasFocus: document.hasFocus(),
    // What only scrolls can bear the name of what stands above it.
    called: activeElement?.matches("pre, body")
      ? ""
      : (activeElement?.ariaLabel ?? activeElement?.textContent ?? "").trim(),
    inRow: activeElement?.closest("[role=toolbar]") != null,
  };
};
