// One very long response: only what is near the reader is in the document, and nobody notices.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { codeOf, sampleAnswer } from "../../support/sample-answer.ts";
import { currentMatch } from "./support/current-match.ts";
import { openPanel, type Panel } from "./support/panel.ts";
import { scrollBy } from "./support/reading.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

const megabytes = 2 * 1024 * 1024;
const most = 5_000;

async function open(text: string, options: { width?: number; height?: number } = {}) {
  const host = smallHost({
    conversation: {
      id: "c1",
      turns: [turn("t1", { prompt: "Q", parts: [{ type: "text", id: "t", text }] })],
    },
  });
  const panel = await openPanel(host, { theme: "dark", width: 500, ...options });
  await drawn(panel, text.trim().split("\n").at(-1) ?? "");
  return { host, panel, page: panel.page };
}

/** Until the end of the text is there. */
async function drawn({ page, settled }: Panel, end: string): Promise<void> {
  const plain = end.replace(/[^\p{L}\p{N} ].*$/u, "").slice(0, 40);
  await page.waitForFunction(
    (words) => [...document.querySelectorAll(".md")].at(-1)?.lastElementChild?.textContent?.includes(words),
    plain,
  );
  await settled();
}

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);

const scrollTo = async ({ page, settled }: Panel, share: number) => {
  await page.evaluate((at) => {
    const scroller = document.querySelector(".transcript");
    scroller?.scrollTo(0, (scroller.scrollHeight - scroller.clientHeight) * at);
  }, share);
  await settled();
  await settled();
};

/** The words of the paragraphs in sight, in order. */
const wordsInSight = (page: Page, selector: string) =>
  page.evaluate((which) => {
    const { top = 0, bottom = 0 } = document.querySelector(".transcript")?.getBoundingClientRect() ?? {};
    return [...document.querySelectorAll(which)]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        return box.bottom > top && box.top < bottom;
      })
      .map(({ textContent }) => textContent ?? "");
  }, selector);

/** How much of the view nothing is drawn in. */
const emptyInSight = (page: Page) =>
  page.evaluate(() => {
    const { top = 0, bottom = 0 } = document.querySelector(".transcript")?.getBoundingClientRect() ?? {};
    return [...document.querySelectorAll(".md-away")].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    }).length;
  });

const numbered = (count: number, prefix = "", between = "\n\n") =>
  Array.from(
    { length: count },
    (_, at) => `${prefix}Number ${at} [link ${at}](https://e.example/${at}).`,
  ).join(between);

const numberOf = (words: string | undefined) => Number(/Number (\d+)/.exec(words ?? "")?.[1] ?? Number.NaN);

for (const [name, text] of Object.entries({
  "of everything": sampleAnswer(megabytes),
  "that is one list": numbered(9_000, "1. ", "\n"),
  "that is one quote": numbered(9_000, "> ", "\n>\n"),
  "that is one table": `| a | b |\n|---|---|\n${numbered(2_400, "| ", " | x |\n")} | x |\n\nThe end.`,
  "that is 50,000 lines of code": `\`\`\`ts\n${codeOf(50_000)}\n\`\`\`\n\nThat is all.`,
})) {
  test(`a response ${name} has at most 5,000 elements in the document, wherever the reader is`, async () => {
    const { panel, page } = await open(text);
    for (const share of [1, 0.5, 0, 0.77, 1]) {
      await scrollTo(panel, share);
      const count = await elements(page);
      assert.ok(count <= most, `${count} elements at ${share}`);
      assert.equal(await emptyInSight(page), 0, `nothing is missing at ${share}`);
    }
    await panel.close();
  });
}

test("a response of 2 MB has at most 5,000 elements in the document while it streams", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: [] } });
  const panel = await openPanel(host, { theme: "dark", width: 500 });
  const { page } = panel;
  const text = sampleAnswer(megabytes);
  host.happen({ type: "started", turn: "n", at: 1, model: "svc-k3", route: "responses", prompt: "Go" });
  const counts: number[] = [];
  const step = 64 * 1024;
  for (let at = 0; at < text.length; at += step) {
    host.happen({ type: "text", turn: "n", part: "t", delta: text.slice(at, at + step) });
    await panel.settled();
    counts.push(await elements(page));
  }
  host.happen({ type: "ended", turn: "n", at: 2, ending: "done" });
  await drawn(panel, text.trim().split("\n").at(-1) ?? "");
  counts.push(await elements(page));
  assert.ok((counts.at(-1) ?? 0) <= most, `${counts.at(-1)} elements at the end`);
  await panel.close();
});

