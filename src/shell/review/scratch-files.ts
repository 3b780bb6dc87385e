// `patchbay-preview:` as files in memory: copies on which VS Code may try edits out, so that what a person ticks in its
// Refactor Preview can be read off them. No file of theirs is touched here.
import * as vscode from "vscode";

export const previewScheme = "patchbay-preview";

export class ScratchFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  #registered: vscode.Disposable | undefined;

  readonly onDidChangeFile = this.#changed.event;

  has(uri: vscode.Uri): boolean {
    return this.#files.has(uri.toString());
  }

  put(uri: vscode.Uri, text: string): void {
    // With a byte order mark VS Code takes it for UTF-8, whatever is set for other files.
    this.#files.set(uri.toString(), Buffer.from(`\uFEFF${text}`));
  }

  /** Only those who ask for a preview need a file system for it. */
  register(): void {
    const options = { isCaseSensitive: true };
    this.#registered ??= vscode.workspace.registerFileSystemProvider(previewScheme, this, options);
  }

  clear(): void {
    this.#files.clear();
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#files.get(uri.toString());
    if (file !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: file.byteLength };
    const below = `${uri.path.replace(/\/$/, "")}/`;
    const isFolder = [...this.#files.keys()].some((name) => vscode.Uri.parse(name).path.startsWith(below));
    if (!isFolder) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.#files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#files.set(uri.toString(), content);
  }

  delete(uri: vscode.Uri): void {
    this.#files.delete(uri.toString());
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    const file = this.readFile(from);
    this.#files.delete(from.toString());
    this.#files.set(to.toString(), file);
  }

  createDirectory(): void {
    // Folders are there where files are.
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  dispose(): void {
    this.#registered?.dispose();
    this.#changed.dispose();
  }
}
