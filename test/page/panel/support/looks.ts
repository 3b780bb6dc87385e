// The panel in one of its states, as it is looked at: by people, with PATCHBAY_LOOKS set, in .build/looks.
import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { openPanel } from "./panel.ts";
import { smallHost } from "./small-host.ts";
import { asItStays, type State } from "./states.ts";

const looks = ".build/looks";
export const wantsPictures = process.env["PATCHBAY_LOOKS"] !== undefined;
if (wantsPictures) mkdirSync(looks, { recursive: true });

export const picture = async (page: Page, name: string) => {
  if (wantsPictures) await page.screenshot({ path: `${looks}/${name}.png` });
};

export const openState = async (state: State, options: Parameters<typeof openPanel>[1] = {}) => {
  const { turns = [], draft = "", viewState = {} } = state;
  const host = smallHost({ conversation: { id: "c", turns: [...turns] }, draft, viewState });
  const panel = await openPanel(host, { width: 300, height: 800, theme: "dark", ...options });
  await state.act?.(panel.page);
  await panel.settled();
  await asItStays(panel.page);
  return panel;
};

/** What is wider than the page, in words; nothing where all fits. */
export const sideways = (page: Page) =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > wide) return "the page scrolls sideways";
    const inside = ".heard, .md pre, .md-table, pre.diff, [hidden]";
    const out = [...document.querySelectorAll(".app *")].find(
      (one) =>
        one.checkVisibility() &&
        one.closest(inside) === null &&
        (one.getBoundingClientRect().right > wide + 1 || one.getBoundingClientRect().left < -1),
    );
    return out === undefined ? "" : `${out.tagName}.${out.className} is cut off`;
  });

/**
 * Every way in which a text stands out from its ground: its own colour, size and weight, and the colours that lie behind it. What
 * lies over something else and lets it through is told apart by its state, as nobody knows what that is.
 */
export const waysOfText = (page: Page, state: string): Promise<string[]> =>
  page.evaluate((name) => {
    const grounds = new Map<Element, string>();
    const groundOf = (element: Element | null): string => {
      if (element === null) return "";
      const known = grounds.get(element);
      if (known !== undefined) return known;
      const { backgroundColor, backgroundImage, opacity, position, filter } = getComputedStyle(element);
      const isClear = backgroundColor === "rgba(0, 0, 0, 0)";
      const letsThrough = backgroundColor.startsWith("rgba") || opacity !== "1" || backgroundImage !== "none";
      const above = position === "absolute" || position === "fixed" || position === "sticky";
      const own = [
        ...(isClear ? [] : [backgroundColor]),
        ...(backgroundImage === "none" ? [] : [backgroundImage]),
        ...(opacity === "1" && filter === "none" ? [] : [opacity, filter]),
        ...(above && letsThrough ? [name] : []),
      ];
      const ground = [groundOf(element.parentElement), ...own].filter((one) => one !== "").join(" ");
      grounds.set(element, ground);
      return ground;
    };
    const found = new Set<string>();
    const add = (element: Element, pseudo?: string) => {
      if (!element.checkVisibility()) return;
      const { color, fontSize, fontWeight } = getComputedStyle(element, pseudo);
      found.add(`${color} ${fontSize} ${fontWeight} on ${groundOf(element)}`);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      if (node.parentElement !== null && /\S/.test(node.textContent ?? "")) add(node.parentElement);
    for (const box of document.querySelectorAll("input, textarea, select")) {
      add(box);
      add(box, "::placeholder");
    }
    return [...found];
  }, state);

/** How two colours contrast, each as six digits after "#": 1 where they are the same, 21 for black and white. */
export function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The bubbles, cards, bars and boxes that nothing sets off from what is around them: no edge, and no colour of their own. */
export const unseenSurfaces = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (canvas === null) throw new Error("no canvas");
    /** These colours painted one over the other. */
    const paint = (colours: readonly string[]) => {
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const around = (one: Element | null): string[] =>
      one === null ? [] : [...around(one.parentElement), getComputedStyle(one).backgroundColor];
    const surfaces = document.querySelectorAll(
      ".question:not(.own) .asked, .card, .changes, .queue, .box, .md-code",
    );
    return [...surfaces]
      .filter((one) => one.checkVisibility())
      .filter((one) => {
        const outside = around(one.parentElement);
        const { backgroundColor, borderTopColor } = getComputedStyle(one);
        const [ground, edge, inside] = [
          paint(outside),
          paint([...outside, borderTopColor]),
          paint([...outside, backgroundColor]),
        ];
        const differs = (colour: readonly number[]) =>
          colour.some((part, at) => Math.abs(part - (ground[at] ?? 0)) > 8);
        return !differs(edge) && !differs(inside);
      })
      .map((one) => one.className);
  });
