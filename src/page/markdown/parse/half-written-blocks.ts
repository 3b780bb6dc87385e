// Holds back the last line of a growing source while it can still become another kind of block.

const containers = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*/;
/** Includes white space of other scripts: a line that contains nothing else ends a table. */
const markersOnly = /^(?:[-=_*+#~`|:$\s]*|\\\[?\s*|\d{1,9}[.)]?)$/;
const fence = /^(?:`{3}|~{3})/;
const definition = /^\[[^\]]*(?:\](?::.*)?)?$/;
const closingFence = /^[ \t]*(?:[`~]+[ \t]*)?$/;

/** Longer lines are drawn immediately; a definition of that length is not worth waiting for. */
const maxLetters = 1_000;

/**
 * Determines how much of a growing source may be drawn. A last line of only markers can still become anything: "-" may
 * be a list item, a rule, or the underline that makes the paragraph above a heading. It is held back until its next
 * character, so that nothing above it ever changes kind. Everything that is drawn is decided, and settling blocks
 * relies on that.
 */
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
