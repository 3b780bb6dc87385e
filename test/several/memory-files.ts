// A file system in memory, as extensions bring them: everything VS Code asks of one, and a step of it can be made to fail.
import * as vscode from "vscode";

export type Step = "writeFile" | "delete" | "rename" | "createDirectory";

export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array | "folder">();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  #time = 1;

  readonly onDidChangeFile = this.#changed.event;
  /** Files that say of themselves that they cannot be written to. */
  readonly locked = new Set<string>();
  /** Fails once. */
  failing: Step | undefined;

  put(path: string, text: string): void {
    this.createFolders(path);
    this.#files.set(path, Buffer.from(text));
  }

  /** Every path with its text. */
  get state(): Record<string, string> {
    return Object.fromEntries(
      [...this.#files].flatMap(([path, found]) =>
        found === "folder" ? [] : [[path, Buffer.from(found).toString("utf8")]],
      ),
    );
  }

  createFolders(path: string): void {
    const steps = path.split("/").slice(1, -1);
    for (let length = 1; length <= steps.length; length++)
      this.#files.set(`/${steps.slice(0, length).join("/")}`, "folder");
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const found = this.#found(path);
    const times = { ctime: 0, mtime: this.#time };
    if (found === "folder") return { type: vscode.FileType.Directory, size: 0, ...times };
    const stat = { type: vscode.FileType.File, size: found.byteLength, ...times };
    return this.locked.has(path) ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const found = this.#found(path);
    if (found === "folder") throw vscode.FileSystemError.FileIsADirectory(path);
    return found;
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const below = path === "/" ? "/" : `${path}/`;
    return [...this.#files].flatMap(([name, found]): [string, vscode.FileType][] => {
      const own = name.slice(below.length);
      if (!name.startsWith(below) || own === "" || own.includes("/")) return [];
      return [[own, found === "folder" ? vscode.FileType.Directory : vscode.FileType.File]];
    });
  }

  writeFile({ path }: vscode.Uri, content: Uint8Array): void {
    this.#step("writeFile");
    this.createFolders(path);
    this.#files.set(path, content);
    this.#tell(path);
  }

  delete({ path }: vscode.Uri): void {
    this.#step("delete");
    this.#found(path);
    for (const name of [...this.#files.keys()])
      if (name === path || name.startsWith(`${path}/`)) this.#files.delete(name);
    this.#tell(path);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.#step("rename");
    const found = this.#found(from.path);
    this.#files.delete(from.path);
    this.createFolders(to.path);
    this.#files.set(to.path, found);
    this.#tell(to.path);
  }

  createDirectory({ path }: vscode.Uri): void {
    this.#step("createDirectory");
    this.createFolders(`${path}/x`);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  #found(path: string): Uint8Array | "folder" {
    const found = path === "/" ? "folder" : this.#files.get(path);
    if (found === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return found;
  }

  #tell(path: string): void {
    this.#time += 1;
    const uri = vscode.Uri.from({ scheme: "test-memory", path });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  #step(step: Step): void {
    if (this.failing !== step) return;
    this.failing = undefined;
    throw vscode.FileSystemError.Unavailable(`${step} failed`);
  }
}
