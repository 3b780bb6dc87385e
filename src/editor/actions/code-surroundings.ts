// The code an action is about with the context it needs: the whole file if it is short, otherwise the enclosing
// function or class and the imports it uses, and the problems shown by the editor.
import * as vscode from "vscode";
import type { Attachment } from "../../conversation/state.ts";
import { documentAttachment, pathInWorkspace } from "../attach/attach-uri.ts";
import type { Companion } from "./ask.ts";
import type { CodePlace } from "./edit-commands.ts";

/** Zero-based line numbers, both inclusive. */
interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Imports are at the top; what looks like one further down belongs to the code. */
const maxRows = 100;

const importing = /^\s*(import\b|from\b|using\b|use\b|#include\b|require\b|(const|let|var)\b.*\brequire\()/;
/** Imports that bring in names without listing them. */
const isOpen = (text: string): boolean => /^\s*(#include|using)\b|\*/.test(text);
const keywords = new Set("import from as type const let var require use using default static".split(" "));

/**
 * Finds the imports that the code in question uses, so that a file too long to be attached as a whole still tells what
 * its names mean. Works on the text alone; where that is not conclusive, an import is kept. Returns the lines from the
 * first to the last one; `undefined` if the code uses none.
 */
export function usedImports(lines: readonly string[], code: string): Lines | undefined {
  const words = new Set(wordsIn(code));
  const used = statementsIn(lines.slice(0, maxRows)).filter(({ first, last }) => {
    const text = lines.slice(first, last + 1).join("\n");
    return isOpen(text) || wordsIn(text).some((word) => !keywords.has(word) && words.has(word));
  });
  const [begin, end] = [used[0], used.at(-1)];
  return begin === undefined || end === undefined ? undefined : { first: begin.first, last: end.last };
}

/** An import may span several lines, until its brackets are closed. */
function statementsIn(lines: readonly string[]): Lines[] {
  const found: Lines[] = [];
  for (let row = 0; row < lines.length; row++) {
    const first = row;
    if (!importing.test(lines[first] ?? "")) continue;
    let open = 0;
    for (; row < lines.length; row++) {
      const text = lines[row] ?? "";
      open += count(text, /[{(]/g) - count(text, /[})]/g);
      if (open <= 0) break;
    }
    found.push({ first, last: Math.min(row, lines.length - 1) });
  }
  return found;
}

const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];

/** A longer function is more than the question needs. */
const maxSymbolLines = 200;
/**
 * Shorter files are attached as a whole: whatever is left out has to be requested by the model, with the whole
 * conversation sent again.
 */
const maxFileLines = 300;
const maxFileCharacters = 24_000;
/** A language server that is still starting must not delay a question. */
const timeout = 1500;

interface Wanted {
  /** What is to be done with the code, as the model is told: `to-edit`. */
  readonly role: string;
  /** Attaches the problems that the editor shows in the file. */
  readonly problems?: boolean;
}

/**
 * Returns what to attach, each part with its role. These are only requests: what may be read is decided when the
 * question is sent.
 */
export async function surroundingsOf(
  place: CodePlace,
  { role, problems = false }: Wanted,
): Promise<readonly Companion[]> {
  const t = vscode.l10n.t;
  const { document } = place;
  const path = pathInWorkspace(document.uri);
  const symbol = blockAround(await symbolsIn(document), place.range);
  const lines = linesOf(place, symbol);
  if (path === undefined) {
    // Not a file of the workspace: the text itself is attached.
    return [
      { role: t("selection"), attachment: { ...documentAttachment(document, wholeLines(lines)), role } },
    ];
  }
  const meant = !place.range.isEmpty
    ? t("selection")
    : symbol === undefined
      ? t("line {0}", lines.first + 1)
      : t("enclosing function");
  const code: Companion = { role: meant, attachment: selectionOf(path, lines, role) };
  const wrong: Companion = { role: t("problems"), attachment: { kind: "problems", path, role: "problems" } };
  const around = contains(lines, { first: 0, last: lastLine(document) })
    ? []
    : isShort(document)
      ? [{ role: t("whole file"), attachment: { kind: "file", path, role: "context" } as const }]
      : partsAround(document, path, lines, symbol);
  return [code, ...around, ...(problems && hasProblems(document) ? [wrong] : [])];
}

/** For a file too long to be attached as a whole. */
function partsAround(
  document: vscode.TextDocument,
  path: string,
  lines: Lines,
  symbol: Lines | undefined,
): Companion[] {
  const t = vscode.l10n.t;
  const around = symbol !== undefined && length(symbol) <= maxSymbolLines ? symbol : undefined;
  const block = around !== undefined && !contains(lines, around) ? around : undefined;
  const all = document.getText().split(/\r?\n/);
  const { first, last } = block ?? lines;
  const imports = usedImports(all, all.slice(first, last + 1).join("\n"));
  const isApart = imports !== undefined && imports.last < first;
  return [
    ...(block === undefined
      ? []
      : [{ role: t("enclosing function"), attachment: selectionOf(path, block, "enclosing-block") }]),
    ...(isApart ? [{ role: t("imports"), attachment: selectionOf(path, imports, "imports") }] : []),
  ];
}

const selectionOf = (path: string, { first, last }: Lines, role: string): Attachment => ({
  ...{ kind: "selection", path, start: first + 1, end: last + 1, role },
});

/** An empty line after the last line break does not count. */
function lastLine(document: vscode.TextDocument): number {
  const last = document.lineCount - 1;
  return last > 0 && document.lineAt(last).text === "" ? last - 1 : last;
}

const isShort = (document: vscode.TextDocument): boolean =>
  document.lineCount <= maxFileLines && document.getText().length <= maxFileCharacters;

/** The selection; otherwise the function or class at the cursor; otherwise its line. */
function linesOf({ range }: CodePlace, symbol: Lines | undefined): Lines {
  if (range.isEmpty) return symbol ?? { first: range.start.line, last: range.start.line };
  // A selection that ends at the beginning of a line does not include that line.
  const ends = range.end.character === 0 && range.end.line > range.start.line;
  return { first: range.start.line, last: range.end.line - (ends ? 1 : 0) };
}

const length = ({ first, last }: Lines): number => last - first + 1;
const contains = (one: Lines, other: Lines): boolean => one.first <= other.first && one.last >= other.last;
const wholeLines = ({ first, last }: Lines): vscode.Range => new vscode.Range(first, 0, last + 1, 0);

/** Extends the range to the whole of each function or class in which it begins or ends. */
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
      // Some providers return an older form without children or a full range.
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

const hasProblems = ({ uri }: vscode.TextDocument): boolean =>
  vscode.languages.getDiagnostics(uri).length > 0;
