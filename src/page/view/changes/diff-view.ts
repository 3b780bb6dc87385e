// The lines of a change as a narrow card should show them, with their status and numbers.
import type { PatchFile, PatchHunk } from "../../../conversation/state.ts";
import { button, h } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { messageText } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";

interface DiffLine {
  /** Includes the sign, since colour alone is not enough. */
  readonly text: string;
  readonly kind: "added" | "removed" | "same";
  /** Line number in the current file, or in the proposed one. */
  readonly number: number | undefined;
  /** The ranges of changed words in the text. */
  readonly words: readonly (readonly [from: number, to: number])[];
  /** Lines between this one and the next are left out. */
  readonly isCut: boolean;
}

type Bare = Pick<DiffLine, "text" | "kind" | "number">;

/**
 * Reduces the lines of a change to what is worth reading: one line of context, line numbers, and the changed words of
 * replaced lines. Pure. `first` is the number of the first changed line.
 */
function diffLines(diff: string, first: number | undefined): readonly DiffLine[] {
  const all = numbered(diff.replace(/\n$/, "").split("\n"), first);
  const kept = all.flatMap((line, index) => (isWorthReading(all, index) ? [{ line, index }] : []));
  const words = changedWords(all);
  return kept.map(({ line, index }, at) => ({
    ...line,
    words: words.get(line) ?? [],
    isCut: at < kept.length - 1 && kept[at + 1]?.index !== index + 1,
  }));
}

/** The readable text of a diff. */
const diffText = (diff: string): string =>
  diffLines(diff, undefined)
    .map(({ text }) => `${text}\n`)
    .join("");

function numbered(lines: readonly string[], first: number | undefined): readonly Bare[] {
  const before = lines.findIndex((line) => kindOf(line) !== "same");
  let old = (first ?? 0) - Math.max(0, before);
  let now = old;
  return lines.map((text) => {
    const kind = kindOf(text);
    const number = kind === "removed" ? old : now;
    if (kind !== "added") old += 1;
    if (kind !== "removed") now += 1;
    return { text, kind, number: first === undefined ? undefined : number };
  });
}

const kindOf = (line: string): DiffLine["kind"] =>
  line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";

/** Changed lines and those next to them, except an empty line at the edge. */
function isWorthReading(lines: readonly Bare[], index: number): boolean {
  const line = lines[index];
  if (line === undefined || line.kind !== "same") return line !== undefined;
  const isChange = (at: number) => lines[at] !== undefined && lines[at].kind !== "same";
  const [above, below] = [isChange(index - 1), isChange(index + 1)];
  return (above && below) || ((above || below) && line.text.trim() !== "");
}

/** Compares removed lines with those that replace them, one by one. */
function changedWords(lines: readonly Bare[]): ReadonlyMap<Bare, DiffLine["words"]> {
  const found = new Map<Bare, DiffLine["words"]>();
  let at = 0;
  while (at < lines.length) {
    const removed = run(lines, at, "removed");
    const added = run(lines, at + removed.length, "added");
    for (const [index, one] of removed.entries()) {
      const other = added[index];
      if (other === undefined) break;
      const [before, after] = wordsBetween(one.text, other.text);
      found.set(one, before);
      found.set(other, after);
    }
    at += Math.max(1, removed.length + added.length);
  }
  return found;
}

function run(lines: readonly Bare[], from: number, kind: DiffLine["kind"]): readonly Bare[] {
  let to = from;
  while (lines[to]?.kind === kind) to += 1;
  return lines.slice(from, to);
}

/** Lines with more words are not compared word by word. */
const mostWords = 200;
/** With less in common, two lines are unrelated, and marks would only be noise. */
const leastInCommon = 0.3;

function wordsBetween(one: string, other: string): readonly [DiffLine["words"], DiffLine["words"]] {
  const [a, b] = [wordsIn(one.slice(1)), wordsIn(other.slice(1))];
  if (a.length > mostWords || b.length > mostWords) return [[], []];
  const [inA, inB] = inCommon(a, b);
  const shared = a.reduce((sum, word, index) => sum + (inA.has(index) ? word.trim().length : 0), 0);
  const longest = Math.max(one.trim().length, other.trim().length) - 1;
  if (shared < longest * leastInCommon) return [[], []];
  return [placesOf(a, inA), placesOf(b, inB)];
}

const wordsIn = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];

/** The words that are in both lists in the same order (longest common subsequence). */
function inCommon(a: readonly string[], b: readonly string[]): readonly [Set<number>, Set<number>] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const length = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = a.length - 1; row >= 0; row -= 1)
    for (let column = b.length - 1; column >= 0; column -= 1) {
      const longest =
        a[row] === b[column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1));
      lengths[row]?.fill(longest, column, column + 1);
    }
  const [inA, inB] = [new Set<number>(), new Set<number>()];
  for (let row = 0, column = 0; row < a.length && column < b.length; ) {
    if (a[row] === b[column]) {
      inA.add(row++);
      inB.add(column++);
    } else if (length(row + 1, column) >= length(row, column + 1)) row += 1;
    else column += 1;
  }
  return [inA, inB];
}

