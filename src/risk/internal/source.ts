// A text as the risk rules read it, line by line: its comments, and its code without comments and with numbers in place
// of literals. One linear pass. Equal literals have the same number on both sides of a change.

export interface Source {
  /** Unmodified. */
  readonly lines: readonly string[];
  /** Without comments; each literal is replaced by its number in quotes. */
  readonly code: readonly string[];
  readonly notes: readonly string[];
  /**
   * Whether the line begins inside a literal or a comment: one of the numbers below. One more than there are lines, for
   * the end of the text.
   */
  readonly isInside: Uint8Array;
}

export const inLiteral = 1;
export const inNote = 2;

/** The number of each literal. */
export type Literals = Map<string, number>;

/** Of longer texts, only the lines around changes are read. */
export const longest = 400_000;

interface Signs {
  /** Empty if there are none. */
  readonly lineNote: string;
  /** It begins a comment only where a word could begin. */
  readonly isNoteAWord: boolean;
  /** What opens and closes a comment; empty if there are none. */
  readonly blockNote: readonly [string, string];
  readonly quotes: string;
  /** Quotes that may span several lines. */
  readonly long: readonly string[];
  /** Both kinds of quotes are equivalent. */
  readonly alike: boolean;
  /**
   * Matches where something other than plain code may begin. All other characters are skipped, and most lines have no
   * match.
   */
  readonly begins: RegExp;
}

