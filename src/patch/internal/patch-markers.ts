// Recognizes what models put around a patch and its markers: code fences, here-documents, JSON, a common indentation,
// decoration. Each is recognized by its exact form; parse.ts ignores any other text around a patch.
import { trimEnd } from "../../util/text.ts";

/**
 * A line of a patch that begins with `***`, even if a model decorated it (`**Begin Patch**`, backticks, quotes,
 * trailing stars). Which markers are allowed where is not decided here.
 */
export type Marker = { readonly isDecorated: boolean } & (
  | { readonly kind: "begin" | "end" | "end-of-file" | "environment" }
  | { readonly kind: "section"; readonly word: "Add" | "Delete" | "Update"; readonly path: string }
  | { readonly kind: "move"; readonly path: string }
);

const words = { "Begin Patch": "begin", "End Patch": "end", "End of File": "end-of-file" } as const;
const bareMarker = /^(Begin Patch|End Patch|End of File)(.*)$/s;
const pathMarker = /^(?:(Add|Delete|Update) File|Move to):(.*)$/s;
const opening = /^(["'`]{0,3})(\*{2,12})([ \t]{0,4})/;

/** `text` is a line without trailing white space. */
export function readMarker(text: string): Marker | undefined {
  if (!"*\"'`".includes(text.charAt(0))) return undefined;
  const head = opening.exec(text);
  if (head === null) return undefined;
  const [lead, quotes = ""] = head;
  const body = text.slice(lead.length);
  const isStrict = lead === "*** ";
  const bare = bareMarker.exec(body);
  if (bare !== null) {
    const [, word = "", rest = ""] = bare;
    // Only decoration may follow: "*** End Patch of the first part" is prose.
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

/** Removes two or more trailing stars as decoration. A single one would be a wildcard, and no path may end with it. */
function withoutStars(path: string): string {
  const plain = trimEnd(path, "*");
  return path.length - plain.length > 1 ? plain : path;
}

const fence = /^(`{3,}|~{3,})[^`]*$/;
const heredoc = /^(?:(?:\$ )?(?:apply_patch|applypatch) )?<<-?\s*(["']?)(\w+)\1$/;

/** Returns the line that closes what this line opens, or undefined when it opens nothing. */
export function closerOf(line: string): string | undefined {
  return fence.exec(line)?.[1] ?? heredoc.exec(line)?.[2];
}

/**
 * Whether the line opens a here-document for another command, possibly after a change of directory: `cd sub &&
 * apply_patch <<EOF`.
 */
export function opensOther(line: string): boolean {
  return /<<-?\s*(["']?)\w+\1$/.test(line);
}

/** After other text, a bracket alone is not enough evidence. */
export function beginsJson(line: string, isBehindText: boolean): boolean {
  return (isBehindText ? /^[{[](\s*["[{]|$)/ : /^[{["]/).test(line);
}

/**
 * Returns the only string in a JSON text that holds a patch; undefined when it is not JSON or holds no patch or
 * several.
 */
export function patchInJson(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const found = stringsIn(value, 0).filter(holdsPatch);
  return found.length === 1 ? found[0] : undefined;
}

const holdsPatch = (text: string): boolean =>
  text.split("\n").some((line) => ["begin", "section"].includes(readMarker(line.trim())?.kind ?? ""));

function stringsIn(value: unknown, depth: number): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 4) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1));
}

/** Removes the first line's indentation from all lines up to the end marker, if they all have it. */
export function outdent(lines: readonly string[]): readonly string[] {
  const indentation = /^\s*/.exec(lines[0] ?? "")?.[0] ?? "";
  const end = lines.findLastIndex((line) => readMarker(line.trim())?.kind === "end");
  const body = end === -1 ? lines : lines.slice(0, end + 1);
  if (!body.every((line) => line.startsWith(indentation) || line.trim() === "")) return lines;
  return [...body.map((line) => line.slice(indentation.length)), ...lines.slice(body.length)];
}
