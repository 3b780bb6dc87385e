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
  sectionsIn,
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
/** Of what stands in `.github`, templates, labels and data run nothing. */
const runsInGithub =
  /(?:^|\/)\.github\/(?:workflows\/[^/]+\.ya?ml|(?:actions|hooks|agents|skills)\/.*|(?:dependabot|renovate)\b[^/]*|.*\.(?:[cm]?[jt]s|sh|bash|py|rb|pl|php|ps1))$/;
const ofBuildService: ReadonlySet<string> = new Set(["cautionBuildService"]);
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
      /^(?:name|version|description|keywords|author|authors|contributors|license|homepage|bugs|repository|funding|private|files|sideEffects|contributes|main|module|browser|exports|bin|man|typesVersions|unpkg|jsdelivr|displayName|categories|publisher|icon|type|types|typings|support)$/,
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
    dependency: /^[\w-]*requires?(?:-dist)?$|^requirements$|^\w*dependencies$/i,
    plain:
      /^(?:name|version|description|long_description\w*|summary|description[-_]\w+|home[-_]page|classifier|author[\w-]*|maintainer[\w-]*|license[\w-]*|url|project_urls|download_url|keywords|classifiers|platforms)$/,
  },
  {
    file: /(?:^|\/)pom\.xml$/,
    sectionsOf: sectionsOfPom,
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
      /^(?:"[^"]*"|\w*)?(?:implementation|compileonly|runtimeonly|api|kapt|ksp|annotationprocessor|classpath|testcompile|androidtestcompile|compile|testruntime)\b[ (]+(?:\w+\()?['"(a-z]|\.package\(|\badd_(?:\w+_)?dependency\b|\{:\w+,\s*"|^pod[ \t]+['"]|^(?:dev_)?dependencies:|^exclude[ (]+(?:group|module)\b|['"][\w-]+\s*[=<>~]=[\d.]+['"]|^['"][\w.-]+:[\w.-]+:[\w.$+-]+['"],?$/i,
    both: { test: computesMore },
    plain:
      /^(?:[\w.]{0,40}\.)?(?:version|name|summary|description|authors?|email|homepage|license[s]?)[ \t]*=[ \t]*(?:"[^"#$`]*"|'[^']*')$|^(?:is)?(?:transitive|force|changing)[ \t]*=[ \t]*(?:true|false)$/i,
  },
  {
    file: /(?:^|\/)\.rubocop[\w.-]*\.yml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, yamlSections),
    dependency: /(?!)/,
    plain: /^(?!$|require$|plugins$|inherit_)/,
    runsNotes: true,
  },
  {
    // Settings of a linter that are data. What is loaded with it is named by a key.
    file: /(?:^|\/)(?:\.(?:eslintrc|stylelintrc|prettierrc|oxlintrc|markdownlint(?:-cli2)?|commitlintrc|swiftlint|golangci|haml-lint|erb-lint|editorconfig)(?:\.jsonc?|\.json5|\.ya?ml|\.toml)?|\.flake8|\.?ruff\.toml|\.isort\.cfg|\.?pylintrc|\.?mypy\.ini|pyrightconfig\.json|tslint\.json|biome\.jsonc?|\.?dprint\.jsonc?|detekt[\w.-]*\.ya?ml|phpstan[\w.-]*\.neon[\w.-]*)$/,
    sectionsOf: settingsOfLinter,
    dependency: /(?!)/,
    plain: /^set$/,
  },
];

/** The version of a parent from the same repository is that of the project: it has no other one, or is not released. */
function sectionsOfPom(hunk: Hunk): readonly string[] {
  const found = sectionsAt(hunk, xmlSections);
  const version = "project.parent.version";
  if (!found.includes(version)) return found;
  const isOwn =
    /-SNAPSHOT\s*</.test(`${hunk.removed}${hunk.added}`) ||
    !sectionsIn(hunk.after.source, xmlSections).some((own) => own.includes("project.version"));
  return isOwn ? found.map((section) => (section === version ? "project.version" : section)) : found;
}

/** Keys of linters that load or start something. */
const loads =
  /plugin|extend|load|hook|parser|processor|preset|require|import|custom|inherit|bootstrap|include|command|exec|script|module|path|exclude[^\n$]{0,200}\$\(|<%/i;

function settingsOfLinter(hunk: Hunk): readonly string[] {
  const { source } = hunk.after;
  const isJson = source.lines.some((line) => /^\s*\{\s*/.test(line));
  const read = isJson ? jsonSections : /\.ya?ml$|rc$/i.test(hunk.path) ? yamlSections : settingSections;
  const keys = sectionsAt(hunk, read);
  const text = `${hunk.removed}\n${hunk.added}`;
  const isUnknown = read !== settingSections && keys.includes("");
  return isUnknown || loads.test(text) || keys.some((key) => loads.test(key)) ? [""] : ["set"];
}

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
  if (reasons.every((code) => ofBuildService.has(code))) {
    if (/\.(?:md|mdx|txt|rst)$/.test(path)) return undefined;
    if (/(?:^|\/)\.github\//.test(path) && !runsInGithub.test(path)) return undefined;
  }
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
  const rest = bare.slice(head.length).replace(modest, "");
  // A block may follow whose lines count by themselves.
  const inner = rest.replace(/(\)|"")\s*\{$/, "$1").replace(/\}[\]}, ]*$/, head.startsWith("{") ? "" : "$&");
  if (/[;`{}|&$%#\\]/.test(inner)) return true;
  const called = inner.matchAll(/([\w.]{1,80}|"")\s*\(/g);
  if ([...called].some(([, name = ""]) => !namesPackage.test(name))) return true;
  // One word after another is a call, too.
  return /[\w)\]"][ \t]+[\w":[]|\w""/.test(inner);
}

/** Behind a package: what it brings along is left out, or a version of Ruby needs it. Nothing of it is called. */
const modest = new RegExp(
  [
    String.raw`(?<=[)"][ \t]{0,4})\{\s*(?:(?:is)?(?:[tT]ransitive|[fF]orce|[cC]hanging)[ \t]*=[ \t]*(?:true|false)|because[ (]+""\)?|exclude[ (]+(?:(?:group|module)[ \t]*[:=][ \t]*""[, \t]*){1,2}\)?)[;\s]*\}$`,
    String.raw`[ \t](?:if|unless)[ \t]+(?:[A-Z][A-Z_]{2,40}|Gem::Version\.new\((?:[A-Z_]{1,40}|"")\)|ENV\[""\]|defined\?\([A-Z_]{1,40}\))(?:[ \t]*[<>=!~]{1,2}[ \t]*(?:""|[A-Z][A-Z_]{2,40}|Gem::Version\.new\((?:[A-Z_]{1,40}|"")\)))?$`,
  ].join("|"),
);

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
