// Where the pending changes of a document have their threads, and what each thread says. Reads the current review; does
// not depend on threads.
import * as vscode from "vscode";
import type { PendingHunk } from "../../../changes/pending-changes.ts";
import { countContradicted } from "../../../evidence/change-evidence.ts";
import { isFolded, isGrave, type RiskFlag } from "../../../risk/flags.ts";
import { localize } from "../../localize.ts";
import { comment } from "../../ui/response-comment.ts";
import { schemes } from "../shown-change.ts";
import type { References } from "./count-references.ts";
import type { HunkPlace } from "./hunk-places.ts";
import type { ReviewModel } from "./review-model.ts";
import type { HunkInFile, ReviewSet, WaitingFile } from "./review-targets.ts";
import { evidenceInWords, flagsInWords, moveInWords } from "./risk-labels.ts";
import type { Evidence } from "./set-evidence.ts";

export interface ThreadPlace {
  readonly file: WaitingFile;
  readonly place: HunkPlace;
  /** The line below which the thread is shown. */
  readonly line: number;
  /** A change of formatting only, so its thread is collapsed. */
  readonly isQuiet: boolean;
  /** A conflict between file and proposal: there is nothing to accept. */
  readonly isConflict: boolean;
  /** The text to be inserted, where it is not visible. */
  readonly comes: vscode.Comment | undefined;
  /** Computed only for threads that are drawn: there may be hundreds. */
  label(): string;
}

/** Limits for reviewing changes between the lines of a file. */
const few = { files: 1, hunks: 3, lines: 14 } as const;
/** Of the conflicting text of the proposal. */
const maxConflictLines = 100;
/** Characters that fit into a thread of a narrow editor. */
const wide = 40;

/** The conflicts of a document, regardless of their number, then its pending changes; each in line order. */
export function threadPlaces(
  document: vscode.TextDocument,
  reviewModel: ReviewModel,
  references: References,
  claims: Pick<Evidence, "of">,
): ThreadPlace[] {
  const { scheme, query } = document.uri;
  if (scheme === schemes.base) return [];
  const isDiff = scheme === schemes.review;
  const shown = isDiff ? reviewModel.find(query) : undefined;
  const conflicts = isDiff ? conflictsInDiff(shown, reviewModel) : reviewModel.conflictsIn(document);
  const hunks = isDiff ? hunksInDiff(shown, reviewModel) : hunksInFile(document, reviewModel);
  const known = new Map(
    [...new Set(hunks.map(({ file }) => file))].map((file) => [file, knowledgeOf(file, claims)] as const),
  );
  const lineOf = ({ before, after }: HunkPlace) => {
    const { first, last } = isDiff ? after : before;
    return last > first ? last - 1 : Math.max(first - 1, 0);
  };
  const aside = conflicts.map(({ file, place }, at): ThreadPlace => {
    const { problem } = file.pending;
    const language = document.languageId;
    // Neither side of a diff contains the conflicting text of the proposal, so both show it.
    const lines = place.text === "" ? undefined : conflictLines(place.text, language);
    const comes = problem === undefined ? lines : isDiff ? undefined : conflictFile(file, language);
    const label = () =>
      problem === undefined
        ? conflictLabel(at, conflicts.length)
        : vscode.l10n.t("Conflict: {0}", localize(problem));
    return { file, place, line: lineOf(place), isQuiet: false, isConflict: true, comes, label };
  });
  const waiting = hunks.map(({ file, place }, at): ThreadPlace => {
    const hunk = known.get(file)?.hunks.get(place.hunk);
    const comes = isDiff || place.text === "" ? undefined : comingLines(place.text, document.languageId);
    return {
      ...{ file, place, comes },
      line: lineOf(place),
      isQuiet: isFolded(hunk?.flags ?? []),
      isConflict: false,
      label() {
        const count = hunk && references.countOf(file, hunk);
        const evidence = known.get(file)?.evidence ?? [];
        return labelOf(file, place, which(at, hunks.length), hunk?.flags ?? [], count, evidence);
      },
    };
  });
  return [...aside, ...waiting];
}

/** Small sets are decided in their file, and so is what was asked for there. */
export function isFew({ set }: WaitingFile, reviewModel: Pick<ReviewModel, "files">): boolean {
  const own = reviewModel.files.filter((file) => file.set === set);
  if (own.length > few.files) return false;
  return set.isInFile === true || own.every(({ pending }) => pending.hunks.length <= few.hunks);
}

function hunksInDiff(file: WaitingFile | undefined, reviewModel: ReviewModel): readonly HunkInFile[] {
  if (file === undefined || file.pending.problem !== undefined) return [];
  return reviewModel.placesOf(file).map((place) => ({ file, place }));
}

const conflictsInDiff = (file: WaitingFile | undefined, reviewModel: ReviewModel): readonly HunkInFile[] =>
  file === undefined ? [] : reviewModel.conflictsOf(file).map((place) => ({ file, place }));

/** Files with many changes are not decorated: they are reviewed in the diff. */
export function hunksInFile(
  document: vscode.TextDocument,
  reviewModel: Pick<ReviewModel, "hunksIn" | "files">,
): readonly HunkInFile[] {
  const hunks = reviewModel.hunksIn(document);
  const shown = new Map<ReviewSet, boolean>();
  for (const { file } of hunks) if (!shown.has(file.set)) shown.set(file.set, isFew(file, reviewModel));
  return hunks.filter(({ file }) => shown.get(file.set) === true);
}

