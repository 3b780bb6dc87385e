// What a person does with changes that were accepted: take back a turn, go back to before one, keep one as a file.
import * as vscode from "vscode";
import { pathOf } from "../../core/files/locate.ts";
import { printPatch } from "../../core/patch/print.ts";
import type { Session } from "../../core/session/session.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import { saveAs } from "../save-as.ts";
import { isApplied, patchesOf } from "./patches.ts";

export interface AfterCommandDeps {
  session(): Session | undefined;
  folders(): readonly string[];
}

interface EditedTurn {
  readonly number: number;
  readonly prompt: string;
  readonly calls: readonly string[];
}

export function createAfterCommands({ session, folders }: AfterCommandDeps) {
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

  /** The one that is picked; the newest is offered first. */
  async function which(title: string): Promise<EditedTurn | undefined> {
    const turns = editedTurns();
    if (turns.length === 0) {
      void showInformation(t("This conversation has no edits to undo."));
      return undefined;
    }
    const items = turns
      .toReversed()
      .map((turn) => ({ label: t("Turn {0}", turn.number), description: turn.prompt, turn }));
    return (await vscode.window.showQuickPick(items, { title }))?.turn;
  }

  const undo = async (calls: readonly string[]): Promise<boolean> =>
    (await session()?.patches.changes.undo(calls)) === true;

  async function undoTurn(): Promise<void> {
    const turn = await which(t("Undo Edits of Last Turn"));
    if (turn === undefined || !(await undo(turn.calls))) return;
    void showInformation(t("The edits of turn {0} were undone.", turn.number));
  }

  async function restore(): Promise<void> {
    const turn = await which(t("Restore Files to Before Turn"));
    if (turn === undefined) return;
    const since = editedTurns().filter(({ number }) => number >= turn.number);
    if (!(await undo(since.flatMap(({ calls }) => calls)))) return;
    void showInformation(t("Files were restored to before turn {0}.", turn.number));
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
