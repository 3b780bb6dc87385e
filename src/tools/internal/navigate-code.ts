// `outline`, `find_symbol`, `find_definition`, `find_references` and `hover`: what the editor's language services know of
// the code. They see files that a model must not see, so every line is read through the guards before it is shown.
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { message } from "../../conversation/messages.ts";
import { cleanText } from "../../files/privacy.ts";
import { pathOf, Refusal } from "../../files/refusal.ts";
import { unlessRefused } from "../../files/walk.ts";
import type { CodePlace, CodePlaces, CodeSymbol, Languages } from "../../files/workspace.ts";
import type { FileName } from "../../patch/model.ts";
import { groupBy } from "../../util/collections.ts";
import { forModel } from "../../util/sentences.ts";
import { wordColumn } from "../../util/text.ts";
import { type CallContext, functionTool, type ToolResult } from "../tool.ts";
import { diskOnlyNote } from "./list-problems.ts";
import { withNearNames } from "./near-names.ts";
import { truncateLine } from "./read-file.ts";
import { declares } from "./search/declarations.ts";
import { excerpt, type FoundLine, splitLines } from "./search/line-excerpts.ts";
import { SearchResult } from "./search/search-result.ts";

const maxSymbols = 400;
/** Places in one file whose lines are shown. */
const maxPlacesPerFile = 50;
const maxHoverLetters = 4000;
/** A language service that has just been started is asked once more. */
const retryMilliseconds = 1500;

export const placeOfName = {
  type: "object",
  properties: {
    path: { type: "string" },
    name: { type: "string" },
    line: { type: "integer", description: "A line with the name." },
  },
  required: ["path", "name"],
  additionalProperties: false,
};

export const placeInput = z.object({
  path: z.string(),
  name: z.string().check(z.minLength(1), z.maxLength(500)),
  line: z.optional(z.int().check(z.minimum(1))),
});

export type PlaceInput = z.infer<typeof placeInput>;

const summaryOfPlace = ({ path, name, line }: PlaceInput): string =>
  `${name}, ${path}${line === undefined ? "" : `:${line}`}`;

export const outline = functionTool({
  name: "outline",
  description: "Lists the symbols of a file with their lines.",
  needs: "languages",
  parameters: {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
    additionalProperties: false,
  },
  input: z.object({ path: z.string() }),
  summary: ({ path }) => path,
  async run({ path }, context, signal) {
    const { workspace } = context;
    const read = await readFor(path, context, signal);
    const languages = languagesIn(context);
    const found = await askTwice(() => languages.outline(read.file), isSome, languages, signal);
    if (found.length === 0) return nothingFor(read.path, context);
    const reading = await workspace.read(read.file);
    const lines = reading.kind === "text" ? splitLines(reading.text) : [];
    const guarded = splitLines(read.text);
    // What a line with a secret declares may be the secret.
    const isClean = ({ line }: CodeSymbol) => lines[line - 1] === guarded[line - 1];
    const shown = found.filter(isClean).slice(0, maxSymbols);
    const rows = shown.map(({ name, kind, line, last, depth }) => {
      const to = last === undefined || last <= line ? "" : `–${last}`;
      return `${"  ".repeat(Math.min(depth, 10))}${line}${to} ${kind} ${truncateLine(name)}`;
    });
    const left = found.length - shown.length;
    if (left > 0) rows.push(forModel(`[${left} more are not shown.]`));
    const { text } = await cleanText(rows.join("\n"));
    return { output: `${read.path}\n${text}`, paths: [read.path] };
  },
});

export const findSymbol = functionTool({
  name: "find_symbol",
  description: "Finds declarations in the workspace by the beginning of their name.",
  needs: "languages",
  parameters: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  },
  input: z.object({ name: z.string().check(z.minLength(1), z.maxLength(500)) }),
  summary: ({ name }) => name,
  async run({ name }, context, signal) {
    const languages = languagesIn(context);
    const found = await askTwice(() => languages.symbols(name), isSome, languages, signal);
    const places = closestFirst(found, name).map(({ file, line, last }) => ({ file, line, last, column: 1 }));
    if (places.length === 0)
      return {
        output: `${forModel(`The language services know no symbol named ${name}; there may be none for its language, or they are still starting.`)}${otherWay(context)}${diskOnlyNote(context.proposed)}`,
      };
    const shown = await showPlaces({ places, outside: 0 }, context, signal);
    return { ...shown, output: `${shown.output}${diskOnlyNote(context.proposed)}` };
  },
});

