// Classifies a change to a config file: dependencies, or what runs, builds and checks. Decided by the file's name and,
// in a manifest, by the section of the change.
import { protectionOf } from "../../patch/paths.ts";
import { isNote, isTorn, rowsOf } from "./comments.ts";
import { isFormat } from "./format-only.ts";
import type { Hunk, Side } from "./hunk.ts";
import {
  argumentSections,
  isBracket,
  jsonSections,
  sectionsAt,
  settingSections,
  tomlSections,
  xmlSections,
  yamlSections,
} from "./manifest-sections.ts";

type ConfigChange = "dependency" | "executable-config";

/** These need confirmation for other reasons and run nothing. */
const runsNothing = new Set(["cautionKey", "cautionSecrets", "cautionSettings"]);
const packages = new Set(["cautionPackages"]);

const packageList =
  /(?:^|\/)(?:requirements\/[^/]+\.txt|go\.(?:mod|work)|pipfile|environment[^/]*\.ya?ml|gemfile|gems\.rb|cpanfile|cartfile[^/]*|conanfile\.txt|vcpkg\.json|deps\.edn|packages\.config|directory\.packages\.props|libs\.versions\.toml|pnpm-workspace\.ya?ml)$/;
/** `dev-requirements.txt` and similar names. */
const isPipList = (path: string): boolean =>
  path.endsWith(".txt") && /requirements|constraints/.test(path.slice(path.lastIndexOf("/") + 1));
const workflow = /(?:^|\/)(?:\.github\/|\.gitlab|\.circleci\/)/;
/** Code shared by tests, which a tool runs like the tests. */
const sharedTests = /(?:^|\/)(?:conftest\.py|setup[._-]?tests?\.[cm]?[jt]sx?)$/;

/**
 * Determined by the name alone, once for all changes to a file: the kind of its changes, or a manifest, where it
 * depends on the place.
 */
export type ConfigFile = ConfigChange | Manifest;

/** Which sections of a manifest mean what. The first match counts. */
interface Manifest {
  readonly file: RegExp;
  /** The sections of the lines that change. */
  readonly sectionsOf: (hunk: Hunk) => readonly string[];
  readonly dependency: RegExp;
  /** Entries that run nothing, such as a name or a version. */
  readonly plain: RegExp;
  /** What is a dependency and runs when something is built, too. */
  readonly both?: { test(section: string): boolean };
  /** What stands in comments may run as well. */
  readonly runsNotes?: boolean;
}

