// Classifies a change to a config file: dependencies, or what runs, builds and checks. Decided by the file's name and,
// in a manifest, by the section of the change.
import { protectionOf } from "../../patch/paths.ts";
import { buildFile, ofVersion, sectionsOfBuild, sectionsOfMix, withoutVersions } from "./build-files.ts";
import { isNote, isTorn, rowsOf } from "./comments.ts";
import { isFormat } from "./format-only.ts";
import type { Hunk, Side } from "./hunk.ts";
import {
  argumentSections,
  isBracket,
  jsonPaths,
  jsonSections,
  sectionsAt,
  sectionsIn,
  tableSections,
  tomlSections,
  xmlSections,
  yamlPaths,
  yamlSections,
} from "./manifest-sections.ts";
import {
  isDataOfProject,
  isFixture,
  isTextOfPages,
  ofFormatter,
  ofLinter,
  ofPages,
  ofUpdates,
  ofXcode,
  ofXmlChecker,
  plainOfEditor,
  plainOfFormatter,
  plainOfTools,
  plainOfUpdates,
  plainOfXcode,
  plainOfXmlChecker,
  sectionsOfUpdates,
  settingsOfLinter,
  tools,
} from "./tool-settings.ts";

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

/** Parts of pages that a tool for documentation shows. */
const isShown = (path: string): boolean =>
  /\.(?:vue|s?css|less|svg|png)$/.test(path) && /(?:^|\/)\.v(?:ite|ue)press\//.test(path);

/**
 * Determined by the name alone, once for all changes to a file: the kind of its changes, or a manifest, where it
 * depends on the place.
 */
export type ConfigFile = ConfigChange | "of-build-service" | "of-pages" | Manifest;

/** Which sections of a manifest mean what. The first match counts. */
interface Manifest {
  readonly file: RegExp;
  /** The sections of the lines that change. */
  readonly sectionsOf: (hunk: Hunk) => readonly string[];
  readonly dependency: RegExp;
  /** Entries that run nothing, such as a name or a version. */
  readonly plain: { test(section: string): boolean };
  /** What is a dependency and runs when something is built, too. */
  readonly both?: { test(section: string): boolean };
  /** What stands in comments may run as well. */
  readonly runsNotes?: boolean;
}