const cLike: Signs = {
  ...{ lineNote: "//", isNoteAWord: false, blockNote: ["/*", "*/"], quotes: "\"'", long: [], alike: false },
  begins: /["'/]/g,
};
const noBlocks = ["", ""] as const;
const hashed: Signs = { ...cLike, lineNote: "#", blockNote: noBlocks, begins: /["'#]/g };
const plain: Signs = { ...cLike, lineNote: "", blockNote: noBlocks, quotes: "", begins: /(?!)/g };
const signsOf: Readonly<Record<Language, Signs>> = {
  script: { ...cLike, long: ["`"], alike: true, begins: /["'`/]/g },
  python: { ...hashed, long: ['"""', "'''"], alike: true },
  go: { ...cLike, long: ["`"], begins: /["'`/]/g },
  rust: { ...cLike, quotes: '"', long: ['"'], begins: /["/]/g },
  java: { ...cLike, long: ['"""'] },
  c: cLike,
  csharp: { ...cLike, long: ['"""'] },
  swift: { ...cLike, quotes: '"', long: ['"""'], begins: /["/]/g },
  php: { ...cLike, begins: /["'/#]/g },
  ruby: { ...hashed, alike: true },
  elixir: { ...hashed, isNoteAWord: true, long: ['"""', "'''"] },
  erlang: { ...hashed, lineNote: "%", isNoteAWord: true, begins: /["'%]/g },
  clojure: { ...hashed, lineNote: ";", isNoteAWord: true, quotes: '"', long: ['"'], begins: /[";]/g },
  haskell: {
    ...{ ...cLike, lineNote: "--", isNoteAWord: true, blockNote: ["{-", "-}"], quotes: '"' },
    begins: /["{-]/g,
  },
  lua: { ...cLike, lineNote: "--", blockNote: ["--[[", "]]"], long: ["[["], begins: /["'[-]/g },
  dart: { ...cLike, long: ['"""', "'''"] },
  style: { ...cLike, lineNote: "", alike: true },
  shell: { ...hashed, isNoteAWord: true, long: ['"', "'"] },
  make: { ...hashed, isNoteAWord: true },
  toml: { ...hashed, long: ['"""', "'''"] },
  hash: { ...hashed, isNoteAWord: true },
  data: { ...plain, quotes: '"', begins: /"/g },
  xml: { ...plain, blockNote: ["<!--", "-->"], quotes: '"', begins: /["<]/g },
  prose: plain,
  other: plain,
};

/** Matches before a slash that starts a regular expression and does not divide. */
const beforePattern = /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete))\s*$/;

export function readSource(text: string, language: Language, literals: Literals): Source {
  const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
  if (text.endsWith("\n")) lines.pop();
  const reader = new Reader(lines, language, literals);
  for (let row = 0; row < lines.length; row++) reader.take(row);
  reader.end();
  const { code, notes, isInside } = reader;
  return { lines, code, notes, isInside };
}

/** An unfinished literal or comment: its text so far, and what ends it. */
interface Open {
  readonly end: string;
  readonly isNote: boolean;
  /** A backslash in it is one. */
  readonly isRaw: boolean;
  readonly lines: string[];
  readonly row: number;
}

class Reader {
  /** Most lines contain only code and are used unchanged. */
  readonly code: string[];
  readonly notes: string[];
  readonly isInside: Uint8Array;
  readonly #language: Language;
  readonly #literals: Literals;
  readonly #signs: Signs;
  #open: Open | undefined;

  constructor(lines: readonly string[], language: Language, literals: Literals) {
    this.code = [...lines];
    this.notes = new Array<string>(lines.length).fill("");
    this.isInside = new Uint8Array(lines.length + 1);
    this.#language = language;
    this.#literals = literals;
    const signs = signsOf[language];
    // A text that is given to a command may have apostrophes.
    const isPaired = language !== "shell" || !lines.some((line) => line.includes("<<"));
    this.#signs = isPaired ? signs : { ...signs, long: [] };
  }

  take(row: number): void {
    const line = this.code[row] ?? "";
    if (this.#open !== undefined) this.isInside[row] = this.#open.isNote ? inNote : inLiteral;
    else {
      const first = this.#nextIn(line, 0);
      if (first < 0) return;
      if (this.#beginsLineNote(line, first)) {
        this.code[row] = line.slice(0, first);
        this.notes[row] = line.slice(first);
        return;
      }
    }
    this.#takeApart(line, row);
  }

  /** A literal that never ends is still one: without its number, no change in it would be seen. */
  end(): void {
    if (this.#open === undefined) return;
    this.isInside[this.code.length] = this.#open.isNote ? inNote : inLiteral;
    if (this.#open.isNote) return;
    const { end, lines, row } = this.#open;
    this.code[row] += this.#numberOf(end, lines.join("\n"));
  }

  #takeApart(line: string, row: number): void {
    const { blockNote, long, quotes } = this.#signs;
    const [opens, closes] = blockNote;
    const made: string[] = [];
    let noted = "";
    let at = 0;
    /** Where the code begins that is not in `made` yet: it is added in one piece, up to the next literal or comment. */
    let plain = 0;
    /** Signs that have no end further on in this line, so it is not looked for again. */
    let unended = "";
    while (at < line.length || (this.#open !== undefined && line === "")) {
      if (this.#open !== undefined) {
        const { end: sign, isNote, isRaw, lines, row: begun } = this.#open;
        const isVerbatim = isRaw && this.#language === "csharp";
        const end = isVerbatim
          ? endOfVerbatim(line, at)
          : isNote || isRaw || sign.length > 1
            ? line.indexOf(sign, at)
            : endOfQuote(line, at, sign);
        const piece = line.slice(at, end < 0 ? line.length : end);
        if (isNote) noted += piece;
        else lines.push(piece);
        if (end < 0) break;
        if (isNote) noted += sign;
        else {
          const number = this.#numberOf(sign, lines.join("\n"));
          // A literal counts for the line on which it began.
          if (begun === row) made.push(number);
          else this.code[begun] += number;
        }
        at = end + sign.length;
        plain = at;
        this.#open = undefined;
        continue;
      }
      at = this.#nextIn(line, at);
      if (at < 0) break;
      const sign = line.charAt(at);
      if (this.#beginsLineNote(line, at)) {
        made.push(line.slice(plain, at));
        noted += line.slice(at);
        plain = line.length;
        break;
      }
      const rawEnd = quotes.includes(sign) ? endOfRaw(this.#language, line, at) : undefined;
      const begins =
        opens !== "" && line.startsWith(opens, at)
          ? opens
          : (longAt(long, line, at) ?? (rawEnd === undefined ? undefined : sign));
      if (begins !== undefined) {
        made.push(line.slice(plain, at));
        const isNote = begins === opens;
        const isRaw = rawEnd !== undefined && begins === sign;
        if (isNote) noted += begins;
        const ends = begins === "[[" ? "]]" : begins;
        this.#open = { end: isNote ? closes : isRaw ? rawEnd : ends, isNote, isRaw, lines: [], row };
        at += begins.length;
        continue;
      }
      const isQuote = quotes.includes(sign);
      if (!unended.includes(sign) && (isQuote || this.#mayBePattern(line, at))) {
        const end = isQuote ? endOfQuote(line, at + 1, sign) : endOfPattern(line, at + 1);
        if (end >= 0) {
          made.push(line.slice(plain, at), this.#numberOf(sign, line.slice(at + 1, end)));
          at = end + 1;
          plain = at;
          continue;
        }
        // The sign is an apostrophe or a division.
        unended += sign;
      }
      at += 1;
    }
    if (this.#open === undefined) made.push(line.slice(plain));
    this.code[row] = made.join("");
    this.notes[row] = noted;
  }

  #beginsLineNote(line: string, at: number): boolean {
    const { lineNote, isNoteAWord, blockNote } = this.#signs;
    // In Lua, one of them begins like the other.
    if (blockNote[0].startsWith(lineNote) && line.startsWith(blockNote[0], at)) return false;
    // PHP has two kinds, and attributes that look like one of them.
    if (this.#language === "php" && line[at] === "#") return line[at + 1] !== "[";
    if (lineNote === "" || !line.startsWith(lineNote, at)) return false;
    return !isNoteAWord || at === 0 || /[\s;&|()]/.test(line[at - 1] ?? "");
  }

  /** Where the line may continue with something other than code, -1 if nowhere. */
  #nextIn(line: string, from: number): number {
    const { begins } = this.#signs;
    begins.lastIndex = from;
    return begins.exec(line)?.index ?? -1;
  }

  #mayBePattern(line: string, at: number): boolean {
    return (
      this.#language === "script" &&
      line[at] === "/" &&
      beforePattern.test(line.slice(Math.max(0, at - 12), at))
    );
  }

  #numberOf(quote: string, text: string): string {
    // Ruby computes what follows a `#` in one of them.
    const isPlain =
      this.#signs.alike && quote !== "`" && !quoted[this.#language === "ruby" ? 1 : 0].test(text);
    const key = `${isPlain ? '"' : quote}${text}`;
    let number = this.#literals.get(key);
    if (number === undefined) {
      number = this.#literals.size;
      this.#literals.set(key, number);
    }
    return `"${number}"`;
  }
}

/** What makes one kind of quotes another literal than the other. */
const quoted = [/["'\\]/, /["'\\#]/] as const;

/** What ends the literal that begins here with a quote, if it may span lines and a backslash in it is one. */
function endOfRaw(language: Language, line: string, at: number): string | undefined {
  // Without signs that are escaped.
  if (language === "shell") return line[at] === "'" ? "'" : undefined;
  if (line[at] !== '"' || (language !== "csharp" && language !== "rust" && language !== "c"))
    return undefined;
  const before = line.slice(Math.max(0, at - 10), at);
  if (language === "c") {
    const [, word] = /^"([^()\\\s"]{0,16})\(/.exec(line.slice(at, at + 20)) ?? [];
    return word === undefined || !/(?<!\w)(?:u8|[uUL])?R$/.test(before) ? undefined : `)${word}"`;
  }
  if (language === "csharp") return /@\$?$/.test(before) ? '"' : undefined;
  const [, signs] = /\bb?r(#{0,8})$/.exec(before) ?? [];
  return signs === undefined ? undefined : `"${signs}`;
}

/** Two quotes stand for one. */
function endOfVerbatim(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 2))
    if (line[at + 1] !== '"') return at;
  return -1;
}

function longAt(long: readonly string[], line: string, at: number): string | undefined {
  for (const quote of long) if (line.startsWith(quote, at)) return quote;
  return undefined;
}

const backslash = "\\".charCodeAt(0);

/** Where the literal ends, -1 if not on this line. A backslash escapes the next character. */
function endOfQuote(line: string, from: number, quote: string): number {
  const end = quote.charCodeAt(0);
  for (let at = from; at < line.length; at++) {
    const sign = line.charCodeAt(at);
    if (sign === backslash) at += 1;
    else if (sign === end) return at;
  }
  return -1;
}

function endOfPattern(line: string, from: number): number {
  let isInClass = false;
  for (let at = from; at < line.length; at++) {
    const sign = line[at];
    if (sign === "\\") at += 1;
    else if (sign === "[") isInClass = true;
    else if (sign === "]") isInClass = false;
    else if (sign === "/" && !isInClass) return at;
  }
  return -1;
}

// Classification of a file by its name alone, as far as the risk rules need it: how strings and comments are written,
// and whether it is a test.

export type Language =
  | "script"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "c"
  | "csharp"
  | "swift"
  | "php"
  | "ruby"
  | "elixir"
  | "erlang"
  | "clojure"
  | "haskell"
  | "lua"
  | "dart"
  | "style"
  | "shell"
  | "make"
  | "toml"
  | "hash"
  | "data"
  | "xml"
  | "prose"
  | "other";

const extensions: Readonly<Record<string, Language>> = {
  ...named("script", "js cjs mjs jsx ts cts mts tsx vue svelte"),
  ...named("python", "py pyi pyw"),
  go: "go",
  rs: "rust",
  ...named("java", "java kt kts scala sbt groovy gradle"),
  ...named("c", "c h cc cpp cxx c++ hpp hh hxx inl ipp m mm cu ino"),
  cs: "csharp",
  toml: "toml",
  swift: "swift",
  dart: "dart",
  hs: "haskell",
  ...named("elixir", "ex exs"),
  ...named("erlang", "erl hrl"),
  ...named("clojure", "clj cljs cljc edn"),
  ...named("lua", "lua rockspec"),
  ...named("php", "php phpt phtml"),
  ...named("ruby", "rb rake gemspec podspec ru"),
  ...named("style", "css scss less"),
  ...named("shell", "sh bash zsh ksh bats"),
  ...named("make", "mk mak"),
  ...named("hash", "yml yaml fish cfg ini conf properties tf nix r pl cmake bazel bzl"),
  ...named("data", "json jsonc json5 lock sum csv html svg"),
  ...named("xml", "xml csproj fsproj vbproj proj props targets nuspec resx xaml plist"),
  ...named("prose", "md mdx markdown txt rst adoc tex"),
};

function named(language: Language, endings: string): Record<string, Language> {
  return Object.fromEntries(endings.split(" ").map((ending) => [ending, language]));
}

/** `#!/usr/bin/env bash`, at the beginning of a file whose name does not tell. */
const interpreter = /^#![^\n]{0,80}[/ ](bash|dash|ksh|zsh|sh|python|ruby|node|php|lua)[\d.]{0,5}(?=\s)/;
const interpreted: Readonly<Record<string, Language>> = {
  ...{ python: "python", ruby: "ruby", node: "script", php: "php", lua: "lua" },
};

/** `text`: of the file, for one whose name has no ending. */
export function languageOf(path: string, text = ""): Language {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  if (/^(?:gemfile|rakefile|podfile|fastfile|brewfile|guardfile|vagrantfile|capfile)$/.test(name))
    return "ruby";
  if (/^(?:jenkinsfile)$/.test(name)) return "java";
  if (/^(?:gnu|bsd)?makefile$/.test(name)) return "make";
  if (/^(?:(?:docker|container)file|justfile|cmakelists\.txt)$/.test(name)) return "hash";
  if (name === "rebar.config") return "erlang";
  if (/^(?:gradlew|configure|\.(?:bash|zsh)(?:rc|_profile)|\.envrc)$/.test(name)) return "shell";
  if (dot <= 0) {
    if (/^\.(?:editorconfig|gitignore|gitattributes|dockerignore)$/.test(name)) return "hash";
    const [, program] = interpreter.exec(text) ?? [];
    return program === undefined ? "other" : (interpreted[program] ?? "shell");
  }
  return extensions[name.slice(dot + 1)] ?? "other";
}

const programs: ReadonlySet<Language> = new Set([
  ...(["script", "python", "go", "rust", "java", "c", "csharp", "swift", "php", "ruby"] as const),
  ...(["elixir", "erlang", "clojure", "haskell", "lua", "dart"] as const),
]);

/** Whether the language is executable rather than data or text. */
export const isProgram = (language: Language): boolean => programs.has(language);

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|test-d|type-?tests?|test[-_]?suites?|tests?[-_](?:tap|e2e|integration|unit|functional|node|browser|cases?)|(?:unit|functional|acceptance)[-_]?tests?|specs?|e2e|cypress|testing|integration[-_]tests?|androidtest|[\w.]{1,80}\.(?:\w{0,20}tests?|specs?))\//i;
/** Source sets of Gradle: `commonTest`, `integrationTests`. */
const sourceSet = /(?:^|\/)[a-z][A-Za-z]{0,30}Tests?\//;
const testName =
  /(?:^(?:packages\/[^/]+\/)?tests?\.[cm]?[jt]sx?|[._-](?:tests?|test-d|tst|spec|e2e|cy|suite)\.[cm]?[jt]sx?|(?:^|\/)tests?(?:_[^/]*)?\.(?:py|rs|c|cc|cpp|cxx|php|sh)|(?:_|-)(?:unit)?tests?\.(?:py|go|rs|rb|exs|c|cc|cpp|cxx|mm?|php|swift|dart)|(?:_spec|^spec_helper)\.rb|_SUITE\.erl|_(?:test|spec)\.(?:clj[cs]?|lua)|(?:Spec|Tests?)\.hs|(?:Tests?|IT|TestCase|Specs?|Suite|Cest)\.(?:java|kt|scala|groovy|cs|swift|php|c|cc|cpp|cxx|mm?)|\.(?:bats|phpt))$/;

/** What Gradle, Maven and sbt build: a `PropertySpec.kt` in it specifies a property. */
const mainSet = /(?:^|\/)src\/(?:main|[a-z]\w{0,30}Main)\//;

/** Whether the name of a file itself says that it is a test. */
export const isTestName = (path: string): boolean => testName.test(path) && !mainSet.test(path);

export const isTestPath = (path: string): boolean =>
  testFolder.test(path) || isTestName(path) || sourceSet.test(path);

/** Whether indentation has a meaning. */
export const isIndented = (language: Language): boolean =>
  ["python", "haskell", "make", "hash", "other", "prose"].includes(language);

/** Whether blanks between words and signs have a meaning, not only whether there are any. */
export const isSpaced = (language: Language): boolean =>
  ["shell", "make", "haskell", "clojure", "hash", "other"].includes(language);
