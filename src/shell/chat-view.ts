// The chat view: a webview that can be destroyed at any time and comes back by asking `ready`. The host keeps the
// truth, so nothing is retained while it is hidden.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { pageHtml } from "../bridge/html.ts";
import type { Port } from "../bridge/session.ts";
import type { Disposable } from "../core/util/disposables.ts";

export interface ChatViewNeeds {
  readonly extensionUri: vscode.Uri;
  /** Connects a page to the assistant; loads the service at the first call. */
  connect(port: Port): Promise<Disposable>;
}

export function createChatView({ extensionUri, connect }: ChatViewNeeds): vscode.WebviewViewProvider {
  const script = vscode.Uri.joinPath(extensionUri, "dist", "webview.js");
  const media = vscode.Uri.joinPath(extensionUri, "media");

  return {
    async resolveWebviewView(view) {
      const { webview } = view;
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
      view.onDidDispose(() => {
        messages.dispose();
        void session.then((connected) => connected.dispose());
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
