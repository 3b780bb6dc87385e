// Patches of the open conversation that were carried out, in this window or in an earlier one: taken back, or written
// down. Taking back touches only what the patch touched, is one step of the editor itself, and so can be undone.

import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { printPatch } from "../patch/print.ts";
import { reverseChanges } from "../patch/reverse.ts";
import { pathOf } from "../tools/locate.ts";
import { wayBack } from "../tools/way-back.ts";
import type { Applied, Workspace } from "../workspace.ts";
import { type DonePatch, findTurned, type Happened } from "./hand-undo.ts";
import type { Session } from "./session.ts";

export interface AppliedPatches {
  /** Whether it can be taken back, as far as is known. */
  has(call: string): boolean;
  /**
   * The newest first. False where the person said no to the editor's own question: that patch and older ones stay.
   * @throws HumanError when a file has become something else; they stay, too.
   */
  takeBack(calls: readonly string[]): Promise<boolean>;
  /** Undo or Redo of the editor itself has touched a file: the conversation says what has become of patches by it. */
  notice(file: FileName, by?: "undo" | "redo"): Promise<void>;
  /** As one text in the form in which patches come. @throws HumanError when one is no longer kept. */
  print(calls: readonly string[]): Promise<string>;
}

export type PatchedSession = Pick<Session, "id" | "state" | "patches">;

export interface AppliedPatchesDeps {
  /** Asked at each use: the one whose patches a person is about to act on. */
  session(): PatchedSession;
  readonly workspace: Workspace;
}

export function createAppliedPatches({ session, workspace }: AppliedPatchesDeps): AppliedPatches {
  const takenBack = new Set<string>();
  const nameOf = (call: string) => `${session().id} ${call}`;
  const ofThisWindow = (call: string): readonly FileChange[] =>
    session().patches.proposal(call)?.applied ?? [];
  const has = (call: string): boolean =>
    !takenBack.has(nameOf(call)) &&
    (ofThisWindow(call).length > 0 || session().patches.keptPatches?.has(call) === true);

  async function changesOf(call: string): Promise<readonly FileChange[]> {
    const known = ofThisWindow(call);
    const changes = known.length > 0 ? known : await session().patches.keptPatches?.changes(call);
    if (changes === undefined) throw new MessageError(message("editsGone"));
    return changes;
  }

  async function takeBackOne(call: string): Promise<boolean> {
    const name = nameOf(call);
    const back = await wayBack(await changesOf(call), workspace);
    const done: Applied =
      back.length === 0
        ? { outcome: "applied" }
        : await workspace.apply(back, "Patchbay: undo edits", "undo");
    if (done.outcome === "declined") return false;
    if (done.outcome === "refused") throw new MessageError(done.why);
    if (done.outcome === "stale") throw new MessageError(message("editsMoving"));
    takenBack.add(name);
    await session().patches.tookBack(call);
    return true;
  }

  const reversed = new WeakMap<readonly FileChange[], readonly FileChange[]>();
  function done(call: string, status: DonePatch["status"]): DonePatch {
    const changes = ofThisWindow(call);
    return {
      call,
      status,
      changes,
      get reversed() {
        const known = reversed.get(changes) ?? reverseChanges(changes, workspace.sha256);
        reversed.set(changes, known);
        return known;
      },
    };
  }

  function donePatches(): DonePatch[] {
    const parts = session().state.turns.flatMap((turn) => turn.parts);
    return parts.flatMap((part) =>
      part.type === "patch" && (part.status === "applied" || part.status === "undone")
        ? [done(part.call, part.status)]
        : [],
    );
  }

  async function look(happened: Happened): Promise<void> {
    const { undone, again } = await findTurned(donePatches(), happened, workspace);
    for (const call of undone) {
      takenBack.add(nameOf(call));
      await session().patches.tookBack(call);
    }
    for (const call of again) {
      takenBack.delete(nameOf(call));
      await session().patches.putAgain(call);
    }
  }

  let looking: Promise<void> = Promise.resolve();

  return {
    has,
    notice(file, by) {
      // One after the other: each has to see what the one before it said. What cannot be read says nothing.
      looking = looking.then(() => look({ file, by })).catch(() => undefined);
      return looking;
    },
    async takeBack(calls) {
      for (const call of calls.filter(has).reverse()) if (!(await takeBackOne(call))) return false;
      return true;
    },
    async print(calls) {
      const texts: string[] = [];
      for (const call of calls) {
        const changes = await changesOf(call);
        if (changes.length > 0) texts.push(printPatch(changes, (file) => pathOf(file, workspace.folders)));
      }
      return texts.join("");
    },
  };
}
