// Output of the service that this version does not understand: named with its size, and openable as received
// (requirements D2). It is text: nothing in it is followed, loaded or drawn.
import type { OtherPart } from "../../../conversation/state.ts";
import { foldRow } from "../../elements/controls.ts";
import { h, setText } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
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
  const size = fill(strings.bytes, { count: exact(bytes) });
  return fill(strings.otherPart, { kind, size });
}

/** The readable text of the part. */
export const otherWords = (part: OtherPart): readonly string[] => [nameOf(part), part.json];
