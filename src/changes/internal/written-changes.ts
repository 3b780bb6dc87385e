// What was written of the changes of calls when they were accepted: for each call one change of the file, on top of those
// of the calls before it. Undo, the row, and the origin of a line read this and nothing else. Pure.
import { type LineChange, linesOf, merge3 } from "../../patch/diff-and-merge.ts";
import { applyEdits, comparing, lineEdits, reverseChanges } from "../../patch/edits.ts";
import type { FileChange, FileName, LineEdit } from "../../patch/model.ts";
import { orderOfWork } from "../../patch/plan.ts";
import { runTask } from "../../util/background.ts";
import { present } from "../../util/present.ts";
import type { Texts } from "../change-store.ts";
import type { Reversal } from "../plan-undo.ts";
import {
  type CallEdit,
  type CallHunk,
  type CallWrite,
  type FileState,
  isInFile,
  isSameFile,
  mergedOn,
  type Proposal,
  type ProposalView,
  stateAfter,
  type WrittenChange,
  type WrittenHunk,
} from "../proposal.ts";
import { type HunkPart, type Line, type Run, type SharedLines, spell } from "./shared-lines.ts";
import { isFileChange, pendingParts } from "./text-changes.ts";

/** The proposals of a set and the texts they refer to. */
export interface Stored {
  readonly proposals: readonly Proposal[];
  readonly texts: Texts;
}

/** What a call has made of the lines of the file. */
interface Layer {
  readonly share: number;
  readonly parts: readonly HunkPart[];
  readonly lines: ReadonlySet<Line>;
}

/** The changes of the calls in what is accepted of a proposal; before that is recorded in it. */
export function writesOf(
  proposal: Proposal,
  view: ProposalView,
  change: FileChange,
  isChosen: (hunk: number) => boolean,
  texts: Texts,
): readonly CallWrite[] {
  const lines = mergedOn(proposal, view.kind === "text" ? view.live : (proposal.base?.text ?? "")).lines;
  const after = stateAfter(change);
  const runs = view.kind === "text" ? view.runs.filter((_, hunk) => isChosen(hunk)) : undefined;
  const layers = layersOf(proposal, lines, runs);
  let from: ReadonlySet<Line> = lines.base;
  let before: FileState = change.kind === "add" ? undefined : { file: change.file, text: change.base.text };
  return layers.map(({ share, parts, lines: to }, at) => {
    const left = proposal.shares[share]?.after?.file;
    const isLast = at === layers.length - 1;
    const now: FileState = isLast ? after : left && { file: left, text: spell(lines.all, to) };
    const changes = before === undefined || now === undefined ? [] : changesIn(lines.all, from, to, parts);
    const write = present({
      share,
      before: texts.keep(before),
      after: texts.keep(now),
      changes: changes.map(({ change: each }) => each),
      hunks: [...new Set(parts.map(({ id }) => id))].map((id) => ({
        id,
        changes: changes.flatMap(({ ids }, number) => (ids.has(id) ? [number] : [])),
      })),
    });
    [from, before] = [to, now];
    return write;
  });
}

/**
 * What each call adds to the file, the last one leading to all of it. A line that a later call has removed again is in
 * none of them, so that undoing the later one writes nothing that nobody has accepted. `runs`: all if absent.
 */
function layersOf(
  proposal: Proposal,
  { all, base, proposed }: SharedLines,
  runs: readonly Run[] | undefined,
): readonly Layer[] {
  const pending = pendingParts(proposal);
  const within = runs && new Set(runs.flatMap(({ took, made, gone }) => [...took, ...made, ...gone]));
  const isWithin = (line: Line) => within === undefined || within.has(line);
  const end = new Set(all.filter((line) => (isWithin(line) ? proposed : base).has(line)));
  const layers: Layer[] = [];
  let lines: ReadonlySet<Line> = base;
  for (const [share, edit] of proposal.shares.entries()) {
    const isFile = isFileChange(edit);
    const parts = pending.filter(
      (part) =>
        part.share === share && (isFile || [...part.made, ...part.took].some((line) => isWithin(line))),
    );
    if (parts.length === 0) continue;
    const next = new Set(lines);
    for (const { took } of parts) for (const line of took) if (isWithin(line)) next.delete(line);
    for (const { made } of parts)
      for (const line of made) if (isWithin(line) && end.has(line)) next.add(line);
    layers.push({ share, parts, lines: next });
    lines = next;
  }
  const last = layers.at(-1);
  return last === undefined ? [] : layers.with(-1, { ...last, lines: end });
}

