// A web search the service made: its words and the pages it found. An address is opened by the host after a look
// at it; the page itself never goes anywhere.
import type { SearchPart } from "../../../core/conversation/events.ts";
import type { Turn } from "../../../core/conversation/state.ts";
import { h, setChildren, setText } from "../../dom.ts";
import { icon } from "../../icons.ts";
import type { TurnNeeds } from "../../turn-context.ts";
import { plural, words } from "../../words.ts";
import { foldRow } from "../fold-row.ts";
import type { PartSituation, PartView } from "./part-view.ts";

type Source = SearchPart["sources"][number];

export function searchPart({ post }: TurnNeeds): PartView<SearchPart> {
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
      setText(
        count,
        part.sources.length === 0 ? "" : plural(part.sources.length, words.oneSource, words.sources),
      );
      setChildren(root, [row.show(part.sources.length > 0)]);
      list.replaceChildren(...part.sources.map((source) => h("li", {}, sourceItem(source))));
    },
  };

  function sourceItem({ url, title }: Source): HTMLElement {
    const address = webAddress(url);
    const name = nameOf({ url, title });
    if (address === undefined) return h("span", { dir: "auto", "data-read": "" }, name);
    // A button, not a link: there is nothing here that the browser itself could follow.
    const look = { class: "link", role: "link", dir: "auto", title: url, "data-read": "" };
    const open = h("button", { type: "button", ...look }, name);
    open.addEventListener("click", () => post({ type: "open-link", url }));
    return h("span", {}, open, h("span", { class: "host" }, address.host));
  }
}

/** What can be read of it. */
export const searchWords = (part: SearchPart, turn: Turn): readonly string[] => [
  verbOf(part, { turn }),
  part.query ?? "",
  ...part.sources.map(nameOf),
];

const nameOf = ({ url, title }: Source): string => (title === undefined || title === "" ? url : title);

function verbOf(part: SearchPart, { turn }: Pick<PartSituation, "turn">): string {
  if (part.status === "completed") return words.searched;
  return turn.status === "running" ? words.searching : words.searchFailed;
}

/** Only what is plainly a page on the web (requirements D6). */
function webAddress(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined;
  const address = new URL(url);
  return address.protocol === "https:" || address.protocol === "http:" ? address : undefined;
}
