// Links from outside of VS Code: vscode://patchbay.patchbay/ask?prompt=… puts its text into the box of a new conversation.
// The author of such a link is unknown. It is only text: nothing is sent, run or read, and no key, URL, model or file can
// be named in it. A person sees it first, and what they see is what arrives in the box.
import * as vscode from "vscode";
import { visible } from "../../util/hidden-characters.ts";
import { showWarning } from "../notify.ts";

type DeepLink =
  | { readonly kind: "text"; readonly text: string }
  /** It has no text, or more parameters than one. */
  | { readonly kind: "unsupported" }
  | { readonly kind: "too-long" };

export const longestLinkedText = 2_000;
/** Percent-encoding can take nine characters for one character of the text. */
const longestQuery = 20_000;

/** Hidden characters of the text become escapes. */
export function readDeepLink({ path, query }: Pick<vscode.Uri, "path" | "query">): DeepLink {
  if (path !== "/ask") return { kind: "unsupported" };
  if (query.length > longestQuery) return { kind: "too-long" };
  const parameters = [...new URLSearchParams(query)];
  const [name, prompt = ""] = parameters[0] ?? [];
  if (parameters.length !== 1 || name !== "prompt" || prompt.trim() === "") return { kind: "unsupported" };
  return prompt.length > longestLinkedText
    ? { kind: "too-long" }
    : { kind: "text", text: visible(prompt.trim()) };
}

interface DeepLinkDeps {
  /** Puts the text into the box of a new conversation. */
  fill(text: string): Promise<void>;
  report(error: unknown): unknown;
}

export function createDeepLinkHandler({ fill, report }: DeepLinkDeps): vscode.UriHandler {
  const t = vscode.l10n.t;
  let isAsking = false;

  async function open(uri: vscode.Uri): Promise<void> {
    const link = readDeepLink(uri);
    switch (link.kind) {
      case "unsupported":
        void showWarning(t("Patchbay opens only links that put text in the chat box."));
        return;
      case "too-long":
        void showWarning(t("The text of this link is longer than {0} characters.", longestLinkedText));
        return;
      case "text":
        if (await confirm(link.text)) await fill(link.text);
    }
  }

  return {
    async handleUri(uri) {
      // A page that opens many links gets one question at a time: the others are dropped.
      if (isAsking) return;
      isAsking = true;
      try {
        await open(uri);
      } catch (error) {
        await report(error);
      } finally {
        isAsking = false;
      }
    },
  };
}

async function confirm(text: string): Promise<boolean> {
  const t = vscode.l10n.t;
  const yes = t("Insert Text");
  const shown = beginningOf(text);
  const detail = [
    shown,
    ...(shown === text ? [] : [t("… ({0} of {1} characters are shown)", shown.length, text.length)]),
    t("The text will be added to a new conversation. Nothing is sent until you press Send."),
  ].join("\n\n");
  const question = t("Another program wants to put this text in the Patchbay chat box.");
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, yes)) === yes;
}

/** As much as a dialog can show without pushing its buttons off the screen. */
function beginningOf(text: string): string {
  const lines = text.split("\n").slice(0, 10).join("\n");
  return lines.length <= 600 ? lines : lines.slice(0, 600).replace(/[\uD800-\uDBFF]$/, "");
}