for (const [name, prefix, between, selector] of [
  ["paragraphs", "", "\n\n", ".md > p"],
  ["rows of a table", "| ", " |\n", ".md tbody tr:not(.md-away)"],
  ["items of a list", "1. ", "\n", ".md li:not(.md-away)"],
  ["paragraphs of a quote", "> ", "\n>\n", ".md blockquote > p"],
] as const) {
  test(`scrolling through ${name} shows all of them in order and moves as far as the wheel`, async () => {
    const head = prefix === "| " ? "| a |\n|---|\n" : "";
    const { panel, page } = await open(`${head}${numbered(1_500, prefix, between)}\n\n***\n\nThe end.`);
    let last = Number.POSITIVE_INFINITY;
    for (let step = 0; step < 40; step += 1) {
      const before = await wordsInSight(page, selector);
      await page.evaluate(() =>
        document.querySelector(".transcript")?.scrollBy({ top: -430, behavior: "instant" }),
      );
      await panel.settled();
      const after = await wordsInSight(page, selector);
      const numbers = after.map(numberOf);
      for (const [index, number] of numbers.entries())
        assert.equal(number, (numbers[0] ?? 0) + index, "no number is left out");
      assert.ok((numbers[0] ?? 0) < last);
      // The view is higher than a step, so some stay in sight.
      if (before.length > 0) assert.ok(after.includes(before[0] ?? ""), `step ${step}`);
      last = numbers[0] ?? 0;
    }
    await panel.close();
  });
}

test("a narrower page keeps the text in place while what is above is drawn with other heights", async () => {
  const text = Array.from(
    { length: 1_200 },
    (_, at) => `Number ${at}. ${"Some words that wrap. ".repeat(9)}`,
  );
  const { panel, page } = await open(`${text.join("\n\n")}\n\nThe end.`);
  await scrollTo(panel, 0.5);
  await page.setViewportSize({ width: 330, height: 700 });
  await panel.settled();
  for (let step = 0; step < 25; step += 1) {
    const place = () =>
      page.evaluate(() => {
        const edge = 300;
        const all = [...document.querySelectorAll<HTMLElement>(".md > p")];
        const one =
          all.find((each) => each.dataset["watched"] === "") ??
          all.find((each) => each.getBoundingClientRect().bottom > edge);
        one?.toggleAttribute("data-watched", true);
        return one?.getBoundingClientRect().top ?? Number.NaN;
      });
    await page.evaluate(() => document.querySelector("[data-watched]")?.removeAttribute("data-watched"));
    const before = await place();
    await page.evaluate(() =>
      document.querySelector(".transcript")?.scrollBy({ top: -450, behavior: "instant" }),
    );
    await panel.settled();
    const after = await place();
    assert.ok(Math.abs(after - before - 450) < 1, `step ${step}: ${after} after ${before}`);
  }
  await panel.close();
});

test("items keep their numbers while those above them are not in the document", async () => {
  const { panel, page } = await open(`${numbered(3_000, "1. ", "\n").replace("1.", "7.")}\n\nThe end.`);
  for (const share of [0.5, 0.9, 0.2]) {
    await scrollTo(panel, share);
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    await session.detach();
    const markers = nodes.filter(({ role }) => role?.value === "ListMarker");
    const shown = markers.map(({ name }) => Number.parseInt(String(name?.value), 10));
    const numbers = await page.evaluate(() =>
      [...document.querySelectorAll("li:not(.md-away)")].map(({ textContent }) => textContent ?? ""),
    );
    assert.ok(numbers.length > 20);
    const inOrder = (all: readonly number[]) => [...all].sort((one, other) => one - other);
    assert.deepEqual(inOrder(shown), inOrder(numbers.map((words) => numberOf(words) + 7)));
  }
  await panel.close();
});

