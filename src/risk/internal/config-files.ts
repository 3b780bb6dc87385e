// Classifies a change to a config file: dependencies, or what runs, builds and checks. Decided by the file's name and,
// in a manifest, by the section of the change.
import { protectionOf } from "../../patch/paths.ts";
import { isFormat } from "./format-only.ts";
import type { Hunk, Side } from "./hunk.ts";
import type { Language, Source } from "./source.ts";

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
  const note = language === "java" ? /(?!)/ : /^#|^<!--[^<>]*-->$/;
  const [now, old] = [linesIn(after, note), linesIn(before, note)];
  const changed = [...now, ...old].filter(
    (line) => !(now.has(line) && old.has(line)) && !isBracket(line) && !note.test(line),
  );
  return [before, after].some((side) => isTorn(side, language)) ? [...changed, ""] : changed;
}

/** Lines of code, with those of a literal that spans several. */
function linesIn({ source: { lines, code, notes }, at }: Side, note: RegExp): ReadonlySet<string> {
  const told = rowsOf(at)
    .filter((row) => (code[row] ?? "").trim() !== "" || (notes[row] ?? "").trim() === "")
    .map((row) => (lines[row] ?? "").replace(/^\ufeff/, "").trim());
  return new Set(told.filter((line) => !note.test(line)));
}

const rowsOf = ({ first, last }: Side["at"]): readonly number[] =>
  Array.from({ length: last - first }, (_, row) => first + row);

/**
 * Whether a line opens a comment that others close, or the other way round: what stands between them runs, or no longer
 * does, though none of it changes.
 */
function isTorn({ source: { lines, isInside }, at }: Side, language: Language): boolean {
  const signs = blockSigns[language];
  if (signs === undefined) return false;
  return rowsOf(at).some((row) => {
    const line = lines[row] ?? "";
    const isOpen = isInside[row] === 1;
    if (row + 1 < lines.length && isOpen !== (isInside[row + 1] === 1)) return true;
    if (line.search(signs) < 0) return false;
    // Some languages nest comments, so those within another one count as well.
    const bare =
      isOpen || line.length > 2000 || language !== "java" ? line : line.replace(literalsOrNote, "");
    const found = bare.match(signs) ?? [];
    return found.filter((sign) => sign === "/*" || sign === "<!--").length * 2 !== found.length;
  });
}

const blockSigns: Readonly<Partial<Record<Language, RegExp>>> = { java: /\/\*|\*\//g, other: /<!--|-->/g };
const literalsOrNote = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\\.|\/\/.*/g;

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
  // Other quotes around the name of a package, or another comment beside it, depend on nothing else.
  if (config === "dependency" && (isFormat(hunk) || isSameList(hunk))) return [];
  if (typeof config === "string") return [config];
  const { dependency, both, plain, sectionsOf, runsNotes = false } = config;
  if (!runsNotes && isNote(hunk)) return [];
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

/** Whether only comments change, and none of them begins or ends elsewhere. */
function isNote({ before, after, language }: Hunk): boolean {
  const sides = [before, after];
  const rows = sides.flatMap(({ source: { code, lines, notes }, at }) =>
    rowsOf(at).map((row) => ({ code: code[row] ?? "", line: lines[row] ?? "", note: notes[row] ?? "" })),
  );
  return (
    rows.every(({ code, line, note }) => code.trim() === "" && (note !== "" || line.trim() === "")) &&
    rows.some(({ note }) => note !== "") &&
    !sides.some((side) => isTorn(side, language))
  );
}

/** The sections that each line of a file belongs to, once for all its changes. */
type LineSections = readonly (readonly string[])[];
const sections = new WeakMap<Source, LineSections>();

/** Brackets alone belong to the section around them, whichever that is. */
const isBracket = (line: string): boolean => /^[\s{}[\](),]*$/.test(line);

function sectionsAt({ before, after }: Hunk, read: (source: Source) => LineSections): readonly string[] {
  const found = [before, after].flatMap(({ source, at }) => {
    const known = sections.get(source) ?? read(source);
    sections.set(source, known);
    return rowsOf(at)
      .filter((row) => !isBracket(source.lines[row] ?? ""))
      .flatMap((row) => known[row] ?? "");
  });
  return [...new Set(found)];
}

/** The setting of each line: the key at its beginning, or that of a line above. */
function settingSections({ lines }: Pick<Source, "lines">): LineSections {
  let section = "";
  return lines.map((line) => {
    section = /^[ \t]*(\w{1,60})[ \t]*=(?!=)/.exec(line)?.[1] ?? section;
    if (/^\S/.test(line) && !/^[)\]}]|^\w{1,60}[ \t]*=/.test(line)) section = "";
    return [section];
  });
}