/** The changes from one text to the next, each with the hunks that made it. */
function changesIn(
  all: readonly Line[],
  from: ReadonlySet<Line>,
  to: ReadonlySet<Line>,
  parts: readonly HunkPart[],
) {
  const makers = new Map<Line, Set<string>>();
  for (const { id, made, took } of parts)
    for (const line of [...made, ...took]) makers.set(line, (makers.get(line) ?? new Set()).add(id));
  const found: { change: LineChange; ids: Set<string> }[] = [];
  let [row, newRow] = [0, 0];
  let open: { from: number; newFrom: number; ids: Set<string> } | undefined;
  const close = () => {
    if (open === undefined) return;
    const { ids, ...begun } = open;
    found.push({ change: { ...begun, to: row, newTo: newRow }, ids });
    open = undefined;
  };
  for (const line of all) {
    const [isOld, isNew] = [from.has(line), to.has(line)];
    if (isOld && isNew) close();
    else if (isOld || isNew) {
      open ??= { from: row, newFrom: newRow, ids: new Set() };
      for (const id of makers.get(line) ?? []) open.ids.add(id);
    }
    if (isOld) row += 1;
    if (isNew) newRow += 1;
  }
  close();
  return found;
}

/** The proposal with these hunks of its writes in the file, or no longer. */
export function withWritten(
  proposal: Proposal,
  isMeant: (write: number, id: string) => boolean,
  to: "applied" | "undone",
): Proposal {
  const meant = new Set<string>();
  const writes = proposal.writes.map((write, at): CallWrite => {
    if (!write.hunks.some(({ id }) => isMeant(at, id))) return write;
    const hunks = write.hunks.map(({ id, changes, undone }): WrittenHunk => {
      if (!isMeant(at, id)) return present({ id, changes, undone });
      meant.add(`${write.share}\n${id}`);
      return { id, changes, ...(to === "undone" && { undone: true }) };
    });
    return { ...write, hunks };
  });
  const shares = proposal.shares.map((share, at) => {
    const hunks = share.hunks.map((hunk): CallHunk => {
      if (hunk.status === "pending" || !meant.has(`${at}\n${hunk.id}`)) return hunk;
      if (isInFile({ writes }, at, hunk.id)) return { ...hunk, status: "applied" };
      return hunk.status === "applied" ? { ...hunk, status: "undone" } : hunk;
    });
    return { ...share, hunks };
  });
  return { ...proposal, shares, writes };
}

/** The change made up of these hunks of what was written, and those hunks. "gone": its texts are no longer stored. */
function changeWritten(
  { before: keptBefore, after: keptAfter, changes, hunks }: CallWrite,
  { reasons }: CallEdit,
  takes: (hunk: WrittenHunk) => boolean,
  texts: Texts,
): WrittenChange | "gone" | undefined {
  const own = hunks.filter(takes);
  if (own.length === 0) return undefined;
  const [before, after] = [texts.stateOf(keptBefore), texts.stateOf(keptAfter)];
  if (before === "gone" || after === "gone") return "gone";
  const out = new Set(hunks.filter((hunk) => !own.includes(hunk)).flatMap((hunk) => hunk.changes));
  const kept = changes.map((_, at) => at).filter((at) => !out.has(at));
  const all = before && after ? editsOf(before.text, after.text, changes) : [];
  const edits = kept.flatMap((at, number) => {
    const edit = all[at];
    return edit === undefined ? [] : [{ ...edit, hunks: [number] }];
  });
  const places = new Map(kept.map((at, number) => [at, number]));
  const reversed = own.map((hunk) => ({
    id: hunk.id,
    edits: hunk.changes.flatMap((at) => places.get(at) ?? []),
  }));
  const change = changeBetween(before, after, edits, reasons, texts);
  return change && { change, hunks: reversed };
}

/** The confirmations were given when it was proposed or accepted. */
function changeBetween(
  before: FileState,
  after: FileState,
  edits: readonly LineEdit[],
  reasons: CallEdit["reasons"],
  texts: Texts,
): FileChange | undefined {
  const verdict = reasons.length > 0 ? "confirm" : "allow";
  const permission = ({ path }: FileName) => ({ verdict, reasons, real: path }) as const;
  if (before === undefined) {
    if (after === undefined) return undefined;
    return { kind: "add", file: after.file, permission: permission(after.file), text: after.text };
  }
  const { file, text } = before;
  const base = { text, sha256: texts.nameOf(text), version: undefined };
  const common = { file, permission: permission(file), base };
  if (after === undefined) return { kind: "delete", ...common };
  const placed = edits.map(
    ({ lines }) => ({ line: 0, matched: lines, looseness: "exact", onEarlier: false }) as const,
  );
  const led = { ...common, edits, hunks: placed };
  if (isSameFile(file, after.file)) return { kind: "update", ...led };
  return { kind: "move", ...led, to: after.file, toReal: after.file.path };
}

/** These changes of lines as edits. */
function editsOf(before: string, after: string, changes: readonly LineChange[]): readonly LineEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let [start, row] = [0, 0];
  return changes.map(({ from, to, newFrom, newTo }) => {
    for (; row < from; row++) start += old[row]?.length ?? 0;
    const removed = old.slice(from, to).join("");
    const text = now.slice(newFrom, newTo).join("");
    const end = start + removed.length;
    const lines = { first: from, last: to };
    const edit = { start, end, removed, text, lines, written: newTo - newFrom, hunks: [] };
    [start, row] = [end, to];
    return edit;
  });
}

// What calls have written, read again.

