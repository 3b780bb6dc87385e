// The lists that open at the box: after / and @, and the models.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Completions } from "../../../src/bridge/page-connection.ts";
import type { Completion } from "../../../src/bridge/protocol.ts";
import { openComposer } from "./support/open-composer.ts";
import { samples } from "./support/sample-turns.ts";
import { ordinary } from "./support/small-host.ts";

test("the / menu is a combobox: arrows choose, typing narrows and Tab accepts", async () => {
  const { page, box, asked, panel } = await openComposer();
  await page.keyboard.type("/");
  const active = () =>
    box.evaluate(
      (input) => document.getElementById(input.getAttribute("aria-activedescendant") ?? "")?.textContent,
    );
  assert.equal(await box.getAttribute("aria-expanded"), "true");
  assert.match((await active()) ?? "", /explain/);
  await page.keyboard.press("ArrowDown");
  assert.match((await active()) ?? "", /fix/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.match((await active()) ?? "", /help/);
  await page.keyboard.type("fi");
  assert.match((await active()) ?? "", /fix/);
  await page.keyboard.press("Tab");
  assert.equal(await box.inputValue(), "/fix ");
  await page.keyboard.type("this");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "this", "fix"]]);
  await panel.close();
});

test("an unknown slash command is sent as it was typed", async () => {
  const { page, asked, panel } = await openComposer();
  await page.keyboard.type("/etc/hosts holds what?");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "/etc/hosts holds what?"]]);
  await panel.close();
});

test("the @ menu suggests files and pickers, and Ctrl+Z undoes an inserted mention", async () => {
  const completions = [
    { label: "parse.ts", detail: "src", attachment: { kind: "file", path: "src/parse.ts" } as const },
  ];
  const { page, box, asked, panel } = await openComposer({ completions });
  await page.keyboard.type("look at @par");
  await page.getByRole("option", { name: /parse\.ts/ }).waitFor();
  await page.keyboard.press("Enter");
  assert.equal(await box.inputValue(), "look at parse.ts ");
  assert.deepEqual(await asked(), [["attach", { kind: "file", path: "src/parse.ts" }]]);
  await page.keyboard.press("Control+z");
  assert.match(await box.inputValue(), /^look at @par/);
  await box.fill("");
  await page.keyboard.type("@sel");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["pick", "selection"]]);
  assert.equal(await box.inputValue(), "");
  await panel.close();
});

const file = (path: string, matches: number[] = []) => ({
  label: path,
  matches,
  attachment: { kind: "file", path } as const,
});

/** A host that answers when it is told to. */
function slowAnswers() {
  const waiting = new Map<string, (items: readonly Completion[], isIndexing?: boolean) => void>();
  async function* answer(query: string): AsyncGenerator<Completions> {
    for (let isIndexing = true; isIndexing; ) {
      const next = await new Promise<Completions>((resolve) => {
        waiting.set(query, (items, indexing = false) => resolve({ items, isIndexing: indexing }));
      });
      yield next;
      isIndexing = next.isIndexing;
    }
  }
  return { answer, waiting };
}

test("Enter while suggestions load sends nothing and accepts the first row once they arrive", async () => {
  const { answer, waiting } = slowAnswers();
  const { page, box, asked, panel } = await openComposer({ answer });
  await page.keyboard.type("look at @ca");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), []);
  waiting.get("ca")?.([file("src/cart.ts"), file("src/a-cart.ts")]);
  assert.deepEqual(await asked(), [["attach", { kind: "file", path: "src/cart.ts" }]]);
  assert.equal(await box.inputValue(), "look at src/cart.ts ");
  await panel.close();
});

test("suggestions for a shorter query are not accepted for a longer one, and typing on cancels a pending Enter", async () => {
  const { answer, waiting } = slowAnswers();
  const { page, box, asked, panel } = await openComposer({ answer });
  await page.keyboard.type("@c");
  await panel.settled();
  waiting.get("c")?.([file("wrong.ts")]);
  await page.getByRole("option", { name: "wrong.ts" }).waitFor();
  await page.keyboard.type("a");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), []);
  await page.keyboard.type("r");
  await panel.settled();
  waiting.get("ca")?.([file("late.ts")]);
  waiting.get("car")?.([file("car.ts")]);
  await page.getByRole("option", { name: "car.ts" }).waitFor();
  assert.deepEqual(await asked(), []);
  assert.equal(await box.inputValue(), "@car");
  await panel.close();
});

