// A whole patch against the workspace as it is: every section in order on a picture of the files, nothing written.
// Either all of it can be done and the result is a plan, or nothing is and one PatchError says everything that stood
// in the way.
import { breathe } from "../util/breathe.ts";
import { changesOf } from "./changes.ts";
import { compose } from "./compose.ts";
import { refuse } from "./explain.ts";
import type { FileSection, Patch, Plan, Workspace } from "./model.ts";
import { parsePatch } from "./parse.ts";
import type { Refusal } from "./patch-error.ts";
import { type Draft, Picture, type Target, textNow } from "./picture.ts";
import { placeHunks } from "./place.ts";
import { splitLines } from "./text.ts";

/** Below this a file is done before anybody could wait for it. */
const manyLines = 20_000;

type UpdateSection = FileSection & { kind: "update" };

/** @throws PatchError */
export async function planPatch(
  text: string,
  workspace: Workspace,
  options: { readonly complete?: boolean } = {},
): Promise<Plan> {
  const parsed = parsePatch(text, options);
  if (parsed.kind === "refused") throw refuse([parsed.refusal]);
  return planParsed(parsed.patch, workspace, workspace.sha256(text));
}

/** @throws PatchError */
export async function planParsed(patch: Patch, workspace: Workspace, patchSha256: string): Promise<Plan> {
  const picture = new Picture(workspace);
  const refusals: Refusal[] = [];
  const failed = new Set<string>();
  for (const section of patch.sections) {
    const at = await picture.find(section.path);
    // One reason per file: what follows from a refused section would only repeat it.
    if (at.kind === "ok" && failed.has(at.value.key)) continue;
    const found = at.kind === "refused" ? [at.refusal] : await read(picture, section, at.value);
    if (at.kind === "ok" && found.length > 0) failed.add(at.value.key);
    refusals.push(...found);
  }
  if (refusals.length > 0) throw refuse(refusals);
  const result = changesOf(picture);
  if (result.kind === "refused") throw refuse(result.refusals);
  return { patchSha256, changes: result.changes };
}

async function read(picture: Picture, section: FileSection, at: Target): Promise<readonly Refusal[]> {
  switch (section.kind) {
    case "add":
      return readAdd(picture, section.lines.map((line) => `${line}\n`).join(""), at);
    case "delete":
      return readDelete(picture, at);
    case "update":
      return readUpdate(picture, section, at);
    default:
      return section satisfies never;
  }
}

async function readAdd(picture: Picture, text: string, at: Target): Promise<readonly Refusal[]> {
  const free = await picture.isFree(at, text);
  if (free.kind === "refused") return [free.refusal];
  picture.add(at, text);
  return [];
}

async function readDelete(picture: Picture, at: Target): Promise<readonly Refusal[]> {
  const opened = await picture.open(at);
  if (opened.kind === "refused") return [opened.refusal];
  const why = refuseDelete(at, opened.value);
  if (why !== undefined) return [{ kind: "file", path: at.typed, why }];
  picture.delete(at, opened.value);
  return [];
}

function refuseDelete(at: Target, draft: Draft): string | undefined {
  if (at.standing.link) return "it is a link, and what it points to would stay";
  return draft.origin === undefined ? "the same patch adds it" : undefined;
}

async function readUpdate(picture: Picture, section: UpdateSection, at: Target): Promise<readonly Refusal[]> {
  const opened = await picture.open(at);
  if (opened.kind === "refused") return [opened.refusal];
  const isLarge = opened.value.lines.count > manyLines;
  // The host has other things to do than one patch: reading, placing and looking over are three tasks, not one.
  if (isLarge) await breathe();
  const updated = place(section, opened.value);
  if (isLarge) await breathe();
  const target = section.moveTo === undefined ? undefined : await readMove(picture, section.moveTo, at);
  const refusals = [...(Array.isArray(updated) ? updated : []), ...(Array.isArray(target) ? target : [])];
  if (refusals.length > 0 || Array.isArray(updated) || Array.isArray(target)) return refusals;
  if (target === undefined) picture.keep(updated);
  else picture.move(updated, target);
  return [];
}

function place(section: UpdateSection, draft: Draft): Draft | Refusal[] {
  const touched = draft.splices.length > 0;
  const lines = touched ? splitLines(textNow(draft)) : draft.lines;
  const { hunks } = section;
  const from = draft.hunks.length;
  const placed = placeHunks({ path: section.path, lines, hunks, from, onEarlier: touched, restarts: 50 });
  if (placed.kind === "refused") return [...placed.refusals];
  if (placed.splices.length === 0 && section.moveTo === undefined) {
    return [{ kind: "no-change", path: section.path }];
  }
  const splices = touched ? compose(draft.lines.count, draft.splices, placed.splices) : placed.splices;
  return { ...draft, splices, hunks: [...draft.hunks, ...placed.hunks] };
}

async function readMove(picture: Picture, moveTo: string, from: Target): Promise<Target | Refusal[]> {
  const to = await picture.find(moveTo);
  if (to.kind === "refused") return [to.refusal];
  if (to.value.key === from.key) {
    return [{ kind: "file", path: from.typed, why: "it would be moved onto itself" }];
  }
  if (from.standing.link) return [{ kind: "file", path: from.typed, why: "it is a link" }];
  const free = await picture.isFree(to.value);
  return free.kind === "refused" ? [free.refusal] : to.value;
}