export const findDefinition = functionTool({
  name: "find_definition",
  ability: "follow names to where they are declared and used",
  description: "Shows where a name of the code is declared.",
  needs: "languages",
  parameters: placeOfName,
  input: placeInput,
  summary: summaryOfPlace,
  run: (input, context, signal) => findPlaces("definition", input, context, signal),
});

export const findReferences = functionTool({
  name: "find_references",
  description: "Shows where a name of the code is used, other things of the same name left out.",
  needs: "languages",
  parameters: placeOfName,
  input: placeInput,
  summary: summaryOfPlace,
  run: (input, context, signal) => findPlaces("references", input, context, signal),
});

export const hover = functionTool({
  name: "hover",
  description: "Shows the type and documentation of a name of the code.",
  needs: "languages",
  parameters: placeOfName,
  input: placeInput,
  summary: summaryOfPlace,
  async run(input, context, signal) {
    const { at, path } = await placeOf(input, context, signal);
    const languages = languagesIn(context);
    const found = await askTwice(() => languages.hover(at), isSome, languages, signal, at.file);
    if (found.length === 0) return nothingFor(path, context);
    // It shows what is written where the name is declared.
    const declared = await languages.places("definition", input.name, at);
    const { withheld } = await readPlaces(declared, context, signal);
    if (withheld > 0) return { output: `[${notRead(withheld)}.]` };
    // Redact before shortening: a truncated key would not be recognized as one.
    const { text } = await cleanText(found.map((each) => each.trim()).join("\n\n"));
    const left = text.length - maxHoverLetters;
    const cut = left > 0 ? `\n[${left} more characters]` : "";
    return { output: `${text.slice(0, maxHoverLetters)}${cut}` };
  },
});

async function findPlaces(
  kind: "definition" | "references",
  input: PlaceInput,
  context: CallContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { at, path } = await placeOf(input, context, signal);
  const languages = languagesIn(context);
  const isAny = ({ places, outside }: CodePlaces) => places.length > 0 || outside > 0;
  const ask = () => languages.places(kind, input.name, at);
  const found = await askTwice(ask, isAny, languages, signal, at.file);
  return isAny(found) ? showPlaces(found, context, signal) : nothingFor(path, context);
}

const isSome = (found: readonly unknown[]): boolean => found.length > 0;

/**
 * Asks once more if there is no answer. `file`: not if the service has an outline of that file, because then it has
 * begun to work, and nothing is its answer.
 */
async function askTwice<Answer>(
  ask: () => Promise<Answer>,
  isAnswer: (answer: Answer) => boolean,
  languages: Languages,
  signal: AbortSignal,
  file?: FileName,
): Promise<Answer> {
  const first = await ask();
  if (isAnswer(first) || (file !== undefined && isSome(await languages.outline(file)))) return first;
  await pause(retryMilliseconds, undefined, { signal });
  return ask();
}

export function languagesIn({ workspace: { languages } }: CallContext): Languages {
  if (languages === undefined) throw new Error("The tool is offered only where there are language services.");
  return languages;
}

function nothingFor(path: string, context: CallContext): ToolResult {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const kind = dot > 0 ? name.slice(dot) : name;
  const said = forModel(
    `The language service returned nothing for ${path}; there may be none for ${kind}, or it is still starting.`,
  );
  return { output: `${said}${otherWay(context)}` };
}

const otherWay = ({ offers }: CallContext): string =>
  offers("search_text") ? ` ${forModel("search_text finds names by their letters.")}` : "";

const readFor = (path: string, { files }: CallContext, signal: AbortSignal) =>
  withNearNames(files, { path, kind: "file" }, signal, () => files.read(path, signal));

