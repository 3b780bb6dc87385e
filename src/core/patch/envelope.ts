// What models put around a patch: code fences, here-documents, JSON, a common indentation. Each is recognised by its
// exact form; all else around a patch is other text, which parse.ts overlooks.
import { readMarker } from "./markers.ts";

const fence = /^(`{3,}|~{3,})[^`]*$/;
const heredoc = /^(?:(?:\$ )?(?:apply_patch|applypatch) )?<<-?\s*(["']?)(\w+)\1$/;

/** The line that closes what this line opens, or undefined when it opens nothing. */
export function closerOf(line: string): string | undefined {
  return fence.exec(line)?.[1] ?? heredoc.exec(line)?.[2];
}

/** A here-document for another command, which may have led elsewhere first: `cd sub && apply_patch <<EOF`. */
export function opensOther(line: string): boolean {
  return /<<-?\s*(["']?)\w+\1$/.test(line);
}

/** Behind other text a bracket alone says too little. */
export function beginsJson(line: string, isBehindText: boolean): boolean {
  return (isBehindText ? /^[{[](\s*["[{]|$)/ : /^[{["]/).test(line);
}

/** The one string in a JSON text that holds a patch; undefined when it is not JSON or holds none, or several. */
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

/** Takes the first line's indentation off every line up to the end marker, if they all have it. */
export function outdent(lines: readonly string[]): readonly string[] {
  const indentation = /^\s*/.exec(lines[0] ?? "")?.[0] ?? "";
  const end = lines.findLastIndex((line) => readMarker(line.trim())?.kind === "end");
  const body = end === -1 ? lines : lines.slice(0, end + 1);
  if (!body.every((line) => line.startsWith(indentation) || line.trim() === "")) return lines;
  return [...body.map((line) => line.slice(indentation.length)), ...lines.slice(body.length)];
}
