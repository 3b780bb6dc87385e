// A part of a kind this page does not know: said, with its size, and openable as it came (requirements D2).
import type { Part } from "../../../core/conversation/state.ts";
import { h, setText } from "../../dom.ts";
import { exact, fill, words } from "../../words.ts";
import type { PartView } from "./part-view.ts";

/** More than this of something unknown helps nobody. */
const longest = 4000;

export function otherPart(): PartView {
  const summary = h("summary", {});
  const raw = h("pre", { dir: "ltr" });
  const root = h("details", { class: "part other" }, summary, raw);
  let shown: Part | undefined;
  return {
    root,
    update(part) {
      if (part === shown) return;
      shown = part;
      const text = JSON.stringify(part, undefined, 2);
      const size = fill(words.bytes, { count: exact(text.length) });
      setText(summary, fill(words.otherPart, { kind: part.type, size }));
      setText(raw, text.slice(0, longest));
    },
  };
}
