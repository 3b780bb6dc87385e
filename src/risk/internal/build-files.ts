// Build files of languages whose packages stand in a list of their own: what a changed line names is a package, something
// that the project says of itself, or it runs.
import { rowsOf } from "./comments.ts";
import type { Hunk, Side } from "./hunk.ts";
import { isBracket, type LineSections, type SectionReader, sectionsIn } from "./manifest-sections.ts";
import type { Source } from "./source.ts";

interface BuildFile {
  readonly file: RegExp;
  /** The key of each line. */
  readonly keysOf: SectionReader;
  /** Keys of packages. */
  readonly packages: RegExp;
  /** Keys of packages that run when something is built. */
  readonly tools: RegExp;
  /** Keys of what runs nothing. */
  readonly plain: RegExp;
  /** What names a package and does nothing else; code without literals, of 500 characters at most. */
  readonly entry: RegExp;
}

/** Keys begin a line that `key` matches; a line that `ends` matches belongs to none, and all others to the one above. */
const keysBy = (key: RegExp, ends: RegExp) => {
  return ({ lines }: Source): LineSections => {
    let own = "";
    return lines.map((line) => {
      const short = line.slice(0, longestLine);
      const [, found] = key.exec(short) ?? [];
      if (found !== undefined) own = found;
      else if (ends.test(short)) own = "";
      return [own];
    });
  };
};

const longestLine = 500;
const nowhere = /(?!)/;

