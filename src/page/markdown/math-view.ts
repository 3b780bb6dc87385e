// A formula: its TeX until the formula renderer is loaded, then MathML. The browser draws, scales and reads MathML
// aloud without fonts, a style sheet or inline styles, which the page's policy would refuse.
import { h } from "../dom.ts";
import { drawSource } from "./drawn-source.ts";
import type { Inline } from "./inline.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import type { View } from "./reconcile.ts";

type Formula = Extract<Inline, { readonly kind: "math" }>;

export function mathView(formula: Formula, around: MarkdownContext): View<Inline> {
  const root = h("span", { class: formula.display ? "md-math md-display" : "md-math", dir: "ltr" });
  drawSource("math", root, formula.tex, formula.display, around);
  return {
    root,
    update: (next) => next.kind === "math" && next.tex === formula.tex && next.display === formula.display,
  };
}
