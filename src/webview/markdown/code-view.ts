// A code block: its language, its buttons, its lines and their colours. Colours come in idle time, piece by piece; what
// was coloured stays so meanwhile.

import { withEscapes } from "../../core/conversation/hidden-characters.ts";
import { h } from "../dom.ts";
import type { Block, Code } from "./blocks.ts";
import { codeHead } from "./code-head.ts";
import { codeLines } from "./code-lines.ts";
import { type ColourPieces, colourPieces } from "./colour-pieces.ts";
import { knownLanguage } from "./language-names.ts";
import { findColouring, languageOf } from "./languages.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import type { View } from "./reconcile.ts";

/** Milliseconds of colouring before the page gets its turn. */
const maxStretch = 4;

export function codeView(code: Code, around: MarkdownContext): View<Block> {
  const language = languageOf(code.info);
  const body = h("code", {});
  const pre = h("pre", { dir: "ltr", tabindex: "0" }, body);
  const root = h("div", { class: "md-code", role: "group" });
  const lines = codeLines(body);
  const head = codeHead({ root, language, around, code: () => withEscapes(lines.all.join("\n")) });
  root.append(head.root, pre);
  let pieces: ColourPieces | undefined;
  let planned = false;
  let isOpen = true;
  let gone = false;
  let called = "";

  return {
    root,
    update(next, open) {
      if (next.kind !== "code" || languageOf(next.info) !== language) return false;
      const changed = lines.show(next.from, next.children);
      pieces?.changed(changed);
      head.update(lines.all.length);
      isOpen = open && !next.closed;
      name();
      // Until the highlighter is there, nobody knows what is worth it.
      if (pieces === undefined || pieces.isDue(writtenLines(), !isOpen)) plan();
      return true;
    },
    dispose() {
      gone = true;
    },
  };

  /** Lines are counted when there come no more. */
  function name(): void {
    const count = isOpen ? undefined : lines.all.length;
    const wanted = around.labels.codeName(knownLanguage(language), count);
    if (wanted === called) return;
    called = wanted;
    root.setAttribute("aria-label", wanted);
  }

  /** The last line of an open block is still being written. */
  function writtenLines(): number {
    return isOpen ? Math.max(0, lines.all.length - 1) : lines.all.length;
  }

  function plan(): void {
    if (planned) return;
    planned = true;
    around.work.after(pieces === undefined ? findPieces() : Promise.resolve(), colourLater);
  }

  async function findPieces(): Promise<void> {
    const colouring = await findColouring(language);
    // Code that has no colours stays planned, and is never asked again.
    if (colouring !== undefined) pieces = colourPieces(colouring);
  }

  function colourLater(): void {
    if (pieces === undefined) return;
    around.work.whenIdle(() => {
      planned = false;
      if (!gone) colour();
    });
  }

  function colour(): void {
    const until = performance.now() + maxStretch;
    const written = lines.all.slice(0, writtenLines());
    for (let piece = pieces?.next(written, !isOpen); piece !== undefined; ) {
      lines.colour(piece.from, piece.lines);
      if (performance.now() >= until) break;
      piece = pieces?.next(written, !isOpen);
    }
    if (pieces?.isDue(written.length, !isOpen) === true) plan();
  }
}
