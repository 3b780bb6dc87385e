// Conversations that are older than the user keeps them, or the oldest where all take very much: named once per window,
// and deleted only after a yes.
import * as vscode from "vscode";
import type { Library } from "../../core/store/library.ts";
import { historyLimit, type Prunable, whatToPrune } from "../../core/store/prune-plan.ts";
import { showInformation } from "../notify.ts";

export interface PruneDeps {
  readonly library: Pick<Library, "list" | "sizes" | "remove">;
  /** 0: forever. */
  keepDays(): number;
  isOpen(conversation: string): boolean;
  /** Between windows. */
  readonly memory: Pick<vscode.Memento, "get" | "update">;
  agree?(found: readonly Prunable[], days: number, bytes: number): Promise<boolean>;
}

/** How much there was when a person said that all of it is to be kept. */
const slot = "historyKept";

export async function pruneHistory({
  library,
  keepDays,
  isOpen,
  memory,
  agree = agreeNatively,
}: PruneDeps): Promise<void> {
  const days = keepDays();
  const sizes = await library.sizes();
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  // Who wants to keep it is asked again when as much has come to it.
  const isMuch = bytes > historyLimit + memory.get(slot, 0);
  const bounds = { keepDays: days, maxBytes: isMuch ? historyLimit : Number.POSITIVE_INFINITY };
  const look = async () => {
    const summaries = await library.list();
    const open = new Set(summaries.map(({ id }) => id).filter(isOpen));
    return whatToPrune(summaries, sizes, bounds, { now: Date.now(), open });
  };
  const found = await look();
  if (found.length === 0) return;
  const yes = await agree(found, days, bytes);
  if (isMuch) await memory.update(slot, yes ? undefined : bytes);
  if (!yes) return;
  // The question may have stood for hours: what was opened or used since then stays.
  const still = new Set((await look()).map(({ summary }) => summary.id));
  for (const { summary } of found) if (still.has(summary.id)) await library.remove(summary.id);
}

async function agreeNatively(found: readonly Prunable[], days: number, bytes: number): Promise<boolean> {
  const t = vscode.l10n.t;
  const yes = t("Delete Them");
  return (await showInformation(sentenceOf(found, days, bytes), yes, t("Keep"))) === yes;
}

function sentenceOf(found: readonly Prunable[], days: number, bytes: number): string {
  const t = vscode.l10n.t;
  if (found.some(({ why }) => why === "large"))
    return t(
      "Conversations use {0} MB. Deleting the oldest ({1}) leaves at most {2} MB.",
      inMegabytes(bytes),
      found.length,
      inMegabytes(historyLimit),
    );
  if (found.length === 1) return t("One conversation was last used more than {0} days ago.", days);
  return t("{0} conversations were last used more than {1} days ago.", found.length, days);
}

const inMegabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
