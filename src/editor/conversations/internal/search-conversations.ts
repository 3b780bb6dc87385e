// "Search Conversations…": a quick pick over the text of all conversations.
import * as vscode from "vscode";
import type { Hit } from "../../../store/conversation-summary.ts";
import type { Library } from "../../../store/library.ts";
import { withoutIcons } from "../../../util/text.ts";

const maxHits = 200;
const typingPause = 150;

interface HitItem extends vscode.QuickPickItem {
  readonly hit: Hit;
}

/**
 * Searches the text of all conversations: hits appear in the quick pick as they are found, and each keystroke starts
 * over. Resolves with the chosen hit.
 */
export function searchConversations(library: Library): Promise<Hit | undefined> {
  const pick = vscode.window.createQuickPick<HitItem>();
  // Highlights the match in the row.
  pick.matchOnDetail = true;
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

/** The excerpt shows what was found; the quick pick's own filter is bypassed. */
const item = (hit: Hit): HitItem => ({
  label: withoutIcons(hit.title),
  detail: withoutIcons(hit.excerpt),
  alwaysShow: true,
  hit,
});
