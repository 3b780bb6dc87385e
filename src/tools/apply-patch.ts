// `apply_patch`, the only custom tool of this interface: its definition, how a patch becomes a proposal, what the model
// is told, and patches in the text of a response that a person proposes.

import type { ProposedChange } from "../changes/proposal.ts";
import { MessageError } from "../conversation/english.ts";
import { type Message, message } from "../conversation/messages.ts";
import { createGitIgnored } from "../files/git-ignore.ts";
import type { GuardedFiles } from "../files/guarded-files.ts";
import { cleanText, type Protection } from "../files/privacy.ts";
import { pathOf, Refusal } from "../files/refusal.ts";
import type { Workspace } from "../files/workspace.ts";
import { linesBetween, splitLines } from "../patch/edits.ts";
import type {
  FileChange,
  FileName,
  LineEdit,
  Workspace as PatchWorkspace,
  Plan,
  PlanNote,
} from "../patch/model.ts";
import { patchOfDiff } from "../patch/parse.ts";
import { PatchError, type Refusal as PatchRefusal, refuse } from "../patch/patch-error.ts";
import { planPatch } from "../patch/plan.ts";
import { patchText } from "../service/response-items.ts";
import { yieldToEventLoop } from "../util/concurrency.ts";
import { present } from "../util/present.ts";
import { forModel } from "../util/sentences.ts";
import { formatNoteOfAll, hasHunks, hunkName, viewPlan } from "./patch-view.ts";
import type { CallContext, Tool, ToolResult } from "./tool.ts";

const letters = { add: "A", delete: "D", update: "M", move: "M" } as const;

/** Per file. A model that changed more places than this already knows the whole file. */
const maxPlaces = 40;

const tookBack = forModel(
  "Success. It took back what was only proposed, so nothing of it waits for the user:",
);

/** Whether the result of a call said that it leaves nothing to decide. */
export const saysTookBack = (output: string | undefined): boolean => output?.startsWith(tookBack) === true;

/**
 * What the model is told when its patch became a proposal, in a form that models know: a letter and a path for each
 * file, where the written lines are now, so that it need not read the file again to find them, and what to do better
 * next time. `nameOf` returns a file's path as the patch should name it.
 */
export function describeSuccess(
  changes: readonly FileChange[],
  nameOf: (file: FileName) => string,
  isOver = false,
): string {
  const lines = changes.map((change) => {
    const path = nameOf(change.kind === "move" ? change.to : change.file);
    return `${letters[change.kind]} ${path}${"edits" in change ? placesOf(change.edits) : ""}`;
  });
  return `${isOver ? tookBack : "Success. Proposed to the user:"}\n${lines.join("\n")}\n`;
}

/**
 * For example `, lines 35, 277-279`, counted from 1 in the file with the patch; for a mere removal, the line that
 * follows.
 */
