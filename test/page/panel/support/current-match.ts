// The match that a search stands at, as the page marks it.
import type { Page } from "playwright-core";

/** Its words, the turn that they stand in and which one that is, whether they can be seen, and whether what folds around it is open. */
export const currentMatch = (page: Page) =>
  page.evaluate(() => {
    const [range] = [...(CSS.highlights.get("found-now") ?? [])];
    if (!(range instanceof Range)) return undefined;
    const box = range.getBoundingClientRect();
    const view = document.querySelector(".transcript")?.getBoundingClientRect();
    const seen = view !== undefined && box.top >= view.top && box.bottom <= view.bottom && box.height > 0;
    const around = range.startContainer.parentElement;
    const article = around?.closest("article");
    return {
      text: String(range),
      turn: article?.dataset["turn"],
      place: article?.getAttribute("aria-posinset"),
      seen,
      unfolded: around?.closest("details")?.open,
    };
  });
