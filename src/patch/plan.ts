// Plans a whole patch against the current workspace, section by section on drafts of the files, without writing. The
// result is a plan if all of it can be done; otherwise one PatchError lists everything that prevents it.
import { type Message, message } from "../conversation/messages.ts";
import { runTask } from "../util/background.ts";
import { applyEdits, nameAfter, splitLines } from "./edits.ts";
import { placeAsRead } from "./internal/malformed-hunks.ts";
import { fullEffort } from "./internal/matching-lines.ts";
import {
  fileKey,
  locateTargets,
  movedTo,
  type NamedSection,
  type PatchTargets,
  type ResolvedTarget,
  sizeOf,
} from "./internal/patch-targets.ts";
import { collisionKey, currentText, type FileDraft, PatchedFiles } from "./internal/patched-files.ts";
import { findPlaceholder } from "./internal/placeholders.ts";
import { applySplices, compose, editsOf } from "./internal/splice.ts";
import type {
  AddChange,
  DeleteChange,
  FileChange,
  FileName,
  FileSection,
  LineEdit,
  MoveChange,
  Patch,
  Permission,
  Plan,
  PlanNote,
  UpdateChange,
  Workspace,
} from "./model.ts";
import { isNotebook, refuseNotebookText } from "./notebook.ts";
import { type Parsed, parsePatch } from "./parse.ts";
import { type Refusal, refuse } from "./patch-error.ts";
import { confirmationReasons, dangersIn, mostSevereFirst } from "./paths.ts";

type Changes =
  | { readonly kind: "changes"; readonly changes: readonly FileChange[] }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

/**
 * Turns the final state of the files into changes that can be applied one by one: deletions, moves (each before any
 * that takes the name it frees), updates, additions.
 */
function changesOf(picture: PatchedFiles): Changes {
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
    const change = changeOf(picture, draft);
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
  const notebook = [...moves, ...others].map(refuseNotebook).find((each) => each !== undefined);
  if (notebook !== undefined) return { kind: "refused", refusals: [notebook] };
  others.sort((one, other) => (one.kind === other.kind ? 0 : one.kind === "update" ? -1 : 1));
  return { kind: "changes", changes: [...deletes, ...ordered, ...others] };
}

/** A notebook stays one, and a file that is none does not become one by its name. */
function refuseNotebook(change: MoveChange | UpdateChange | AddChange): Refusal | undefined {
  const { path } = nameAfter(change);
  const isMove = change.kind === "move" && [change.file.path, path].some(isNotebook);
  const isOther = isMove && (change.edits.length > 0 || isNotebook(change.file.path) !== isNotebook(path));
  const text = () => (change.kind === "add" ? change.text : applyEdits(change.base.text, change.edits));
  const why = isOther
    ? message("whyNotebookName")
    : isNotebook(path) && !isMove
      ? refuseNotebookText(path, text())
      : undefined;
  return why && { kind: "file", path, why };
}

function changeOf(
  picture: PatchedFiles,
  draft: FileDraft,
): MoveChange | UpdateChange | AddChange | undefined {
  const { at, origin, base, hunks } = draft;
  if (origin === undefined || base === undefined) return additionOf(picture, draft);
  const edits = editsOf(draft.lines, draft.splices).filter((edit) => edit.text !== edit.removed);
  const names = [origin.permission, at.permission];
  const dangers = dangersIn(addedBy(edits), origin.permission.real);
  const permission = permissionOf(names, dangers, lossOf(base.text, edits));
  if (at.key !== origin.key) {
    const to = { to: at.file, toReal: at.permission.real };
    return { kind: "move", file: origin.file, ...to, permission, base, edits, hunks };
  }
  return edits.length === 0
    ? undefined
    : { kind: "update", file: origin.file, permission, base, edits, hunks };
}

