// A patch from text to a proposal: planned on what the session's tools read, put into its change set, and answered at once.
// What becomes of it a person decides, whenever they like; the model hears of that with a later request.

import type { ProposedChange } from "../changes/change-set-state.ts";
import { pathOf } from "../files/locate.ts";
import { Refusal } from "../files/refusal.ts";
import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import type { FileChange, FileName, Plan } from "../patch/model.ts";
import { PatchError } from "../patch/patch-error.ts";
import { planPatch } from "../patch/plan.ts";
import { answerAll } from "../patch/success-text.ts";
import { present } from "../util/present.ts";
import { yieldToEventLoop } from "../util/yield-to-event-loop.ts";
import { formatNoteOfAll } from "./format-notes.ts";
import { hasHunks, hunkName, viewPlan } from "./patch-view.ts";
import { patchWorkspace } from "./patch-workspace.ts";
import { quotable, quotableError } from "./quotable-text.ts";
import type { CallContext, ToolResult } from "./tool.ts";

/** Longer than any honest race between typing and planning. */
const maxRounds = 20;

const notYet =
  "They are proposed: the user decides about them and the files on the disk do not have them yet. Your tools already read them as changed, so go on as if they were.";

type ProposalContext = Pick<
  CallContext,
  "turn" | "call" | "overlay" | "protection" | "changes" | "show" | "scopeOf" | "origin"
>;

export async function proposePatch(patch: string, context: ProposalContext): Promise<ToolResult> {
  const { turn, call, changes, show } = context;
  const by = { turn, call, ...context.origin?.(turn) };
  try {
    for (let round = 0; round < maxRounds; round++) {
      const { workspace, files } = await context.overlay();
      const nameOf = (file: FileName) => pathOf(file, workspace.folders);
      const world = patchWorkspace(workspace, files, context.protection);
      const plan = await planPatch(patch, world);
      const paths = plan.changes.map(({ file }) => nameOf(file));
      const isInScope = context.scopeOf?.(turn, paths);
      const isOutside = (file: FileName) => isInScope?.(file, nameOf(file)) === false;
      const proposed = plan.changes.map(
        (change): ProposedChange => ({ change, ids: namesIn(change, nameOf) }),
      );
      if ((await changes.propose(proposed, { ...by, isOutside })) === "stale") continue;
      const output = `${answerAll(plan.changes, nameOf)}${notYet}`;
      const note = formatNoteOfAll(plan);
      // It may take back what was proposed before, and nothing is left to be decided.
      const isOver = [...changes.fatesOf(call).values()].every((fate) => fate === "replaced");
      await show({
        status: isOver ? "replaced" : "proposed",
        files: await viewed(plan, nameOf, isOver ? "replaced" : "pending"),
        output,
        ...present({ message: note }),
      });
      return { output };
    }
  } catch (error) {
    if (error instanceof MessageError)
      throw new Refusal(message("toolPatchUnkept", { why: error.asMessage }));
    if (!(error instanceof PatchError)) throw error;
    const { said, forModel } = await quotableError(error);
    await show({ status: "failed", files: [], message: said, output: forModel });
    return { output: forModel };
  }
  throw new Refusal(message("toolPatchMoving"));
}

/** As a row shows it; its lines go wherever the conversation goes. */
async function viewed(plan: Plan, nameOf: (file: FileName) => string, fate: "pending" | "replaced") {
  await yieldToEventLoop();
  const texts = new Map<string, string>();
  for (const change of plan.changes.filter(hasHunks))
    texts.set(change.base.sha256, await quotable(change.base.text));
  return viewPlan(
    plan,
    nameOf,
    () => fate,
    ({ sha256 }) => texts.get(sha256) ?? "",
  );
}

function namesIn(change: FileChange, nameOf: (file: FileName) => string): string[] {
  const path = nameOf(change.file);
  return hasHunks(change) ? change.hunks.map((_, hunk) => hunkName(path, hunk)) : [hunkName(path)];
}
