// The choices of what to review: the selection, a file, changes. The code comes in pieces: one per file, or one per
// file of a diff.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { Attachment } from "../../conversation/state.ts";
import { attachmentLabel, type Companion } from "../../editor/actions/ask.ts";
import { surroundingsOf } from "../../editor/actions/code-surroundings.ts";
import { documentAttachment, pathInWorkspace } from "../../editor/attach/attach-uri.ts";
import { type GitRepository, gitRepository, newFilesOf } from "../../editor/workspace/git.ts";
import { splitByFile } from "../../tools/attached-text.ts";
import type { Left } from "./internal/finding-list.ts";

export interface CodePiece {
  /** The name the model uses for it. */
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly companions: readonly Companion[];
}

export interface ToReview {
  readonly pieces: readonly CodePiece[];
  readonly left: readonly Left[];
  /** The part that is to be reviewed; the rest is context. */
  readonly about?: string;
  /** Whether every file is reviewed as a whole. */
  readonly isWhole?: boolean;
}

export interface Choice extends vscode.QuickPickItem {
  /** Asks the user for details; the returned function reads the code, which may take a while. */
  readonly choose: () => Promise<(() => Promise<ToReview>) | undefined>;
}

type Editor = Pick<vscode.TextEditor, "document" | "selection">;

/** Git's empty tree, used as the parent of the first commit. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const maxCommits = 50;

/** Without a repository there are no staged changes and no branch. */
export function choicesFor(editor: Editor | undefined, hasGit: boolean): readonly Choice[] {
  const t = vscode.l10n.t;
  const repository = () => gitRepository(editor?.document.uri);
  const ofDiff = (staged: boolean) => async () => {
    const chosen = await repository();
    return () => diffOf(chosen, staged);
  };
  const ofEditor: Choice[] =
    editor === undefined ? [] : [{ label: t("This file"), choose: async () => () => fileOf(editor) }];
  const ofRepository: Choice[] = [
    { label: t("Staged changes"), choose: ofDiff(true) },
    { label: t("Unstaged changes"), choose: ofDiff(false) },
    { label: t("This branch against its base"), choose: async () => chooseBranch(await repository()) },
    { label: t("A commit…"), choose: async () => chooseCommit(await repository()) },
  ];
  return [
    ...(editor === undefined || editor.selection.isEmpty
      ? []
      : [{ label: t("Selection"), choose: async () => () => selectionOf(editor) }]),
    ...ofEditor,
    ...(hasGit ? ofRepository : []),
  ];
}

/** Argument that the command accepts in place of a file: review all uncommitted changes without asking. */
export const uncommitted = "uncommitted";

export async function uncommittedOf(editor: Editor | undefined): Promise<ToReview> {
  const repository = await gitRepository(editor?.document.uri);
  const both = [await diffOf(repository, false), await diffOf(repository, true)];
  const pieces = new Map<string, CodePiece>();
  for (const piece of both.flatMap((each) => each.pieces)) {
    const { companions = [] } = pieces.get(piece.name) ?? {};
    pieces.set(piece.name, { ...piece, companions: [...companions, ...piece.companions] });
  }
  return { pieces: [...pieces.values()], left: both.flatMap((each) => each.left) };
}

export async function selectionOf({ document, selection }: Editor): Promise<ToReview> {
  const companions = await surroundingsOf({ document, range: selection }, { role: toReview });
  const code = companions[0]?.attachment;
  return { pieces: [{ ...named(document), companions }], left: [], about: attachmentLabel(code) };
}

async function fileOf({ document }: Editor): Promise<ToReview> {
  const path = pathInWorkspace(document.uri);
  const attachment: Attachment = path === undefined ? documentAttachment(document) : { kind: "file", path };
  return { pieces: [{ ...named(document), companions: [code(attachment)] }], left: [], isWhole: true };
}

const toReview = "to-review";

const code = (attachment: Attachment): Companion => ({
  role: vscode.l10n.t("selection"),
  attachment: { ...attachment, role: toReview },
});

