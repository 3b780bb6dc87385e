// Why one hunk has no place, in words: every place it fits, or the nearest one and what differs there, and ten lines
// of the file as it is.
import type { LineRange } from "./model.ts";
import type { Excerpt, Nearest, Refusal } from "./patch-error.ts";
import { quote } from "./quote.ts";
import { tellApart } from "./tell-apart.ts";

type HunkRefusal = Extract<Refusal, { readonly hunk: unknown }>;

export function hunkForPeople(refusal: HunkRefusal): string {
  const hunk = `Hunk ${refusal.number} of ${refusal.path}`;
  switch (refusal.kind) {
    case "not-found":
      if (refusal.appliedAt.length > 0) return `${hunk} looks already applied at ${rows(refusal.appliedAt)}.`;
      if (refusal.nearest === undefined) return `${hunk} fits nowhere: none of its lines are in the file.`;
      return `${hunk} fits nowhere: the nearest place differs at line ${refusal.nearest.line + 1}.`;
    case "already":
      return `${hunk} looks already applied at line ${refusal.at + 1}.`;
    case "doubt":
      return refusal.about === "indentation"
        ? `${hunk} fits line ${refusal.row + 1} only with other indentation, and how deep its new lines belong is not certain.`
        : `${hunk} fits line ${refusal.row + 1} only by characters that look alike, and which of them its new lines keep is not certain.`;
    case "no-anchor":
      return `${hunk} belongs below ${quote(refusal.anchor)}, which is not in the file.`;
    case "outside-anchor":
      return `${hunk} fits ${places(refusal.places, refusal.count)}, but that is not below its '@@' line.`;
    case "ambiguous":
      return `${hunk} fits several places: ${places(refusal.places, refusal.count)}.`;
    case "entangled":
      return `${hunk} changes the same lines as hunk ${refusal.other}.`;
    case "no-place":
      return `${hunk} only adds lines and does not say where.`;
    default:
      return refusal satisfies never;
  }
}

export function hunkForModel(refusal: HunkRefusal): string {
  const { path, number, hunk } = refusal;
  const old = hunk.lines.filter((line) => line.kind !== "added").map((line) => line.text);
  const isFound = ["ambiguous", "entangled", "already", "doubt"].includes(refusal.kind);
  const lost = !isFound && old.length > 0;
  const head = lost ? `Failed to find expected lines in ${path}:\n${shorten(old).join("\n")}\n` : "";
  const where = `Hunk ${number} of ${path} (line ${hunk.line} of the patch) `;
  return `${head}${where}${reason(refusal)}\n${excerpt(path, refusal.excerpt)}`;
}

function reason(refusal: HunkRefusal): string {
  switch (refusal.kind) {
    case "not-found":
      if (refusal.appliedAt.length > 0) {
        return `looks already applied at ${rows(refusal.appliedAt)}; leave it out.`;
      }
      return refusal.nearest === undefined
        ? "fits nowhere: none of its lines are in the file. Read the file and send the hunk anew."
        : `fits nowhere. ${nearest(refusal.nearest)} Send the hunk with the lines as they are now.`;
    case "already":
      return `looks already applied: the lines it adds are there, from line ${refusal.at + 1} on. Leave it out, or add the line below as context if they are to be there twice.`;
    case "doubt":
      return refusal.about === "indentation"
        ? `fits line ${refusal.row + 1} only if white space is ignored, and how deep its new lines belong cannot be told. Send the hunk with the file's own indentation, context and new lines alike.`
        : `fits line ${refusal.row + 1} only by look-alike characters, and which of the file's its new lines keep cannot be told. Send the removed lines exactly as the file has them.`;
    case "no-anchor":
      return `belongs below ${quote(refusal.anchor)}, which is not in the file. Name a line that is, or none.`;
    case "outside-anchor":
      return `fits ${places(refusal.places, refusal.count)}, but that is not below its '@@' line. Name a line above it.`;
    case "ambiguous":
      return `fits several places: ${places(refusal.places, refusal.count)}. Add lines of context, or name the enclosing function with '@@'.`;
    case "entangled":
      return `changes the same lines as hunk ${refusal.other} (${places(refusal.places, refusal.count)}). Send them as one hunk, once.`;
    case "no-place":
      return "only adds lines and does not say where. Add a line of context, name the line above with '@@', or end the hunk with '*** End of File'.";
    default:
      return refusal satisfies never;
  }
}

function nearest({ at, agreeing, line, patch, file }: Nearest): string {
  const agree = agreeing === 1 ? "1 line agrees" : `${agreeing} lines agree`;
  const where = `The nearest place is ${places([at])}, where ${agree}; at line ${line + 1}`;
  if (file === undefined) return `${where} the patch has ${quote(patch)} and the file has no such line.`;
  const told = tellApart(patch, file);
  const how = told.how === undefined ? "" : ` (${told.how})`;
  return `${where} the patch has ${told.patch} and the file has ${told.file}${how}.`;
}

function excerpt(path: string, { first, lines }: Excerpt): string {
  if (lines.length === 0) return `${path} is empty now.`;
  return `Lines ${first + 1}-${first + lines.length} of ${path} are now:\n${shorten(lines).join("\n")}`;
}

/** A model knows its own lines by the first of them. */
function shorten(lines: readonly string[]): string[] {
  const shown = lines.slice(0, 40).map((line) => (line.length > 400 ? `${line.slice(0, 399)}…` : line));
  return lines.length > shown.length ? [...shown, `(${lines.length - shown.length} more lines)`] : shown;
}

function places(ranges: readonly LineRange[], count = ranges.length): string {
  const named = ranges
    .slice(0, 10)
    .map(({ first, last }) => (last - first > 1 ? `${first + 1}-${last}` : `${first + 1}`));
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  const word =
    ranges.length === 1 && (ranges[0]?.last ?? 0) - (ranges[0]?.first ?? 0) <= 1 ? "line" : "lines";
  return `${word} ${named.join(", ")}${more}`;
}

function rows(list: readonly number[]): string {
  return places(list.map((row) => ({ first: row, last: row + 1 })));
}
