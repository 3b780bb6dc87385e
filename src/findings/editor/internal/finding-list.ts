// The findings of reviews that were not dismissed, with their current lines, and what was not reviewed. Follows edits,
// undo and applied changes; when a file is reopened, findings are located again. An accepted change of its lines
// resolves a finding, and it is open again once they are back.
import * as vscode from "vscode";
import { runTask } from "../../../util/background.ts";
import {
  type Excerpt,
  findExcerpt,
  type LineSpan,
  linesOf,
  locateFindings,
  locating,
  shiftLines,
} from "../../follow-lines.ts";
import type { ReportedFinding, Severity } from "../../internal/read-findings.ts";

export interface Finding extends ReportedFinding {
  readonly uri: vscode.Uri;
  /** Current lines; `undefined` once they are gone. */
  readonly lines: LineSpan | undefined;
  /** An accepted change has replaced its lines. */
  readonly isResolved: boolean;
}

/** What was to be reviewed but was not, or not completely. */
export interface Left {
  readonly name: string;
  /** A localized sentence. */
  readonly why: string;
}

export class FindingList implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  #all: readonly Tracked[] = [];
  #left: readonly Left[] = [];
  /** URIs of the files that accepted changes are about to be written to. */
  #accepted = new Set<string>();

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#lookAgain(document)),
    );
  }

  get all(): readonly Finding[] {
    return this.#all;
  }

  get left(): readonly Left[] {
    return this.#left;
  }

  /** Called when a review begins; forgets what an earlier one has left out. */
  begin(left: readonly Left[]): void {
    this.#left = left;
    this.#changed.fire();
  }

  /** Adds what was not reviewed after all. */
  leave(left: readonly Left[]): void {
    if (left.length === 0) return;
    this.#left = [...this.#left, ...left];
    this.#changed.fire();
  }

  /**
   * Adds the findings in these files. Earlier findings are replaced: all of a file if it was reviewed as a whole,
   * otherwise those at the same line as a new one.
   */
  async put(
    files: ReadonlyMap<string, vscode.Uri>,
    found: readonly ReportedFinding[],
    { isWhole }: { readonly isWhole: boolean },
  ): Promise<void> {
    const places = new Map<ReportedFinding, LineSpan | undefined>();
    const texts = new Map<string, readonly string[] | undefined>();
    for (const file of new Set(found.map((each) => each.file))) {
      const text = await textOf(files.get(file));
      texts.set(file, text === undefined ? undefined : linesOf(text));
      const here = found.filter((each) => each.file === file);
      const wanted = here.map(({ first, last, code }) => ({ first, last, code }));
      const lines = text === undefined ? undefined : await runTask(locating, { wanted, text }, text.length);
      for (const [at, each] of here.entries()) places.set(each, lines?.[at]);
    }
    const added = found.flatMap((each): Tracked[] => {
      const uri = files.get(each.file);
      return uri === undefined ? [] : [tracked(each, uri, places.get(each), texts.get(each.file))];
    });
    const lineOf = ({ uri, lines }: Tracked) => `${uri}\n${lines?.first}`;
    const again = new Set(isWhole ? [...files.values()].map(String) : added.map(lineOf));
    const others = this.#all.filter((each) => !again.has(isWhole ? each.uri.toString() : lineOf(each)));
    this.#all = [...others, ...added];
    this.#changed.fire();
  }

  dismiss(findings: readonly Finding[]): void {
    const gone = new Set<Finding>(findings);
    this.#all = this.#all.filter((each) => !gone.has(each));
    this.#changed.fire();
  }

  dismissAll(): void {
    this.#left = [];
    this.dismiss(this.#all);
  }

  /** A fix was asked for: it may be made right above or below the finding's lines. */
  expectFix(finding: Finding): void {
    for (const each of this.#all) if (each === finding) each.isFixExpected = true;
  }

  /** Writes accepted changes to these files. */
  async whileAccepting<T>(files: readonly vscode.Uri[], write: () => Promise<T>): Promise<T> {
    this.#accepted = new Set(files.map(String));
    try {
      return await write();
    } finally {
      this.#accepted.clear();
    }
  }

  #follow({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    const edits = contentChanges.map(({ range: { start, end }, text }) => ({ start, end, text }));
    const own = this.#of(document);
    const before = own.map(({ lines, isResolved }) => ({ lines, isResolved }));
    // The edit is one event; what formats the file when it is saved comes after it.
    const isAccepted = this.#accepted.delete(document.uri.toString());
    const isRedo = reason === vscode.TextDocumentChangeReason.Redo;
    for (const finding of own) {
      const { lines, around, wasResolved } = finding;
      if (lines === undefined) continue;
      let now: LineSpan | undefined = lines;
      for (const edit of edits) now = now && shiftLines(now, edit);
      stand(finding, now, document);
      if (isAccepted || (isRedo && wasResolved)) resolveIfReplaced(finding, lines, around);
    }
    const resolved = own.filter(({ isResolved }, at) => isResolved && before[at]?.isResolved === true);
    if (resolved.length > 0) restoreWhereBack(resolved, document, changedLines(contentChanges, document));
    if (reason !== undefined)
      placeAgain(
        own.filter(({ isResolved }, at) => before[at]?.lines === undefined && !isResolved),
        document,
      );
    const isDifferent = own.some(({ lines, isResolved }, at) => {
      const then = before[at];
      return (
        lines?.first !== then?.lines?.first ||
        lines?.last !== then?.lines?.last ||
        isResolved !== then?.isResolved
      );
    });
    if (isDifferent) this.#changed.fire();
  }

  /** The file may have changed while it was closed. */
  #lookAgain(document: vscode.TextDocument): void {
    const own = this.#of(document);
    if (own.length === 0) return;
    placeAgain(
      own.filter(({ isResolved }) => !isResolved),
      document,
    );
    const all = { first: 0, last: document.lineCount - 1 };
    const resolved = own.filter(({ isResolved }) => isResolved);
    if (resolved.length > 0) restoreWhereBack(resolved, document, all, "around");
    this.#changed.fire();
  }

  #of({ uri }: vscode.TextDocument): readonly Tracked[] {
    const name = uri.toString();
    return this.#all.filter((each) => each.uri.toString() === name);
  }

  dispose(): void {
    vscode.Disposable.from(this.#listening, this.#changed).dispose();
  }
}

