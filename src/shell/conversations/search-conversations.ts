// Full-text search over all conversations: hits appear in the pick list as they are found, and a new letter starts over.
import * as vscode from "vscode";
import type { Library } from "../../core/store/library.ts";
import type { Hit } from "../../core/store/search-conversation.ts";

const maxHits = 200;
const typingPause = 150;

interface HitItem extends vscode.QuickPickItem {
  readonly hit: Hit;
}

/** Answers where the chosen hit is. */
export function searchConversations(library: Library): Promise<Hit | undefined> {
  const pick = vscode.window.createQuickPick<HitItem>();
  pick.title = vscode.l10n.t("Search Conversations");
  pick.placeholder = vscode.l10n.t("Text of a question or a response");
  let running = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  async function look(text: string): Promise<void> {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const found: HitItem[] = [];
    pick.busy = true;
    for await (const hit of library.search(text, signal)) {
      found.push(item(hit));
      pick.items = found;
      if (found.length === maxHits) break;
    }
    if (signal.aborted) return;
    pick.items = found;
    pick.busy = false;
  }

  return new Promise((resolve, reject) => {
    pick.onDidChangeValue((text) => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(text).catch(reject), typingPause);
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.hit);
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      running.abort();
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

/** The list filters by what it shows, so every hit says what it was found by. */
const item = (hit: Hit): HitItem => ({
  label: hit.title,
  detail: hit.excerpt,
  alwaysShow: true,
  hit,
});
