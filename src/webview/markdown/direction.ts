// Which way a block reads. dir=auto leaves that to the browser, which goes through the whole block again for every node
// that arrives in it, and works out the styles of all of it: its first strong letter is looked up here and written down,
// and stays so when the block ends.

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** Further on nobody looks for it. */
const reach = 2_000;

/** Of the first strong letter in these, code and formulas aside: what the browser would find. */
function directionOf(nodes: Iterable<Node>): "ltr" | "rtl" | undefined {
  let seen = 0;
  for (const node of nodes) {
    for (const { data } of textsIn(node)) {
      const direction = directionOfText(data.slice(0, reach - seen));
      if (direction !== undefined) return direction;
      seen += data.length;
      if (seen >= reach) return "ltr";
    }
  }
  return undefined;
}

export function directionOfText(text: string): "ltr" | "rtl" | undefined {
  const letter = /\p{L}/u.exec(text.slice(0, reach))?.[0];
  if (letter === undefined) return undefined;
  return rightToLeft.test(letter) ? "rtl" : "ltr";
}

function* textsIn(node: Node): Generator<Text> {
  if (node instanceof Text) yield node;
  else if (!(node instanceof Element) || node.matches("[dir], code, .md-hidden")) return;
  else for (const child of node.childNodes) yield* textsIn(child);
}

/** A block that has stopped growing is one of the other two. */
export type Extent = "growing" | "short" | "long";

/** The direction of `nodes`, which stand at the block's beginning; where none of them says, it is the browser's to find. */
export function showDirection(root: HTMLElement, extent: Extent, nodes: () => Iterable<Node>): void {
  const isKnown = extent === "growing" && root.dir !== "auto";
  if (root.dir === "" || isKnown) return;
  const direction = directionOf(nodes()) ?? (extent === "long" ? "ltr" : "auto");
  if (root.dir !== direction) root.dir = direction;
}

/** The first few of an element's children. */
export function* firstOf(children: Iterable<Node>, count: number): Generator<Node> {
  let left = count;
  for (const child of children) {
    if (left === 0) return;
    left -= 1;
    yield child;
  }
}
