// The rules of a theme for the colours of code, and those that a person's settings add. Where two of them differ, the
// same one wins as in VS Code.
import { dirname, extname, join } from "node:path";
import { fieldsOf, parseLoosely, stringsIn } from "../../util/json.ts";

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
    const scopes = typeof scope === "string" ? scope : stringsIn(scope);
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

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Formats colours like VS Code: upper-case hexadecimal, two digits per channel, without full opacity. */
export function colourOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value))
    return undefined;
  const digits = value.slice(1).toUpperCase();
  const long = digits.length < 5 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return `#${long.length === 8 && long.endsWith("FF") ? long.slice(0, 6) : long}`;
}