const plainOfProject =
  /^(?:<(?:Version(?:Prefix|Suffix)?|AssemblyVersion|FileVersion|Description|Authors|Copyright|Company|Product|Title|Package(?!Reference|Version)\w+|Repository\w+|TargetFramework(?:s|Version|Profile)?|TargetPlatform\w*Version|LangVersion|Nullable|ImplicitUsings|RootNamespace|FileAlignment|WarningLevel|GenerateDocumentationFile|DebugType|Optimize|IsPackable)(?: ?\/>|>[^<>$]*<\/\w+>)|<(?:Compile|Content|EmbeddedResource|None)(?: \w+="[^"$@]*"){1,4} ?\/>)?$/i;

/** What one line of a program says that builds something. */
const byLine = {
  dependency:
    /^package$|^id[ (]+['"]|^alias[ (]+libs\.|^apply plugin:|^\w{1,40}[ (]+(?:libs|libraries|deps)\.[\w.]{1,80}[ )]*$|^\w{1,20}\.dependency\b[ (]+['"]|^(?:"[^"]*"|\w*)?(?:implementation|compileonly|runtimeonly|api|kapt|ksp|annotationprocessor|classpath|testcompile|androidtestcompile|compile|testruntime)\b[ (]+(?:\w+\()?['"(a-z]|\.package\(|\badd_(?:\w+_)?dependency\b|\{:\w+,\s*"|^pod[ \t]+['"]|^(?:dev_)?dependencies:|^elixir:[ \t]*"|^\[?\{:\w+, *(?:git|github|hex|path|only|in_umbrella):|^exclude[ (]+(?:group|module)\b|['"][\w-]+\s*[=<>~]=[\d.]+['"]|^['"][\w.-]+:[\w.-]+:[\w.$+-]+['"],?$/i,
  both: { test: computesMore },
  plain:
    /^(?:[\w.]{0,40}\.)?(?:version|name|summary|description|authors?|email|homepage|license[s]?|required_ruby\w*_version|social_media_url|documentation_url|changelog_url|swift_versions?|deployment_target|requires_arc|module_name)[ \t]*=[ \t]*(?:"[^"#$`]*"|'[^']*'|true|false)$|^\w{1,20}\.metadata\[["'][\w-]{1,40}["']\][ \t]*=[ \t]*(?:"[^"#$`]*"|'[^']*')$|^\w{1,20}\.(?:files|test_files|extra_rdoc_files|rdoc_options|require_paths?|bindir|platform|date|rubygems_version|rubyforge_project|license_file)[ \t]*\+?=[ \t]*(?:["'][\w./*{},-]*["']|\[[^[\]#$`()|]*\]|%w[[({][\w\s./*-]*[\])}]|Dir(?:\.glob)?[[(][^#$`()|[\]]*[\])])$|^group[ \t]*=[ \t]*["'][\w.-]*["']$|^@?(?:version|name|description|source_url|homepage_url)[: \t]{1,4}"[^"#$`]*",?$|^(?:(?:min|compile|target)Sdk(?:Version)?|versionCode|versionName|(?:source|target)Compatibility|jvmTarget)\b[ \t]{0,4}[=(]?[ \t]{0,4}(?:\d{1,9}|"[^"$`]*"|'[^']*'|JavaVersion\.\w{1,40})\)?$|^(?:is)?(?:transitive|force|changing)[ \t]*=[ \t]*(?:true|false)$/i,
};

const plainOfPackage =
  /^(?:name|version|description|keywords|author|authors|contributors|license|homepage|bugs|repository|funding|private|files|sideEffects|contributes|main|module|browser|exports|bin|man|typesVersions|unpkg|jsdelivr|displayName|categories|publisher|icon|type|types|typings|support|browserslist|eslintIgnore|directories|os|cpu|libc|maintainers|licenses|tags|readme|preferGlobal|collective|size-limit|bundlesize|react-native|jsnext:main|filesize|bundlewatch|minimum-stability|prefer-stable|archive|suggest|abandoned|esnext|umd:main|amdName)$/;

const manifests: readonly Manifest[] = [
  {
    file: /(?:^|\/)(?:package\.json5?|composer\.json|deno\.jsonc?|jsr\.json)$/,
    sectionsOf: sectionsOfPackage,
    dependency:
      /^(?:\w*dependencies\w*|overrides|resolutions|require|require-dev|imports|catalogs?|packageManager|engines|volta)$/i,
    plain: {
      test: (section) => plainOfPackage.test(section) || plainOfTools.test(section),
    },
  },
  {
    // What it says of plugins and of places decides about code that is loaded.
    file: /(?:^|\/)[tj]sconfig[^/]*\.json$/,
    sectionsOf: (hunk) => sectionsAt(hunk, jsonPaths),
    dependency: /(?!)/,
    plain:
      /^(?:\$schema|display|extends|include|exclude|files|references|compileOnSave|watchOptions|typeAcquisition|angularCompilerOptions)(?:\.|$)|^compilerOptions\.(?!(?:plugins|paths|baseUrl|rootDirs|typeRoots|moduleSuffixes|jsxImportSource|customConditions)(?:\.|$))/,
  },
  {
    file: /(?:^|\/)cargo\.toml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, tomlSections),
    dependency: /dependencies|^patch\b|^replace\b/,
    plain:
      /^(?:package|workspace\.package)\.(?!build\b|links\b|metadata\b(?!\.docs\.rs\b))|^lints\b|^workspace\.(?:lints|members|exclude|default-members|resolver)\b|^features\.|^badges\.|^profile\.(?![^\n]*rustflags)|^(?:lib|bin|bench|test|example)\.(?:name|bench|test|doc|doctest|required-features|edition|crate-type|)$/,
  },
  {
    file: /(?:^|\/)(?:pyproject|uv|poetry|pixi)\.toml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, tomlSections),
    dependency:
      /dependencies|^dependency-groups\b|^build-system\.requires$|^project\.requires-python|^tool\.(?:uv|pdm|poetry)\.(?:sources?|index|overrides?)\b/,
    both: /^build-system\./,
    plain:
      /^project\.(?:name|version|description|readme|license|authors|maintainers|keywords|classifiers|dynamic|license-files)|^project\.urls|^tool\.poetry\.(?:name|version|description|authors|maintainers|readme|license|homepage|repository|documentation|keywords|classifiers|urls|packages|include|exclude)(?:\.|$)|^tool\.setuptools\.(?:package-data|exclude-package-data|include-package-data|packages|package-dir|py-modules|zip-safe|platforms)(?:\.|$)|^tool\.hatch\.build\.(?:targets\.\w{1,40}\.)?(?:include|exclude|packages|only-include)$|^tool\.pytest\.ini_options\.(?:markers|testpaths|minversion|xfail_strict|norecursedirs|python_(?:files|classes|functions)|log_\w{1,40}|console_output_style|filterwarnings|asyncio_\w{1,40}|timeout|junit_family)$|^tool\.(?:towncrier|check-manifest|pyproject-fmt|check-wheel-contents)\.|^tool\.(?:ruff|black|isort|codespell|(?:based)?pyright)\b|^tool\.(?:mypy|pylint|pydocstyle|flake8|bandit|coverage|interrogate|docformatter|autoflake|yapf|vulture|typos|ty)\.(?![^\n]*(?:plugin|hook|load|exec|command))/,
  },
  {
    file: /(?:^|\/)setup\.cfg$/,
    sectionsOf: (hunk) => sectionsAt(hunk, tableSections),
    dependency: /^options\.extras_require\.|\.(?:[\w-]*requires?(?:-dist)?|requirements|\w*dependencies)$/i,
    plain:
      /^(?:metadata)?\.(?:name|version|description|long_description\w*|summary|description[-_]\w+|home[-_]page|classifier|author[\w-]*|maintainer[\w-]*|license[\w-]*|url|project_urls|download_url|keywords|classifiers|platforms)$|^(?:metadata|bdist_wheel|wheel|sdist|egg_info)\.$|^(?:bdist_wheel|wheel)\.universal$|^options\.(?:packages|package_dir|include_package_data|zip_safe|py_modules|platforms)$|^options\.(?:package_data|exclude_package_data|packages\.find)\.|^tool:pytest\.(?:markers|testpaths|minversion|xfail_strict|norecursedirs|python_(?:files|classes|functions))$|^(?:tool:)?(?:flake8|pycodestyle|pep8|pydocstyle|isort|mypy|mypy-[\w.*-]{1,100}|pylint[\w.-]{0,40}|yapf|codespell|coverage:[\w-]{1,20})\.(?![^\n]*(?:plugin|hook|load|exec|command))/,
  },
  {
    file: /(?:^|\/)setup\.py$/,
    sectionsOf: (hunk) => sectionsAt(hunk, argumentSections),
    dependency: /^[\w-]*requires?(?:-dist)?$|^requirements$|^\w*dependencies$/i,
    plain:
      /^(?:name|version|description|long_description\w*|summary|description[-_]\w+|home[-_]page|classifier|author[\w-]*|maintainer[\w-]*|license[\w-]*|url|project_urls|download_url|keywords|classifiers|platforms)$/,
  },
  {
    file: /(?:^|\/)pom\.xml$/,
    sectionsOf: sectionsOfPom,
    dependency:
      /(?:^|\.)(?:dependency|parent|extension)(?:\.|$)|(?:^|\.)plugin\.version$|(?:^|\.)properties\.[\w.-]{0,80}version$|\.configuration\.(?:[\w-]{1,40}\.){0,3}(?:signature|artifactitem)\.(?:groupid|artifactid|version)$/,
    plain:
      /^project(?:\.(?:(?:name|version|description|url|inceptionyear|groupid|artifactid|modelversion)|(?:licenses|developers|contributors|issuemanagement|cimanagement|organization|mailinglists|prerequisites)(?:\..*)?|scm\.tag|properties\.(?:[\w-]{1,40}\.){0,4}(?:(?:source|output|reporting)?encoding|outputtimestamp|compiler\.(?:source|target|release)))|(?:\.build)?\.(?:[\w-]{1,40}\.){0,6}configuration\.(?:source|target|release|encoding))?$/,
  },
  {
    file: /(?:^|\/)(?:[^/]*\.(?:csproj|fsproj|vbproj|props))$/,
    sectionsOf: sectionsOfProject,
    dependency:
      /<(?:packagereference|packageversion|globalpackagereference)\b|^<(?:reference|hintpath)\b[^$]*$/i,
    // Another element beside it, or a property that is more than named.
    both: /<(?!\/|!--|(?:PackageReference|PackageVersion|GlobalPackageReference|Reference|HintPath|ItemGroup|Version|PrivateAssets|IncludeAssets|ExcludeAssets)(?![\w:.-]))|\$\((?![\w-]{1,100}\))|\$\[/i,
    plain: { test: (line) => plainOfProject.test(line) || isDataOfProject(line) },
  },
  {
    file: buildFile,
    sectionsOf: sectionsOfBuild,
    dependency: /^package/,
    both: /^package that runs$/,
    plain: /^plain$/,
  },
  {
    file: /(?:^|\/)pubspec(?:_overrides)?\.ya?ml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, yamlPaths),
    dependency: /^(?:dev_)?dependencies\b|^dependency_overrides\b|^environment\b/,
    plain:
      /^(?:name|version|description|authors?|homepage|repository|issue_tracker|documentation|topics|funding|screenshots|publish_to|platforms|false_secrets)(?:\.|$)/,
  },
  {
    file: /(?:^|\/)mix\.exs$/,
    sectionsOf: (hunk) => sectionsOfMix(hunk) ?? sectionsOfProgram(hunk),
    ...byLine,
  },
  {
    file: /(?:^|\/)(?:rakefile|[^/]*\.(?:gradle|gradle\.kts|gemspec|podspec)|podfile|package\.swift)$/,
    sectionsOf: sectionsOfProgram,
    ...byLine,
  },
  {
    file: /(?:^|\/)\.rubocop[\w.-]*\.yml$/,
    sectionsOf: (hunk) => sectionsAt(hunk, yamlSections),
    dependency: /(?!)/,
    plain: /^(?!$|require$|plugins$|inherit_)/,
    runsNotes: true,
  },
  {
    // How lines end and what is shown or packed runs nothing; filters and drivers of one's own do.
    file: /(?:^|\/)\.gitattributes$/,
    sectionsOf: lineByLine,
    dependency: /(?!)/,
    plain:
      /^\S{1,300}(?:\s{1,40}(?:[-!]?(?:text|eol|crlf|binary|diff|merge|whitespace|export-ignore|export-subst|(?:linguist|gitlab)-[\w-]{1,40})|(?:text|eol|crlf|merge|whitespace|encoding|working-tree-encoding|(?:linguist|gitlab)-[\w-]{1,40})=(?:auto|lf|crlf|true|false|union|binary|(?<=(?:encoding|whitespace|linguist-language|gitlab-language)=)[\w,+-]{1,60}))){1,20}$/i,
  },
  {
    file: /(?:^|\/)gradle\.properties$/,
    sectionsOf: lineByLine,
    dependency: /^[a-z]\w{0,60}version\s{0,4}=[^$]*$/i,
    plain:
      /^(?:version(?:_name|_code)?|group|pom_\w{1,60}|artifact_?\w{1,40}|org\.gradle\.(?:caching|parallel|daemon|configureondemand|configuration-cache|warning\.mode)|android\.(?:useandroidx|enablejetifier|nontransitiverclass)|kotlin\.code\.style)\s{0,4}=[^$]*$/i,
  },
  {
    file: /(?:^|\/)lerna\.json$/,
    sectionsOf: (hunk) => sectionsAt(hunk, jsonSections),
    dependency: /(?!)/,
    plain: /^(?:version|\$schema)$/,
  },
  {
    // Settings of a linter that are data. What is loaded with it is named by a key.
    file: ofLinter,
    sectionsOf: settingsOfLinter,
    dependency: /(?!)/,
    plain: /^set$/,
  },
  { file: ofXcode, sectionsOf: lineByLine, dependency: /(?!)/, plain: plainOfXcode },
  { file: ofXmlChecker, sectionsOf: lineByLine, dependency: /(?!)/, plain: plainOfXmlChecker },
  { file: ofFormatter, sectionsOf: lineByLine, dependency: /(?!)/, plain: plainOfFormatter },
  {
    // Which SDK builds something, as its version does in another file.
    file: /(?:^|\/)global\.json$/,
    sectionsOf: (hunk) => sectionsAt(hunk, jsonPaths),
    dependency: /^msbuild-sdks\b/,
    plain: /^sdk(?:\.(?:version|rollForward|allowPrerelease|errorMessage))?$/,
  },
  { file: ofUpdates, sectionsOf: sectionsOfUpdates, dependency: /(?!)/, plain: plainOfUpdates },
  {
    file: /(?:^|\/)\.vscode\/(?:settings|extensions)\.json$/,
    sectionsOf: (hunk) => sectionsAt(hunk, jsonSections),
    dependency: /(?!)/,
    plain: plainOfEditor,
  },
  {
    file: /(?:^|\/)\.npmrc$/,
    sectionsOf: lineByLine,
    dependency: /(?!)/,
    plain:
      /^(?:package-lock|lockfile|save-exact|save-prefix|engine-strict|fund|audit|loglevel|progress|tag-version-prefix|message|legacy-peer-deps|strict-peer-dep\w{0,8}|auto-install-peers|prefer-workspace-packages|link-workspace-packages|shamefully-hoist|hoist|resolution-mode|provenance|access)\s{0,4}=[^$]*$/,
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

function sectionsOfPackage(hunk: Hunk): readonly string[] {
  const found = sectionsAt(hunk, jsonSections);
  if (!found.some((section) => tools.test(section))) return found;
  const settings = sectionsAt(hunk, jsonPaths).filter((path) => path === "" || tools.test(path));
  return [...found.filter((section) => !tools.test(section)), ...settings];
}

/** A version on a line of its own is that of the package around it. */
function sectionsOfProject(hunk: Hunk): readonly string[] {
  const sections = sectionsAt(hunk, xmlSections);
  if (
    sections.length > 0 &&
    sections.every((section) => /\.(?:packagereleasenotes|description)$/.test(section))
  )
    return [];
  const versions = sections.filter((section) => /\.package(?:reference|version)\.version$/.test(section));
  return [...lineByLine(hunk), ...versions.map(() => "<PackageReference>")];
}

/** A longer list of files is not looked through. */
const longestList = 200;

/** Whether only names of files change that a gem lists as its own, of which none runs when it is built. */
function isListOfFiles({ path, before, after }: Hunk): boolean {
  if (!/\.gemspec$/i.test(path)) return false;
  return [before, after].every(({ source: { lines }, at }) => {
    if (rowsOf(at).length === 0) return true;
    if (!rowsOf(at).every((row) => /^\s*["'][\w./-]{1,200}["'],?\s*$/.test((lines[row] ?? "").slice(0, 300))))
      return false;
    let row = at.first - 1;
    while (
      row >= at.first - longestList &&
      /^\s*(?:["'][\w./-]{1,200}["'],?\s*)?$/.test((lines[row] ?? "").slice(0, 300))
    )
      row -= 1;
    return /^\s*\w{1,20}\.(?:files|test_files|extra_rdoc_files)\s*\+?=[^#$`\n]{0,200}[[(]\s*$/.test(
      (lines[row] ?? "").slice(0, 300),
    );
  });
}

/** Where nothing but a version changes, no other program runs than before. */
function sectionsOfProgram(hunk: Hunk): readonly string[] {
  const lines = lineByLine(hunk);
  const sides = [hunk.before, hunk.after].map(({ source, at }) =>
    source.lines.slice(at.first, at.last).map((line) => withoutVersions(line.trim())),
  );
  const [then, now] = sides.map((own) => new Set(own));
  if (isListOfFiles(hunk)) return ["version = ''"];
  return lines.map((line) => {
    const bare = withoutVersions(line);
    if (bare === line || then?.has(bare) !== true || now?.has(bare) !== true) return line;
    return ofVersion(line) ? "version = ''" : "package";
  });
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
  if (isFixture(path)) return undefined;
  const reasons = protectionOf(path).map(({ code }) => code);
  if (reasons.some((code) => packages.has(code)) || packageList.test(path) || isPipList(path))
    return "dependency";
  if (
    sharedTests.test(path) ||
    isShown(path) ||
    (reasons.length > 0 && reasons.every((code) => runsNothing.has(code)))
  )
    return undefined;
  if (reasons.length === 0 && !workflow.test(path)) return undefined;
  if (reasons.every((code) => ofBuildService.has(code))) {
    if (/\.(?:md|mdx|txt|rst)$/.test(path)) return undefined;
    if (/(?:^|\/)\.github\//.test(path) && !runsInGithub.test(path)) return undefined;
  }
  const manifest = manifests.find(({ file }) => file.test(path));
  if (manifest !== undefined) return manifest;
  if (ofPages.test(path)) return "of-pages";
  return reasons.some((code) => ofBuildService.has(code)) ? "of-build-service" : "executable-config";
}

export function configChanges(hunk: Hunk): readonly ConfigChange[] {
  const { config } = hunk;
  if (config === undefined) return [];
  if (config === "of-build-service") return ["executable-config"];
  const runsNotes = typeof config !== "string" && config.runsNotes === true;
  // Other quotes around the name of a package, or another comment beside it, depend on nothing else.
  if (!runsNotes && (isNote(hunk, hunk.language) || isFormat(hunk))) return [];
  if (config === "dependency" && isSameList(hunk)) return [];
  if (config === "of-pages") return isTextOfPages(hunk) ? [] : ["executable-config"];
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
  /^(?:\{:\w+,|(?:dev_)?dependencies:|pod\b[ \t(]*|\.package\(|(?:[\w.]{1,40}\.)?(?:add_(?:\w+_)?)?dependency\b[ \t(]*|(?:""|\w*)?(?:implementation|compileonly|runtimeonly|api|kapt|ksp|annotationprocessor|classpath|testcompile|androidtestcompile|compile|testruntime)\b[ \t(]+)/i;
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
