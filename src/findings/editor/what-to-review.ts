// The choices of what to review: the selection, a file, changes. The code comes in pieces: one per file, or one per
// file of a diff.
import * as vscode from "vscode";
import type { Attachment } from "../../conversation/state.ts";
import { attachmentLabel, type Companion } from "../../editor/actions/ask.ts";
import { surroundingsOf } from "../../editor/actions/code-surroundings.ts";
import { documentAttachment, pathInWorkspace } from "../../editor/attach/attach-uri.ts";
import {
  chooseBranch,
  chooseCommit,
  type DiffToRead,
  type GitRepository,
  gitRepository,
  newFilesOf,
} from "../../editor/workspace/git.ts";
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

/** Without a repository there are no staged changes and no branch. */
export function choicesFor(editor: Editor | undefined, hasGit: boolean): readonly Choice[] {
  const t = vscode.l10n.t;
  const repository = () => gitRepository(editor?.document.uri);
  const ofDiff = (staged: boolean) => async () => {
    const chosen = await repository();
    return () => diffOf(chosen, staged);
  };
  const ofRange = (choose: (from: GitRepository) => Promise<DiffToRead | undefined>) => async () => {
    const chosen = await repository();
    const range = await choose(chosen);
    return range && (async () => piecesOf(await range.read(), chosen));
  };
  const ofEditor: Choice[] =
    editor === undefined ? [] : [{ label: t("This file"), choose: async () => () => fileOf(editor) }];
  const ofRepository: Choice[] = [
    { label: t("Staged changes"), choose: ofDiff(true) },
    { label: t("Unstaged changes"), choose: ofDiff(false) },
    { label: t("This branch against its base"), choose: ofRange(chooseBranch) },
    { label: t("A commit…"), choose: ofRange(chooseCommit) },
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
      const attachment = {
        kind: "diff",
        name: path,
        text,
        root: rootUri.toString(),
        role: toReview,
      } as const;
      const uri = vscode.Uri.joinPath(rootUri, path);
      pieces.push({ name: path, uri, companions: [{ role: t("the changes"), attachment }] });
    }
  }
  return { pieces, left };
}
