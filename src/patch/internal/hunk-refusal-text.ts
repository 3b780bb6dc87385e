// Explains why a hunk has no place: every place it fits, or the nearest one and what differs there, and ten lines of
// the file as it is.
import { type Message, message } from "../../conversation/messages.ts";
import type { LineRange } from "../model.ts";
import type { Excerpt, Nearest, PlacesTold, Refusal } from "../patch-error.ts";
import { indentOf } from "./indent-scale.ts";
import { fold } from "./line-equality.ts";

const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const longest = 120;

/** Makes foreign text safe to quote in a sentence: short, on one line, and without invisible characters. */
export function sanitizeExcerpt(text: string): string {
  // Cut first, so that invisible characters are not spelled out in a part that is not shown.
  const visible = text
    .slice(0, longest + 1)
    .replace(unseen, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${visible.length > longest ? `${visible.slice(0, longest - 1)}…` : visible}"`;
}

interface Told {
  readonly patch: string;
  readonly file: string;
  /** Describes a difference that is easily overlooked. */
  readonly how: string | undefined;
}

/** How many characters of a line are shown, and how many of them precede the difference if its beginning is cut off. */
const [shown, before] = [60, 10];

/**
 * Quotes two differing lines so that a reader sees where they differ: invisible characters are spelled out, long lines
 * are cut around their first difference, and differences in white space or look-alikes only are described in words.
 */
function disambiguate(patch: string, file: string): Told {
  let at = 0;
  while (at < patch.length && patch[at] === file[at]) at += 1;
  const isLate = at > shown - before || sanitizeExcerpt(visible(patch.slice(0, at))).length > shown;
  const from = isLate ? Math.max(0, at - before) : 0;
  const around = (text: string) =>
    sanitizeExcerpt(
      `${from > 0 ? "…" : ""}${visible(text.slice(from, from + shown))}${text.length > from + shown ? "…" : ""}`,
    );
  return { patch: around(patch), file: around(file), how: howTheyDiffer(patch, file) };
}

/** Spells out combining marks on their own and unusual spaces, which would be invisible. */
function visible(text: string): string {
  return text.replace(/[\p{M}\p{Zs}]/gu, (char) => (char === " " ? char : inHex(char)));
}

function inHex(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

function howTheyDiffer(patch: string, file: string): string | undefined {
  if (patch.trim() === file.trim()) {
    const [one, other] = [indentOf(patch), indentOf(file)];
    if (one !== other)
      return `only the indentation differs: ${spaceInWords(one)} in the patch, ${spaceInWords(other)} in the file`;
    const end = (text: string) => spaceInWords(text.slice(text.trimEnd().length));
    return `only the end of the line differs: ${end(patch)} in the patch, ${end(file)} in the file`;
  }
  if (fold(patch) !== fold(file)) return undefined;
  const [own, there] = [[...patch.trim()], [...file.trim()]];
  const at = own.findIndex((char, step) => char !== there[step]);
  return `they only look alike: ${named(own[at])} in the patch, ${named(there[at])} in the file`;
}

function named(char: string | undefined): string {
  return char === undefined
    ? "nothing"
    : `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** For example `2 tabs and 1 space`. */
function spaceInWords(space: string): string {
  const runs = space.match(/(.)\1*/gsu) ?? [];
  const words = runs.slice(0, 4).map((run) => {
    const word = run.startsWith("\t") ? "tab" : run.startsWith(" ") ? "space" : named(run[0]);
    return `${run.length} ${word}${run.length > 1 ? "s" : ""}`;
  });
  return words.length === 0 ? "nothing" : words.join(" and ");
}

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
      return message("patchHunkAnchor", { number, path, anchor: sanitizeExcerpt(refusal.anchor) });
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

/** Message codes by where it fits: at one line, at several, or at more than are listed. */
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
    case "not-found": {
      if (refusal.appliedAt.length > 0)
        return `looks already applied at ${rows(refusal.appliedAt)}; leave it out.`;
      const begun = begunLine(refusal);
      if (begun !== undefined) return `fits nowhere. ${begun} Read that line and send all of it.`;
      return refusal.nearest === undefined
        ? "fits nowhere: none of its lines are in the file. Read the file and send the hunk again."
        : `fits nowhere. ${nearest(refusal.nearest)} Send the hunk with the lines as they are now.`;
    }
    case "already":
      return `looks already applied: the lines it adds are there, from line ${refusal.at + 1} on. Leave it out, or give the lines that are there as context if they are to be there twice.`;
    case "doubt":
      return refusal.about === "indentation"
        ? `fits line ${refusal.row + 1} only if white space is ignored, and how deep its new lines belong cannot be told. Send the hunk with the file's own indentation, context and new lines alike.`
        : `fits line ${refusal.row + 1} only by look-alike characters, and which of the file's its new lines keep cannot be told. Send the removed lines exactly as the file has them.`;
    case "no-anchor":
      return `belongs below ${sanitizeExcerpt(refusal.anchor)}, which is not in the file. Name a line that is, or none.`;
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

/** Shorter parts begin too many lines. */
const shortestBeginning = 8;
const mostLooked = 40;
const mostPlaces = 1_000;
/** How much is read before a match to find its indentation, and after it to find the rest of its line. */
const widest = 200;

/**
 * A tool result may have cut a line, or the model may have written it cut: the file then has a line that only begins
 * with it.
 */
function begunLine({ hunk, excerpt: { whole } }: HunkRefusal): string | undefined {
  for (const { text } of hunk.lines.filter(({ kind }) => kind !== "added").slice(0, mostLooked)) {
    const part = text.replace(/(?:…|\.\.\.)\s*$/, "").trim();
    const places = part.length < shortestBeginning ? [] : beginningsOf(part, whole);
    const [at] = places;
    if (at === undefined) continue;
    const how = places.length > 1 ? " and others only begin so" : " only begins so";
    return `${sanitizeExcerpt(part)} is not a whole line: line ${whole.slice(0, at).split("\n").length} of the file${how}.`;
  }
  return undefined;
}

/**
 * Returns where lines begin with `part` and continue, at most two; none if a line equals it. Stops as early as
 * possible.
 */
function beginningsOf(part: string, whole: string): readonly number[] {
  const found: number[] = [];
  let at = whole.indexOf(part);
  for (let looked = 0; at >= 0 && looked < mostPlaces; looked++) {
    const end = at + part.length;
    const before = whole.slice(Math.max(0, at - widest), at);
    const indent = before.slice(before.lastIndexOf("\n") + 1);
    const isBeginning = indent.trim() === "" && (indent.length < before.length || before.length === at);
    const [after = ""] = whole.slice(end, end + widest).split("\n", 1);
    if (isBeginning && after.trim() === "") return [];
    if (isBeginning && found.length < 2) found.push(at);
    at = whole.indexOf(part, end);
  }
  return found;
}

function nearest({ at, agreeing, line, patch, file }: Nearest): string {
  const agree = agreeing === 1 ? "1 line agrees" : `${agreeing} lines agree`;
  const where = `The nearest place is ${places([at])}, where ${agree}; at line ${line + 1}`;
  if (file === undefined)
    return `${where} the patch has ${sanitizeExcerpt(patch)} and the file has no such line.`;
  const told = disambiguate(patch, file);
  const how = told.how === undefined ? "" : ` (${told.how})`;
  return `${where} the patch has ${told.patch} and the file has ${told.file}${how}.`;
}

function excerpt(path: string, { first, lines }: Excerpt): string {
  if (lines.length === 0) return `${path} is empty now.`;
  return `Lines ${first + 1}-${first + lines.length} of ${path} are now:\n${shorten(lines, (line) => line).join("\n")}`;
}

/** The first lines are enough for a model to recognize its own. */
function shorten<T>(lines: readonly T[], textOf: (line: T) => string): string[] {
  const shown = lines
    .slice(0, 40)
    .map(textOf)
    .map((line) => (line.length > 400 ? `${line.slice(0, 399)}…` : line));
  return lines.length > shown.length ? [...shown, `(${lines.length - shown.length} more lines)`] : shown;
}

/** Names the first ten. */
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
