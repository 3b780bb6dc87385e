// Composition root: builds everything, in order, and hands it to VS Code. Activation touches no file and no network;
// the service (core, network, schemas) is loaded when a page opens or a command needs it.
import * as vscode from "vscode";
import type { PageAct } from "./bridge/protocol.ts";
import type { Attachment } from "./core/conversation/attachment.ts";
import { responsesModel } from "./core/conversation/models.ts";
import type { ProblemAction } from "./core/conversation/problem.ts";
import { Emitter } from "./core/util/emitter.ts";
import type { Service } from "./service.ts";
import { createAnonymousId } from "./shell/anonymous-id.ts";
import { createAttach } from "./shell/attach/attach.ts";
import { createAttachCommands } from "./shell/attach/attach-commands.ts";
import { createChatCommands } from "./shell/chat-commands.ts";
import { createChatPage } from "./shell/chat-page.ts";
import { createChatPlaces } from "./shell/chat-places.ts";
import { createCheckCommands } from "./shell/check-commands.ts";
import { createCodeActions } from "./shell/code-actions.ts";
import { registerCommands } from "./shell/commands.ts";
import { createConnection } from "./shell/connection.ts";
import { createConnectionCommands } from "./shell/connection-commands.ts";
import { createConversationCommands } from "./shell/conversation-commands.ts";
import { createConversationsView } from "./shell/conversations-view.ts";
import { createEditCommands } from "./shell/edit-commands.ts";
import { createKeys } from "./shell/key.ts";
import { createLogChannel } from "./shell/log.ts";
import { commands, contextKeys, focusOf, views } from "./shell/manifest.ts";
import { createPageFocus } from "./shell/page-focus.ts";
import { createPageWishes } from "./shell/page-wishes.ts";
import { createReadOnlyDocuments } from "./shell/read-only-documents.ts";
import { reportError } from "./shell/report-error.ts";
import { createReview } from "./shell/review/review.ts";
import { createSettings } from "./shell/settings.ts";
import { createStatusBar } from "./shell/status-bar.ts";
import { placeOfWorkspace } from "./shell/workspace/places.ts";
import { createWorkspace } from "./shell/workspace/workspace.ts";

/** What `deactivate` waits for: VS Code gives a few seconds to save what is open. */
const closers: (() => Promise<void>)[] = [];

export async function deactivate(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}

