// What the language services know, told in the lines of the proposals. They know the files as the editor has them, so
// their places are carried over by a diff; in lines that are only proposed, names are found by their letters.
import type { CodePlace, CodePlaces, Languages, Workspace } from "../../files/workspace.ts";
import type { LineChange } from "../../patch/diff-and-merge.ts";
import { comparing } from "../../patch/edits.ts";
import type { FileName, LineEdit } from "../../patch/model.ts";
import { runTask } from "../../util/background.ts";
import { present } from "../../util/present.ts";
import { wordColumn } from "../../util/text.ts";
import { type FileState, keyOf } from "../proposal.ts";

type Proposed = readonly (readonly [FileName, FileState])[];

/** The lines of a file in the editor and as proposed. */
interface TwoTexts {
  readonly now: readonly string[];
  readonly proposed: readonly string[];
  readonly changes: readonly LineChange[];
  /** Whether the editor has the file at all. */
  readonly isThere: boolean;
}

export function languagesOn(
  languages: Languages,
  workspace: Pick<Workspace, "read">,
  proposals: Proposed,
): Languages {
  const states = new Map(proposals.map(([file, state]) => [keyOf(file), state]));
  const read = new Map<string, Promise<TwoTexts>>();

  /** `undefined`: nothing is proposed for it. */
  function textsOf(file: FileName): Promise<TwoTexts> | undefined {
    const key = keyOf(file);
    if (!states.has(key)) return undefined;
    const known = read.get(key);
    if (known !== undefined) return known;
    const found = compare(file, states.get(key));
    read.set(key, found);
    return found;
  }

  async function compare(file: FileName, state: FileState): Promise<TwoTexts> {
    // A proposed file need not exist.
    const reading = await workspace.read(file).catch(() => undefined);
    const now = reading?.kind === "text" ? linesIn(reading.text) : [];
    const proposed = state === undefined ? [] : linesIn(state.text);
    const [before, after] = [closed(now), closed(proposed)];
    const changes = changesOf(await runTask(comparing, { before, after }, before.length + after.length));
    return { now, proposed, changes, isThere: reading !== undefined };
  }

  async function toProposed<Place extends { readonly line: number; readonly last?: number | undefined }>(
    file: FileName,
    place: Place,
  ): Promise<Place | undefined> {
    const texts = await textsOf(file);
    if (texts === undefined) return place;
    const line = shiftDown(texts.changes, place.line);
    const last = place.last === undefined ? undefined : shiftDown(texts.changes, place.last);
    return line === undefined ? undefined : { ...place, line, last };
  }

  /** The place in the editor; for a proposed line, another one in the same file with the same name. */
  async function toEditor(name: string, place: CodePlace): Promise<CodePlace | undefined> {
    const texts = await textsOf(place.file);
    if (texts === undefined) return place;
    const line = shiftUp(texts.changes, place.line);
    if (line !== undefined) return { ...place, line };
    for (const [index, text] of texts.now.entries()) {
      const at = wordColumn(text, name);
      if (at !== undefined && shiftDown(texts.changes, index + 1) !== undefined)
        return { ...place, line: index + 1, column: at };
    }
    return undefined;
  }

  async function proposedPlaces(name: string): Promise<CodePlaces["places"]> {
    const found: CodePlaces["places"][number][] = [];
    for (const [file] of proposals) {
      const texts = await textsOf(file);
      if (texts === undefined) continue;
      for (const { newFrom, newTo } of texts.changes)
        for (let index = newFrom; index < newTo; index++) {
          const column = wordColumn(texts.proposed[index] ?? "", name);
          if (column !== undefined) found.push({ file, line: index + 1, column, isProposed: true });
        }
    }
    return found;
  }

  return {
    async outline(file) {
      const texts = await textsOf(file);
      if (texts === undefined) return languages.outline(file);
      const { changes } = texts;
      // A file that is only proposed is unknown to everybody.
      const all = texts.isThere ? await languages.outline(file) : [];
      return all.flatMap(({ last, ...symbol }) => {
        const line = shiftDown(changes, symbol.line);
        const end = last === undefined ? undefined : shiftDown(changes, last);
        return line === undefined ? [] : [{ ...symbol, line, ...present({ last: end }) }];
      });
    },
    async symbols(name) {
      const found = await languages.symbols(name);
      const all = await Promise.all(found.map((each) => toProposed(each.file, each)));
      return all.filter((each) => each !== undefined);
    },
    async places(kind, name, at) {
      const there = await toEditor(name, at);
      const { places, outside } = there
        ? await languages.places(kind, name, there)
        : { places: [], outside: 0 };
      const kept = (await Promise.all(places.map((each) => toProposed(each.file, each)))).filter(
        (each) => each !== undefined,
      );
      // A definition that the language service knows leaves nothing to guess.
      const isKnown = kind === "definition" && (kept.length > 0 || outside > 0);
      return { places: isKnown ? kept : [...kept, ...(await proposedPlaces(name))], outside };
    },
    async rename(name, at, to) {
      const there = await toEditor(name, at);
      if (there === undefined) return { edits: [], others: 0 };
      const found = await languages.rename(name, there, to);
      const edits = await Promise.all(found.edits.map((each) => toProposed(each.file, each)));
      return {
        ...found,
        // What a proposal has changed or removed is not there to be renamed.
        edits: edits.filter((each) => each !== undefined),
        left: await proposedPlaces(name),
      };
    },
    async hover(at) {
      const texts = await textsOf(at.file);
      const line = texts === undefined ? at.line : shiftUp(texts.changes, at.line);
      return line === undefined ? [] : languages.hover({ ...at, line });
    },
  };
}

const linesIn = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

/** The same lines with line ends that are all alike. */
const closed = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function changesOf(edits: readonly LineEdit[]): LineChange[] {
  let shift = 0;
  return edits.map(({ lines: { first: from, last: to }, written }) => {
    const newFrom = from + shift;
    shift += written - (to - from);
    return { from, to, newFrom, newTo: newFrom + written };
  });
}

/** A line of the old text as a line of the new one, both 1-based; `undefined` if it was changed or removed. */
function shiftDown(changes: readonly LineChange[], line: number): number | undefined {
  const index = line - 1;
  const before = changes.findLast(({ from }) => from <= index);
  if (before === undefined) return line;
  return index < before.to ? undefined : line + before.newTo - before.to;
}

const shiftUp = (changes: readonly LineChange[], line: number): number | undefined =>
  shiftDown(
    changes.map(({ from, to, newFrom, newTo }) => ({ from: newFrom, to: newTo, newFrom: from, newTo: to })),
    line,
  );
