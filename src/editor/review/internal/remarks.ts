// Remarks about several lines of a proposal, kept until they are sent as one question: which lines each quotes, where it
// is shown, and what the model is told.
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { remarksUnsent } from "../../../conversation/messages.ts";
import { secretMark } from "../../../files/privacy.ts";
import type { Session } from "../../../session/session.ts";
import { cleanQuote } from "../../../tools/attached-text.ts";
import { forModel } from "../../../util/sentences.ts";
import { localize } from "../../localize.ts";
import type { HunkPlace } from "./hunk-places.ts";
import type { ReviewModel } from "./review-model.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";

/** As many characters of a quote are stored (session/internal/session-remarks.ts). */
const longestQuote = 64 * 1024;

export type Remark = Session["remarks"]["list"][number];

/** What a comment stands for that shows a remark. */
export interface RemarkRef {
  readonly set: ReviewSet;
  readonly remark: Remark;
  readonly thread: vscode.CommentThread;
}

/** Where a remark belongs now. */
interface RemarkPlace {
  readonly file: WaitingFile;
  readonly place: HunkPlace;
  /** With the numbers that its lines have now. */
  readonly remark: Remark;
  /** Whether the proposal still has the lines that it quotes. */
  readonly isThere: boolean;
}

/** The change with all lines that it writes: the thread of a new file is at its top, whatever it contains. */
function wholeOf({ change }: WaitingFile, place: HunkPlace): HunkPlace {
  if (change.kind !== "add") return place;
  const text = change.text.replace(/\r?\n$/, "");
  return { ...place, after: { first: 0, last: text.split("\n").length }, text };
}

/** The selected lines of a change, or all of it if none of its proposed lines are selected. */
export function selectedIn(
  file: WaitingFile,
  place: HunkPlace,
  selection: Pick<vscode.Selection, "isEmpty" | "start" | "end"> | undefined,
): HunkPlace {
  if (selection === undefined || selection.isEmpty) return place;
  const { start, end } = selection;
  const whole = wholeOf(file, place);
  const first = Math.max(whole.after.first, start.line);
  const last = Math.min(whole.after.last, end.character === 0 ? end.line : end.line + 1);
  if (first >= last) return place;
  const from = first - whole.after.first;
  const text = whole.text
    .split("\n")
    .slice(from, from + last - first)
    .join("\n");
  const { first: line } = place.before;
  return { hunk: place.hunk, before: { first: line, last: line }, after: { first, last }, text };
}

/** The lines of a change as a patch has them. */
function quoteOf({ change }: WaitingFile, { before, text }: HunkPlace): string {
  const isLess = "base" in change && before.last > before.first;
  const old = isLess ? change.base.text.split("\n").slice(before.first, before.last) : [];
  const rows = [
    ...old.map((row) => `-${row}`),
    ...(text === "" ? [] : text.split("\n").map((row) => `+${row}`)),
  ];
  return rows.map((row) => row.replace(/\r$/, "")).join("\n");
}

export function remarkAt(file: WaitingFile, place: HunkPlace, words: string, id: string): Remark {
  const { first, last } = place.after;
  return {
    ...{ id, words, hunk: place.hunk, path: file.to, quoted: quoteOf(file, place) },
    ...{ first: first + 1, last: Math.max(last, first + 1) },
  };
}

/** Undefined if nothing of its file is pending any more. */
export function placeOfRemark(
  remark: Remark,
  set: ReviewSet,
  reviewModel: Pick<ReviewModel, "files" | "placesOf">,
): RemarkPlace | undefined {
  const file = reviewModel.files.find((each) => each.set === set && each.to === remark.path);
  if (file === undefined) return undefined;
  const places = reviewModel.placesOf(file);
  const distance = ({ after }: HunkPlace) => Math.abs(after.first + 1 - remark.first);
  const sorted = [...places].sort((one, other) => distance(one) - distance(other));
  // An id says which of equal changes is meant; the one of a new file stays when its text is revised.
  const isOwn = ({ hunk }: HunkPlace) => hunk === remark.hunk;
  for (const place of [...sorted.filter(isOwn), ...sorted.filter((each) => !isOwn(each))]) {
    const first = lineOfQuote(remark, file, place);
    if (first === undefined) continue;
    const last = first + remark.last - remark.first;
    return { file, place, remark: { ...remark, first, last }, isThere: true };
  }
  const [nearest] = sorted;
  return nearest && { file, place: nearest, remark, isThere: false };
}

