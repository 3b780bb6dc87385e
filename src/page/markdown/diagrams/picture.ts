// Builds the elements of a diagram. Its SVG was rendered from text that a model wrote, so none of it is inserted
// directly: it is parsed into a tree, and only the elements and attributes on these lists are created. Styles, scripts,
// URLs, foreign elements and event handlers are on none of them.
import type { DiagramKit } from "./diagram-blocks.ts";
import type { SvgNode } from "./svg-tree.ts";

const namespace = "http://www.w3.org/2000/svg";

const elements = new Set(
  "g defs marker rect circle ellipse line polyline polygon path text tspan".split(" "),
);
const attributes = new Set(
  "x y x1 y1 x2 y2 cx cy r rx ry dx dy width height points d transform viewBox font-size font-weight font-style text-anchor stroke-width stroke-dasharray stroke-linecap stroke-linejoin markerWidth markerHeight refX refY orient".split(
    " ",
  ),
);
const markers = new Set(["marker-start", "marker-mid", "marker-end"]);
const paints = new Set(["fill", "stroke"]);

const plainValue = /^[-+\w\s.,%()]*$/;
/** Functions that a transformation or a line consists of; `url` and `var` are none of them. */
const knownFunction = /(?<!\w)(?:translate|rotate|scale|matrix)$/;
const themePaint = /^(?:none|var\(--(?:bg|fg|_[a-z-]+)\))$/;
const authorPaint = /^(?:#[\da-f]{3,8}|[a-z]{3,24}|(?:rgb|hsl)a?\([\d\s.,%/]+\))$/i;
/** Words that each property takes, which are no colours: a mixture with one is nothing. */
const wide = /^(?:inherit|initial|unset|revert|revert-layer)$/i;

let pictures = 0;

export function pictureOf(kit: DiagramKit, svg: SvgNode): SVGElement {
  // Names in a picture are its own: a page may have several.
  return copyOf(svg, { ...kit, prefix: `diagram-${++pictures}-` });
}

interface Copying extends Pick<DiagramKit, "withEscapes"> {
  readonly prefix: string;
}

function copyOf({ name, attributes: given, children }: SvgNode, copying: Copying): SVGElement {
  const copy = document.createElementNS(namespace, name);
  for (const [attribute, value] of given) setChecked(copy, attribute, value, copying.prefix);
  const isText = name === "text" || name === "tspan";
  for (const child of children) {
    if (typeof child === "string") {
      if (isText) copy.append(copying.withEscapes(child));
    } else if (elements.has(child.name)) copy.append(copyOf(child, copying));
  }
  return copy;
}

function setChecked(copy: SVGElement, attribute: string, value: string, prefix: string): void {
  if (paints.has(attribute)) copy.setAttribute(attribute, paintOf(copy.localName, attribute, value.trim()));
  else if (attribute === "class" && value === "mono") copy.setAttribute("class", "mono");
  else if (attribute === "id" && copy.localName === "marker" && /^[\w-]+$/.test(value))
    copy.setAttribute("id", prefix + value);
  else if (markers.has(attribute)) {
    const name = /^url\(#([\w-]+)\)$/.exec(value)?.[1];
    if (name !== undefined) copy.setAttribute(attribute, `url(#${prefix}${name})`);
  } else if (attributes.has(attribute) && isPlain(value)) copy.setAttribute(attribute, value);
}

const isPlain = (value: string): boolean =>
  plainValue.test(value) &&
  value
    .split("(")
    .slice(0, -1)
    .every((before) => knownFunction.test(before.trimEnd()));

/**
 * Colours of the theme stay. A colour of the author is a tint of them, so that the text on it can be read in each theme;
 * text has none.
 */
function paintOf(element: string, attribute: string, value: string): string {
  if (themePaint.test(value)) return value;
  if (element === "text" || element === "tspan") return attribute === "fill" ? "var(--_text)" : "none";
  const own = attribute === "fill" ? "var(--_node-fill)" : "var(--_node-stroke)";
  const isColour = authorPaint.test(value) && !wide.test(value) && CSS.supports("color", value);
  if (!isColour) return own;
  return `color-mix(in srgb, ${value} var(--${attribute}-tint), ${own})`;
}
