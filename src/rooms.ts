// The second host file: everything that is needed only once somebody uses Patchbay – the service (core, network,
// schemas) and the rooms of the editor that work with it. extension.ts opens them at the first command, page or view.
import * as vscode from "vscode";
import type { PageAct } from "./bridge/protocol.ts";
import type { Port } from "./bridge/session.ts";
import type { Attachment } from "./core/conversation/attachment.ts";
import type { ConversationEvent } from "./core/conversation/events.ts";
import type { ProblemAction } from "./core/conversation/problem.ts";
import type { Disposable } from "./core/util/disposables.ts";
import { Emitter } from "./core/util/emitter.ts";
import { createService, type Service } from "./service.ts";
import { createActions } from "./shell/actions/actions.ts";
import type { CodeActions } from "./shell/actions/code-actions.ts";
import { createAttach } from "./shell/attach/attach.ts";
import { createAttachCommands } from "./shell/attach/attach-commands.ts";
import { createReadTerminal } from "./shell/attach/terminal-text.ts";
import { createChatCommands } from "./shell/chat/chat-commands.ts";
import { createLinkHandler } from "./shell/chat/open-link.ts";
import { createPageFocus } from "./shell/chat/page-focus.ts";
import { createPageWishes } from "./shell/chat/page-wishes.ts";
import { placeNotices } from "./shell/chat/place-notices.ts";
import { createThemeColours } from "./shell/chat/theme-colours.ts";
import type { AnonymousId } from "./shell/connection/anonymous-id.ts";
import { createCheckCommands } from "./shell/connection/check-commands.ts";
import type { ConnectionState } from "./shell/connection/connection.ts";
import { createConversationCommands } from "./shell/conversations/conversation-commands.ts";
import { createConversationsView } from "./shell/conversations/conversations-view.ts";
import { pruneHistory } from "./shell/conversations/prune-history.ts";
import { createDataCommands } from "./shell/data-commands.ts";
import { createDiagnosticsCommands } from "./shell/diagnostics.ts";
import { createFiles } from "./shell/files/files.ts";
import { createInspect } from "./shell/inspect/inspect.ts";
import type { LogChannel } from "./shell/log.ts";
import { commands, contextKeys, focusOf } from "./shell/manifest.ts";
import { createReadOnlyDocuments } from "./shell/read-only-documents.ts";
import { reportError } from "./shell/report-error.ts";
import { createReview } from "./shell/review/review.ts";
import type { Settings } from "./shell/settings.ts";
import { withSample } from "./shell/start/sample-review.ts";
import { createStartCommands } from "./shell/start/start-commands.ts";
import { createAttention } from "./shell/status/attention.ts";
import type { SelectionCount } from "./shell/status/selection-count.ts";
import { createTokens } from "./shell/tokens/tokens.ts";
import { createChooseTools } from "./shell/tools/choose-tools.ts";
import { hostTools } from "./shell/tools/host-tools.ts";
import { createUsage } from "./shell/usage/usage.ts";
import { placeOfWorkspace } from "./shell/workspace/places.ts";
import { createWorkspace } from "./shell/workspace/workspace.ts";

export interface RoomsNeeds {
  /** Our own folder. */
  readonly storage: vscode.Uri;
  readonly log: LogChannel;
  readonly settings: Settings;
  readonly connection: ConnectionState;
  readonly anonymousId: AnonymousId;
  readonly codeActions: CodeActions;
  readonly selection: SelectionCount;
  /** The chat view that this VS Code has. */
  readonly chatView: string;
  /** What stands in for the views until they are here; disposed just before. */
  readonly placeholders: vscode.Disposable;
  readonly extension: vscode.Extension<unknown>;
  forgetKeys(): Promise<void>;
  /** Whether a conversation can be seen somewhere. */
  isChatVisible(): boolean;
  /** How many decisions wait for a person. */
  badge(count: number): void;
  /** What the status bar shows is different. */
  statusChanged(): void;
}

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** What the status bar shows of the rooms. */
export interface RoomsStatus extends Pick<Service, "assistant" | "counts" | "price" | "pricing"> {
  /** Changes that wait. */
  readonly toReview: number;
}

