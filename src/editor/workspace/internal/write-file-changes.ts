// Applies a plan in the editor: verified once more, then as one WorkspaceEdit, so that a single Undo reverts it. All or
// nothing: VS Code stops at a failing step and leaves the rest, so earlier steps are reverted here.
import * as vscode from "vscode";
import { HumanError, type Message, message } from "../../../conversation/messages.ts";
import type { ApplyOutcome, Purpose, RefusedFile, Workspace } from "../../../files/workspace.ts";
import { rebase } from "../../../patch/diff-and-merge.ts";
import { applyEdits, nameAfter } from "../../../patch/edits.ts";
import type { FileChange, FileName } from "../../../patch/model.ts";
import { countEntryChanges, diskPathsOf, findUri } from "../file-uris.ts";
import type { ConfirmProtected } from "../protected-files.ts";
import { readClosedFiles, revertClosedFiles, writeClosedFiles } from "./closed-files.ts";
import { DeletedBytes } from "./deleted-bytes.ts";
import { cellsRemovedBy, isOurs, readOpened } from "./notebooks.ts";
import { noteOpenTabs } from "./open-tabs.ts";
import {
  bytesAt,
  isSame,
  liveDocument,
  nameOf,
  type PreEditState,
  readPreEditState,
} from "./pre-edit-state.ts";
import { RemovedCells, type ReturningCells } from "./removed-cells.ts";
import { revertWrites } from "./rollback.ts";
import { type DiskPath, type PathSnapshot, PathWatcher, SymlinkRaceGuard } from "./symlink-race-guard.ts";
import {
  findRedirected,
  findRefusals,
  haveLandedWhereMeant,
  isWhereMeant,
  verifyPlan,
} from "./verify-plan.ts";
import { toWorkspaceEdit } from "./workspace-edit.ts";

export interface ApplyDeps {
  readonly world: Pick<Workspace, "look" | "read" | "sha256">;
  /** Asks about sensitive files, outside of anything a model could imitate. */
  readonly agree: ConfirmProtected;
  savesAfterApply(uri: vscode.Uri): boolean;
  /** Runs the writing of accepted changes to these files. */
  whileAccepting?<T>(files: readonly vscode.Uri[], write: () => Promise<T>): Promise<T>;
}

/** Dependencies besides the plan, kept from one call to the next. */
interface Means extends ApplyDeps {
  readonly deleted: DeletedBytes;
  readonly removed: RemovedCells;
  readonly purpose: Purpose;
  readonly steadiness: SymlinkRaceGuard;
}

/** Serialized: each plan starts from the result of the one before it. */
export function createApply(deps: ApplyDeps, steadiness = new SymlinkRaceGuard()): Workspace["apply"] {
  const { whileAccepting = (_files, write) => write() } = deps;
  const means = { ...deps, deleted: new DeletedBytes(), removed: new RemovedCells(), steadiness };
  let last: Promise<unknown> = Promise.resolve();
  return (changes, label, purpose = "apply") => {
    const write = () => apply(changes, label, { ...means, purpose });
    const files = changes.flatMap(({ file }) => findUri(file) ?? []);
    const next = last.then(() => (purpose === "apply" ? whileAccepting(files, write) : write()));
    last = next.catch(() => undefined);
    return next;
  };
}

const maxAttempts = 20;

const refused = (why: Message): ApplyOutcome => ({ outcome: "refused", why });
const stale: ApplyOutcome = { outcome: "stale" };

/** `why` is the first file's reason; `files` has them all. */
function refusedFiles(files: readonly RefusedFile[]): ApplyOutcome {
  const [first] = files;
  return { outcome: "refused", why: first?.why ?? message("editsRefused"), files };
}

