// Composition root of what has to be there from the start: key, settings, status bar, the frames of the views, and every
// command by its name. Activation touches no file and no network; what does the work (container.ts) is loaded at first use.
import * as vscode from "vscode";
import type { Container } from "./container.ts";
import { createCodeActions } from "./shell/actions/code-actions.ts";
import { createChatPage } from "./shell/chat/chat-page.ts";
import { createChatPlaces } from "./shell/chat/chat-places.ts";
import { registerCommands } from "./shell/commands.ts";
import { createAnonymousId } from "./shell/connection/anonymous-id.ts";
import { createConnection } from "./shell/connection/connection.ts";
import { createConnectionCommands } from "./shell/connection/connection-commands.ts";
import { createKeys } from "./shell/connection/key-store.ts";
import { learnSentences } from "./shell/in-reader-language.ts";
import { registerLanguageModel } from "./shell/language-model/language-model.ts";
import { createLogChannel } from "./shell/log.ts";
import { commands, contextKeys, focusOf, views } from "./shell/manifest.ts";
import { reportError } from "./shell/report-error.ts";
import { createSettings } from "./shell/settings.ts";
import { createSelectionCount } from "./shell/status/selection-count.ts";
import { createStatusBar } from "./shell/status/status-bar.ts";
import { registerCountTokensTool } from "./shell/tools/count-tokens-tool.ts";
import { createTraceNotice } from "./shell/trace-notice.ts";
import { holdViews } from "./shell/view-placeholders.ts";

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
  void vscode.commands.executeCommand("setContext", contextKeys.chatInActivityBar, !hasSecondarySideBar);
  const chatView = hasSecondarySideBar ? views.chat : views.chatBefore1106;

  const log = own(createLogChannel());
  const report = (error: unknown) => reportError(error, log);
  const settings = own(createSettings(log));
  const keys = createKeys(context.secrets, developmentKey(context));
  const connection = own(createConnection(settings, keys, context.globalState, log));
  own(createTraceNotice(log, settings));
  const anonymousId = createAnonymousId(context.globalState);
  let opening: Promise<Container> | undefined;
  let rooms: Container | undefined;
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
      // The next command tries again: a folder that could not be read may be there by then.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const held = [views.conversations, views.review, views.usage, views.files];
  const placeholders = own(
    holdViews(held, async (view) => {
      await open();
      // Who comes by the icon in the activity bar, and has not seen the chat in this window, looks for it.
      if (view === views.conversations && !chatPlaces.wasShown()) showChatBeside();
    }),
  );
  const showChatBeside = () =>
    void vscode.commands.executeCommand(focusOf(chatView), { preserveFocus: true });

  async function start(): Promise<Container> {
    const { openContainer } = await import("./container.ts");
    const arriving = openContainer({
      learnSentences,
      storage: context.globalStorageUri,
      log,
      settings,
      connection,
      anonymousId,
      isChatVisible: () => chatPlaces.isVisible(),
      badge: (count) => chatPlaces.badge(count),
      codeActions,
      selection,
      chatView,
      extension: context.extension,
      memory: context.globalState,
      placeMemory: context.workspaceState,
      placeholders,
      forgetKeys: async () => {
        const address = connection.address();
        await keys.removeAll("origin" in address ? address.origin : undefined);
        await connection.forgetPlainHttp();
      },
      statusChanged: statusBar.refresh,
    });
    // VS Code may close while they open.
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
      showWhatLeaves: async () => (await open()).showWhatLeaves(),
    }),
    ...chatPlaces.commands,
    [commands.showLog]: log.show,
    [commands.resetUserId]: anonymousId.reset,
  };
  own(registerCommands(here, async () => (await open()).commands, report));
  // Once after installing. Tests of the host open what they need.
  if (context.globalState.get(chatShown) !== true && context.extensionMode !== vscode.ExtensionMode.Test) {
    void context.globalState.update(chatShown, true);
    showChatBeside();
  }
}

/** In the memory of this machine: the chat has been shown to whoever installed it. */
const chatShown = "chatShown";

/** Only a development host takes a key from its environment: it is how `npm start` begins ready to use. */
function developmentKey(context: vscode.ExtensionContext): string | undefined {
  const development = context.extensionMode === vscode.ExtensionMode.Development;
  return development ? process.env["PATCHBAY_DEV_KEY"] : undefined;
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [haveMajor = 0, haveMinor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}
