// Which turn wrote a line: said on hover, for lines that a patch of this window wrote and that still read as it wrote
// them. Typing moves them along. Remembers lines, not files; what was closed meanwhile is checked by its words.
import * as vscode from "vscode";
import type { ShownChange } from "./shown-change.ts";

interface Written {
  readonly first: number;
  readonly last: number;
  readonly lines: ReadonlySet<string>;
  readonly turn: number;
  readonly prompt: string;
}

export interface Provenance extends vscode.Disposable {
  /** A turn has written this; `uri` is where it stands now. */
  add(uri: vscode.Uri, shown: ShownChange, turn: number, prompt: string): void;
}

export function createProvenance(): Provenance {
  const known = new Map<string, readonly Written[]>();
  let listening: vscode.Disposable | undefined;

  function follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const name = document.uri.toString();
    const written = known.get(name);
    if (written === undefined || contentChanges.length === 0) return;
    known.set(
      name,
      written.map((each) => contentChanges.reduce(moved, each)),
    );
  }

  function hover(document: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const { text } = document.lineAt(line);
    const written = known.get(document.uri.toString()) ?? [];
    const found = written.findLast(
      ({ first, last, lines }) => line >= first && line < last && lines.has(text),
    );
    if (found === undefined || text.trim() === "") return undefined;
    const said = new vscode.MarkdownString();
    said.appendText(vscode.l10n.t("Written by Patchbay, turn {0}: {1}", found.turn, firstLine(found.prompt)));
    return new vscode.Hover(said);
  }

  return {
    add(uri, shown, turn, prompt) {
      const name = uri.toString();
      const own = writtenBy(shown).map((each) => ({ ...each, turn, prompt }));
      known.set(name, [...(known.get(name) ?? []), ...own]);
      listening ??= vscode.Disposable.from(
        vscode.workspace.onDidChangeTextDocument(follow),
        vscode.languages.registerHoverProvider([{ scheme: "*" }], { provideHover: hover }),
      );
    },
    dispose: () => listening?.dispose(),
  };
}

function writtenBy({ change }: ShownChange): Pick<Written, "first" | "last" | "lines">[] {
  if (change.kind === "delete") return [];
  if (change.kind === "add") {
    const lines = change.text.split(/\r?\n/);
    return [{ first: 0, last: lines.length, lines: new Set(lines) }];
  }
  let shift = 0;
  return change.edits.map(({ lines, written, text }) => {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    return { first, last: first + written, lines: new Set(text.split(/\r?\n/)) };
  });
}

function moved(written: Written, { range, text }: vscode.TextDocumentContentChangeEvent): Written {
  const by = text.split("\n").length - 1 - (range.end.line - range.start.line);
  const { first, last } = written;
  if (range.start.line >= last) return written;
  if (range.end.line < first) return { ...written, first: first + by, last: last + by };
  const from = Math.min(first, range.start.line);
  return { ...written, first: from, last: Math.max(from, last + by) };
}

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 120) ?? "";