test("the @ menu shows Indexing… while files are listed, and Enter accepts an open file but sends nothing", async () => {
  const { answer, waiting } = slowAnswers();
  const { page, box, asked, panel } = await openComposer({ answer });
  await page.keyboard.type("@zz");
  await panel.settled();
  waiting.get("zz")?.([], true);
  await page.getByText("Indexing…", { exact: true }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), []);
  waiting.get("zz")?.([]);
  assert.deepEqual(await asked(), []);
  assert.equal(await box.inputValue(), "@zz");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "@zz"]], "nothing is awaited any more");
  await page.keyboard.type("@open");
  await panel.settled();
  waiting.get("open")?.([file("open.ts")], true);
  await page.getByRole("option", { name: "open.ts" }).waitFor();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["attach", { kind: "file", path: "open.ts" }]]);
  await panel.close();
});

test("the composer requests suggestions again when the focus returns from another menu", async () => {
  const { answer, waiting } = slowAnswers();
  const { page, box, asked, panel } = await openComposer({ answer });
  await page.keyboard.type("@zz");
  await panel.settled();
  // The host finds for one query at a time.
  await page.getByRole("button", { name: /^Add context/ }).click();
  await panel.settled();
  waiting.get("")?.([]);
  waiting.delete("zz");
  await page.keyboard.press("Escape");
  await box.focus();
  await panel.settled();
  waiting.get("zz")?.([]);
  await panel.settled();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "@zz"]]);
  await panel.close();
});

test("an accepted suggestion replaces its query even after the text has moved", async () => {
  const { host, page, box, panel } = await openComposer({ completions: [file("cart.ts")], keeps: false });
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" @ca");
  await page.getByRole("option", { name: "cart.ts" }).waitFor();
  host.taken("one");
  await panel.settled();
  await page.keyboard.press("Enter");
  assert.equal(await box.inputValue(), " cart.ts ");
  await page.keyboard.type("@ca");
  await page.getByRole("option", { name: "cart.ts" }).waitFor();
  host.open({ id: "c2", turns: [] });
  await panel.settled();
  assert.equal(await page.getByRole("option").count(), 0, "nothing was typed there");
  await panel.close();
});

test("Escape cancels a pending suggestion list, and Enter then sends the text", async () => {
  const { page, asked, panel } = await openComposer({ answer: slowAnswers().answer });
  await page.keyboard.type("to @me");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "to @me"]]);
  await panel.close();
});

test("a suggestion marks the matched letters and keeps its whole name for screen readers", async () => {
  const completions = [file("src/cart.ts", [4, 5, 8])];
  const { page, panel } = await openComposer({ completions });
  await page.keyboard.type("@src");
  const option = page.getByRole("option", { name: "src/cart.ts" });
  await option.waitFor();
  assert.deepEqual(await option.locator(".option-match").allTextContents(), ["ca", "."]);
  // Themes may have the colour of a match as the background of the row that is chosen.
  await panel.putOn("light");
  const colour = (part: string) =>
    page
      .locator(part)
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  assert.equal(await colour(".option.active .option-match"), await colour(".option.active"));
  await panel.close();
});

test("a suggestion in a narrow panel shows its whole file name and truncates its folders", async () => {
  const path = "packages/of-the-whole-house/accounting/source/statements/annual-statement.ts";
  const completions = [file(path, [0, path.lastIndexOf("/") + 1])];
  const { page, panel } = await openComposer({ completions });
  await page.setViewportSize({ width: 300, height: 600 });
  await page.keyboard.type("@statement");
  const option = page.getByRole("option", { name: path, exact: true });
  await option.waitFor();
  const isCut = (part: string) =>
    option.locator(part).evaluate((element) => element.scrollWidth > element.clientWidth);
  assert.equal(await option.locator(".option-label").textContent(), "annual-statement.ts");
  assert.equal(await isCut(".option-label"), false);
  assert.match((await option.locator(".option-detail").textContent()) ?? "", /^packages\/.*\/statements$/);
  assert.equal(await isCut(".option-detail"), true);
  assert.deepEqual(await option.locator(".option-match").allTextContents(), ["a", "p"]);
  await panel.close();
});