async function apply(changes: readonly FileChange[], label: string, means: Means): Promise<ApplyOutcome> {
  if (!vscode.workspace.isTrusted) return refused(message("editsRestricted"));
  if (!(await verifyPlan(changes, means.world))) return stale;
  const refusals = await findRefusals(changes, means.world);
  if (refusals.length > 0) return refusedFiles(refusals);
  if (!(await means.agree(changes, means.purpose).catch(() => false))) return { outcome: "declined" };
  try {
    // Accepted changes are all made through the editor, so that its own Undo covers every file, however many there are.
    const closed =
      means.purpose !== "apply" ? await readClosedFiles(changes, maxOpened, means.savesAfterApply) : [];
    const isClosed = new Set(closed.map(({ change }) => change));
    const others = changes.filter((change) => !isClosed.has(change));
    const found = await readPreEditStates(others, means);
    if (found.refusals.length > 0) return refusedFiles(found.refusals);
    const { states } = found;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const places = diskPathsOf(changes);
      const { way, turned } = await means.steadiness.takeSnapshot(places);
      if (turned !== undefined) return refused(changedOn(turned));
      const watcher = new PathWatcher(way, countEntryChanges(changes));
      try {
        // Verify again: the user may have taken their time, and a link may have been redirected.
        if (!(await verifyPlan(changes, means.world))) return stale;
        const { outcome, left } = await writeClosedFiles(closed, way);
        if (outcome !== "written")
          return tellLeft(left) ?? (outcome === "stale" ? stale : refused(message("editsRefused")));
        const applied = await carryOut(states, label, { ...means, places, way, watcher }).catch(
          async (error: unknown) => {
            const failure = tellLeft(await revertClosedFiles(closed, way));
            if (failure !== undefined) return failure;
            throw error;
          },
        );
        const isDone = applied !== "crossed" && applied.outcome === "applied";
        const failure = isDone ? undefined : tellLeft(await revertClosedFiles(closed, way));
        if (failure !== undefined) return failure;
        // VS Code refused the edit because the user was typing, or something on the path was just moved. Nothing was
        // changed, so try again.
        if (applied !== "crossed") return applied;
      } finally {
        watcher.close();
      }
    }
    return stale;
  } catch (error) {
    if (error instanceof HumanError && error.asMessage !== undefined) return refused(error.asMessage);
    throw error;
  }
}

function changedOn(step: string): Message {
  const name = vscode.workspace.asRelativePath(vscode.Uri.file(step));
  return message("editsTurned", { name });
}

/** VS Code keeps about this many hidden documents open, and closes the first of more before it fires the open event. */
const maxOpened = 50;

const returningFor = (purpose: Purpose, cells: RemovedCells): ReturningCells | undefined =>
  purpose === "apply" ? undefined : { cells, isOnly: purpose === "undo" };

async function readPreEditStates(
  changes: readonly FileChange[],
  { deleted, removed, purpose }: Pick<Means, "deleted" | "removed" | "purpose">,
) {
  const states: PreEditState[] = [];
  const refusals: RefusedFile[] = [];
  const atOnce = maxOpened / 2;
  const remembered = { find: deleted.find, returning: returningFor(purpose, removed) };
  async function read(change: FileChange): Promise<void> {
    try {
      const state = await readPreEditState(change, remembered);
      if (change.kind !== "delete" || state.wasClean) states.push(state);
      else refusals.push({ file: change.file, why: message("editsUnsaved", { name: nameOf(state.uri) }) });
    } catch (error) {
      if (!(error instanceof HumanError) || error.asMessage === undefined) throw error;
      refusals.push({ file: change.file, why: error.asMessage });
    }
  }
  for (let at = 0; at < changes.length; at += atOnce)
    await Promise.all(changes.slice(at, at + atOnce).map(read));
  const order = new Map(changes.map((change, at) => [change, at]));
  const place = ({ change }: PreEditState) => order.get(change) ?? 0;
  return { states: states.sort((one, other) => place(one) - place(other)), refusals };
}