/** Finds the name in the given line or in the nearest one that has it. Throws Refusal. */
export async function placeOf(
  { path, name, line = 1 }: PlaceInput,
  context: CallContext,
  signal: AbortSignal,
): Promise<{ readonly at: CodePlace; readonly path: string }> {
  const read = await readFor(path, context, signal);
  let nearest: number | undefined;
  for (const [index, text] of splitLines(read.text).entries()) {
    const isNearer = nearest === undefined || Math.abs(index + 1 - line) < Math.abs(nearest - line);
    if (isNearer && wordColumn(text, name) !== undefined) nearest = index + 1;
  }
  if (nearest !== undefined) {
    // The guarded line may be shorter than the editor's, so that only the editor's knows the column.
    const reading = await context.workspace.read(read.file);
    const column =
      reading.kind === "text" ? wordColumn(splitLines(reading.text)[nearest - 1] ?? "", name) : undefined;
    if (column !== undefined) return { at: { file: read.file, line: nearest, column }, path: read.path };
  }
  throw new Refusal(message("toolNoName", { name, path: read.path }));
}

/** Language services answer with everything that is like a name. */
function closestFirst<Named extends { readonly name: string }>(all: readonly Named[], name: string): Named[] {
  const wanted = name.toLowerCase();
  const rank = (each: Named) => {
    const own = each.name.replace(/\(\)$/, "").toLowerCase();
    return own === wanted ? 0 : own.startsWith(wanted) ? 1 : own.includes(wanted) ? 2 : 3;
  };
  const exact = all.filter((each) => rank(each) === 0);
  return exact.length > 0 ? exact : all.toSorted((one, other) => rank(one) - rank(other));
}

interface ReadPlaces {
  readonly answer: SearchResult;
  /** How many places are in files that a model must not see. */
  readonly withheld: number;
}

/** One line of code for each place, file by file. */
async function readPlaces(
  { places }: CodePlaces,
  { files, offers }: CallContext,
  signal: AbortSignal,
): Promise<ReadPlaces> {
  const answer = new SearchResult(0, offers("search_text") ? "search_text shows the other lines" : undefined);
  let withheld = 0;
  for (const own of groupBy(places, ({ file }) => `${file.folder}\0${file.path}`).values()) {
    const [first] = own;
    if (first === undefined) continue;
    const path = pathOf(first.file, files.folders);
    const read = await files.read(path, signal).catch(unlessRefused);
    if (read === undefined) {
      withheld += own.length;
      continue;
    }
    const lines = splitLines(read.text);
    const proposed = new Set(own.flatMap(({ line, isProposed }) => (isProposed ? line : [])));
    const numbers = [...new Set(own.map(({ line }) => line))].toSorted((one, other) => one - other);
    const shown = numbers.slice(0, maxPlacesPerFile).map((number): FoundLine => {
      const line = lines[number - 1] ?? "";
      const { text, ...cut } = excerpt(line, 0);
      const isDeclared = own.some((each) => each.line === number && declares(line, each.column - 1));
      const end = own.reduce(
        (most, { line, last = 0 }) => (line === number ? Math.max(most, last) : most),
        0,
      );
      const marks = [
        ...(end > number ? [`[to line ${end}]`] : []),
        ...(proposed.has(number) ? [proposedMark] : []),
      ];
      return { number, ...cut, ...(isDeclared && { declares: true }), text: [text, ...marks].join(" ") };
    });
    answer.take({ path, lines: shown, total: numbers.length });
    if (answer.isFull) break;
  }
  return { answer, withheld };
}

async function showPlaces(found: CodePlaces, context: CallContext, signal: AbortSignal): Promise<ToolResult> {
  const { answer, withheld } = await readPlaces(found, context, signal);
  const { places, outside } = found;
  const notes = [
    ...(places.some(({ isProposed }) => isProposed)
      ? [forModel(`${proposedMark}: in a line that is not in the editor yet, found by its letters`)]
      : []),
    ...(outside > 0
      ? [forModel(`${outside === 1 ? "1 place is" : `${outside} places are`} outside of the workspace`)]
      : []),
    ...(withheld > 0 ? [notRead(withheld)] : []),
  ].map((each) => `${each}.`);
  if (answer.isEmpty) return { output: notes.map((each) => `[${each}]`).join("\n") };
  return { output: answer.text(notes), message: answer.summary, paths: answer.paths };
}

const notRead = (places: number): string =>
  forModel(`${places === 1 ? "1 place is" : `${places} places are`} in files that are not read`);

const proposedMark = "[proposed]";
