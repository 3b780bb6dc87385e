// Carries out a plan in the editor: looked at once more, then one WorkspaceEdit, so that one Undo takes it back. All
// of it or none: VS Code stops where a step fails and leaves the rest, so what was done until then is put back here.

import * as vscode from "vscode";
import type { Applied, Purpose, Workspace } from "../../core/changes/workspace.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { type Message, message } from "../../core/messages/message.ts";
import { nameAfter } from "../../core/patch/edits.ts";
import type { FileChange, FileName } from "../../core/patch/model.ts";
import { rebase } from "../../core/patch/rebase.ts";
import { areAsPlanned, findRefusal } from "./as-planned.ts";
import type { ConfirmProtected } from "./confirm-protected.ts";
import { Deleted } from "./deleted.ts";
import { comingsAndGoings, placesOnDisk } from "./file-uris.ts";
import { PathWatcher } from "./path-watcher.ts";
import {
  bytesAt,
  isSame,
  liveDocument,
  nameOf,
  type PreEditState,
  readPreEditState,
} from "./pre-edit-state.ts";
import { putBack } from "./put-back.ts";
import { Steadiness, type Way } from "./stable-path.ts";
import { findRedirected, haveLandedWhereMeant, isWhereMeant } from "./verify-write.ts";
import { toWorkspaceEdit } from "./workspace-edit.ts";

export interface ApplyDeps {
  readonly world: Pick<Workspace, "look" | "read" | "sha256">;
  /** Asks about sensitive files, outside of everything that a model could imitate. */
  readonly agree: ConfirmProtected;
  savesAfterApply(uri: vscode.Uri): boolean;
}

/** What it takes beside the plan, and keeps from one to the next. */
interface Means extends ApplyDeps {
  readonly deleted: Deleted;
  readonly steadiness: Steadiness;
}

/** One at a time: what the second finds is what the first has left. */
export function createApply(deps: ApplyDeps, steadiness = new Steadiness()): Workspace["apply"] {
  const means = { ...deps, deleted: new Deleted(), steadiness };
  let last: Promise<unknown> = Promise.resolve();
  return (changes, label, purpose = "apply") => {
    const next = last.then(() => apply(changes, label, { ...means, purpose }));
    last = next.catch(() => undefined);
    return next;
  };
}

const maxAttempts = 20;

const refused = (why: Message): Applied => ({ outcome: "refused", why });
const stale: Applied = { outcome: "stale" };

