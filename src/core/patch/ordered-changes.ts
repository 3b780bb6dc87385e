// The finished picture as changes, in an order that works one by one: deletions, moves (each before whatever takes
// the name it frees), updates, additions.

import { message } from "../messages/message.ts";
import type { Steps } from "../util/yield-to-event-loop.ts";
import { applyEdits } from "./edits.ts";
import type {
  AddChange,
  DeleteChange,
  FileChange,
  FileName,
  LineEdit,
  MoveChange,
  Permission,
  UpdateChange,
} from "./model.ts";
import type { Refusal } from "./patch-error.ts";
import { clash, type Draft, type Picture, textNow } from "./patched-files.ts";
import { dangersIn, otherReasons, worstFirst } from "./reasons-to-ask.ts";
import { editsOf } from "./splice.ts";
import { splitLines } from "./text.ts";

export type Changes =
  | { readonly kind: "changes"; readonly changes: readonly FileChange[] }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

export function* changesOf(picture: Picture): Steps<Changes> {
  const nested = findNested(picture);
  if (nested !== undefined) return { kind: "refused", refusals: [nested] };
  const deletes: DeleteChange[] = [];
  for (const [key, { at, base }] of picture.deleted) {
    // Deleted and added again under the same name: an update of the whole text.
    if (picture.drafts.get(key)?.origin !== undefined || !picture.drafts.has(key)) {
      deletes.push({ kind: "delete", file: at.file, permission: at.permission, base });
    }
  }
  const moves: MoveChange[] = [];
  const others: (UpdateChange | AddChange)[] = [];
  for (const draft of picture.drafts.values()) {
    yield;
    const change = yield* changeOf(picture, draft);
    if (change?.kind === "move") moves.push(change);
    else if (change !== undefined) others.push(change);
  }
  const ordered = inWorkingOrder(moves);
  if (ordered === undefined) {
    const path = moves[0]?.file.path ?? "";
    return { kind: "refused", refusals: [{ kind: "file", path, why: message("whyRound") }] };
  }
  if (deletes.length + ordered.length + others.length === 0) {
    const path = [...picture.drafts.values()][0]?.at.typed ?? "";
    return { kind: "refused", refusals: [{ kind: "no-change", path }] };
  }
  others.sort((one, other) => (one.kind === other.kind ? 0 : one.kind === "update" ? -1 : 1));
  return { kind: "changes", changes: [...deletes, ...ordered, ...others] };
}

function* changeOf(picture: Picture, draft: Draft): Steps<MoveChange | UpdateChange | AddChange | undefined> {
  const { at, origin, base, hunks } = draft;
  if (origin === undefined || base === undefined) return yield* additionOf(picture, draft);
  const edits = editsOf(draft.lines, draft.splices).filter((edit) => edit.text !== edit.removed);
  const permission = yield* permissionOf(
    [origin.permission, at.permission],
    addedBy(edits),
    lossOf(base.text, edits),
  );
  if (at.key !== origin.key) {
    const to = { to: at.file, toReal: at.permission.real };
    return { kind: "move", file: origin.file, ...to, permission, base, edits, hunks };
  }
  return edits.length === 0
    ? undefined
    : { kind: "update", file: origin.file, permission, base, edits, hunks };
}

function* additionOf(picture: Picture, draft: Draft): Steps<UpdateChange | AddChange | undefined> {
  const { at, hunks } = draft;
  const text = textNow(draft);
  const permission = yield* permissionOf(
    [at.permission],
    text,
    picture.deleted.has(at.key) ? "replaced" : undefined,
  );
  const before = picture.deleted.get(at.key);
  if (before === undefined) return { kind: "add", file: at.file, permission, text };
  const { base } = before;
  if (base.text === text) return undefined;
  const lines = { first: 0, last: splitLines(base.text).count };
  const written = splitLines(text).count;
  const whole = { start: 0, end: base.text.length, removed: base.text, text };
  const edit: LineEdit = { ...whole, lines, written, hunks: [] };
  return { kind: "update", file: before.at.file, permission, base, edits: [edit], hunks };
}

/** A mark of the encoding that was there before is no news. */
export const addedBy = (edits: readonly LineEdit[]): string =>
  edits
    .map(({ start, removed, text }) =>
      start === 0 && removed.startsWith("\ufeff") ? text.replace(/^\ufeff/, "") : text,
    )
    .join("\n");

/** What takes all of a text away is as good as a deletion. */
export function lossOf(before: string, edits: readonly LineEdit[]): Loss | undefined {
  if (before.trim() === "" || edits.some(({ text }) => text.trim() !== "")) return undefined;
  return applyEdits(before, edits).trim() === "" ? "emptied" : undefined;
}

type Loss = "emptied" | "replaced";

/** Of the names that a change touches, the text that it adds, and what it takes away. */
export function* permissionOf(
  names: readonly Permission[],
  text: string,
  loss: Loss | undefined,
): Steps<Permission> {
  const dangers = yield* dangersIn(text);
  const reasons = new Set([...names.flatMap((name) => name.reasons), ...dangers]);
  if (loss !== undefined) reasons.add(otherReasons[loss]);
  const real = names[0]?.real ?? "";
  return { verdict: reasons.size > 0 ? "confirm" : "allow", reasons: worstFirst(reasons), real };
}

/** A new file where another new name needs a folder. */
function findNested(picture: Picture): Refusal | undefined {
  const keys = new Set([...picture.drafts.keys()].map(clash));
  for (const draft of picture.drafts.values()) {
    const key = clash(draft.at.key);
    for (let at = key.indexOf("/"); at !== -1; at = key.indexOf("/", at + 1)) {
      if (!keys.has(key.slice(0, at))) continue;
      return { kind: "file", path: draft.at.typed, why: message("whyUnder") };
    }
  }
  return undefined;
}

/** The same for changes that come from anywhere; of moves that go round in a ring the order is the one they came in. */
export function orderOfWork(changes: readonly FileChange[]): readonly FileChange[] {
  const of = (kind: FileChange["kind"]) => changes.filter((change) => change.kind === kind);
  const moves = changes.filter((change) => change.kind === "move");
  return [...of("delete"), ...(inWorkingOrder(moves) ?? moves), ...of("update"), ...of("add")];
}

/** Each before whatever takes the name it frees; `undefined`: they go round in a ring. */
export function inWorkingOrder<Move extends Pick<MoveChange, "file" | "to">>(
  moves: readonly Move[],
): Move[] | undefined {
  const nameOf = ({ folder, path }: FileName) => `${folder}\0${path}`;
  const frees = new Map(moves.map((move) => [nameOf(move.file), move]));
  const ordered = new Set<Move>();
  for (const move of moves) {
    const first = new Set<Move>();
    let next: Move | undefined = move;
    while (next !== undefined && !ordered.has(next)) {
      if (first.has(next)) return undefined;
      first.add(next);
      next = frees.get(nameOf(next.to));
    }
    for (const each of [...first].toReversed()) ordered.add(each);
  }
  return [...ordered];
}
