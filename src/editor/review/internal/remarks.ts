// Remarks about several lines of a proposal, kept until they are sent as one question: which lines each quotes, where it
// is shown, and what the model is told.
import * as vscode from "vscode";
import { remarksUnsent } from "../../../conversation/messages.ts";
import type { Session } from "../../../session/session.ts";
import { forModel } from "../../../util/sentences.ts";
import { localize } from "../../localize.ts";
import type { HunkPlace } from "./hunk-places.ts";
import type { ReviewModel } from "./review-model.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";

export type Remark = Session["remarks"]["list"][number];

/** Where a remark belongs now. */
interface RemarkPlace {
  readonly file: WaitingFile;
  readonly place: HunkPlace;
  /** Whether the proposal still has the lines that it quotes. */
  readonly isThere: boolean;
}

/** The selected lines of a change, or all of it if none of its proposed lines are selected. */
export function selectedIn(place: HunkPlace, selection: vscode.Selection | undefined): HunkPlace {
  if (selection === undefined || selection.isEmpty) return place;
  const { start, end } = selection;
  const first = Math.max(place.after.first, start.line);
  const last = Math.min(place.after.last, end.character === 0 ? end.line : end.line + 1);
  if (first >= last) return place;
  const from = first - place.after.first;
  const text = place.text
    .split("\n")
    .slice(from, from + last - first)
    .join("\n");
  const { first: line } = place.before;
  return { hunk: place.hunk, before: { first: line, last: line }, after: { first, last }, text };
}

/** The lines of a change as a patch has them. */
export function quoteOf({ change }: WaitingFile, { before, text }: HunkPlace): string {
  const old = "base" in change ? change.base.text.split("\n").slice(before.first, before.last) : [];
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
  // A change with the same id has the same lines.
  const own =
    sorted.find(({ hunk }) => hunk === remark.hunk) ??
    sorted.find((each) => `\n${quoteOf(file, each)}\n`.includes(`\n${remark.quoted}\n`));
  const place = own ?? sorted[0];
  return place && { file, place, isThere: own !== undefined };
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
        found.set(at, [...(found.get(at) ?? []), [remark, now.isThere]]);
    }
  return found;
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
  const quotes = remarks.flatMap(([remark, isThere], at) => [
    "",
    isThere
      ? forModel(`Remark ${at + 1} is about ${remark.path}, lines ${linesOf(remark)} as proposed:`)
      : forModel(
          `Remark ${at + 1} was about ${remark.path}, lines ${linesOf(remark)}. They read, and are gone:`,
        ),
    remark.quoted,
  ]);
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
