// Patches as a card shows them: planned ones, and those that a model is still writing.

import type { WrittenChange } from "../changes/proposal.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { PatchFile, PatchHunk } from "../conversation/state.ts";
import { type Lines, lineAt, splitLines } from "../patch/edits.ts";
import type {
  Base,
  FileChange,
  FileName,
  FileSection,
  Hunk,
  LineEdit,
  Looseness,
  MoveChange,
  NoteCode,
  Plan,
  PlanNote,
  UpdateChange,
} from "../patch/model.ts";
import { PatchParser } from "../patch/parse.ts";
import type { ReplyEvent } from "../service/reply.ts";

const reasons: Record<NoteCode, Message> = {
  prose: message("whyProse"),
  wrapped: message("whyWrapped"),
  decorated: message("whyDecorated"),
  "no-begin": message("whyBeginMissing"),
  "no-end": message("whyEndMissing"),
  "several-envelopes": message("whyEnvelopes"),
  environment: message("whyEnvironment"),
  "git-headers": message("whyGitHeaders"),
  "no-newline-remark": message("whyNewline"),
  "no-blanks": message("whyNoBlanks"),
  "line-numbers": message("whyNumbers"),
  "unchanged-hunk": message("whyUnchanged"),
  "lost-anchor": message("whyLostAnchor"),
  "absolute-path": message("whyAbsolutePath"),
  "dotted-path": message("whyDotted"),
  "quoted-path": message("whyQuoted"),
  "prefixed-path": message("whyPrefixed"),
  "case-rename": message("whyCase"),
  "moved-onto-itself": message("whyItself"),
};

/**
 * Describes in one sentence, for people, how a patch in a lenient format was interpreted. Returns `undefined` if the
 * format was strict.
 */
export function formatNote(notes: readonly PlanNote[]): Message | undefined {
  const lines = new Set(notes.map(({ code }) => reasons[code]));
  return lines.size === 0 ? undefined : message("patchFormat", { why: [...lines] });
}

/** Covers notes about the patch as a whole and about files that it leaves unchanged. */
export function formatNoteOfAll({ notes, changes }: Plan): Message | undefined {
  const isChanged = ({ folder, path }: FileName) =>
    changes.some(({ file }) => file.folder === folder && file.path === path);
  return formatNote(notes.filter(({ file }) => file === undefined || !isChanged(file)));
}

type NameOf = (file: FileName) => string;

const contextLines = 3;
/** A card only gives an overview; the review shows the whole diff. */
const maxDiff = 32 * 1024;

export const hunkName = (path: string, number?: number): string =>
  number === undefined ? path : `${path}#${number + 1}`;

export const hasHunks = (change: FileChange): change is UpdateChange | MoveChange =>
  (change.kind === "update" || change.kind === "move") && change.hunks.length > 0;

/**
 * Converts a plan to what a card shows: files, hunks with their lines, and warnings. Every hunk has an id by which it
 * can be selected. A file without hunks (new, deleted, or only moved) counts as one hunk.
 */
