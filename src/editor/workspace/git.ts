// VS Code's Git extension, as far as its API (version 1) is used here: open repositories, their changes, diffs between
// two states, and the input box for the commit message.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import { plainText, withoutIcons } from "../../util/text.ts";

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  /** The diff of staged changes, or of unstaged ones. */
  diff(staged?: boolean): Promise<string>;
  /** The files that differ between two states, and the diff of one file. */
  diffBetween(one: string, other: string): Promise<readonly GitChange[]>;
  diffBetween(one: string, other: string, path: string): Promise<string>;
  /** The files that differ between a commit and the disk, and the diff of one file or folder. */
  diffWith(ref: string): Promise<readonly GitChange[]>;
  diffWith(ref: string, path: string): Promise<string>;
  blame(path: string): Promise<string>;
  /** What a branch was created from, if Git knows it. */
  getBranchBase(name: string): Promise<GitRef | undefined>;
  getMergeBase(one: string, other: string): Promise<string | undefined>;
  getBranches(query: { readonly remote?: boolean }): Promise<readonly GitRef[]>;
  /** Refreshes `state`, which may be outdated. */
  status(): Promise<void>;
  log(options: { readonly maxEntries: number; readonly path?: string }): Promise<readonly GitCommit[]>;
  readonly state: {
    readonly HEAD: GitRef | undefined;
    readonly workingTreeChanges: readonly GitChange[];
    readonly indexChanges: readonly GitChange[];
    /** Set if untracked files are listed in a group of their own. */
    readonly untrackedChanges?: readonly GitChange[];
    readonly onDidChange: vscode.Event<void>;
  };
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

interface GitRef {
  readonly name?: string;
  readonly remote?: string;
  readonly commit?: string;
}

interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly authorName?: string;
  readonly authorDate?: Date;
}

/** The Git extension's constant for the status "untracked". */
const untracked = 7;

/** Git's empty tree, used as the parent of the first commit. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const maxCommits = 50;
const longestSubject = 100;

interface GitExtension {
  getAPI(version: 1): {
    readonly git: { readonly path: string };
    readonly repositories: readonly GitRepository[];
    readonly onDidOpenRepository: vscode.Event<GitRepository>;
    readonly onDidCloseRepository: vscode.Event<GitRepository>;
  };
}

/** Untracked files, which have no diff. Call after `status()`. */
export function newFilesOf({
  state: { workingTreeChanges, untrackedChanges = [] },
}: GitRepository): vscode.Uri[] {
  return [...workingTreeChanges, ...untrackedChanges].flatMap(({ uri, status }) =>
    status === untracked ? [uri] : [],
  );
}

async function openGit() {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  return (await extension?.activate())?.getAPI(1);
}

const openRepositories = async (): Promise<readonly GitRepository[]> => (await openGit())?.repositories ?? [];

/** Reports whether there are uncommitted changes: now, and after each refresh of Git. */
export async function watchUncommitted(tell: (isAny: boolean) => void): Promise<vscode.Disposable> {
  const git = await openGit();
  if (git === undefined) return { dispose() {} };
  const look = () => tell(git.repositories.some(hasUncommitted));
  const watched = new Map<GitRepository, vscode.Disposable>();
  const follow = (repository: GitRepository) => {
    watched.set(repository, repository.state.onDidChange(look));
    look();
  };
  const leave = (repository: GitRepository) => {
    watched.get(repository)?.dispose();
    watched.delete(repository);
    look();
  };
  const listening = [git.onDidOpenRepository(follow), git.onDidCloseRepository(leave)];
  git.repositories.forEach(follow);
  return {
    dispose() {
      for (const each of [...listening, ...watched.values()]) each.dispose();
    },
  };
}

/** The program that the Git extension uses. */
export const gitProgram = async (): Promise<string | undefined> => (await openGit())?.git.path;

/** Reports when the commit that a repository is at has changed, once Git has finished; `from` is absent for the first one. */
export async function watchHeads(
  tell: (repository: GitRepository, from: string | undefined, to: string) => void,
): Promise<vscode.Disposable> {
  const git = await openGit();
  if (git === undefined) return { dispose() {} };
  const watched = new Map<GitRepository, vscode.Disposable>();
  const follow = (repository: GitRepository) => {
    /** Not known until Git has read it; without a commit where there is none yet. */
    let before = repository.state.HEAD;
    const look = () => {
      const { HEAD: now } = repository.state;
      if (now?.commit === undefined) {
        before ??= now;
        return;
      }
      const known = before;
      before = now;
      if (known !== undefined && known.commit !== now.commit) tell(repository, known.commit, now.commit);
    };
    watched.set(repository, repository.state.onDidChange(look));
  };
  const leave = (repository: GitRepository) => {
    watched.get(repository)?.dispose();
    watched.delete(repository);
  };
  const listening = [git.onDidOpenRepository(follow), git.onDidCloseRepository(leave)];
  git.repositories.forEach(follow);
  return {
    dispose() {
      for (const each of [...listening, ...watched.values()]) each.dispose();
    },
  };
}

