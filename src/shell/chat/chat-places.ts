// Where a conversation can be looked at: the chat view, and tabs in the editor area, which VS Code can move into
// windows of their own and brings back after a restart.
import * as vscode from "vscode";
import type { Tab } from "../../chat-surfaces.ts";
import { commands, panelType } from "../manifest.ts";
import type { ChatPage } from "./chat-page.ts";

const name = "Patchbay";

/** `chatView`: the one that this VS Code shows; it has two, and never both. */
export function createChatPlaces(page: ChatPage, extensionUri: vscode.Uri, chatView: string) {
  const places = new Set<vscode.WebviewView | vscode.WebviewPanel>();
  const views = new Set<vscode.WebviewView>();
  let wasShown = false;
  let waiting = 0;

  async function keep(place: vscode.WebviewView | vscode.WebviewPanel, tab?: Tab): Promise<void> {
    wasShown = true;
    places.add(place);
    place.onDidDispose(() => places.delete(place));
    const { webview, onDidDispose } = place;
    const seen: vscode.Event<unknown> =
      "onDidChangeVisibility" in place ? place.onDidChangeVisibility : place.onDidChangeViewState;
    const onDidHide = (listener: () => void) => seen(() => void (place.visible || listener()));
    await page.fill({ webview, onDidDispose, onDidHide }, tab);
  }

  function showWaiting(): void {
    const tooltip = vscode.l10n.t("{0} decisions needed", waiting);
    for (const view of views) view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  }

  const provider: vscode.WebviewViewProvider = {
    async resolveWebviewView(view) {
      views.add(view);
      view.onDidDispose(() => views.delete(view));
      showWaiting();
      await keep(view);
    },
  };

  const icon = (name: string) => vscode.Uri.joinPath(extensionUri, "media", name);

  /** `state`: what its page had kept. */
  async function fill(panel: vscode.WebviewPanel, state?: unknown): Promise<void> {
    // A tab does not colour its icon as a view does.
    panel.iconPath = { light: icon("tab-light.svg"), dark: icon("tab-dark.svg") };
    await keep(panel, tabOf(panel, state));
  }

  const openTab = () => vscode.window.createWebviewPanel(panelType, name, vscode.ViewColumn.Active);
  const registered = vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(chatView, provider),
    vscode.window.registerWebviewPanelSerializer(panelType, { deserializeWebviewPanel: fill }),
  );

  return {
    isVisible: () => [...places].some(({ visible }) => visible),
    /** Somewhere in this window, so far. */
    wasShown: () => wasShown,
    /** How many decisions wait for a person. */
    badge(count: number): void {
      waiting = count;
      showWaiting();
    },
    commands: {
      [commands.openInEditor]: () => fill(openTab()),
      [commands.openInNewWindow]: async () => {
        const tab = openTab();
        // At once: by the time its page is there, somebody may be in another editor, which would be moved in its place.
        const moved = vscode.commands.executeCommand("workbench.action.moveEditorToNewWindow");
        await Promise.all([moved, fill(tab)]);
      },
    },
    dispose: () => registered.dispose(),
  };
}

/** `state`: what its page had kept. */
export function tabOf(panel: vscode.WebviewPanel, state?: unknown): Tab {
  let isOpen = true;
  panel.onDidDispose(() => {
    isOpen = false;
  });
  return {
    conversation: conversationIn(state),
    show: (keepsFocus) => panel.reveal(undefined, keepsFocus),
    // It may be closed while its conversation is being opened: VS Code refuses a name for it then.
    setTitle(title = name) {
      if (isOpen) panel.title = title;
    },
  };
}

/** webview/page-state.ts writes it; an older version, or nobody, may have done so. */
function conversationIn(state: unknown): string | undefined {
  const isKept = typeof state === "object" && state !== null && "conversation" in state;
  return isKept && typeof state.conversation === "string" ? state.conversation : undefined;
}
