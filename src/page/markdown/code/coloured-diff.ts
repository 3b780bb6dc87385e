// Colours the lines of a diff like the editor, in place: marks inside the lines are kept. Each side is highlighted as
// one text, so that removed and added lines have the colours that they have in their files.
import type { LineRuns } from "../../../code-colours/colour-runs.ts";
import { colouredLine } from "./code-lines.ts";
import type { ColourSheet, EditorColours, ShownCode } from "./editor-colours.ts";

/**
 * Colours the diffs in `root`. Their lines (`.line`) are those of one file after their signs, with the class `removed` or
 * `added` if they are changed.
 */
export function colourDiff(colours: EditorColours, path: string, root: HTMLElement): void {
  const lines = [...root.querySelectorAll<HTMLElement>(".line")];
  const isOf = (kind: string) => (line: HTMLElement) => line.classList.contains(kind);
  const before = lines.filter((line) => !isOf("added")(line));
  const after = lines.filter((line) => !isOf("removed")(line));
  const colourSide = (side: readonly HTMLElement[], shown: readonly HTMLElement[]): void => {
    if (shown.length > 0) colours.watch(root, languageOf(path), shownSide(side, new Set(shown)));
  };
  colourSide(before, before.filter(isOf("removed")));
  colourSide(after, after);
}

/** All lines of one side of the diff, of which only `shown` are coloured. */
function shownSide(side: readonly HTMLElement[], shown: ReadonlySet<HTMLElement>): ShownCode {
  const lines = side.map(({ textContent }) => textContent.slice(1).replace(/\n$/, ""));
  return {
    ...{ lines, written: lines.length, isComplete: true },
    paint(from, runs, classOf) {
      for (const [index, line] of runs.entries()) {
        const element = side[from + index];
        if (element !== undefined && shown.has(element)) paintIn(element, [1, 0, ...line], classOf);
      }
    },
    giveUp() {},
  };
}

/** Fences accept file extensions as language names, too. */
const languageOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("."), path.lastIndexOf("/")) + 1).toLowerCase();

function paintIn(element: HTMLElement, runs: LineRuns, classOf: ColourSheet["classOf"]): void {
  for (const old of element.querySelectorAll("[class^=code-]")) old.replaceWith(...old.childNodes);
  element.normalize();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  let at = 0;
  for (const text of texts) {
    const end = at + text.length;
    text.replaceWith(...colouredLine(text.data, runsBetween(runs, at, end), classOf));
    at = end;
  }
}

function runsBetween(runs: LineRuns, from: number, to: number): LineRuns {
  const between: number[] = [];
  let end = 0;
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const start = end;
    end += runs[index] ?? 0;
    const length = Math.min(end, to) - Math.max(start, from);
    if (length > 0) between.push(length, runs[index + 1] ?? 0);
  }
  return between;
}
