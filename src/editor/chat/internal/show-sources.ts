// Lists the sources of a whole conversation. Nothing is loaded; a page opens in the browser when it is chosen.
import * as vscode from "vscode";
import type { Turn } from "../../../conversation/state.ts";
import { withoutIcons } from "../../../util/text.ts";
import { showInformation } from "../../notify.ts";
import { type ConversationSource, sourcesInConversation } from "./conversation-sources.ts";

interface Row extends vscode.QuickPickItem {
  readonly source: ConversationSource;
}

interface ShowSourcesDeps {
  turns(): readonly Turn[];
  /** Brings a turn into view. */
  goTo(turn: string): Promise<void>;
  report(error: unknown): unknown;
}

export function showSources({ turns, goTo, report }: ShowSourcesDeps): void {
  const t = vscode.l10n.t;
  const sources = sourcesInConversation(turns());
  if (sources.length === 0) {
    void showInformation(t("No response of this conversation has sources yet. They come with a web search."));
    return;
  }
  const jump = { iconPath: new vscode.ThemeIcon("comment-discussion"), tooltip: t("Go to Response") };
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = sources.length === 1 ? t("1 Source") : t("{0} Sources", sources.length);
  pick.placeholder = t("Select a source to open it in the browser");
  pick.matchOnDescription = true;
  pick.items = sources.map((source) => ({
    label: `$(${source.isImage ? "file-media" : "globe"}) ${withoutIcons(source.name)}`,
    description: source.host,
    detail: responsesInWords(source),
    buttons: [jump],
    source,
  }));
  const first = ({ source }: Row) => source.responses[0]?.turn ?? "";
  pick.onDidTriggerItemButton(({ item }) => {
    pick.hide();
    goTo(first(item)).catch(report);
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    if (chosen === undefined) return;
    Promise.resolve(vscode.env.openExternal(vscode.Uri.parse(chosen.source.url, true))).catch(report);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function responsesInWords({ responses }: ConversationSource): string {
  const numbers = [...new Set(responses.map(({ number }) => number))];
  return numbers.length === 1
    ? vscode.l10n.t("Response {0}", numbers[0] ?? 0)
    : vscode.l10n.t("Responses {0}", numbers.join(", "));
}
