// Completes the end of a text that is still being written as what it is about to become: open emphasis and code spans
// are closed, a link shows its text before its address is complete, and markers with nothing after them are held back.
// Only for display while text streams; the finished text is parsed unchanged.

interface Opened {
  readonly marker: string;
  readonly at: number;
  length: number;
}

/** A bracket farther back does not open a link. */
const longestLabel = 300;
/** More open markers are not meant as emphasis. */
const maxOpened = 8;

export function completeEnd(text: string): string {
  if (!/[*_~`[]/.test(text)) return text;
  const emphasis: Opened[] = [];
  const brackets: number[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === "\\") at += 2;
    else if (character === "`") {
      const run = runAt(text, at);
      const end = closingRun(text, at + run.length, run.length);
      if (end === undefined) return closed(closedCode(text, at, run), emphasis, at);
      at = end;
    } else if ("*_~".includes(character)) at = takeEmphasis(text, at, emphasis);
    else if (character === "[") brackets.push(at++);
    else if (character === "]") {
      const opening = brackets.pop();
      const end = text.charAt(at + 1) === "(" ? closingBracket(text, at + 2) : at + 1;
      if (end === undefined && opening !== undefined)
        return closed(wordsOnly(text, opening, at), emphasis, opening);
      at = end ?? at + 1;
    } else at += 1;
  }
  const opening = brackets.at(-1);
  const isLabel = opening !== undefined && text.length - opening < longestLabel;
  return closed(
    isLabel ? wordsOnly(text, opening, text.length) : text,
    emphasis,
    isLabel ? opening : text.length,
  );
}

const runAt = (text: string, at: number): string => {
  let end = at;
  while (text.charAt(end) === text.charAt(at)) end += 1;
  return text.slice(at, end);
};

function closingRun(text: string, from: number, length: number): number | undefined {
  for (let at = text.indexOf("`", from); at !== -1; ) {
    const run = runAt(text, at);
    if (run.length === length) return at + length;
    at = text.indexOf("`", at + run.length);
  }
  return undefined;
}

function closedCode(text: string, at: number, run: string): string {
  const code = text.slice(at + run.length).replace(/(?<!`)`+$/, "");
  return code.trim() === "" ? text.slice(0, at) : `${text.slice(0, at)}${run}${code}${run}`;
}

function closingBracket(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\n") return from;
    if (character === "\\") at += 1;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function wordsOnly(text: string, opening: number, end: number): string {
  const start = text.charAt(opening - 1) === "!" ? opening - 1 : opening;
  return text.slice(0, start) + text.slice(opening + 1, end);
}

function takeEmphasis(text: string, at: number, opened: Opened[]): number {
  const run = runAt(text, at);
  const marker = run.charAt(0);
  const before = text.charAt(at - 1);
  const after = text.charAt(at + run.length);
  let left = run.length;
  if (/\S/.test(before)) {
    for (let top = opened.at(-1); top?.marker === marker && left > 0; top = opened.at(-1)) {
      const used = Math.min(top.length, left);
      top.length -= used;
      left -= used;
      if (top.length === 0) opened.pop();
      else break;
    }
  }
  const opens = !/\s/.test(after) && !/[\p{L}\p{N}]/u.test(before) && (marker !== "~" || left === 2);
  if (left > 0 && left <= 3 && opens) opened.push({ marker, at, length: left });
  return at + run.length;
}

/** Closes the emphasis that was opened before `until`; markers with nothing after them are removed. */
function closed(text: string, opened: readonly Opened[], until: number): string {
  if (opened.length > maxOpened) return text;
  let shown = text.trimEnd();
  for (const { marker, length, at } of [...opened].reverse()) {
    if (at >= until) continue;
    const markers = marker.repeat(length);
    shown =
      shown.endsWith(markers) && shown.length === at + length
        ? shown.slice(0, at).trimEnd()
        : shown + markers;
  }
  return shown;
}
