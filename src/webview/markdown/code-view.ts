// A code block: its language, its buttons, its lines and their colours. Colours come in idle time, when the block is
// closed and each time an open one has grown by half; what was coloured stays so meanwhile.
import { h } from "../dom.ts";
import type { Block, Code } from "./blocks.ts";
import { codeHead } from "./code-head.ts";
import { codeLines } from "./code-lines.ts";
import type { Coloured } from "./colours.ts";
import { withEscapes } from "./hidden-characters.ts";
import { findColouring, languageOf } from "./languages.ts";
import type { Colouring } from "./load-script.ts";
import type { View } from "./reconcile.ts";
import type { Surroundings } from "./surroundings.ts";

const growth = 1.5;
/** An open block is not worth colouring before it has this many lines. */
const firstColours = 8;
/** Lines that get their colours in one go; a multiple of those that stand in one element. */
const atOnce = 400;
/** Longer code stays plain: a highlighter that holds up the page is worth less than its colours. */
const longestColoured = 100_000;
/** So does code with a longer line, which nobody has written by hand. */
const longestLine = 5_000;

export function codeView(code: Code, around: Surroundings): View<Block> {
  const language = languageOf(code.info);
  const body = h("code", {});
  const pre = h("pre", { dir: "ltr", tabindex: "0" }, body);
  const root = h("div", { class: "md-code" });
  const lines = codeLines(body);
  const head = codeHead({ root, language, around, code: () => withEscapes(lines.all.join("\n")) });
  root.append(head.root, pre);
  let coloured = 0;
  let planned = false;
  let isOpen = true;
  let gone = false;

  return {
    root,
    update(next, open) {
      if (next.kind !== "code" || languageOf(next.info) !== language) return false;
      lines.show(next.from, next.children);
      head.update(lines.all.length);
      const wasOpen = isOpen;
      isOpen = open && !next.closed;
      if (lines.all.length < coloured) coloured = 0;
      const grown = lines.all.length >= Math.max(firstColours, coloured * growth);
      if (isOpen ? grown : wasOpen || lines.all.length !== coloured) plan();
      return true;
    },
    dispose() {
      gone = true;
    },
  };

  function plan(): void {
    if (planned) return;
    planned = true;
    around.work.after(findColouring(language).then(colourLater), () => {});
  }

  async function colourLater(colouring: Colouring | undefined): Promise<void> {
    if (colouring === undefined) return;
    await new Promise<void>((resolve) => around.work.whenIdle(resolve));
    planned = false;
    if (!gone) colour(colouring);
  }

  function colour(colouring: Colouring): void {
    // The last line of an open block is still being written.
    const all = isOpen ? lines.all.slice(0, -1) : lines.all;
    const source = all.join("\n");
    if (all.length === 0 || source.length > longestColoured) return;
    if (all.some(({ length }) => length > longestLine)) return;
    coloured = all.length;
    const runs = colouring(source);
    if (runs !== undefined) paint(source, runs, 0);
  }

  function paint(source: string, runs: Coloured, from: number): void {
    lines.colour(from, runs.slice(from, from + atOnce));
    if (from + atOnce >= runs.length) return;
    around.work.whenIdle(() => {
      // Other lines by now, or a later colouring.
      const isStill = coloured === runs.length && lines.all.slice(0, coloured).join("\n") === source;
      if (!gone && isStill) paint(source, runs, from + atOnce);
    });
  }
}
