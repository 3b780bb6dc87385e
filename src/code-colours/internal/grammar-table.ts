// The grammars of installed extensions. Where two of them differ, the same one wins as in VS Code.
import { join } from "node:path";
import { fieldsOf, stringsIn } from "../../util/json.ts";

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
const wordsNoExtensionKnows: ReadonlyMap<string, string> = new Map([
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
      const name = wordsNoExtensionKnows.get(word) ?? word;
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
    for (const into of stringsIn(injectTo)) injected.set(into, [...(injected.get(into) ?? []), scope]);
  }

  function addLanguage(folder: string, fields: Readonly<Record<string, unknown>>): void {
    const { id, configuration } = fields;
    if (typeof id !== "string") return;
    ids.set(id.toLowerCase(), id);
    for (const alias of stringsIn(fields["aliases"])) aliases.set(alias.toLowerCase(), id);
    for (const end of stringsIn(fields["extensions"]))
      extensions.set(end.toLowerCase().replace(/^\./, ""), id);
    if (typeof configuration === "string")
      configurations.set(id, [...(configurations.get(id) ?? []), join(folder, configuration)]);
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const namesOr = (value: unknown, usual: readonly string[]): readonly string[] =>
  Array.isArray(value) ? stringsIn(value) : usual;

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
