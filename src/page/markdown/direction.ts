// Direction and isolation of text that runs from right to left, cheaper than the browser's own.

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** Characters to search for the first letter. */
const reach = 2_000;

/**
 * Returns the direction of the first strong letter in these nodes, excluding code and formulas, as the browser would
 * determine it. With dir=auto the browser searches the whole block again for every node that is added, and recomputes
 * the styles of all of it. So the first strong letter is looked up here and its direction set explicitly; it is kept
 * when the block ends.
 */
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

/** A block that has stopped growing is either short or long. */
type Extent = "growing" | "short" | "long";

/**
 * Sets the direction to that of `nodes`, which are at the beginning of the block; if they have no letter, leaves it to
 * the browser.
 */
export function showDirection(root: HTMLElement, extent: Extent, nodes: () => Iterable<Node>): void {
  const isKnown = extent === "growing" && root.dir !== "auto";
  if (root.dir === "" || isKnown) return;
  const direction = directionOf(nodes()) ?? (extent === "long" ? "ltr" : "auto");
  if (root.dir !== direction) root.dir = direction;
}

/** Yields the first `count` children. */
export function* firstOf(children: Iterable<Node>, count: number): Generator<Node> {
  let left = count;
  for (const child of children) {
    if (left === 0) return;
    left -= 1;
    yield child;
  }
}

/**
 * Right-to-left letters, or character references that may be one. Surrogate halves are matched, since a text may be cut
 * inside a character.
 */
const turning = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\uD802\uD803\uD83A\uD83B]|&#/;

export interface Isolation {
  readonly isNeeded: boolean;
  /** Must be called with the whole text, piece by piece. */
  read(text: string): void;
}

/**
 * Isolates code and list items from the surrounding text where text runs from right to left, or they would be reordered
 * with it. Only there, because isolation makes the layout of each such line expensive. `always`: the direction is given
 * and not taken from the text. `drawAll` puts all of the text into the document.
 */
export function isolation(root: HTMLElement, always: boolean, drawAll: () => void): Isolation {
  let isNeeded = always;
  let last = "";
  root.classList.toggle("md-bidi", isNeeded);
  return {
    get isNeeded() {
      return isNeeded;
    },
    read(text) {
      if (isNeeded || !turning.test(last + text)) {
        last = text.slice(-1);
        return;
      }
      isNeeded = true;
      root.classList.add("md-bidi");
      drawAll();
      for (const code of root.querySelectorAll("code")) {
        if (code.closest("pre, .md-math") === null) code.dir = "ltr";
      }
    },
  };
}