test("find counts and reaches what is not in the document, in lists and code too", async () => {
  const parts = [
    numbered(700),
    `${numbered(700, "- ", "\n")}\n- A needle in a list.\n${numbered(700, "- ", "\n")}`,
    `\`\`\`\n${codeOf(3_000)}\nneedle();\n${codeOf(3_000)}\n\`\`\``,
    "A **nee**dle in bold.",
    numbered(700),
    "The end.",
  ];
  const { host, panel, page } = await open(parts.join("\n\n"));
  host.tell("find");
  await panel.settled();
  await page.locator(".find input").fill("needle");
  await panel.settled();
  const seen: unknown[] = [];
  for (let step = 0; step < 3; step += 1) {
    seen.push([await page.locator(".find .count").innerText(), await currentMatch(page)]);
    assert.ok((await elements(page)) <= most);
    await page.keyboard.press("Enter");
    await panel.settled();
  }
  assert.deepEqual(
    seen.map((one) => {
      const [count, match] = one as [string, Awaited<ReturnType<typeof currentMatch>>];
      return [count, match?.text, match?.seen];
    }),
    ["1 of 3", "2 of 3", "3 of 3"].map((count) => [count, "needle", true]),
  );
  await page.locator(".find input").fill("Number 650 ");
  await panel.settled();
  assert.match(await page.locator(".find .count").innerText(), / of 4$/);
  assert.equal((await currentMatch(page))?.seen, true);
  await panel.close();
});

test("a selection over what is not in the document is copied whole", async () => {
  const text = `${numbered(900)}\n\n${numbered(900, "- ", "\n")}\n\nThe end.`;
  const { panel, page } = await open(text);
  await scrollTo(panel, 0);
  const copied = await page.evaluate(() => {
    const md = document.querySelector(".md");
    document.getSelection()?.selectAllChildren(md ?? document.body);
    let words = "";
    document.addEventListener("copy", () => (words = String(document.getSelection())), { once: true });
    document.execCommand("copy");
    return words;
  });
  const numbers = [...copied.matchAll(/Number (\d+)/g)].map(([, number]) => Number(number));
  assert.deepEqual(
    numbers,
    [0, 900].flatMap(() => Array.from({ length: 900 }, (_, at) => at)),
  );
  assert.ok(copied.endsWith("The end."));
  await panel.settled();
  assert.ok((await elements(page)) <= most);
  await panel.close();
});

test("focus and selection stay where they are while the reader is elsewhere, and Tab goes to the next link", async () => {
  const { panel, page } = await open(`${numbered(1_500)}\n\nThe end.`);
  await scrollTo(panel, 0.4);
  const [first] = await wordsInSight(page, ".md > p");
  const at = numberOf(first);
  await page.evaluate((words) => {
    const one = [...document.querySelectorAll(".md > p")].find(({ textContent }) => textContent === words);
    one?.querySelector("a")?.focus();
    if (one !== undefined) document.getSelection()?.selectAllChildren(one);
  }, first);
  const look = () =>
    page.evaluate(() => [String(document.getSelection()), document.activeElement?.textContent]);
  const before = await look();
  await scrollTo(panel, 1);
  await scrollTo(panel, 0);
  assert.deepEqual(await look(), before);
  assert.equal(before[1], `link ${at}`);
  for (let step = 1; step < 30; step += 1) {
    await page.keyboard.press("Tab");
    assert.equal((await look())[1], `link ${at + step}`);
  }
  await panel.close();
});

test("a block that a reader has folded and left is folded when they come back", async () => {
  const { panel, page } = await open(`\`\`\`ts\n${codeOf(40)}\n\`\`\`\n\n${numbered(900)}\n\nThe end.`);
  await scrollTo(panel, 0);
  await page
    .locator(".md-code button[aria-pressed]")
    .first()
    .evaluate((one: HTMLElement) => one.click());
  assert.equal(await page.locator(".md-folded").count(), 1);
  await scrollBy(page, 40_000);
  await panel.settled();
  assert.equal(await page.locator(".md-folded").count(), 0);
  await scrollTo(panel, 0);
  assert.equal(await page.locator(".md-folded").count(), 1);
  await panel.close();
});

test("a screen reader meets what is not in the document by its first words", async () => {
  const { panel, page } = await open(`${numbered(900)}\n\nThe end.`);
  await scrollTo(panel, 0);
  const note = page.getByRole("note", { name: /^Shown when you get here: Number \d+ link/ }).first();
  const name = await note.getAttribute("aria-label");
  await note.evaluate((one) => one.scrollIntoView());
  await panel.settled();
  const words = await wordsInSight(page, ".md > p");
  assert.ok(words.some((each) => name?.includes(each.slice(0, 14))));
  await panel.close();
});
