// A script of its own, loaded when the first formula appears: it gives the page the one function that draws formulas.
// KaTeX reads the TeX; of the tree it answers with, only what is MathML and on these lists becomes a node. Colours, styles,
// classes, ids and addresses out of TeX do not.
import katex from "katex";
import { withEscapes } from "./hidden-characters.ts";

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

/** What KaTeX answers with: elements, texts, spaces, and fragments that are only their children. */
interface Drawn {
  readonly type?: string;
  readonly text?: string;
  /** A space: in ems. */
  readonly width?: number;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Drawn[];
}

/** Not among the declared functions, but what the declared ones are made of. */
const { __renderToDomTree: read } = katex as typeof katex & {
  __renderToDomTree(tex: string, options: katex.KatexOptions): Drawn;
};

globalThis.patchbayMath = (root, tex, displayMode) => {
  let tree: Drawn;
  try {
    tree = read(tex, {
      displayMode,
      output: "mathml",
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxSize: 20,
      maxExpand: 200,
    });
  } catch {
    // It is no formula: the words stay as they were written.
    return;
  }
  root.replaceChildren(...nodesOf(tree));
};

/** Not seen but meant: the operators that MathML writes between a function and its argument, or two factors. */
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
    if (attributes.has(name)) element.setAttribute(name, String(value));
  }
  element.append(...children);
  element.normalize();
  return [element];
}

function spaceOf(width: number): Node {
  const space = document.createElementNS(namespace, "mspace");
  space.setAttribute("width", `${width.toFixed(4)}em`);
  return space;
}
