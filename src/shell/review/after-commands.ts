// What a person does with edits that were carried out: take back a turn, go back to before one, keep one as a file.
import * as vscode from "vscode";
import type { AppliedPatches } from "../../core/session/applied-patches.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { Desk } from "./desk.ts";
import type { ReviewNode } from "./review-items.ts";

export interface AfterCommandNeeds {
  readonly desk: Desk;
  applied(): AppliedPatches | undefined;
  nodeOf(argument: unknown): ReviewNode | undefined;
}

interface EditedTurn {
  readonly number: number;
  readonly prompt: string;
  readonly calls: readonly string[];
}

export function createAfterCommands({ desk, applied, nodeOf }: AfterCommandNeeds) {
  const t = vscode.l10n.t;

  function editedTurns(): EditedTurn[] {
    const turns = new Map<string, EditedTurn>();
    for (const { call, turn, turnNumber, prompt } of desk.patches) {
      if (applied()?.has(call) !== true) continue;
      const calls = [...(turns.get(turn)?.calls ?? []), call];
      turns.set(turn, { number: turnNumber, prompt, calls });
    }
    return [...turns.values()];
  }

  /** The turn of a node, else the one that is picked; the newest is offered first. */
  async function which(argument: unknown, title: string): Promise<EditedTurn | undefined> {
    const turns = editedTurns();
    const node = nodeOf(argument);
    const call = node?.kind === "turn" ? node.patches[0]?.turnNumber : node?.patch.turnNumber;
    const chosen = turns.find(({ number }) => number === call);
    if (chosen !== undefined) return chosen;
    if (turns.length === 0) {
      void showInformation(t("No turn of this conversation has edits that could be taken back."));
      return undefined;
    }
    const items = turns
      .toReversed()
      .map((turn) => ({ label: t("Turn {0}", turn.number), description: turn.prompt, turn }));
    return (await vscode.window.showQuickPick(items, { title }))?.turn;
  }

  async function undoTurn(argument: unknown): Promise<void> {
    const turn = await which(argument, t("Undo Edits of Turn"));
    if (turn === undefined || (await applied()?.takeBack(turn.calls)) !== true) return;
    void showInformation(t("The edits of turn {0} were taken back.", turn.number));
  }

  async function restore(argument: unknown): Promise<void> {
    const turn = await which(argument, t("Restore Files to Before Turn"));
    if (turn === undefined) return;
    const since = editedTurns().filter(({ number }) => number >= turn.number);
    if ((await applied()?.takeBack(since.flatMap(({ calls }) => calls))) !== true) return;
    void showInformation(t("What was edited since turn {0} is as it was before.", turn.number));
  }

  async function exportPatch(argument: unknown): Promise<void> {
    const turn = await which(argument, t("Export Turn as .patch"));
    const text = turn && (await applied()?.print(turn.calls));
    if (turn === undefined || text === undefined) return;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = `turn-${turn.number}.patch`;
    const to = await vscode.window.showSaveDialog({
      ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
      filters: { Patch: ["patch"] },
    });
    if (to !== undefined) await vscode.workspace.fs.writeFile(to, Buffer.from(text));
  }

  return {
    [commands.undoTurn]: undoTurn,
    [commands.restore]: restore,
    [commands.exportPatch]: exportPatch,
  };
}