interface Tracked extends Omit<Finding, "lines" | "isResolved"> {
  lines: LineSpan | undefined;
  isResolved: boolean;
  /** It was once, until its lines were back. */
  wasResolved: boolean;
  isFixExpected: boolean;
  /** Its last known lines and their text. */
  latest: LineSpan;
  words: string;
  /** The same lines with one above and one below. */
  around: Excerpt;
  /** What the change that resolved it has replaced. */
  replaced: Excerpt;
}

const nothing: Excerpt = { lines: [], above: 0 };

const tracked = (
  reported: ReportedFinding,
  uri: vscode.Uri,
  lines: LineSpan | undefined,
  text: readonly string[] = [],
): Tracked => ({
  ...reported,
  ...{ uri, lines, latest: lines ?? reported, words: reported.code },
  ...{ isResolved: false, wasResolved: false, isFixExpected: false, replaced: nothing },
  around: lines === undefined ? nothing : excerptOf(text, lines),
});

function excerptOf(text: readonly string[], { first, last }: LineSpan): Excerpt {
  const from = Math.max(first - 1, 0);
  return { lines: text.slice(from, last + 2), above: first - from };
}

/** Only the lines of the finding. */
const coreOf = ({ lines, above }: Excerpt, { first, last }: LineSpan): Excerpt => ({
  lines: lines.slice(above, above + last - first + 1),
  above: 0,
});