/** Values that are the same for all changes of a file, computed once. */
const knowledgeOf = ({ pending, set }: WaitingFile, claims: Pick<Evidence, "of">) => ({
  hunks: new Map(pending.hunks.map((hunk): readonly [string, PendingHunk] => [hunk.id, hunk])),
  evidence: [...countContradicted(claims.of(set).claims).map(localize), ...evidenceInWords(set)],
});

const which = (at: number, count: number): string =>
  count > 1 ? vscode.l10n.t("Change {0} of {1}", at + 1, count) : "";

/**
 * Which change, what it does, why it deserves attention, and the results of the user's checks. A narrow editor
 * truncates it, so the most important comes first.
 */
function labelOf(
  file: WaitingFile,
  place: HunkPlace,
  number: string,
  flags: readonly RiskFlag[],
  references: number | undefined,
  evidence: readonly string[],
): string {
  const { refused } = file.pending;
  const why = refused === undefined ? [] : [localize(refused)];
  const words = flagsInWords(flags, references);
  const what =
    file.change.kind === "add"
      ? [vscode.l10n.t("New file")]
      : [number, linesInWords(place), moveInWords(file)];
  const parts = isGrave(flags) ? [words, ...what] : [...what, words];
  return [...why, ...parts, ...evidence].filter((part) => part !== "").join(" · ");
}

const conflictLabel = (at: number, count: number): string =>
  count > 1
    ? vscode.l10n.t("Conflict {0} of {1}: you and the proposal have both changed these lines", at + 1, count)
    : vscode.l10n.t("Conflict: you and the proposal have both changed these lines");

/** As short as it can be said: beside the buttons of a narrow editor there is room for a few words. */
function linesInWords({ before, after }: HunkPlace): string {
  const t = vscode.l10n.t;
  const removed = before.last - before.first;
  const added = after.last - after.first;
  if (removed === 0) return added === 0 ? "" : added === 1 ? t("1 line added") : t("{0} lines added", added);
  if (added === 0) return removed === 1 ? t("1 line removed") : t("{0} lines removed", removed);
  if (added === removed) return added === 1 ? t("1 line changed") : t("{0} lines changed", added);
  return removed === 1
    ? t("1 line removed, {0} added", added)
    : t("{0} lines removed, {1} added", removed, added);
}

export const moreInWords = (more: number): string =>
  more === 1
    ? vscode.l10n.t("… and 1 more line. Choose Show Change to see all.")
    : vscode.l10n.t("… and {0} more lines. Choose Show Change to see all.", more);

const comingLines = (text: string, language: string): vscode.Comment =>
  proposedLines(text, language, few.lines, moreInWords);

/** More lines than in other previews, because they are visible nowhere else; VS Code scrolls long comments. */
const conflictLines = (text: string, language: string): vscode.Comment =>
  proposedLines(text, language, maxConflictLines, (more) =>
    more === 1 ? vscode.l10n.t("… and 1 more line.") : vscode.l10n.t("… and {0} more lines.", more),
  );

/** For a file that is in the way of the proposed operation. */
function conflictFile({ change, path, to }: WaitingFile, language: string): vscode.Comment | undefined {
  if (change.kind === "add") return conflictLines(change.text, language);
  const t = vscode.l10n.t;
  const said =
    change.kind === "delete" ? t("Delete this file") : path === to ? "" : t("Move this file to {0}", to);
  return said === "" ? undefined : proposed(said);
}

export function proposedLines(
  text: string,
  language: string,
  most: number,
  moreInWords: (count: number) => string,
): vscode.Comment {
  const lines = text.split("\n");
  const shown = lines.slice(0, most);
  // Text wider than the thread gets a scroll bar, which VS Code draws over the last line.
  const isWide = shown.some(({ length }) => length > wide);
  const body = new vscode.MarkdownString();
  body.appendCodeblock([...shown, ...(isWide ? [" "] : [])].join("\n"), language);
  const more = lines.length - most;
  if (more > 0) body.appendText(moreInWords(more));
  return proposed(body);
}

const proposed = (body: string | vscode.MarkdownString): vscode.Comment =>
  comment(vscode.l10n.t("Proposed"), body);

/** Visible ones first, then those closest to them. */
export function nearestFirst(
  places: readonly (readonly [string, ThreadPlace])[],
  editors: readonly vscode.TextEditor[],
): readonly (readonly [string, ThreadPlace])[] {
  const seen = editors.flatMap(({ visibleRanges }) => visibleRanges);
  if (seen.length === 0) return places;
  const distance = ({ line }: ThreadPlace) =>
    seen.reduce(
      (least, { start, end }) => Math.min(least, Math.max(start.line - line, line - end.line, 0)),
      Number.POSITIVE_INFINITY,
    );
  const all = places.map((each) => ({ each, distance: distance(each[1]) }));
  return all.sort((one, other) => one.distance - other.distance).map(({ each }) => each);
}

export const isChange = ({ isConflict }: ThreadPlace): boolean => !isConflict;

export const goingRange = ({ place: { before } }: ThreadPlace): vscode.Range | undefined =>
  before.last > before.first ? new vscode.Range(before.first, 0, before.last - 1, 0) : undefined;

export const wordsOf = (body: string | vscode.MarkdownString): string =>
  typeof body === "string" ? body : body.value;
