// Mermaid blocks as pictures, drawn by the product's own thread, in a page with the product's policy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { defaultPreferences } from "../../../src/bridge/preferences.ts";
import { type DiagramThread, startDiagrams } from "../../support/diagram-thread.ts";
import { currentMatch } from "./support/current-match.ts";
import { picture, sideways } from "./support/looks.ts";
import { conversationOf } from "./support/open-turns.ts";
import { openPanel, type PanelOptions } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const flowchart = `flowchart TD
  ask[Client request] --> known{Signed in?}
  known -->|yes| load[Load session]
  known -->|no| refuse[Refuse]
  subgraph service [Service]
    load --> cache[(Cache)]
    cache --> answer([Answer])
  end
  style refuse fill:#fdd,stroke:#d00`;
const sequence = `sequenceDiagram
  participant P as Page
  participant H as Host
  P->>H: question
  H-->>P: events
  Note over P,H: the same reduce`;

let thread: DiagramThread;
before(async () => {
  thread = await startDiagrams();
});
after(() => thread.close());

const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`;

async function open(texts: readonly string[], options: PanelOptions = {}, viewState = {}) {
  const asked: string[] = [];
  const parts = texts.map((text, index) => ({ type: "text" as const, id: String(index), text }));
  const host = smallHost({
    conversation: conversationOf(turn("t", { parts })),
    viewState,
    colours: {
      "draw-diagram"({ source }, page) {
        asked.push(source);
        thread.diagrams.draw(source, page);
      },
    },
  });
  const panel = await openPanel(host, options);
  return { asked, host, panel, page: panel.page };
}

const drawn = (page: Page) => page.locator(".md-diagram svg");

test("a finished diagram is a picture with a description, whose code is one button away and copied as it is", async () => {
  const { asked, host, page, panel } = await open([fence(flowchart)]);
  await drawn(page).waitFor();
  assert.deepEqual(asked, [flowchart]);
  const described = await page
    .getByRole("img", { name: /^Flowchart: 6 nodes, 5 connections\./ })
    .getAttribute("aria-label");
  assert.match(described ?? "", /Client request to Signed in\?; /);
  assert.match(described ?? "", /Signed in\? to Load session: yes; /);
  assert.equal(await page.locator(".md-code pre").isVisible(), false);
  await page.getByRole("button", { name: "Show Code" }).press("Enter");
  assert.equal(await page.locator(".md-code pre").innerText(), `${flowchart}\n`);
  assert.equal(await drawn(page).isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Show Diagram");
  await page.keyboard.press("Enter");
  assert.ok(await drawn(page).isVisible());
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [["copy", flowchart]]);
  await panel.close();
});

test("a diagram is code while it is streamed, and is drawn once it is finished", async () => {
  const { asked, host, page, panel } = await open([]);
  host.happen({ type: "started", turn: "u", at: 1, model: "svc-k3", route: "responses", prompt: "Draw." });
  host.happen({ type: "text", turn: "u", part: "x", delta: "```mermaid\ngraph LR\n  A --> B\n" });
  await panel.settled();
  assert.equal(await page.locator(".md-code pre").innerText(), "graph LR\n  A --> B\n");
  assert.deepEqual(asked, []);
  host.happen({ type: "text", turn: "u", part: "x", delta: "```\n\nSo." });
  await drawn(page).waitFor();
  assert.deepEqual(asked, ["graph LR\n  A --> B"]);
  await panel.close();
});

test("what is not drawn stays code, with one line that says why", async () => {
  const broken = "flowchart TD\n  A --> B\n  A ==> ???";
  const { page, panel } = await open([fence('pie title Pets\n  "Dogs" : 3'), fence(broken)]);
  const notes = page.locator(".md-diagram-note");
  await notes.nth(1).waitFor();
  assert.deepEqual(await notes.allInnerTexts(), [
    "Not drawn: only flowcharts and state, sequence, class and entity relationship diagrams are.",
    "Not drawn: not all of this diagram was understood.",
  ]);
  assert.equal(await page.locator(".md-code pre:visible").count(), 2);
  assert.equal(await drawn(page).count(), 0);
  await panel.close();
});

test("hostile labels and a hostile picture leave text alone, and nothing is loaded or run", async () => {
  const hostile = `flowchart TD
  A["<img src=x onerror=alert(1)>"] --> B["</text><script>alert(2)</script>"]
  click A "javascript:alert(3)"
  style B fill:url(https://example.test/x),stroke:expression(4)`;
  const { page, panel } = await open([fence(hostile), fence("graph TD\n  fake")]);
  await drawn(page).first().waitFor();
  const shown = await drawn(page)
    .first()
    .evaluate((svg: Element) => svg.outerHTML);
  // As text, in lines as wide as the box.
  assert.match(shown, /&lt;img/);
  assert.doesNotMatch(shown, /<script|<img|href|javascript:|url\(http|style="[^"]*url/);
  await panel.close();
});

