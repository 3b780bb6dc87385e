// A separate script, loaded with the first formula: it provides the function that draws formulas. KaTeX parses the TeX;
// only MathML elements and attributes on these lists become nodes. Colours, styles, classes, ids and addresses in the
// TeX are dropped.
import katex from "katex";
import { withEscapes } from "../../../util/hidden-characters.ts";

const namespace = "http://www.w3.org/1998/Math/MathML";

const elements = new Set(
  "math semantics annotation mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover mtable mtr mtd mlabeledtr mpadded mphantom menclose mstyle merror mmultiscripts mprescripts none".split(
    " ",
  ),
);
const attributes = new Set(
  "display displaystyle scriptlevel mathvariant mathsize stretchy fence separator form lspace rspace minsize maxsize movablelimits accent accentunder largeop symmetric linethickness columnalign columnspacing rowspacing columnlines rowlines frame width height depth voffset notation encoding side".split(
    " ",
  ),
);

/** Nodes in KaTeX's output: elements, texts, spaces, and fragments that consist of their children. */
interface Drawn {
  readonly type?: string;
  readonly text?: string;
  /** The width of a space, in ems. */
  readonly width?: number;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Drawn[];
}

/** Not part of KaTeX's declared API, but the declared functions are built on it. */
const { __renderToDomTree: read } = katex as typeof katex & {
  __renderToDomTree(tex: string, options: katex.KatexOptions): Drawn;
};

/** A user-defined macro can make a short formula very long; KaTeX's built-in macros cannot. */
const definesMacro =
  /\\(?:[egx]?def|(?:re|provide)?newcommand|providecommand|(?:future)?let|global|long)(?![a-zA-Z])/;
const longestWithMacros = 400;

function drawFormula(root: HTMLElement, tex: string, displayMode: boolean): void {
  if (tex.length > longestWithMacros && definesMacro.test(tex)) return;
  try {
    const tree = read(tex, {
      displayMode,
      output: "mathml",
      throwOnError: true,
      strict: "ignore",
      trust: refuse,
      maxSize: 20,
      maxExpand: 200,
    });
    root.replaceChildren(...nodesOf(tree));
  } catch {
    // Not a formula, or one that is nested too deeply: the source text stays.
  }
}

globalThis.patchbayRenderers = { ...globalThis.patchbayRenderers, math: drawFormula };

/**
 * Rejects commands that add addresses, classes or styles: KaTeX would show only their name and drop their arguments.
 */
function refuse({ command }: { readonly command: string }): never {
  throw new Error(`${command} is nothing that a formula may do here.`);
}

/** Invisible on purpose: operators that MathML puts between a function and its argument, or between two factors. */
const invisibleOperator = /^[\u2061-\u2064]$/;

function nodesOf(drawn: Drawn): Node[] {
  const { text, width, type } = drawn;
  if (typeof text === "string") {
    return [document.createTextNode(invisibleOperator.test(text) ? text : withEscapes(text))];
  }
  if (typeof width === "number") return [spaceOf(width)];
  const children = (drawn.children ?? []).flatMap(nodesOf);
  if (type === undefined || !elements.has(type)) return children;
  const element = document.createElementNS(namespace, type);
  for (const [name, value] of Object.entries(drawn.attributes ?? {})) {
    if (attributes.has(name)) element.setAttribute(name, withinReach(String(value)));
  }
  element.append(...children);
  element.normalize();
  return [element];
}

/** Limits lengths in ems, so that a formula cannot cover the text around it. */
const withinReach = (value: string): string =>
  value.replace(
    /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))em$/,
    (_whole, ems: string) => `${Math.min(20, Math.max(-2, Number(ems)))}em`,
  );

function spaceOf(width: number): Node {
  const space = document.createElementNS(namespace, "mspace");
  space.setAttribute("width", withinReach(`${width.toFixed(4)}em`));
  return space;
}
