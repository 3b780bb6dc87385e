// A commit message for what is staged or, where nothing is, for all changes: in the box of the Source Control view. What a person has written there stays
// unless they say otherwise; nothing is committed here.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { plainText } from "../../core/util/plain-text.ts";
import { attachDropped } from "../attach/attach-uri.ts";
import { type GitRepository, gitRepository, newFilesOf } from "../git.ts";
import { showInformation } from "../notify.ts";
import { withProgress } from "../with-progress.ts";
import { type Ask, refuseWithoutTrust } from "./ask.ts";

export interface CommitMessageDeps {
  readonly ask: Ask;
  /** For tests: which of the words on the buttons a person chose. */
  readonly choose?: (question: string, ...words: string[]) => Thenable<string | undefined>;
}

/** New files that go with a message for all changes. */
const maxNew = 20;
/** More than anybody reads before a commit. */
const longest = 10_000;

export function createCommitMessage({ ask, choose = askPerson }: CommitMessageDeps) {
  const t = vscode.l10n.t;
  return async (argument: unknown): Promise<void> => {
    refuseWithoutTrust();
    const repository = await gitRepository(rootOf(argument));
    const changes = await changesOf(repository);
    if (changes.length === 0) throw new HumanError(t("There are no changes to commit."));
    const title = t("Write Commit Message");
    const companions = changes.map((attachment) => ({ role: t("the changes"), attachment }));
    // Out of sight of the chat, Stop has to be somewhere.
    const turn = await withProgress(title, (signal) =>
      ask({ title, command: "commit", prompt: "", companions, quiet: true, signal }),
    );
    const message = turn === undefined ? "" : messageOf(turn);
    if (message !== "") await put(message, repository, choose);
  };
}

/** What is staged; where nothing is, all that has changed, as Git's smart commit takes it. */
async function changesOf(repository: GitRepository): Promise<readonly Attachment[]> {
  const t = vscode.l10n.t;
  const staged = await repository.diff(true);
  if (staged.trim() !== "") return [{ kind: "diff", name: t("Staged changes"), text: staged }];
  await repository.status();
  const added = newFilesOf(repository).slice(0, maxNew);
  const text = await repository.diff(false);
  return [
    ...(text.trim() === "" ? [] : [{ kind: "diff", name: t("Uncommitted changes"), text } as const]),
    ...(await attachDropped(added.map((uri) => uri.toString()))),
  ];
}

/** The Source Control view says which repository was meant. */
function rootOf(argument: unknown): vscode.Uri | undefined {
  if (typeof argument !== "object" || argument === null || !("rootUri" in argument)) return undefined;
  return argument.rootUri instanceof vscode.Uri ? argument.rootUri : undefined;
}

/** The last thing that was said: before a tool is called, models like to say what they are about to do. */
function messageOf({ status, parts }: Turn): string {
  if (status !== "done") return "";
  const answer = parts.findLast(({ type }) => type === "text");
  const text = answer?.type === "text" ? answer.text.trim() : "";
  const [, fenced] = /^```\w*\n(.*)\n```$/s.exec(text) ?? [];
  return plainText(fenced ?? text, longest);
}

async function put(
  message: string,
  { inputBox }: GitRepository,
  choose: NonNullable<CommitMessageDeps["choose"]>,
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