const plainOfProject =
  /^(?:<(?:Version(?:Prefix|Suffix)?|AssemblyVersion|FileVersion|Description|Authors|Copyright|Company|Product|Title|Package(?!Reference|Version)\w+|Repository\w+)>[^<>$]*<\/\w+>|<(?:Compile|Content|EmbeddedResource|None)(?: \w+="[^"$@]*"){1,4} ?\/>)?$/i;

const manifests: readonly Manifest[] = [
  {
    file: /(?:^|\/)(?:package\.json5?|composer\.json|deno\.jsonc?|jsr\.json)$/,
    sectionsOf: (hunk) => sectionsAt(hunk, jsonSections),
    dependency:
      /^(?:\w*dependencies\w*|overrides|resolutions|require|require-dev|imports|catalogs?|packageManager|engines|volta)$/i,
    plain:
      /^(?:name|version|description|keywords|author|authors|contributors|license|homepage|bugs|repository|funding|private|files|sideEffects|contributes|displayName|categories|publisher|icon|type|types|typings|support)$/,
  },
  {
    file: /(?:^|\/)cargo\.toml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, tomlSections),
    dependency: /dependencies|^patch\b|^replace\b/,
    plain:
      /^(?:package|workspace\.package)\.(?!build\b|links\b|metadata\b(?!\.docs\.rs\b))|^lints\b|^workspace\.lints\b|^(?:lib|bin|bench|test|example)\.(?:name|bench|test|doc|doctest|required-features|)$/,
  },
  {
    file: /(?:^|\/)(?:pyproject|uv|poetry|pixi)\.toml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, tomlSections),
    dependency:
      /dependencies|^dependency-groups\b|^build-system\.requires$|^project\.requires-python|^tool\.(?:uv|pdm|poetry)\.(?:sources?|index|overrides?)\b/,
    both: /^build-system\./,
    plain:
      /^project\.(?:name|version|description|readme|license|authors|maintainers|keywords|classifiers)|^project\.urls|^tool\.poetry\.(?:name|version|description|authors)|^tool\.(?:ruff|black|isort|codespell|pyright)\b/,
  },
  {
    file: /(?:^|\/)setup\.(?:py|cfg)$/,
    sectionsOf: (hunk) => sectionsAt(hunk, /\.py$/i.test(hunk.path) ? argumentSections : settingSections),
    dependency: /^\w*requires?$|^requirements$|^\w*dependencies$/i,
    plain:
      /^(?:name|version|description|long_description\w*|author\w*|maintainer\w*|license\w*|url|project_urls|download_url|keywords|classifiers|platforms)$/,
  },
  {
    file: /(?:^|\/)pom\.xml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, xmlSections),
    dependency:
      /(?:^|\.)(?:dependency|parent|extension)(?:\.|$)|(?:^|\.)plugin\.version$|(?:^|\.)properties\.[\w.-]{0,80}version$/,
    plain:
      /^project(?:\.(?:(?:name|version|description|url|inceptionyear|groupid|artifactid|modelversion)|(?:licenses|developers|contributors|issuemanagement|cimanagement|organization|mailinglists)(?:\..*)?))?$/,
  },
  {
    file: /(?:^|\/)(?:[^/]*\.(?:csproj|fsproj|vbproj|props))$/,
    sectionsOf: lineByLine,
    dependency:
      /<(?:packagereference|packageversion|globalpackagereference)\b|^<(?:reference|hintpath)\b[^$]*$/i,
    // Another element beside it, or a property that is more than named.
    both: /<(?!\/|!--|(?:PackageReference|PackageVersion|GlobalPackageReference|Reference|HintPath|ItemGroup|Version|PrivateAssets|IncludeAssets|ExcludeAssets)(?![\w:.-]))|\$\((?![\w-]{1,100}\))|\$\[/i,
    plain: plainOfProject,
  },
  {
    file: /(?:^|\/)(?:rakefile|[^/]*\.(?:gradle|gradle\.kts|gemspec|podspec|cabal)|mix\.exs|podfile|package\.swift|pubspec\.yaml)$/,
    sectionsOf: lineByLine,
    dependency:
      /^(?:"[^"]*"|\w*)?(?:implementation|compileonly|runtimeonly|api|kapt|ksp|annotationprocessor|classpath|testcompile|androidtestcompile|compile|testruntime)\b[ (]+(?:\w+\()?['"(a-z]|\.package\(|\badd_(?:\w+_)?dependency\b|\{:\w+,\s*"|^pod[ \t]+['"]|^(?:dev_)?dependencies:|['"][\w-]+\s*[=<>~]=[\d.]+['"]|^['"][\w.-]+:[\w.-]+:[\w.$+-]+['"],?$/i,
    both: { test: computesMore },
    plain:
      /^(?:[\w.]{0,40}\.)?(?:version|name|summary|description|authors?|email|homepage|license[s]?)[ \t]*=[ \t]*(?:"[^"#$`]*"|'[^']*')$/,
  },
  {
    file: /(?:^|\/)\.rubocop[\w.-]*\.yml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, yamlSections),
    dependency: /(?!)/,
    plain: /^(?!$|require$|plugins$|inherit_)/,
    runsNotes: true,
  },
];

/** Each line of code that changes by itself; where only a mark at the beginning of the file goes, the line says the same. */
function lineByLine({ before, after, language }: Hunk): readonly string[] {
  // Where comments are read, a number sign begins none.
  const note = language === "java" || language === "swift" ? /(?!)/ : /^#|^<!--[^<>]*-->$/;
  const [now, old] = [linesIn(after, note), linesIn(before, note)];
  const changed = [...now, ...old].filter(
    (line) => !(now.has(line) && old.has(line)) && !isBracket(line) && !note.test(line),
  );
  return isTorn({ before, after }, language) ? [...changed, ""] : changed;
}

/** Lines of code, with those of a literal that spans several. */
function linesIn({ source: { lines, code, notes }, at }: Side, note: RegExp): ReadonlySet<string> {
  const told = rowsOf(at)
    .filter((row) => (code[row] ?? "").trim() !== "" || (notes[row] ?? "").trim() === "")
    .map((row) => (lines[row] ?? "").replace(/^\ufeff/, "").trim());
  return new Set(told.filter((line) => !note.test(line)));
}

export function configFileOf(given: string): ConfigFile | undefined {
  const path = given.normalize("NFKC").toLowerCase();
  const reasons = protectionOf(path).map(({ code }) => code);
  if (reasons.some((code) => packages.has(code)) || packageList.test(path) || isPipList(path))
    return "dependency";
  if (sharedTests.test(path) || (reasons.length > 0 && reasons.every((code) => runsNothing.has(code))))
    return undefined;
  if (reasons.length === 0 && !workflow.test(path)) return undefined;
  return manifests.find(({ file }) => file.test(path)) ?? "executable-config";
}

export function configChanges(hunk: Hunk): readonly ConfigChange[] {
  const { config } = hunk;
  if (config === undefined) return [];
  const runsNotes = typeof config !== "string" && config.runsNotes === true;
  // Other quotes around the name of a package, or another comment beside it, depend on nothing else.
  if (!runsNotes && (isNote(hunk, hunk.language) || isFormat(hunk))) return [];
  if (config === "dependency" && isSameList(hunk)) return [];
  if (typeof config === "string") return [config];
  const { dependency, both, plain, sectionsOf } = config;
  const found = sectionsOf(hunk).flatMap((section): readonly ConfigChange[] => {
    if (dependency.test(section))
      return both?.test(section) ? ["dependency", "executable-config"] : ["dependency"];
    return plain.test(section) ? [] : ["executable-config"];
  });
  return [...new Set(found)];
}

/** Whether a line that names a package does more than that: whether it calls something else or goes on after it. */
function computesMore(line: string): boolean {
  if (line.length > 500) return true;
  const bare = line
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\\./g, (piece) => (isComputed(piece) ? "`" : '""'))
    .replace(/\s(?:#|\/\/)[^{}`]*$/, "");
  const [head = ""] = declares.exec(bare) ?? [];
  const rest = bare.slice(head.length);
  // A block may follow whose lines count by themselves.
  const inner = rest.replace(/(\)|"")\s*\{$/, "$1").replace(/\}[\]}, ]*$/, head.startsWith("{") ? "" : "$&");
  if (/[;`{}|&$%#\\]/.test(inner)) return true;
  const called = inner.matchAll(/([\w.]{1,80}|"")\s*\(/g);
  if ([...called].some(([, name = ""]) => !namesPackage.test(name))) return true;
  // One word after another is a call, too.
  return /[\w)\]"][ \t]+[\w":[]|\w""/.test(inner);
}

/** Code in a literal, or no literal at all. A name alone is read, and nothing is called. */
const isComputed = (piece: string): boolean =>
  piece.startsWith("\\") || (piece.startsWith('"') && /\\\(|#\{|\$\{(?![\w.]{0,100}\})|\$\(/.test(piece));

/** What a line begins with that names a package. */
const declares =
  /^(?:\{:\w+,|(?:dev_)?dependencies:|pod\b[ \t(]*|\.package\(|(?:[\w.]{1,40}\.)?add_(?:\w+_)?dependency\b[ \t(]*|(?:""|\w*)?(?:implementation|compileonly|runtimeonly|api|kapt|ksp|annotationprocessor|classpath|testcompile|androidtestcompile|compile|testruntime)\b[ \t(]+)/i;
const namesPackage =
  /^(?:(?:enforced)?platform|project|kotlin|testFixtures|files|fileTree|npm|gradleApi|localGroovy|gradleTestKit|\.?(?:package|product|upToNextMajor|upToNextMinor|exact|branch|revision))$/i;

/** Whether lists of packages differ in comments alone. */
function isSameList({ path, removed, added }: Hunk): boolean {
  if (!path.toLowerCase().endsWith(".txt") || removed === "" || added === "") return false;
  const bare = (text: string) =>
    text
      .split("\n")
      .map((line) => line.replace(/(?<![^ \t])#.*/, "").trimEnd())
      .join("\n");
  return bare(removed) === bare(added);
}
