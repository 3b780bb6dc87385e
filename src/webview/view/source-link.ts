// A page or a picture on the web, to be opened: the host looks at the address before it does, and nothing is loaded here.
import { h } from "../dom.ts";
import type { Post } from "../turn-context.ts";

export interface SourceFacts {
  readonly url: string;
  readonly title?: string | undefined;
}

export function sourceLink({ url, title }: SourceFacts, post: Post): HTMLElement {
  const address = webAddress(url);
  const name = sourceName({ url, title });
  if (address === undefined) return h("span", { dir: "auto", "data-read": "" }, name);
  // A button, not a link: there is nothing here that the browser itself could follow.
  const look = { class: "link", role: "link", dir: "auto", title: url, "data-read": "" };
  const open = h("button", { type: "button", ...look }, name);
  open.addEventListener("click", () => post({ type: "open-link", url }));
  return h("span", {}, open, h("span", { class: "host" }, address.host));
}

export const sourceName = ({ url, title }: SourceFacts): string =>
  title === undefined || title === "" ? url : title;

/** Only what is plainly a page on the web (requirements D6). */
function webAddress(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined;
  const address = new URL(url);
  return address.protocol === "https:" || address.protocol === "http:" ? address : undefined;
}
