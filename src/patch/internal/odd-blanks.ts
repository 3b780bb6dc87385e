// Finds characters that look like a space but are not one (U+00A0, U+2000 and the like) in code, where a machine reads
// another command, another name or an error than a person does. In sentences they are typography, so strings, comments,
// prose and data are ignored; the kind of file and the quotes in its lines tell them apart.

const oddBlank = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/;
/** Only in a line that is not blank. */
const oddIndent =
  /[ \t]*[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000][ \t\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]*\S/y;
/** A line within a block comment, in the usual style. */
const starred = /[ \t]*\*/y;

interface Kind {
  readonly files: RegExp;
  /** Begins a comment that extends to the end of the line. */
  readonly comment: "//" | "#" | "--";
  /** The format allows text without quotes, so only the indentation is checked. */
  readonly hasBareText?: boolean;
}

const kinds: readonly Kind[] = [
  { files: /\.(?:[jt]sx|vue|svelte|astro|php|cshtml)$/i, comment: "//", hasBareText: true },
  {
    files: /\.(?:[cm]?[jt]s|java|kts?|c|h|cc|cpp|hpp|cs|go|rs|swift|scala|dart|groovy|gradle)$/i,
    comment: "//",
  },
  { files: /\.ya?ml$/i, comment: "#", hasBareText: true },
  { files: /\.(?:py|rb|sh|bash|zsh|fish|ps1|pl|r|exs?|jl|nix|tf|toml|mk)$/i, comment: "#" },
  { files: /(?:^|\/)(?:Makefile|Dockerfile|Containerfile|Jenkinsfile|Rakefile|Gemfile)$/i, comment: "#" },
  { files: /\.(?:lua|sql|hs|elm)$/i, comment: "--" },
];

/** The delimiters of strings and comments that may span lines. */
const longTexts = [
  ["/*", "*/"],
  ['"""', '"""'],
  ["'''", "'''"],
  ["`", "`"],
] as const;

export function hasOddBlanks(text: string, path: string): boolean {
  const kind = kinds.find(({ files }) => files.test(path));
  if (kind === undefined || !oddBlank.test(text)) return false;
  const { comment, hasBareText = false } = kind;
  for (let at = 0; at < text.length; ) {
    const isStart = at === 0 || text[at - 1] === "\n";
    if (isStart && isAt(oddIndent, text, at)) return true;
    const isComment =
      text.startsWith(comment, at) && (comment !== "#" || isStart || /\s/.test(text[at - 1] ?? ""));
    if (isComment || (isStart && comment === "//" && isAt(starred, text, at))) {
      at = endOf("\n", text, at);
      continue;
    }
    const long = longTexts.find(([opening]) => text.startsWith(opening, at));
    const sign = text[at] ?? "";
    if (long !== undefined) at = endOf(long[1], text, at + long[0].length);
    else if (sign === '"' || sign === "'") at = endOfQuoted(sign, text, at + 1);
    else if (!hasBareText && oddBlank.test(sign)) return true;
    else at += 1;
  }
  return false;
}

function isAt(form: RegExp, text: string, at: number): boolean {
  form.lastIndex = at;
  return form.test(text);
}

function endOf(end: string, text: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/**
 * A quote that is not closed in its line is an apostrophe, or a string that continues: the rest of the line cannot be
 * classified.
 */
function endOfQuoted(quote: string, text: string, from: number): number {
  let at = from;
  for (; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === quote) return at + 1;
    if (text[at] === "\\" && text[at + 1] !== "\n") at += 1;
  }
  return at;
}