async function carryOut(
  planned: readonly PreEditState[],
  label: string,
  means: Means & {
    readonly places: readonly DiskPath[];
    readonly way: PathSnapshot;
    readonly watcher: PathWatcher;
  },
): Promise<ApplyOutcome | "crossed"> {
  if (planned.length === 0) return { outcome: "applied" };
  const { world, deleted, removed, purpose, steadiness, places, way, watcher } = means;
  const newFolders = await foldersToCome(planned);
  if (!(await areStillRead(planned))) return stale;
  if (!(await steadiness.isUnchanged(places, way)) || (await watcher.findTurned(0)) !== undefined)
    return "crossed";
  // No awaits from here to applyEdit: VS Code itself refuses the edit if the user types afterwards.
  const states = planned.map(ontoDocument).filter((state) => state !== undefined);
  if (states.length < planned.length) return stale;
  const edit = toWorkspaceEdit(states, label, returningFor(purpose, removed));
  const cells = states.flatMap(({ change, notebook }) =>
    notebook !== undefined && "edits" in change
      ? cellsRemovedBy(notebook, applyEdits(change.base.text, change.edits))
      : [],
  );
  const tabs = noteOpenTabs();
  const done = await vscode.workspace.applyEdit(edit).then(
    (applied) => applied,
    () => false,
  );
  // A redirection undone after this check is noticed by it, and one undone before was recorded by the watcher.
  const hasLanded = done && (await haveLandedWhereMeant(states, world));
  const wasTurned =
    writesNow(states) &&
    ((await steadiness.changedSince(places, way)) ?? (await watcher.findTurned())) !== undefined;
  await steadiness.remember(places);
  if (hasLanded && !wasTurned) {
    deleted.remember(states);
    removed.remember(cells);
    const { redirected, unsaved, saved } = await save(states, means);
    await tabs.close(saved);
    return tellRedirected(redirected) ?? { outcome: "applied", ...(unsaved.length > 0 && { unsaved }) };
  }
  const changes = states.map(({ change }) => change);
  const crossed = !done && states.some(hasTypingOnly);
  const names = states.map(({ uri, to }) => nameOf(to ?? uri));
  const redirected = wasTurned ? names : done ? await findRedirected(states, world) : [];
  const isUnchanged = async (change: FileChange) => isPathUnchanged(change, steadiness);
  const left = await revertWrites(states, newFolders, { look: world.look, isUnchanged }, cells);
  if (left.length === 0 && writesNow(states) && (await watcher.findTurned(2)) !== undefined)
    left.push(...names);
  const failure = done || wasTurned ? tellRedirected([...redirected, ...left]) : tellLeft(left);
  if (failure !== undefined) return failure;
  if (crossed) return "crossed";
  if (!(await verifyPlan(changes, world))) return stale;
  // VS Code does not say which of them failed.
  return refusedFiles([]);
}

/** Text edits only change documents; creating, deleting and moving files changes the disk immediately. */
const writesNow = (states: readonly PreEditState[]): boolean =>
  states.some(
    ({ change, to, contents }) => change.kind === "delete" || to !== undefined || contents !== undefined,
  );

function tellRedirected(names: readonly string[]): ApplyOutcome | undefined {
  if (names.length === 0) return undefined;
  const why = message("editsAstray", { names: [...new Set(names)].join(", ") });
  return { outcome: "refused", why, halfDone: true };
}

function tellLeft(names: readonly string[]): ApplyOutcome | undefined {
  if (names.length === 0) return undefined;
  const why = message("editsHalf", { names: names.join(", ") });
  return { outcome: "refused", why, halfDone: true };
}

async function isPathUnchanged(change: FileChange, steadiness: SymlinkRaceGuard): Promise<boolean> {
  return (await steadiness.takeSnapshot(diskPathsOf([change]))).turned === undefined;
}

/** The text of a document that VS Code has closed since is that of its file. */
async function areStillRead(states: readonly PreEditState[]): Promise<boolean> {
  for (const state of states) {
    if (liveDocument(state)?.isClosed !== true) continue;
    const now = await bytesAt(state.uri);
    if (now === undefined || state.bytes === undefined || !isSame(now, state.bytes)) return false;
  }
  return true;
}

