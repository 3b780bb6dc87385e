// Somebody who reads: conversations long enough to scroll in, and where in them the reader is.
import type { Page } from "playwright-core";
import { defaultPreferences, type Preferences } from "../../../../src/bridge/preferences.ts";
import type { ConversationEvent } from "../../../../src/conversation/events.ts";
import type { Turn } from "../../../../src/conversation/state.ts";
import { openPanel } from "./panel.ts";
import { turn } from "./sample-turn.ts";
import type { SmallHost } from "./small-host.ts";

/** Turns of very different heights. */
export const manyTurns = (count: number): Turn[] =>
  Array.from({ length: count }, (_, index) =>
    turn(`t${index}`, {
      prompt: `Question ${index}`,
      parts: [{ type: "text", id: "t", text: `Line of answer ${index}.\n\n`.repeat(1 + ((index * 7) % 40)) }],
    }),
  );

export const preferences = (scroll: Preferences["scroll"]) => ({
  preferences: { ...defaultPreferences, scroll },
});

export const begin = (id: string): ConversationEvent => ({
  type: "started",
  turn: id,
  at: 1,
  model: "svc-k3",
  route: "responses",
  prompt: `New question ${id}`,
});
export const write = (id: string, lines: number): ConversationEvent => ({
  type: "text",
  turn: id,
  part: "t",
  delta: "A line of the new answer.\n\n".repeat(lines),
});

export const open = async (host: SmallHost, state?: unknown) => {
  const panel = await openPanel(host, { state });
  await panel.settled();
  return panel;
};

export async function ask(page: Page, host: SmallHost, id: string): Promise<void> {
  await page.getByRole("textbox").fill("A question");
  await page.keyboard.press("Enter");
  host.happen(begin(id));
}

export const metrics = (page: Page) =>
  page.evaluate(() => {
    const scroller = document.querySelector(".transcript");
    if (scroller === null) throw new Error("no transcript");
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    return { scrollTop, fromEnd: scrollHeight - clientHeight - scrollTop };
  });
export const topOf = (page: Page, question: string) =>
  page.evaluate((text) => {
    const edge = document.querySelector(".transcript")?.getBoundingClientRect().top ?? 0;
    const heading = [...document.querySelectorAll("article h3")].find((one) => one.textContent === text);
    const article = heading?.closest("article");
    return article == null ? undefined : article.getBoundingClientRect().top - edge;
  }, question);
export const questionInSight = (page: Page) =>
  page.evaluate(() => {
    const edge = document.querySelector(".transcript")?.getBoundingClientRect().top ?? 0;
    const article = [...document.querySelectorAll("article")].find(
      (one) => one.getBoundingClientRect().bottom > edge,
    );
    return article?.querySelector("h3")?.textContent ?? "";
  });
export const scrollBy = async (page: Page, pixels: number) => {
  await page.mouse.move(200, 200);
  const ended = await page.evaluateHandle(() => {
    const scroller = document.querySelector(".transcript");
    // In an object: a promise itself would be waited for here.
    return { ended: new Promise((done) => scroller?.addEventListener("scrollend", done, { once: true })) };
  });
  await page.mouse.wheel(0, pixels);
  await ended.evaluate(({ ended }) => ended.then(() => {}));
};
