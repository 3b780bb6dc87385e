// An SVG's text as a tree. Not a parser for documents of others: it reads what the renderer writes, and refuses what is
// written in another way. The browser's own would look at each style in it, and the page's policy would complain.

export interface SvgNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (SvgNode | string)[];
}

const token = /<!--(?:[^-]|-(?!->))*-->|<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const attribute = /(?<![\w:-])([\w:-]+)="([^"]*)"/g;
const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Deeper than any that the renderer makes. */
const deepest = 32;

interface Open {
  readonly name: string;
  readonly children: (SvgNode | string)[];
}

export function readSvg(text: string): SvgNode | undefined {
  const top: Open = { name: "", children: [] };
  const open: Open[] = [top];
  token.lastIndex = 0;
  for (let at = 0; at < text.length; at = token.lastIndex) {
    const found = token.exec(text);
    const around = open.at(-1);
    if (found === null || around === undefined || open.length > deepest) return undefined;
    const [, closing, name, attributes = "", empty, words] = found;
    if (words !== undefined) around.children.push(decoded(words));
    else if (name === undefined) continue;
    else if (closing === "/") {
      if (open.length === 1 || around.name !== name) return undefined;
      open.pop();
    } else {
      const children: (SvgNode | string)[] = [];
      const pairs = [...attributes.matchAll(attribute)].map(
        ([, key = "", value = ""]) => [key, decoded(value)] as const,
      );
      around.children.push({ name, attributes: new Map(pairs), children });
      if (empty === "") open.push({ name, children });
    }
  }
  const roots = top.children.filter((child) => typeof child !== "string");
  return open.length === 1 && roots.length === 1 && roots[0]?.name === "svg" ? roots[0] : undefined;
}

/** All nodes under this one, in the order in which they stand. */
export function nodesUnder(node: SvgNode): readonly SvgNode[] {
  return node.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...nodesUnder(child)]));
}

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
