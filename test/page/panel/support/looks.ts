// The panel in one of its states, as it is looked at: by people, with PATCHBAY_LOOKS set, in .build/looks.
import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { openPanel, type Theme } from "./panel.ts";
import { smallHost } from "./small-host.ts";
import { asItStays, type State } from "./states.ts";

const looks = ".build/looks";
const wantsPictures = process.env["PATCHBAY_LOOKS"] !== undefined;
if (wantsPictures) mkdirSync(looks, { recursive: true });

export const picture = async (page: Page, name: string) => {
  if (wantsPictures) await page.screenshot({ path: `${looks}/${name}.png` });
};

export const themes: readonly Theme[] = ["light", "dark", "contrast"];

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
