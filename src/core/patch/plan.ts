// A whole patch against the workspace as it is: every section in order on a picture of the files, nothing written.
// Either all of it can be done and the result is a plan, or nothing is and one PatchError says everything that stood
// in the way.
import { type Message, message } from "../messages/message.ts";
import { inSlices, type Steps } from "../util/yield-to-event-loop.ts";
import { compose } from "./compose-splices.ts";
import { refuse } from "./explain.ts";
import { fullEffort } from "./find-places.ts";
import { placeAsRead } from "./malformed-hunks.ts";
import type { FileSection, Patch, Plan, Workspace } from "./model.ts";
import { changesOf } from "./ordered-changes.ts";
import { parsing } from "./parse.ts";
import type { Refusal } from "./patch-error.ts";
import { type Draft, Picture, type Target } from "./patched-files.ts";
import { findPlaceholder } from "./placeholders.ts";
import { splicing } from "./resplit.ts";

/** Milliseconds; some steps of a large file take as long again. */
const atATime = 10;

type Slices = ReturnType<typeof inSlices>;

/** The place for a breath between two sections. */
function* pause(): Steps<void> {
  yield;
}

type UpdateSection = FileSection & { kind: "update" };

/** @throws PatchError */
export async function planPatch(text: string, workspace: Workspace): Promise<Plan> {
  const parsed = await inSlices(atATime)(parsing(text));
  if (parsed.kind === "refused") throw refuse([parsed.refusal]);
  return planParsed(parsed.patch, workspace, workspace.sha256(text));
}

/** @throws PatchError */
async function planParsed(patch: Patch, workspace: Workspace, patchSha256: string): Promise<Plan> {
  const slices = inSlices(atATime);
  const picture = new Picture(workspace, slices);
  const refusals: Refusal[] = [];
  const failed = new Set<string>();
  for (const section of patch.sections) {
    await slices(pause());
    const at = await picture.find(section.path, section.kind === "add");
    // One reason per file: what follows from a refused section would only repeat it.
    if (at.kind === "ok" && failed.has(at.value.key)) continue;
    const found = at.kind === "refused" ? [at.refusal] : await read(picture, section, at.value, slices);
    if (at.kind === "ok" && found.length > 0) failed.add(at.value.key);
    if (at.kind === "ok") picture.note(at.value.file, [...at.value.notes, ...(section.notes ?? [])]);
    for (const each of found) refusals.push(each);
  }
  if (refusals.length > 0) throw refuse(refusals);
  const result = await slices(changesOf(picture));
  if (result.kind === "refused") throw refuse(result.refusals);
  const notes = [...patch.notes.map((code) => ({ code })), ...picture.notes];
  return { patchSha256, notes, changes: result.changes };
}

async function read(
  picture: Picture,
  section: FileSection,
  at: Target,
  slices: Slices,
): Promise<readonly Refusal[]> {
  switch (section.kind) {
    case "add":
      return readAdd(picture, section, at);
    case "delete":
      return readDelete(picture, at);
    case "update":
      return readUpdate(picture, section, at, slices);
    default:
      return section satisfies never;
  }
}

type AddSection = FileSection & { kind: "add" };

async function readAdd(picture: Picture, section: AddSection, at: Target): Promise<readonly Refusal[]> {
  const text = section.lines.map((line) => `${line}\n`).join("");
  const found = findPlaceholder(section, at.file.path);
  if (found !== undefined) return [{ kind: "placeholder", path: section.path, found }];
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

function refuseDelete(at: Target, draft: Draft): Message | undefined {
  if (at.standing.link) return message("whyLinkTo");
  return draft.origin === undefined ? message("whySamePatch") : undefined;
}

async function readUpdate(
  picture: Picture,
  section: UpdateSection,
  at: Target,
  slices: Slices,
): Promise<readonly Refusal[]> {
  const opened = await picture.open(at);
  if (opened.kind === "refused") return [opened.refusal];
  const found = findPlaceholder(section, at.file.path, opened.value.lines);
  if (found !== undefined) return [{ kind: "placeholder", path: section.path, found }];
  const updated = await slices(place(picture, section, opened.value));
  const target = section.moveTo === undefined ? undefined : await readMove(picture, section.moveTo, at);
  const refusals = [...(Array.isArray(updated) ? updated : []), ...(Array.isArray(target) ? target : [])];
  if (refusals.length > 0 || Array.isArray(updated) || Array.isArray(target)) return refusals;
  if (target === undefined) picture.keep(updated);
  else picture.move(updated, target);
  return [];
}

function* place(picture: Picture, section: UpdateSection, draft: Draft): Steps<Draft | Refusal[]> {
  const { latest } = draft;
  const touched = draft.splices.length > 0;
  const lines = latest === undefined ? draft.lines : yield* splicing(latest.lines, latest.splices);
  const { hunks } = section;
  const from = draft.hunks.length;
  yield;
  const placed = yield* placeAsRead({
    path: section.path,
    lines,
    hunks,
    from,
    onEarlier: touched,
    restarts: 50,
    effort: fullEffort(),
  });
  if (placed.kind === "refused") return [...placed.refusals];
  picture.note(draft.at.file, placed.notes);
  yield;
  const splices = touched ? compose(draft.lines.count, draft.splices, placed.splices) : placed.splices;
  const now = { lines, splices: placed.splices };
  return { ...draft, splices, latest: now, hunks: [...draft.hunks, ...placed.hunks] };
}

/** Undefined where the file stays where it is. */
async function readMove(
  picture: Picture,
  moveTo: string,
  from: Target,
): Promise<Target | undefined | Refusal[]> {
  // Where Git's prefix stood before the one name, it stands before the other.
  const isPrefixed = from.notes.includes("prefixed-path");
  const to = await picture.find(isPrefixed ? moveTo.replace(/^(["'`]?)[ab]\//, "$1") : moveTo, true);
  if (to.kind === "refused") return [to.refusal];
  const hasLink = from.standing.link || to.value.standing.link;
  if (to.value.key === from.key && hasLink) {
    return [{ kind: "file", path: from.typed, why: message("whyOntoItself") }];
  }
  if (from.standing.link) return [{ kind: "file", path: from.typed, why: message("whyLink") }];
  picture.note(from.file, to.value.notes);
  if (to.value.key === from.key) {
    picture.note(from.file, ["moved-onto-itself"]);
    return undefined;
  }
  if (picture.isCaseRename(from, to.value)) {
    picture.note(from.file, ["case-rename"]);
    return to.value;
  }
  const free = await picture.isFree(to.value);
  return free.kind === "refused" ? [free.refusal] : to.value;
}
