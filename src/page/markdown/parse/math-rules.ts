// Two markdown-it rules for formulas as models write them: $…$, $$…$$, \(…\) and \[…\] in text, and a block whose
// opening line is only "$$" or "\[". Most dollar signs mean money: so the opening one must touch what follows, the
// closing one must touch what precedes, and no digit may come after it.
import type { StateBlock, StateInline } from "markdown-it";

/** Two dollar signs that are farther apart do not belong together. */
export const mathReach = 2_000;
/** After this many dollar signs that do not close a formula, they are taken for prices. */
const maxTries = 16;
/** Formulas do not contain more backslashes. */
const maxEscapes = 400;

export function mathInline(state: StateInline, silent: boolean): boolean {
  const found = formulaAt(state.src.slice(state.pos, Math.min(state.posMax, state.pos + mathReach)));
  if (found === undefined) return false;
  if (found.opener === "$" && /[\w$]/.test(state.src.charAt(state.pos - 1))) return false;
  if (!silent) {
    const token = state.push("math", "", 0);
    token.content = found.tex;
    token.markup = found.opener;
  }
  state.pos += found.length;
  return true;
}

interface Formula {
  readonly opener: string;
  readonly tex: string;
  readonly length: number;
}

const closers: Readonly<Record<string, string>> = { $: "$", $$: "$$", "\\(": "\\)", "\\[": "\\]" };

export function formulaAt(source: string): Formula | undefined {
  const opener = /^(?:\$\$?|\\[([])/.exec(source)?.[0];
  const closer = closers[opener ?? ""];
  if (opener === undefined || closer === undefined) return undefined;
  if (!source.includes(closer, opener.length)) return undefined;
  // A backslash escapes the next character, unless the two are the closer.
  const stops = source.slice(opener.length).matchAll(/\\.|\$/gs);
  let tried = 0;
  let seen = 0;
  for (const { index } of stops) {
    const at = opener.length + index;
    seen += 1;
    if (seen > maxEscapes) return undefined;
    if (!source.startsWith(closer, at)) continue;
    if (closes(source, at, opener)) {
      const tex = source.slice(opener.length, at);
      return tex.trim() === "" || tex.includes("`") ? undefined : { opener, tex, length: at + closer.length };
    }
    tried += 1;
    if (tried === maxTries) return undefined;
  }
  return undefined;
}

function closes(source: string, at: number, opener: string): boolean {
  if (opener !== "$") return true;
  return (
    !/\s/.test(source.charAt(1)) && !/\s/.test(source.charAt(at - 1)) && !/\d/.test(source.charAt(at + 1))
  );
}

/** The block ends at its closing line. A blank line ends it too, and then it was not a formula. */
export function mathBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const opener = lineOf(state, startLine).trimEnd();
  if (opener !== "$$" && opener !== "\\[") return false;
  if (silent) return true;
  const closer = closers[opener] ?? "";
  let line = startLine + 1;
  let closed = false;
  while (line < endLine && !closed && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) {
    closed = lineOf(state, line).trimEnd().endsWith(closer);
    line += 1;
  }
  const source = state.getLines(startLine, line, state.blkIndent, false);
  const token = state.push("math_block", "", 0);
  token.markup = opener;
  token.content = closed
    ? source
        .trimEnd()
        .slice(source.indexOf(opener) + 2, -2)
        .trim()
    : source;
  token.map = [startLine, line];
  token.meta = { closed };
  state.line = line;
  return true;
}

const lineOf = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
