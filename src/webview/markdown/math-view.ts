// A formula: its TeX until the formula renderer has been loaded, MathML from then on. MathML because the browser draws
// it, reads it aloud and scales it by itself: no fonts, no style sheet, and nothing inline that the page's policy would
// refuse.

import { withEscapes } from "../../core/conversation/hidden-characters.ts";
import { h } from "../dom.ts";
import type { Inline } from "./inline.ts";
import { loadScript } from "./load-script.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import type { View } from "./reconcile.ts";

type Formula = Extract<Inline, { readonly kind: "math" }>;

export function mathView(formula: Formula, around: MarkdownContext): View<Inline> {
  const root = h("span", { class: formula.display ? "md-math md-display" : "md-math", dir: "ltr" });
  drawFormula(root, formula, around);
  return {
    root,
    update: (next) => next.kind === "math" && next.tex === formula.tex && next.display === formula.display,
  };
}

/** Formulas longer than this are shown as they are written. */
const longest = 5_000;

export function drawFormula(
  root: HTMLElement,
  { tex, display }: Omit<Formula, "kind">,
  around: MarkdownContext,
): void {
  root.replaceChildren(h("code", {}, withEscapes(tex)));
  if (tex.length > longest) return;
  if (globalThis.patchbayMath !== undefined) globalThis.patchbayMath(root, tex, display);
  else around.work.after(loadScript("math"), () => globalThis.patchbayMath?.(root, tex, display));
}
