// A code block of a response as an edit: made a patch of the turn that gave it, and put before a person in the
// same review as the model's own. Which file is meant is read off the code and the editors, or asked; never guessed.
import * as vscode from "vscode";
import type { Workspace } from "../../core/changes/workspace.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { lineEdits } from "../../core/diff/line-edits.ts";
import { pathOf } from "../../core/files/locate.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { FileChange, FileName } from "../../core/patch/model.ts";
import { readPath } from "../../core/patch/paths.ts";
import { printPatch } from "../../core/patch/print.ts";
import { patchOfDiff } from "../../core/patch/unified-diff.ts";
import { patchIn } from "../../core/turn/text-patch.ts";
import { editorInUse } from "../editors.ts";
import { toFileName, toUri } from "../workspace/file-uris.ts";
import { type Lines, namedFile, placeCode, placedIn, withoutBlankEnds } from "./place-code.ts";

export interface ProposeCodeDeps {
  readonly workspace: Workspace;
  turns(): readonly Turn[];
  /** Returns the name of the patch once it waits. */
  propose(turn: string, patch: string): Promise<string>;
  /** Shows a patch, as a person has chosen to see them. */
  review(call: string): Promise<void>;
}

/** The whole text of a file as it would be; none before where there is no file yet. */
interface Wanted {
  readonly file: FileName;
  readonly before: string | undefined;
  readonly after: string;
}

/** An editor in sight that shows a file of the workspace. */
interface Candidate {
  readonly editor: vscode.TextEditor;
  readonly file: FileName;
}

export async function proposeCode(code: string, deps: ProposeCodeDeps): Promise<void> {
  const t = vscode.l10n.t;
  const { workspace } = deps;
  if (!workspace.trusted) throw new HumanError(t("Trust this folder to propose code as an edit."));
  const turn = turnOf(deps.turns(), code);
  const whole = wholePatch(code);
  if (turn !== undefined && whole !== undefined) return deps.review(await deps.propose(turn.id, whole));
  const wanted = turn && (await wantedOf(code.split("\n"), workspace));
  if (turn === undefined || wanted === undefined) return;
  if (wanted.before === wanted.after) throw new HumanError(t("The file already has this text."));
  const patch = printPatch([changeOf(wanted)], (file) => pathOf(file, workspace.folders));
  await deps.review(await deps.propose(turn.id, patch));
}

/** Code that says itself what it changes: a patch, or a diff as Git writes it. */
function wholePatch(code: string): string | undefined {
  const read = patchIn(code);
  if (read.kind === "refused") throw new MessageError(read.why);
  return read.kind === "patch" ? read.patch : patchOfDiff(code);
}

/** Whose response it is; the page says only what the code is. */
function turnOf(turns: readonly Turn[], code: string): Turn | undefined {
  const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  const wanted = plain(code);
  const says = ({ parts }: Turn) =>
    parts.some((part) => part.type === "text" && plain(part.text).includes(wanted));
  return turns.findLast(says) ?? turns.at(-1);
}

function changeOf({ file, before, after }: Wanted): FileChange {
  const permission = { verdict: "allow", reasons: [], real: file.path } as const;
  if (before === undefined) return { kind: "add", file, permission, text: after };
  const base = { text: before, sha256: "", version: undefined };
  return { kind: "update", file, permission, base, edits: lineEdits(before, after), hunks: [] };
}

/** Nothing when the person was asked, and chose nothing. */
async function wantedOf(code: readonly string[], workspace: Workspace): Promise<Wanted | undefined> {
  const candidates = inSight();
  const named = namedFile(code);
  const found = named && (await fileNamed(named.path, candidates, workspace));
  if (named !== undefined && found !== undefined) {
    const { file, isThere } = found;
    if (!isThere) return { file, before: undefined, after: linesText(named.rest) };
    const document = await vscode.workspace.openTextDocument(toUri(file));
    return fitting(document, file, named.rest) ?? chooseWay([{ document, file }], named.rest);
  }
  const fits = candidates.flatMap(({ editor: { document }, file }) => fitting(document, file, code) ?? []);
  const [first, ...others] = fits;
  if (first !== undefined && (others.length === 0 || isChosen(first.file, candidates))) return first;
  if (first !== undefined) return chooseFile(fits, workspace);
  if (candidates.length === 0) throw new HumanError(nowhere());
  const files = candidates.map(({ editor: { document }, file }) => ({ document, file }));
  return chooseWay(files, code);
}

