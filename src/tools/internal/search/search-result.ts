// Formats search results like grep: for each file its path, then the matching lines with their context. If there are
// many matches, each file shows only a few and the number of the others: a model that searches for a word wants to know
// where it is, and pays for each line with every following request.
import { type Message, message } from "../../../conversation/messages.ts";
import { forModel } from "../../../util/sentences.ts";
import { rankOf } from "./declarations.ts";
import type { FoundLine } from "./line-excerpts.ts";

/** Maximum number of matches shown. The fewer files there are, the more matches each file shows. */
const maxMatches = 100;
const maxBytes = 4 * 1024;
/** Matches of one file that are kept, and shown where they fit. */
export const maxMatchesPerFile = 50;
/** Matches shown per file, from the most detailed answer to the shortest. */
const perFile = [maxMatchesPerFile, 30, 20, 12, 8, 5, 3, 2, 1];
/** A result with more matches than this is read to find a place, not to edit it, so long lines are shortened. */
const fewMatches = 20;
/** Maximum length of a line in such a result. */
const longestOfMany = 200;
/** Matches that are not shown, of which the line is told. */
const maxNumbers = 12;
/** Files of which such lines are told even if no context was asked for. */
const fewFiles = 3;
/** Beside other files, a list that a package manager has written shows one match. */
const lockFile = /(?:^|\/)(?:[\w.-]+\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum)$/;
/** Files for which only the number of matches is shown. */
const maxCounted = 40;
/** Further files would not be mentioned. */
const maxFiles = maxMatches + maxCounted;
/** How many further files are found before it is looked again how many fit. */
const sometimes = 4;
/** A shorter file may be read whole, so that its length need not be said. */
const longFile = 200;
/** Once this many lines are stored, further files store their first match only. */
const maxLines = 5_000;

/** The matches in one file. */
export interface FileHits {
  readonly path: string;
  /** The first matching lines with their context. */
  readonly lines: readonly FoundLine[];
  /** Total number of matching lines. */
  readonly total: number;
  /** Number of lines of the whole file; absent if they were not counted. */
  readonly lineCount?: number;
  /** There may be more matches than `total`. */
  readonly isAtLeast?: boolean;
  /** What else is missing from this file's result. */
  readonly note?: string;
}

/** `context`: number of lines shown around a match; `other`: how else to see what is left out. */
export class SearchResult {
  readonly #context: number;
  readonly #other: string | undefined;
  readonly #found: FileHits[] = [];
  #matches = 0;
  #lines = 0;
  #isFull = false;
  /** How many files are shown with their first match, if not all are. */
  #fitting: number | undefined;

  constructor(context: number, other?: string) {
    this.#context = context;
    this.#other = other;
  }

  /** Further matches would not be shown. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** The files of which a line is shown. */
  get paths(): readonly string[] {
    return this.#found.slice(0, this.#blocks().length).map(({ path }) => path);
  }