const hasUncommitted = ({ state }: GitRepository): boolean =>
  [state.workingTreeChanges, state.indexChanges, state.untrackedChanges ?? []].some(
    ({ length }) => length > 0,
  );

export const hasRepository = async (): Promise<boolean> => (await openRepositories()).length > 0;

/** The repository that `meant` belongs to; otherwise the only open one; otherwise the user chooses. */
export async function gitRepository(meant?: vscode.Uri): Promise<GitRepository> {
  const repositories = await openRepositories();
  const [only, ...others] = repositories;
  if (only === undefined) throw new HumanError(vscode.l10n.t("No Git repository is open."));
  const found = meant && around(meant, repositories);
  if (found !== undefined) return found;
  if (others.length === 0) return only;
  const items = repositories.map((repository) => ({ label: repository.rootUri.path, repository }));
  const title = vscode.l10n.t("Select a Repository");
  const picked = await vscode.window.showQuickPick(items, { title });
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.repository;
}

/** The repository that this file is in; `undefined` if none is open there. */
export const repositoryOf = async (file: vscode.Uri): Promise<GitRepository | undefined> =>
  around(file, await openRepositories());

/** The innermost repository that contains a file, since repositories can be nested. */
function around(file: vscode.Uri, repositories: readonly GitRepository[]): GitRepository | undefined {
  return repositories
    .filter(
      ({ rootUri }) =>
        rootUri.scheme === file.scheme && `${file.path}/`.startsWith(`${rootUri.path.replace(/\/$/, "")}/`),
    )
    .toSorted((one, other) => other.rootUri.path.length - one.rootUri.path.length)[0];
}

/** A range of commits that a person has chosen. Reading it may take a while. */
export interface DiffToRead {
  readonly name: string;
  /** Stops at a file's end once it has `most` characters; nothing is left out without it. */
  read(most?: number): Promise<string>;
}

/** What the checked-out branch has that its base has not; asks for the base where Git does not know it. */
export async function chooseBranch(repository: GitRepository): Promise<DiffToRead | undefined> {
  const t = vscode.l10n.t;
  await repository.status();
  const { HEAD } = repository.state;
  if (HEAD?.name === undefined) throw new HumanError(t("No branch is checked out."));
  const base = await baseOf(HEAD.name, repository);
  if (base === undefined) return undefined;
  return {
    name: t("{0} against {1}", HEAD.name, base),
    async read(most) {
      const since = await repository.getMergeBase(base, "HEAD");
      if (since === undefined) throw new HumanError(t("This branch and {0} have nothing in common.", base));
      return between(since, "HEAD", repository, most);
    },
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

/** What one commit has changed, chosen from the last ones. */
export async function chooseCommit(repository: GitRepository): Promise<DiffToRead | undefined> {
  const commits = await repository.log({ maxEntries: maxCommits });
  const rows = commits.map(({ message, hash, parents }) => {
    const subject = message.split("\n", 1)[0] ?? "";
    return { label: withoutIcons(subject), description: hash.slice(0, 8), subject, hash, parents };
  });
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Select a Commit"),
    matchOnDescription: true,
  });
  if (picked === undefined) return undefined;
  const { subject, description, hash, parents } = picked;
  return {
    name: `${description} ${plainText(subject, longestSubject)}`,
    read: (most) => between(parents[0] ?? emptyTree, hash, repository, most),
  };
}

async function between(
  one: string,
  other: string,
  repository: GitRepository,
  most = Number.POSITIVE_INFINITY,
): Promise<string> {
  const changes = await repository.diffBetween(one, other);
  const diffs: string[] = [];
  let letters = 0;
  for (const { uri } of changes) {
    const diff = await repository.diffBetween(one, other, uri.fsPath);
    diffs.push(diff);
    letters += diff.length;
    if (letters >= most) break;
  }
  // Each diff comes without its last line break.
  return diffs.join("\n");
}

interface PullRequestExtension {
  getRepositoryDescription?(
    file: vscode.Uri,
  ): Promise<{ readonly pullRequest?: { readonly number: number; readonly title: string } } | undefined>;
}

/** The pull request that the GitHub extension has checked out, if it is installed. It alone speaks to GitHub. */
export async function checkedOutPull(
  folder: vscode.Uri,
): Promise<{ readonly number: number; readonly title: string } | undefined> {
  const id = "GitHub.vscode-pull-request-github";
  const extension = vscode.extensions.getExtension<PullRequestExtension>(id);
  if (extension?.isActive !== true) return undefined;
  const found = await extension.exports.getRepositoryDescription?.(folder).catch(() => undefined);
  return found?.pullRequest;
}
