// What the service sent and nobody here can read: said, with its name and size, and openable as it came
// (requirements D2). It is text: nothing of it is followed, loaded or drawn.
import type { OtherPart } from "../../../core/conversation/events.ts";
import { h, setText } from "../../dom.ts";
import { icon } from "../../icons.ts";
import { exact } from "../../numbers-and-times.ts";
import { fill, words } from "../../words.ts";
import { foldRow } from "../fold-row.ts";
import type { PartView } from "./part-view.ts";

export function otherPart(): PartView<OtherPart> {
  const name = h("bdi", { class: "what", "data-read": "" });
  const raw = h("pre", { dir: "ltr", tabindex: "0", role: "group", "data-read": "" });
  const row = foldRow([h("span", { class: "picture" }, icon("inspect")), name], raw);
  const root = h("div", { class: "part other" }, row.show(true));
  let shown: OtherPart | undefined;
  return {
    root,
    update(part) {
      if (part === shown) return;
      shown = part;
      setText(name, nameOf(part));
      raw.setAttribute("aria-label", name.textContent ?? "");
      setText(raw, part.json);
    },
  };
}

function nameOf({ kind, bytes }: OtherPart): string {
  const size = fill(words.bytes, { count: exact(bytes) });
  return fill(words.otherPart, { kind, size });
}

/** What can be read of it. */
export const otherWords = (part: OtherPart): readonly string[] => [nameOf(part), part.json];
