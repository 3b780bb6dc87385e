// Notebooks as VS Code has them: read as the text of their cells, and changed as cells. A cell that stays gets its text
// as if a person typed it; others are inserted, removed or moved with their outputs. All of it is one WorkspaceEdit.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { message } from "../../../conversation/messages.ts";
import { smallest } from "../../../patch/edits.ts";
import type { CellStep, NotebookCell, Reading } from "../../../patch/model.ts";
import { cellSteps, isNotebook, printNotebook, readingNotebook } from "../../../patch/notebook.ts";
import { languageOf, ownLanguage } from "../../../patch/notebook-cells.ts";
import { runTask } from "../../../util/background.ts";
import { asObject } from "../../../util/json.ts";
import type { RemovedCell, ReturningCells } from "./removed-cells.ts";

/** The type of VS Code's own support, which every edition has. */
const type = "jupyter-notebook";

export const openedNotebook = (uri: vscode.Uri): vscode.NotebookDocument | undefined =>
  isNotebook(uri.path)
    ? vscode.workspace.notebookDocuments.find((each) => each.uri.toString() === uri.toString())
    : undefined;

/** Whether cells of it can be changed. */
export const isOurs = ({ notebookType, isClosed }: vscode.NotebookDocument): boolean =>
  notebookType === type && !isClosed;

export function readOpened(notebook: vscode.NotebookDocument): Reading {
  return { kind: "text", text: printNotebook(cellsOf(notebook)), version: notebook.version };
}

/** `reading`: the file as it is. */
export async function readAsCells(reading: Reading): Promise<Reading> {
  if (reading.kind !== "text") return reading;
  const text = await runTask(readingNotebook, reading.text, reading.text.length);
  return text === undefined ? { kind: "binary" } : { ...reading, text };
}

/** @throws MessageError */
export async function openNotebook(uri: vscode.Uri): Promise<vscode.NotebookDocument> {
  const name = vscode.workspace.asRelativePath(uri);
  const notebook = await vscode.workspace.openNotebookDocument(uri).then(
    (opened) => opened,
    () => undefined,
  );
  if (notebook === undefined || !isOurs(notebook))
    throw new MessageError(message("editsNoNotebook", { name }));
  return notebook;
}

/** What the extension returns that reads and writes notebooks in VS Code. */
interface NotebookSupport {
  exportNotebook?(data: vscode.NotebookData): Promise<string>;
}

/**
 * Whether saving the notebook now would leave its file unchanged. VS Code rewrites the whole file, in its own order and
 * without the fields it does not know.
 */
export async function isSavedUnchanged(
  notebook: vscode.NotebookDocument,
  bytes: Uint8Array,
): Promise<boolean> {
  const support = vscode.extensions.getExtension<NotebookSupport | undefined>("vscode.ipynb");
  const data = new vscode.NotebookData(notebook.getCells().map(sameCell));
  data.metadata = notebook.metadata;
  try {
    const written = await (await support?.activate())?.exportNotebook?.(data);
    return written !== undefined && Buffer.compare(Buffer.from(written), bytes) === 0;
  } catch {
    return false;
  }
}

function cellsOf(notebook: vscode.NotebookDocument): NotebookCell[] {
  const usual = languageIn(notebook);
  return notebook.getCells().map(({ kind, document, metadata }) => {
    const text = inOneLineEnd(document.getText());
    if (kind === vscode.NotebookCellKind.Markup) return { kind: "markdown", text };
    if (document.languageId === "raw") return { kind: "raw", text };
    return { kind: "code", language: ownLanguage(asObject(metadata)?.["metadata"]) ?? usual, text };
  });
}

/** VS Code keeps the file's own metadata one level down. */
const languageIn = ({ metadata }: vscode.NotebookDocument): string | undefined =>
  languageOf(asObject(metadata)?.["metadata"]);

/** The cells that would no longer be there with this text. */
export function cellsRemovedBy(notebook: vscode.NotebookDocument, text: string): readonly RemovedCell[] {
  const cells = cellsOf(notebook);
  const steps = cellSteps(cells, text, languageIn(notebook));
  if ("why" in steps) return [];
  const staying = new Set(steps.map(({ from }) => from));
  return cells.flatMap((cell, at) =>
    staying.has(at) ? [] : [{ uri: notebook.uri, cell, data: sameCell(notebook.cellAt(at)) }],
  );
}

/**
 * Adds what makes this text of a notebook. Cells come first: VS Code refuses to move cells of a notebook in which the
 * same edit has changed a text before. `returning`: for a change that is undone or applied again, the cells that come back.
 * @throws MessageError
 */
export function addNotebookEdits(
  edit: vscode.WorkspaceEdit,
  notebook: vscode.NotebookDocument,
  text: string,
  returning: ReturningCells | undefined,
  metadata: vscode.WorkspaceEditEntryMetadata = { label: "", needsConfirmation: false },
): void {
  const steps = cellSteps(cellsOf(notebook), text, languageIn(notebook));
  if ("why" in steps) {
    const name = vscode.workspace.asRelativePath(notebook.uri);
    throw new MessageError(message("editsNoCells", { name, why: steps.why }));
  }
  const replaced = [...replacements(notebook, steps, returning), ...forgetRuns(notebook, steps)];
  const entries = replaced.map((each): [vscode.NotebookEdit, vscode.WorkspaceEditEntryMetadata] => [
    each,
    metadata,
  ]);
  if (entries.length > 0) edit.set(notebook.uri, entries);
  for (const { from, isMoved, cell } of steps) {
    const document = from === undefined || isMoved ? undefined : notebook.cellAt(from).document;
    const before = document?.getText();
    if (document === undefined || before === undefined || inOneLineEnd(before) === cell.text) continue;
    const now = withLineEnds(cell.text, document);
    const change = smallest({ start: 0, end: before.length, removed: before, text: now });
    const place = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
    edit.replace(document.uri, place, change.text, metadata);
  }
}

