// What themes and extensions say about the colours of code: the rules of a theme, and the table of grammars. Where two
// of them differ, the same one wins as in VS Code.
import { dirname, extname, join } from "node:path";
import { fieldsOf, parseLoosely } from "../../util/json.ts";

interface ThemeRule {
  readonly scope: string | string[];
  readonly settings: { readonly foreground?: string; readonly fontStyle?: string };
}

interface ThemeFiles {
  read(path: string): Promise<string>;
  /** Parses a property list, the format of TextMate themes. */
  parsePlist(text: string): unknown;
}

export interface ThemeColouring {
  /** The colour of text to which no rule applies. */
  readonly foreground: string | undefined;
  readonly rules: readonly ThemeRule[];
}

/** Limit for chains of themes that include each other; no real theme goes deeper. */
const deepest = 8;

/**
 * The code colours of a theme as TextMate rules: the theme's file with those that it includes. @throws if a file is
 * missing or no theme: an incomplete theme would look different.
 */
export async function readTheme(path: string, files: ThemeFiles, depth = deepest): Promise<ThemeColouring> {
  const text = await files.read(path);
  if (extname(path) !== ".json") return fromSettings(fieldsOf(files.parsePlist(text))["settings"]);
  const { include, settings, colors, tokenColors } = fieldsOf(parseLoosely(text));
  const beside = (name: string) => {
    if (depth === 0) throw new Error("Themes include each other.");
    return readTheme(join(dirname(path), name), files, depth - 1);
  };
  const under = typeof include === "string" ? await beside(include) : undefined;
  const own = Array.isArray(settings)
    ? fromSettings(settings)
    : typeof tokenColors === "string"
      ? await beside(tokenColors)
      : { foreground: undefined, rules: rulesIn(tokenColors) };
  const written = textOf(fieldsOf(colors)["editor.foreground"]);
  return {
    foreground: written ?? own.foreground ?? under?.foreground,
    rules: [...(under?.rules ?? []), ...own.rules],
  };
}

/** The format of themes before VS Code: the rule without a scope is about the editor. */
function fromSettings(settings: unknown): ThemeColouring {
  const all = Array.isArray(settings) ? settings : [];
  const base = all.find((rule: unknown) => fieldsOf(rule)["scope"] === undefined);
  return { foreground: textOf(fieldsOf(fieldsOf(base)["settings"])["foreground"]), rules: rulesIn(all) };
}

/** Groups that users may customize instead of scopes. */
const groups: Readonly<Record<string, readonly string[]>> = {
  comments: ["comment", "punctuation.definition.comment"],
  strings: ["string", "meta.embedded.assembly"],
  keywords: ["keyword - keyword.operator", "keyword.control", "storage", "storage.type"],
  numbers: ["constant.numeric"],
  types: ["entity.name.type", "entity.name.class", "support.type", "support.class"],
  functions: ["entity.name.function", "support.function"],
  variables: ["variable", "entity.name.variable"],
};

// The user's `editor.tokenColorCustomizations` come on top of the theme.

/** The user's customizations for all themes, then those for themes with this name. */
export function customRules(customizations: unknown, theme: string): readonly ThemeRule[] {
  const all = fieldsOf(customizations);
  const own: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(all)) {
    if (!isAbout(key, theme)) continue;
    for (const [name, more] of Object.entries(fieldsOf(value))) {
      const before = own[name];
      own[name] = Array.isArray(before) && Array.isArray(more) ? [...before, ...more] : (more ?? before);
    }
  }
  return [...rulesOfGroups(all), ...rulesOfGroups(own)];
}

/** Matches `[Monokai]`, `[*Dark*]`, `[Abyss][Red]`. */
function isAbout(key: string, theme: string): boolean {
  if (!key.startsWith("[") || !key.endsWith("]")) return false;
  return (key.match(/\[[^[\]]+\]/g) ?? []).some((scope) => {
    const name = scope.slice(1, -1);
    const [open, close] = [name.startsWith("*"), name.endsWith("*")];
    if (name === theme) return true;
    if (open && close && theme.includes(name.slice(1, -1))) return true;
    return (close && theme.startsWith(name.slice(0, -1))) || (open && theme.endsWith(name.slice(1)));
  });
}

function rulesOfGroups(written: Readonly<Record<string, unknown>>): readonly ThemeRule[] {
  const ofGroups = Object.entries(groups).flatMap(([group, scopes]) => {
    const value = written[group];
    if (value === undefined || value === null || value === "") return [];
    const settings = typeof value === "string" ? { foreground: value } : value;
    return rulesIn(scopes.map((scope) => ({ scope, settings })));
  });
  return [...ofGroups, ...rulesIn(written["textMateRules"])];
}