test("the + menu lists kinds first, then files, and inserts no text into the composer", async () => {
  const { page, box, asked, panel } = await openComposer({ completions: [file("src/cart.ts")] });
  const add = page.getByRole("button", { name: /^Add context/ });
  await add.click();
  const menu = page.getByRole("menu", { name: /^Add context/ });
  await menu.getByRole("menuitem", { name: "src/cart.ts" }).waitFor();
  assert.deepEqual(await menu.getByRole("menuitem").allInnerTexts(), [
    "File…",
    "Selection",
    "Folder…",
    "Problems",
    "cart.ts\nsrc",
  ]);
  await menu.getByRole("menuitem", { name: "src/cart.ts" }).click();
  assert.deepEqual(await asked(), [["attach", { kind: "file", path: "src/cart.ts" }]]);
  assert.equal(await box.inputValue(), "");
  await add.click();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["pick", "file"]]);
  await panel.close();
});

test("the @ menu without a query lists kinds first, then files", async () => {
  const { page, panel } = await openComposer({ completions: [file("src/cart.ts")] });
  await page.keyboard.type("@");
  await page.getByRole("option", { name: "src/cart.ts" }).waitFor();
  const options = await page.getByRole("option").allInnerTexts();
  assert.deepEqual([options[0], options.at(-1)], ["File…", "cart.ts\nsrc"]);
  await panel.close();
});

test("an e-mail address opens no @ menu", async () => {
  const { page, panel } = await openComposer();
  await page.keyboard.type("mail a@file");
  assert.equal(await page.locator(".popup:visible").count(), 0);
  await panel.close();
});

test("the model menu shows what each model can do and what a switch costs, by keyboard alone", async () => {
  const { page, asked, panel } = await openComposer({ conversation: { id: "c", turns: [samples.whole] } });
  await page.getByRole("button", { name: "Model: K3" }).focus();
  await page.keyboard.press("ArrowDown");
  const menu = page.getByRole("menu", { name: "Model" });
  assert.match(await menu.innerText(), /K3[\s\S]*Reasons, searches the web[\s\S]*K2\.6[\s\S]*Accepts images/);
  assert.match(await page.locator(".popup:visible").innerText(), /≈46,110 uncached tokens/);
  await page.keyboard.type("kkk");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["choose-model", "svc-k2.6"]]);
  assert.equal(await page.evaluate(() => document.activeElement?.className), "model-button");
  await panel.close();
});

test("the model menu sets effort, cache lifetime, output limit, web search and JSON by keyboard alone", async () => {
  const { page, asked, panel } = await openComposer({
    viewState: { effort: "high", efforts: ["", "low", "high", "max"], cacheTier: "1h", outputLimit: 1000 },
  });
  await page.setViewportSize({ width: 300, height: 600 });
  const button = page.getByRole("button", { name: /^Model: K3/ });
  assert.equal(
    await button.getAttribute("aria-label"),
    "Model: K3 · High · Cache lifetime: 1 hour · Up to 1,000 tokens",
  );
  const active = () =>
    page.locator(".popup:visible [role=menu]").evaluate((menu) => {
      const id = menu.getAttribute("aria-activedescendant") ?? "";
      return document.getElementById(id)?.innerText.split("\n").join(" ");
    });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await button.focus();
  await press("ArrowDown", "r", "ArrowRight");
  assert.equal(await active(), "High", "what is chosen");
  assert.deepEqual(await page.getByRole("menuitemradio").allInnerTexts(), [
    "Automatic",
    "Low",
    "High",
    "max",
  ]);
  await press("ArrowLeft");
  assert.equal(await active(), "Reasoning effort High", "back where it was opened");
  await press("Enter", "End", "Enter");
  assert.deepEqual(await asked(), [["set-options", "max"]]);
  assert.equal(await page.evaluate(() => document.activeElement?.className), "model-button");
  await press("Enter", "c", "Enter", "5", "Enter");
  assert.deepEqual(await asked(), [["set-options", "5m"]]);
  await press("Enter", "o", "Enter");
  assert.deepEqual(await asked(), [["run", "output-limit"]]);
  for (const [key, name] of [
    ["w", "Web search"],
    ["j", "JSON output"],
  ] as const) {
    await press("Enter", key);
    assert.equal(await page.getByRole("menuitemcheckbox", { name }).getAttribute("aria-checked"), "false");
    await press("Enter");
    assert.deepEqual(await asked(), [["set-options", true]]);
  }
  await press("Enter", "c", "Enter", "Escape", "Escape");
  assert.equal(await page.locator(".popup:visible").count(), 0, "a step back, then out");
  await panel.close();
});

