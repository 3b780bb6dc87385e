// The file of a notebook: where its cells are in the JSON, and the same file with other cells. Only what changes is
// rewritten, in the style of the file.
import { isObject, type JsonObject, skipBlank, skipString } from "../../util/json.ts";
import type { CellStep, NotebookCell } from "../model.ts";
import { languageOf, ownLanguage } from "../notebook-cells.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

interface RawCell extends NotebookCell, Span {
  readonly source: Span | undefined;
  readonly isList: boolean;
  /** How its lines end; its text has line feeds. */
  readonly lineEnd: string;
}

interface RawNotebook {
  readonly json: string;
  readonly cells: readonly RawCell[];
  /** The array of cells, with its brackets. */
  readonly list: Span;
  readonly language: string | undefined;
  readonly hasIds: boolean;
  readonly ids: ReadonlySet<string>;
}

/** Undefined if it is no notebook in the format 4, the only one that VS Code writes. */
export function readRaw(json: string): RawNotebook | undefined {
  const start = json.startsWith("\ufeff") ? 1 : 0;
  let parsed: unknown;
  try {
    parsed = JSON.parse(json.slice(start));
  } catch {
    return undefined;
  }
  if (!isObject(parsed) || parsed["nbformat"] !== 4 || !Array.isArray(parsed["cells"])) return undefined;
  const list = membersOf(json, start).get("cells");
  if (list === undefined) return undefined;
  const language = languageOf(parsed["metadata"]);
  const spans = elementsOf(json, list.start);
  const cells: RawCell[] = [];
  const ids = new Set<string>();
  for (const [at, cell] of parsed["cells"].entries()) {
    const span = spans[at];
    if (!isObject(cell) || span === undefined) return undefined;
    const { cell_type: kind, source = "", metadata, id } = cell;
    const text = typeof source === "string" ? source : isTexts(source) ? source.join("") : undefined;
    if ((kind !== "code" && kind !== "markdown" && kind !== "raw") || text === undefined) return undefined;
    if (typeof id === "string") ids.add(id);
    cells.push({
      ...span,
      kind,
      text: text.replace(/\r\n|\r/g, "\n"),
      language: kind === "code" ? (ownLanguage(metadata) ?? language) : undefined,
      source: membersOf(json, span.start).get("source"),
      isList: typeof source !== "string",
      lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
    });
  }
  const minor = parsed["nbformat_minor"];
  return { json, cells, list, language, ids, hasIds: typeof minor === "number" && minor >= 5 };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

// ── Where values are. The text is valid: it has been parsed. ──

function endOfValue(json: string, at: number): number {
  if (json[at] === '"') return skipString(json, at);
  let depth = 0;
  for (let end = at; end < json.length; end++) {
    const sign = json[end];
    if (sign === '"') end = skipString(json, end) - 1;
    else if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") {
      if (depth <= 1) return depth === 1 ? end + 1 : end;
      depth--;
    } else if (depth === 0 && /[,\s]/.test(sign ?? "")) return end;
  }
  return json.length;
}

/** The values of an object by their names; of a name that is there twice, the last one, as `JSON.parse` reads it. */
function membersOf(json: string, start: number): Map<string, Span> {
  const found = new Map<string, Span>();
  let at = skipBlank(json, skipBlank(json, start) + 1);
  while (json[at] === '"') {
    const end = skipString(json, at);
    const name: unknown = JSON.parse(json.slice(at, end));
    const value = skipBlank(json, skipBlank(json, end) + 1);
    const span = { start: value, end: endOfValue(json, value) };
    found.set(String(name), span);
    at = skipBlank(json, span.end);
    if (json[at] === ",") at = skipBlank(json, at + 1);
  }
  return found;
}

function elementsOf(json: string, start: number): Span[] {
  const found: Span[] = [];
  let at = skipBlank(json, start + 1);
  while (at < json.length && json[at] !== "]") {
    const span = { start: at, end: endOfValue(json, at) };
    found.push(span);
    at = skipBlank(json, span.end);
    if (json[at] === ",") at = skipBlank(json, at + 1);
  }
  return found;
}

// ── Writing ──

interface Style {
  /** One level of indentation; undefined if all is on one line. */
  readonly unit: string | undefined;
  readonly lineEnd: string;
  readonly comma: string;
}