export function viewPlan(
  { changes, notes }: Pick<Plan, "changes" | "notes">,
  nameOf: NameOf,
  statusOf: (hunk: string) => PatchHunk["status"],
  quotable: (base: Base) => string,
): PatchFile[] {
  let left = maxDiff;
  return changes.map((change) => {
    const hunks = viewHunks(change, nameOf(change.file), quotable).map((hunk): PatchHunk => {
      const { diff, ...rest } = { ...hunk, status: statusOf(hunk.id) };
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

/** The hunks of a change as it was written, as a row shows them. `base` is the text it was made in, to be quoted. */
export function viewWritten({ change, hunks }: WrittenChange, base: string): readonly BareHunk[] {
  if (!("edits" in change) || hunks.every(({ edits }) => edits.length === 0))
    return viewHunks(change, "", () => base).map((hunk) => ({ ...hunk, id: hunks[0]?.id ?? hunk.id }));
  const lines = splitLines(base);
  return hunks.map(({ id, edits }) => {
    const own = edits.flatMap((edit) => change.edits[edit] ?? []);
    return viewHunk({ base: lines, edits: own, looseness: "exact", id });
  });
}

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

/** Groups all edits in one pass, since a file can have as many hunks as lines. */
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

/** The edits of one hunk, with the lines around and between them. */
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

interface StreamingPatch {
  readonly parser: PatchParser;
  /** How many characters were read. */
  read: number;
  /** The progress last reported. */
  reported: number;
  settled: SettledView;
}

/** The files already reported in their final state; more of the patch comes after them. */
interface SettledView {
  readonly files: number;
  readonly hunks: number;
  readonly lines: number;
  /** The room left for the lines of further files. */
  readonly room: number;
}

/** A single delta may contain a whole patch of the largest size and is parsed at once. */
const maxRead = 256 * 1024;
/** Enough to see where the patch is going; the complete diff comes with the proposal. */
const maxStreamedDiff = 8 * 1024;

/**
 * Previews patches while the model is still writing them: which files, how many lines so far. Display only; nothing is
 * ever applied from it, and a patch that stops arriving is shown as stopped.
 */
export class StreamingPatches {
  readonly #patches = new Map<string, StreamingPatch>();

  /**
   * Returns an event when there is enough news to draw: another file, or many more hunks or lines. It contains only
   * what is new.
   */
  take(turn: string, request: number, event: ReplyEvent): ConversationEvent | undefined {
    if (event.type === "call" && event.name === "apply_patch") {
      const settled = { files: 0, hunks: 0, lines: 0, room: maxStreamedDiff };
      this.#patches.set(event.item, { parser: new PatchParser(), read: 0, reported: 0, settled });
      return arrived(turn, `${request}/${event.item}`, []);
    }
    const patch = event.type === "call-input" ? this.#patches.get(event.item) : undefined;
    if (patch === undefined || event.type !== "call-input") return undefined;
    patch.read += event.delta.length;
    if (patch.read > maxRead) return undefined;
    patch.parser.feed(event.delta);
    const { sections } = patch.parser;
    const { files: from } = patch.settled;
    const { files, hunks, lines } = sections.slice(from).reduce(counted, patch.settled);
    const news = files + Math.floor(Math.log2(1 + hunks)) + Math.floor(Math.log2(1 + lines));
    if (news === patch.reported) return undefined;
    patch.reported = news;
    const shown: PatchFile[] = [];
    for (const [at, section] of sections.slice(from).entries()) {
      const { file, room } = viewed(section, patch.settled.room);
      shown.push(file);
      // The last section may still grow.
      if (from + at < sections.length - 1) patch.settled = { ...counted(patch.settled, section), room };
    }
    return arrived(turn, `${request}/${event.item}`, shown, from);
  }
}

const arrived = (turn: string, id: string, files: PatchFile[], from?: number): ConversationEvent => ({
  ...{ type: "patch", turn, id, call: "", status: "arriving", files },
  ...(from !== undefined && { from }),
});

function counted({ room, ...sum }: SettledView, section: FileSection): SettledView {
  const hunks = section.kind === "update" ? section.hunks : [];
  const lines = hunks.reduce((all, hunk) => all + hunk.lines.length, sum.lines);
  return { files: sum.files + 1, hunks: sum.hunks + hunks.length, lines, room };
}

/** `room`: the number of diff characters available, and what is left of it. */
function viewed(section: FileSection, room: number): { file: PatchFile; room: number } {
  let left = room;
  const file = viewSection(section);
  const hunks = file.hunks.map(({ diff = "", ...hunk }) => {
    left -= diff.length;
    return left < 0 ? hunk : { ...hunk, diff };
  });
  return { file: { ...file, hunks }, room: left };
}

function viewSection(section: FileSection): PatchFile {
  const { path, kind } = section;
  if (kind === "add") return { path, change: "add", added: section.lines.length, removed: 0, hunks: [] };
  if (kind === "delete") return { path, change: "delete", added: 0, removed: 0, hunks: [] };
  const hunks = section.hunks.map((hunk, number) => viewUnplaced(hunk, hunkName(path, number)));
  const count = (sign: "added" | "removed") => hunks.reduce((sum, hunk) => sum + hunk[sign], 0);
  const counts = { added: count("added"), removed: count("removed"), hunks };
  if (section.moveTo === undefined) return { path, change: "update", ...counts };
  return { path, change: "move", to: section.moveTo, ...counts };
}

const signs = { context: " ", removed: "-", added: "+" } as const;

/** A hunk as written in the patch, without a position in the file yet. */
function viewUnplaced({ lines }: Hunk, id: string): PatchHunk {
  const count = (sign: "added" | "removed") => lines.filter(({ kind }) => kind === sign).length;
  const diff = lines.map(({ kind, text }) => `${signs[kind]}${text}\n`).join("");
  return { id, status: "pending", added: count("added"), removed: count("removed"), diff };
}
