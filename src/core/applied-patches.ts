// Patches that were carried out in this window: taken back, or written down. Taking back touches only what the patch
// touched, is one step of the editor itself, and so can be undone like any other.

import type { FileChange } from "./patch/model.ts";
import { printPatch } from "./patch/print.ts";
import { pathOf } from "./tools/locate.ts";
import type { Proposal } from "./tools/proposals.ts";
import { wayBack } from "./tools/way-back.ts";
import { HumanError } from "./util/human-error.ts";
import type { Applied, Workspace } from "./workspace.ts";

export interface AppliedPatches {
  /** Whether this window still knows how to take it back. */
  has(call: string): boolean;
  /** The newest first. @throws HumanError when a file has become something else: that patch and older ones stay. */
  takeBack(calls: readonly string[]): Promise<void>;
  /** As one text in the form in which patches come. */
  print(calls: readonly string[]): string;
}

export interface AppliedPatchesNeeds {
  proposal(call: string): Proposal | undefined;
  readonly workspace: Workspace;
}

export function createAppliedPatches({ proposal, workspace }: AppliedPatchesNeeds): AppliedPatches {
  const takenBack = new Set<string>();
  const appliedOf = (call: string): readonly FileChange[] =>
    takenBack.has(call) ? [] : (proposal(call)?.applied ?? []);

  async function takeBackOne(call: string): Promise<void> {
    const back = await wayBack(appliedOf(call), workspace);
    const done: Applied =
      back.length === 0 ? { outcome: "applied" } : await workspace.apply(back, "Patchbay: undo edits");
    if (done.outcome === "refused") throw new HumanError(done.why);
    if (done.outcome === "stale")
      throw new HumanError("The files changed at this very moment; nothing was taken back.");
    takenBack.add(call);
  }

  return {
    has: (call) => appliedOf(call).length > 0,
    async takeBack(calls) {
      for (const call of calls.filter((each) => appliedOf(each).length > 0).reverse())
        await takeBackOne(call);
    },
    print(calls) {
      const changes = calls.map((call) => proposal(call)?.applied ?? []);
      return changes
        .filter((list) => list.length > 0)
        .map((list) => printPatch(list, (file) => pathOf(file, workspace.folders)))
        .join("");
    },
  };
}
