// The code an action is about, with just enough around it: the function or class it lies in, the imports of its file,
// the problems the editor shows. Only wishes: what may be read of them is decided when the question is sent.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { pathInWorkspace, textOf } from "../attach/attach-uri.ts";
import type { CodePlace } from "./edit-commands.ts";
import type { Companion } from "./list-context.ts";

/** More of a function than this says more than is needed. */
const maxSymbolLines = 200;
const maxImportLines = 60;
/** A language server that is still starting must not hold up a question. */
const timeout = 1500;

export async function surroundingsOf(
  place: CodePlace,
  { problems }: { readonly problems: boolean },
): Promise<readonly Companion[]> {
  const t = vscode.l10n.t;
  const { document } = place;
  const path = pathInWorkspace(document.uri);
  const symbol = blockAround(await symbolsIn(document), place.range);
  const lines = linesOf(place, symbol);
  if (path === undefined) {
    // No file of the workspace: the text itself is all there is.
    return [{ role: t("selection"), attachment: textOf(document, wholeLines(lines)) }];
  }
  const around = symbol !== undefined && length(symbol) <= maxSymbolLines ? symbol : undefined;
  const imports = importLines(document);
  const ranges = [
    { role: t("selection"), range: lines },
    ...(around === undefined ? [] : [{ role: t("enclosing function"), range: around }]),
    ...(imports === undefined ? [] : [{ role: t("imports"), range: imports }]),
  ];
  const selections = ranges
    .filter(({ range }, at) => !ranges.slice(0, at).some((earlier) => contains(earlier.range, range)))
    .map(({ role, range: { first, last } }) => {
      const attachment: Attachment = { kind: "selection", path, start: first + 1, end: last + 1 };
      return { role, attachment };
    });
  const withProblems = problems && hasProblems(document);
  return [
    ...selections,
    ...(withProblems ? [{ role: t("problems"), attachment: { kind: "problems", path } as const }] : []),
  ];
}

/** Lines counted from 0, both ends included. */
interface Lines {
  readonly first: number;
  readonly last: number;
}

/** What is selected; else the function or class the cursor is in; else its line. */
function linesOf({ range }: CodePlace, symbol: Lines | undefined): Lines {
  if (range.isEmpty) return symbol ?? { first: range.start.line, last: range.start.line };
  // A selection that ends at the beginning of a line does not mean that line.
  const ends = range.end.character === 0 && range.end.line > range.start.line;
  return { first: range.start.line, last: range.end.line - (ends ? 1 : 0) };
}

const length = ({ first, last }: Lines): number => last - first + 1;
const contains = (one: Lines, other: Lines): boolean => one.first <= other.first && one.last >= other.last;
const wholeLines = ({ first, last }: Lines): vscode.Range => new vscode.Range(first, 0, last + 1, 0);

/** What begins or ends in the middle of a function or class, with the whole of it. */
export async function wholeBlocks(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.Range> {
  const symbols = await symbolsIn(document);
  let [first, last] = [range.start.line, range.end.line];
  for (const at of [range.start, range.end]) {
    const block = blockAround(symbols, new vscode.Range(at, at));
    if (block === undefined || length(block) > maxSymbolLines) continue;
    first = Math.min(first, block.first);
    last = Math.max(last, block.last);
  }
  return new vscode.Range(new vscode.Position(first, 0), document.lineAt(last).range.end);
}

async function symbolsIn({ uri }: vscode.TextDocument): Promise<readonly vscode.DocumentSymbol[]> {
  const asked = vscode.commands.executeCommand<readonly vscode.DocumentSymbol[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    uri,
  );
  const symbols = await Promise.race([
    asked.then(
      (found) => found,
      () => undefined,
    ),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), timeout)),
  ]);
  return symbols ?? [];
}

function blockAround(symbols: readonly vscode.DocumentSymbol[], range: vscode.Range): Lines | undefined {
  let best: vscode.Range | undefined;
  const look = (list: readonly vscode.DocumentSymbol[]): void => {
    for (const symbol of list) {
      // Some providers answer in an older form, without children or a whole range.
      if (!(symbol.range instanceof vscode.Range) || !symbol.range.contains(range)) continue;
      if (isBlock(symbol.kind)) best = symbol.range;
      look(symbol.children ?? []);
    }
  };
  look(symbols);
  return best && { first: best.start.line, last: best.end.line };
}

function isBlock(kind: vscode.SymbolKind): boolean {
  const { Function: Func, Method, Constructor, Class, Interface, Struct, Enum } = vscode.SymbolKind;
  return [Func, Method, Constructor, Class, Interface, Struct, Enum].includes(kind);
}

const importing = /^\s*(import\b|from\b|using\b|use\b|#include\b|require\b|(const|let|var)\b.*\brequire\()/;

/** The block at the top of the file that says what its names mean. */
function importLines(document: vscode.TextDocument): Lines | undefined {
  const end = Math.min(document.lineCount, maxImportLines);
  const rows = Array.from({ length: end }, (_, row) => row).filter((row) =>
    importing.test(document.lineAt(row).text),
  );
  const [first, last] = [rows[0], rows.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

const hasProblems = ({ uri }: vscode.TextDocument): boolean =>
  vscode.languages.getDiagnostics(uri).length > 0;
