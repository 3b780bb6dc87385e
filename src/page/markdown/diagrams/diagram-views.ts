// Finished diagrams of a page: each is asked for when it is near the reader, and drawn above its code, which is hidden
// then and one button away. What was drawn is kept for a while, since turns leave the page and come back.
import { diagramSentences } from "../../words/diagram-sentences.ts";
import { describe, type Word } from "./description.ts";
import type { DiagramBlock, DiagramKit, DiagramReply, DiagramViews } from "./diagram-blocks.ts";
import { putOnStyles } from "./diagram-styles.ts";
import { pictureOf } from "./picture.ts";
import { readSvg } from "./svg-tree.ts";
import { zoomed } from "./zoom.ts";

const mostKept = 40;
/** In characters, of all that are kept. */
const mostText = 4_000_000;
/** Extends the visible area. */
const margin = "100% 0px";

export function diagramViews(kit: DiagramKit): DiagramViews {
  const { h, iconButton, translated, longestDiagram } = kit;
  const word = (key: Word) => translated(diagramSentences[key]);
  const known = new Map<string, DiagramReply>();
  /** Blocks that wait for a picture, by their text. */
  const waiting = new Map<string, Set<DiagramBlock>>();
  const blocks = new WeakMap<Element, DiagramBlock>();
  /** Shown as code by the reader's choice. */
  const asCode = new Set<string>();
  const sight = new IntersectionObserver(look, { rootMargin: margin });
  putOnStyles();
  return {
    show(block) {
      if (blocks.has(block.root)) remove(block);
      blocks.set(block.root, block);
      sight.observe(block.root);
    },
    take(reply) {
      keep(reply);
      const asked = waiting.get(reply.source) ?? [];
      waiting.delete(reply.source);
      for (const block of asked) if (blocks.get(block.root) === block) draw(block, reply);
    },
  };

  function look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const block = blocks.get(target);
      if (!isIntersecting || block === undefined) continue;
      sight.unobserve(target);
      ask(block);
    }
  }

  function ask(block: DiagramBlock): void {
    const { source } = block;
    const before = known.get(source);
    if (before !== undefined) draw(block, before);
    else if (source.length > longestDiagram) draw(block, { type: "diagram", source, why: "size" });
    else {
      const others = waiting.get(source);
      waiting.set(source, (others ?? new Set()).add(block));
      if (others === undefined) block.ask({ type: "draw-diagram", source });
    }
  }

  function keep(reply: DiagramReply): void {
    // It may have waited for others: it is tried again when it is shown again.
    if (reply.why === "time") return;
    known.set(reply.source, reply);
    let text = [...known.values()].reduce((sum, { svg = "" }) => sum + svg.length, 0);
    for (const [source, { svg = "" }] of known) {
      if (known.size <= mostKept && text <= mostText) break;
      known.delete(source);
      text -= svg.length;
    }
  }

  function draw(block: DiagramBlock, { svg, why }: DiagramReply): void {
    const tree = svg === undefined ? undefined : readSvg(svg);
    if (tree === undefined) {
      block.root.append(h("p", { class: "md-diagram md-diagram-note" }, word(why ?? "failed")));
      return;
    }
    const zoom = zoomed(kit, pictureOf(kit, tree), describe(kit, block.source, tree));
    const root = h("div", { class: "md-diagram" }, zoom.root);
    const toCode = iconButton(word("showCode"), "code", () => choose("code"));
    toCode.classList.add("md-show-code");
    const toPicture = iconButton(word("showDiagram"), "image", () => choose("picture"));
    block.code.before(root);
    show(asCode.has(block.source) ? "code" : "picture");

    function choose(what: "code" | "picture"): void {
      if (what === "code") asCode.add(block.source);
      else asCode.delete(block.source);
      const hadFocus = document.activeElement === (what === "code" ? toCode : toPicture);
      show(what);
      if (hadFocus) (what === "code" ? toPicture : toCode).focus();
    }

    function show(what: "code" | "picture"): void {
      const isPicture = what === "picture";
      block.root.classList.toggle("md-drawn", isPicture);
      root.hidden = !isPicture;
      block.code.hidden = isPicture;
      block.setButtons(isPicture ? [toCode, ...zoom.buttons] : [toPicture], isPicture);
    }
  }

  /** The text of the block has changed. */
  function remove(block: DiagramBlock): void {
    block.root.querySelector(":scope > .md-diagram")?.remove();
    block.root.classList.remove("md-drawn");
    block.code.hidden = false;
    block.setButtons([], false);
  }
}
