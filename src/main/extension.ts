// Composition root of what is needed from the start: key, settings, status bar, placeholders of the views, and all
// commands. Activation does not touch files or the network; container.ts does the work and is loaded at first use.
import * as vscode from "vscode";
import { createCodeActions } from "../editor/actions/code-actions.ts";
import type { EditBoxes } from "../editor/actions/edit-box.ts";
import { createChatPage, createChatPlaces } from "../editor/chat/chat-page.ts";
import { createConnectionCommands } from "../editor/connection/connection-commands.ts";
import { createConnection } from "../editor/connection/connection-state.ts";
import { createAnonymousId, createKeys } from "../editor/connection/credentials.ts";
import { createTraceNotice } from "../editor/data/trace-notice.ts";
import { registerLanguageModel } from "../editor/language-model/offered-models.ts";
import { registerMessages } from "../editor/localize.ts";
import { createLogChannel } from "../editor/log.ts";
import { commands, contextKeys, focusOf, views } from "../editor/manifest.ts";
import { reportError } from "../editor/notify.ts";
import { createStartSettings } from "../editor/settings/start-settings.ts";
import { createSelectionCount } from "../editor/status/selection-count.ts";
import { createStatusBar } from "../editor/status/status-bar.ts";
import type { Container } from "./container.ts";
import { registerCommands, registerCountTokensTool, registerPlaceholders } from "./register.ts";

/** Awaited by `deactivate`. VS Code allows a few seconds to save what is open. */
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
  const setChatPlace = () =>
    vscode.commands.executeCommand("setContext", contextKeys.chatInActivityBar, !hasSecondarySideBar);
  void setChatPlace();
  const chatView = hasSecondarySideBar ? views.chat : views.chatBefore1106;

  const log = own(createLogChannel());
  const report = (error: unknown) => reportError(error, log);
  const settings = own(createStartSettings(log));
  const keys = createKeys(context.secrets, developmentKey(context));
  const connection = own(createConnection(settings, keys, context.globalState, log));
  own(createTraceNotice(log, settings));
  const anonymousId = createAnonymousId(context.globalState);
  let opening: Promise<Container> | undefined;
  let rooms: Container | undefined;
  let boxes: EditBoxes | undefined;
  const selection = own(createSelectionCount());
  const statusBar = own(
    createStatusBar({
      showChat: focusOf(chatView),
      selection,
      problem: () => connection.problem ?? connection.refusal,
      isOut: () => connection.isOut,
      parts: settings.statusParts,
      defaultModel: settings.defaultModel,
      rooms: () => rooms?.status,
    }),
  );
  const codeActions = own(createCodeActions());

  const open = (): Promise<Container> => {
    opening ??= start().catch((error: unknown) => {
      // Let the next command try again: a folder that could not be read may be available by then.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const held = [views.conversations, views.review, views.usage, views.files];
  const placeholders = own(
    registerPlaceholders(held, async (view) => {
      await open();
      // Users who open Patchbay from the activity bar without having seen the chat in this window are looking for it.
      if (view === views.conversations && !chatPlaces.wasShown()) showChatBeside();
    }),
  );
  const showChatBeside = () =>
    void vscode.commands.executeCommand(focusOf(chatView), { preserveFocus: true });

  /** Loaded in a few milliseconds, where the container takes some hundred. */
  const openBoxes = async (): Promise<EditBoxes> => {
    const { createEditBoxes } = await import("../editor/actions/edit-box.ts");
    boxes ??= own(createEditBoxes());
    return boxes;
  };

  async function editHere(argument: unknown): Promise<void> {
    const first = rooms === undefined ? await openBoxes() : undefined;
    const box = await first?.openFirst(codeActions.placeOf(argument));
    const { commands: all } = await open().catch((error: unknown) => {
      box?.thread.dispose();
      throw error;
    });
    await all[commands.editHere](box ?? argument);
  }

  async function start(): Promise<Container> {
    const { openContainer } = await import("./container.ts");
    const arriving = openContainer({
      registerMessages,
      storage: context.globalStorageUri,
      log,
      settings,
      connection,
      anonymousId,
      isChatVisible: () => chatPlaces.isVisible(),
      badge: (count) => chatPlaces.badge(count),
      codeActions,
      boxes: await openBoxes(),
      selection,
      chatView,
      extension: context.extension,
      memory: context.globalState,
      placeMemory: context.workspaceState,
      async removePlaceholders() {
        placeholders.dispose();
        // VS Code 1.104 removes them a moment later, by their names: it would remove what has come in their place.
        await setChatPlace();
      },
      forgetKeys: async () => {
        const address = connection.address();
        await keys.removeAll("origin" in address ? address.origin : undefined);
        await connection.forgetPlainHttp();
      },
      statusChanged: statusBar.refresh,
    });
    // VS Code may close while the container is still opening.
    closers.push(async () => (await arriving.catch(() => undefined))?.close());
    rooms = await arriving;
    statusBar.refresh();
    return rooms;
  }

  own(
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        open()
          .then((there) => there.openLink(uri))
          .catch(report),
    }),
  );
  const chatPage = createChatPage({
    extensionUri: context.extensionUri,
    log,
    preferences: settings.preferences,
    connect: async (port, tab) => (await open()).openPage(port, tab),
  });
  const chatPlaces = own(createChatPlaces(chatPage, context.extensionUri, chatView));
  own(
    connection.onDidChange(() => {
      rooms?.viewStateChanged();
      statusBar.refresh();
    }),
  );
  own(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("patchbay")) rooms?.viewStateChanged();
    }),
  );
  own(registerCountTokensTool(async (input) => (await open()).countTokens(input)));
  own(
    registerLanguageModel({
      ...settings.languageModel,
      isTrusted: () => vscode.workspace.isTrusted,
      async problem() {
        const current = await connection.current();
        return "kind" in current ? current : undefined;
      },
      onDidChange: connection.onDidChange,
      report,
      open: async () => (await open()).languageModel,
    }),
  );
  const here = {
    ...createConnectionCommands({
      ...{ connection, keys, log },
      check: async (signal) => (await open()).checkKey(signal),
      connected: async () => (await open()).focusComposer(),
      models: () => settings.languageModel.models().length,
      checks: async () => (await open()).connectionChecks,
      showDataDisclosure: async () => (await open()).showDataDisclosure(),
      isOffered: settings.languageModel.isEnabled,
      showChatSteps: async () => (await open()).showChatSteps(settings.languageModel.models()),
    }),
    ...chatPlaces.commands,
    [commands.editHere]: editHere,
    [commands.showLog]: log.show,
    [commands.resetUserId]: anonymousId.reset,
  };
  own(registerCommands(here, async () => (await open()).commands, report));
  // Show the chat once after installation. Host tests open what they need.
  if (context.globalState.get(chatShown) !== true && context.extensionMode !== vscode.ExtensionMode.Test) {
    void context.globalState.update(chatShown, true);
    showChatBeside();
  }
}

/** Key in the global state: set once the chat was shown after installation. */
const chatShown = "chatShown";

/** Only a development host takes the key from its environment, so that `npm start` is ready to use. */
function developmentKey(context: vscode.ExtensionContext): string | undefined {
  const development = context.extensionMode === vscode.ExtensionMode.Development;
  return development ? process.env["PATCHBAY_DEV_KEY"] : undefined;
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [haveMajor = 0, haveMinor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}
