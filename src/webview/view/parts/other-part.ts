// What the service sent and nobody here can read: said, with its name and size, and openable as it came
// (requirements D2). It is text: nothing of it is followed, loaded or drawn.
import type { Part } from "../../../core/conversation/state.ts";
import { h, setText } from "../../dom.ts";
import { exact, fill, words } from "../../words.ts";
import type { PartView } from "./part-view.ts";

type OtherPart = Extract<Part, { type: "other" }>;

export function otherPart(): PartView<OtherPart> {
  const summary = h("summary", {});
  const raw = h("pre", { dir: "ltr" });
  const root = h("details", { class: "part other" }, summary, raw);
  let shown: OtherPart | undefined;
  return {
    root,
    update(part) {
      if (part === shown) return;
      shown = part;
      const size = fill(words.bytes, { count: exact(part.bytes) });
      setText(summary, fill(words.otherPart, { kind: part.kind, size }));
      setText(raw, part.json);
    },
  };
}
