// A folder in which every rule of a search matters – guards, ignore files, secrets, links, encodings, limits –, and
// queries over it: the ways to search, quick or slow, have to answer each of them alike.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Must be in no answer. */
export const canary = "canaryOfSecrets";

const pem = ["-----BEGIN RSA PRIVATE KEY-----", canary.repeat(3), "-----END RSA PRIVATE KEY-----"].join("\n");
const wide = (text: string) => Buffer.from(text, "utf16le");

/** Wide characters, the byte that counts first. */
const wideSwapped = (text: string) => Buffer.from(wide(text)).swap16();

const files: Readonly<Record<string, string | Uint8Array>> = {
  "a.ts": "const alpha = 1;\n\nexport const Beta = alpha + 1;\n",
  "b.md": "about alpha\r\nand Größe, GRÖSSE\r\n\r\nlast alpha",
  "mac.txt": "alpha\rbeta alpha\rend",
  "mixed.txt": "alpha\r\r\nbeta\nalpha\r",
  "marked.txt": "\ufeffalpha first\nalpha second\n",
  "wide.txt": wide("\ufeffalpha wide\nbeta wide\n"),
  "wide-swapped.txt": wideSwapped("\ufeffalpha swapped\n"),
  "wide-bare.txt": wide("alpha bare\nsecond line of it\n"),
  "wide-cjk.txt": wide("\ufeff漢字漢字"),
  "wide-far.txt": wide("the bac\u212a of a \u017fide\n"),
  "wide-far-swapped.txt": wideSwapped("a \u017fide, and its bac\u212a"),
  "latin.txt": Buffer.from("alpha \u00e9t\u00e9\nGr\u00f6\u00dfe\n", "latin1"),
  "late-zero.bin": Buffer.concat([Buffer.from(`alpha${"x".repeat(2000)}`), Buffer.of(0)]),
  "picture.png": Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0alpha", "latin1")]),
  "empty.txt": "",
  "blank.txt": "\n  \n\t\n",
  "emoji.txt": "😀 alpha 😀😀\nÀ la carte, \u212a and \u017f\n",
  "-e": "alpha in a file called like an option\n",
  "name with blanks.txt": "alpha here\n",
  "ünï.txt": "alpha there\n",
  ".hidden.yml": "alpha: hidden\n",
  "deep/er/and/deeper/x.js": "alpha(deeper);\n",
  "deep/one.js": "alpha(one);\n",
  "crowd/many.txt": "alpha crowd\n".repeat(60),
  "min/bundle.js": `${"x".repeat(900)}alpha${"y".repeat(900)}`,
  "note.ipynb": JSON.stringify({ cells: [{ source: ["alpha cell"] }] }),
  // What Git leaves out, and what other ignore files would.
  ".gitignore": "out/\n*.log\n/top.txt\n{x,y}.tmp\n!keep.log\n",
  "out/alpha.js": "alpha out\n",
  "trace.log": "alpha log\n",
  "keep.log": "alpha kept\n",
  "top.txt": "alpha top\n",
  "sub/top.txt": "alpha not top\n",
  "sub/.gitignore": "!again.log\nonly-here.txt\n",
  "sub/again.log": "alpha again\n",
  "sub/only-here.txt": "alpha only\n",
  "only-here.txt": "alpha everywhere else\n",
  ".ignore": "a.ts\n",
  ".rgignore": "b.md\n",
  "node_modules/m/index.js": "alpha module\n",
  "sub/node_modules/n/index.js": "alpha module\n",
  ".git/config": `alpha ${canary}\n`,
  "nested/.git/HEAD": "alpha\n",
  "nested/inside.log": "alpha nested\n",
  // What is never sent, by its name or its shape.
  ".env": `alpha=${canary}\n`,
  "deploy/.env.production": `alpha=${canary}\n`,
  "deploy/server.pem": `alpha ${canary}\n`,
  ".ssh/config": `alpha ${canary}\n`,
  ".patchbayignore": "private/\n*.hush\n",
  "private/diary.txt": `alpha ${canary}\n`,
  "word.hush": `alpha ${canary}\n`,
  "keys.ts": `const alpha = "ghp_${"a1B2".repeat(9)}";\nconst aws = "AKIA${"ABCD".repeat(4)}"; // alpha\n${pem}\n`,
};

/** Large enough to be read piece by piece. */
const large = (): string => {
  const lines = Array.from({ length: 150_000 }, (_, at) => `${at} a line that nobody looks for, ${at % 97}`);
  lines[100_000] = `alpha in the large one, AKIA${"ABCD".repeat(4)}`;
  lines.splice(50_000, 0, pem);
  return lines.join("\n");
};

export function makeSearchFolder(root: string): void {
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  write("large.txt", large());
  write("../outside-of-search/far.txt", `alpha ${canary}\n`);
  write("big.bin", Buffer.alloc(5_500_000));
  for (const [target, path] of [
    ["../outside-of-search", "away"],
    ["../outside-of-search/far.txt", "away.txt"],
    [".env", "settings.txt"],
    ["deep", "again"],
    ["a.ts", "same.ts"],
    ["nowhere", "broken"],
  ] as const)
    symlinkSync(target, join(root, path));
}