  /** A short summary for people. */
  get summary(): Message {
    const [count, files] = [this.#matches, this.#found.length];
    if (this.#isFull) return message("toolMatchesAtLeast", { count, files });
    if (count === 1) return message("toolOneMatch");
    return files === 1 ? message("toolMatchesInOne", { count }) : message("toolMatches", { count, files });
  }

  take(found: FileHits): void {
    if (this.room === 1) {
      this.#isFull = true;
      return;
    }
    this.#matches += found.total;
    const lines = this.#lines < maxLines ? found.lines : this.#firstOf(found, 1, new Set());
    this.#lines += lines.length;
    this.#found.push({ ...found, lines });
  }

  /** How many further files are taken: those that might be mentioned, and one more, which tells that there are more. */
  get room(): number {
    const count = this.#found.length;
    const room = maxFiles + 1 - count;
    // Once there are so many, files are shown in as few lines and letters as they ever are, so those that fit are known.
    if (this.#fitting === undefined && this.#matches > fewMatches && count % sometimes === 0) {
      const fitting = this.#blocksOf(1).length;
      if (fitting < count) this.#fitting = fitting;
    }
    return this.#fitting === undefined ? room : Math.min(room, this.#fitting + maxCounted + 1 - count);
  }

  /** `notes`: what else was not searched. */
  text(notes: readonly string[]): string {
    const blocks = this.#blocks();
    const rest = this.#found.slice(blocks.length);
    const more = this.#isFull || rest.length > maxCounted;
    const counted = [
      `[No room for the lines of ${rest.length === 1 ? "1 file" : `${rest.length} files`}. How many match in each:]`,
      ...rest
        .slice(0, maxCounted)
        .map(({ path, total, isAtLeast }) => `${path}: ${total}${isAtLeast ? " or more" : ""}`),
    ];
    const isCut = blocks.some(({ lines }) => lines.some((line) => line.isCut));
    const isMore = blocks.some((block) => block.more > 0);
    const own = this.#found.flatMap(({ note }) => note ?? []);
    const said = [
      ...(rest.length > 0 ? counted : []),
      ...(more ? [`[There are more; ${this.#other ?? "name a folder or a pattern"}.]`] : []),
      ...(isMore ? [`[To see more: ${this.#wayOn(blocks)}.]`] : []),
      ...(isCut ? ["[Long lines are cut, as they say.]"] : []),
      ...[...own, ...notes].map((note) => `[${note}]`),
    ].join("\n");
    const shown = this.isEmpty ? [forModel("No matches.")] : blocks.map(({ text }) => text);
    return [...shown, ...(said === "" ? [] : [said])].join("\n\n");
  }

  /** Says how to see what was left out. There is no second page, since a narrower query costs less. */
  #wayOn(blocks: readonly Block[]): string {
    if (this.#other !== undefined) return this.#other;
    const [only] = blocks;
    if (blocks.length > 1) return "name one of the files as path, or a more exact query";
    const exact = "name a more exact query";
    const last = only?.isUnbroken === true ? only.lines.at(-1)?.number : undefined;
    return last === undefined ? exact : `${exact}, or read on from line ${last + 1}`;
  }

  /**
   * Shows the highest number of matches per file with which all files fit; if there is none, one match each of as many
   * files as fit.
   */
  #blocks(): readonly Block[] {
    for (const most of perFile) {
      const blocks = this.#blocksOf(most);
      if (blocks.length === this.#found.length) return blocks;
    }
    return this.#blocksOf(1);
  }

  /** Stops at the first block that does not fit; the first block is always included. */
  #blocksOf(most: number): readonly Block[] {
    const blocks: Block[] = [];
    let [matches, bytes] = [0, 0];
    const words = new Set<string>();
    for (const found of this.#found) {
      const lines = this.#inShort(this.#firstOf(found, most, words));
      for (const { word } of lines) if (word !== undefined) words.add(word);
      const count = matchesIn(lines);
      const more = found.total - count;
      const first = found.lines.filter(({ isContext }) => !isContext).slice(0, count);
      const isUnbroken = first.at(-1)?.number === lines.findLast(({ isContext }) => !isContext)?.number;
      const block = { lines, more, isUnbroken, text: this.#written(found, lines, more) };
      matches += count;
      bytes += Buffer.byteLength(block.text);
      // A model that asks for context lines intends to edit the matches, and would request missing lines next. Allow
      // such a result half as much again.
      const fits = matches <= maxMatches && bytes <= maxBytes * (this.#context > 0 ? 1.5 : 1);
      if (!fits && (most > 1 || blocks.length > 0)) break;
      blocks.push(block);
    }
    return blocks;
  }

  /**
   * The most informative matches of a file with their context. Of a pattern with alternatives, matches of each come
   * before further ones of the same; `words`: those that are shown already.
   */
  #firstOf({ path, lines }: FileHits, asked: number, words: ReadonlySet<string>): readonly FoundLine[] {
    const matches = lines.filter(({ isContext }) => !isContext);
    const most = this.#found.length > 1 && lockFile.test(path) ? 1 : asked;
    if (matches.length <= most) return lines;
    const ranked = matches.toSorted((one, other) => rankOf(one) - rankOf(other));
    const shown = new Set(
      newWordsFirst(ranked, words)
        .slice(0, most)
        .map(({ number }) => number),
    );
    const isNear = (line: FoundLine) =>
      [...shown].some((number) => Math.abs(number - line.number) <= this.#context);
    return lines.filter((line) => (line.isContext ? isNear(line) : shown.has(line.number)));
  }

  /** Drops empty lines at the edges of the context. If there are many matches, shortens long lines. */
  #inShort(lines: readonly FoundLine[]): readonly FoundLine[] {
    const isEdge = (line: FoundLine, at: number) =>
      lines[at - 1]?.number !== line.number - 1 || lines[at + 1]?.number !== line.number + 1;
    const isEmptyEdge = (line: FoundLine, at: number) =>
      line.isContext === true && line.text.trim() === "" && isEdge(line, at);
    const kept = lines.filter((line, at) => !isEmptyEdge(line, at));
    if (this.#matches <= fewMatches) return kept;
    return kept.map((line) => (line.text.length <= longestOfMany ? line : aroundMatch(line)));
  }

  /** In few files, or around matches with context, where others look left out that are none, their lines are told. */
  #whereOf(known: readonly FoundLine[], lines: readonly FoundLine[], more: number): string {
    if (this.#context === 0 && this.#found.length > fewFiles) return "";
    const shown = new Set(lines.flatMap(({ number, isContext }) => (isContext ? [] : [number])));
    const hidden = known.flatMap(({ number, isContext }) => (isContext || shown.has(number) ? [] : [number]));
    const told = hidden.slice(0, maxNumbers);
    if (told.length === 0 || (this.#context === 0 && told.length < Math.min(more, fewFiles))) return "";
    return `: ${told.length === 1 ? "line" : "lines"} ${told.join(", ")}${told.length < more ? ", …" : ""}`;
  }

  #written(
    { path, lineCount = 0, lines: known }: FileHits,
    lines: readonly FoundLine[],
    more: number,
  ): string {
    return [
      lineCount > longFile ? `${path} (${lineCount} lines)` : path,
      ...lines.flatMap((line, at) => [
        ...(this.#context > 0 && at > 0 && line.number > (lines[at - 1]?.number ?? 0) + 1 ? ["--"] : []),
        `${line.number}${line.isContext ? "-" : ":"}${line.text}`,
      ]),
      ...(more > 0
        ? [`[${more} more ${more === 1 ? "match" : "matches"}${this.#whereOf(known, lines, more)}]`]
        : []),
    ].join("\n");
  }
}

/** Puts the first match of each word before the others: one that is not in `shown`, then one that is. */
function newWordsFirst(matches: readonly FoundLine[], shown: ReadonlySet<string>): readonly FoundLine[] {
  const own = new Set<string>();
  const ranked = matches.map((line) => {
    const { word } = line;
    if (word === undefined || own.has(word)) return { line, rank: 2 };
    own.add(word);
    return { line, rank: shown.has(word) ? 1 : 0 };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ line }) => line);
}

function aroundMatch(line: FoundLine): FoundLine {
  const { text, at = 0 } = line;
  const from = Math.max(0, at - longestOfMany / 2);
  const [before, after] = [from > 0 ? "[…]" : "", from + longestOfMany < text.length ? "[…]" : ""];
  return { ...line, text: before + text.slice(from, from + longestOfMany) + after, isCut: true };
}

interface Block {
  readonly lines: readonly FoundLine[];
  /** Number of matches in the file that are not shown. */
  readonly more: number;
  /** The shown matches are the first ones of the file, none left out between them. */
  readonly isUnbroken: boolean;
  readonly text: string;
}

const matchesIn = (lines: readonly FoundLine[]): number => lines.filter(({ isContext }) => !isContext).length;
