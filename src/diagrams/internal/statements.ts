// What a Mermaid text says, statement by statement. Each kind of diagram is read wholly and told to the renderer in the few
// forms that it surely draws; a text with any other statement is not drawn, since half of a diagram would be a wrong one.

/** What the renderer is told, and how many elements of each class it has to draw for it. */
export interface Reading {
  readonly lines: readonly string[];
  readonly drawn: Readonly<Record<string, number>>;
}

export interface Written {
  readonly header: string;
  readonly lines: readonly string[];
}

/** Without front matter, comments and directives. */
export function written(source: string): Written {
  const all = source.split("\n").map((line) => line.trim());
  const first = all.findIndex((line) => line !== "");
  const last = all[first] === "---" ? all.indexOf("---", first + 1) : -1;
  const lines = all
    .slice(last + 1)
    .map((line) => (line.endsWith(";") ? line.slice(0, -1).trimEnd() : line))
    .filter((line) => line !== "" && !line.startsWith("%%"));
  const [header = "", ...rest] = lines;
  const [kind = "", ...more] = statementsIn(header);
  // Who writes on one line separates by semicolons.
  return { header: kind, lines: [...more, ...rest] };
}

const closing: Readonly<Record<string, string>> = { '"': '"', "[": "]", "(": ")", "{": "}", "|": "|" };

/** What is separated by semicolons outside of words. */
export function statementsIn(line: string): readonly string[] {
  const found: string[] = [];
  const open: string[] = [];
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    const close = closing[sign];
    if (open.at(-1) === sign) open.pop();
    else if (close !== undefined && open.at(-1) !== '"') open.push(close);
    else if (sign === ";" && open.length === 0) {
      found.push(line.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, line.slice(from)].map((each) => each.trim()).filter((each) => each !== "");
}

/** Signs that end words for the renderer, and letters of nobody that stand for them until it has drawn. */
const signs = "[](){}|/\\";
const firstStandIn = 0xe000;

export const standsIn = /[\ue000-\ue008]/g;

export const signOf = (letter: string): string => signs[letter.charCodeAt(0) - firstStandIn] ?? letter;

/** Words as the renderer takes them whole. */
export const kept = (words: string): string =>
  words
    .trim()
    .replace(/[[\](){}|]|^[/\\]/g, (sign) => String.fromCharCode(firstStandIn + signs.indexOf(sign)));

/** Names that the renderer can read, for any that authors give. */
export function plainNames(prefix = ""): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const plain =
      known.get(name) ?? (prefix === "" && /^\w+$/.test(name) ? name : `${prefix}_${known.size + 1}`);
    known.set(name, plain);
    return plain;
  };
}

/** Words between quotes, or without any. */
export function unquoted(words: string): string | undefined {
  const trimmed = words.trim();
  const inner = trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
  return inner.includes('"') || inner.trim() === "" ? undefined : inner.trim();
}
