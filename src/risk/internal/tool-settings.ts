// Settings of tools that are data, told from those that load or start something: keys of linters, of what raises versions,
// of an editor and of pages about a project, and elements of an MSBuild project.
import { rowsOf } from "./comments.ts";
import type { Hunk, Side } from "./hunk.ts";
import {
  isBracket,
  jsonPaths,
  type SectionReader,
  sectionsAt,
  sectionsIn,
  settingSections,
  tableSections,
  tomlSections,
  yamlPaths,
} from "./manifest-sections.ts";

/** Files with nothing but settings of one linter. */
export const ofLinter =
  /(?:^|\/)(?:\.(?:eslintrc|stylelintrc|prettierrc|jscsrc|nycrc|c8rc|coveragerc|oxlintrc|markdownlint(?:-cli2)?|commitlintrc|swiftlint|golangci|haml-lint|erb-lint|editorconfig)(?:\.jsonc?|\.json5|\.ya?ml|\.toml)?|\.flake8|\.?ruff\.toml|\.isort\.cfg|\.?pylintrc|\.?mypy\.ini|pyrightconfig\.json|tslint\.json|biome\.jsonc?|analysis_options\.yaml|\.?dprint\.jsonc?|detekt[\w.-]*\.ya?ml|phpstan[\w.-]*\.neon[\w.-]*)$/;

const words =
  /plugin|extend|load|hook|parser|processor|preset|require|import|custom|inherit|bootstrap|command|exec|script|resolver|reporter|director/i;