const builds: readonly BuildFile[] = [
  {
    file: /\.sbt$/i,
    keysOf: keysBy(
      /^\s*(?:[A-Z]\w{0,40} ?\/ ?)?(addSbtPlugin(?=\()|addCompilerPlugin(?=\()|\w{1,60}(?=\s{0,4}(?::=|\+\+?=|~=)))/,
      /^\s*(?:\)?\.?\w{1,60}\(|\}|$)|^\S/,
    ),
    packages:
      /^(?:libraryDependencies|dependencyOverrides|excludeDependencies|scalaVersion|crossScalaVersions)$/,
    tools: /^(?:addSbtPlugin|addCompilerPlugin)$/,
    plain:
      /^(?:name|version|organization|organizationName|description|homepage|licenses|developers|scmInfo|startYear)$/,
    entry:
      /^(?:(?:[A-Z]\w{0,40} ?\/ ?)?(?:libraryDependencies|dependencyOverrides) {0,4}\+\+?= {0,4}(?:(?:Seq|List)\()?|addSbtPlugin\(|addCompilerPlugin\()?(?:(?:"\d+"|\w{1,60})(?: {0,4}%{1,3} {0,4}(?:"\d+"|[\w.]{1,80})){1,3})?[),]{0,3}$/,
  },
  {
    file: /(?:^|\/)project\.clj$/i,
    keysOf: keysBy(/^[\s({[]*:([a-z][\w-]{0,60})(?=[\s[{(]|$)/, nowhere),
    packages: /^(?:dependencies|managed-dependencies|exclusions)$/,
    tools: /^plugins$/,
    plain: /^(?:description|url|license|scm|min-lein-version|pedantic)$/,
    entry:
      /^(?::[a-z-]{1,40} {0,4})?\[?(?:\[[\w./-]{1,120} "\d+"(?: :exclusions \[[\w./ -]{0,200}\])?\] ?){0,6}[\])}]{0,9}$/,
  },
  {
    file: /\.cabal$/i,
    keysOf: keysBy(/^\s*([a-z][a-z-]{1,40}):/i, /^\s*(?:if|elif|else)\b|^\S/),
    packages: /^build-depends$/i,
    tools: /^(?:build-tool-depends|build-tools|setup-depends)$/i,
    plain:
      /^(?:name|version|synopsis|description|license|license-files?|author|maintainer|copyright|homepage|bug-reports|category|stability|tested-with|cabal-version|extra-(?:source|doc)-files|exposed-modules|other-modules|default-language|(?:default|other)-extensions|location|type)$/i,
    entry: /^[\w\s.,:&|<>=*^{}()-]*$/,
  },
  {
    file: /(?:^|\/)rebar\.config$/i,
    keysOf: keysBy(/^\{([a-z]\w{0,60}),/, /^\S/),
    packages: /^deps$/,
    tools: /^(?:plugins|project_plugins)$/,
    plain: /^(?:minimum_otp_vsn|cover_enabled|xref_checks|dialyzer|edoc_opts)$/,
    entry: /^[^()]*$/,
  },
  {
    file: /\.rockspec$/i,
    keysOf: keysBy(/^([a-z]\w{0,40})\s*=/, /^(?:for|while|local|function|do|return)\b/),
    packages: /^(?:build_|test_)?dependencies$/,
    tools: nowhere,
    plain: /^(?:package|version|source|description|rockspec_format|supported_platforms)$/,
    entry: /^(?:\w{1,40} {0,4}= {0,4}\{)?[\s"\d,}]*$/,
  },
];

export const buildFile = /\.(?:sbt|cabal|rockspec)$|(?:^|\/)(?:project\.clj|rebar\.config)$/i;

/** Of each changed line whether it is `plain`, a `package` or a `package that runs`; nothing is known of others. */
export function sectionsOfBuild({ path, before, after }: Hunk): readonly string[] {
  const build = builds.find(({ file }) => file.test(path));
  if (build === undefined) return [""];
  const [then, now] = [rowsIn(before, build), rowsIn(after, build)];
  const [old, fresh] = [then, now].map((rows) => new Set(rows.flatMap(({ line, bare }) => [line, bare])));
  const gone = then.map(({ key, line, bare }) => {
    if (fresh?.has(line)) return "plain";
    if (bare !== line && fresh?.has(bare)) return ofVersion(line) ? "plain" : "package";
    // What goes from a list of packages runs nothing.
    if (build.packages.test(key) || build.tools.test(key)) return "package";
    return build.plain.test(key) ? "plain" : "";
  });
  const come = now.map(({ key, line, bare, code }) => {
    if (old?.has(line)) return "plain";
    if (bare !== line && old?.has(bare)) return ofVersion(line) ? "plain" : "package";
    const isEntry = line.length <= longestLine && build.entry.test(code);
    if (isEntry && build.packages.test(key)) return "package";
    if (isEntry && build.tools.test(key)) return "package that runs";
    return build.plain.test(key) && !/[~#(`]|\.\./.test(code) ? "plain" : "";
  });
  return [...new Set([...gone, ...come])];
}

function rowsIn({ source, at }: Side, { keysOf }: BuildFile) {
  const keys = sectionsIn(source, keysOf);
  return rowsOf(at).flatMap((row) => {
    const [line, code] = [(source.lines[row] ?? "").trim(), (source.code[row] ?? "").trim()];
    // Cabal has comments of its own.
    if (isBracket(line) || code === "" || line.startsWith("--")) return [];
    return [{ line, code, key: keys[row]?.[0] ?? "", bare: withoutVersions(line) }];
  });
}

/** A line without the versions that are literals in it. */
export const withoutVersions = (line: string): string =>
  line.length > longestLine
    ? line
    : line.replace(
        /(?<=["'])[~^<>=! ]{0,4}v?\d{1,9}(?:\.\d{1,9}){0,5}(?:[-+.][A-Za-z0-9]{1,20}){0,4}(?=["'])/g,
        "",
      );

/** Whether it is the version of the project itself. */
export const ofVersion = (line: string): boolean =>
  /^\W{0,4}(?:ThisBuild ?\/ ?)?(?:\w{1,40}\.)?version(?:Code|Name)?\b/i.test(line);

/** In which function each line of a Mix file is. */
const mixFunctions: SectionReader = ({ lines }) => {
  let own = "";
  return lines.map((line) => {
    own = /^[ \t]{1,8}defp?[ \t]{1,4}(\w{1,40})/.exec(line.slice(0, longestLine))?.[1] ?? own;
    if (/^[ \t]{0,8}end\b/.test(line.slice(0, 20))) own = "";
    return [own];
  });
};

/** A list of applications that are there already, and what is only shown or packed. */
const applications = /^\[?(?:(?:extra|included)_)?applications:\s{0,4}\[[\s:\w,]*\]?[,\]]{0,2}$/;
const shown = /^(?:package|docs|description|groups_for_\w{1,40}|extras|links|cli)$/;
const calls = /[#&`|^]|\w\(|\.\w+\s*\(|\bfn\b|\bdo\b/;

/** What a Mix file says of packages or shows; `undefined` where a line is neither. */
export function sectionsOfMix({ before, after }: Hunk): readonly string[] | undefined {
  const found = [before, after].flatMap(({ source, at }) => {
    const known = sectionsIn(source, mixFunctions);
    return rowsOf(at).flatMap((row) => {
      const code = (source.code[row] ?? "").trim().slice(0, longestLine);
      const line = (source.lines[row] ?? "").slice(0, longestLine);
      if (code === "" || isBracket(code)) return [];
      const own = known[row]?.[0] ?? "";
      if (line.includes("#{") || (calls.test(code) && !/^defp? \w+ do$/.test(code))) return "";
      if (own === "deps") return /^\[?\{:\w+,/.test(code) ? "package" : "";
      return applications.test(code) || shown.test(own) ? "version = ''" : "";
    });
  });
  return found.includes("") ? undefined : [...new Set(found)];
}
