// VS Code's Git extension, as far as its API (version 1) is used here: open repositories, their changes, diffs between
// two states, and the input box for the commit message.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";

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

interface GitExtension {
  getAPI(version: 1): {
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
