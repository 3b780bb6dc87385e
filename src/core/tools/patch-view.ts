// A plan as a card shows it: files, hunks with their lines, what deserves a second look. Every hunk has a name by
// which it can be chosen; a file without hunks – new, deleted, only moved – is one hunk.

import type { PatchFile, PatchHunk } from "../conversation/tool-use.ts";
import { type Message, message } from "../messages/message.ts";
import type {
  Base,
  FileChange,
  FileName,
  LineEdit,
  Looseness,
  MoveChange,
  Plan,
  UpdateChange,
} from "../patch/model.ts";
import { type Lines, lineAt, splitLines } from "../patch/text.ts";
import { formatNote } from "./format-notes.ts";

type NameOf = (file: FileName) => string;

const contextLines = 3;
/** A card is for looking over; the review shows all of it. */
const maxDiff = 32 * 1024;

export const hunkName = (path: string, number?: number): string =>
  number === undefined ? path : `${path}#${number + 1}`;

export const hasHunks = (change: FileChange): change is UpdateChange | MoveChange =>
  (change.kind === "update" || change.kind === "move") && change.hunks.length > 0;

export function viewPlan(
  { changes, notes }: Pick<Plan, "changes" | "notes">,
  nameOf: NameOf,
  fateOf: (hunk: string) => PatchHunk["status"],
  quotable: (base: Base) => string,
): PatchFile[] {
  let left = maxDiff;
  return changes.map((change) => {
    const hunks = viewHunks(change, nameOf(change.file), quotable).map((hunk): PatchHunk => {
      const { diff, ...rest } = { ...hunk, status: fateOf(hunk.id) };
      left -= diff?.length ?? 0;
      return diff === undefined || left < 0 ? rest : { ...rest, diff };
    });
    const { reasons } = change.permission;
    const names = [change.file, ...(change.kind === "move" ? [change.to] : [])].map(nameOf);
    const note = formatNote(notes.filter(({ file }) => file !== undefined && names.includes(nameOf(file))));
    return {
      path: nameOf(change.file),
      change: change.kind,
      ...(change.kind === "move" && { to: nameOf(change.to) }),
      added: sum(hunks, ({ added }) => added),
      removed: sum(hunks, ({ removed }) => removed),
      hunks,
      ...(reasons.length > 0 && { caution: message("cautionLook", { why: reasons }) }),
      ...(note !== undefined && { note }),
    };
  });
}

type BareHunk = Omit<PatchHunk, "status">;

function viewHunks(change: FileChange, path: string, quotable: (base: Base) => string): BareHunk[] {
  if (hasHunks(change)) {
    const base = splitLines(quotable(change.base));
    const edits = editsByHunk(change.edits);
    return change.hunks.map(({ looseness }, number) =>
      viewHunk({ base, edits: edits.get(number) ?? [], looseness, id: hunkName(path, number) }),
    );
  }
  const id = hunkName(path);
  if (change.kind === "add") {
    const lines = splitLines(change.text);
    return [{ id, line: 1, added: lines.count, removed: 0, diff: signed("+", lines, 0, lines.count) }];
  }
  const removed = change.kind === "delete" ? splitLines(change.base.text).count : 0;
  return [{ id, added: 0, removed }];
}

/** Once for all: a file can have as many hunks as lines. */
function editsByHunk(edits: readonly LineEdit[]): ReadonlyMap<number, readonly LineEdit[]> {
  const found = new Map<number, LineEdit[]>();
  for (const edit of edits)
    for (const hunk of edit.hunks) {
      const own = found.get(hunk);
      if (own === undefined) found.set(hunk, [edit]);
      else own.push(edit);
    }
  return found;
}

interface HunkInView {
  readonly id: string;
  readonly base: Lines;
  readonly edits: readonly LineEdit[];
  readonly looseness: Looseness;
}

function viewHunk({ id, base, edits, looseness }: HunkInView): BareHunk {
  const [first, last] = [edits[0], edits.at(-1)];
  const note = loosenessNotes[looseness];
  return {
    id,
    ...(first !== undefined && { line: first.lines.first + 1 }),
    added: sum(edits, ({ written }) => written),
    removed: sum(edits, ({ lines }) => lines.last - lines.first),
    ...(first && last && { diff: diffOf(base, edits, first, last) }),
    ...(note !== undefined && { note }),
  };
}

/** The edits of one hunk with the lines around and between them. */
function diffOf(base: Lines, edits: readonly LineEdit[], first: LineEdit, last: LineEdit): string {
  let row = Math.max(0, first.lines.first - contextLines);
  let diff = "";
  for (const { lines, text } of edits) {
    diff += signed(" ", base, row, lines.first) + signed("-", base, lines.first, lines.last);
    const written = splitLines(text);
    diff += signed("+", written, 0, written.count);
    row = lines.last;
  }
  return diff + signed(" ", base, row, Math.min(base.count, last.lines.last + contextLines));
}

function signed(sign: string, lines: Lines, first: number, end: number): string {
  let text = "";
  for (let row = first; row < end; row++) text += `${sign}${lineAt(lines, row)}\n`;
  return text;
}

const loosenessNotes: Record<Looseness, Message | undefined> = {
  exact: undefined,
  "trailing-space": message("patchSpaces"),
  "outer-space": message("patchWhite"),
  "look-alike": message("patchLookAlike"),
};

const sum = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((total, each) => total + of(each), 0);
