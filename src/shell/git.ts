// VS Code's own Git extension, as much of its interface (version 1) as is used here: which repositories are open, what
// has changed in them and between two of their states, the box for the commit message.
import * as vscode from "vscode";
import { HumanError } from "../core/messages/human-error.ts";

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  /** Staged changes, or those that are not. */
  diff(staged?: boolean): Promise<string>;
  /** The files that differ between two states, and how one of them does. */
  diffBetween(one: string, other: string): Promise<readonly GitChange[]>;
  diffBetween(one: string, other: string, path: string): Promise<string>;
  /** What a branch was begun from, as far as Git remembers. */
  getBranchBase(name: string): Promise<GitRef | undefined>;
  getMergeBase(one: string, other: string): Promise<string | undefined>;
  getBranches(query: { readonly remote?: boolean }): Promise<readonly GitRef[]>;
  /** Looks again: what `state` says may be a moment old. */
  status(): Promise<void>;
  log(options: { readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  readonly state: {
    readonly HEAD: GitRef | undefined;
    readonly workingTreeChanges: readonly GitChange[];
    /** Where they are listed by themselves. */
    readonly untrackedChanges?: readonly GitChange[];
  };
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

export interface GitRef {
  readonly name?: string;
  readonly remote?: string;
  readonly commit?: string;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
}

/** Its own number for what Git does not follow yet. */
const untracked = 7;

interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** What Git does not follow yet has no diff. Ask after `status()`. */
export function newFilesOf({
  state: { workingTreeChanges, untrackedChanges = [] },
}: GitRepository): vscode.Uri[] {
  return [...workingTreeChanges, ...untrackedChanges].flatMap(({ uri, status }) =>
    status === untracked ? [uri] : [],
  );
}

/** The one that is meant, as far as that can be told; else the one that is open; else a person chooses. */
export async function gitRepository(meant?: vscode.Uri): Promise<GitRepository> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const repositories = (await extension?.activate())?.getAPI(1).repositories ?? [];
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

/** The innermost repository a file lies in: one can lie inside of another. */
function around(file: vscode.Uri, repositories: readonly GitRepository[]): GitRepository | undefined {
  return repositories
    .filter(
      ({ rootUri }) =>
        rootUri.scheme === file.scheme && `${file.path}/`.startsWith(`${rootUri.path.replace(/\/$/, "")}/`),
    )
    .toSorted((one, other) => other.rootUri.path.length - one.rootUri.path.length)[0];
}
