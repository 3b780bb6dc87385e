// Accepted changes of a conversation: undo a turn, go back to before a turn, save a turn as a patch file, and report
// what could not be undone.
import * as vscode from "vscode";
import type { LeftFile, ReverseOutcome } from "../../../changes/proposal.ts";
import type { Conversation, PatchFile, PatchPart } from "../../../conversation/state.ts";
import { pathOf } from "../../../files/refusal.ts";
import { printPatch } from "../../../patch/print-patch.ts";
import type { Session } from "../../../session/session.ts";
import { withoutIcons } from "../../../util/text.ts";
import { localize } from "../../localize.ts";
import { commands } from "../../manifest.ts";
import { showInformation, showStatusMessage, showWarning } from "../../notify.ts";
import { saveAs } from "../../ui/documents.ts";
import { schemes } from "../shown-change.ts";
import { type ReviewDocuments, shownPath } from "./proposed-files.ts";
import { displayPaths } from "./review-targets.ts";

interface PatchOfTurn {
  readonly call: string;
  readonly turn: string;
  /** Counted from 1, as people do. */
  readonly turnNumber: number;
  readonly prompt: string;
  readonly status: PatchPart["status"];
  readonly files: readonly PatchFile[];
}

/**
 * The patches of a conversation, as the user can undo, look at or save them. Derived from the conversation, which
 * records the status of each; nothing is stored here. Pure.
 */
export function patchesOf({ turns }: Conversation): readonly PatchOfTurn[] {
  return turns.flatMap((turn, index) =>
    turn.parts.flatMap((part): PatchOfTurn[] => {
      // A patch still being streamed has no call id yet, so nothing can be done with it.
      if (part.type !== "patch" || part.call === "") return [];
      const { call, status, files } = part;
      return [{ call, turn: turn.id, turnNumber: index + 1, prompt: turn.prompt, status, files }];
    }),
  );
}

/** Whether some of it is in the files. */
export const isApplied = ({ files }: PatchOfTurn): boolean =>
  files.some(({ hunks }) => hunks.some(({ status }) => status === "applied"));

interface RevertCommandDeps {
  session(): Session | undefined;
  folders(): readonly string[];
  readonly left: Pick<LeftEdits, "tell">;
}

interface EditedTurn {
  readonly number: number;
  readonly prompt: string;
  readonly calls: readonly string[];
}

export function createRevertCommands({ session, folders, left }: RevertCommandDeps) {
  const t = vscode.l10n.t;

  function editedTurns(): EditedTurn[] {
    const turns = new Map<string, EditedTurn>();
    const { state } = session() ?? {};
    const patches = state === undefined ? [] : patchesOf(state);
    for (const patch of patches.filter(isApplied)) {
      const { call, turn, turnNumber: number, prompt } = patch;
      const calls = [...(turns.get(turn)?.calls ?? []), call];
      turns.set(turn, { number, prompt, calls });
    }
    return [...turns.values()];
  }

  /** Lets the user pick a turn, the newest first. */
  async function which(title: string): Promise<EditedTurn | undefined> {
    const turns = editedTurns();
    if (turns.length === 0) {
      void showInformation(t("This conversation has no edits to undo."));
      return undefined;
    }
    const items = turns
      .toReversed()
      .map((turn) => ({ label: t("Turn {0}", turn.number), description: withoutIcons(turn.prompt), turn }));
    return (await vscode.window.showQuickPick(items, { title }))?.turn;
  }

  /** Lists what could not be undone; otherwise shows `sentence`. */
  async function undo(calls: readonly string[], sentence: string): Promise<void> {
    const turned = await session()?.patches.changes.undo(calls);
    if (turned?.outcome === "done" && !(await left.tell(turned))) void showInformation(sentence);
  }

  async function undoTurn(): Promise<void> {
    const turn = await which(t("Undo Edits of Last Turn"));
    if (turn === undefined) return;
    await undo(turn.calls, t("The edits of turn {0} were undone.", turn.number));
  }

  async function restore(): Promise<void> {
    const turn = await which(t("Restore Files to Before Turn"));
    if (turn === undefined) return;
    const since = editedTurns().filter(({ number }) => number >= turn.number);
    const calls = since.flatMap((each) => each.calls);
    await undo(calls, t("Files were restored to before turn {0}.", turn.number));
  }

  async function exportPatch(): Promise<void> {
    const turn = await which(t("Export Turn as .patch"));
    const changes = session()?.patches.changes;
    if (turn === undefined || changes === undefined) return;
    const texts: string[] = [];
    for (const call of turn.calls)
      texts.push(printPatch(await changes.changesOf(call), (file) => pathOf(file, folders())));
    await saveAs(`turn-${turn.number}.patch`, Buffer.from(texts.join("")));
  }

  return {
    [commands.undoTurn]: undoTurn,
    [commands.restore]: restore,
    [commands.exportPatch]: exportPatch,
  };
}