/** The ranges of words that are not in common. Adjacent ranges are joined, including the white space between them. */
function placesOf(words: readonly string[], common: ReadonlySet<number>): DiffLine["words"] {
  const places: [number, number][] = [];
  let at = 1;
  for (const [index, word] of words.entries()) {
    const isBetween = word.trim() === "" && !common.has(index - 1) && !common.has(index + 1) && index > 0;
    const last = places.at(-1);
    if (!common.has(index) || (isBetween && index < words.length - 1)) {
      if (last?.[1] === at) last[1] = at + word.length;
      else places.push([at, at + word.length]);
    }
    at += word.length;
  }
  return places;
}

/**
 * Draws one hunk of a file: its place, status and lines with their signs. `isOneOfSeveral`: the status is shown beside
 * the hunk, because that of the patch does not tell it.
 */
export function hunkView(
  { line, status, note, diff, edited }: PatchHunk,
  place: string,
  open: (line: number) => void,
  isOneOfSeveral: boolean,
): HTMLElement {
  const where = line === undefined ? h("span", {}, place) : button(place, "link", () => open(line));
  const head = h("p", { class: "hunk-head" }, where);
  if (edited === true) head.append(h("span", { class: "edited", "data-read": "" }, strings.hunkEdited));
  // The decision buttons already say that it is pending.
  if (status !== "pending" && isOneOfSeveral)
    head.append(h("span", { class: `status ${status}` }, statusWords[status]));
  const view = h("div", { class: "hunk" }, head);
  if (note !== undefined) view.append(remark("info", messageText(note)));
  if (diff !== undefined) view.append(diffView(diff, place, line));
  return view;
}

const statusWords: Readonly<Record<Exclude<PatchHunk["status"], "pending">, string>> = {
  applied: strings.patchApplied,
  rejected: strings.hunkRejected,
  undone: strings.patchUndone,
  conflict: strings.patchConflict,
  replaced: strings.patchReplaced,
};

/** The readable text of a hunk below its place. */
export const hunkWords = ({ note, diff, edited }: PatchHunk): readonly string[] => [
  edited === true ? strings.hunkEdited : "",
  note === undefined ? "" : messageText(note),
  diff === undefined ? "" : diffText(diff),
];

function diffView(diff: string, place: string, first: number | undefined): HTMLElement {
  const shown = diffLines(diff, first);
  const widest = shown.reduce((most, { number = 0 }) => Math.max(most, String(number).length), 0);
  const body = h("span", { class: "lines-of-diff", "data-read": "" }, ...shown.map(lineView));
  body.style.setProperty("--digits", `${widest}ch`);
  return h("pre", { class: "diff", dir: "ltr", tabindex: "0", role: "group", "aria-label": place }, body);
}

function lineView({ text, kind, number, words, isCut }: DiffLine): HTMLElement {
  const pieces: (Node | string)[] = [];
  let at = 0;
  for (const [from, to] of words) {
    if (from > at) pieces.push(text.slice(at, from));
    pieces.push(h("span", { class: "word" }, text.slice(from, to)));
    at = to;
  }
  const line = h("span", { class: `line ${kind}${isCut ? " cut" : ""}` }, ...pieces, `${text.slice(at)}\n`);
  if (number !== undefined) line.dataset["number"] = String(number);
  return line;
}

export const remark = (picture: "warning" | "error" | "info", sentence: string): HTMLElement =>
  h(
    "p",
    { class: `remark ${picture}`, dir: "auto" },
    icon(picture),
    h("span", { "data-read": "" }, sentence),
  );

interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** All hunks of the file were rejected. */
export const isLeftOut = ({ hunks }: PatchFile): boolean =>
  hunks.length > 0 && hunks.every(({ status }) => status === "rejected");

/** Counts the lines that a patch changes, without rejected hunks. Pure. */
export function linesIn(files: readonly PatchFile[]): ChangedLines {
  const counted = files.flatMap((file): readonly ChangedLines[] =>
    file.hunks.some(({ status }) => status === "rejected")
      ? file.hunks.filter(({ status }) => status !== "rejected")
      : [file],
  );
  const sum = (key: keyof ChangedLines) => counted.reduce((all, each) => all + each[key], 0);
  return { added: sum("added"), removed: sum("removed") };
}

/** "+12 −3", with a label for screen readers; empty if there are no changed lines. */
export function changedLines({ added, removed }: ChangedLines): readonly HTMLElement[] {
  if (added === 0 && removed === 0) return [];
  const label = fill(strings.linesChanged, { added: exact(added), removed: exact(removed) });
  const counts = [
    ...(added > 0 ? [h("span", { class: "added" }, `+${exact(added)}`)] : []),
    ...(removed > 0 ? [h("span", { class: "removed" }, `−${exact(removed)}`)] : []),
  ];
  return [h("span", { class: "lines", role: "img", "aria-label": label }, ...counts)];
}
