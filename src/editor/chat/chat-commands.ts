// Commands about the open conversation: what concerns the page is done by the page, what concerns the response by the
// session.
import * as vscode from "vscode";
import type { PageAct } from "../../bridge/protocol.ts";
import { HumanError } from "../../conversation/messages.ts";
import { maxOutputLimit } from "../../conversation/models.ts";
import type { ChatSurfaces } from "../../host/chat-view-and-tabs.ts";
import { toMarkdown } from "../conversations/export-markdown.ts";
import { commands } from "../manifest.ts";
import { showSources } from "./internal/show-sources.ts";

interface ChatCommandDeps {
  /** Of the surface in use. */
  readonly surfaces: Pick<ChatSurfaces, "session" | "newConversation" | "branch">;
  report(error: unknown): void;
  /** Shows the chat and lets its page do this. */
  inPage(act: PageAct): Promise<void>;
  /** Shows the chat and scrolls its page to this turn. */
  goTo(turn: string): Promise<void>;
  /** Lets the page in use do this, without moving the focus. */
  here(act: PageAct): void;
  /** The turn that has, or last had, the focus. */
  focusedTurn(): string | undefined;
}

export function createChatCommands({ surfaces, report, inPage, goTo, here, focusedTurn }: ChatCommandDeps) {
  const t = vscode.l10n.t;
  const act = (what: PageAct) => () => inPage(what);

  async function pickModel(): Promise<void> {
    const items = surfaces.session.choices.models.map(({ id, label, route, added }) => ({
      label,
      description: id,
      detail: [
        route === "responses" ? t("Reasons, searches, edits") : t("Reads and edits"),
        ...(added === true ? [t("Custom model")] : []),
      ].join(" · "),
    }));
    const compare = { label: `$(beaker) ${t("Compare Models on This Repository…")}` };
    const separator = { label: "", kind: vscode.QuickPickItemKind.Separator };
    const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem>([...items, separator, compare], {
      title: t("Choose Model"),
    });
    if (chosen === compare) await vscode.commands.executeCommand(commands.compareModels);
    else if (chosen?.description !== undefined) surfaces.session.choices.chooseModel(chosen.description);
  }

  async function pickCacheTier(): Promise<void> {
    const items = [
      { label: t("Service default"), detail: t("About 5 minutes."), tier: "default" as const },
      {
        label: t("5 minutes"),
        detail: t("Restarts after each question."),
        tier: "5m" as const,
      },
      {
        label: t("1 hour"),
        detail: t("Restarts after each question; cache writes cost more."),
        tier: "1h" as const,
      },
    ];
    const chosen = await vscode.window.showQuickPick(items, { title: t("Choose Cache Lifetime") });
    if (chosen !== undefined) surfaces.session.choices.chooseCacheTier(chosen.tier);
  }

  async function setOutputLimit(): Promise<void> {
    const entered = await vscode.window.showInputBox({
      title: t("Set Output Limit"),
      prompt: t("Maximum number of output tokens. Empty: no limit."),
      value:
        surfaces.session.choices.outputLimit === undefined
          ? ""
          : String(surfaces.session.choices.outputLimit),
      validateInput: (text) => {
        const isFit = text.trim() === "" || (/^\d+$/.test(text.trim()) && within(Number(text)));
        return isFit ? undefined : t("A whole number from 1 to {0}, or empty.", maxOutputLimit);
      },
    });
    if (entered !== undefined)
      surfaces.session.choices.chooseOutputLimit(entered.trim() === "" ? undefined : Number(entered.trim()));
  }

  /** The turn a command refers to: the focused one, otherwise the last. */
  function turn(): string {
    const { turns } = surfaces.session.state;
    const found = turns.find(({ id }) => id === focusedTurn()) ?? turns.at(-1);
    if (found === undefined) throw new HumanError(t("This conversation is empty."));
    return found.id;
  }

  return {
    [commands.pickModel]: pickModel,
    [commands.pickCacheTier]: pickCacheTier,
    [commands.setOutputLimit]: setOutputLimit,
    [commands.find]: act("find"),
    [commands.showSources]: () => showSources({ turns: () => surfaces.session.state.turns, goTo, report }),
    [commands.nextTurn]: act("next-turn"),
    [commands.previousTurn]: act("previous-turn"),
    [commands.focusLast]: act("focus-last"),
    [commands.editLast]: act("edit-last"),
    [commands.copyLast]: act("copy-last"),
    [commands.copyCode]: () => here("copy-code"),
    [commands.insertCode]: () => here("insert-code"),
    [commands.newFileFromCode]: () => here("new-file-from-code"),
    [commands.proposeCode]: () => here("propose-code"),
    [commands.pasteCode]: () => here("paste-code"),
    [commands.copyLink]: () => here("copy-link"),
    [commands.openLink]: () => here("open-link"),
    [commands.quoteSelection]: () => here("quote-selection"),
    [commands.newConversation]: () => surfaces.newConversation(),
    [commands.continueInChat]: () => surfaces.session.continueInChat(),
    [commands.toggleWebSearch]: () => {
      surfaces.session.choices.chooseWebSearch(!surfaces.session.choices.webSearch);
    },
    [commands.regenerate]: () => void surfaces.session.retry("regenerate").catch(report),
    [commands.goOn]: () => void surfaces.session.retry("continue").catch(report),
    [commands.branch]: () => surfaces.branch(turn()),
    [commands.copyAll]: async () => {
      const conversation = surfaces.session.state;
      if (conversation.turns.length === 0) throw new HumanError(t("This conversation is empty."));
      await vscode.env.clipboard.writeText(toMarkdown(conversation, { title: "", reasoning: false }));
    },
  };
}

const within = (tokens: number): boolean => tokens >= 1 && tokens <= maxOutputLimit;
