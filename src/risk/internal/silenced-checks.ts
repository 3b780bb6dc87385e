// Comments and settings that switch a type checker, a linter or a test off.
import { rowsOf } from "./comments.ts";
import type { Side } from "./hunk.ts";
import {
  type SectionReader,
  sectionsIn,
  tableSections,
  tomlSections,
  yamlPaths,
} from "./manifest-sections.ts";
import type { Language } from "./source.ts";

// The ways to suppress a check: comments, annotations and settings of tools. Data, and a count of matches in a text.

/** In comments of any language, at their beginning or behind another one: prose that speaks of it is none. */
const inNotes =
  /(?:^|[#/*!;,]|--)[ \t]*(?:(?:eslint|tslint|oxlint|stylelint|swiftlint|rubocop|ktlint|detekt|shellcheck)[-: ]?\s*(?:disable|ignore)(?:-next-line|-line|-file)?\b(?![ \t]+[a-z]+[ \t]+(?!--)[a-z])|eslint[ \t]+[\w@/-]{1,60}[ \t]*:[ \t]*(?:0|["']?off)\b|@ts-(?:ignore|nocheck|expect-error)\b|(?:biome|deno-lint|svelte|rome)-ignore\b|\$Flow(?:FixMe|Ignore)\b|(?:istanbul|c8|v8|node:coverage|coverage)[: ]\s*(?:ignore|disable)\b|type:\s*ignore\b|noqa\b(?=\s*(?:$|[:#,-]))|(?:ruff|flake8):\s*noqa\b|pylint:\s*(?:disable|skip-file)|pyright:\s*(?:ignore|basic|off)|mypy:\s*(?:ignore|disable|allow)|nosec\b|pragma:\s*no (?:cover|branch)\b|nolint\b(?=\s*(?:$|[:/,]))|lint:(?:ignore|file-ignore)\b|NOLINT|NOSONAR\b|NOPMD\b|noinspection\b|CHECKSTYLE:\s*OFF\b|@(?:phpstan|psalm)-(?:ignore|suppress)|@codeCoverageIgnore|@SuppressWarnings\b|phpcs:(?:ignore|disable)|ReSharper disable\b|cspell:\s*disable\b|nosemgrep\b|hadolint ignore\b|tfsec:ignore\b|checkov:skip\b|luacheck:\s*(?:ignore|no)\b|-?@diagnostic[ \t]{1,4}disable|credo:disable|scala(?:style|fix|fmt):\s*off\b|HLINT ignore\b|OPTIONS_GHC[^\n#]{0,200}-(?:Wno-|fno-warn))/gim;

/** In comments of one language, where others say the same in prose. */
const inOwnNotes: Readonly<Partial<Record<Language, RegExp>>> = {
  dart: /\/\/[ \t]*ignore(?:_for_file)?:[ \t]*\w/g,
};

/** In the code itself. */
const inCode: Readonly<Partial<Record<Language, RegExp>>> = {
  // A type that fits everything is no longer checked.
  script:
    /\bas[ \t]{1,4}(?:any|never)\b|\bas[ \t]{1,4}unknown[ \t]{1,4}as\b|(?<=[=(,][ \t]{0,4})<any>(?=[ \t]{0,4}[\w(])/g,
  rust: /#!?\[(?:allow|expect)\(|#!?\[cfg_attr\([^\n]{0,200}\ballow\(/g,
  java: /@(?:file:)?(?:SuppressWarnings|SuppressFBWarnings|Suppress|SuppressLint)\b/g,
  c: /#\s*pragma\s+(?:warning\s*\(\s*disable|(?:GCC|clang)\s+diagnostic\s+ignored)/g,
  csharp:
    /\[\s*(?:(?:assembly|module):\s*)?(?:\w{1,60}\.){0,6}(?:Unconditional)?SuppressMessage(?:Attribute)?\b|#pragma\s+warning\s+disable\b|#nullable\s+disable\b/g,
  python: /@(?:typing\.)?no_type_check\b/g,
  erlang: /\bnowarn\w{0,60}/g,
  elixir: /@dialyzer[ \t]{1,4}[{:]|@compile[ \t]{1,4}\{?:nowarn/g,
  clojure: /:clj-kondo\/ignore\b/g,
};

interface InSettings {
  readonly file: RegExp;
  readonly says: RegExp;
}

const inSettings: readonly InSettings[] = [
  {
    file: /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[^/]*|\.stylelintrc[^/]*|biome\.jsonc?|\.oxlintrc\.json|tslint\.json)$/,
    // An option of a rule that is on may be zero or none.
    says: /(?<![\w@/-]|\[\s{0,20}(?:["'](?:error|warn)["']|[12]\b)[^\]\n]{0,300})["']?[\w@/-]{1,80}["']?\s*:\s*(?:\[\s*)?(?:["'](?:off|none)["']|0\b)|\bignorePatterns\b|\bignores\s*:(?!\s*require\b)/g,
  },
  {
    file: /\.pyi?$/,
    says: /\bwarnings\.(?:filterwarnings|simplefilter)\(\s*(?:action\s*=\s*)?["'](?:ignore|once|default|module)["']/g,
  },
  {
    file: /(?:^|\/)[tj]sconfig[^/]*\.json$/,
    says: /"(?:strict\w*|no[A-Z]\w*|exactOptionalPropertyTypes|alwaysStrict|checkJs)"\s*:\s*false|"(?:skipLibCheck|suppress\w+)"\s*:\s*true/g,
  },
  {
    file: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|\.?mypy\.ini|tox\.ini|\.flake8|\.?ruff\.toml|\.pylintrc)$/,
    says: /^[ \t]*(?:ignore_errors|ignore_missing_imports)\s*=\s*[Tt]rue|^[ \t]*(?:(?:extend-|per-file-)?ignores?|disable)\s*=/gm,
  },
  {
    // One for each code.
    file: /\.(?:cs|fs|vb)proj$|\.(?:props|targets)$/,
    says: /\b(?:[A-Za-z]{2,10})?\d{3,5}\b(?=[^<>\n]{0,500}<\/(?:NoWarn|WarningsNotAsErrors)>)|<TreatWarningsAsErrors>\s*false/g,
  },
  {
    file: /(?:^|\/)\.(?:editorconfig|globalconfig)$/,
    says: /^[ \t]*(?:dotnet_(?:diagnostic|analyzer_diagnostic)[\w.-]{0,80}\.severity\s*=\s*(?:none|silent)|ktlint_[\w.-]{1,80}\s*=\s*disabled)\b/gm,
  },
  {
    file: /(?:^|\/)\.rubocop[\w.-]*\.yml$/,
    says: /^[ \t]+(?:Enabled:\s*(?:false|pending)|Exclude:|AllowedMethods:)|^[ \t]*DisabledByDefault:\s*true/gm,
  },
  { file: /(?:^|\/)detekt[\w.-]*\.ya?ml$/, says: /^[ \t]+active:\s*false|^[ \t]+excludes:/gm },
  {
    file: /(?:^|\/)(?:cmakelists\.txt|(?:gnu)?makefile(?:\.\w{1,20})?|meson\.build|[^/]*\.(?:cmake|mk))$/i,
    says: /(?<![\w-])-Wno-[\w=-]{1,60}/g,
  },
  { file: /(?:^|[/._-])suppressions?(?:[._-]\w{1,20})?\.xml$/i, says: /<suppress\b/g },
  {
    file: /\.gradle(?:\.kts)?$/,
    says: /["']?ktlint_[\w.-]{1,80}["']?\s{0,4}(?:to\b|[:=,])\s{0,4}["']disabled["']|\b(?:isI|i)gnoreFailures\s{0,4}=\s{0,4}true\b|\babortOnError\s{0,4}=?\s{0,4}false\b|\b(?:allW|w)arningsAsErrors\s{0,4}=\s{0,4}false\b/g,
  },
  { file: /(?:^|\/)Cargo\.toml$/, says: /=\s*(?:"allow"|\{\s*level\s*=\s*"allow")/g },
  {
    file: /(?:^|\/)\.golangci\.ya?ml$/,
    says: /^[ \t]*(?:disable-all:\s*true|disable:|exclude(?:-rules|-dirs)?:)/gm,
  },
  {
    file: /(?:^|\/)(?:\.github\/workflows\/|\.gitlab-ci|\.circleci\/|azure-pipelines|bitbucket-pipelines)/,
    says: /\bcontinue-on-error:\s*(?:true|\$\{\{)|\ballow_failure:\s*true|\|\|\s*(?:true|exit 0)\b/g,
  },
];

/** Lists of rules that are left out, by the keys of such a list. */
interface InLists {
  readonly file: RegExp;
  readonly read: SectionReader;
  readonly keys: RegExp;
}

const inLists: readonly InLists[] = [
  {
    file: /(?:^|\/)(?:setup\.cfg|tox\.ini|\.flake8|\.?mypy\.ini|\.?pylintrc)$/,
    read: tableSections,
    keys: /\.(?:(?:extend-|per-file-)?ignores?|disable(?:_error_code)?)$/,
  },
  {
    file: /(?:^|\/)(?:pyproject|\.?ruff)\.toml$/,
    read: tomlSections,
    keys: /(?:^|\.)(?:(?:extend-)?ignore|disable(?:_error_code)?|per-file-ignores)(?:\.|$)/,
  },
  {
    file: /(?:^|\/)\.(?:swiftlint|golangci)\.ya?ml$/,
    read: yamlPaths,
    keys: /^(?:disabled_rules|linters\.disable)$/,
  },
];

/** Patterns for files with this name, created once for all changes to a file. */
export interface Silencers {
  readonly inCode: RegExp | undefined;
  readonly inOwnNotes: RegExp | undefined;
  readonly inText: readonly RegExp[];
  readonly inLists: InLists | undefined;
}

export const silencersOf = (path: string, language: Language): Silencers => ({
  inCode: inCode[language],
  inOwnNotes: inOwnNotes[language],
  inText: inSettings.filter(({ file }) => file.test(path)).map(({ says }) => says),
  inLists: inLists.find(({ file }) => file.test(path)),
});

interface Silenceable {
  readonly code: string;
  readonly notes: string;
  /** The unmodified text. */
  readonly text: string;
}

export function silencesIn({ code, notes, text }: Silenceable, silencers: Silencers): number {
  const found = [
    countOf(notes, inNotes) + furtherIn(notes),
    silencers.inOwnNotes === undefined ? 0 : countOf(notes, silencers.inOwnNotes),
    silencers.inCode === undefined ? 0 : countOf(code, silencers.inCode) + furtherAllowed(code),
  ];
  return [...found, ...silencers.inText.map((says) => countOf(text, says))].reduce((sum, each) => sum + each);
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Lints behind the first one that an attribute of Rust allows. */
function furtherAllowed(code: string): number {
  let sum = 0;
  for (const [, lints = ""] of code.matchAll(/#!?\[(?:allow|expect)\(([^()]{0,600})\)/g))
    sum += lints.match(/,\s{0,100}\w/g)?.length ?? 0;
  return sum;
}

/** Rules behind the first one that a comment names: `rubocop:disable A, B` names one of them. */
function furtherIn(notes: string): number {
  let sum = 0;
  for (const { index } of notes.matchAll(inNotes)) {
    const [line = ""] = notes.slice(index + 1, index + 400).split(/\n|[ \t]--[ \t]/, 1);
    sum += line.match(/,[ \t]{0,4}[\w@/:-]{2,80}(?=[ \t]*(?:,|$|\]|\)|\*\/))/g)?.length ?? 0;
  }
  return sum;
}

/** How many rules its lines name in lists of those that are left out. */
export function listedIn({ source, at }: Side, { inLists: lists }: Silencers): number {
  if (lists === undefined) return 0;
  const known = sectionsIn(source, lists.read);
  let sum = 0;
  for (const row of rowsOf(at)) {
    if (known[row]?.some((key) => lists.keys.test(key)) !== true) continue;
    const [line = ""] = (source.lines[row] ?? "").slice(0, 2000).split("#", 1);
    const values = line.replace(/^\s*[\w."*/-]{1,120}\s*[=:]/, "");
    sum += values.match(/[A-Za-z][\w@/.-]*/g)?.length ?? 0;
  }
  return sum;
}
