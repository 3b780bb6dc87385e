// A web search by the service: the query, and the pages and images it found. The host checks and opens addresses; the
// page itself neither navigates nor loads images.
import type { SearchPart, Turn } from "../../../conversation/state.ts";
import { nameOfUrl } from "../../../util/web-url.ts";
import { foldRow } from "../../elements/controls.ts";
import { h, setChildren, setText } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import type { TurnDeps } from "../../render-context.ts";
import { plural, strings } from "../../words/strings.ts";
import { sourceLink } from "./citations.ts";
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
        part.sources.length === 0 ? "" : plural(part.sources.length, strings.oneSource, strings.sources),
        images.length === 0 ? "" : plural(images.length, strings.oneImage, strings.images),
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

/** The readable text of the part. */
export const searchWords = (part: SearchPart, turn: Turn): readonly string[] => [
  verbOf(part, { turn }),
  part.query ?? "",
  ...part.sources.map(nameOfUrl),
  ...imagesOf(part).map(nameOfUrl),
];

function verbOf(part: SearchPart, { turn }: Pick<PartSituation, "turn">): string {
  if (part.status === "completed") return strings.searched;
  return turn.status === "running" ? strings.searching : strings.searchFailed;
}
