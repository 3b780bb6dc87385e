// The chat page in webviews, and the places that show one: the chat view, and editor tabs, which VS Code can move to
// windows of their own and restores after a restart.
import * as vscode from "vscode";
import { blankView } from "../../bridge/blank-view.ts";
import { pageHtml } from "../../bridge/html.ts";
import type { Port } from "../../bridge/page-connection.ts";
import type { Preferences } from "../../bridge/preferences.ts";
import type { ToHost, ToPage } from "../../bridge/protocol.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Tab } from "../../host/chat-view-and-tabs.ts";
import type { Disposable } from "../../util/disposables.ts";
import type { LogChannel } from "../log.ts";
import { commands, panelType } from "../manifest.ts";
import { showWarning } from "../notify.ts";

interface ChatPage {
  /**
   * Fills an empty webview of the chat view or of a tab. Resolves when the page is connected, or shows that it is not.
   */
  fill(place: PagePlace, tab?: Tab): Promise<void>;
}

interface PagePlace extends Pick<vscode.WebviewView, "webview" | "onDidDispose"> {
  /** Fires when it is hidden; its page is gone by then. */
  onDidHide(listener: () => void): vscode.Disposable;
}

interface ChatPageDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<LogChannel, "error" | "show">;
  preferences(): Preferences;
  /** Connects a page to its conversation. Loads the service at the first call. */
  connect(port: Port, tab: Tab | undefined): Promise<Disposable>;
  /** For tests: nobody presses a button there. */
  readonly tell?: (sentence: string, ...buttons: string[]) => PromiseLike<string | undefined>;
  readonly patience?: number;
}

/** Milliseconds after which even a slow machine that restores a whole window has run the page's script. */
const enoughToStart = 20_000;

/**
 * The page can be destroyed at any time and restores itself by sending `ready`; the host holds the state, so the
 * webview context is not retained.
 */
export function createChatPage(deps: ChatPageDeps): ChatPage {
  const { extensionUri, log, preferences, connect, tell = showWarning, patience = enoughToStart } = deps;
  const script = vscode.Uri.joinPath(extensionUri, "dist", "webview.js");
  const styles = vscode.Uri.joinPath(extensionUri, "dist", "styles.css");

  /** View state of a page without a conversation. */
  const alone = (why?: Message): ToPage => ({
    type: "view-state",
    viewState: {
      ...blankView,
      preferences: preferences(),
      ...(why !== undefined && { problem: { kind: "bug", message: why, actions: ["retry", "open-log"] } }),
    },
  });

  return {
    async fill({ webview, onDidDispose, onDidHide }, tab) {
      const post = (message: ToPage) => void webview.postMessage(message);
      let problem: Message | undefined;
      let session: Disposable | undefined;
      let isGone = false;

      const messages = holdMessages(webview, (message) => {
        if (problem === undefined) return;
        const { type, action } = message;
        if (type === "ready") post(alone(problem));
        else if (action === "open-log") log.show();
        else if (action === "retry") void open();
      });

      async function open(): Promise<void> {
        if (problem !== undefined) post(alone());
        problem = undefined;
        try {
          session = await connect({ post, onMessage: messages.release }, tab);
          if (isGone) session.dispose();
        } catch (error) {
          log.error("The chat could not be opened.", error);
          problem = message("placeNoService");
          post(alone(problem));
        }
      }

      // VS Code destroys the page immediately, so the page itself can no longer report that it lost the focus.
      const leave = () => messages.say({ type: "focus", focus: { area: "elsewhere" } });
      let silence: NodeJS.Timeout | undefined;
      const hear = () => clearTimeout(silence);
      const hearing = webview.onDidReceiveMessage(hear);
      onDidHide(() => {
        hear();
        leave();
      });
      onDidDispose(() => {
        isGone = true;
        hear();
        hearing.dispose();
        leave();
        messages.dispose();
        session?.dispose();
      });
      draw();
      // Set after the page: otherwise VS Code would first render the webview without one and complain about the missing
      // policy.
      webview.options = {
        enableScripts: true,
        localResourceRoots: [vscode.Uri.joinPath(script, "..")],
      };
      await open();

      /**
       * Draws the page. If its script is blocked or fails before it has drawn anything, the user is told instead of
       * facing an empty page.
       */
      function draw(): void {
        webview.html = pageHtml({
          nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64"),
          cspSource: webview.cspSource,
          scriptUri: webview.asWebviewUri(script).toString(),
          styleUris: [webview.asWebviewUri(styles).toString()],
          language: vscode.env.language,
          starting: vscode.l10n.t("Loading the chat. If this message stays, reload the window."),
          dictionary: vscode.l10n.bundle,
        });
        silence = setTimeout(() => void offerReload(), patience);
      }

      async function offerReload(): Promise<void> {
        log.error("The page of the chat has said nothing.");
        const [reload, openLog] = [vscode.l10n.t("Reload"), vscode.l10n.t("Open Log")];
        const pressed = await tell(vscode.l10n.t("The chat didn't load."), reload, openLog);
        if (pressed === openLog) log.show();
        else if (pressed === reload && !isGone) draw();
      }
    },
  };
}

interface Held {
  readonly type?: unknown;
  readonly action?: unknown;
}

/**
 * The page may post messages before the service is loaded: they are kept until then, and also passed to `meanwhile`.
 */
function holdMessages(webview: vscode.Webview, meanwhile: (message: Held) => void) {
  const held: unknown[] = [];
  let listener = (message: unknown): void => {
    held.push(message);
    if (typeof message === "object" && message !== null) meanwhile(message);
  };
  const subscription = webview.onDidReceiveMessage((message: unknown) => listener(message));
  return {
    /** Delivers a message on behalf of the page. */
    say: (message: ToHost) => listener(message),
    release(next: (message: unknown) => void): Disposable {
      listener = next;
      for (const message of held.splice(0)) next(message);
      return subscription;
    },
    dispose: () => subscription.dispose(),
  };
}

const name = "Patchbay";

/** `chatView`: the one of the two chat views that this version of VS Code shows. */
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

  /** `state`: what its page had saved. */
  async function fill(panel: vscode.WebviewPanel, state?: unknown): Promise<void> {
    // Tab icons are not tinted by VS Code as view icons are.
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
    /** Whether it was shown anywhere in this window so far. */
    wasShown: () => wasShown,
    /** Shows how many decisions are pending. */
    badge(count: number): void {
      waiting = count;
      showWaiting();
    },
    commands: {
      [commands.openInEditor]: () => fill(openTab()),
      [commands.openInNewWindow]: async () => {
        const tab = openTab();
        // Immediately: once its page has loaded, another editor may be active and would be moved instead.
        const moved = vscode.commands.executeCommand("workbench.action.moveEditorToNewWindow");
        await Promise.all([moved, fill(tab)]);
      },
    },
    dispose: () => registered.dispose(),
  };
}

/** `state`: what its page had saved. */
export function tabOf(panel: vscode.WebviewPanel, state?: unknown): Tab {
  let isOpen = true;
  panel.onDidDispose(() => {
    isOpen = false;
  });
  return {
    conversation: conversationIn(state),
    show: (keepsFocus) => panel.reveal(undefined, keepsFocus),
    // The tab may be closed while its conversation is being opened; VS Code then rejects a new title.
    setTitle(title = name) {
      if (isOpen) panel.title = title;
    },
  };
}

/** Written by page/page-state.ts, but possibly by an older version, so it is validated. */
function conversationIn(state: unknown): string | undefined {
  const isKept = typeof state === "object" && state !== null && "conversation" in state;
  return isKept && typeof state.conversation === "string" ? state.conversation : undefined;
}