export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(thing: T): T => {
    context.subscriptions.push(thing);
    return thing;
  };
  const hasSecondarySideBar = isAtLeast(vscode.version, 1, 106);
  void vscode.commands.executeCommand("setContext", contextKeys.secondarySideBar, hasSecondarySideBar);

  const log = own(createLogChannel());
  const settings = createSettings(log);
  const keys = createKeys(context.secrets, developmentKey(context));
  const connection = own(createConnection(settings, keys, log));
  const anonymousId = createAnonymousId(context.globalState);
  const workspace = createWorkspace(context.globalStorageUri);
  const attach = createAttach(async () => (await load()).library.list());
  const focus = createPageFocus();
  const acts = new Emitter<PageAct>();
  const chatViewId = hasSecondarySideBar ? views.chat : views.chatBefore1106;
  const statusBar = own(createStatusBar(focusOf(chatViewId)));

  const review = own(createReview(() => workspace.folders));
  own(review.onDidChange(showStatus));

  let loading: Promise<Service> | undefined;
  let service: Service | undefined;
  const load = (): Promise<Service> => {
    loading ??= start();
    return loading;
  };

  async function start(): Promise<Service> {
    const { createService } = await import("./service.ts");
    service = await createService({
      folder: context.globalStorageUri.fsPath,
      place: placeOfWorkspace(),
      log,
      connection: connection.current,
      problem: () => connection.problem,
      settings,
      anonymousId: anonymousId.get,
      act,
      workspace,
      editor: createPageWishes({ workspace, attach, focus, log }),
      acts,
      actOnCall: (call, action) =>
        void review.actOnCall(call, action).catch((error: unknown) => reportError(error, log)),
    });
    closers.push(service.close);
    own(service.assistant.onEvent(showStatus));
    own(service.assistant.onReset(showStatus));
    own(service.assistant.onChange(showStatus));
    own(service.assistant.onReset(conversations.refresh));
    own(service.library.onDidChange(conversations.refresh));
    own(review.follow(service.assistant, service.applied));
    showStatus();
    return service;
  }

  function showStatus(): void {
    const conversation = service?.assistant.conversation;
    const last = conversation?.turns.at(-1);
    const running = last?.status === "running";
    const states = {
      [contextKeys.canStop]: running,
      [contextKeys.hasTurns]: last !== undefined,
      [contextKeys.canRegenerate]: last !== undefined && !running,
      [contextKeys.lastIncomplete]: last?.status === "incomplete" || last?.status === "interrupted",
      [contextKeys.responses]: service?.assistant.model === responsesModel,
    };
    for (const [key, value] of Object.entries(states))
      void vscode.commands.executeCommand("setContext", key, value);
    statusBar.show({ problem: connection.problem, conversation, waiting: review.waiting });
  }

  function act(action: ProblemAction): void {
    const command = actions[action];
    if (command !== undefined) void vscode.commands.executeCommand(command);
  }

  const checks = createCheckCommands({
    client: async () => (await load()).client,
    address: () => {
      const address = connection.address();
      return "url" in address ? address.origin : "";
    },
    documents: own(createReadOnlyDocuments()),
  });
  const conversations = own(
    createConversationsView({
      list: async () => (await load()).library.list(),
      current: () => service?.assistant.conversation.id,
      place: placeOfWorkspace(),
    }),
  );
  const showChat = () => vscode.commands.executeCommand(focusOf(chatViewId));
  const openConversation = async (id: string) => {
    await (await load()).assistant.openConversation(id);
    await showChat();
  };
  async function attachAll(attachments: readonly Attachment[]): Promise<void> {
    const { assistant } = await load();
    for (const each of attachments) assistant.attach(each);
    if (attachments.length > 0) await showChat();
  }
  const codeActions = own(createCodeActions());
  const editCommands = createEditCommands({
    assistant: async () => (await load()).assistant,
    async showChat() {
      await vscode.commands.executeCommand(focusOf(chatViewId), { preserveFocus: true });
    },
    placeOf: codeActions.placeOf,
  });
  const conversationCommands = createConversationCommands({
    view: conversations,
    library: async () => (await load()).library,
    current: () => service?.assistant.conversation.id,
    open: openConversation,
    leave: async () => (await load()).assistant.newConversation(),
    read: async (id) => (await load()).read(id),
  });

  const chatPage = createChatPage({
    extensionUri: context.extensionUri,
    connect: async (port) => (await load()).openPage(port),
  });
  const chatPlaces = own(createChatPlaces(chatPage, context.extensionUri));

  own(
    connection.onDidChange(() => {
      service?.surroundingsChanged();
      showStatus();
    }),
  );
  own(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("patchbay.chat")) service?.surroundingsChanged();
    }),
  );
  own(
    registerCommands(
      {
        ...createConnectionCommands(connection, keys),
        ...checks,
        ...createChatCommands({
          assistant: async () => (await load()).assistant,
          async inPage(act) {
            await showChat();
            acts.fire(act);
          },
          focusedTurn: () => focus.turn,
        }),
        ...conversationCommands,
        ...chatPlaces.commands,
        ...createAttachCommands({ attach, add: attachAll }),
        [commands.stop]: () => service?.assistant.stop(),
        [commands.showLog]: log.show,
        ...review.commands,
        ...editCommands,
        [commands.resetUserId]: anonymousId.reset,
      },
      log,
    ),
  );
}

const actions: Partial<Record<ProblemAction, string>> = {
  "set-base-url": commands.setBaseUrl,
  "set-key": commands.setKey,
  "proxy-help": "workbench.action.openSettings",
  "connection-check": commands.checkConnection,
  "open-log": commands.showLog,
};

/** Only a development host takes a key from its environment: it is how `npm start` begins ready to use. */
function developmentKey(context: vscode.ExtensionContext): string | undefined {
  const development = context.extensionMode === vscode.ExtensionMode.Development;
  return development ? process.env["PATCHBAY_DEV_KEY"] : undefined;
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [haveMajor = 0, haveMinor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}