const named = ({ uri }: vscode.TextDocument) => ({
  uri,
  name: pathInWorkspace(uri) ?? uri.path.split("/").at(-1) ?? "",
});

async function diffOf(repository: GitRepository, staged: boolean): Promise<ToReview> {
  const { pieces, left } = piecesOf(await repository.diff(staged), repository);
  if (!staged) await repository.status();
  const added = staged ? [] : newPiecesOf(repository);
  return { pieces: [...pieces, ...added], left };
}

const newPiecesOf = (repository: GitRepository): CodePiece[] =>
  newFilesOf(repository).flatMap((uri) => {
    const path = pathInWorkspace(uri);
    return path === undefined ? [] : [{ name: path, uri, companions: [code({ kind: "file", path })] }];
  });

function piecesOf(diff: string, { rootUri }: GitRepository): ToReview {
  const t = vscode.l10n.t;
  const pieces: CodePiece[] = [];
  const left: Left[] = [];
  for (const { path, text, isBinary } of splitByFile(diff)) {
    const hasLines = /^@@/m.test(text);
    if (isBinary) left.push({ name: path, why: t("it is no text") });
    else if (!hasLines) left.push({ name: path, why: t("no line of it is different") });
    else {
      const attachment = { kind: "diff", name: path, text, role: toReview } as const;
      const uri = vscode.Uri.joinPath(rootUri, path);
      pieces.push({ name: path, uri, companions: [{ role: t("the changes"), attachment }] });
    }
  }
  return { pieces, left };
}

async function chooseBranch(repository: GitRepository): Promise<(() => Promise<ToReview>) | undefined> {
  const t = vscode.l10n.t;
  await repository.status();
  const { HEAD } = repository.state;
  if (HEAD?.name === undefined) throw new HumanError(t("No branch is checked out."));
  const base = await baseOf(HEAD.name, repository);
  if (base === undefined) return undefined;
  return async () => {
    const since = await repository.getMergeBase(base, "HEAD");
    if (since === undefined) throw new HumanError(t("This branch and {0} have nothing in common.", base));
    return between(since, "HEAD", repository);
  };
}

/** Git does not always know what a branch was created from. */
async function baseOf(branch: string, repository: GitRepository): Promise<string | undefined> {
  const remembered = await repository.getBranchBase(branch).catch(() => undefined);
  const known = remembered && nameOf(remembered);
  if (known !== undefined) return known;
  const branches = await repository.getBranches({ remote: false });
  const names = branches.flatMap((each) => (each.name === branch ? [] : (nameOf(each) ?? [])));
  if (names.length === 1) return names[0];
  if (names.length === 0) throw new HumanError(vscode.l10n.t("There is no other branch to compare with."));
  return vscode.window.showQuickPick(names, { title: vscode.l10n.t("Select the Base Branch") });
}

const nameOf = ({ remote, name }: { remote?: string; name?: string }): string | undefined =>
  name === undefined || remote === undefined ? name : `${remote}/${name}`;

async function chooseCommit(repository: GitRepository): Promise<(() => Promise<ToReview>) | undefined> {
  const commits = await repository.log({ maxEntries: maxCommits });
  const rows = commits.map((commit) => ({
    label: commit.message.split("\n", 1)[0] ?? "",
    description: commit.hash.slice(0, 8),
    commit,
  }));
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Select a Commit"),
    matchOnDescription: true,
  });
  if (picked === undefined) return undefined;
  const { hash, parents } = picked.commit;
  return () => between(parents[0] ?? emptyTree, hash, repository);
}

async function between(one: string, other: string, repository: GitRepository): Promise<ToReview> {
  const changes = await repository.diffBetween(one, other);
  const diffs: string[] = [];
  for (const { uri } of changes) diffs.push(await repository.diffBetween(one, other, uri.fsPath));
  // Each diff comes without its last line break.
  return piecesOf(diffs.join("\n"), repository);
}
