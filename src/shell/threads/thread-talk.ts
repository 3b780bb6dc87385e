// A question and its answer between the lines: what a person asked, and what the model says while it says it.
import * as vscode from "vscode";
import type { Turn } from "../../core/conversation/state.ts";
import type { Session } from "../../core/session/session.ts";

/** A task whose proposals are shown with what else waits. */
export interface TaskInReview extends vscode.Disposable {
  /** What was said goes on below the changes, in the file. False: they are not shown there. */
  say(comments: readonly vscode.Comment[]): boolean;
}

/** So often the response is drawn while it arrives. */
const between = 100;
/** More of a response is read in the chat. */
const maxShown = 4000;

export const comment = (who: string, words: string | vscode.MarkdownString): vscode.Comment => ({
  author: { name: who },
  body: words,
  mode: vscode.CommentMode.Preview,
});

/** Words of a model: no picture of theirs is fetched, no command of theirs is a link. */
export const modelWords = (words: string): vscode.MarkdownString =>
  new vscode.MarkdownString(words.replaceAll("![", "!\\["));

const working = () => new vscode.MarkdownString(`$(loading~spin) ${vscode.l10n.t("Working…")}`, true);

export const textOf = (turn: Turn | undefined): string =>
  (turn?.parts ?? [])
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n\n")
    .trim();

/** Shows the response of the turn that runs, piece by piece, as the comment that `show` gets, until it is disposed. */
export function followAnswer(
  session: Pick<Session, "state" | "onEvent">,
  show: (answer: vscode.Comment) => void,
): vscode.Disposable {
  const first = session.state.turns.length;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    const text = textOf(session.state.turns.slice(first).at(-1));
    const cut = text.length > maxShown ? `…${text.slice(-maxShown)}` : text;
    show(comment("Patchbay", cut === "" ? working() : modelWords(cut)));
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
