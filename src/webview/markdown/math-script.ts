// A script of its own, loaded when the first formula appears: it gives the page the one function that draws formulas.
import katex from "katex";

globalThis.patchbayMath = (root, tex, displayMode) => {
  const drawn = document.createElement("span");
  try {
    // trust is off: no addresses, classes, ids or styles out of TeX.
    katex.render(tex, drawn, {
      displayMode,
      output: "mathml",
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxSize: 20,
      maxExpand: 200,
    });
  } catch {
    return;
  }
  const formula = drawn.querySelector("math");
  if (formula !== null) root.replaceChildren(formula);
};
