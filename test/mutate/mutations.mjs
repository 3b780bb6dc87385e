// What can be spoilt in a source file: one token or one statement at a time, never in comments, strings or types alone.

/**
 * @typedef {{ start: number, end: number, text: string, what: string, around?: boolean }} Mutation
 * `start` and `end` are places in the source, `text` what stands there instead, or before it where it is put `around`.
 */

/** Operators and words with what is put in their place. */
const swaps = [
  [/===/g, "!=="],
  [/!==/g, "==="],
  [/(?<![<=>])>=(?!=)/g, ">"],
  [/(?<![<=])<=(?![=>])/g, "<"],
  [/ < (?=[^<]*\S)/g, " <= "],
  [/ > (?=[^>]*\S)/g, " >= "],
  [/&&/g, "||"],
  [/\|\|/g, "&&"],
  [/ \+ (?=\d)/g, " - "],
  [/ - (?=\d)/g, " + "],
  [/\+=/g, "-="],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/\.some\(/g, ".every("],
  [/\.every\(/g, ".some("],
  [/\bMath\.min\b/g, "Math.max"],
  [/\bMath\.max\b/g, "Math.min"],
  [/\.startsWith\(/g, ".endsWith("],
  [/\.endsWith\(/g, ".startsWith("],
  [/\bbreak;/g, "continue;"],
];

/**
 * Every mutation of a TypeScript source.
 * @returns {Mutation[]}
 */
export function mutationsOf(source) {
  const code = blankOut(source);
  /** @type {Mutation[]} */
  const found = [];
  for (const [pattern, text] of swaps)
    for (const { index, 0: old } of code.matchAll(pattern))
      found.push({ start: index, end: index + old.length, text, what: `${old.trim()} → ${text.trim()}` });
  for (const { index } of code.matchAll(/\bif \(/g)) found.push(negate(code, index));
  // A number that is a limit: one more and one less are nearly the same, twice and half are not.
  for (const { index, 0: old } of code.matchAll(/(?<![\w.$])\d[\d_]*(?![\w.])/g)) {
    const value = Number(old.replaceAll("_", ""));
    const text = value < 10 ? String(value + 1) : String(value * 2);
    found.push({ start: index, end: index + old.length, text, what: `${old} → ${text}` });
  }
  // A statement of its own line: a call, an assignment, a way out.
  for (const { index, 0: old, 1: indent } of code.matchAll(
    /^( +)(?:await )?(?:[\w$.#?]+\([^;{}]*\);|[\w$.#]+(?:\[[^\]]+\])? [+-]?= [^;{}]*;|throw [^;{}]*;|continue;)$/gm,
  )) {
    const start = index + indent.length;
    found.push({ start, end: index + old.length, text: ";", what: "statement taken out" });
  }
  return found.filter(({ start, end, text }) => source.slice(start, end) !== text && !isInTypes(code, start));
}

/** `if (a)` becomes `if (!(a))`. */
function negate(code, index) {
  const open = code.indexOf("(", index);
  let depth = 0;
  let close = open;
  do {
    if (code[close] === "(") depth++;
    if (code[close] === ")") depth--;
    close++;
  } while (depth > 0 && close < code.length);
  return { start: open, end: close, text: "(!", around: true, what: "condition turned round" };
}

/** A line that only declares types is nothing that runs. */
function isInTypes(code, at) {
  const [line = ""] = code.slice(code.lastIndexOf("\n", at - 1) + 1).split("\n", 1);
  return /^\s*(?:import |export (?:type|interface) |type |interface |(?:readonly )?\w+\??: [^=(]*;$|\| )/.test(
    line,
  );
}

/** The source with this mutation in it. */
export function applyMutation(source, { start, end, text, around = false }) {
  const kept = around ? `${source.slice(start, end)})` : "";
  return `${source.slice(0, start)}${text}${kept}${source.slice(end)}`;
}

/** The same length, with blanks for all letters of comments, strings, templates and regular expressions. */
export function blankOut(source) {
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};\n] *|return )\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
  return source.replace(pattern, (found) => found.replace(/[^\n]/g, " "));
}
