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
