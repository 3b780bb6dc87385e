// Deletes old conversations: those older than the user keeps them, or the oldest if all take too much space. Asks once
// per window, and deletes only after consent.
import * as vscode from "vscode";
import type { ConversationSummary } from "../../store/conversation-summary.ts";
import type { Library } from "../../store/library.ts";
import { showInformation } from "../notify.ts";

interface Bounds {
  /** 0: forever. */
  readonly keepDays: number;
  readonly maxBytes: number;
}

/** See Faults, paragraph 5. */
const historyLimit = 200 * 1024 * 1024;

interface Prunable {
  readonly summary: ConversationSummary;
  readonly bytes: number;
  readonly why: "old" | "large";
}

const day = 24 * 60 * 60 * 1000;

/**
 * Selects conversations to delete so that the history stays within its limits: first those untouched for longer than
 * the user's retention time, then the oldest until the rest fits. Only selects; a person is asked before anything is
 * deleted, and open conversations are kept regardless of their age. Oldest first. `sizes`: bytes by id, including
 * everything that would be deleted with it.
 */
export function whatToPrune(
  conversations: readonly ConversationSummary[],
  sizes: ReadonlyMap<string, number>,
  { keepDays, maxBytes }: Bounds,
  { now, open }: { readonly now: number; readonly open: ReadonlySet<string> },
): readonly Prunable[] {
  const before = keepDays > 0 ? now - keepDays * day : Number.NEGATIVE_INFINITY;
  const oldestFirst = conversations
    .map((summary) => ({ summary, bytes: sizes.get(summary.id) ?? 0 }))
    .toSorted((a, b) => a.summary.updatedAt - b.summary.updatedAt);
  let left = oldestFirst.reduce((sum, { bytes }) => sum + bytes, 0);
  return oldestFirst.flatMap(({ summary, bytes }): Prunable[] => {
    const old = summary.updatedAt < before;
    if (open.has(summary.id) || (!old && left <= maxBytes)) return [];
    left -= bytes;
    return [{ summary, bytes, why: old ? "old" : "large" }];
  });
}

interface PruneDeps {
  readonly library: Pick<Library, "list" | "sizes" | "remove">;
  /** 0: forever. */
  keepDays(): number;
  isOpen(conversation: string): boolean;
  /** Kept between windows. */
  readonly memory: Pick<vscode.Memento, "get" | "update">;
  agree?(found: readonly Prunable[], days: number, bytes: number): Promise<boolean>;
}

/** Key: the total size at which the user chose to keep everything. */
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
  // After the user chose to keep everything, ask again only when as much has been added.
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
  // The question may have been open for hours: keep what was opened or used since.
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