test("a picture keeps nothing of an SVG but shapes and words, whoever has written it", async () => {
  const evil = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="alert(1)" style="background:url(https://example.test/a)">
    <style>@import url(https://example.test/b);</style><script>alert(2)</script>
    <foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(3)"><iframe src="https://example.test/c"/></body></foreignObject>
    <image href="https://example.test/d" xlink:href="https://example.test/e" width="9" height="9"/>
    <use href="#x"/><a href="javascript:alert(4)"><text>link</text></a><animate attributeName="href" to="javascript:alert(5)"/>
    <rect id="app" class="header" fill="url(https://example.test/f)" stroke="red;x:url(g)" filter="url(#f)" mask="url(#m)" x="1" width="calc(url(h))" onclick="alert(6)"/>
    <path d="M0 0" marker-end="url(https://example.test/i)" stroke="var(--vscode-x, url(j))"/>
    <text fill="#fff" x="1">words \u202e of others</text></svg>`;
  const host = smallHost({
    conversation: conversationOf(turn("t", { parts: [{ type: "text", id: "x", text: fence("graph TD") }] })),
    colours: { "draw-diagram": ({ source }, page) => page.post({ type: "diagram", source, svg: evil }) },
  });
  const panel = await openPanel(host);
  const svg = drawn(panel.page);
  await svg.waitFor();
  const names = await svg.evaluate((root: Element) =>
    [...root.querySelectorAll("*")].map(({ localName }) => localName),
  );
  assert.deepEqual(names, ["rect", "path", "text"]);
  const html = await svg.evaluate((root: Element) => root.outerHTML);
  assert.doesNotMatch(html, /example\.test|alert|on\w+=|href|class|id=|filter|mask|calc|url/);
  assert.match(html, /words \\u\{202E\}|202e/i);
  await panel.close();
});

test("a picture is zoomed by keys and buttons, and no key is held that leads out of it", async () => {
  const { page, panel } = await open([fence(flowchart)]);
  await drawn(page).waitFor();
  const width = () => drawn(page).evaluate((svg: Element) => svg.getBoundingClientRect().width);
  const before = await width();
  await page.getByRole("group", { name: /^Diagram\./ }).focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const larger = await width();
  assert.ok(larger > before * 1.5, `${before} → ${larger}`);
  await page.keyboard.press("-");
  assert.ok((await width()) < larger);
  await page.keyboard.press("0");
  assert.equal(await width(), before);
  await page.getByRole("button", { name: "Zoom In" }).click();
  assert.ok((await width()) > before);
  await page.getByRole("button", { name: "Reset Zoom" }).click();
  assert.equal(await width(), before);
  const view = page.getByRole("group", { name: /^Diagram\./ });
  await view.focus();
  await page.keyboard.press("Tab");
  assert.ok(await view.evaluate((one: Element) => document.activeElement !== one));
  await panel.close();
});

test("find counts the words of a diagram once, and shows the code that they stand in", async () => {
  const { host, page, panel } = await open([`Before.\n\n${fence(flowchart)}`]);
  await drawn(page).waitFor();
  host.tell("find");
  await page.locator(".find input").fill("Load session");
  await panel.settled();
  assert.equal(await page.locator(".find .count").innerText(), "1 of 1");
  const match = await currentMatch(page);
  assert.deepEqual([match?.text, match?.seen], ["Load session", true]);
  assert.equal(await page.locator(".md-code pre").isVisible(), true);
  await panel.close();
});

test("a diagram takes the colours of each theme, fits 300 and 900 pixels, and axe finds nothing serious", async () => {
  const { asked, page, panel } = await open([fence(flowchart), fence(sequence)], {
    width: 300,
    height: 900,
    theme: "dark",
  });
  await drawn(page).nth(1).waitFor();
  const fill = () =>
    drawn(page)
      .first()
      .locator("rect")
      .first()
      .evaluate((one: Element) => getComputedStyle(one).fill);
  const fills = new Set<string>();
  await page.evaluate(axe);
  for (const theme of ["dark", "light", "contrast", "light-contrast"] as const) {
    await panel.putOn(theme);
    for (const width of [300, 900]) {
      await page.setViewportSize({ width, height: 900 });
      await panel.settled();
      await picture(page, `diagrams-${width}-${theme}`);
      assert.equal(await sideways(page), "", `${theme} ${width}`);
    }
    fills.add(await fill());
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(where: string): Promise<AxeResults> } }).axe.run(".md"),
    );
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(
      serious.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
      [],
      theme,
    );
  }
  assert.ok(fills.size >= 3, [...fills].join(", "));
  assert.deepEqual(asked, [flowchart, sequence], "a theme is put on without drawing again");
  await panel.close();
});

test("a diagram is drawn when it comes near, kept for when it comes again, and is code where people want that", async () => {
  const far = "graph TD\n  far --> away";
  const { asked, host, page, panel } = await open([
    fence(flowchart),
    "a paragraph\n\n".repeat(200),
    fence(far),
  ]);
  await page.locator(".transcript").evaluate((one: Element) => one.scrollTo(0, 0));
  await drawn(page).first().waitFor();
  const preferences = { ...defaultPreferences, renderMermaid: false };
  host.setViewState({ preferences });
  await panel.settled();
  assert.equal(await drawn(page).count(), 0);
  assert.ok(await page.locator(".md-code pre").first().isVisible());
  host.setViewState({ preferences: defaultPreferences });
  await drawn(page).first().waitFor();
  assert.equal(asked.filter((source) => source === flowchart).length, 1);
  await panel.close();
});
