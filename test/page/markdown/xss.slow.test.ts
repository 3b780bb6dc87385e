// Hostile answers in the real page under its real policy. Whatever a payload is, it must end as words: nothing runs,
// nothing is loaded, no link is live but http and https ones that only the host opens, no control and no attribute
// comes from content, and characters that nobody would see are seen.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openRenderPage } from "./support.ts";

interface Payload {
  readonly name: string;
  readonly markdown: string;
}

const folder = join(process.cwd(), "test/fixtures/xss");
/** Names and what is written again and again: texts that cost a careless reader seconds. */
const repeated = "repeated.json";
const repeatedLength = process.env["PATCHBAY_LONG"] === undefined ? 4_000 : 10_000;
/** What is this short, and nests, nests as many levels deep. */
const shortUnit = 3;
const { page, requests, errors } = await openRenderPage();
const ran: string[] = [];
await page.exposeFunction("pwned", () => ran.push("pwned"));
page.on("dialog", (dialog) => {
  ran.push(dialog.type());
  void dialog.dismiss();
});
page.on("framenavigated", (frame) => ran.push(`navigated to ${frame.url()}`));
page.on("popup", () => ran.push("a window"));
const refused: string[] = [];
await page.exposeFunction("refused", (what: string) => refused.push(what));
await page.evaluate(() => {
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, sample, blockedURI }) => {
    (window as unknown as { refused(what: string): void }).refused(
      `${violatedDirective} ${blockedURI} ${sample}`,
    );
  });
});

function readPayloads(file: string): Payload[] {
  const source = readFileSync(join(folder, file), "utf8");
  if (file.endsWith(".json")) {
    return (JSON.parse(source) as [string, string][]).map(([name, markdown]) => ({ name, markdown }));
  }
  return source
    .split(/^%% /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { name: part.slice(0, end), markdown: part.slice(end + 1) };
    });
}

const corpus = readdirSync(folder)
  .filter((name) => name !== "README.md" && name !== repeated)
  .map((file) => ({ kind: file.replace(/\..*/, ""), payloads: readPayloads(file) }));

test("the corpus has at least 400 payloads", () => {
  const count = corpus.reduce((sum, { payloads }) => sum + payloads.length, 0);
  assert.ok(count >= 400, `${count} payloads`);
});

test("the audit reports each kind of violation it looks for", async () => {
  const found = await page.evaluate(() => {
    const make = (tag: string, attributes: Record<string, string> = {}, words = "") => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.textContent = words;
      return element;
    };
    const bad = [
      make("img"),
      make("button", { class: "icon-button" }),
      make("p", { id: "x" }),
      make("p", { class: "app" }),
      make("a", { href: "https://example.com" }),
      make("a", { "data-href": "javascript:x" }),
      make("p", {}, "a\u202Eb"),
      document.createElementNS("http://www.w3.org/2000/svg", "svg"),
    ];
    return bad.filter((element) => {
      const root = document.createElement("div");
      root.append(element);
      return window.renderer.violationsIn(root, "none").length === 0;
    }).length;
  });
  assert.equal(found, 0);
});

for (const { kind, payloads } of corpus) {
  test(`${kind}: all ${payloads.length} payloads render as inert text`, async () => {
    const found = await page.evaluate(async (all) => {
      const { violationsIn, renderFull } = window.renderer;
      const main = document.querySelector("main") ?? document.body;
      const violations: [string, string, string[]][] = [];
      const look = (name: string, way: string, controls: "none" | "ours") => {
        const bad = violationsIn(main, controls);
        if (bad.length > 0) violations.push([name, way, bad]);
      };
      for (const { name, markdown } of all) {
        await window.render(markdown);
        look(name, "at once", "none");
        // What is long is so to be deep: a few hundred pieces show all of its unfinished states that differ.
        const piece = Math.ceil(markdown.length / 2_000);
        for (const step of piece === 1 ? [1, 7] : [10 * piece, 29 * piece]) {
          await window.stream(markdown, step);
          look(name, `by ${step}`, "none");
        }
        await renderFull(markdown);
        look(name, "with every button", "ours");
        for (const element of main.querySelectorAll<HTMLElement>("*")) {
          for (const type of [
            "pointerover",
            "mouseover",
            "focus",
            "toggle",
            "animationstart",
            "click",
            "auxclick",
          ])
            element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
        }
        document.body.className = document.body.className === "vscode-dark" ? "vscode-light" : "vscode-dark";
      }
      return violations;
    }, payloads);
    assert.deepEqual(found, []);
    assert.deepEqual({ ran, requests, refused, errors }, { ran: [], requests: [], refused: [], errors: [] });
  });
}

test(`patterns repeated up to ${repeatedLength} times render as inert text`, async () => {
  const texts = (JSON.parse(readFileSync(join(folder, repeated), "utf8")) as [string, string][]).map(
    ([name, unit]) =>
      [name, unit.repeat(repeatedLength / (unit.length > shortUnit ? unit.length : 1))] as const,
  );
  const found = await page.evaluate(async (all) => {
    const main = document.querySelector("main") ?? document.body;
    const violations: [string, string[]][] = [];
    for (const [name, text] of all) {
      for (const draw of [() => window.render(text), () => window.stream(text, 500)]) {
        await draw();
        const bad = window.renderer.violationsIn(main, "none");
        if (bad.length > 0) violations.push([name, bad.slice(0, 5)]);
      }
    }
    return violations;
  }, texts);
  assert.deepEqual(found, []);
  assert.deepEqual({ ran, requests, refused, errors }, { ran: [], requests: [], refused: [], errors: [] });
});

test("clicks in payloads request only http(s) URLs and relative file paths", async () => {
  const asked = await page.evaluate(() => window.renderer.asked);
  const opened = asked.filter(([what]) => what === "link").map(([, href]) => String(href));
  assert.ok(opened.length > 0);
  for (const href of opened) assert.match(href, /^https?:\/\/[^/]/);
  for (const [, path] of asked.filter(([what]) => what === "file"))
    assert.doesNotMatch(String(path), /^\/|\.\.|:/);
});

test("the Copy button of a code block passes on the text as shown, with invisible characters escaped", async () => {
  await page.evaluate(() => window.renderer.renderFull("```c\nif (a\u202E) b\u200B\n```\n"));
  const shown = await page.evaluate(() => {
    document.querySelector<HTMLButtonElement>("button[aria-label=Copy]")?.click();
    return document.querySelector("pre")?.textContent;
  });
  const handed = await page.evaluate(() => window.renderer.asked.at(-1));
  assert.deepEqual(handed, ["code", "copy", shown?.trimEnd(), "c"]);
  assert.equal(shown, "if (a\\u{202E}) b\\u{200B}\n");
});
