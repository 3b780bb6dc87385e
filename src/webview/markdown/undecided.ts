// How much of a growing source may be drawn. A last line that is nothing but markers yet can still become anything:
// "-" is a list item, a rule or the underline that makes the paragraph above a heading. It waits for its next
// character, so that nothing that stands above ever flips. Everything that is drawn is decided: block-stream.ts
// relies on it when it settles blocks.

const containers = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*/;
/** Also blanks of other scripts: a line that holds nothing else ends a table. */
const markersOnly = /^(?:[-=_*+#~`|:$\s]*|\\\[?\s*|\d{1,9}[.)]?)$/;
const fence = /^(?:`{3}|~{3})/;
const definition = /^\[[^\]]*(?:\](?::.*)?)?$/;
const closingFence = /^[ \t]*(?:[`~]+[ \t]*)?$/;

/** Longer lines are drawn as they come; a definition of that length is not worth waiting for. */
const maxLetters = 1_000;

export function shownLength(source: string, insideFence: boolean): number {
  const start = source.lastIndexOf("\n") + 1;
  if (start === source.length) return start;
  const line = source.slice(start);
  return (insideFence ? closingFence.test(line) : isUndecided(line)) ? start : source.length;
}

function isUndecided(line: string): boolean {
  const rest = line.slice(containers.exec(line)?.[0].length);
  if (markersOnly.test(rest) || fence.test(rest)) return true;
  return rest.length < maxLetters && definition.test(rest);
}
