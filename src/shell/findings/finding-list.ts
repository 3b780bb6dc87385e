// What reviews have found and nobody has dismissed, where it stands in its files by now, and what was not looked at. Edits
// that are typed, undone or applied are followed; a file that comes back is looked at again.
import * as vscode from "vscode";
import type { Reported } from "../../core/findings/read-findings.ts";
import { followed, type Lines, locateFinding } from "../../core/findings/track-finding.ts";

export interface Finding extends Reported {
  readonly uri: vscode.Uri;
  /** Where it stands; `undefined` once its lines are gone. */
  readonly lines: Lines | undefined;
}

/** What a review was asked for and has not done, or not whole. */
export interface Left {
  readonly name: string;
  /** A sentence. */
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

  /** A review begins: what the one before it has left no longer counts. */
  begin(left: readonly Left[]): void {
    this.#left = left;
    this.#changed.fire();
  }

  /** These were not looked at after all. */
  leave(left: readonly Left[]): void {
    if (left.length === 0) return;
    this.#left = [...this.#left, ...left];
    this.#changed.fire();
  }

  /**
   * What was found in these files. What was found there before goes where all of a file was looked at again, else where
   * something is found at the same line.
   */
  async put(
    files: ReadonlyMap<string, vscode.Uri>,
    found: readonly Reported[],
    { isWhole }: { readonly isWhole: boolean },
  ): Promise<void> {
    const texts = new Map<string, readonly string[] | undefined>();
    for (const { file } of found) if (!texts.has(file)) texts.set(file, await linesIn(files.get(file)));
    const added = found.flatMap((each): Tracked[] => {
      const uri = files.get(each.file);
      const text = texts.get(each.file);
      return uri === undefined ? [] : [tracked(each, uri, text && locateFinding(each.code, each, text))];
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
    let isDifferent = false;
    for (const finding of this.#of(document)) {
      const before = finding.lines;
      if (before !== undefined) {
        let now: Lines | undefined = before;
        for (const edit of edits) now = now && followed(now, edit);
        stand(finding, now, document);
      } else if (reason !== undefined) stand(finding, placeIn(finding, document), document);
      isDifferent ||= finding.lines?.first !== before?.first || finding.lines?.last !== before?.last;
    }
    if (isDifferent) this.#changed.fire();
  }

  /** It may have changed while it was closed. */
  #lookAgain(document: vscode.TextDocument): void {
    const own = this.#of(document);
    for (const finding of own) stand(finding, placeIn(finding, document), document);
    if (own.length > 0) this.#changed.fire();
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
  lines: Lines | undefined;
  /** Where it was last, and what stood there. */
  latest: Lines;
  words: string;
}

const tracked = (reported: Reported, uri: vscode.Uri, lines: Lines | undefined): Tracked => ({
  ...reported,
  ...{ uri, lines, latest: lines ?? reported, words: reported.code },
});

const placeIn = ({ words, latest }: Tracked, document: vscode.TextDocument): Lines | undefined =>
  locateFinding(words, latest, document.getText().split(/\r\n|\r|\n/));

function stand(finding: Tracked, lines: Lines | undefined, document: vscode.TextDocument): void {
  const words = lines && wordsIn(lines, document);
  // Where only empty lines are left, what it was about is gone.
  const isGone = words === undefined || (words.trim() === "" && finding.words.trim() !== "");
  finding.lines = isGone ? undefined : lines;
  if (finding.lines === undefined || words === undefined) return;
  finding.latest = finding.lines;
  finding.words =
    document.lineAt(finding.lines.first).text.trim() === "" ? finding.words : (words.split("\n")[0] ?? "");
}

function wordsIn({ first, last }: Lines, document: vscode.TextDocument): string | undefined {
  if (first >= document.lineCount) return undefined;
  const end = Math.min(last, document.lineCount - 1);
  return document
    .getText(new vscode.Range(first, 0, end, document.lineAt(end).text.length))
    .replaceAll("\r", "");
}

/** `undefined`: there is no such file here any more. */
async function linesIn(uri: vscode.Uri | undefined): Promise<readonly string[] | undefined> {
  try {
    return uri && (await vscode.workspace.openTextDocument(uri)).getText().split(/\r\n|\r|\n/);
  } catch {
    return undefined;
  }
}
