// The front matter of a Markdown file: a few fields between two lines of dashes. Written by people for several programs,
// so fields nobody here knows are normal, and so is what is not quite YAML.
import { visible } from "../../util/hidden-characters.ts";
import { asArray, asObject, asString } from "../../util/json.ts";

interface FrontMatter {
  /**
   * Each field with its texts: one, or those of a list. Other values are left out. Hidden characters are written out
   * once more, since YAML has escapes for them.
   */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** How many characters of the text it takes up; 0 if there is none. */
  readonly length: number;
}

/** A longer one is not what a person writes; then the file counts as one without. */
const maxLength = 8 * 1024;
const maxEntries = 200;

export const noFrontMatter: FrontMatter = { fields: new Map(), length: 0 };

/** `text` with LF line ends. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const [, inside, end] =
    /^---[ \t]*\n((?:(?!---[ \t]*(?:\n|$)).*\n)*)(---[ \t]*(?:\n|$))/.exec(text.slice(0, maxLength)) ?? [];
  if (inside === undefined || end === undefined) return noFrontMatter;
  const length = text.indexOf("\n") + 1 + inside.length + end.length;
  const { readYaml } = await import("./yaml-reader.ts");
  const value = asObject(readYaml(inside));
  return { fields: value === undefined ? readLoosely(inside) : fieldsOf(value), length };
}

function fieldsOf(value: Readonly<Record<string, unknown>>): Map<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  for (const [name, each] of Object.entries(value).slice(0, maxEntries)) {
    const texts = typeof each === "string" ? [each] : asArray(each).flatMap((one) => asString(one) ?? []);
    if (typeof each === "string" || Array.isArray(each))
      fields.set(name, texts.slice(0, maxEntries).map(visible));
  }
  return fields;
}

/**
 * Reads `name: text` line by line where YAML refuses. The commonest reasons are patterns without quotes
 * (`applyTo: **`, which YAML takes for an alias) and a colon in a description.
 */
function readLoosely(inside: string): Map<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  let last = "";
  for (const line of inside.split("\n").slice(0, maxEntries)) {
    const [, name, text = ""] = /^([A-Za-z][\w-]{0,63}):(.*)$/.exec(line) ?? [];
    const [, entry] = /^\s*-\s(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      last = name;
      fields.set(name, textsIn(text.trim()));
    } else if (entry !== undefined && last !== "")
      fields.set(last, [...(fields.get(last) ?? []), bare(entry.trim())]);
  }
  return fields;
}

function textsIn(text: string): readonly string[] {
  const isList = text.startsWith("[") && text.endsWith("]");
  if (!isList) return text === "" ? [] : [bare(text)];
  return text
    .slice(1, -1)
    .split(",")
    .map((each) => bare(each.trim()))
    .filter((each) => each !== "");
}

/** Without the quotes around it. */
const bare = (text: string): string =>
  text.length > 1 && /^["']/.test(text) && text.endsWith(text.slice(0, 1)) ? text.slice(1, -1) : text;
