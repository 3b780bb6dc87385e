// A web search the service made: its words, the pages and the pictures it found. An address is opened by the host after a
// look at it; the page itself never goes anywhere, and loads no picture from anywhere.
import type { SearchPart } from "../../../core/conversation/events.ts";
import type { Turn } from "../../../core/conversation/state.ts";
import { h, setChildren, setText } from "../../dom.ts";
import { icon } from "../../icons.ts";
import type { TurnDeps } from "../../turn-context.ts";
import { plural, words } from "../../words.ts";
import { foldRow } from "../fold-row.ts";
import { sourceLink, sourceName } from "../source-link.ts";
import type { PartSituation, PartView } from "./part-view.ts";

const imagesOf = ({ images = [] }: SearchPart) => images;

export function searchPart({ post }: TurnDeps): PartView<SearchPart> {
  const verb = h("span", { class: "verb", "data-read": "" });
  const query = h("q", { dir: "auto", "data-read": "" });
  const count = h("span", { class: "count" });
  const list = h("ul", { class: "sources" });
  const picture = h("span", { class: "picture" }, icon("globe"));
  const row = foldRow([picture, verb, query, count], list);
  const root = h("div", { class: "part search" });
  let shown: SearchPart | undefined;

  return {
    root,
    update(part, situation) {
      setText(verb, verbOf(part, situation));
      if (part === shown) return;
      shown = part;
      setText(query, part.query ?? "");
      query.hidden = part.query === undefined;
      const images = imagesOf(part);
      const counts = [
        part.sources.length === 0 ? "" : plural(part.sources.length, words.oneSource, words.sources),
        images.length === 0 ? "" : plural(images.length, words.oneImage, words.images),
      ];
      setText(count, counts.filter(Boolean).join(" · "));
      setChildren(root, [row.show(part.sources.length + images.length > 0)]);
      list.replaceChildren(
        ...part.sources.map((source) => h("li", {}, sourceLink(source, post))),
        ...images.map((image) => h("li", { class: "image" }, icon("image"), sourceLink(image, post))),
      );
    },
  };
}

/** What can be read of it. */
export const searchWords = (part: SearchPart, turn: Turn): readonly string[] => [
  verbOf(part, { turn }),
  part.query ?? "",
  ...part.sources.map(sourceName),
  ...imagesOf(part).map(sourceName),
];

function verbOf(part: SearchPart, { turn }: Pick<PartSituation, "turn">): string {
  if (part.status === "completed") return words.searched;
  return turn.status === "running" ? words.searching : words.searchFailed;
}