export interface SearchCase {
  readonly query: string;
  readonly regex?: boolean;
  readonly case_sensitive?: boolean;
  readonly path?: string;
  readonly pattern?: string;
  readonly context?: number;
}

const texts = [
  "alpha",
  "ALPHA",
  "alpha)",
  "größe",
  "été",
  "漢字",
  "😀",
  "k",
  "ſ",
  "back",
  "sid",
  "-e",
  "a.ts",
  "\\",
  canary,
  "AKIA",
  "zzz",
];

/** In the dialects of both, in one of them, and where they differ. */
const expressions = [
  "alpha",
  "^alpha",
  "^alpha$",
  "alpha$",
  "^$",
  "^\\s+$",
  "\\balpha\\b",
  "al(?:ph|f)a\\s",
  "(?<=about )alpha",
  "alpha(?! =)(?= h)",
  "(al)(pha).*\\2",
  "(?<x>a)lph\\k<x>",
  "(?<x>a)lph\\k<y>|(?<y>)be",
  "(^a|b)lph\\1",
  "(alpha )\\1?first",
  "\\1(al)ph(a) |(\\w)\\3",
  "(?:(al)|b)?pha\\1",
  "(\\w)l\\w+\\1 w",
  "(?:al|be)(?:pha|ta) (?:wide|bare)",
  "al\\w+ swapped|bac. of|hidden",
  "a .ide, and",
  "[a-c]lpha\\(",
  "[^\\s]lpha \\p{L}+$",
  "\\p{Lu}\\p{L}+e",
  "Gr.{1,2}e",
  "^.lpha",
  "é",
  "Gr[öo][ßs]e",
  "\\u{1F600}{2}",
  "^\\S+ alpha",
  "a\\-?l",
  "alpha|beta|",
  "(?:al){1}p{1,1}h{1,}a{0,3}",
  "[\\w-]+\\.js",
  "x{800}",
  "(^|;)const",
  "[[&&~]lpha",
  "\\x61lph\\u0061",
  "\\cA|zzz",
  "a{,3}lpha",
  "[]|zzz",
  "alpha[^]",
  ".",
  "\\0",
  "(?:(?:(?:a|b)*l)*p)*ha$",
];

export const searchCases: readonly SearchCase[] = [
  ...texts.flatMap((query) => [{ query }, { query, case_sensitive: true }]),
  ...expressions.flatMap((query) => [
    { query, regex: true },
    { query, regex: true, case_sensitive: true },
  ]),
  ...["deep", "sub", "out", "again", "node_modules/m", "nested", "./sub/"].map((path) => ({
    query: "alpha",
    path,
  })),
  ...["*.ts", "*.log", "deep", "*.{ts,md}", "sub/**", "!a.ts", "top.txt", "[ab].*", "-e"].map((pattern) => ({
    query: "alpha",
    pattern,
  })),
  { query: "alpha", path: "deep", pattern: "*.js" },
  // A key and a file of its own, a text that is typed, and ends of all kinds are near these.
  ...["alpha", "aws", "beta", "zzz", "last"].map((query) => ({ query, context: 2 })),
  { query: "^$", regex: true, context: 10 },
];

export const nameOfCase = ({
  query,
  regex,
  case_sensitive,
  path,
  pattern,
  context = 0,
}: SearchCase): string =>
  [
    regex === true ? `/${query}/` : `“${query}”`,
    case_sensitive === true ? "" : "i",
    path ?? "",
    pattern ?? "",
    context > 0 ? `±${context}` : "",
  ].join(" ");

/**
 * Of an answer what every way of searching says: the editor alone reads no large file, and where it shows a sign for a
 * byte that it cannot decode, ripgrep finds no character; nor does it look into UTF-16 without a mark.
 */
export const smallOnly = (text: string): string => {
  const blocks = text
    .split("\n\n")
    .filter((block) => !/^(?:\S+\/)?(?:large|latin|wide-bare)\.txt\n|^No matches\./.test(block));
  const notes = blocks.flatMap((block) => (block.startsWith("[") ? block.split("\n") : []));
  const found = blocks.filter((block) => !block.startsWith("["));
  const said = notes.filter((line) => !/^\[?(?:\S+\/)?large\.txt|[Ll]arger than 5 MB|never sent/.test(line));
  return [...(found.length > 0 ? found.map(counted) : ["No matches."]), ...said].join("\n\n");
};

/** How much of the crowd is shown depends on what else is found: of it the number of matches. */
function counted(block: string): string {
  const path = /^\S*crowd\/many\.txt$/m.exec(block)?.[0];
  if (path === undefined) return block;
  const more = Number(/\[(\d+) more match/.exec(block)?.[1] ?? 0);
  return `${path}: ${(block.match(/^\d+:/gm) ?? []).length + more}`;
}
