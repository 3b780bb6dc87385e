// The diff of files that were chosen in the Source Control view. What Git does not follow yet has no diff: it goes as
// a file.
import * as path from "node:path";
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { onlyOf } from "../../core/tools/diff-files.ts";
import { type GitRepository, gitRepository } from "../git.ts";
import { attachDropped } from "./attach-uri.ts";

/** The Git extension's own number for what is staged. */
const stagedGroup = 1;

/** One line of the Source Control view. */
interface Changed {
  readonly uri: vscode.Uri;
  readonly staged: boolean;
}

/** VS Code hands over all that is selected, one after the other; anybody else can hand over anything. */
export function changedFiles(all: readonly unknown[]): readonly Changed[] {
  return all.flat().flatMap((each) => {
    if (typeof each !== "object" || each === null || !("resourceUri" in each)) return [];
    const { resourceUri } = each;
    if (!(resourceUri instanceof vscode.Uri)) return [];
    return [
      { uri: resourceUri, staged: "resourceGroupType" in each && each.resourceGroupType === stagedGroup },
    ];
  });
}

export async function attachDiffOf(changed: readonly Changed[]): Promise<readonly Attachment[]> {
  const repository = await gitRepository(changed[0]?.uri);
  const t = vscode.l10n.t;
  const [staged, unstaged] = [changed.filter((each) => each.staged), changed.filter((each) => !each.staged)];
  const [ofStaged, ofUnstaged] = await Promise.all([
    diffOf(staged, repository, true),
    diffOf(unstaged, repository, false),
  ]);
  const unknown = unstaged.filter(
    (each) => ofUnstaged === "" || diffIn(ofUnstaged, [each], repository) === "",
  );
  return [
    ...named(t("Staged changes"), staged, ofStaged),
    ...named(t("Unstaged changes"), unstaged, ofUnstaged),
    ...(await attachDropped(unknown.map(({ uri }) => uri.toString()))),
  ];
}

async function diffOf(
  files: readonly Changed[],
  repository: GitRepository,
  staged: boolean,
): Promise<string> {
  return files.length === 0 ? "" : diffIn(await repository.diff(staged), files, repository);
}

const diffIn = (diff: string, files: readonly Changed[], { rootUri }: GitRepository): string =>
  onlyOf(diff, new Set(files.map(({ uri }) => path.posix.relative(rootUri.path, uri.path))));

function named(name: string, files: readonly Changed[], text: string): Attachment[] {
  const [only, ...others] = files.map(({ uri }) => path.posix.basename(uri.path));
  if (text === "" || only === undefined) return [];
  return [{ kind: "diff", name: others.length === 0 ? `${name}: ${only}` : name, text }];
}