/** `gone`: changes whose texts are no longer stored. */
interface ReversalsOfCalls {
  readonly reversals: readonly Reversal[];
  readonly gone: readonly { readonly call: string; readonly proposal: string; readonly file: FileName }[];
}

/**
 * Collects, proposal by proposal, the reversals that undo what of these calls is in the files, or reapply what was undone,
 * in order. `only` restricts them to files in which the calls have one of these hunks.
 */
export function reversalsOf(
  texts: Texts,
  calls: readonly string[],
  to: "applied" | "undone",
  only?: ReadonlySet<string>,
): { add(proposal: Proposal): void; all(): ReversalsOfCalls } {
  const isMeantHunk = ({ undone = false }: WrittenHunk) => undone === (to === "applied");
  const gone: ReversalsOfCalls["gone"][number][] = [];
  /** For each call its changes as they were written, and what reverses them. */
  const found = new Map<string, Map<FileChange, Reversal>>(calls.map((call) => [call, new Map()]));
  function add({ id: proposal, shares, writes }: Proposal): void {
    for (const [at, write] of writes.entries()) {
      const share = shares[write.share];
      const own = share && found.get(share.call);
      const isMeant = only === undefined || share?.hunks.some(({ id }) => only.has(id)) === true;
      if (share === undefined || own === undefined || !isMeant) continue;
      const { call } = share;
      const made = changeWritten(write, share, isMeantHunk, texts);
      const file = (write.after ?? write.before)?.file;
      if (made === "gone" && file !== undefined) gone.push({ call, proposal, file });
      if (made === "gone" || made === undefined) continue;
      const reversing =
        to === "undone" ? reverseChanges([made.change], (text) => texts.nameOf(text)) : [made.change];
      for (const change of reversing)
        own.set(made.change, { call, proposal, write: at, change, hunks: made.hunks });
    }
  }
  function all(): ReversalsOfCalls {
    const reversals: Reversal[] = [];
    for (const made of found.values()) {
      const ordered = orderOfWork([...made.keys()]);
      for (const change of to === "undone" ? ordered.toReversed() : ordered) {
        const own = made.get(change);
        if (own !== undefined) reversals.push(own);
      }
    }
    return { reversals, gone };
  }
  return { add, all };
}

/**
 * The changes of a call as they were written, or as they were proposed if none were, in an order in which they can be
 * carried out; empty if their texts are no longer stored.
 */
export async function changesOfCall(
  { proposals, texts }: Stored,
  call: string,
): Promise<readonly FileChange[]> {
  const written: FileChange[] = [];
  for (const { shares, writes } of proposals) {
    const own = writes.flatMap((write) => {
      const share = shares[write.share];
      const made = share?.call === call ? changeWritten(write, share, wasTaken(share), texts) : undefined;
      return made ?? [];
    });
    const parts = own.flatMap((each) => (each === "gone" ? [] : [each.change]));
    if (parts.length < own.length) return [];
    const [first, ...others] = parts;
    if (first !== undefined) written.push(others.reduce(inOneChange, first));
  }
  if (written.length > 0) return orderOfWork(written);
  const proposed: FileChange[] = [];
  for (const share of proposals.flatMap(({ shares }) => shares)) {
    if (share.call !== call) continue;
    const [before, after] = [texts.stateOf(share.before), texts.stateOf(share.after)];
    if (before === "gone" || after === "gone") return [];
    const change = changeBetween(before, after, await editsBetween(before, after), share.reasons, texts);
    if (change !== undefined) proposed.push(change);
  }
  return orderOfWork(proposed);
}

async function editsBetween(before: FileState, after: FileState): Promise<readonly LineEdit[]> {
  if (before === undefined || after === undefined) return [];
  const question = { before: before.text, after: after.text };
  return runTask(comparing, question, before.text.length + after.text.length);
}

/** Both as one change of the file, although others may have changed it between them. */
function inOneChange(first: FileChange, next: FileChange): FileChange {
  if (!("edits" in first) || !("edits" in next)) return next;
  const { text } = first.base;
  const now = applyEdits(next.base.text, next.edits);
  const edits = lineEdits(text, merge3(next.base.text, applyEdits(text, first.edits), now).text);
  return { ...next, file: first.file, base: first.base, edits };
}

/** What was written of a call's changes in the files in which a person has edited them. */
export const editedChangesOf = ({ proposals, texts }: Stored, call: string): readonly WrittenChange[] =>
  proposals.flatMap(({ shares, writes }) =>
    writes.flatMap((write) => {
      const share = shares[write.share];
      if (share?.call !== call || share.edited !== true) return [];
      const made = changeWritten(write, share, wasTaken(share), texts);
      return made === "gone" || made === undefined ? [] : [made];
    }),
  );

function wasTaken({ hunks }: CallEdit): (hunk: WrittenHunk) => boolean {
  const isTaken = ({ status }: CallHunk) => status === "applied" || status === "undone";
  const taken = new Set(hunks.filter(isTaken).map(({ id }) => id));
  return ({ id }) => taken.has(id);
}
