// Watches files on disk for changes by anyone: a terminal, Git, another program.
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import type { FileName } from "../../patch/model.ts";
import { findUri } from "./file-uris.ts";

/** This many folders cost next to nothing; a system may allow only a few thousand for all programs. */
const maxFolders = 200;

/**
 * Watches files on this machine's disk through their folders, without delay. VS Code's own watcher covers every kind of
 * disk, but collects events for some hundred milliseconds first. Nothing is reported on Windows, for folders that do
 * not exist yet, or when the system's limit of watches is reached.
 */
export class FolderWatch {
  readonly #changed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** The watched names by folder. */
  #names: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Watches these paths from now on, and no others. */
  follow(paths: Iterable<string>): void {
    const names = new Map<string, Set<string>>();
    for (const path of paths) {
      const folder = dirname(path);
      const known = names.get(folder);
      if (known !== undefined) known.add(basename(path));
      else if (names.size < maxFolders) names.set(folder, new Set([basename(path)]));
    }
    this.#names = names;
    for (const folder of [...this.#watchers.keys()]) if (!names.has(folder)) this.#drop(folder);
    this.listen();
  }

  /** Retries folders that did not exist before. */
  listen(): void {
    for (const folder of this.#names.keys()) if (!this.#watchers.has(folder)) this.#listen(folder);
  }

  dispose(): void {
    for (const folder of [...this.#watchers.keys()]) this.#drop(folder);
    this.#names = new Map();
  }

  #listen(folder: string): void {
    // On Windows, a watched folder could not be renamed or removed by anyone.
    if (process.platform === "win32") return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        // An event about the folder itself: it is gone, and a new folder of that name needs a new watch.
        const isGone = name === basename(folder) && this.#names.get(folder)?.has(name) !== true;
        if (isGone) this.#drop(folder);
        if (isGone || name === null || this.#names.get(folder)?.has(name) === true) this.#changed();
      });
      watcher.on("error", () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // It does not exist, or the limit of watches is reached.
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

/**
 * Reports that some of the given files may have changed. One watcher per workspace folder, which VS Code watches
 * anyway, so that many files cost no more than one. Does not report what VS Code is configured not to watch
 * (`files.watcherExclude`). On this machine's disk, the folders of the files are watched as well, which is faster.
 */
export class FileWatch {
  readonly #changed: () => void;
  readonly #near: FolderWatch;
  #followed = "";
  /** By the URI of the folder. */
  readonly #watchers = new Map<string, vscode.Disposable>();
  /** The watched files and all their parent folders: if a folder is deleted, VS Code reports only the folder. */
  #places: ReadonlySet<string> = new Set();

  constructor(changed: () => void) {
    this.#changed = changed;
    this.#near = new FolderWatch(changed);
  }

  /** Watches these files from now on, and no others. */
  follow(files: readonly FileName[]): void {
    const followed = files.map(({ folder, path }) => `${folder}\0${path}`).join("\0");
    if (followed === this.#followed) {
      this.#near.listen();
      return;
    }
    this.#followed = followed;
    const roots = new Map<string, vscode.Uri>();
    const places = new Set<string>();
    const onDisk: string[] = [];
    for (const { folder, path } of files) {
      const root = roots.get(folder) ?? findUri({ folder, path: "" });
      if (root === undefined) continue;
      roots.set(folder, root);
      const steps = path.split("/");
      for (let length = steps.length; length > 0; length -= 1) {
        const uri = vscode.Uri.joinPath(root, ...steps.slice(0, length));
        const place = uri.toString();
        if (places.has(place)) break;
        places.add(place);
        if (uri.scheme === "file") onDisk.push(uri.fsPath);
      }
    }
    this.#places = places;
    this.#near.follow(onDisk);
    const wanted = new Map([...roots.values()].map((root) => [root.toString(), root]));
    for (const [name, watcher] of this.#watchers) {
      if (wanted.has(name)) continue;
      watcher.dispose();
      this.#watchers.delete(name);
    }
    for (const [name, root] of wanted)
      if (!this.#watchers.has(name)) this.#watchers.set(name, this.#watch(root));
  }

  /** Whether it is one of the files, or a folder above one. */
  has(uri: vscode.Uri): boolean {
    return this.#places.has(uri.toString());
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#watchers.clear();
    this.#near.dispose();
  }

  #watch(root: vscode.Uri): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(root, "**/*"));
    const tell = (uri: vscode.Uri) => {
      if (this.has(uri)) this.#changed();
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(tell),
      watcher.onDidChange(tell),
      watcher.onDidDelete(tell),
    );
  }
}
