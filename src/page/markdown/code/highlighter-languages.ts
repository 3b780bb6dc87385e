// The languages of code blocks: their display names, and the highlighter. It is a separate script with the ten most
// common languages, loaded with the first code block; the others are a second script, loaded when the first of them
// appears.

import { type Highlighter, loadScript } from "../scripts/renderers.ts";
import type { Colouring } from "./colours.ts";

/**
 * Display names by the words that follow a fence. A separate table instead of the highlighter's, so that a block is
 * named immediately and consistently, whether the highlighter is loaded or not.
 */
const wordsOf: Readonly<Record<string, string>> = {
  Bash: "bash sh zsh",
  C: "c h",
  "C#": "csharp cs",
  "C++": "cpp cc cxx hpp hxx",
  CMake: "cmake",
  CSS: "css",
  Clojure: "clojure clj edn",
  Dart: "dart",
  Diff: "diff patch",
  Dockerfile: "dockerfile docker",
  Elixir: "elixir ex exs",
  Erlang: "erlang erl",
  "F#": "fsharp fs",
  Go: "go golang",
  Gradle: "gradle",
  GraphQL: "graphql gql",
  Groovy: "groovy",
  HTML: "html xhtml",
  HTTP: "http",
  Haskell: "haskell hs",
  INI: "ini",
  JSON: "json jsonc json5",
  Java: "java jsp",
  JavaScript: "javascript js jsx mjs cjs",
  Julia: "julia",
  Kotlin: "kotlin kt kts",
  LaTeX: "latex tex",
  Less: "less",
  Lua: "lua",
  Makefile: "makefile make mk",
  Markdown: "markdown md",
  MATLAB: "matlab",
  Mermaid: "mermaid",
  nginx: "nginx nginxconf",
  OCaml: "ocaml ml",
  "Objective-C": "objectivec objc",
  PHP: "php",
  Perl: "perl pl",
  PowerShell: "powershell pwsh ps1",
  "Protocol Buffers": "protobuf proto",
  Python: "python py",
  R: "r",
  Ruby: "ruby rb",
  Rust: "rust rs",
  SCSS: "scss",
  SQL: "sql",
  SVG: "svg",
  Scala: "scala",
  Shell: "shell console shellsession",
  Svelte: "svelte",
  Swift: "swift",
  TOML: "toml",
  TypeScript: "typescript ts tsx mts",
  "Vim script": "vim",
  "Visual Basic": "vbnet",
  Vue: "vue",
  WebAssembly: "wasm",
  XML: "xml xsl xsd rss atom plist",
  YAML: "yaml yml",
  Zig: "zig",
};

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(wordsOf).flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const)),
);

/** Returns undefined for a word that is not in the table. */
export const knownLanguage = (word: string): string | undefined => names.get(word);

const languageName = (word: string): string => names.get(word) ?? word;

/** Words after a fence that the highlighter knows by another name. VS Code's own names differ from some of these. */
const highlighterNames: ReadonlyMap<string, string> = new Map([
  ["c++", "cpp"],
  ["c#", "csharp"],
  ["f#", "fsharp"],
  ["objective-c", "objectivec"],
  ["cts", "typescript"],
  ["jsonl", "json"],
  ["shell-session", "shell"],
  ["terminal", "shell"],
  ["vb", "vbnet"],
]);

/** Unsupported languages that are similar enough to a supported one. */
const relatives: ReadonlyMap<string, string> = new Map([
  ["vue", "xml"],
  ["svelte", "xml"],
  ["zig", "rust"],
]);

/** Words that mean plain text. */
const none = new Set(["", "text", "txt", "plain", "plaintext", "none", "output", "log", "ascii"]);
/** Languages that are not coloured. */
const plain = new Set([...none, "mermaid"]);

export const hasColours = (language: string): boolean => !plain.has(language);

/** The first word after the fence, normalized. */
export function languageOf(info: string): string {
  const word = /^[^\s{,:;]{1,40}/.exec(info)?.[0].toLowerCase() ?? "";
  return highlighterNames.get(word) ?? word;
}

/** The display name of the language. */
export const languageTitle = (language: string): string | undefined =>
  none.has(language) ? undefined : languageName(language);

/** Returns the colouring of this language once it is loaded; undefined if the language is unknown. */
export async function findColouring(language: string): Promise<Colouring | undefined> {
  const name = relatives.get(language) ?? language;
  if (plain.has(name)) return undefined;
  const highlighter = await loadHighlighter();
  if (!highlighter.knows(name)) {
    if (globalThis.patchbayLanguages === undefined) await loadScript("languages");
    highlighter.learn(globalThis.patchbayLanguages ?? {});
  }
  return highlighter.knows(name) ? (code) => highlighter.colour(code, name) : undefined;
}

async function loadHighlighter(): Promise<Highlighter> {
  if (globalThis.patchbayHighlighter === undefined) await loadScript("highlight");
  const { patchbayHighlighter: loaded } = globalThis;
  if (loaded === undefined) throw new Error("highlight.js brought no highlighter.");
  return loaded;
}
