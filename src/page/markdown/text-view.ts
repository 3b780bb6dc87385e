// An element whose content is text. The text is parsed when it is drawn, and again when a definition it refers to
// arrives. A long text is drawn in parts, of which only the last one changes while it grows.
import { showDirection } from "./direction.ts";
import { inlineRoom } from "./inline-view.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { completeEnd } from "./parse/half-written-inline.ts";
import { type Inline, readInline, readVerbatim } from "./parse/inline.ts";
import { nextCut } from "./parse/inline-cuts.ts";
import type { Reader } from "./parse/link-definitions.ts";
import { type Room, reconcile } from "./reconcile.ts";

export interface Leaf {
  show(content: string, open: boolean, verbatim?: boolean): void;
  dispose(): void;
}

interface Words {
  readonly content: string;
  readonly open: boolean;
  readonly verbatim: boolean;
}

interface Part {
  readonly room: Room<Inline>;
  readonly reader: Reader;
  words: Words;
  /** The source of its current nodes. */
  drawn: Source | undefined;
}

interface Source {
  readonly text: string;
  /** Shown literally, without any markup. */
  readonly verbatim: boolean;
}

/** Minimum length of a part. Only the last part is parsed again with every delta. */
const shortest = 200;
const longText = 600;
/** A part that cannot be cut within this length is shown literally: nothing may block the page. */
const longest = 10_000;
/** Text with more brackets and stars is shown literally: they are not markup, and parsing them takes quadratic time. */
const maxMarks = 1_000;
const crowd = 64;

export function leafIn(root: HTMLElement, around: MarkdownContext): Leaf {
  const arrived = document.createDocumentFragment();
  const parts: Part[] = [addPart()];
  /** The content shown by the parts before the last one. */
  let drawn = "";
  let shown: Words = { content: "", open: false, verbatim: false };

  return {
    show(content, open, verbatim = false) {
      if (content === shown.content && open === shown.open && verbatim === shown.verbatim) return;
      shown = { content, open, verbatim };
      keepOnly(verbatim ? "" : content);
      let from = drawn.length;
      for (let cut = verbatim ? undefined : cutAfter(content, from); cut !== undefined; ) {
        showLast({ content: content.slice(from, cut), open: false, verbatim: false });
        from = cut;
        parts.push(addPart());
        cut = cutAfter(content, from);
      }
      drawn = content.slice(0, from);
      const isTooLong = content.length - from > longest + 1;
      showLast({ content: content.slice(from), open, verbatim: verbatim || isTooLong });
      const extent = open ? "growing" : content.length > longText ? "long" : "short";
      showDirection(root, extent, () => root.childNodes);
    },
    dispose() {
      for (const { reader } of parts) around.references.forget(reader);
    },
  };

  function cutAfter(content: string, from: number): number | undefined {
    const cut = nextCut(content.slice(0, from + longest + 1), from, { math: around.parser.math, shortest });
    return cut !== undefined && cut - from <= longest ? cut : undefined;
  }

  /** Removes the parts that no longer match; a text that only grew keeps all of them. */
  function keepOnly(content: string): void {
    while (parts.length > 1 && !content.startsWith(drawn)) {
      const [last, before] = [parts.pop(), parts.at(-1)];
      if (last === undefined || before === undefined) return;
      around.references.forget(last.reader);
      reconcile(last.room, [], false);
      drawn = drawn.slice(0, drawn.length - before.words.content.length);
    }
  }

  function showLast(words: Words): void {
    const part = parts.at(-1);
    if (part === undefined) return;
    part.words = words;
    const source = sourceOf(words);
    // The source of most blocks is the same once they are complete.
    const isDrawn = source.text === part.drawn?.text && source.verbatim === part.drawn.verbatim;
    if (!isDrawn) draw(part, source);
  }

  function addPart(): Part {
    const part: Part = {
      room: { ...inlineRoom(root, around), append: (node) => arrived.append(node) },
      reader: { again: () => draw(part, sourceOf(part.words)) },
      words: { content: "", open: false, verbatim: false },
      drawn: undefined,
    };
    return part;
  }

  function nodeAfter(part: Part): ChildNode | null {
    if (part === parts.at(-1)) return null;
    for (const { room } of parts.slice(parts.indexOf(part) + 1)) {
      const [first] = room.views;
      if (first !== undefined) return first.root;
    }
    return null;
  }

  function draw(part: Part, source: Source): void {
    part.drawn = source;
    reconcile(part.room, read(source, part.reader), false);
    insert(arrived, nodeAfter(part));
  }

  /** The browser determines the direction again for every inserted node; without dir=auto it does so once for all. */
  function insert(nodes: DocumentFragment, before: ChildNode | null): void {
    const isSlow = root.dir === "auto" && nodes.childNodes.length > crowd;
    if (isSlow) root.removeAttribute("dir");
    root.insertBefore(nodes, before);
    if (isSlow) root.dir = "auto";
  }

  function read({ text, verbatim }: Source, reader: Reader): readonly Inline[] {
    if (verbatim) return readVerbatim(text);
    return around.references.ask(reader, (definitions) =>
      readInline(around.parser.inline(text, definitions)),
    );
  }
}

function sourceOf({ content, open, verbatim }: Words): Source {
  if (verbatim || isCrowded(content)) return { text: content, verbatim: true };
  return { text: open ? completeEnd(content) : content, verbatim: false };
}

function isCrowded(content: string): boolean {
  if (content.length <= maxMarks) return false;
  const marks = content.matchAll(/[[\]]|\*+|_+/g);
  for (let count = 0; count <= maxMarks; count += 1) if (marks.next().done === true) return false;
  return true;
}
