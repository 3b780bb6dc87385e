// All files and folders of the workspace that may be attached by name. Listed once, at the first use, and kept up by
// what the editor sees come and go; nothing that is never sent is in it. Knows no order among them.

import type { Workspace } from "../changes/workspace.ts";
import { type GuardedFolder, guardFiles } from "../files/guarded-files.ts";
import { ignoreFileName, type PrivacySettings } from "../files/privacy.ts";
import { unlessTooLarge } from "../files/refusal.ts";
import {
  gitIgnoreFile,
  isLeftOut,
  type Layer,
  layerOf,
  newReport,
  unlessRefused,
  walk,
} from "../files/walk.ts";
import type { FileName } from "../patch/model.ts";
import { type Disposable, Disposables } from "../util/disposables.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { PathTable } from "./path-table.ts";

/** What the editor itself knows of the files of the workspace. */
export interface FileFinder {
  /**
   * The paths, in their folder, of all files at or below a place, without those that its search leaves out; none where
   * nothing is there, or where it cannot search.
   */
  find(place: FileName, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether its search heeds ignore files in this folder. */
  heedsIgnoreFiles(folder: string): boolean;
  /** Something came or went there, or an ignore file says something else. */
  onChange(listener: (place: FileName) => void): Disposable;
  /** Files that are open or were lately, the latest first. */
  recent(): readonly FileName[];
}

export interface FileIndexDeps {
  readonly workspace: Workspace;
  readonly finder: FileFinder | undefined;
  privacy(): PrivacySettings;
}

/** One folder of the workspace, and what its ignore files say of the folders in it. */
export interface Root {
  readonly folder: GuardedFolder;
  readonly heeds: boolean;
  readonly verdicts: Map<string, FolderVerdict>;
}

interface FolderVerdict {
  readonly isShown: boolean;
  readonly layers: readonly Layer[];
}

/** A file or folder. */
export interface Entry {
  /** How it is written; a folder ends with "/". */
  readonly path: string;
  readonly root: Root;
  readonly file: FileName;
  /** Found out when it is asked for: most files are never looked at. */
  isShown: boolean | undefined;
}

/** More changes at once than are looked at one by one: a branch was switched, packages were installed. */
const maxChanges = 200;

export class FileIndex implements Disposable {
  readonly #deps: FileIndexDeps;
  readonly #owned = new Disposables();
  readonly #ended = new AbortController();
  readonly #changed = new Map<string, FileName>();
  #files = new PathTable<Entry>();
  #roots = new Map<string, Root>();
  /** What the list was made for: other folders or rules make another one. */
  #madeFor: string | undefined;
  #updating: Promise<void> | undefined;

  constructor(deps: FileIndexDeps) {
    this.#deps = deps;
    this.#owned.add({ dispose: () => this.#ended.abort() });
  }

  /** Whether an update is a matter of moments. */
  get isListed(): boolean {
    return this.#madeFor === this.#wanted() && this.#changed.size <= maxChanges;
  }

  /** As far as is known. What is listed again is another table. */
  get files(): PathTable<Entry> {
    return this.#madeFor === this.#wanted() ? this.#files : nothing;
  }

  /** Those of recent files, also of such as an ignore file leaves out. Only once the list was asked for. */
  recent(): readonly Entry[] {
    return (this.#deps.finder?.recent() ?? []).flatMap((file) => {
      const root = this.#roots.get(file.folder);
      if (root === undefined || root.folder.hides(file, false)) return [];
      const path = root.folder.nameOf(file);
      return [this.#files.find(path) ?? { path, root, file, isShown: true }];
    });
  }

  isShown(entry: Entry): boolean {
    entry.isShown ??= mayBeShown(entry);
    return entry.isShown;
  }

  /** What turned out not to be shown. */
  drop(entries: readonly Entry[]): void {
    for (const { path } of entries) this.#files.delete(path);
  }