async function apply(
  changes: readonly FileChange[],
  label: string,
  means: Means & { readonly purpose: Purpose },
): Promise<Applied> {
  if (!vscode.workspace.isTrusted) return refused(message("editsRestricted"));
  if (!(await areAsPlanned(changes, means.world))) return stale;
  const why = await findRefusal(changes, means.world);
  if (why !== undefined) return refused(why);
  if (!(await means.agree(changes, means.purpose).catch(() => false))) return { outcome: "declined" };
  try {
    const states = await readPreEditStates(changes, means.deleted);
    const unsaved = states.find(({ change, wasClean }) => change.kind === "delete" && !wasClean);
    if (unsaved !== undefined) return refused(message("editsUnsaved", { name: nameOf(unsaved.uri) }));
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const places = placesOnDisk(changes);
      const { way, turned } = await means.steadiness.find(places);
      if (turned !== undefined) return refused(turnedOn(turned));
      const watcher = new PathWatcher(way, comingsAndGoings(changes));
      try {
        // Once more: a person may have taken their time, and a link may have been turned elsewhere.
        if (!(await areAsPlanned(changes, means.world))) return stale;
        const applied = await carryOut(states, label, { ...means, way, watcher });
        // A key on its way crossed the edit, and VS Code refused it, or something on the way has just been moved:
        // nothing was done, and the next moment is as good.
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

function turnedOn(step: string): Message {
  const name = vscode.workspace.asRelativePath(vscode.Uri.file(step));
  return message("editsTurned", { name });
}

/** VS Code keeps so many documents open that nobody shows; of more at once it closes the first before it tells of it. */
const maxOpened = 50;

async function readPreEditStates(changes: readonly FileChange[], deleted: Deleted): Promise<PreEditState[]> {
  const states: PreEditState[] = [];
  const atOnce = maxOpened / 2;
  for (let at = 0; at < changes.length; at += atOnce) {
    const next = changes.slice(at, at + atOnce);
    states.push(...(await Promise.all(next.map((change) => readPreEditState(change, deleted.find)))));
  }
  return states;
}

async function carryOut(
  planned: readonly PreEditState[],
  label: string,
  means: Means & { readonly way: Way; readonly watcher: PathWatcher },
): Promise<Applied | "crossed"> {
  const { world, deleted, steadiness, way, watcher } = means;
  const places = placesOnDisk(planned.map(({ change }) => change));
  const newFolders = await foldersToCome(planned);
  if (!(await areStillRead(planned))) return stale;
  if (!(await steadiness.isStill(places, way)) || (await watcher.findTurned(0)) !== undefined)
    return "crossed";
  // From here to applyEdit nothing may wait: VS Code itself refuses what is typed after it.
  const states = planned.map(ontoDocument).filter((state) => state !== undefined);
  if (states.length < planned.length) return stale;
  const done = await vscode.workspace.applyEdit(toWorkspaceEdit(states, label)).then(
    (applied) => applied,
    () => false,
  );
  // What is turned back after this look is seen by it, and what was turned back before it is heard.
  const hasLanded = done && (await haveLandedWhereMeant(states, world));
  const wasTurned =
    writesNow(states) &&
    ((await steadiness.turnedSince(places, way)) ?? (await watcher.findTurned())) !== undefined;
  await steadiness.remember(places);
  if (hasLanded && !wasTurned) {
    deleted.remember(states);
    const { redirected, unsaved } = await save(states, means);
    return tellRedirected(redirected) ?? { outcome: "applied", ...(unsaved.length > 0 && { unsaved }) };
  }
  const changes = states.map(({ change }) => change);
  const crossed = !done && states.some(hasTypingOnly);
  const names = states.map(({ uri, to }) => nameOf(to ?? uri));
  const redirected = wasTurned ? names : done ? await findRedirected(states, world) : [];
  const isSteady = async (change: FileChange) => isOnSteadyWay(change, steadiness);
  const left = await putBack(states, newFolders, { look: world.look, isSteady });
  if (left.length === 0 && writesNow(states) && (await watcher.findTurned(2)) !== undefined)
    left.push(...names);
  const failure = done || wasTurned ? tellRedirected([...redirected, ...left]) : tellLeft(left);
  if (failure !== undefined) return failure;
  if (crossed) return "crossed";
  if (!(await areAsPlanned(changes, world))) return stale;
  return refused(message("editsRefused"));
}

/** Texts are only typed into; files come, go and move on the disk at once. */
const writesNow = (states: readonly PreEditState[]): boolean =>
  states.some(
    ({ change, to, contents }) => change.kind === "delete" || to !== undefined || contents !== undefined,
  );

function tellRedirected(names: readonly string[]): Applied | undefined {
  if (names.length === 0) return undefined;
  const why = message("editsAstray", { names: [...new Set(names)].join(", ") });
  return { outcome: "refused", why, halfDone: true };
}

function tellLeft(names: readonly string[]): Applied | undefined {
  if (names.length === 0) return undefined;
  const why = message("editsHalf", { names: names.join(", ") });
  return { outcome: "refused", why, halfDone: true };
}

async function isOnSteadyWay(change: FileChange, steadiness: Steadiness): Promise<boolean> {
  return (await steadiness.find(placesOnDisk([change]))).turned === undefined;
}

/** A document that VS Code has closed since is what its file is. */
async function areStillRead(states: readonly PreEditState[]): Promise<boolean> {
  for (const state of states) {
    if (liveDocument(state)?.isClosed !== true) continue;
    const now = await bytesAt(state.uri);
    if (now === undefined || state.bytes === undefined || !isSame(now, state.bytes)) return false;
  }
  return true;
}

/** On the text as it is in this moment; nothing where somebody has typed into what would be changed. */
function ontoDocument(state: PreEditState): PreEditState | undefined {
  const { change } = state;
  const document = liveDocument(state);
  if (document === undefined || !("edits" in change)) return state;
  const now = rebase(change, document.getText());
  return now && { ...state, document, change: now };
}

/** Somebody has typed since, and the edit is not in the text. */
function hasTypingOnly(state: PreEditState): boolean {
  const { change } = state;
  const document = liveDocument(state);
  if (document === undefined || !("edits" in change)) return false;
  const now = document.getText();
  return now !== change.base.text && rebase(change, now) !== undefined;
}

/** Each save waits for VS Code and for whatever runs on save; of many at once the disk is the only thing they share. */
const maxSaved = 10;

/** Only what was clean before, where saving would change nothing else: what was led elsewhere, and what is still unsaved. */
async function save(states: readonly PreEditState[], { savesAfterApply, ...means }: Means) {
  const redirected: string[] = [];
  const unsaved: FileName[] = [];
  const edited = states.filter(
    ({ change, uri, wasClean }) =>
      "edits" in change && change.edits.length > 0 && wasClean && savesAfterApply(uri),
  );
  for (let at = 0; at < edited.length; at += maxSaved)
    await Promise.all(
      edited.slice(at, at + maxSaved).map(async ({ change, uri, to, isFaithful }) => {
        const saved = isFaithful
          ? await saveInPlace(change, to ?? uri, means).catch(() => "redirected" as const)
          : "unsaved";
        if (saved === "redirected") redirected.push(nameOf(to ?? uri));
        else if (saved === "unsaved") unsaved.push(nameAfter(change));
      }),
    );
  return { redirected: redirected, unsaved };
}

async function saveInPlace(
  change: FileChange,
  uri: vscode.Uri,
  { steadiness, world }: Pick<Means, "steadiness" | "world">,
): Promise<"saved" | "unsaved" | "redirected"> {
  const document = await vscode.workspace.openTextDocument(uri);
  const places = placesOnDisk([change]);
  const { way } = await steadiness.find(places);
  if (way === undefined) return "unsaved";
  const watcher = new PathWatcher(way, new Map());
  try {
    if (!(await isWhereMeant(change, world)) || !(await steadiness.isStill(places, way))) return "unsaved";
    const isSaved = await document.save();
    if (!(await isWhereMeant(change, world))) return "redirected";
    const turned = (await steadiness.turnedSince(places, way)) ?? (await watcher.findTurned());
    return turned !== undefined ? "redirected" : isSaved ? "saved" : "unsaved";
  } finally {
    watcher.close();
  }
}

/** Folders that the edit will make, outermost first. */
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
