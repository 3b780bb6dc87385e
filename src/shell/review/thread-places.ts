// Where the changes of a document that wait are decided: below which of its lines, and what is said of each there. It reads
// the review as it is at this moment, and knows no thread.
import * as vscode from "vscode";
import type { PendingHunk } from "../../core/changes/pending-file.ts";
import { isFolded, isGrave, type RiskFlag } from "../../core/risk/flags.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { comment } from "../threads/thread-talk.ts";
import type { HunkPlace } from "./diff-sides.ts";
import type { References } from "./references.ts";
import type { HunkInFile, ReviewModel, ReviewSet, WaitingFile } from "./review-model.ts";
import { evidenceInWords, flagsInWords, moveInWords } from "./risk-words.ts";
import { schemes } from "./shown-change.ts";

export interface ThreadPlace {
  readonly file: WaitingFile;
  readonly place: HunkPlace;
  /** The line below which it stands. */
  readonly line: number;
  /** It is about form alone: its thread is there for who opens it. */
  readonly isQuiet: boolean;
  /** The file and the proposal do not go together here: there is no change to accept. */
  readonly isConflict: boolean;
  /** What would come, where it cannot be seen. */
  readonly comes: vscode.Comment | undefined;
  /** Made for those alone that are drawn: there may be hundreds. */
  label(): string;
}

/** So much can be looked at between the lines of a file. */
const few = { files: 1, hunks: 3, lines: 14 } as const;
/** Of what stands aside in a conflict. */
const maxAside = 100;

/** The conflicts of a document, however much waits, then its changes that wait; each in the order of its lines. */
export function threadPlaces(
  document: vscode.TextDocument,
  desk: ReviewModel,
  references: References,
): ThreadPlace[] {
  const { scheme, query } = document.uri;
  if (scheme === schemes.base) return [];
  const isDiff = scheme === schemes.review;
  const shown = isDiff ? desk.find(query) : undefined;
  const conflicts = isDiff ? conflictsInDiff(shown, desk) : desk.conflictsIn(document);
  const hunks = isDiff ? hunksInDiff(shown, desk) : hunksInFile(document, desk);
  const known = new Map(
    [...new Set(hunks.map(({ file }) => file))].map((file) => [file, knowledgeOf(file)] as const),
  );
  const lineOf = ({ before, after }: HunkPlace) => {
    const { first, last } = isDiff ? after : before;
    return last > first ? last - 1 : Math.max(first - 1, 0);
  };
  const aside = conflicts.map(({ file, place }, at): ThreadPlace => {
    const { problem } = file.pending;
    const language = document.languageId;
    // Neither side of a diff has the lines that stand aside: they are said in both places.
    const lines = place.text === "" ? undefined : linesAside(place.text, language);
    const comes = problem === undefined ? lines : isDiff ? undefined : fileAside(file, language);
    const label = () =>
      problem === undefined
        ? conflictLabel(at, conflicts.length)
        : vscode.l10n.t("Conflict: {0}", inReaderLanguage(problem));
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

/** A set of which little waits is decided in its file, and what was asked for there is. */
export function isFew({ set }: WaitingFile, desk: ReviewModel): boolean {
  const own = desk.files.filter((file) => file.set === set);
  if (own.length > few.files) return false;
  return set.isInFile === true || own.every(({ pending }) => pending.hunks.length <= few.hunks);
}

function hunksInDiff(file: WaitingFile | undefined, desk: ReviewModel): readonly HunkInFile[] {
  if (file === undefined || file.pending.problem !== undefined) return [];
  return desk.placesOf(file).map((place) => ({ file, place }));
}

const conflictsInDiff = (file: WaitingFile | undefined, desk: ReviewModel): readonly HunkInFile[] =>
  file === undefined ? [] : desk.conflictsOf(file).map((place) => ({ file, place }));

/** Where much waits a file stays as quiet as it was: it is looked at in the diff. */
function hunksInFile(document: vscode.TextDocument, desk: ReviewModel): readonly HunkInFile[] {
  const hunks = desk.hunksIn(document);
  const shown = new Map<ReviewSet, boolean>();
  for (const { file } of hunks) if (!shown.has(file.set)) shown.set(file.set, isFew(file, desk));
  return hunks.filter(({ file }) => shown.get(file.set) === true);
}

/** What all changes of a file have to be asked for, once. */
const knowledgeOf = ({ pending, set }: WaitingFile) => ({
  hunks: new Map(pending.hunks.map((hunk): readonly [string, PendingHunk] => [hunk.id, hunk])),
  evidence: evidenceInWords(set),
});

const which = (at: number, count: number): string =>
  count > 1 ? vscode.l10n.t("Change {0} of {1}", at + 1, count) : "";

/**
 * Which change, what it does, why it deserves a look, and what the person's checks say of all that is proposed. In a narrow
 * editor it is cut at its end: what nobody should miss comes first.
 */
function labelOf(
  file: WaitingFile,
  place: HunkPlace,
  number: string,
  flags: readonly RiskFlag[],
  references: number | undefined,
  evidence: readonly string[],
): string {
  const words = flagsInWords(flags, references);
  const what =
    file.change.kind === "add"
      ? [vscode.l10n.t("New file")]
      : [number, linesInWords(place), moveInWords(file)];
  const parts = isGrave(flags) ? [words, ...what] : [...what, words];
  return [...parts, ...evidence].filter((part) => part !== "").join(" · ");
}

const conflictLabel = (at: number, count: number): string =>
  count > 1
    ? vscode.l10n.t("Conflict {0} of {1}: you and the proposal have both changed these lines", at + 1, count)
    : vscode.l10n.t("Conflict: you and the proposal have both changed these lines");

function linesInWords({ before, after }: HunkPlace): string {
  const t = vscode.l10n.t;
  const removed = before.last - before.first;
  const added = after.last - after.first;
  if (removed === 0) return added === 0 ? "" : added === 1 ? t("1 line added") : t("{0} lines added", added);
  if (added === 0) return removed === 1 ? t("1 line removed") : t("{0} lines removed", removed);
  return removed === 1
    ? t("1 line removed, {0} added", added)
    : t("{0} lines removed, {1} added", removed, added);
}

const comingLines = (text: string, language: string): vscode.Comment =>
  proposedLines(text, language, few.lines, (more) =>
    vscode.l10n.t("… and {0} more lines. Choose Show Change to see all.", more),
  );

/** They can be seen nowhere else: VS Code scrolls what is long. */
const linesAside = (text: string, language: string): vscode.Comment =>
  proposedLines(text, language, maxAside, (more) => vscode.l10n.t("… and {0} more lines.", more));

/** Of a file that is in the way of what was meant. */
function fileAside({ change, path, to }: WaitingFile, language: string): vscode.Comment | undefined {
  if (change.kind === "add") return linesAside(change.text, language);
  const t = vscode.l10n.t;
  const said =
    change.kind === "delete" ? t("File deleted") : path === to ? "" : t("Moved to {path}", { path: to });
  return said === "" ? undefined : proposed(said);
}

function proposedLines(
  text: string,
  language: string,
  most: number,
  moreInWords: (count: number) => string,
): vscode.Comment {
  const lines = text.split("\n");
  const body = new vscode.MarkdownString();
  body.appendCodeblock(lines.slice(0, most).join("\n"), language);
  const more = lines.length - most;
  if (more > 0) body.appendText(moreInWords(more));
  return proposed(body);
}

const proposed = (body: string | vscode.MarkdownString): vscode.Comment =>
  comment(vscode.l10n.t("Proposed"), body);
