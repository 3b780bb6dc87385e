// A file as a review shows it: what is proposed for it, on the file as it is now. Made from the proposal and the file, and
// made again whenever one of them changes.

import type { Conflict } from "../diff/merge.ts";
import { type Message, message } from "../messages/message.ts";
import { nameAfter } from "../patch/edits.ts";
import type { Base, FileChange, LineEdit, Permission, PlacedHunk, Standing } from "../patch/model.ts";
import { addedBy, lossOf, permissionOf } from "../patch/ordered-changes.ts";
import { permit } from "../patch/paths.ts";
import { type HunkRisk, risksOf, riskyFile } from "../risk/file-risk.ts";
import type { RiskFlag } from "../risk/flags.ts";
import type { Steps } from "../util/yield-to-event-loop.ts";
import { type FileState, isSameFile, type Obstacle, type Proposal, type Seen } from "./proposal.ts";
import { hashOf } from "./text-store.ts";

export interface PendingHunk {
  /** From what it is made of: it stays the same wherever typing moves it. */
  readonly id: string;
  /** In the change's own count; absent: the file as a whole – new, deleted, moved. */
  readonly number?: number;
  /** Where it begins in the file as it is, from 1. */
  readonly line?: number;
  readonly added: number;
  readonly removed: number;
  /** Why it deserves a look before others, the heaviest first. */
  readonly flags: readonly RiskFlag[];
  /** Public names that it changes. */
  readonly names: readonly string[];
}

export interface PendingFile {
  readonly id: string;
  readonly revision: number;
  /** What accepting all of it would do; of one with an obstacle, what was meant. */
  readonly change: FileChange;
  readonly hunks: readonly PendingHunk[];
  /** Where the file and the proposal have both changed the same lines: the file's stay. */
  readonly conflicts: readonly Conflict[];
  /** Why nothing of it can be accepted now. */
  readonly problem?: Message | undefined;
  /** Of a change or a move with an obstacle: the file that was meant. */
  readonly meant?: FileState;
  /** Files whose change has to be accepted first: they free its name. */
  readonly requires: readonly string[];
  /** A person has written into it. */
  readonly isEdited: boolean;
  /** The calls that made it. */
  readonly calls: readonly string[];
}

export interface Looked {
  readonly seen: Seen;
  readonly live: Standing;
  readonly target: Standing;
}

export interface Knowledge {
  /** The same file as it was seen last. */
  readonly known?: PendingFile | undefined;
  secretsIn(text: string): number;
}

export function* pendingFile(
  proposal: Proposal,
  { seen, live, target }: Looked,
  requires: readonly string[],
  { known, secretsIn }: Knowledge,
): Steps<PendingFile | undefined> {
  if (seen.kind === "nothing") return undefined;
  const { id, revision, base, proposed, edited, shares } = proposal;
  const names = [
    ...(base === undefined ? [] : [{ file: base.file, standing: live }]),
    ...(proposed === undefined || (base !== undefined && isSameFile(base.file, proposed.file))
      ? []
      : [{ file: proposed.file, standing: target }]),
  ];
  const allowed: Permission[] = [];
  let problem = seen.kind === "obstacle" ? obstacles[seen.why] : undefined;
  for (const { file, standing } of names) {
    const permission = permit(file, standing);
    if (permission.verdict === "deny") problem ??= permission.why;
    else allowed.push(permission);
  }
  const change = yield* changeOf(proposal, seen, allowed);
  if (change === undefined) return undefined;
  const isOutside = shares.some(({ outside, hunks }) => outside === true && hunks.some(isWaiting));
  const risks =
    known !== undefined && isSameChange(known.change, change)
      ? known.hunks
      : yield* risksIn(change, isOutside, secretsIn);
  const calls = shares.filter(({ hunks }) => hunks.some(({ fate }) => fate === "pending"));
  return {
    id,
    revision,
    change,
    hunks: hunksOf(id, change, risks, seen.kind === "obstacle"),
    conflicts: seen.kind === "text" ? seen.conflicts : [],
    problem,
    meant: seen.kind === "obstacle" && base !== undefined ? proposed : undefined,
    requires,
    isEdited: edited !== undefined,
    calls: [...new Set(calls.map(({ call }) => call))],
  };
}

const obstacles = {
  missing: message("changeMissing"),
  "no-text": message("changeNoText"),
  exists: message("changeExists"),
  grown: message("changeGrown"),
} as const satisfies Readonly<Record<Obstacle, Message>>;