export function writeRaw(steps: readonly CellStep[], raw: RawNotebook | undefined): string {
  if (raw === undefined) return newNotebook(steps);
  const { json, list, cells } = raw;
  if (steps.length === cells.length && steps.every((step, at) => step.from === at && isSameText(step, raw)))
    return json;
  const style = styleOf(json);
  const ids = new Set(raw.ids);
  const written = steps.map((step, at) => {
    const cell = step.from === undefined ? undefined : cells[step.from];
    if (cell === undefined) return print(newCell(step.cell, at, raw, ids), style, 2);
    return isSameText(step, raw)
      ? json.slice(cell.start, cell.end)
      : withText(cell, step.cell.text, json, style);
  });
  const [first, second] = cells;
  const line = (depth: number) => breakAt(style, depth);
  const between =
    first && second ? json.slice(first.end, second.start) : `,${line(2) || style.comma.slice(1)}`;
  const before = first ? json.slice(list.start + 1, first.start) : line(2);
  const last = cells.at(-1);
  const after = last ? json.slice(last.end, list.end - 1) : line(1);
  const inside = written.length === 0 ? "" : `${before}${written.join(between)}${after}`;
  return `${json.slice(0, list.start)}[${inside}]${json.slice(list.end)}`;
}

const isSameText = ({ from, cell }: CellStep, { cells }: RawNotebook): boolean =>
  from !== undefined && cells[from]?.text === cell.text;

function styleOf(json: string): Style {
  const lineEnd = json.includes("\r\n") ? "\r\n" : "\n";
  const unit = /^\ufeff?\{\r?\n([ \t]+)"/.exec(json)?.[1];
  return { unit, lineEnd, comma: /": /.test(json.slice(0, 1000)) ? ", " : "," };
}

const breakAt = ({ unit, lineEnd }: Style, depth: number): string =>
  unit === undefined ? "" : lineEnd + unit.repeat(depth);

/** A value in the style of the file; `depth`: of the line where it begins. */
function print(value: unknown, style: Style, depth: number): string {
  const { unit } = style;
  if (unit === undefined) {
    const isSpaced = style.comma === ", ";
    return isSpaced ? spaced(value) : JSON.stringify(value);
  }
  const [first = "", ...others] = JSON.stringify(value, null, unit).split("\n");
  return [first, ...others.map((line) => unit.repeat(depth) + line)].join(style.lineEnd);
}

/** On one line, as Python prints it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spaced(each)}`);
  return `{${members.join(", ")}}`;
}

function withText(cell: RawCell, changed: string, json: string, style: Style): string {
  const { source, start, end, isList, lineEnd } = cell;
  const text = changed.replaceAll("\n", lineEnd);
  if (source === undefined) {
    const member = `"source": ${print(linesOf(text), style, 3)}`;
    const rest = json.slice(start + 1, end);
    return `{${breakAt(style, 3)}${member},${rest}`;
  }
  const value = isList || cell.text === "" ? print(linesOf(text), style, 3) : JSON.stringify(text);
  return json.slice(start, source.start) + value + json.slice(source.end, end);
}

/** As notebooks have it: each line with its end. */
const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

function newCell(
  { kind, language, text }: NotebookCell,
  at: number,
  { hasIds, language: usual }: Pick<RawNotebook, "hasIds" | "language">,
  ids: Set<string>,
): JsonObject {
  const isOther = kind === "code" && language !== undefined && language !== usual;
  return {
    cell_type: kind,
    ...(kind === "code" && { execution_count: null }),
    ...(hasIds && { id: newId(`${at} ${text}`, ids) }),
    metadata: isOther ? { vscode: { languageId: language } } : {},
    ...(kind === "code" && { outputs: [] }),
    source: linesOf(text),
  };
}

/** The same for the same cell, so that a notebook that was tried is the one that is written. */
function newId(text: string, ids: Set<string>): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  for (;;) {
    const id = (hash >>> 0).toString(16).padStart(8, "0");
    if (!ids.has(id)) {
      ids.add(id);
      return id;
    }
    hash = Math.imul(hash ^ 1, 0x01000193);
  }
}

function newNotebook(steps: readonly CellStep[]): string {
  const language = steps.find(({ cell }) => cell.kind === "code")?.cell.language;
  const ids = new Set<string>();
  const cells = steps.map(({ cell }, at) => newCell(cell, at, { hasIds: true, language }, ids));
  const metadata = language === undefined ? {} : { language_info: { name: language } };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}
