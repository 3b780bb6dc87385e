// The conversation's page in a webview, wherever that is: a side bar, an editor tab, a window of its own. It can be
// destroyed at any time and comes back by asking `ready`; the host keeps the truth, so nothing is retained meanwhile.
import * as vscode from "vscode";
import { blankView } from "../../bridge/blank-view.ts";
import { pageHtml } from "../../bridge/html.ts";
import type { Port } from "../../bridge/page-connection.ts";
import type { ToHost, ToPage } from "../../bridge/protocol.ts";
import type { Preferences } from "../../bridge/view-state.ts";
import type { Tab } from "../../chat-surfaces.ts";
import { type Message, message } from "../../core/messages/message.ts";
import type { Disposable } from "../../core/util/disposables.ts";
import type { LogChannel } from "../log.ts";

export interface ChatPage {
  /** Fills an empty webview, of the chat view or of a tab; resolves when the page is connected, or says that it is not. */
  fill(place: PagePlace, tab?: Tab): Promise<void>;
}

export interface PagePlace extends Pick<vscode.WebviewView, "webview" | "onDidDispose"> {
  /** It can be seen no longer, and its page is gone. */
  onDidHide(listener: () => void): vscode.Disposable;
}

export interface ChatPageDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<LogChannel, "error" | "show">;
  preferences(): Preferences;
  /** Connects a page to its conversation; loads the service at the first call. */
  connect(port: Port, tab: Tab | undefined): Promise<Disposable>;
}

export function createChatPage({ extensionUri, log, preferences, connect }: ChatPageDeps): ChatPage {
  const script = vscode.Uri.joinPath(extensionUri, "dist", "webview.js");
  const styles = vscode.Uri.joinPath(extensionUri, "dist", "styles.css");

  /** What the page shows while there is no conversation behind it. */
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
      webview.options = {
        enableScripts: true,
        localResourceRoots: [vscode.Uri.joinPath(script, "..")],
      };
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

      // VS Code takes the page away at once: it cannot say any more that nobody is in it.
      const leave = () => messages.say({ type: "focus", focus: { area: "elsewhere" } });
      onDidHide(leave);
      onDidDispose(() => {
        isGone = true;
        leave();
        messages.dispose();
        session?.dispose();
      });
      webview.html = pageHtml({
        nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64"),
        cspSource: webview.cspSource,
        scriptUri: webview.asWebviewUri(script).toString(),
        styleUris: [webview.asWebviewUri(styles).toString()],
        language: vscode.env.language,
        dictionary: vscode.l10n.bundle,
      });
      await open();
    },
  };
}

interface Held {
  readonly type?: unknown;
  readonly action?: unknown;
}

/** The page may speak before the service is loaded; what it says then is kept for it, and told to `meanwhile`. */
function holdMessages(webview: vscode.Webview, meanwhile: (message: Held) => void) {
  const held: unknown[] = [];
  let listener = (message: unknown): void => {
    held.push(message);
    if (typeof message === "object" && message !== null) meanwhile(message);
  };
  const subscription = webview.onDidReceiveMessage((message: unknown) => listener(message));
  return {
    /** In the page's place. */
    say: (message: ToHost) => listener(message),
    release(next: (message: unknown) => void): Disposable {
      listener = next;
      for (const message of held.splice(0)) next(message);
      return subscription;
    },
    dispose: () => subscription.dispose(),
  };
}