function additionOf(picture: PatchedFiles, draft: FileDraft): UpdateChange | AddChange | undefined {
  const { at, hunks } = draft;
  const text = currentText(draft);
  const loss = picture.deleted.has(at.key) ? "replaced" : undefined;
  const permission = permissionOf([at.permission], dangersIn(text, at.permission.real), loss);
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

/** The text that the edits add, without a byte order mark that was there before. */
export const addedBy = (edits: readonly LineEdit[]): string =>
  edits
    .map(({ start, removed, text }) =>
      start === 0 && removed.startsWith("\ufeff") ? text.replace(/^\ufeff/, "") : text,
    )
    .join("\n");

/** Removing all of a text counts as a deletion. */
export function lossOf(before: string, edits: readonly LineEdit[]): Loss | undefined {
  if (before.trim() === "" || edits.some(({ text }) => text.trim() !== "")) return undefined;
  return applyEdits(before, edits).trim() === "" ? "emptied" : undefined;
}

type Loss = "emptied" | "replaced";

/** Depends on the names that a change touches, the dangers in the text that it adds, and what it removes. */
export function permissionOf(
  names: readonly Permission[],
  dangers: readonly Message[],
  loss?: Loss,
): Permission {
  const reasons = new Set([...names.flatMap((name) => name.reasons), ...dangers]);
  if (loss !== undefined) reasons.add(confirmationReasons[loss]);
  const verdict = reasons.size > 0 ? "confirm" : "allow";
  return { verdict, reasons: mostSevereFirst(reasons), real: names[0]?.real ?? "" };
}

/** Finds a new file at a path that another new file needs as a folder. */
function findNested(picture: PatchedFiles): Refusal | undefined {
  const keys = new Set([...picture.drafts.keys()].map(collisionKey));
  for (const draft of picture.drafts.values()) {
    const key = collisionKey(draft.at.key);
    for (let at = key.indexOf("/"); at !== -1; at = key.indexOf("/", at + 1)) {
      if (!keys.has(key.slice(0, at))) continue;
      return { kind: "file", path: draft.at.typed, why: message("whyUnder") };
    }
  }
  return undefined;
}

/** The same order for changes from any source. Moves that form a cycle keep their order. */
export function orderOfWork(changes: readonly FileChange[]): readonly FileChange[] {
  const of = (kind: FileChange["kind"]) => changes.filter((change) => change.kind === kind);
  const moves = changes.filter((change) => change.kind === "move");
  return [...of("delete"), ...(inWorkingOrder(moves) ?? moves), ...of("update"), ...of("add")];
}

/** Puts each move before any that takes the name it frees; undefined if they form a cycle. */
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

type UpdateSection = FileSection & { kind: "update" };

/** The last patch whose names were asked for, since it is planned next. */
let lastParsed: { readonly text: string; readonly parsed: Parsed } | undefined;

function takeParsed(text: string): Parsed {
  const parsed = lastParsed?.text === text ? lastParsed.parsed : parsePatch(text);
  lastParsed = undefined;
  return parsed;
}

/** Which files a patch names, to be looked up before it is planned. */
export const naming = {
  name: "name",
  run(text: string) {
    const parsed = parsePatch(text);
    lastParsed = { text, parsed };
    if (parsed.kind === "refused") return parsed;
    const sections = parsed.patch.sections.map(
      (section): NamedSection => ({
        kind: section.kind,
        path: section.path,
        moveTo: section.kind === "update" ? section.moveTo : undefined,
      }),
    );
    let hunks = 0;
    for (const section of parsed.patch.sections) if (section.kind === "update") hunks += section.hunks.length;
    return { kind: "named", sections, hunks } as const;
  },
};

interface PlanQuestion {
  readonly text: string;
  readonly targets: PatchTargets;
}

type Planned =
  | { readonly kind: "planned"; readonly changes: readonly FileChange[]; readonly notes: readonly PlanNote[] }
  /** `fitting`: files whose sections fit. */
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[]; readonly fitting?: readonly string[] };

/** Places all hunks and turns them into changes. Their bases have no texts: whoever asks has read them. */
export const planning = {
  name: "plan",
  run({ text, targets }: PlanQuestion): Planned {
    const parsed = takeParsed(text);
    if (parsed.kind === "refused") return { kind: "refused", refusals: [parsed.refusal] };
    const planned = planParsed(parsed.patch, targets);
    if (planned.kind === "refused") return planned;
    const changes = planned.changes.map((change) =>
      change.kind === "add" ? change : { ...change, base: { ...change.base, text: "" } },
    );
    return { ...planned, changes };
  },
};

/** @throws PatchError */
export async function planPatch(text: string, workspace: Workspace): Promise<Plan> {
  const named = await runTask(naming, text, text.length);
  if (named.kind === "refused") throw refuse([named.refusal]);
  const targets = await locateTargets(named.sections, workspace);
  // Each hunk may have a place in every line, and only planning finds that out.
  const size = (text.length + sizeOf(targets)) * (1 + named.hunks / 100);
  const planned = await runTask(planning, { text, targets }, size);
  if (planned.kind === "refused") throw refuse(planned.refusals, planned.fitting);
  const changes = planned.changes.map((change) => withBase(change, targets, workspace));
  return { notes: planned.notes, changes };
}

function withBase(change: FileChange, { texts }: PatchTargets, workspace: Workspace): FileChange {
  if (change.kind === "add") return change;
  const reading = texts.get(fileKey(change.file));
  const text = reading?.kind === "text" ? reading.text : "";
  return { ...change, base: { ...change.base, text, sha256: workspace.sha256(text) } };
}

function planParsed(patch: Patch, targets: PatchTargets): Planned {
  const picture = new PatchedFiles(targets);
  const refusals: Refusal[] = [];
  const failed = new Set<string>();
  const fitting = new Map<string, string>();
  for (const section of patch.sections) {
    const at = picture.find(section.path, section.kind === "add");
    // One reason per file: errors that follow from a refused section would only repeat it.
    if (at.kind === "ok" && failed.has(at.value.key)) continue;
    const found = at.kind === "refused" ? [at.refusal] : read(picture, section, at.value);
    if (at.kind === "ok" && found.length > 0) failed.add(at.value.key);
    if (at.kind === "ok" && found.length === 0) fitting.set(at.value.key, section.path);
    if (at.kind === "ok") picture.note(at.value.file, [...at.value.notes, ...(section.notes ?? [])]);
    for (const each of found) refusals.push(each);
  }
  if (refusals.length > 0) {
    const paths = [...fitting].flatMap(([key, path]) => (failed.has(key) ? [] : [path]));
    return { kind: "refused", refusals, fitting: paths };
  }
  const result = changesOf(picture);
  if (result.kind === "refused") return result;
  const notes = [...patch.notes.map((code) => ({ code })), ...picture.notes];
  return { kind: "planned", notes, changes: result.changes };
}