const inOneLineEnd = (text: string): string => text.replace(/\r\n|\r/g, "\n");

const withLineEnds = (text: string, { eol }: vscode.TextDocument): string =>
  eol === vscode.EndOfLine.CRLF ? text.replaceAll("\n", "\r\n") : text;

/** Each run of cells that do not stay is replaced by those that come there. */
function replacements(
  notebook: vscode.NotebookDocument,
  steps: readonly CellStep[],
  returning: ReturningCells | undefined,
): vscode.NotebookEdit[] {
  const find = returning?.cells.finder(notebook.uri);
  const ids = new Set(steps.flatMap(({ from }) => (from === undefined ? [] : idOf(notebook.cellAt(from)))));
  const cellComing = (cell: NotebookCell) => {
    const known = find?.(cell);
    if (known !== undefined) return withOwnId(known, ids);
    if (returning?.isOnly !== true) return newCell(cell, notebook);
    const name = vscode.workspace.asRelativePath(notebook.uri);
    throw new MessageError(message("editsCellsLost", { name }));
  };
  const edits: vscode.NotebookEdit[] = [];
  let [next, coming]: [number, vscode.NotebookCellData[]] = [0, []];
  const replaceUpTo = (end: number) => {
    const range = new vscode.NotebookRange(next, end);
    if (end > next || coming.length > 0) edits.push(vscode.NotebookEdit.replaceCells(range, coming));
    coming = [];
  };
  for (const { cell, from, isMoved } of steps) {
    if (from === undefined) coming.push(cellComing(cell));
    else if (isMoved) coming.push(sameCell(notebook.cellAt(from)));
    else {
      replaceUpTo(from);
      next = from + 1;
    }
  }
  replaceUpTo(notebook.cellCount);
  return edits;
}

/**
 * VS Code forgets the number of a cell's last run once its text changes, by an edit of its own; as part of ours, one
 * Undo is enough. It comes last, since edits at the same cell are made from the last one on.
 */
function forgetRuns(notebook: vscode.NotebookDocument, steps: readonly CellStep[]): vscode.NotebookEdit[] {
  return steps.flatMap(({ from, isMoved, cell }) => {
    const was = from === undefined || isMoved ? undefined : notebook.cellAt(from);
    const isChanged = was !== undefined && inOneLineEnd(was.document.getText()) !== cell.text;
    if (from === undefined || !isChanged || typeof was.metadata["execution_count"] !== "number") return [];
    return [vscode.NotebookEdit.updateCellMetadata(from, { ...was.metadata, execution_count: null })];
  });
}

/** As in the file, where a moved cell keeps everything that it has. */
function sameCell({ kind, document, outputs, metadata, executionSummary }: vscode.NotebookCell) {
  const data = new vscode.NotebookCellData(kind, document.getText(), document.languageId);
  data.metadata = metadata;
  data.outputs = [...outputs];
  if (executionSummary !== undefined) data.executionSummary = executionSummary;
  return data;
}

const idOf = ({ metadata }: Pick<vscode.NotebookCellData, "metadata">): string[] => {
  const id: unknown = metadata?.["id"];
  return typeof id === "string" ? [id] : [];
};

/** Undo in the editor may have brought back another cell with its id. */
function withOwnId(data: vscode.NotebookCellData, ids: Set<string>): vscode.NotebookCellData {
  const [id] = idOf(data);
  if (id === undefined) return data;
  const isTaken = ids.has(id);
  ids.add(id);
  return isTaken ? { ...data, metadata: { ...data.metadata, id: newId() } } : data;
}

const newId = (): string => randomUUID().slice(0, 8);

/** With an id where cells have one: VS Code would add it by an edit of its own. */
function newCell(cell: NotebookCell, notebook: vscode.NotebookDocument): vscode.NotebookCellData {
  const data = newData(cell, notebook);
  const minor: unknown = notebook.metadata["nbformat_minor"];
  const hasIds = typeof minor === "number" && minor >= 5;
  data.metadata = { ...(hasIds && { id: newId() }), ...data.metadata };
  return data;
}

function newData({ kind, language, text }: NotebookCell, notebook: vscode.NotebookDocument) {
  const { Markup, Code } = vscode.NotebookCellKind;
  if (kind === "markdown") return new vscode.NotebookCellData(Markup, text, "markdown");
  if (kind === "raw") return new vscode.NotebookCellData(Code, text, "raw");
  const usual = languageIn(notebook);
  const isUsual = language === undefined || language === usual;
  const known = notebook
    .getCells()
    .find(
      (cell) =>
        cell.kind === Code &&
        cell.document.languageId !== "raw" &&
        ownLanguage(asObject(cell.metadata)?.["metadata"]) === (isUsual ? undefined : language),
    );
  const data = new vscode.NotebookCellData(Code, text, known?.document.languageId ?? language ?? "python");
  if (!isUsual) data.metadata = { metadata: { vscode: { languageId: language } } };
  return data;
}