/** The active one comes first: focus may be in the chat, which is no editor. */
function inSight(): readonly Candidate[] {
  const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
  const editors = active === undefined ? visible : [active, ...visible];
  const found = new Map<string, Candidate>();
  for (const editor of editors) {
    const file = toFileName(editor.document.uri);
    const name = editor.document.uri.toString();
    if (file !== undefined && !found.has(name)) found.set(name, { editor, file });
  }
  return [...found.values()];
}

function nowhere(): string {
  const t = vscode.l10n.t;
  const editor = editorInUse();
  return editor === undefined
    ? t("Open the file that this code belongs to, then propose it again.")
    : t(
        "{0} is not a file of this workspace, so an edit of it cannot be reviewed; insert the code at the cursor instead.",
        vscode.workspace.asRelativePath(editor.document.uri),
      );
}

/** By its whole path, else by the end of the path of what is in sight; a name that nothing has is a new file. */
async function fileNamed(
  path: string,
  candidates: readonly Candidate[],
  workspace: Workspace,
): Promise<{ file: FileName; isThere: boolean } | undefined> {
  const read = readPath(path, workspace.folders);
  const standing = read.kind === "named" ? (await workspace.look(read.file)).kind : undefined;
  if (read.kind === "named" && standing === "file") return { file: read.file, isThere: true };
  const ends = candidates.filter(({ file }) => `/${file.path}`.endsWith(`/${path}`));
  const [only, ...others] = ends;
  if (only !== undefined && others.length === 0) return { file: only.file, isThere: true };
  return read.kind === "named" && standing === "nothing" ? { file: read.file, isThere: false } : undefined;
}

/** What the file would be where it is plain which lines are meant. */
function fitting(document: vscode.TextDocument, file: FileName, code: readonly string[]): Wanted | undefined {
  const text = linesOf(document);
  const placed = placeCode(text, code, selectedIn(document));
  return placed && wanted(document, file, placedIn(text, placed));
}

const linesOf = (document: vscode.TextDocument): readonly string[] =>
  Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text);

const wanted = (document: vscode.TextDocument, file: FileName, lines: readonly string[]): Wanted => ({
  file,
  before: document.getText(),
  after: lines.join(document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n"),
});

const linesText = (code: readonly string[]): string => `${withoutBlankEnds(code).join("\n")}\n`;

function selectedIn(document: vscode.TextDocument): Lines | undefined {
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { start, end } = editor.selection;
  // A selection that ends at a line's beginning does not mean that line.
  return { first: start.line, end: end.character === 0 && end.line > start.line ? end.line : end.line + 1 };
}

/** A person has selected lines in the editor in front: nothing is left to ask. */
const isChosen = ({ folder, path }: FileName, [first]: readonly Candidate[]): boolean =>
  first !== undefined &&
  first.file.folder === folder &&
  first.file.path === path &&
  !first.editor.selection.isEmpty;

async function chooseFile(fits: readonly Wanted[], workspace: Workspace): Promise<Wanted | undefined> {
  const items = fits.map((fit) => ({ label: pathOf(fit.file, workspace.folders), fit }));
  const title = vscode.l10n.t("Select the file for this code");
  return (await vscode.window.showQuickPick(items, { title }))?.fit;
}

/** The code fits no lines that are there: what shall become of the file is the person's to say. */
async function chooseWay(
  files: readonly { readonly document: vscode.TextDocument; readonly file: FileName }[],
  code: readonly string[],
): Promise<Wanted | undefined> {
  const t = vscode.l10n.t;
  const own = withoutBlankEnds(code);
  const items = files.flatMap(({ document, file }) => {
    const name = vscode.workspace.asRelativePath(document.uri);
    const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
    const line = editor?.selection.active.line ?? document.lineCount - 1;
    const text = linesOf(document);
    const below = [...text.slice(0, line), ...own, ...text.slice(line)];
    return [
      { label: t("Replace all of {0}", name), fit: wanted(document, file, [...own, ""]) },
      { label: t("Insert above line {0} of {1}", line + 1, name), fit: wanted(document, file, below) },
    ];
  });
  const title = t("Where should this code go?");
  return (await vscode.window.showQuickPick(items, { title }))?.fit;
}