test("the model menu shows each option uncut in a narrow panel", async () => {
  const { page, panel } = await openComposer({ viewState: { outputLimit: 1_048_576, cacheTier: "default" } });
  await page.setViewportSize({ width: 300, height: 600 });
  await page.getByRole("button", { name: /^Model: K3/ }).click();
  const cut = await page
    .locator(".popup:visible :is(.option-label, .option-value)")
    .evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
  assert.deepEqual(cut, []);
  await panel.close();
});

test("the estimate chip states new and total tokens, in its accessible name too, and fits into 300 pixels", async () => {
  const window = { used: 61_204, size: 262_144 };
  const estimate = { tokens: 8, exact: false };
  const { host, page, panel } = await openComposer({ viewState: { window, estimate } });
  await page.setViewportSize({ width: 300, height: 600 });
  const chip = page.locator(".estimate");
  const shown = chip.locator("span").first();
  assert.equal((await shown.textContent())?.replaceAll("\u2009", ""), "≈8 tokens");
  host.setViewState({ window, estimate: { ...estimate, altogether: 61_204 } });
  await panel.settled();
  assert.equal((await shown.textContent())?.replaceAll("\u2009", ""), "≈8 new · ≈61.2k in all");
  await page
    .getByRole("button", {
      name: /^≈.8 new · ≈.61.2k in all.Message and attachments: ≈8 tokens \(estimate\).*Next request: ≈61,204 tokens, including the conversation/s,
    })
    .waitFor();
  const { x = 0, width = 0 } = (await chip.boundingBox()) ?? {};
  assert.ok(x >= 0 && x + width <= 300, `${x} + ${width}`);
  await panel.close();
});

test("the model menu dims options that a chat-only model lacks, says why and ignores them", async () => {
  const { page, asked, panel } = await openComposer({
    viewState: { model: "svc-k2.6", webSearch: true, cacheTier: "1h", outputLimit: 1000, json: true },
  });
  const button = page.getByRole("button", { name: "Model: K2.6", exact: true });
  assert.equal(await button.locator(".icon.globe").isVisible(), false);
  await button.click();
  const menu = page.getByRole("menu", { name: "Model" });
  for (const name of ["Reasoning effort", "Cache lifetime", "Output limit…", "Web search", "JSON output"]) {
    const row = menu.locator("[role^=menuitem]", { hasText: name });
    assert.equal(await row.getAttribute("aria-disabled"), "true", name);
    // Playwright itself takes it for disabled.
    await row.click({ force: true });
  }
  // Plan First, the last one, is for every model.
  for (const key of ["End", "ArrowUp", "Enter", "ArrowRight"]) await page.keyboard.press(key);
  assert.deepEqual(await asked(), []);
  await page.getByText("K2.6 doesn't support the dimmed options.").waitFor();
  await panel.close();
});

test("the model menu labels a custom model without vision as text only and custom", async () => {
  const added = { id: "svc-x", label: "X", route: "chat", vision: false, added: true } as const;
  const { page, panel } = await openComposer({
    viewState: { models: [...ordinary.models, added] },
  });
  await page.getByRole("button", { name: "Model: K3" }).click();
  const last = page.getByRole("menu", { name: "Model" }).getByRole("menuitemradio").last();
  assert.match(await last.innerText(), /X[\s\S]*Text only · Custom model/);
  await panel.close();
});
