// What may stand in the page because of content: an allow-list of elements and attributes, and nothing else. Written
// from the promises, not from the renderer: what it does not know is a violation.

const elements = new Set(
  "DIV P H1 H2 H3 H4 H5 H6 HR PRE CODE SPAN BLOCKQUOTE UL OL LI TABLE THEAD TBODY TR TH TD EM STRONG S A BR".split(
    " ",
  ),
);
const attributes: Readonly<Record<string, RegExp>> = {
  class: /^md(?:-[a-z]+)*(?: md(?:-[a-z]+)*)*$/,
  dir: /^(?:auto|ltr|rtl)$/,
  role: /^(?:link|img|group)$/,
  tabindex: /^0$/,
  start: /^\d{1,9}$/,
  // Room for the longest number of a list.
  style: /^--md-digits: \d{1,2};$/,
  "aria-level": /^[4-9]$/,
  "aria-label": /^(?:Done|Not done|Table|[A-Z][\w+# ]{0,20} code(?:, \d+ lines)?)$/,
  "data-href": /^https?:\/\/[^/]/,
  title: /^[\s\S]{0,9000}$/,
};
const mathAttributes =
  /^(?:xmlns|display|displaystyle|scriptlevel|mathvariant|mathsize|stretchy|fence|separator|form|[lr]space|(?:min|max)size|movablelimits|accent|accentunder|largeop|symmetric|linethickness|(?:column|row)(?:align|spacing|lines)|frame|width|height|depth|voffset|notation|encoding|side)$/;
const mathElements =
  /^(?:math|semantics|annotation|mrow|m[inos]|mtext|mspace|msu[bp]|msubsup|mfrac|msqrt|mroot|m(?:under|over|underover)|mtable|mtr|mtd|mpadded|mphantom|menclose|mstyle)$/;
const invisible =
  /(?![\t\n])[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E01EF}]/u;

/** Controls of ours, which stand there because somebody listens, not because content says so. */
const ours =
  ".md-code-actions[role=toolbar], .md-code-actions > button.icon-button[type=button], button.md-file[type=button]";

export function violationsIn(root: Element, controls: "none" | "ours"): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll("*")) {
    if (controls === "ours" && element.closest(ours) !== null) found.push(...controlViolations(element));
    else found.push(...violationsOf(element));
  }
  const words = [...root.querySelectorAll("*")].filter((element) => element.closest("math") === null);
  for (const { childNodes } of [root, ...words]) {
    for (const node of childNodes) {
      if (node instanceof Text && invisible.test(node.data))
        found.push(`invisible text ${JSON.stringify(node.data)}`);
    }
  }
  for (const key of Object.getOwnPropertyNames(window)) {
    if (/^\d+$/.test(key) && window.frames.length > 0) found.push(`a frame ${key}`);
  }
  return found;
}

function violationsOf(element: Element): string[] {
  if (element instanceof MathMLElement) {
    const bad = [...element.attributes].filter(({ name }) => !mathAttributes.test(name));
    const tag = mathElements.test(element.localName) ? [] : [`math <${element.localName}>`];
    return [...tag, ...bad.map(({ name, value }) => `math ${name}=${value}`)];
  }
  if (!elements.has(element.tagName)) return [`<${element.tagName}>`];
  return [...element.attributes].flatMap(({ name, value }) =>
    attributes[name]?.test(value) === true && !(name === "title" && invisible.test(value))
      ? []
      : [`${element.tagName} ${name}=${value}`],
  );
}

/** A file is a relative path that goes down; a button has a picture in it or words. */
function controlViolations(element: Element): string[] {
  const path = element.getAttribute("data-path");
  if (path !== null && (/^[/\\]|\.\.|:/.test(path) || invisible.test(path))) return [`a button to ${path}`];
  const foreign = [...element.attributes].filter(({ name }) =>
    /^on|^style$|^id$|^name$|href|^src$|^form/.test(name),
  );
  return foreign.map(({ name, value }) => `control ${name}=${value}`);
}
