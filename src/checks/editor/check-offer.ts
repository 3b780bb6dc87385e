// Offers once per folder to verify edits with its tests, while changes are pending and no check is set up. Deciding
// about the changes or taking the offer ends it for that folder.
import type * as vscode from "vscode";
import type { Disposable } from "../../util/disposables.ts";
import type { SuggestedCheck } from "../internal/suggest-checks.ts";
import type { Checks } from "./checks.ts";
import type { Root } from "./internal/folder-files.ts";

export interface OfferDeps {
  readonly checks: Pick<Checks, "host" | "roots" | "suggest" | "bodyOf">;
  /** State of this workspace. */
  readonly memory: Pick<vscode.Memento, "get" | "update">;
  changed(): void;
  report(error: unknown): void;
}

export interface Offer {
  readonly root: Root;
  readonly check: SuggestedCheck;
  /** The script that its command runs, as it was shown. */
  readonly body: string | undefined;
}

export interface CheckOffer extends Disposable {
  /** The offer for the pending changes. */
  readonly current: Offer | undefined;
  /** Called with the number of pending changes. */
  follow(waiting: number): void;
  /** Ends the offer and returns it, so that the caller can carry it out. */
  take(): Offer | undefined;
}

/** Key in the workspace state: the folders for which the offer was made. */
const slot = "checksOffered";

export function createCheckOffer({ checks, memory, changed, report }: OfferDeps): CheckOffer {
  let current: Offer | undefined;
  let isLooking = false;
  const offered = () => memory.get<readonly string[]>(slot) ?? [];

  async function look(): Promise<void> {
    if (checks.host.obstacle !== undefined || checks.host.hasAny) return;
    for (const root of checks.roots()) {
      if (offered().includes(root.path)) continue;
      const check = (await checks.suggest(root)).find(({ kind }) => kind === "tests");
      if (check === undefined) continue;
      const body = await checks.bodyOf(root, check.command);
      if (!isLooking) return;
      current = { root, check, body };
      changed();
      return;
    }
  }

  function end(): Offer | undefined {
    const was = current;
    isLooking = false;
    current = undefined;
    if (was === undefined) return undefined;
    memory.update(slot, [...new Set([...offered(), was.root.path])]).then(undefined, report);
    changed();
    return was;
  }

  // Checks have been set up in another way, so no offer is needed.
  const listening = checks.host.onDidChange(() => {
    if (current !== undefined && checks.host.hasAny) end();
  });
  return {
    get current() {
      return current;
    },
    follow(waiting) {
      if (waiting === 0) end();
      else if (!isLooking) {
        isLooking = true;
        look().catch(report);
      }
    },
    take: end,
    dispose: () => listening.dispose(),
  };
}
