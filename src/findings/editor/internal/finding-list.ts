// The findings of reviews that were not dismissed, with their current lines, and what was not reviewed. Follows edits,
// undo and applied changes; when a file is reopened, findings are located again.
import * as vscode from "vscode";
import { createStepRunner, runSync } from "../../../util/concurrency.ts";
import { type LineSpan, locateFindings, shiftLines } from "../../internal/follow-lines.ts";
import type { ReportedFinding, Severity } from "../../internal/read-findings.ts";

export interface Finding extends ReportedFinding {
  readonly uri: vscode.Uri;
  /** Current lines; `undefined` once they are gone. */
  readonly lines: LineSpan | undefined;
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
    const inPieces = createStepRunner();
    const places = new Map<ReportedFinding, LineSpan | undefined>();
    for (const file of new Set(found.map((each) => each.file))) {
      const text = await linesIn(files.get(file));
      const here = found.filter((each) => each.file === file);
      const lines = text && (await inPieces(locateFindings(here, text)));
      for (const [at, each] of here.entries()) places.set(each, lines?.[at]);
    }
    const added = found.flatMap((each): Tracked[] => {
      const uri = files.get(each.file);
      return uri === undefined ? [] : [tracked(each, uri, places.get(each))];
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

  #follow({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const edits = contentChanges.map(({ range: { start, end }, text }) => ({ start, end, text }));
    const own = this.#of(document);
    const before = own.map(({ lines }) => lines);
    for (const finding of own) {
      if (finding.lines === undefined) continue;
      let now: LineSpan | undefined = finding.lines;
      for (const edit of edits) now = now && shiftLines(now, edit);
      stand(finding, now, document);
    }
    if (reason !== undefined)
      placeAgain(
        own.filter((_, at) => before[at] === undefined),
        document,
      );
    const isDifferent = own.some(
      ({ lines }, at) => lines?.first !== before[at]?.first || lines?.last !== before[at]?.last,
    );
    if (isDifferent) this.#changed.fire();
  }

  /** The file may have changed while it was closed. */
  #lookAgain(document: vscode.TextDocument): void {
    const own = this.#of(document);
    if (own.length === 0) return;
    placeAgain(own, document);
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

interface Tracked extends Omit<Finding, "lines"> {
  lines: LineSpan | undefined;
  /** Its last known lines and their text. */
  latest: LineSpan;
  words: string;
}

const tracked = (reported: ReportedFinding, uri: vscode.Uri, lines: LineSpan | undefined): Tracked => ({
  ...reported,
  ...{ uri, lines, latest: lines ?? reported, words: reported.code },
});

/** All findings are located together. */
function placeAgain(findings: readonly Tracked[], document: vscode.TextDocument): void {
  if (findings.length === 0) return;
  const wanted = findings.map(({ words, latest }) => ({ ...latest, code: words }));
  const places = runSync(locateFindings(wanted, linesOf(document)));
  for (const [at, finding] of findings.entries()) stand(finding, places[at], document);
}

const linesOf = (document: vscode.TextDocument): readonly string[] => document.getText().split(/\r\n|\r|\n/);

function stand(finding: Tracked, lines: LineSpan | undefined, document: vscode.TextDocument): void {
  const words = lines && wordsIn(lines, document);
  // If only empty lines are left, its subject is gone.
  const isGone = words === undefined || (words.trim() === "" && finding.words.trim() !== "");
  finding.lines = isGone ? undefined : lines;
  if (finding.lines === undefined || words === undefined) return;
  finding.latest = finding.lines;
  finding.words =
    document.lineAt(finding.lines.first).text.trim() === "" ? finding.words : (words.split("\n")[0] ?? "");
}

function wordsIn({ first, last }: LineSpan, document: vscode.TextDocument): string | undefined {
  if (first >= document.lineCount) return undefined;
  const end = Math.min(last, document.lineCount - 1);
  return document
    .getText(new vscode.Range(first, 0, end, document.lineAt(end).text.length))
    .replaceAll("\r", "");
}

/** `undefined` if the file no longer exists here. */
async function linesIn(uri: vscode.Uri | undefined): Promise<readonly string[] | undefined> {
  try {
    return uri && linesOf(await vscode.workspace.openTextDocument(uri));
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