export async function openRooms(needs: RoomsNeeds) {
  const { log, settings, connection, chatView } = needs;
  const place = placeOfWorkspace();
  const workspace = createWorkspace(needs.storage);
  const focus = createPageFocus();
  const acts = new Emitter<PageAct>();
  const readTerminal = createReadTerminal();
  const attach = createAttach({ list: () => library.list(), readTerminal });
  const theme = createThemeColours(log);
  const service = await createService({
    folder: needs.storage.fsPath,
    place,
    log,
    connection: connection.current,
    keyWatcher: connection.heard,
    problem: () => connection.problem,
    codeColours: () => theme.current,
    notices: placeNotices,
    settings,
    anonymousId: needs.anonymousId.get,
    act: actOnProblem,
    workspace,
    hostTools,
    editor: createPageWishes({
      workspace,
      attach,
      focus,
      log,
      turns: () => assistant.conversation.turns,
      propose: (turn, patch) => assistant.propose(turn, patch),
      review: (call) => review.actOnCall(call, "review"),
    }),
    acts,
    language: vscode.env.language,
    actOnCall: (call, action) =>
      void review.actOnCall(call, action).catch((error: unknown) => reportError(error, log)),
  });
  const { assistant, client, library } = service;
  const current = () => assistant.conversation.id;
  const showChat = () => vscode.commands.executeCommand(focusOf(chatView));

  needs.placeholders.dispose();
  const review = createReview({
    folders: () => workspace.folders,
    isChatVisible: needs.isChatVisible,
    stop: () => assistant.stop(),
  });
  const conversations = createConversationsView({ list: () => library.list(), current, place });
  const documents = createReadOnlyDocuments();
  const usage = createUsage(service, documents);
  const toReview = () => review.waiting;
  const tokens = createTokens({ service, settings, documents, selection: needs.selection, toReview });
  /** Context keys as VS Code knows them: telling it is a message, and an answer that arrives is many events. */
  const told = new Map<string, boolean>();
  const files = createFiles({ files: service.files, documents, openConversation });

  const sample = withSample(assistant);
  const inspect = createInspect({
    service,
    connection,
    identifiers: settings.service,
    focusedTurn: () => focus.turn,
    showChat,
  });

  async function openConversation(id: string): Promise<void> {
    await assistant.openConversation(id);
    await showChat();
  }

  async function attachAll(attachments: readonly Attachment[]): Promise<void> {
    for (const each of attachments) assistant.attach(each);
    if (attachments.length > 0) await showChat();
  }

  function showStatus(): void {
    const last = assistant.conversation.turns.at(-1);
    const running = last?.status === "running";
    const states = {
      [contextKeys.canStop]: running,
      [contextKeys.hasTurns]: last !== undefined,
      [contextKeys.canRegenerate]: last !== undefined && !running,
      [contextKeys.lastIncomplete]: last?.status === "incomplete" || last?.status === "interrupted",
      [contextKeys.hasDraft]: assistant.draftContents.length > 0,
      [contextKeys.responses]: assistant.route === "responses",
    };
    for (const [key, value] of Object.entries(states)) {
      if (told.get(key) === value) continue;
      told.set(key, value);
      void vscode.commands.executeCommand("setContext", key, value);
    }
    needs.statusChanged();
  }

  const attention = createAttention({
    when: settings.notify,
    isFocused: () => vscode.window.state.focused,
    isChatVisible: needs.isChatVisible,
    turn: () => assistant.conversation.turns.at(-1),
    tell: (sentence) => void tellElsewhere(sentence, showChat),
    badge: needs.badge,
    words: { t: vscode.l10n.t, language: vscode.env.language },
  });

  const links = createLinkHandler({
    folders: () => workspace.folders,
    report: (error) => reportError(error, log),
    async fill({ prompt, files: paths }) {
      await assistant.newConversation(prompt);
      for (const path of paths) assistant.attach({ kind: "file", path });
      await showChat();
    },
  });

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      for (const each of open.splice(0).reverse()) each.dispose();
      await service.close();
    })();
    return closing;
  };

  const open: Disposable[] = [
    // Text that arrives changes no state; the status bar counts it by the second.
    assistant.onEvent((event) => {
      if (growing.has(event.type)) return;
      attention.take(event);
      showStatus();
    }),
    assistant.onReset(attention.reset),
    assistant.onReset(showStatus),
    assistant.onReset(conversations.refresh),
    assistant.onChange(showStatus),
    library.onDidChange(conversations.refresh),
    theme,
    theme.onDidChange(() => service.surroundingsChanged()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => service.surroundingsChanged()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => service.surroundingsChanged()),
    review.onDidChange(showStatus),
    review.follow(sample, service.applied),
    review,
    conversations,
    files,
    inspect,
    documents,
    tokens,
    usage,
  ];
  showStatus();
  pruneHistory({ library, keepDays: settings.historyDays, current }).catch((error: unknown) =>
    log.error("Old conversations could not be removed.", error),
  );

  return {
    commands: {
      ...createCheckCommands({ client, address: () => originOf(connection), documents }),
      ...createChatCommands({
        assistant,
        async inPage(act) {
          await showChat();
          acts.fire(act);
        },
        here: (act) => acts.fire(act),
        focusedTurn: () => focus.turn,
      }),
      ...createConversationCommands({
        view: conversations,
        library,
        current,
        open: openConversation,
        leave: () => assistant.newConversation(),
        read: service.read,
      }),
      ...files.commands,
      ...inspect.commands,
      ...createDataCommands({ ...needs, documents, close }),
      ...createDiagnosticsCommands({
        connection,
        extension: needs.extension,
        more: () => [`Model: ${assistant.model}, turns: ${assistant.conversation.turns.length}`],
      }),
      ...createStartCommands({
        sample,
        problem: () => connection.problem,
        folders: () => workspace.folders,
        addDocument: (title, text) => inspect.addDocument(title, text),
      }),
      ...createAttachCommands({ attach, add: attachAll }),
      ...review.commands,
      [commands.chooseTools]: createChooseTools(assistant),
      ...createActions({
        assistant,
        readTerminal,
        async showChat() {
          await vscode.commands.executeCommand(focusOf(chatView), { preserveFocus: true });
        },
        settings: settings.actions,
        act: actOnProblem,
        placeOf: needs.codeActions.placeOf,
      }),
      ...tokens.commands,
      ...usage.commands,
      [commands.stop]: assistant.stop,
    },
    openPage: (port: Port) => service.openPage(port),
    languageModel: { foreignChat: service.foreignChat, counts: service.counts },
    surroundingsChanged: service.surroundingsChanged,
    get status(): RoomsStatus {
      const { counts, price, pricing } = service;
      return { assistant, counts, price, pricing, toReview: review.waiting };
    },
    openLink: (uri: vscode.Uri) => links.handleUri(uri),
    close,
  };
}

async function tellElsewhere(sentence: string, showChat: () => Thenable<unknown>): Promise<void> {
  const show = vscode.l10n.t("Show Chat");
  if ((await vscode.window.showInformationMessage(sentence, show)) === show) await showChat();
}

const growing: ReadonlySet<ConversationEvent["type"]> = new Set(["text", "reasoning", "refusal"]);

function originOf(connection: ConnectionState): string {
  const address = connection.address();
  return "url" in address ? address.origin : "";
}

/** What the buttons of a problem do where the assistant does not know it. */
function actOnProblem(action: ProblemAction): void {
  const command = commandsOf[action];
  if (command !== undefined) void vscode.commands.executeCommand(command);
}

const commandsOf: Partial<Record<ProblemAction, string>> = {
  "set-base-url": commands.setBaseUrl,
  "set-key": commands.setKey,
  "proxy-help": "workbench.action.openSettings",
  "connection-check": commands.checkConnection,
  "open-log": commands.showLog,
};