/** Which keys load or start something, by the linter; the first row that knows the file counts. */
const loading: readonly (readonly [file: RegExp, loads: RegExp])[] = [
  [/\.golangci\./, /(?:^|\.)(?:custom|plugins?)(?:\.|$)/],
  // What is included has settings alone.
  [/analysis_options\.yaml$/, /(?:^|\.)plugins(?:\.|$)/],
  [
    /(?:\.flake8|ruff\.toml|\.isort\.cfg|pylintrc|mypy\.ini|coveragerc|pyrightconfig\.json)$/,
    /plugin|hook|load|exec|command|extension/i,
  ],
  [/\.editorconfig$/, /(?!)/],
  [
    /(?:\.swiftlint\.yml|detekt[\w.-]{0,40}\.ya?ml|biome\.jsonc?)$/,
    /plugin|extend|(?:parent|child|remote)_|processor|script|command|exec|load/i,
  ],
  [
    /phpstan[\w.-]{0,40}$/,
    /plugin|extend|load|bootstrap|include|command|exec|script|service|rule|path|director/i,
  ],
  [/(?:)/, words],
];
/** Keys below which nothing is loaded, whatever its name. */
const harmless =
  /^(?:linter\.|overrides\.)?(?:rules|env|globals|disabled_rules|opt_in_rules|only_rules)(?:\.|$)|^analyzer\.errors\.|^issues\.exclude(?:-rules)?(?:\.|$)|^linters\.exclusions\.|^overrides(?:\.files|\.parserOptions)?$|^(?:overrides\.)?parserOptions\.(?:\{|ecmaVersion|sourceType|ecmaFeatures|requireConfigFile|project|tsconfigRootDir|extraFileExtensions|warnOnUnsupported)/;
/** Code in a value. */
const computed = /<%|\$\(/;

function readerOf(path: string, { lines }: Side["source"]): SectionReader {
  if (lines.some((line) => /^\s*\{\s*/.test(line))) return jsonPaths;
  if (/\.toml$/i.test(path)) return tomlSections;
  if (/(?:\.flake8|\.cfg|\.ini|pylintrc|coveragerc)$/i.test(path)) return tableSections;
  return /\.ya?ml$|rc$/i.test(path) ? yamlPaths : settingSections;
}

/** `set` where only data changes. */
export function settingsOfLinter({ before, after, path }: Hunk): readonly string[] {
  const read = readerOf(path, after.source.lines.length > 0 ? after.source : before.source);
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const [, loads] = loading.find(([file]) => file.test(name)) ?? [];
  const isSet = ({ source, at }: Side) => {
    const known = sectionsIn(source, read);
    return rowsOf(at).every((row) => {
      const [line, keys] = [source.lines[row] ?? "", known[row] ?? [""]];
      if (isBracket(line) || (keys.length > 0 && keys.every((key) => harmless.test(key)))) return true;
      if (computed.test(line) || loads === undefined || keys.some((key) => loads.test(key))) return false;
      if (keys.includes("") && read !== settingSections) return false;
      // Where not all keys of a line are read, its words decide.
      const isRead = read !== settingSections && (read !== yamlPaths || !/\{|[\s:-][&*]\w/.test(line));
      return isRead || !words.test(line);
    });
  };
  return [isSet(before) && isSet(after) ? "set" : ""];
}

/** What raises the versions of packages: when, and which of them. Where they come from and what it starts is no data. */
export const ofUpdates =
  /(?:^|\/)(?:\.github\/dependabot\.ya?ml|(?:\.github\/|\.gitlab\/)?\.?renovate(?:rc)?(?:\.json5?)?)$/;
export const plainOfUpdates =
  /^(?!$)(?!.*(?:insecure|registr|command|exec|(?<!de)script|hook|task|hostrules|token|password|url|custommanager|regexmanager|allowed|binarysource|vendor))/i;
export const sectionsOfUpdates = (hunk: Hunk): readonly string[] =>
  sectionsAt(hunk, /\.ya?ml$/i.test(hunk.path) ? yamlPaths : jsonPaths);

/** What formats Elixir: lists of files and of names. What it loads and computes is none. */
export const ofFormatter = /(?:^|\/)\.formatter\.exs$/;
export const plainOfFormatter =
  /^(?![^\n]{0,2000}(?:plugin|import_deps|subdirectories|[()&|]|\b(?:def|fn|if|case)\b))[\w\s:"'[\]{},./*?~@=!-]{0,2000}$/;

/** Settings of an editor about how something looks, is found or is written. */
export const plainOfEditor =
  /^(?:\$schema$|recommendations$|unwantedRecommendations$|\[[\w, \][-]{1,60}\]$|(?:editor|files|search|explorer|workbench|diffEditor|cSpell|emmet|markdown|problems|scm|outline|breadcrumbs|todo-tree|spellright)\.|(?:java|type)script\.(?:preferences|format|suggest|inlayHints|updateImports\w*|validate|referencesCodeLens)\b)/;

/** Tools whose settings stand in a manifest and are data, but for those that load something. */
export const tools =
  /^(?:extra|xo|eslintConfig|prettier|nyc|c8|ava|jest|mocha|tap|tsd|np|renovate|standard|semistandard|stylelint|commitlint)(?:\.|$)/;
export const plainOfTools =
  /^extra\.(?:\{|branch-alias(?:\.|$))|^(?:xo|eslintConfig)\.(?:\{|(?:overrides\.)?(?:rules|envs?|globals|ignores?|ignorePatterns|files|excludedFiles|extensions|space|semicolon|root|nodeVersion)(?:\.|$))|^prettier\.(?!plugins|overrides)|^(?:nyc|c8)\.(?:\{|(?:extension|include|exclude|all|lines|branches|functions|statements|check-coverage|checkCoverage|per-file|cache)(?:\.|$))|^(?:xo|ava|jest|mocha|tap|tsd|np|renovate|standard|semistandard)\.(?![^\n]*(?:require|plugin|preset|transform|setup|teardown|runner|reporter|extend|parser|resolver|mapper|command|script|exec|hook|import|loader|argument|args|processor|serializer|sequencer|provider|node|typescript|environment|modulepath|roots|project|global|task|url|token))/i;

/** Elements of a project that are data: a property is, unless it names what is loaded, started or where something is. */
const properties =
  /^<(?!(?:Custom|Before|After|Pre(?!fer|serve)|Post|Run(?!time)|Restore(?!PackagesWithLockFile\b|LockedMode\b))\w|\w{0,80}(?:(?<!CopyToOutput|CopyToPublish)Director(?:y|ies)|Path|Paths|Targets?|Props|(?<!OriginatorKey|Lock|Documentation|Snk)Files?|Command|CommandLine|Event|Tools?|Exe|Args|Arguments|DependsOn|Sources?|Sdk|Imports?|Extensions?|Compiler|Script|(?<!NET|Net)Analyzers?|Generators?|Url|Uri)(?:[ >]))([A-Z]\w{0,80})(?: Condition="(?:[^"$@<>]|\$\(\w{1,60}\)){0,300}")?>(?:[^<>$@%]|\$\(\w{1,60}\)){0,600}<\/\1>$/i;
const groups =
  /^<\/?(?:PropertyGroup|ItemGroup)(?: Label="[^"$@<>]{0,80}")?(?: Condition="(?:[^"$@<>]|\$\(\w{1,60}\)){0,300}")?>$/i;
const items =
  /^(?:<(?:Compile|Content|EmbeddedResource|None|Folder|Using|InternalsVisibleTo|AssemblyAttribute|ProjectReference|AdditionalFiles|Resource|Page|SupportedPlatform|Service)(?: \w{1,40}="[^"$@]{0,300}"){1,5} ?\/?>|<\/(?:Compile|Content|EmbeddedResource|None|Resource|Page|(?:Project|Package)?Reference|PackageVersion)>)$/i;

export const isDataOfProject = (line: string): boolean =>
  line.length < 1000 &&
  (/^<\?xml\b[^<>]{0,100}\?>$/.test(line) || groups.test(line) || items.test(line) || properties.test(line));

/** What a checker of PHP reads as XML, and what in it is loaded or started. */
export const ofXmlChecker = /(?:^|\/)(?:psalm|phpunit|\.?phpcs)\.xml(?:\.dist)?$/;
export const plainOfXmlChecker =
  /^(?![^\n]{0,2000}(?:plugin|autoload|bootstrap|extension|listener|printer|loader|handler|script|exec|command|<php|<ini|<env|<server|ref=|class=))/i;

/** A project of Xcode: which files it has, and settings that run nothing. */
export const ofXcode = /(?:^|\/)(?:project\.pbxproj|[^/]{1,200}\.xcscheme)$/;
export const plainOfXcode =
  /^(?:[0-9A-F]{24} \/\*[^*]{0,300}\*\/(?:,| = \{isa = PBX(?:BuildFile|FileReference);[^{}]{0,600}(?:\{[^{}]{0,200}\};[^{}]{0,100})?\};)|"?(?:LastUpgradeCheck|LastUpgradeVersion|LastSwiftUpdateCheck|[A-Z]{3,12}_DEPLOYMENT_TARGET|SWIFT_VERSION|MARKETING_VERSION|CURRENT_PROJECT_VERSION|CLANG_WARN_\w{1,60}|CLANG_ANALYZER_\w{1,60}|GCC_WARN_\w{1,60}|objectVersion|compatibilityVersion|developmentRegion|hasScannedForEncodings|language|region|version|codeCoverageEnabled|shouldUseLaunchSchemeArgsEnv)"? ?= ?[^;{}$]{0,200};?>?)$/;

/** Pages about a project, whose settings are a program. */
export const ofPages =
  /(?:^|\/)\.v(?:ite|ue)press\/config\.\w{2,3}$|(?:^|\/)(?:docusaurus|vitepress)\.config\.\w{2,3}$/;
const textOfPages =
  /^(?:[\s{}[\],;]|(?:\bconst\s{1,4}[A-Z_]{2,40}\s{0,4}=|\b(?:text|link|title|description|label|items|collapsed|collapsible|activeMatch|copyright|message|lang|content)\s{0,4}:)\s{0,200}(?:"\d+"|true|false|(?=[[{])))*$/;

/** Whether only texts and links of such pages change. */
export function isTextOfPages({ before, after, removed, added }: Hunk): boolean {
  if (removed.length + added.length > 20_000 || `${removed}${added}`.includes("${")) return false;
  return [before, after].every(({ source: { code }, at }) =>
    textOfPages.test(code.slice(at.first, at.last).join("\n")),
  );
}

/** Fixtures are read by the tests of the project; only what a tool finds by itself runs from there. */
export const isFixture = (path: string): boolean =>
  /(?:^|\/)(?:__)?(?:test[-_]?)?(?:fixtures?|testdata)(?:__)?\//.test(path) &&
  !/(?:^|\/)(?:\.[^/]*|conftest\.py)$|(?:^|\/)\.(?:github|husky|vscode|git[^/]*|circleci)\//.test(path);