/** The same for arguments of a call. A line with more than a value also belongs to no section. */
function argumentSections(source: Source): LineSections {
  const { code } = source;
  return settingSections(source).map((own, row) => {
    const line = code[row] ?? "";
    const value = line.replace(/^[ \t]*\w{1,60}[ \t]*=(?!=)/, "");
    // Python calls what precedes a bracket, even from the line above.
    const goesOn = value === line && /^\s*\(/.test(line);
    return goesOn || computes.test(value) ? [...own, ""] : own;
  });
}

/** Another argument, a call, or code in a literal. */
const computes = /[=;@]|[\w\])"]\s*\(|\b(?:[fF][rR]?|[rR][fF])"|\b(?:lambda|for|import)\b/;

/** A string or a key, and what opens or closes; what is never closed ends with its line. */
const jsonTokens =
  /"((?:[^"\\]|\\.)*)"?(\s*:)?|'((?:[^'\\]|\\.)*)'?(\s*:)?|([\w$-]+)(\s*:)?|\/\/.*|\/\*|[{}[\]]/g;

/** The top-level keys that each line belongs to; none for a comment. */
function jsonSections({ lines }: Source): LineSections {
  let [depth, section] = [0, ""];
  /** The line in which a comment has begun that is not closed yet. */
  let note: number | undefined;
  /** Of a part of a file, the outermost brace may be missing. */
  let outermost: number | undefined;
  const read = lines.map((line, row): readonly string[] => {
    const found = new Set<string>();
    const isInside = note !== undefined;
    for (let at = 0; at < line.length; ) {
      if (note !== undefined) {
        const end = line.indexOf("*/", at);
        if (end < 0) break;
        note = undefined;
        at = end + 2;
      }
      jsonTokens.lastIndex = at;
      const [token, quoted, colon, single, singleColon, bare, bareColon] = jsonTokens.exec(line) ?? [];
      if (token === undefined || token.startsWith("//")) break;
      at = jsonTokens.lastIndex;
      if (token === "/*") {
        note = row;
        continue;
      }
      outermost ??= token === "{" ? 1 : 0;
      if (token === "{" || token === "[") depth += 1;
      else if (token === "}" || token === "]") depth = Math.max(0, depth - 1);
      else {
        const isKey = depth === outermost && (colon ?? singleColon ?? bareColon) !== undefined;
        if (isKey) section = quoted ?? single ?? bare ?? "";
        found.add(section);
      }
    }
    // Without this line, what a comment hides would be another part of the file.
    if (isInside !== (note !== undefined)) found.add("");
    return [...found];
  });
  // What hides behind a comment that never ends belongs to no section.
  return note === undefined ? read : read.map((own, row) => (row >= (note ?? 0) ? [""] : own));
}

/** A section of no name, which nothing is known of. */
const unknownSection = "?";
/** Of an element within others. */
const longestSection = 400;

