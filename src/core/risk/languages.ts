// What kind of file a path names, as far as the rules of risk need to know: how its strings and comments are written, and
// whether it is a test. By the name alone.

export type Language =
  | "script"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "ruby"
  | "style"
  | "hash"
  | "data"
  | "prose"
  | "other";

const extensions: Readonly<Record<string, Language>> = {
  ...named("script", "js cjs mjs jsx ts cts mts tsx vue svelte"),
  ...named("python", "py pyi pyw"),
  go: "go",
  rs: "rust",
  ...named("java", "java kt kts scala cs swift c h cc cpp cxx hpp hh m mm php dart groovy gradle"),
  rb: "ruby",
  ...named("style", "css scss less"),
  ...named("hash", "yml yaml toml sh bash zsh fish mk cfg ini conf properties tf nix r pl ex exs"),
  ...named("data", "json jsonc json5 lock sum csv xml html svg"),
  ...named("prose", "md mdx markdown txt rst adoc tex"),
};

function named(language: Language, endings: string): Record<string, Language> {
  return Object.fromEntries(endings.split(" ").map((ending) => [ending, language]));
}

export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  if (/^(?:gemfile|rakefile)$/.test(name)) return "ruby";
  if (dot <= 0) return /^(?:makefile|dockerfile|gnumakefile|justfile)$/.test(name) ? "hash" : "other";
  return extensions[name.slice(dot + 1)] ?? "other";
}

const programs: ReadonlySet<Language> = new Set(["script", "python", "go", "rust", "java", "ruby"]);

/** Something that runs, rather than data or words. */
export const isProgram = (language: Language): boolean => programs.has(language);

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|testing|integration[-_]tests?|androidtest)\//i;
const testName =
  /(?:[._-](?:tests?|spec|e2e|cy|suite)\.[cm]?[jt]sx?|(?:^|\/)tests?(?:_[^/]*)?\.py|_tests?\.(?:py|go|rs|rb|exs)|_spec\.rb|(?:Tests?|IT|TestCase|Spec)\.(?:java|kt|scala|cs|swift|php))$/;

export const isTestPath = (path: string): boolean => testFolder.test(path) || testName.test(path);

/** Where the white space before a line means something. */
export const isIndented = (language: Language): boolean =>
  language === "python" || language === "hash" || language === "other" || language === "prose";