function read(picture: PatchedFiles, section: FileSection, at: ResolvedTarget): readonly Refusal[] {
  switch (section.kind) {
    case "add":
      return readAdd(picture, section, at);
    case "delete":
      return readDelete(picture, at);
    case "update":
      return readUpdate(picture, section, at);
    default:
      return section satisfies never;
  }
}

type AddSection = FileSection & { kind: "add" };

function readAdd(picture: PatchedFiles, section: AddSection, at: ResolvedTarget): readonly Refusal[] {
  const text = section.lines.map((line) => `${line}\n`).join("");
  const found = findPlaceholder(section, at.file.path);
  if (found !== undefined) return [{ kind: "placeholder", path: section.path, found }];
  const free = picture.isFree(at, text);
  if (free.kind === "refused") return [free.refusal];
  picture.add(at, text);
  return [];
}

function readDelete(picture: PatchedFiles, at: ResolvedTarget): readonly Refusal[] {
  const opened = picture.open(at);
  if (opened.kind === "refused") return [opened.refusal];
  const why = refuseDelete(at, opened.value);
  if (why !== undefined) return [{ kind: "file", path: at.typed, why }];
  picture.delete(at, opened.value);
  return [];
}

function refuseDelete(at: ResolvedTarget, draft: FileDraft): Message | undefined {
  if (at.info.link) return message("whyLinkTo");
  return draft.origin === undefined ? message("whySamePatch") : undefined;
}

function readUpdate(picture: PatchedFiles, section: UpdateSection, at: ResolvedTarget): readonly Refusal[] {
  const opened = picture.open(at);
  if (opened.kind === "refused") return [opened.refusal];
  const found = findPlaceholder(section, at.file.path, opened.value.lines);
  if (found !== undefined) return [{ kind: "placeholder", path: section.path, found }];
  const updated = place(picture, section, opened.value);
  const target = section.moveTo === undefined ? undefined : readMove(picture, section.moveTo, at);
  const refusals = [...(Array.isArray(updated) ? updated : []), ...(Array.isArray(target) ? target : [])];
  if (refusals.length > 0 || Array.isArray(updated) || Array.isArray(target)) return refusals;
  if (target === undefined) picture.keep(updated);
  else picture.move(updated, target);
  return [];
}

function place(picture: PatchedFiles, section: UpdateSection, draft: FileDraft): FileDraft | Refusal[] {
  const { latest } = draft;
  const touched = draft.splices.length > 0;
  const lines = latest === undefined ? draft.lines : applySplices(latest.lines, latest.splices);
  const { hunks } = section;
  const from = draft.hunks.length;
  const placed = placeAsRead({
    path: section.path,
    lines,
    hunks,
    from,
    onEarlier: touched,
    restarts: 50,
    effort: fullEffort(),
  });
  if (placed.kind === "refused")
    return isNotebook(draft.at.file.path) && areJson(hunks)
      ? [{ kind: "file", path: section.path, why: message("whyNotebook") }]
      : [...placed.refusals];
  picture.note(draft.at.file, placed.notes);
  const splices = touched ? compose(draft.lines.count, draft.splices, placed.splices) : placed.splices;
  const now = { lines, splices: placed.splices };
  return { ...draft, splices, latest: now, hunks: [...draft.hunks, ...placed.hunks] };
}

/** Whether a notebook is patched as its file has it. */
const areJson = (hunks: UpdateSection["hunks"]): boolean =>
  hunks.every(({ lines }) => lines.every(({ text }) => /^\s*(?:[[\]{}"]|$)/.test(text)));

/** Undefined where the file is not moved. */
function readMove(
  picture: PatchedFiles,
  moveTo: string,
  from: ResolvedTarget,
): ResolvedTarget | undefined | Refusal[] {
  // If Git's prefix was in front of the first name, it is in front of the second one, too.
  const isPrefixed = from.notes.includes("prefixed-path");
  const to = picture.find(movedTo(moveTo, isPrefixed), true);
  if (to.kind === "refused") return [to.refusal];
  const hasLink = from.info.link || to.value.info.link;
  if (to.value.key === from.key && hasLink) {
    return [{ kind: "file", path: from.typed, why: message("whyOntoItself") }];
  }
  if (from.info.link) return [{ kind: "file", path: from.typed, why: message("whyLink") }];
  picture.note(from.file, to.value.notes);
  if (to.value.key === from.key) {
    picture.note(from.file, ["moved-onto-itself"]);
    return undefined;
  }
  if (picture.isCaseRename(from, to.value)) {
    picture.note(from.file, ["case-rename"]);
    return to.value;
  }
  const free = picture.isFree(to.value);
  return free.kind === "refused" ? [free.refusal] : to.value;
}
