// Why one hunk has no place, in words: every place it fits, or the nearest one and what differs there, and ten lines
// of the file as it is.
import { type Message, message } from "../messages/message.ts";
import type { LineRange } from "./model.ts";
import type { Excerpt, Nearest, PlacesTold, Refusal } from "./patch-error.ts";
import { quote } from "./quote-foreign.ts";
import { tellApart } from "./tell-apart.ts";

type HunkRefusal = Extract<Refusal, { readonly hunk: unknown }>;

export function hunkForPeople(refusal: HunkRefusal): Message {
  const { number, path } = refusal;
  switch (refusal.kind) {
    case "not-found": {
      const [at] = refusal.appliedAt;
      if (at !== undefined && refusal.appliedAt.length > 1)
        return placed(applied, refusal, {
          places: refusal.appliedAt.map(rowOf),
          count: refusal.appliedAt.length,
        });
      if (at !== undefined) return message("patchHunkApplied", { number, path, line: at + 1 });
      if (refusal.nearest === undefined) return message("patchHunkNowhere", { number, path });
      return message("patchHunkNearest", { number, path, line: refusal.nearest.line + 1 });
    }
    case "already":
      return message("patchHunkApplied", { number, path, line: refusal.at + 1 });
    case "doubt": {
      const code = refusal.about === "indentation" ? "patchHunkIndentation" : "patchHunkSpelling";
      return message(code, { number, path, line: refusal.row + 1 });
    }
    case "no-anchor":
      return message("patchHunkAnchor", { number, path, anchor: quote(refusal.anchor) });
    case "outside-anchor":
      return placed(outside, refusal, refusal);
    case "ambiguous":
      return placed(several, refusal, refusal);
    case "entangled":
      return message("patchHunkEntangled", { number, path, other: refusal.other });
    case "no-place":
      return message("patchHunkNoPlace", { number, path });
    default:
      return refusal satisfies never;
  }
}

/** Where it fits: at one line, at several, or at more than are told. */
const applied = { one: "patchHunkApplied", all: "patchHunkAppliedAt", some: "patchHunkAppliedMore" } as const;
const outside = { one: "patchHunkOutside", all: "patchHunkOutsideAt", some: "patchHunkOutsideMore" } as const;
const several = { one: undefined, all: "patchHunkSeveral", some: "patchHunkSeveralMore" } as const;

function placed(
  { one, all, some }: typeof applied | typeof outside | typeof several,
  { number, path }: Pick<HunkRefusal, "number" | "path">,
  told: PlacesTold,
): Message {
  const { named, more, isOneLine } = placesIn(told.places, told.count);
  if (one !== undefined && isOneLine && more === 0) return message(one, { number, path, line: named });
  return more > 0
    ? message(some, { number, path, lines: named, count: more })
    : message(all, { number, path, lines: named });
}

export function hunkForModel(refusal: HunkRefusal): string {
  const { path, number, hunk } = refusal;
  const old = hunk.lines.filter((line) => line.kind !== "added");
  const isFound = ["ambiguous", "entangled", "already", "doubt"].includes(refusal.kind);
  const lost = !isFound && old.length > 0;
  const head = lost
    ? `Failed to find expected lines in ${path}:\n${shorten(old, ({ text }) => text).join("\n")}\n`
    : "";
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
  return `Lines ${first + 1}-${first + lines.length} of ${path} are now:\n${shorten(lines, (line) => line).join("\n")}`;
}

/** A model knows its own lines by the first of them. */
function shorten<T>(lines: readonly T[], textOf: (line: T) => string): string[] {
  const shown = lines
    .slice(0, 40)
    .map(textOf)
    .map((line) => (line.length > 400 ? `${line.slice(0, 399)}…` : line));
  return lines.length > shown.length ? [...shown, `(${lines.length - shown.length} more lines)`] : shown;
}

/** The first ten of them. */
function placesIn(ranges: readonly LineRange[], count: number) {
  const told = ranges.slice(0, 10);
  const named = told.map(({ first, last }) => (last - first > 1 ? `${first + 1}-${last}` : `${first + 1}`));
  const isOneLine = ranges.length === 1 && ranges.every(({ first, last }) => last - first <= 1);
  return { named: named.join(", "), more: Math.max(0, count - told.length), isOneLine };
}

function places(ranges: readonly LineRange[], count = ranges.length): string {
  const { named, more, isOneLine } = placesIn(ranges, count);
  return `${isOneLine ? "line" : "lines"} ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

const rowOf = (row: number): LineRange => ({ first: row, last: row + 1 });
const rows = (list: readonly number[]): string => places(list.map(rowOf));
