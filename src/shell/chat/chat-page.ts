// The conversation's page in a webview, wherever that is: a side bar, an editor tab, a window of its own. It can be
// destroyed at any time and comes back by asking `ready`; the host keeps the truth, so nothing is retained meanwhile.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { pageHtml } from "../../bridge/html.ts";
import type { Port } from "../../bridge/session.ts";
import type { Disposable } from "../../core/util/disposables.ts";

export interface ChatPage {
  /** Fills an empty webview; resolves when the page is connected. */
  fill(place: Pick<vscode.WebviewView, "webview" | "onDidDispose">): Promise<void>;
}

export interface ChatPageNeeds {
  readonly extensionUri: vscode.Uri;
  /** Connects a page to the assistant; loads the service at the first call. */
  connect(port: Port): Promise<Disposable>;
}

export function createChatPage({ extensionUri, connect }: ChatPageNeeds): ChatPage {
  const script = vscode.Uri.joinPath(extensionUri, "dist", "webview.js");
  const media = vscode.Uri.joinPath(extensionUri, "media");

  return {
    async fill({ webview, onDidDispose }) {
      webview.options = {
        enableScripts: true,
        localResourceRoots: [vscode.Uri.joinPath(script, ".."), media],
      };
      const messages = holdMessages(webview);
      webview.html = pageHtml({
        nonce: randomBytes(16).toString("base64"),
        cspSource: webview.cspSource,
        scriptUri: webview.asWebviewUri(script).toString(),
        styleUris: ["chat.css", "markdown.css"].map((name) =>
          webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString(),
        ),
        language: vscode.env.language,
        dictionary: vscode.l10n.bundle,
      });
      const session = connect({
        post: (message) => void webview.postMessage(message),
        onMessage: messages.release,
      });
      onDidDispose(() => {
        messages.dispose();
        // A session that never came is told by whoever asked for the page.
        session.then(
          (connected) => connected.dispose(),
          () => undefined,
        );
      });
      await session;
    },
  };
}

/** The page may speak before the service is loaded; what it says then is kept for it. */
function holdMessages(webview: vscode.Webview) {
  const held: unknown[] = [];
  let listener = (message: unknown): void => void held.push(message);
  const subscription = webview.onDidReceiveMessage((message: unknown) => listener(message));
  return {
    release(next: (message: unknown) => void): Disposable {
      listener = next;
      for (const message of held.splice(0)) next(message);
      return subscription;
    },
    dispose: () => subscription.dispose(),
  };
}
