// A Jupyter notebook as text: its cells, each below a line that says what it is, without outputs. Whatever reads a
// notebook sees this text, and a change of it is a change of cells. Outputs, metadata and attachments stay with their
// cells. In a file that is written here, what no change touches stays byte by byte; VS Code rewrites the whole
// file of a notebook that it saves.
import { type Message, message } from "../conversation/messages.ts";
import { readRaw, writeRaw } from "./internal/notebook-json.ts";
import type { CellStep, NotebookCell } from "./model.ts";
import { planCells } from "./notebook-cells.ts";

/** By its name: a folder may hold many, and they are listed without being read. */
export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path);

/** The first line tells a model how to read and write the rest, wherever it meets the text. */
export const firstLine =
  '# Notebook: a cell is a line such as "# %% code python" or "# %% markdown" and the lines below it. Outputs are kept and not shown.';

const isPrintable = (language: string): boolean => /^[\w.+#-]{1,40}$/.test(language);
const mark = /^# %% (code|markdown|raw)(?: ([\w.+#-]{1,40}))?$/;
/** A line of a cell that could be taken for a mark has a backslash in front of it, and one more for each of its own. */
const likeMark = /^\\*# %%/;

/** Line ends are those of the text, whichever a cell has. */
export function printNotebook(cells: readonly NotebookCell[]): string {
  const lines = [firstLine];
  for (const { kind, language = "", text } of cells) {
    lines.push(kind === "code" && isPrintable(language) ? `# %% code ${language}` : `# %% ${kind}`);
    if (text === "") continue;
    for (const line of text.split(/\r\n|\r|\n/)) lines.push(likeMark.test(line) ? `\\${line}` : line);
  }
  return `${lines.join("\n")}\n`;
}

/** `why`: what keeps the text from being a notebook. */
export function parseNotebook(text: string): readonly NotebookCell[] | { readonly why: Message } {
  const cells: (Pick<NotebookCell, "kind" | "language"> & { readonly lines: string[] })[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  if (lines[0] !== firstLine) return { why: message("whyNotebook") };
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue;
    const [, kind, language] = mark.exec(line) ?? [];
    if (kind === "code" || kind === "markdown" || kind === "raw") {
      cells.push({ kind, language: kind === "code" ? language : undefined, lines: [] });
    } else {
      const cell = cells.at(-1);
      const isMark = line.startsWith("# %%");
      if (isMark || cell === undefined) return { why: message("whyNoCell", { line: at + 1 }) };
      cell.lines.push(likeMark.test(line) ? line.slice(1) : line);
    }
  }
  return cells.map(({ lines: own, ...cell }) => ({ ...cell, text: own.join("\n") }));
}

/** The text of a notebook's file; undefined if it is none that can be read. */
export function textOfNotebook(json: string): string | undefined {
  const raw = readRaw(json);
  return raw && printNotebook(raw.cells);
}

/** The same, in the thread for long work. */
export const readingNotebook = { name: "notebook", run: textOfNotebook };

/**
 * The file of a notebook with this text. `json`: the file as it is, undefined for a new one. Undefined if either cannot
 * be read.
 */
export function fileOfNotebook(text: string, json: string | undefined): string | undefined {
  const raw = json === undefined ? undefined : readRaw(json);
  if (json !== undefined && raw === undefined) return undefined;
  const steps = cellSteps(raw?.cells ?? [], text, raw?.language);
  return "why" in steps ? undefined : writeRaw(steps, raw);
}

/** What becomes of these cells with this text. `language`: that of cells that name none. */
export function cellSteps(
  before: readonly NotebookCell[],
  text: string,
  language: string | undefined,
): readonly CellStep[] | { readonly why: Message } {
  const parsed = parseNotebook(text);
  if ("why" in parsed) return parsed;
  const usual = (cell: NotebookCell) =>
    cell.kind === "code" && !isPrintable(cell.language ?? "") ? { ...cell, language } : cell;
  // A cell whose language cannot be printed has a bare mark, as one that names none.
  return planCells(before.map(usual), parsed.map(usual));
}

/** Why a file cannot get this text: a notebook has to stay one. */
export function refuseNotebookText(path: string, text: string): Message | undefined {
  const parsed = isNotebook(path) ? parseNotebook(text) : [];
  return "why" in parsed ? parsed.why : undefined;
}