  /** Resolves when everything is in it that is there by now. */
  update(): Promise<void> {
    this.#updating ??= this.#bringUp().finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  /** Reads the rules, so that recent files can be told from those that are never sent. */
  async prepare(): Promise<void> {
    const wanted = this.#wanted();
    if (this.#madeFor === wanted || this.#roots.size > 0) return;
    await this.#enterAll();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #wanted(): string {
    const { workspace, privacy } = this.#deps;
    const { ignore, alsoIgnore } = privacy();
    return JSON.stringify([workspace.folders, ignore, alsoIgnore]);
  }

  async #bringUp(): Promise<void> {
    if (this.#madeFor === undefined) this.#listen();
    if (!this.isListed) await this.#listAll();
    else await this.#lookAtChanges();
  }

  #listen(): void {
    const { finder } = this.#deps;
    this.#madeFor = "";
    if (finder === undefined) return;
    this.#owned.add(
      finder.onChange((place) => {
        const name = place.path.slice(place.path.lastIndexOf("/") + 1);
        if (name === gitIgnoreFile || name === ignoreFileName) this.#madeFor = "";
        // More than so many are not looked at one by one: they need not be known.
        if (this.#changed.size <= maxChanges) this.#changed.set(JSON.stringify(place), place);
      }),
    );
  }

  async #enterAll(): Promise<void> {
    const { workspace, finder, privacy } = this.#deps;
    const files = guardFiles(workspace, privacy);
    const roots = new Map<string, Root>();
    for (const name of files.folders) {
      const path = files.folders.length === 1 ? "." : name;
      const folder = await files.enter(path, this.#ended.signal).catch(unlessRefused);
      const heeds = finder?.heedsIgnoreFiles(name) ?? true;
      if (folder !== undefined) roots.set(name, { folder, heeds, verdicts: new Map() });
    }
    this.#roots = roots;
  }

  async #listAll(): Promise<void> {
    const madeFor = this.#wanted();
    // What changes from now on is looked at afterwards.
    this.#changed.clear();
    await this.#enterAll();
    const files = new PathTable<Entry>();
    for (const root of this.#roots.values()) await this.#listRoot(files, root);
    this.#files = files;
    this.#madeFor = madeFor;
  }

  async #listRoot(files: PathTable<Entry>, root: Root): Promise<void> {
    const { start } = root.folder;
    const { finder } = this.#deps;
    // A search that fails is as good as none: the folder is gone through.
    const found = (await finder?.find(start, this.#ended.signal).catch(() => [])) ?? [];
    if (found.length > 0) return this.#addFound(files, root, found);
    const pause = inSteps(this.#ended.signal);
    const time = { signal: this.#ended.signal, due: this.#ended.signal };
    for await (const { file } of walk(root.folder, newReport(), time)) {
      await pause();
      add(files, { path: root.folder.nameOf(file), root, file, isShown: true });
    }
  }

  async #addFound(files: PathTable<Entry>, root: Root, paths: readonly string[]): Promise<void> {
    const pause = inSteps(this.#ended.signal, slice);
    const ignoring = new Set(root.heeds ? paths.flatMap(folderOfIgnoreFile) : []);
    for (const path of paths) {
      await pause();
      const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      const verdict = root.verdicts.get(parent) ?? (await this.#verdict(root, parent, ignoring));
      if (!verdict.isShown) continue;
      const file = { folder: root.folder.start.folder, path };
      add(files, { path: root.folder.nameOf(file), root, file, isShown: undefined });
    }
  }

  /** Of a folder and, before it, of those above. */
  async #verdict(root: Root, path: string, ignoring: ReadonlySet<string>): Promise<FolderVerdict> {
    const known = root.verdicts.get(path);
    if (known !== undefined) return known;
    const file = { folder: root.folder.start.folder, path };
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const above = path === "" ? shown : await this.#verdict(root, parent, ignoring);
    const isOut = !above.isShown || (path !== "" && isOutside(root, above.layers, file));
    const own = isOut || !ignoring.has(path) ? [] : await layerOf(root.folder, file).catch(unlessTooLarge);
    const verdict = {
      isShown: !isOut && own !== undefined,
      layers: own === undefined || own.length === 0 ? above.layers : [...own, ...above.layers],
    };
    root.verdicts.set(path, verdict);
    return verdict;
  }

  async #lookAtChanges(): Promise<void> {
    const places = [...this.#changed.values()];
    this.#changed.clear();
    for (const place of places) {
      const root = this.#roots.get(place.folder);
      if (root === undefined) continue;
      await this.#forget(root, place);
      const found = (await this.#deps.finder?.find(place, this.#ended.signal)) ?? [];
      await this.#addFound(this.#files, root, found);
    }
  }

  async #forget(root: Root, place: FileName): Promise<void> {
    const path = root.folder.nameOf(place);
    if (this.#files.delete(path) || !this.#files.has(`${path}/`)) return;
    const pause = inSteps(this.#ended.signal, slice);
    for (const other of this.#files.paths) {
      await pause();
      if (other.startsWith(`${path}/`)) this.#files.delete(other);
    }
  }
}

/** With the folders it lies in. */
function add(files: PathTable<Entry>, entry: Entry): void {
  files.add(entry.path, entry);
  const { root, file } = entry;
  for (let at = file.path.lastIndexOf("/"); at > 0; at = file.path.lastIndexOf("/", at - 1)) {
    const folder = { folder: file.folder, path: file.path.slice(0, at) };
    const path = `${root.folder.nameOf(folder)}/`;
    if (files.has(path)) return;
    files.add(path, { path, root, file: folder, isShown: true });
  }
}

function mayBeShown({ root, file }: Entry): boolean {
  const parent = file.path.slice(0, Math.max(0, file.path.lastIndexOf("/")));
  const layers = root.verdicts.get(parent)?.layers ?? [];
  return !root.folder.hides(file, false) && !isLeftOut(layers, file.path, false);
}

const nothing = new PathTable<Entry>();

/** Somebody is typing meanwhile. */
const slice = 8;

const shown: FolderVerdict = { isShown: true, layers: [] };

const isOutside = ({ folder, heeds }: Root, layers: readonly Layer[], file: FileName): boolean =>
  folder.hides(file, true) || (heeds && isLeftOut(layers, file.path, true));

/** The folder that an ignore file is about. */
function folderOfIgnoreFile(path: string): string[] {
  if (path === gitIgnoreFile) return [""];
  return path.endsWith(`/${gitIgnoreFile}`) ? [path.slice(0, -gitIgnoreFile.length - 1)] : [];
}
