// What carrying out a plan asks of the editor, for tests without one: documents in front of files on a real disk, one
// WorkspaceEdit and save, in the steps in which VS Code takes them. It trusts every path that it is given, as VS Code
// does: each of its steps goes by the name again. Unit tests find it where the product imports "vscode".
import { access, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

export class Uri {
  readonly scheme = "file";
  readonly authority = "";
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static file = (path: string): Uri => new Uri(resolve(path));
  static joinPath = (uri: Uri, ...names: readonly string[]): Uri => new Uri(join(uri.path, ...names));

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `file://${this.path}`;
  }
}

interface Position {
  readonly offset: number;
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position) {
    [this.start, this.end] = [start, end];
  }
}

export const TextEdit = {
  replace: (range: Range, newText: string) => ({ range, newText }),
};

type Step =
  | { readonly kind: "text"; readonly uri: Uri; readonly range: Range; readonly text: string }
  | { readonly kind: "create"; readonly uri: Uri; readonly contents: Uint8Array }
  | { readonly kind: "rename"; readonly uri: Uri; readonly to: Uri }
  | { readonly kind: "delete"; readonly uri: Uri };

export class WorkspaceEdit {
  readonly steps: Step[] = [];

  get size(): number {
    return this.steps.length;
  }

  replace(uri: Uri, range: Range, text: string): void {
    this.steps.push({ kind: "text", uri, range, text });
  }

  createFile(uri: Uri, { contents }: { readonly contents: Uint8Array }): void {
    this.steps.push({ kind: "create", uri, contents });
  }

  renameFile(uri: Uri, to: Uri): void {
    this.steps.push({ kind: "rename", uri, to });
  }

  deleteFile(uri: Uri): void {
    this.steps.push({ kind: "delete", uri });
  }
}

class Document {
  readonly uri: Uri;
  readonly encoding = "utf8";
  isDirty: boolean;
  isClosed = false;
  version = 1;
  #text: string;

  constructor(uri: Uri, text: string, isDirty = false) {
    this.uri = uri;
    this.#text = text;
    this.isDirty = isDirty;
  }

  getText = (): string => this.#text;

  positionAt = (offset: number): Position => ({ offset });

  put(text: string): void {
    this.#text = text;
    this.version += 1;
    this.isDirty = true;
  }

  /** In place, as VS Code writes a file that is there. */
  async save(): Promise<boolean> {
    if (!this.isDirty) return true;
    await access(this.uri.path);
    await writeFile(this.uri.path, this.#text);
    this.isDirty = false;
    return true;
  }
}

let root = "";
const documents = new Map<string, Document>();

/** A window with one folder, and nothing open. */
export function openFolder(path: string): void {
  root = path;
  documents.clear();
}

async function openTextDocument(uri: Uri): Promise<Document> {
  const known = documents.get(uri.path);
  if (known !== undefined) return known;
  const opened = new Document(uri, await readFile(uri.path, "utf8"));
  documents.set(uri.path, opened);
  return opened;
}

/** Texts first and all at once, then files one by one; it stops where a step fails, and leaves what is done. */
async function applyEdit({ steps }: WorkspaceEdit): Promise<boolean> {
  const texts = steps.filter((step) => step.kind === "text");
  for (const path of new Set(texts.map(({ uri }) => uri.path))) {
    const document = await openTextDocument(Uri.file(path));
    const own = texts.filter(({ uri }) => uri.path === path);
    own.sort((one, other) => other.range.start.offset - one.range.start.offset);
    const now = own.reduce(
      (text, { range, text: put }) => text.slice(0, range.start.offset) + put + text.slice(range.end.offset),
      document.getText(),
    );
    document.put(now);
  }
  for (const step of steps) await onFiles(step);
  return true;
}

async function onFiles(step: Step): Promise<void> {
  if (step.kind === "create") {
    await refuseExisting(step.uri);
    await mkdir(dirname(step.uri.path), { recursive: true });
    await writeFile(step.uri.path, step.contents);
  } else if (step.kind === "rename") {
    await moveFile(step.uri, step.to);
  } else if (step.kind === "delete") {
    await stat(step.uri.path);
    await rm(step.uri.path);
    close(step.uri);
  }
}

async function moveFile(uri: Uri, to: Uri): Promise<void> {
  await stat(uri.path);
  await refuseExisting(to);
  await mkdir(dirname(to.path), { recursive: true });
  await rename(uri.path, to.path);
  const moved = close(uri);
  if (moved !== undefined) documents.set(to.path, new Document(to, moved.getText(), moved.isDirty));
}

function close(uri: Uri): Document | undefined {
  const open = documents.get(uri.path);
  if (open !== undefined) open.isClosed = true;
  documents.delete(uri.path);
  return open;
}

async function refuseExisting(uri: Uri): Promise<void> {
  const exists = await access(uri.path).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${uri.path} already exists.`);
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

export class TabInputCustom {}

export class TabInputText {}

export class TabInputTextDiff {}

export const Disposable = { from: () => ({ dispose: () => undefined }) };

const unheard = () => Disposable.from();

export class RelativePattern {}

export const languages = { match: () => 0 };

export const window = { tabGroups: { all: [] }, state: { focused: true } };

export const l10n = { t: (sentence: string) => sentence };

export const commands = { executeCommand: async () => undefined };

export const workspace = {
  isTrusted: true,
  notebookDocuments: [],
  get workspaceFolders() {
    return [{ name: "work", index: 0, uri: Uri.file(root) }];
  },
  getWorkspaceFolder: () => workspace.workspaceFolders[0],
  get textDocuments() {
    return [...documents.values()];
  },
  asRelativePath: ({ path }: Uri) => relative(root, path),
  getConfiguration: () => ({ get: () => undefined }),
  encode: async (text: string) => Buffer.from(text),
  decode: async (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  onDidChangeTextDocument: unheard,
  onDidCloseTextDocument: unheard,
  openTextDocument,
  applyEdit,
  fs: {
    isWritableFileSystem: () => true,
    readFile: ({ path }: Uri) => readFile(path),
    writeFile: ({ path }: Uri, bytes: Uint8Array) => writeFile(path, bytes),
    stat: ({ path }: Uri) => stat(path),
    delete: async ({ path }: Uri) => ((await stat(path)).isDirectory() ? rmdir(path) : rm(path)),
    rename: (uri: Uri, to: Uri) => moveFile(uri, to),
    readDirectory: async ({ path }: Uri) => (await readdir(path)).map((name) => [name, FileType.Unknown]),
  },
};