function* changeOf(
  { base, proposed, shares }: Proposal,
  seen: Exclude<Seen, { kind: "nothing" }>,
  allowed: readonly Permission[],
): Steps<FileChange | undefined> {
  const allow = (text: string, loss?: ReturnType<typeof lossOf>) => permissionOf(allowed, text, loss);
  const on = (text: string): Base => ({ text, sha256: hashOf(text), version: undefined });
  if (base === undefined) {
    if (proposed === undefined) return undefined;
    const { file, text } = proposed;
    return { kind: "add", file, permission: yield* allow(text), text };
  }
  if (proposed === undefined)
    return { kind: "delete", file: base.file, permission: yield* allow(""), base: on(base.text) };
  const [text, edits] = seen.kind === "text" ? [seen.live, seen.edits] : [base.text, []];
  const permission = yield* allow(addedBy(edits), isReplaced(shares) ? "replaced" : lossOf(text, edits));
  const hunks = edits.map(placed);
  const common = { file: base.file, permission, base: on(text), edits, hunks };
  if (seen.kind !== "text" || !seen.isMove) return { kind: "update", ...common };
  return { kind: "move", ...common, to: proposed.file, toReal: allowed[1]?.real ?? proposed.file.path };
}

/** One call has deleted the file and made another one under its name. */
const isReplaced = (shares: Proposal["shares"]): boolean =>
  shares.some(
    ({ hunks, reasons }) =>
      hunks.some(({ fate }) => fate === "pending") && reasons.some(({ code }) => code === "cautionReplaced"),
  );

const isWaiting = ({ fate }: Proposal["shares"][number]["hunks"][number]): boolean => fate === "pending";

/** Of a move the file itself comes first. */
function* risksIn(
  change: FileChange,
  isOutside: boolean,
  secretsIn: Knowledge["secretsIn"],
): Steps<readonly HunkRisk[]> {
  const risks = yield* risksOf(riskyFile(change, { path: nameAfter(change).path, isOutside, secretsIn }));
  return change.kind === "move" ? [unflagged, ...risks] : risks;
}

const unflagged: HunkRisk = { flags: [], names: [] };

/** Typing elsewhere in the file makes no other change of it. */
function isSameChange(one: FileChange, other: FileChange): boolean {
  if ("edits" in one && "edits" in other) {
    const isSame = (edit: LineEdit, at: number) =>
      edit.removed === other.edits[at]?.removed && edit.text === other.edits[at]?.text;
    return one.kind === other.kind && one.edits.length === other.edits.length && one.edits.every(isSame);
  }
  if (one.kind === "add" && other.kind === "add") return one.text === other.text;
  return one.kind === "delete" && other.kind === "delete" && one.base.text === other.base.text;
}

const placed = ({ lines }: LineEdit): PlacedHunk => ({
  line: 0,
  matched: lines,
  looseness: "exact",
  onEarlier: false,
});

function hunksOf(
  file: string,
  change: FileChange,
  risks: readonly HunkRisk[],
  isStuck: boolean,
): PendingHunk[] {
  const [{ flags, names } = unflagged] = risks;
  const whole = { id: `${file}:${change.kind}`, flags, names };
  if (change.kind === "add") return [{ ...whole, line: 1, added: linesIn(change.text), removed: 0 }];
  if (change.kind === "delete") return [{ ...whole, added: 0, removed: linesIn(change.base.text) }];
  // Its lines have no place now: it is decided as a whole.
  if (isStuck) return [{ ...whole, added: 0, removed: 0 }];
  const first = change.kind === "move" ? 1 : 0;
  const seen = new Map<string, number>();
  const hunks = change.edits.map(({ removed, text, lines, written }, number) => {
    const made = hashOf(JSON.stringify([removed, text])).slice(0, 16);
    const ordinal = seen.get(made) ?? 0;
    seen.set(made, ordinal + 1);
    const { flags, names } = risks[first + number] ?? unflagged;
    return {
      id: `${file}:${made}.${ordinal}`,
      number,
      line: lines.first + 1,
      added: written,
      removed: lines.last - lines.first,
      flags,
      names,
    };
  });
  return change.kind === "move" ? [{ ...whole, added: 0, removed: 0 }, ...hunks] : hunks;
}

function linesIn(text: string): number {
  if (text === "") return 0;
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return text.endsWith("\n") ? count : count + 1;
}