function placesOf(edits: readonly LineEdit[]): string {
  let shift = 0;
  const places = edits.map(({ lines: { first, last }, written }) => {
    const from = first + shift + 1;
    shift += written - (last - first);
    return written > 1 ? `${from}-${from + written - 1}` : `${from}`;
  });
  if (places.length === 0) return "";
  const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more places` : "";
  const isOne = places.length === 1 && !places[0]?.includes("-");
  return `, ${isOne ? "line" : "lines"} ${places.slice(0, maxPlaces).join(", ")}${more}`;
}

/** One line for each file in which an anchor was not found; empty if there are none. */
export function describeRemarks(notes: readonly PlanNote[], nameOf: (file: FileName) => string): string {
  const paths = notes.flatMap(({ code, file }) => (code === "lost-anchor" && file ? [nameOf(file)] : []));
  return [...new Set(paths)]
    .map((path) => {
      return `Note: an '@@' line of the patch is not in ${path}; its hunk went to the only place that its context fits.\n`;
    })
    .join("");
}

/**
 * The workspace as the patch engine may see it. Files that are never sent are hidden, because an error about a file
 * that cannot be patched quotes ten of its lines to the model. A new file is not hidden, since it reveals nothing about
 * an existing one. Files that the settings protect or Git ignores are marked.
 */
export function patchWorkspace(
  workspace: Workspace,
  files: GuardedFiles,
  protectionOf: Protection,
): PatchWorkspace {
  const isIgnored = createGitIgnored(workspace);
  return {
    folders: workspace.folders,
    ...(workspace.roots && { roots: workspace.roots }),
    async look(file) {
      const standing = await workspace.look(file);
      const names = [...new Set([file.path, standing.real ?? file.path])];
      const protection = protectionOf(file.folder, names);
      const ignored =
        protection !== "lifted" &&
        (await Promise.all(names.map((path) => isIgnored(file.folder, path)))).includes(true);
      const found = { ...standing, ignored, ...(protection !== undefined && { protection }) };
      if (standing.kind === "nothing") return found;
      return { ...found, guarded: standing.guarded || (await files.keeps(file, standing)) };
    },
    read: (file) => workspace.read(file),
    sha256: (text) => workspace.sha256(text),
  };
}

/**
 * Redacts file contents that may be quoted in the result of a patch, and keeps every line at its number. The whole text
 * is redacted before ten lines of it are quoted: lines from the middle of a key could not be recognized as part of one.
 */
export const redactForModel = async (text: string): Promise<string> => (await cleanText(text)).text;

/** Returns the same error with its quotes redacted. */
const redactErrorForModel = async ({ refusals, fitting }: PatchError): Promise<PatchError> =>
  refuse(await redactRefusals(refusals), fitting);

async function redactRefusals(refusals: readonly PatchRefusal[]): Promise<readonly PatchRefusal[]> {
  const cleaned = new Map<string, string>();
  const clean = async (text: string) => {
    const known = cleaned.get(text) ?? (await redactForModel(text));
    cleaned.set(text, known);
    return known;
  };
  const all: PatchRefusal[] = [];
  for (const refusal of refusals)
    all.push("excerpt" in refusal ? quoting(refusal, await clean(refusal.excerpt.whole)) : refusal);
  return all;
}

function quoting(refusal: Extract<PatchRefusal, { readonly excerpt: unknown }>, whole: string): PatchRefusal {
  if (whole === refusal.excerpt.whole) return refusal;
  const lines = splitLines(whole);
  const line = (row: number): string | undefined => linesBetween(lines, row, row + 1)[0];
  const { first, lines: quoted } = refusal.excerpt;
  const excerpt = { first, whole, lines: linesBetween(lines, first, first + quoted.length) };
  if (refusal.kind !== "not-found" || refusal.nearest === undefined) return { ...refusal, excerpt };
  const { nearest } = refusal;
  const file = nearest.file === undefined ? undefined : line(nearest.line);
  return { ...refusal, excerpt, nearest: { ...nearest, file } };
}

/** More rounds than any genuine race between typing and planning takes. */
export const maxRounds = 20;

export type ProposalContext = Pick<
  CallContext,
  "turn" | "call" | "overlay" | "protection" | "changes" | "show" | "scopeOf" | "origin"
>;

/**
 * Turns the text of a patch into a proposal: plans it on the files as the session's tools see them, adds it to the
 * session's change set, and returns a result immediately. The person decides later, and the model is told with a later
 * request.
 */
export async function proposePatch(patch: string, context: ProposalContext): Promise<ToolResult> {
  try {
    for (let round = 0; round < maxRounds; round++) {
      const { workspace, files } = await context.overlay();
      const nameOf = (file: FileName) => pathOf(file, workspace.folders);
      const world = patchWorkspace(workspace, files, context.protection);
      const plan = await planPatch(patch, world);
      const proposed = await proposePlan(plan, nameOf, context);
      if (proposed !== "stale") return proposed;
    }
  } catch (error) {
    if (error instanceof MessageError)
      throw new Refusal(message("toolPatchUnkept", { why: error.asMessage }));
    if (!(error instanceof PatchError)) throw error;
    const { said, forModel } = await redactErrorForModel(error);
    await context.show({ status: "failed", files: [], message: said, output: forModel });
    return { output: forModel, isRefused: true };
  }
  throw new Refusal(message("toolPatchMoving"));
}

/**
 * Adds a plan to the change set and shows it. "stale": the files have changed since it was made.
 * @throws PatchError
 */
export async function proposePlan(
  plan: Plan,
  nameOf: (file: FileName) => string,
  context: ProposalContext,
): Promise<ToolResult | "stale"> {
  const { turn, call, changes, show } = context;
  const by = { turn, call, ...context.origin?.(turn) };
  const paths = plan.changes.map(({ file }) => nameOf(file));
  const isInScope = context.scopeOf?.(turn, paths);
  const isOutside = (file: FileName) => isInScope?.(file, nameOf(file)) === false;
  const proposed = plan.changes.map((change): ProposedChange => ({ change, ids: namesIn(change, nameOf) }));
  if ((await changes.propose(proposed, { ...by, isOutside })) === "stale") return "stale";
  const note = formatNoteOfAll(plan);
  // A patch may merely undo an earlier proposal, which leaves nothing to decide.
  const statuses = [...changes.statusesOf(call).values()];
  const isOver = statuses.length > 0 && statuses.every((status) => status === "replaced");
  const output = `${describeSuccess(plan.changes, nameOf, isOver)}${describeRemarks(plan.notes, nameOf)}`;
  await show({
    status: isOver ? "replaced" : "proposed",
    files: await viewed(plan, nameOf, isOver ? "replaced" : "pending"),
    output,
    ...present({ message: note }),
  });
  return { output, paths };
}

/** Builds the view that a row shows. Its lines are stored with the conversation. */
async function viewed(plan: Plan, nameOf: (file: FileName) => string, status: "pending" | "replaced") {
  await yieldToEventLoop();
  const texts = new Map<string, string>();
  for (const change of plan.changes.filter(hasHunks))
    texts.set(change.base.sha256, await redactForModel(change.base.text));
  return viewPlan(
    plan,
    nameOf,
    () => status,
    ({ sha256 }) => texts.get(sha256) ?? "",
  );
}

function namesIn(change: FileChange, nameOf: (file: FileName) => string): string[] {
  const path = nameOf(change.file);
  return hasHunks(change) ? change.hunks.map((_, hunk) => hunkName(path, hunk)) : [hunkName(path)];
}

/** The Lark grammar of wire §10. */
const grammar = `start: begin file+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?
file: add | delete | update
add: "*** Add File: " path LF added+
delete: "*** Delete File: " path LF
update: "*** Update File: " path LF move? hunk*
move: "*** Move to: " path LF
hunk: anchor+ line+ last?
anchor: ("@@" | "@@ " /(.+)/) LF
added: "+" /(.*)/ LF
line: ("+" | "-" | " ") /(.*)/ LF
last: "*** End of File" LF
path: /(.+)/
%import common.LF
`;

/** Self-contained: where a service accepts no grammar, this text is all the model learns about the patch format. */
const description = forModel([
  "Proposes changes to files; all of a patch is taken or nothing. Paths are relative to the workspace.",
  "A patch looks like this:",
  "*** Begin Patch",
  "*** Update File: src/a.ts",
  "@@ function area",
  " an unchanged line, behind a space",
  "-a line as it is now",
  "+the line as it should be",
  "*** Add File: src/b.ts",
  "+its first line",
  "*** Delete File: src/c.ts",
  "*** End Patch",
  '"*** Move to: new/path.ts" behind the line of an update moves the file. Lines stand exactly as in the file, whole, indented, without line numbers; hunks, each begun by @@, need no order where their places are unique. Give as many unchanged lines as make the place unique: none where a removed line is there only once; else up to three before and after, or behind @@ the line of the function or class around it. To insert, give one unchanged line before or behind the added ones; never write existing lines as added ones. The result says which lines each hunk has become.',
]).join("\n");

const marker = /^[ \t]*\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/m;

export const applyPatch: Tool = {
  name: "apply_patch",
  definition: JSON.stringify({
    type: "custom",
    name: "apply_patch",
    description,
    format: { type: "grammar", syntax: "lark", definition: grammar },
  }),
  ability: "propose changes with apply_patch",
  kind: "write",
  permission: "ask",
  reviews: true,
  // A model may call it as a function although it was offered as a custom tool (wire §9.3).
  inputOf: (call) => patchText(call) ?? "",
  prepare(patch) {
    if (patch.trim() === "") throw new Refusal(message("toolPatchEmpty"));
    // Models sometimes send a unified diff, which expresses the same change in another format.
    const meant = marker.test(patch) ? patch : (patchOfDiff(patch) ?? patch);
    return { summary: "", run: (context) => proposePatch(meant, context) };
  },
};

// A patch in the text of a response, which a person may propose from there: exactly one complete patch counts, in a
// code block or bare; anything else is explained, never guessed at.

const begin = "*** Begin Patch";
const end = "*** End Patch";

type TextPatch =
  | { readonly kind: "none" }
  | { readonly kind: "patch"; readonly patch: string }
  | { readonly kind: "refused"; readonly why: Message };

/** The patch a text contains. */
export function patchIn(text: string): TextPatch {
  const lines = text.split(/\r?\n/);
  const begins = lines.flatMap((line, index) => (line.trim() === begin ? [index] : []));
  const [from] = begins;
  if (from === undefined) return diffIn(lines);
  if (begins.length > 1) return { kind: "refused", why: message("patchSeveral") };
  const to = lines.findIndex((line, index) => index > from && line.trim() === end);
  if (to < 0) return { kind: "refused", why: message("patchNoEnd") };
  return { kind: "patch", patch: lines.slice(from, to + 1).join("\n") };
}

/**
 * Some models write a unified diff instead of the requested patch format: exactly one such block is accepted as well.
 */
function diffIn(lines: readonly string[]): TextPatch {
  const blocks = codeBlocks(lines).filter((block) => beginsDiff(block) !== undefined);
  const [block] = blocks;
  if (block === undefined) return { kind: "none" };
  if (blocks.length > 1) return { kind: "refused", why: message("patchSeveral") };
  const patch = patchOfDiff(block.join("\n"));
  return patch === undefined ? { kind: "refused", why: message("patchDiff") } : { kind: "patch", patch };
}

/** The first line of a diff: `--- a/file`, `+++ b/file`, followed by a hunk. */
function beginsDiff(lines: readonly string[]): number | undefined {
  const at = lines.findIndex(
    (line, index) => line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ ") === true,
  );
  return at >= 0 && lines[at + 2]?.startsWith("@@") === true ? at : undefined;
}

/** The contents of fenced code blocks, without the indentation of a surrounding list. */
function codeBlocks(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  let open: { readonly mark: string; readonly indent: string; readonly lines: string[] } | undefined;
  for (const line of lines) {
    const [, indent = "", mark] = /^([ \t]*)(`{3,}|~{3,})/.exec(line) ?? [];
    if (open === undefined) {
      if (mark !== undefined) open = { mark, indent, lines: [] };
    } else if (mark?.startsWith(open.mark) && line.trim() === mark) {
      blocks.push(open.lines);
      open = undefined;
    } else open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  return blocks;
}
