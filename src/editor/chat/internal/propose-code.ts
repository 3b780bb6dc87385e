// Turns a code block of a response into an edit: a patch of the turn that gave it, reviewed like the model's own
// patches. The target file is inferred from the code and the visible editors, or asked for; never guessed.
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { HumanError } from "../../../conversation/messages.ts";
import type { Turn } from "../../../conversation/state.ts";
import { pathOf } from "../../../files/refusal.ts";
import type { Workspace } from "../../../files/workspace.ts";
import { lineEdits } from "../../../patch/edits.ts";
import type { FileChange, FileName } from "../../../patch/model.ts";
import { patchOfDiff } from "../../../patch/parse.ts";
import { readPath } from "../../../patch/paths.ts";
import { printPatch } from "../../../patch/print-patch.ts";
import { patchIn } from "../../../tools/apply-patch.ts";
import { editorInUse } from "../../text-editors.ts";
import { toFileName, toUri } from "../../workspace/file-uris.ts";

interface Lines {
  readonly first: number;
  /** The line after the last one. */
  readonly end: number;
}

interface PlacedCode extends Lines {
  readonly lines: readonly string[];
}

/**
 * Finds where a code block of a response belongs in a text: it replaces the selection, otherwise the lines that begin
 * and end as it does. If that is ambiguous, there is no place; it never guesses. Pure. `selected`: the lines that the
 * user selected. Returns `undefined` if the place is ambiguous.
 */
export function placeCode(
  text: readonly string[],
  code: readonly string[],
  selected: Lines | undefined,
): PlacedCode | undefined {
  const wanted = withoutBlankEnds(code);
  const place = selected ?? linesLike(text, wanted);
  if (place === undefined || wanted.length === 0) return undefined;
  return onlyWhatDiffers(text, place, indentedLike(text.slice(place.first, place.end), wanted));
}

/** The lines of the text with the code in its place. */
const withPlacedCode = (text: readonly string[], { first, end, lines }: PlacedCode): readonly string[] => [
  ...text.slice(0, first),
  ...lines,
  ...text.slice(end),
];

/** Models often name the file in a comment on the first line: returns its path and the code below it. */
export function namedFile(code: readonly string[]): { path: string; rest: readonly string[] } | undefined {
  const [first = "", ...rest] = code;
  const comment = /^(?:\/\/|#|--|;|<!--|\/\*)\s*(?:file:\s*)?([\w@./-]+\.\w+)(?:\s*(?:-->|\*\/))?$/i;
  const path = comment.exec(first.trim())?.[1];
  return path === undefined ? undefined : { path, rest };
}

function withoutBlankEnds(code: readonly string[]): readonly string[] {
  const isWritten = (line: string) => line.trim() !== "";
  return code.slice(Math.max(0, code.findIndex(isWritten)), code.findLastIndex(isWritten) + 1);
}

/** The only range that begins with the first line of the code and ends with its last one, ignoring indentation. */
function linesLike(text: readonly string[], code: readonly string[]): Lines | undefined {
  const indicesOf = (line: string | undefined, from = 0) =>
    text.flatMap((each, index) => (index >= from && each.trim() === line?.trim() ? [index] : []));
  const [first, another] = indicesOf(code[0]);
  if (first === undefined || another !== undefined || code.length < 2) return undefined;
  // "}" occurs in many places: take the one with the indentation of the first line.
  const ends = indicesOf(code.at(-1), first + 1).filter(
    (index) => indentOf(text[index]).length - indentOf(text[first]).length === difference(code),
  );
  const [last] = ends;
  return last === undefined ? undefined : { first, end: last + 1 };
}

const difference = (code: readonly string[]): number =>
  indentOf(code.at(-1)).length - indentOf(code[0]).length;

const indentOf = (line = ""): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** Code in a response starts at column 0; what it replaces may be indented. */
function indentedLike(replaced: readonly string[], code: readonly string[]): readonly string[] {
  const wanted = indentOf(replaced.find((line) => line.trim() !== ""));
  const has = indentOf(code[0]);
  if (!wanted.startsWith(has)) return code;
  const more = wanted.slice(has.length);
  return code.map((line) => (line.trim() === "" ? line : more + line));
}

function onlyWhatDiffers(text: readonly string[], place: Lines, lines: readonly string[]): PlacedCode {
  let { first, end } = place;
  let from = 0;
  let to = lines.length;
  while (first < end && from < to && text[first] === lines[from]) {
    first += 1;
    from += 1;
  }
  while (end > first && to > from && text[end - 1] === lines[to - 1]) {
    end -= 1;
    to -= 1;
  }
  return { first, end, lines: lines.slice(from, to) };
}

export interface ProposeCodeDeps {
  readonly workspace: Workspace;
  turns(): readonly Turn[];
  /** Resolves with the call id of the patch once it is pending. */
  propose(turn: string, patch: string): Promise<string>;
  /** Shows a patch in the user's review style. */
  review(call: string): Promise<void>;
}

/** The full new text of a file; `before` is absent if the file does not exist yet. */
interface Wanted {
  readonly file: FileName;
  readonly before: string | undefined;
  readonly after: string;
}

/** A visible editor of a workspace file. */
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

/** Code that is itself a patch, or a diff in Git's format. */
function wholePatch(code: string): string | undefined {
  const read = patchIn(code);
  if (read.kind === "refused") throw new MessageError(read.why);
  return read.kind === "patch" ? read.patch : patchOfDiff(code);
}

/** Finds the turn by its code, which is all that the page sends. */
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

/** `undefined` if the user was asked and did not choose. */
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

/** The active editor comes first: the focus may be in the chat, which is not an editor. */
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

/**
 * Finds a file by its full path, otherwise by a suffix of the path of a visible editor; an unknown name is a new file.
 */
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

/** The new text of the file if it is clear which lines are replaced. */
function fitting(document: vscode.TextDocument, file: FileName, code: readonly string[]): Wanted | undefined {
  const text = linesOf(document);
  const placed = placeCode(text, code, selectedIn(document));
  return placed && wanted(document, file, withPlacedCode(text, placed));
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
  // A selection that ends at the beginning of a line does not include that line.
  return { first: start.line, end: end.character === 0 && end.line > start.line ? end.line : end.line + 1 };
}

/** The user has selected lines in the editor in front: no question is needed. */
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

/** The code matches no lines of the file, so the user decides what to do with it. */
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
