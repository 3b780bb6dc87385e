// A commit message for what is staged, in the box of the Source Control view. What a person has written there stays
// unless they say otherwise; nothing is committed here.
import * as vscode from "vscode";
import type { Turn } from "../../core/conversation/state.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { plainText } from "../../core/util/plain-text.ts";
import { type GitRepository, gitRepository } from "../git.ts";
import { showInformation } from "../notify.ts";
import { withProgress } from "../with-progress.ts";
import { type Ask, refuseWithoutTrust } from "./ask.ts";

export interface CommitMessageNeeds {
  readonly ask: Ask;
  /** For tests: which of the words on the buttons a person chose. */
  readonly choose?: (question: string, ...words: string[]) => Thenable<string | undefined>;
}

/** More than anybody reads before a commit. */
const longest = 10_000;

export function createCommitMessage({ ask, choose = askPerson }: CommitMessageNeeds) {
  const t = vscode.l10n.t;
  return async (argument: unknown): Promise<void> => {
    refuseWithoutTrust();
    const repository = await gitRepository(rootOf(argument));
    const text = await repository.diff(true);
    if (text.trim() === "")
      throw new HumanError(t("Nothing is staged. Stage the changes that the message is for."));
    const title = t("Write Commit Message");
    const diff = { kind: "diff", name: t("Staged changes"), text } as const;
    const companions = [{ role: t("the changes"), attachment: diff }];
    // Out of sight of the chat, Stop has to be somewhere.
    const turn = await withProgress(title, (signal) =>
      ask({ title, command: "commit", prompt: "", companions, quiet: true, signal }),
    );
    const message = turn === undefined ? "" : messageOf(turn);
    if (message !== "") await put(message, repository, choose);
  };
}

/** The Source Control view says which repository was meant. */
function rootOf(argument: unknown): vscode.Uri | undefined {
  if (typeof argument !== "object" || argument === null || !("rootUri" in argument)) return undefined;
  return argument.rootUri instanceof vscode.Uri ? argument.rootUri : undefined;
}

/** The last thing that was said: before a tool is called, models like to say what they are about to do. */
function messageOf({ status, parts }: Turn): string {
  if (status !== "done") return "";
  const said = parts.findLast(({ type }) => type === "text");
  const text = said?.type === "text" ? said.text.trim() : "";
  const [, fenced] = /^```\w*\n(.*)\n```$/s.exec(text) ?? [];
  return plainText(fenced ?? text, longest);
}

async function put(
  message: string,
  { inputBox }: GitRepository,
  choose: NonNullable<CommitMessageNeeds["choose"]>,
): Promise<void> {
  const t = vscode.l10n.t;
  const written = inputBox.value;
  if (written.trim() === "") {
    inputBox.value = message;
    return;
  }
  const [replace, below] = [t("Replace"), t("Put Below")];
  const chosen = await choose(t("The box for the commit message is not empty."), replace, below);
  if (chosen === replace) inputBox.value = message;
  // Whatever has been typed until now is there; what was there when the question was asked may be old.
  if (chosen === below) inputBox.value = `${inputBox.value.trimEnd()}\n\n${message}`;
}

const askPerson = (question: string, ...words: string[]) => showInformation(question, ...words);
