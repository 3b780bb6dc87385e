// A script of its own, loaded when the first formula appears: it gives the page the one function that draws formulas.
// KaTeX reads the TeX; of the tree it answers with, only what is MathML and on these lists becomes a node. Colours, styles,
// classes, ids and addresses out of TeX do not.
import katex from "katex";
import { withEscapes } from "../../core/conversation/hidden-characters.ts";

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

/** A macro of its own can make a short formula very long. KaTeX's own macros are no longer than what they stand for. */
const definesMacro =
  /\\(?:[egx]?def|(?:re|provide)?newcommand|providecommand|(?:future)?let|global|long)(?![a-zA-Z])/;
const longestWithMacros = 400;

globalThis.patchbayMath = (root, tex, displayMode) => {
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
    // It is no formula, or one that is nested too deep: the words stay as they were written.
  }
};

/** Commands that bring addresses, classes or styles: KaTeX would show their name alone and swallow their words. */
function refuse({ command }: { readonly command: string }): never {
  throw new Error(`${command} is nothing that a formula may do here.`);
}

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
    if (attributes.has(name)) element.setAttribute(name, withinReach(String(value)));
  }
  element.append(...children);
  element.normalize();
  return [element];
}

/** Lengths in ems that stay near their formula: nothing is moved over what stands around it. */
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
