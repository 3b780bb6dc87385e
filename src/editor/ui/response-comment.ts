// A question and its response as comments of a thread; the response is shown while it is streamed.
import * as vscode from "vscode";
import { stepTexts } from "../../conversation/reduce.ts";
import type { Turn } from "../../conversation/state.ts";
import type { Session } from "../../session/session.ts";
import { harmlessMarkdown } from "../../util/harmless-markdown.ts";
import { visible } from "../../util/hidden-characters.ts";

/** Where the user was when they asked, to return there. */
export interface AskedFrom {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly selection: vscode.Selection;
  readonly viewColumn: vscode.ViewColumn;
  readonly terminal: vscode.Terminal | undefined;
}

/** A task whose proposals are shown with the other pending changes. */
export interface TaskInReview extends vscode.Disposable {
  /**
   * Shows the proposals where they were asked for, with the comments. False if the user has moved on and they are for
   * other files.
   */
  show(talk: readonly vscode.Comment[], from: AskedFrom | undefined): Promise<boolean>;
  /** Lets the buttons of this thread decide about all proposals. Returns the beginning of what they write. */
  lend(thread: vscode.CommentThread): vscode.Comment | undefined;
}

/** Milliseconds between updates while a response is streamed. */
const between = 100;
/** Longer responses are read in the chat. */
const maxShown = 4000;

export const comment = (who: string, words: string | vscode.MarkdownString): vscode.Comment => ({
  author: { name: who },
  body: words,
  mode: vscode.CommentMode.Preview,
});

/**
 * Renders text of a model: its images are not fetched, its command links do not work, and nothing in it is hidden. VS
 * Code shows HTML as text, so code like `a![0]` is escaped only if the text could contain an image.
 */
export function modelMarkdown(words: string): vscode.MarkdownString {
  const shown = visible(words);
  return new vscode.MarkdownString(/\][([:]/.test(shown) ? harmlessMarkdown(shown) : shown);
}

const working = () => new vscode.MarkdownString(`$(loading~spin) ${vscode.l10n.t("Working…")}`, true);

export function responseText(turn: Turn | undefined): string {
  if (turn === undefined) return "";
  const steps = stepTexts(turn);
  return turn.parts
    .map((part) => (part.type === "text" && !steps.has(part.id) ? part.text : ""))
    .join("\n\n")
    .trim();
}

/** Passes the running turn's response to `show` as a comment while it is streamed, until disposed. */
export function followResponse(
  session: Pick<Session, "state" | "onEvent">,
  show: (answer: vscode.Comment) => void,
): vscode.Disposable {
  const first = session.state.turns.length;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    const text = responseText(session.state.turns.slice(first).at(-1));
    const cut = text.length > maxShown ? `…${text.slice(-maxShown)}` : text;
    show(comment("Patchbay", cut === "" ? working() : modelMarkdown(cut)));
  };
  draw();
  const listening = session.onEvent(({ type }) => {
    if (type === "text") timer ??= setTimeout(draw, between);
  });
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    listening.dispose();
  });
}
