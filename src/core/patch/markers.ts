// The lines of a patch that begin with `***`: which one a line is, also where a model has decorated it (`**Begin
// Patch**`, backticks, quotes, stars behind it). It knows one line at a time and nothing of what may stand where.
import { trimEnd } from "../util/trim-end.ts";

export type Marker = { readonly isDecorated: boolean } & (
  | { readonly kind: "begin" | "end" | "end-of-file" | "environment" }
  | { readonly kind: "section"; readonly word: "Add" | "Delete" | "Update"; readonly path: string }
  | { readonly kind: "move"; readonly path: string }
);

const words = { "Begin Patch": "begin", "End Patch": "end", "End of File": "end-of-file" } as const;
const bareMarker = /^(Begin Patch|End Patch|End of File)(.*)$/s;
const pathMarker = /^(?:(Add|Delete|Update) File|Move to):(.*)$/s;
const opening = /^(["'`]{0,3})(\*{2,12})([ \t]{0,4})/;

/** `text` is a line without white space behind it. */
export function readMarker(text: string): Marker | undefined {
  const head = opening.exec(text);
  if (head === null) return undefined;
  const [lead, quotes = ""] = head;
  const body = text.slice(lead.length);
  const isStrict = lead === "*** ";
  const bare = bareMarker.exec(body);
  if (bare !== null) {
    const [, word = "", rest = ""] = bare;
    // What follows must be decoration as well: "*** End Patch of the first part" is prose.
    if (trimEnd(rest, "*\"'`:. \t") !== "") return undefined;
    return { kind: words[word as keyof typeof words], isDecorated: !isStrict || rest !== "" };
  }
  const named = pathMarker.exec(body);
  if (named === null) {
    const isEnvironment = isStrict && /^Environment(?: ID)?:/.test(body);
    return isEnvironment ? { kind: "environment", isDecorated: false } : undefined;
  }
  const [, word, rest = ""] = named;
  const whole = trimEnd(rest, " \t");
  const unquoted = whole.endsWith(quotes) ? whole.slice(0, whole.length - quotes.length) : whole;
  const path = withoutStars(trimEnd(unquoted, " \t")).trim();
  const isDecorated = !isStrict || path !== rest.trim();
  if (word === undefined) return { kind: "move", path, isDecorated };
  return { kind: "section", word: word as "Add" | "Delete" | "Update", path, isDecorated };
}

/** Two and more are decoration; a single one would stand for other names, and no path may end with it. */
function withoutStars(path: string): string {
  const plain = trimEnd(path, "*");
  return path.length - plain.length > 1 ? plain : path;
}