interface LeftEdits {
  /** Shows the list if no row is visible. False if nothing was left, or if the user has declined all of it. */
  tell(turned: ReverseOutcome): Promise<boolean>;
  /** The same for actions in the row, which keeps the sentence with a link to the list. */
  note(turned: ReverseOutcome): void;
  list(left: readonly LeftFile[]): Promise<void>;
}

interface LeftItem extends vscode.QuickPickItem {
  readonly left: LeftFile;
}

/**
 * Reports what could not be undone or accepted again: one sentence, and a list of the files with the reasons and what
 * would have been done. The sentence disappears from the status bar; the row of the patch keeps it, with a link to the
 * list.
 */
export function createLeftEdits(
  documents: Pick<ReviewDocuments, "sidesOfDone">,
  folders: () => readonly string[],
): LeftEdits {
  const t = vscode.l10n.t;
  let shown = 0;

  async function list(left: readonly LeftFile[]): Promise<void> {
    if (left.length === 0) {
      void showInformation(t("Nothing stands in the way any more. Try it again."));
      return;
    }
    const items = left.map((each): LeftItem => {
      const { path, why } = each;
      const behind = path.lastIndexOf("/");
      const [label, description] = [path.slice(behind + 1), path.slice(0, Math.max(behind, 0))];
      return { label, description, detail: localize(why), left: each };
    });
    const picked = await vscode.window.showQuickPick(items, {
      title: t("What Was Left"),
      placeHolder: t("Select a file to see what would have been changed"),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (picked !== undefined) await show(picked.left);
  }

  async function show({ path, change, why }: LeftFile): Promise<void> {
    if (change === undefined) {
      void showWarning(localize(why));
      return;
    }
    shown += 1;
    const names = displayPaths(change, folders());
    const [before, after] = documents.sidesOfDone({ ...names, address: `left/${shown}`, change });
    const nothing = vscode.Uri.from({ scheme: schemes.base, path: shownPath(path), query: "" });
    await vscode.commands.executeCommand(
      "vscode.diff",
      before ?? nothing,
      after ?? nothing,
      t("{0} (left as it is)", path),
    );
  }

  function note(turned: ReverseOutcome): void {
    if (turned.outcome === "done" && turned.said !== undefined) showStatusMessage(localize(turned.said));
  }

  return {
    ...{ list, note },
    async tell(turned) {
      if (turned.outcome !== "done" || turned.left.length === 0) return false;
      note(turned);
      await list(turned.left);
      return true;
    },
  };
}

/**
 * Notification about changes that were applied automatically while the conversation is not visible, with buttons to
 * look at them and to undo them.
 */
export async function notifyApplied(
  { call, files }: PatchOfTurn,
  act: (call: string, action: "undo" | "review") => Promise<void>,
): Promise<void> {
  const t = vscode.l10n.t;
  const edited = files.filter(({ hunks }) => hunks.some(({ status }) => status === "applied"));
  const [first] = edited;
  if (first === undefined) return;
  const sentence =
    edited.length === 1
      ? t("{0} was edited.", first.to ?? first.path)
      : t("{0} files were edited.", edited.length);
  const review = t("Review");
  const undo = t("Undo");
  const chosen = await showInformation(sentence, review, undo);
  if (chosen !== undefined) await act(call, chosen === undo ? "undo" : "review");
}