function rulesIn(written: unknown): readonly ThemeRule[] {
  return (Array.isArray(written) ? written : []).flatMap((each: unknown) => {
    const { scope, settings } = fieldsOf(each);
    if (scope === undefined || scope === "" || typeof settings !== "object" || settings === null) return [];
    const scopes = typeof scope === "string" ? scope : namesIn(scope);
    const fields = fieldsOf(settings);
    const foreground = colourOf(fields["foreground"]);
    const fontStyle = textOf(fields["fontStyle"]);
    return [
      {
        scope: scopes,
        settings: {
          ...(foreground !== undefined && { foreground }),
          ...(fontStyle !== undefined && { fontStyle }),
        },
      },
    ];
  });
}

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Formats colours like VS Code: upper-case hexadecimal, two digits per channel, without full opacity. */
export function colourOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value))
    return undefined;
  const digits = value.slice(1).toUpperCase();
  const long = digits.length < 5 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return `#${long.length === 8 && long.endsWith("FF") ? long.slice(0, 6) : long}`;
}

/** Contributions of one extension from its package.json; their form is not trusted. */
export interface Contribution {
  /** The extension's folder. */
  readonly folder: string;
  readonly grammars: unknown;
  readonly languages: unknown;
}

interface GrammarFile {
  readonly scope: string;
  readonly path: string;
  readonly language: string | undefined;
  /** Scopes within it that contain another language. */
  readonly embedded: Readonly<Record<string, string>>;
  /** Scopes that are a comment, a string or neither, regardless of their names. */
  readonly tokenTypes: Readonly<Record<string, string>>;
  readonly balanced: readonly string[];
  readonly unbalanced: readonly string[];
}

export interface GrammarTable {
  grammarOf(scope: string): GrammarFile | undefined;
  /** Including those of grammars that are injected into it. */
  embeddedIn(scope: string): Readonly<Record<string, string>>;
  injectionsInto(scope: string): readonly string[];
  /** The language that a word means, if there is a grammar for it. */
  languageOf(word: string): string | undefined;
  scopeOf(language: string): string | undefined;
  /** Files with its bracket configuration; later files override earlier ones. */
  configurationsOf(language: string): readonly string[];
}

/** Words that people write after a fence and that no extension knows. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["docker", "dockerfile"],
  ["golang", "go"],
  ["node", "javascript"],
  ["objectivec", "objective-c"],
  ["python3", "python"],
  ["vbnet", "vb"],
]);

/**
 * The grammars of installed extensions, including VS Code's own: which file describes which scope, what is injected
 * into it, and which language a word after a fence means. As in VS Code, later extensions win.
 */
export function createGrammarTable(contributions: readonly Contribution[]): GrammarTable {
  const grammars = new Map<string, GrammarFile>();
  const injected = new Map<string, string[]>();
  const scopes = new Map<string, string>();
  const configurations = new Map<string, string[]>();
  const [ids, aliases, extensions] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];

  for (const { folder, grammars: written, languages } of contributions) {
    for (const each of listIn(written)) addGrammar(folder, fieldsOf(each));
    for (const each of listIn(languages)) addLanguage(folder, fieldsOf(each));
  }
  return {
    grammarOf: (scope) => grammars.get(scope),
    embeddedIn(scope) {
      const inside = [...(injected.get(scope) ?? []), scope].map(
        (name) => grammars.get(name)?.embedded ?? {},
      );
      return Object.assign({}, ...inside.reverse());
    },
    injectionsInto(scope) {
      const parts = scope.split(".");
      return parts.flatMap((_, index) => injected.get(parts.slice(0, index + 1).join(".")) ?? []);
    },
    languageOf(word) {
      const name = otherWords.get(word) ?? word;
      return [ids, aliases, extensions]
        .map((known) => known.get(name))
        .find((id) => id !== undefined && scopes.has(id));
    },
    scopeOf: (language) => scopes.get(language),
    configurationsOf: (language) => configurations.get(language) ?? [],
  };

  function addGrammar(folder: string, fields: Readonly<Record<string, unknown>>): void {
    const { scopeName: scope, path, language, injectTo } = fields;
    if (typeof scope !== "string" || typeof path !== "string") return;
    grammars.set(scope, {
      scope,
      path: join(folder, path),
      language: typeof language === "string" ? language : undefined,
      embedded: textsIn(fields["embeddedLanguages"]),
      tokenTypes: textsIn(fields["tokenTypes"]),
      balanced: namesOr(fields["balancedBracketScopes"], ["*"]),
      unbalanced: namesOr(fields["unbalancedBracketScopes"], []),
    });
    if (typeof language === "string") scopes.set(language, scope);
    for (const into of namesIn(injectTo)) injected.set(into, [...(injected.get(into) ?? []), scope]);
  }

  function addLanguage(folder: string, fields: Readonly<Record<string, unknown>>): void {
    const { id, configuration } = fields;
    if (typeof id !== "string") return;
    ids.set(id.toLowerCase(), id);
    for (const alias of namesIn(fields["aliases"])) aliases.set(alias.toLowerCase(), id);
    for (const end of namesIn(fields["extensions"])) extensions.set(end.toLowerCase().replace(/^\./, ""), id);
    if (typeof configuration === "string")
      configurations.set(id, [...(configurations.get(id) ?? []), join(folder, configuration)]);
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const namesOr = (value: unknown, usual: readonly string[]): readonly string[] =>
  Array.isArray(value) ? namesIn(value) : usual;

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
