// Which way a long block reads. dir=auto leaves that to the browser, which goes through the whole block again for every
// node that arrives in it; once a block is long, its first strong letter is looked up here and written down.

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** Further on nobody looks for it. */
const reach = 2_000;

/** Of the first strong letter in these, code and formulas aside: what the browser would find. */
function directionOf(nodes: readonly Node[]): "ltr" | "rtl" {
  let seen = 0;
  for (const text of nodes.flatMap(textsIn)) {
    const letter = /\p{L}/u.exec(text.data.slice(0, reach - seen))?.[0];
    if (letter !== undefined) return rightToLeft.test(letter) ? "rtl" : "ltr";
    seen += text.data.length;
  }
  return "ltr";
}

function textsIn(node: Node): readonly Text[] {
  if (node instanceof Text) return [node];
  const hasOwn = node instanceof Element && (node.hasAttribute("dir") || node.className === "md-hidden");
  return hasOwn ? [] : [...node.childNodes].flatMap(textsIn);
}

/** Takes the direction of `decided`, which stands there for good; undefined while the browser shall look. */
export function showDirection(root: HTMLElement, decided: (() => readonly Node[]) | undefined): void {
  const isDecided = root.dir !== "auto";
  if (root.dir === "" || isDecided === (decided !== undefined)) return;
  root.dir = decided === undefined ? "auto" : directionOf(decided());
}
