// "Add Context…" and similar commands in menus: each attaches something to the draft and shows the chat. Nothing is
// sent, and everything attached is visible as a chip.
import * as path from "node:path";
import * as vscode from "vscode";
import type { Attachment } from "../../conversation/state.ts";
import { onlyFiles } from "../../tools/attached-text.ts";
import { commands } from "../manifest.ts";
import { type GitRepository, gitRepository } from "../workspace/git.ts";
import type { Attach } from "./attach.ts";
import { attachDropped } from "./attach-uri.ts";

/** The Git extension's constant for the group of staged changes. */
const stagedGroup = 1;

/** A row of the Source Control view. */
interface Changed {
  readonly uri: vscode.Uri;
  readonly staged: boolean;
}

/** VS Code passes all selected rows as arguments; other extensions could pass anything. */
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

/**
 * Attaches the diff of files chosen in the Source Control view. Untracked files have no diff and are attached as files.
 */
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
    ...named(t("Staged changes"), staged, ofStaged, repository),
    ...named(t("Unstaged changes"), unstaged, ofUnstaged, repository),
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
  onlyFiles(diff, new Set(files.map(({ uri }) => path.posix.relative(rootUri.path, uri.path))));

function named(
  name: string,
  files: readonly Changed[],
  text: string,
  { rootUri }: GitRepository,
): Attachment[] {
  const [only, ...others] = files.map(({ uri }) => path.posix.basename(uri.path));
  if (text === "" || only === undefined) return [];
  const label = others.length === 0 ? `${name}: ${only}` : name;
  return [{ kind: "diff", name: label, text, root: rootUri.toString() }];
}

interface AttachCommandDeps {
  readonly attach: Attach;
  /** Attaches to the draft and shows the chat. */
  add(attachments: readonly Attachment[]): Promise<void>;
}

export function createAttachCommands({ attach, add }: AttachCommandDeps) {
  const picked = (kind: Parameters<Attach["pick"]>[0]) => async () => add(await attach.pick(kind));
  /** The explorer and editor tabs pass the files that are meant; from the palette the user picks. */
  const named = (kind: "file" | "folder") => async (argument: unknown, all: unknown) => {
    const uris = (Array.isArray(all) && all.length > 0 ? all : [argument]).filter(
      (each): each is vscode.Uri => each instanceof vscode.Uri,
    );
    await add(
      await (uris.length > 0 ? attach.dropped(uris.map((uri) => uri.toString())) : attach.pick(kind)),
    );
  };
  return {
    [commands.addContext]: async () => {
      const title = vscode.l10n.t("Add Context");
      const chosen = await vscode.window.showQuickPick(choices(attach), { title });
      if (chosen !== undefined) await add(await chosen.take());
    },
    [commands.attachSelection]: picked("selection"),
    [commands.attachFile]: named("file"),
    [commands.attachFolder]: named("folder"),
    [commands.attachTerminal]: picked("terminal"),
    [commands.attachDiff]: async (...resources: readonly unknown[]) => {
      const changed = changedFiles(resources);
      await add(await (changed.length > 0 ? attachDiffOf(changed) : attach.pick("diff")));
    },
  };
}

interface Choice extends vscode.QuickPickItem {
  take(): Promise<readonly Attachment[]>;
}

function choices({ pick, openEditors }: Attach): Choice[] {
  const t = vscode.l10n.t;
  return [
    { label: `$(file) ${t("Files…")}`, take: () => pick("file") },
    { label: `$(folder) ${t("Folder…")}`, take: () => pick("folder") },
    { label: `$(symbol-class) ${t("Symbol…")}`, take: () => pick("symbol") },
    { label: `$(selection) ${t("Selection")}`, take: () => pick("selection") },
    { label: `$(files) ${t("Open Editors")}`, take: openEditors },
    { label: `$(warning) ${t("Problems")}`, take: () => pick("problems") },
    { label: `$(terminal) ${t("Terminal Text")}`, take: () => pick("terminal") },
    { label: `$(diff) ${t("Changes, Branch or Commit…")}`, take: () => pick("diff") },
    { label: `$(search) ${t("Search Results")}`, take: () => pick("search") },
    { label: `$(comment-discussion) ${t("Earlier Conversation…")}`, take: () => pick("conversation") },
    { label: `$(file-media) ${t("Image…")}`, take: () => pick("image") },
    { label: `$(link) ${t("Image from URL…")}`, take: () => pick("image-url") },
  ];
}