/** The line of the proposed text at which a change has what was quoted of it; undefined if it does not have it. */
function lineOfQuote({ quoted, first }: Remark, file: WaitingFile, place: HunkPlace): number | undefined {
  const shown = wholeOf(file, place);
  if (quoted === "") return quoteOf(file, place) === "" ? shown.after.first + 1 : undefined;
  const now = `\n${quoteOf(file, shown)}\n`;
  // A stored quote has no secrets, and of a long one only its beginning.
  const text = quoted.includes(secretMark) ? cleanQuote(now) : now;
  const wanted = quoted.length < longestQuote ? `\n${quoted}\n` : `\n${quoted}`;
  let nearest: number | undefined;
  let line = shown.after.first + 1;
  let counted = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    line += (text.slice(counted, at + 1).match(/^\+/gm) ?? []).length;
    counted = at + 1;
    if (nearest === undefined || Math.abs(line - first) < Math.abs(nearest - first)) nearest = line;
  }
  return nearest;
}

const linesOf = ({ first, last }: Remark): string => (first === last ? `${first}` : `${first}–${last}`);

export const nameOfRemark = (remark: Remark): string => `${remark.path}:${linesOf(remark)}`;

/** The remarks of these changes, each at the nearest one of its file. */
export function remarksAt<T extends { readonly file: WaitingFile; readonly place: HunkPlace }>(
  places: readonly T[],
  reviewModel: Pick<ReviewModel, "files" | "placesOf">,
): ReadonlyMap<T, readonly (readonly [Remark, boolean])[]> {
  const found = new Map<T, (readonly [Remark, boolean])[]>();
  for (const set of new Set(places.map(({ file }) => file.set)))
    for (const remark of set.session?.remarks.list ?? []) {
      const now = placeOfRemark(remark, set, reviewModel);
      const at = places.find(
        ({ file, place }) => file.address === now?.file.address && place.hunk === now.place.hunk,
      );
      if (at !== undefined && now !== undefined)
        found.set(at, [...(found.get(at) ?? []), [now.remark, now.isThere]]);
    }
  return found;
}

/** @throws MessageError if no remark can be added, or this one not be changed */
export function requireRemarks({ session }: ReviewSet, id?: string): void {
  const refusal = session?.remarks.refusal(id);
  if (refusal !== undefined) throw new MessageError(refusal);
}

export const countInWords = (count: number): string => localize(remarksUnsent(count));

/** A remark that waits in its thread; `comment` of the manifest's conditions. */
export function remarkComment(remark: Remark, isThere: boolean): vscode.Comment {
  const t = vscode.l10n.t;
  const line = linesOf(remark);
  const where = isThere ? t("Line {0}", line) : t("Line {0}, no longer in the proposal", line);
  return {
    author: { name: t("Remark, not sent") },
    label: where,
    body: remark.words,
    mode: vscode.CommentMode.Preview,
    contextValue: "remark",
  };
}

/** One question with all remarks; the quoted lines are attached. `isThere` for each of them. */
export function questionOf(remarks: readonly (readonly [Remark, boolean])[]) {
  const t = vscode.l10n.t;
  const words = remarks.map(([remark, isThere], at) => {
    const gone = isThere ? "" : ` (${t("these lines are no longer in the proposal")})`;
    return `${at + 1}. ${nameOfRemark(remark)}${gone}\n${remark.words}`;
  });
  const quotes = remarks.flatMap(([remark, isThere], at) => {
    const what = `Remark ${at + 1}`;
    const where = `${remark.path}, lines ${linesOf(remark)}`;
    if (remark.quoted === "")
      return ["", forModel(`${what} is about what was proposed for all of ${remark.path}.`)];
    const head = isThere
      ? forModel(`${what} is about ${where} as proposed:`)
      : forModel(`${what} was about ${where}. They read, and are gone:`);
    return ["", head, remark.quoted];
  });
  const text = [
    forModel(
      "These lines are of changes that you have proposed; the user has not decided about them yet, unless they are gone.",
    ),
    forModel(
      "Where they should be different, revise them with apply_patch: the files already read as proposed.",
    ),
    ...quotes,
  ].join("\n");
  const name = remarks.length === 1 ? t("1 remark") : t("{0} remarks", remarks.length);
  return { prompt: words.join("\n\n"), attachments: [{ kind: "diff", name, text } as const] };
}