/** Rebases onto the current text; `undefined` if the user has typed into what would be changed. */
function ontoDocument(state: PreEditState): PreEditState | undefined {
  const { change, notebook } = state;
  if (notebook !== undefined && "edits" in change) {
    const reading = readOpened(notebook);
    const now = reading.kind === "text" && isOurs(notebook) ? rebase(change, reading.text) : undefined;
    return now && { ...state, change: now };
  }
  const document = liveDocument(state);
  if (document === undefined || !("edits" in change)) return state;
  const now = rebase(change, document.getText());
  return now && { ...state, document, change: now };
}

/** Whether the user has typed since, and the edit is not in the text. */
function hasTypingOnly(state: PreEditState): boolean {
  const { change } = state;
  const document = liveDocument(state);
  if (document === undefined || !("edits" in change)) return false;
  const now = document.getText();
  return now !== change.base.text && rebase(change, now) !== undefined;
}

/**
 * Saves documents that were clean before and in which saving changes nothing else. Returns what was redirected, and
 * what is still unsaved, perhaps because of the user's own changes. All at once, because VS Code opens an editor for a
 * document that stays unsaved for almost a second.
 */
async function save(states: readonly PreEditState[], { savesAfterApply, ...means }: Means) {
  const redirected: string[] = [];
  const unsaved: FileName[] = [];
  const saved: vscode.Uri[] = [];
  const edited = states.filter(
    ({ change, uri }) => "edits" in change && change.edits.length > 0 && savesAfterApply(uri),
  );
  await Promise.all(
    edited.map(async ({ change, uri, to, isFaithful, wasClean, notebook }) => {
      const outcome =
        isFaithful && wasClean
          ? await saveInPlace(change, to ?? uri, means, notebook).catch(() => "redirected" as const)
          : "unsaved";
      if (outcome === "redirected") redirected.push(nameOf(to ?? uri));
      else if (outcome === "unsaved") unsaved.push(nameAfter(change));
      else saved.push(to ?? uri);
    }),
  );
  return { redirected, unsaved, saved };
}

async function saveInPlace(
  change: FileChange,
  uri: vscode.Uri,
  { steadiness, world }: Pick<Means, "steadiness" | "world">,
  notebook: vscode.NotebookDocument | undefined,
): Promise<"saved" | "unsaved" | "redirected"> {
  const document = notebook ?? (await vscode.workspace.openTextDocument(uri));
  const places = diskPathsOf([change]);
  const { way } = await steadiness.takeSnapshot(places);
  if (way === undefined) return "unsaved";
  const watcher = new PathWatcher(way, new Map());
  try {
    if (!(await isWhereMeant(change, world)) || !(await steadiness.isUnchanged(places, way)))
      return "unsaved";
    const isSaved = await document.save();
    if (!(await isWhereMeant(change, world))) return "redirected";
    const turned = (await steadiness.changedSince(places, way)) ?? (await watcher.findTurned());
    return turned !== undefined ? "redirected" : isSaved ? "saved" : "unsaved";
  } finally {
    watcher.close();
  }
}

/** Folders that the edit will create, outermost first. */
async function foldersToCome(states: readonly PreEditState[]): Promise<vscode.Uri[]> {
  const found = new Map<string, vscode.Uri>();
  for (const { change, uri, to } of states) {
    if (change.kind !== "add" && change.kind !== "move") continue;
    const missing: vscode.Uri[] = [];
    let folder = vscode.Uri.joinPath(to ?? uri, "..");
    while (!found.has(folder.toString()) && !(await exists(folder))) {
      missing.unshift(folder);
      folder = vscode.Uri.joinPath(folder, "..");
    }
    for (const one of missing) found.set(one.toString(), one);
  }
  return [...found.values()];
}

function exists(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
