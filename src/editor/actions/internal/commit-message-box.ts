// Writes a commit message for the staged changes, or for all changes if none are staged, into the input box of the
// Source Control view. Existing text is kept unless the user decides otherwise; nothing is committed.
import * as vscode from "vscode";
import { HumanError } from "../../../conversation/messages.ts";
import type { Attachment, Turn } from "../../../conversation/state.ts";
import { plainText } from "../../../util/text.ts";
import { attachDropped } from "../../attach/attach-uri.ts";
import { showInformation } from "../../notify.ts";
import { withProgress } from "../../ui/show-problem.ts";
import { type GitRepository, gitRepository, newFilesOf } from "../../workspace/git.ts";
import { type Ask, requireTrust } from "../ask.ts";

interface CommitMessageDeps {
  readonly ask: Ask;
  /** What was checked before these files were accepted, a line each. */
  evidenceOf(files: readonly vscode.Uri[]): Promise<readonly string[]>;
  /** For tests: the button that the user chose. */
  readonly choose?: (question: string, ...words: string[]) => Thenable<string | undefined>;
}

/** New files attached to a message for all changes. */
const maxNew = 20;
/** Longer than anyone reads before a commit. */
const longest = 10_000;

export function createCommitMessage({ ask, evidenceOf, choose = askPerson }: CommitMessageDeps) {
  const t = vscode.l10n.t;
  return async (argument: unknown): Promise<void> => {
    requireTrust();
    const repository = await gitRepository(rootOf(argument));
    const changes = await changesOf(repository);
    if (changes.length === 0) throw new HumanError(t("There are no changes to commit."));
    const title = t("Write Commit Message");
    const companions = changes.map((attachment) => ({
      role: t("the changes"),
      attachment: { ...attachment, role: "to-describe" },
    }));
    // The chat with its Stop button may be hidden, so the progress notification can cancel.
    const turn = await withProgress(title, (signal) =>
      ask({ title, command: "commit", prompt: "", companions, quiet: true, signal }),
    );
    const message = turn === undefined ? "" : messageOf(turn);
    if (message === "") return;
    // From facts, not from the model: it comes after the model's words, and without checks there is none.
    const evidence = await evidenceOf(filesOf(repository));
    await put([message, ...(evidence.length === 0 ? [] : ["", ...evidence])].join("\n"), repository, choose);
  };
}

/** The staged changes; if there are none, all changes, as Git's smart commit does. */
async function changesOf(repository: GitRepository): Promise<readonly Attachment[]> {
  const t = vscode.l10n.t;
  const root = repository.rootUri.toString();
  const staged = await repository.diff(true);
  if (staged.trim() !== "") return [{ kind: "diff", name: t("Staged changes"), text: staged, root }];
  await repository.status();
  const added = newFilesOf(repository).slice(0, maxNew);
  const text = await repository.diff(false);
  return [
    ...(text.trim() === "" ? [] : [{ kind: "diff", name: t("Uncommitted changes"), text, root } as const]),
    ...(await attachDropped(added.map((uri) => uri.toString()))),
  ];
}

/** The files of `changesOf`. */
function filesOf({ state }: GitRepository): readonly vscode.Uri[] {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = state;
  const meant = indexChanges.length > 0 ? indexChanges : [...workingTreeChanges, ...untrackedChanges];
  return meant.map(({ uri }) => uri);
}

/** The Source Control view passes the repository that is meant. */
function rootOf(argument: unknown): vscode.Uri | undefined {
  if (typeof argument !== "object" || argument === null || !("rootUri" in argument)) return undefined;
  return argument.rootUri instanceof vscode.Uri ? argument.rootUri : undefined;
}

/** The last text part: models often announce what they are about to do before they call a tool. */
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
  // Use the current text of the box: the text from when the question was asked may be outdated.
  if (chosen === below) inputBox.value = `${inputBox.value.trimEnd()}\n\n${message}`;
}

const askPerson = (question: string, ...words: string[]) => showInformation(question, ...words);