/** `then` and `around`: its lines before the change, and their text. */
function resolveIfReplaced(finding: Tracked, then: LineSpan, around: Excerpt): void {
  const { lines, isFixExpected } = finding;
  const core = coreOf(around, then);
  const isSame = (one: Excerpt, other: Excerpt) => one.lines.join("\n") === other.lines.join("\n");
  const isKept = lines !== undefined && isSame(core, coreOf(finding.around, lines));
  if (isKept && !(isFixExpected && !isSame(around, finding.around))) return;
  finding.lines = undefined;
  finding.isResolved = true;
  finding.replaced = isKept ? around : core;
  finding.latest = then;
  finding.around = around;
}

/** Opens those again whose lines are back, which is what Undo does. */
function restoreWhereBack(
  resolved: readonly Tracked[],
  document: vscode.TextDocument,
  within: LineSpan,
  by: "replaced" | "around" = "replaced",
): void {
  const text = linesOf(document.getText());
  for (const finding of resolved) {
    const { first, last } = finding.latest;
    const found = findExcerpt(finding[by], text, within, first);
    if (found === undefined) continue;
    finding.isResolved = false;
    finding.wasResolved = true;
    stand(finding, { first: found, last: found + last - first }, document);
  }
}

/** The lines of the document between the first and the last change. */
function changedLines(
  changes: readonly vscode.TextDocumentContentChangeEvent[],
  { lineCount }: vscode.TextDocument,
): LineSpan {
  let [first, last, grown] = [lineCount, 0, 0];
  for (const { range, text } of changes) {
    first = Math.min(first, range.start.line);
    last = Math.max(last, range.end.line);
    grown += text.split(/\r\n|\r|\n/).length - 1 - (range.end.line - range.start.line);
  }
  return { first, last: Math.min(Math.max(last + grown, first), lineCount - 1) };
}

/** All findings are located together. */
function placeAgain(findings: readonly Tracked[], document: vscode.TextDocument): void {
  if (findings.length === 0) return;
  const wanted = findings.map(({ words, latest }) => ({ ...latest, code: words }));
  const places = locateFindings(wanted, linesOf(document.getText()));
  for (const [at, finding] of findings.entries()) stand(finding, places[at], document);
}

function stand(finding: Tracked, lines: LineSpan | undefined, document: vscode.TextDocument): void {
  const words = lines && wordsIn(lines, document);
  // If only empty lines are left, its subject is gone.
  const isGone = words === undefined || (words.trim() === "" && finding.words.trim() !== "");
  finding.lines = isGone ? undefined : lines;
  if (finding.lines === undefined || words === undefined) return;
  finding.latest = finding.lines;
  finding.around = excerptIn(document, finding.lines);
  finding.words =
    document.lineAt(finding.lines.first).text.trim() === "" ? finding.words : (words.split("\n")[0] ?? "");
}

function excerptIn(document: vscode.TextDocument, { first, last }: LineSpan): Excerpt {
  const from = Math.max(first - 1, 0);
  const text = wordsIn({ first: from, last: last + 1 }, document) ?? "";
  return { lines: text.split("\n"), above: first - from };
}

function wordsIn({ first, last }: LineSpan, document: vscode.TextDocument): string | undefined {
  if (first >= document.lineCount) return undefined;
  const end = Math.min(last, document.lineCount - 1);
  return document
    .getText(new vscode.Range(first, 0, end, document.lineAt(end).text.length))
    .replaceAll("\r", "");
}

/** `undefined` if the file no longer exists here. */
async function textOf(uri: vscode.Uri | undefined): Promise<string | undefined> {
  try {
    return uri && (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}

// Labels of findings.

export const severityWord = (severity: Severity): string => words[severity]();

const words = {
  error: () => vscode.l10n.t("Error"),
  warning: () => vscode.l10n.t("Warning"),
  note: () => vscode.l10n.t("Note"),
} as const;

export const linesGone = (): string => vscode.l10n.t("its lines are gone");

/** Severity and title, short enough for the title of a thread, which is all that a screen reader announces at first. */
export function labelOf({ severity, title, lines }: Finding): string {
  const label = vscode.l10n.t("{0}: {1}", severityWord(severity), title);
  return lines === undefined ? `${label} · ${linesGone()}` : label;
}