/** The elements that begin in each line, and what is between them, by the names of those around. */
function xmlSections({ lines }: Source): LineSections {
  const found = lines.map(() => new Set<string>());
  const open: { readonly name: string; readonly section: string }[] = [];
  const text = lines.join("\n");
  // What an entity stands for may be anything.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return lines.map(() => [unknownSection]);
  let [row, counted] = [0, 0];
  /** The row of a place, which is never before that of the last call. */
  const rowOf = (at: number): number => {
    for (; counted < at; counted++) if (text[counted] === "\n") row += 1;
    return row;
  };
  const mark = (from: number, to: number, section: string): void => {
    for (let at = rowOf(from), last = rowOf(to); at <= last; at++) found[at]?.add(section);
  };
  for (let at = 0; at < text.length; ) {
    xmlTokens.lastIndex = at;
    const token = xmlTokens.exec(text);
    if (token === null) break;
    const { 0: begun, 1: end, 2: name, 3: alone, index } = token;
    const around = open.at(-1)?.section;
    const closing = xmlBlocks.get(begun);
    at = index + begun.length;
    if (closing !== undefined) {
      const closed = text.indexOf(closing, at);
      at = closed < 0 ? text.length : closed + closing.length;
      // What hides behind something that never ends belongs to no section.
      if (closed < 0) mark(index, at, unknownSection);
      else if (begun === "<![CDATA[") mark(index, at, around ?? unknownSection);
      else if (text.slice(index, at).includes("\n")) {
        // Without one of these lines, what is between them would be read.
        mark(index, index, unknownSection);
        mark(at - 1, at - 1, unknownSection);
      }
    } else if (end === "/") {
      const last = open.findLastIndex((each) => each.name === name?.toLowerCase());
      open.length = Math.max(0, last);
      // It ends what was not read as an element.
      if (last < 0) open.push({ name: "", section: unknownSection });
    } else if (name === undefined)
      mark(index, at, begun === "<" ? unknownSection : (around ?? unknownSection));
    else {
      const own = name.toLowerCase();
      const section = around === undefined ? own : `${around}.${own}`;
      const isKnown = around !== unknownSection && section.length <= longestSection;
      open.push({ name: own, section: isKnown ? section : unknownSection });
      mark(index, at, isKnown ? section : unknownSection);
      if (alone === "/") open.pop();
    }
  }
  return found.map((sections) => [...sections]);
}

/** What is not read, and what ends it. */
const xmlBlocks: ReadonlyMap<string, string> = new Map([
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
]);

/** The beginning of a block, an element, text, or the beginning of anything else. */
const xmlTokens =
  /<!--|<!\[CDATA\[|<\?|<(\/?)([\w:.-]{1,100})(?![\w:.-])(?:[^<>"'/]|"[^"<]{0,400}"|'[^'<]{0,400}'|\/(?!>))*(\/?)>|[^\s<>]+|</g;

/** The key of the outermost mapping; none for what does not name its key plainly. */
function yamlSections({ lines }: Source): LineSections {
  // RuboCop runs the code in a template, wherever it stands, and YAML knows more ends of lines.
  if (lines.some((line) => /<%|[\r\u0085\u2028\u2029]/.test(line))) return lines.map(() => [""]);
  let key = "";
  return lines.map((line) => {
    if (/^\s*(?:#|$)|^---\s*$/.test(line)) return [];
    if (/^[^\s-]/.test(line) && !isBracket(line)) key = /^(\w[\w./-]{0,120}):(?:\s|$)/.exec(line)?.[1] ?? "";
    else if (/^-(?!\s|$)/.test(line)) key = "";
    return [key];
  });
}

/** The table of each line and the key that the line belongs to. */
function tomlSections({ lines }: Source): LineSections {
  let [table, key] = ["", ""];
  return lines.map((line) => {
    const name = /^\s*\[{1,2}([^\]\n]{1,200})\]/.exec(line)?.[1]?.trim();
    if (name !== undefined) [table, key] = [name.replaceAll('"', ""), ""];
    const [isKey, bare, double, single] = tomlKey.exec(line) ?? [];
    if (isKey !== undefined) key = bare ?? double ?? single ?? unreadable;
    else if (/^\s*["'\w-]/.test(line) && tomlPath.test(line)) key = unreadable;
    return [key === unreadable ? "" : `${table}.${key}`];
  });
}

const tomlKey = /^\s*(?:([\w.-]+)|"([\w.-]+)"|'([\w.-]+)')\s*=(?!=)/;
/** A key that is escaped, or of several parts. */
const tomlPath =
  /^\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*\s*=(?!=)/;
/** No key is read as this one. */
const unreadable = "?";
