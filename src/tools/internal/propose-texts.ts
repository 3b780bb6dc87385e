// Proposes whole texts of files, as a command has left them on its copy. They are guarded, reviewed and undone like a
// patch; a file that is no longer what the command has found is a conflict, and nothing is overwritten.
import { MessageError } from "../../conversation/english.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { pathOf } from "../../files/refusal.ts";
import { comparing } from "../../patch/edits.ts";
import {
  type FileChange,
  type FileName,
  limits,
  type Workspace as PatchWorkspace,
  type PathInfo,
  type Permission,
} from "../../patch/model.ts";
import { PatchError } from "../../patch/patch-error.ts";
import { dangersIn, findPathInfo, permissionFor, readPath } from "../../patch/paths.ts";
import { addedBy, lossOf, orderOfWork, permissionOf } from "../../patch/plan.ts";
import { runTask } from "../../util/background.ts";
import { maxRounds, type ProposalContext, patchWorkspace, proposePlan } from "../apply-patch.ts";
import type { WantedText } from "../tool.ts";

/** Files that were not proposed, and why. */
interface NotProposed {
  readonly path: string;
  /** Absent: it has changed meanwhile. */
  readonly why?: Message;
}

interface ProposedTexts {
  /** What the model is told of the proposal; absent if nothing was proposed. */
  readonly output?: string;
  readonly paths: readonly string[];
  readonly notProposed: readonly NotProposed[];
  /** It would be larger than a patch may be. */
  readonly isTooLarge?: true;
}

export async function proposeTexts(
  texts: readonly WantedText[],
  context: ProposalContext,
): Promise<ProposedTexts> {
  for (let round = 0; round < maxRounds; round++) {
    const { workspace, files } = await context.overlay();
    const nameOf = (file: FileName) => pathOf(file, workspace.folders);
    const world = patchWorkspace(workspace, files, context.protection);
    const changes: FileChange[] = [];
    const notProposed: NotProposed[] = [];
    for (const text of texts) {
      const found = await changeTo(text, world);
      if (found === "same") continue;
      if (found === "changed") notProposed.push({ path: nameOf(text.file) });
      else if ("why" in found) notProposed.push({ path: nameOf(text.file), why: found.why });
      else changes.push(found);
    }
    if (changes.length === 0) return { paths: [], notProposed };
    if (isTooLarge(changes)) return { paths: [], notProposed, isTooLarge: true };
    const plan = { notes: [], changes: orderOfWork(changes) };
    try {
      const proposed = await proposePlan(plan, nameOf, context);
      if (proposed === "stale") continue;
      return { output: proposed.output, paths: proposed.paths ?? [], notProposed };
    } catch (error) {
      const why =
        error instanceof PatchError
          ? error.said
          : error instanceof MessageError
            ? error.asMessage
            : undefined;
      if (why === undefined) throw error;
      return {
        paths: [],
        notProposed: [...notProposed, ...changes.map(({ file }) => ({ path: nameOf(file), why }))],
      };
    }
  }
  return {
    paths: [],
    notProposed: texts.map(({ file }) => ({ path: file.path, why: message("toolPatchMoving") })),
  };
}

function isTooLarge(changes: readonly FileChange[]): boolean {
  const sizes = changes.map((change) =>
    change.kind === "add" ? change.text.length : "edits" in change ? addedBy(change.edits).length : 0,
  );
  const hunks = changes.reduce((sum, change) => sum + ("hunks" in change ? change.hunks.length : 1), 0);
  return sizes.reduce((sum, size) => sum + size, 0) > limits.patchBytes || hunks > limits.hunks;
}

/** `changed`: the file is no longer the one the text was derived from. */
async function changeTo(
  { file: wanted, text, before, isStale }: WantedText,
  world: PatchWorkspace,
): Promise<FileChange | { readonly why: Message } | "same" | "changed"> {
  // A command may give its files names that no patch could write.
  const named = readPath(pathOf(wanted, world.folders), world.folders);
  if (named.kind === "denied") return named;
  const found = await findPathInfo(world, { kind: "named", file: wanted });
  if ("why" in found) return found;
  const { file, standing } = found;
  const permission = permissionFor(file, standing);
  if (permission.verdict === "deny") return permission;
  if (isStale || standing.spelled !== undefined) return "changed";
  if (standing.kind === "nothing") {
    if (text === undefined) return "same";
    return before === undefined ? addition(file, text, permission) : "changed";
  }
  const why = refuseKind(standing, text);
  if (why !== undefined) return { why };
  const reading = await world.read(file);
  if (reading.kind !== "text") return "changed";
  if (reading.text === text) return "same";
  if (reading.text !== before) return "changed";
  if (reading.undecoded !== undefined)
    return { why: message("whyUndecoded", { encoding: reading.undecoded }) };
  const base = { text: before, sha256: world.sha256(before), version: reading.version };
  return text === undefined
    ? { kind: "delete", file, permission, base }
    : update(file, { permission, base }, text);
}

function refuseKind(standing: PathInfo, text: string | undefined): Message | undefined {
  if (standing.kind === "folder") return message("whyIsFolder");
  if (standing.kind !== "file") return message("whyOther");
  if (text === undefined && standing.link) return message("whyLinkTo");
  return standing.writable ? undefined : message("whyReadOnly");
}

function addition(file: FileName, text: string, permission: Permission): FileChange {
  const asked = permissionOf([permission], dangersIn(text, permission.real));
  return { kind: "add", file, permission: asked, text };
}

async function update(
  file: FileName,
  { permission, base }: Pick<Extract<FileChange, { kind: "update" }>, "permission" | "base">,
  text: string,
): Promise<FileChange> {
  const compared = await runTask(
    comparing,
    { before: base.text, after: text },
    base.text.length + text.length,
  );
  const edits = compared.map((edit, hunk) => ({ ...edit, hunks: [hunk] }));
  const hunks = edits.map(({ lines }) => ({
    ...{ line: 0, matched: lines, onEarlier: false },
    looseness: "exact" as const,
  }));
  const dangers = dangersIn(addedBy(edits), permission.real);
  const asked = permissionOf([permission], dangers, lossOf(base.text, edits));
  return { kind: "update", file, permission: asked, base, edits, hunks };
}
