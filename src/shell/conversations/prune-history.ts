// Conversations that are older than the user keeps them: named once per window, and deleted only after a yes.
import * as vscode from "vscode";
import type { Library } from "../../core/store/library.ts";
import { type Prunable, whatToPrune } from "../../core/store/prune-plan.ts";

export interface PruneNeeds {
  readonly library: Pick<Library, "list" | "remove">;
  /** 0: forever. */
  keepDays(): number;
  current(): string;
  agree?(found: readonly Prunable[], days: number): Promise<boolean>;
}

export async function pruneHistory({
  library,
  keepDays,
  current,
  agree = agreeNatively,
}: PruneNeeds): Promise<void> {
  const days = keepDays();
  if (days <= 0) return;
  const bounds = { keepDays: days, mostBytes: Number.POSITIVE_INFINITY };
  const open = new Set([current()]);
  const found = whatToPrune(await library.list(), new Map(), bounds, { now: Date.now(), open });
  if (found.length === 0 || !(await agree(found, days))) return;
  for (const { summary } of found) await library.remove(summary.id);
}

async function agreeNatively(found: readonly Prunable[], days: number): Promise<boolean> {
  const t = vscode.l10n.t;
  const yes = t("Delete Them");
  const sentence =
    found.length === 1
      ? t("One conversation was last used more than {0} days ago.", days)
      : t("{0} conversations were last used more than {1} days ago.", found.length, days);
  return (await vscode.window.showInformationMessage(sentence, yes, t("Keep"))) === yes;
}
