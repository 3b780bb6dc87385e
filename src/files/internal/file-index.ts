// An index of all files and folders of the workspace that may be attached by name. Built at first use and updated when
// the editor reports changes; files that must never be sent are not in it. Unordered.

import type { FileName } from "../../patch/model.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { type Disposable, Disposables } from "../../util/disposables.ts";
import { gitIgnoreFile, isLeftOut, type Layer, layerOf } from "../git-ignore.ts";
import { type GuardedFolder, guardFiles } from "../guarded-files.ts";
import { ignoreFileName, type PrivacySettings } from "../privacy.ts";
import { unlessTooLarge } from "../refusal.ts";
import { newReport, unlessRefused, walk } from "../walk.ts";
import type { FileFinder, Workspace } from "../workspace.ts";
import { PathTable } from "./path-table.ts";

export interface FileIndexDeps {
  readonly workspace: Workspace;
  readonly finder: FileFinder | undefined;
  privacy(): PrivacySettings;
}

/** One folder of the workspace, with cached results of its ignore files for the folders in it. */
interface Root {
  readonly folder: GuardedFolder;
  readonly heeds: boolean;
  readonly verdicts: Map<string, FolderVerdict>;
  /** Whether the names of recent files are excluded; cached because this is asked at every keystroke. */
  readonly hidden: Map<string, boolean>;
  /** Names of links, by the folder that contains them. */
  readonly links: Map<string, Promise<ReadonlySet<string>>>;
}

interface FolderVerdict {
  readonly isShown: boolean;
  readonly layers: readonly Layer[];
}

/** A file or folder. */
export interface Entry {
  /** The path as it is shown; a folder's ends with "/". */
  readonly path: string;
  readonly root: Root;
  readonly file: FileName;
  /** Determined when needed, because most files are never looked at. */
  isShown: Promise<boolean> | undefined;
}

/** Beyond this number of changes at once the files are listed again: a branch was switched, packages were installed. */
const maxChanges = 200;

export class FileIndex implements Disposable {
  readonly #deps: FileIndexDeps;
  readonly #owned = new Disposables();
  readonly #ended = new AbortController();
  readonly #changed = new Map<string, FileName>();
  #files = new PathTable<Entry>();
  #roots = new Map<string, Root>();
  /** The folders and rules that the list was built for; others require a new list. */
  #madeFor: string | undefined;
  /** The same for the folders alone, which are entered before they are listed. */
  #enteredFor: string | undefined;
  /** How often ignore files have changed. */
  #rulesChanged = 0;
  #updating: Promise<void> | undefined;

  constructor(deps: FileIndexDeps) {
    this.#deps = deps;
    this.#owned.add({ dispose: () => this.#ended.abort() });
  }

  /** Whether an update would take only a moment. */
  get isListed(): boolean {
    return this.#madeFor === this.#wanted() && this.#changed.size <= maxChanges;
  }

  /** The files known so far; empty if folders or rules have changed. A new listing creates another table. */
  get files(): PathTable<Entry> {
    return this.#madeFor === this.#wanted() ? this.#files : nothing;
  }

  /** Recent files, including those that an ignore file excludes. Empty until the list was first requested. */
  recent(): readonly Entry[] {
    return (this.#deps.finder?.recent() ?? []).flatMap((file) => {
      const root = this.#roots.get(file.folder);
      if (root === undefined || isHidden(root, file)) return [];
      const path = root.folder.nameOf(file);
      return [this.#files.find(path) ?? { path, root, file, isShown: undefined }];
    });
  }

  isShown(entry: Entry): Promise<boolean> {
    entry.isShown ??= this.#mayBeShown(entry);
    return entry.isShown;
  }

  /** Removes entries that turned out not to be shown. */
  drop(entries: readonly Entry[]): void {
    for (const { path } of entries) this.#files.delete(path);
  }

  /** Resolves when the index contains everything that exists by now. */
  update(): Promise<void> {
    this.#updating ??= this.#bringUp().finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  /** Reads the rules, so that recent files that are never sent can be excluded. */
  async prepare(): Promise<void> {
    if (this.#enteredFor !== this.#wanted()) await this.#enterAll();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #mayBeShown(entry: Entry): Promise<boolean> {
    const { root, file, path } = entry;
    const isFolder = path.endsWith("/");
    // An open file is shown although Git ignores it; it is then not in the list.
    if (!isFolder && this.#files.find(path) === entry) {
      const layers = root.verdicts.get(folderOf(file.path))?.layers ?? [];
      if (root.folder.hides(file, false) || isLeftOut(layers, file.path, false)) return false;
    }
    return !(await this.#hasLink(root, file)) || this.#leadsToOwn(entry);
  }

  /** Whether the file, or a folder above it, is a link. */
  async #hasLink(root: Root, { folder, path }: FileName): Promise<boolean> {
    let above = "";
    for (const name of path.split("/").filter((step) => step !== "")) {
      if ((await this.#linksIn(root, { folder, path: above })).has(name)) return true;
      above = above === "" ? name : `${above}/${name}`;
    }
    return false;
  }

  #linksIn({ links }: Root, folder: FileName): Promise<ReadonlySet<string>> {
    const known = links.get(folder.path);
    if (known !== undefined) return known;
    const reading = this.#deps.workspace.list(folder).then(
      (entries) => new Set(entries.flatMap(({ name, kind }) => (kind === "link" ? [name] : []))),
      () => new Set<string>(),
    );
    links.set(folder.path, reading);
    return reading;
  }

  /** For a link: whether its target may be read and is not already listed under its own name. */
  async #leadsToOwn({ root, file, path }: Entry): Promise<boolean> {
    const isFolder = path.endsWith("/");
    const { real, guarded } = await this.#deps.workspace.look(file);
    if (real === undefined || guarded || root.folder.hides({ ...file, path: real }, isFolder)) return false;
    const name = root.folder.nameOf({ ...file, path: real });
    return real === file.path || !this.#files.has(isFolder ? `${name}/` : name);
  }

  #wanted(): string {
    const { workspace, privacy } = this.#deps;
    const { ignore, alsoIgnore } = privacy();
    return JSON.stringify([workspace.folders, ignore, alsoIgnore, this.#rulesChanged]);
  }

  async #bringUp(): Promise<void> {
    if (this.#madeFor === undefined) this.#listen();
    if (this.isListed) return this.#lookAtChanges();
    await this.#listAll();
    // Rules may have changed meanwhile. Where they go on changing, as during an installation, the next question lists again.
    if (this.#madeFor !== this.#wanted()) await this.#listAll();
  }

  #listen(): void {
    const { finder } = this.#deps;
    this.#madeFor = "";
    if (finder === undefined) return;
    this.#owned.add(
      finder.onChange((place) => {
        const name = place.path.slice(place.path.lastIndexOf("/") + 1);
        if (name === gitIgnoreFile || name === ignoreFileName) this.#rulesChanged++;
        // Beyond this number they are not handled one by one, so there is no need to record them.
        if (this.#changed.size <= maxChanges) this.#changed.set(JSON.stringify(place), place);
      }),
    );
  }

  async #enterAll(): Promise<void> {
    const { workspace, finder, privacy } = this.#deps;
    const enteredFor = this.#wanted();
    const files = guardFiles(workspace, privacy);
    const roots = new Map<string, Root>();
    for (const name of files.folders) {
      const path = files.folders.length === 1 ? "." : name;
      const folder = await files.enter(path, this.#ended.signal).catch(unlessRefused);
      const heeds = finder?.heedsIgnoreFiles(name) ?? true;
      if (folder !== undefined)
        roots.set(name, { folder, heeds, verdicts: new Map(), hidden: new Map(), links: new Map() });
    }
    this.#roots = roots;
    this.#enteredFor = enteredFor;
  }

  async #listAll(): Promise<void> {
    const madeFor = this.#wanted();
    // Changes from now on are handled afterwards.
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
    // If the search fails, the folder is walked instead.
    const found = (await finder?.find(start, this.#ended.signal).catch(() => [])) ?? [];
    if (found.length > 0) return this.#addFound(files, root, found);
    const pause = createYieldPoint(this.#ended.signal);
    const time = { signal: this.#ended.signal, due: this.#ended.signal };
    for await (const { file } of walk(root.folder, newReport(), time)) {
      await pause();
      add(files, { path: root.folder.nameOf(file), root, file, isShown: undefined });
    }
  }

  async #addFound(files: PathTable<Entry>, root: Root, paths: readonly string[]): Promise<void> {
    const pause = createYieldPoint(this.#ended.signal, slice);
    const ignoring = new Set(root.heeds ? paths.flatMap(folderOfIgnoreFile) : []);
    for (const path of paths) {
      await pause();
      const parent = folderOf(path);
      const verdict = root.verdicts.get(parent) ?? (await this.#verdict(root, parent, ignoring));
      if (!verdict.isShown) continue;
      const file = { folder: root.folder.start.folder, path };
      add(files, { path: root.folder.nameOf(file), root, file, isShown: undefined });
    }
  }

  /** The verdict of a folder; those of its parents are determined first. */
  async #verdict(root: Root, path: string, ignoring: ReadonlySet<string>): Promise<FolderVerdict> {
    const known = root.verdicts.get(path);
    if (known !== undefined) return known;
    const file = { folder: root.folder.start.folder, path };
    const parent = folderOf(path);
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
    const places = [...this.#changed];
    this.#changed.clear();
    const mayBeEmpty = new Set<string>();
    for (const [key, place] of places) {
      const root = this.#roots.get(place.folder);
      if (root === undefined) continue;
      await this.#forget(root, place);
      const found = await this.#deps.finder?.find(place, this.#ended.signal).catch(() => undefined);
      // If the search fails, the next question asks again.
      if (found === undefined) this.#changed.set(key, place);
      else if (found.length === 0) for (const path of foldersAbove(root, place)) mayBeEmpty.add(path);
      else await this.#addFound(this.#files, root, found);
    }
    await this.#dropEmpty(mayBeEmpty);
  }

  /** Folders are listed as long as there is a file in them. */
  async #dropEmpty(folders: Set<string>): Promise<void> {
    if (folders.size === 0) return;
    const pause = createYieldPoint(this.#ended.signal, slice);
    for (const path of this.#files.paths) {
      await pause();
      if (path.endsWith("/")) continue;
      for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
        folders.delete(path.slice(0, at + 1));
    }
    for (const path of folders) this.#files.delete(path);
  }

  async #forget(root: Root, place: FileName): Promise<void> {
    const path = root.folder.nameOf(place);
    // A link may have been created, deleted or redirected.
    root.links.delete(folderOf(place.path));
    if (this.#files.delete(path) || !this.#files.has(`${path}/`)) return;
    const pause = createYieldPoint(this.#ended.signal, slice);
    for (const other of this.#files.paths) {
      await pause();
      if (other.startsWith(`${path}/`)) this.#files.delete(other);
    }
  }
}

/** Also adds the folders that contain it. */
function add(files: PathTable<Entry>, entry: Entry): void {
  files.add(entry.path, entry);
  const { root, file } = entry;
  for (let above = folderOf(file.path); above !== ""; above = folderOf(above)) {
    const folder = { folder: file.folder, path: above };
    const path = `${root.folder.nameOf(folder)}/`;
    if (files.has(path)) return;
    files.add(path, { path, root, file: folder, isShown: undefined });
  }
}

function foldersAbove(root: Root, { folder, path }: FileName): string[] {
  const paths: string[] = [];
  for (let above = folderOf(path); above !== ""; above = folderOf(above))
    paths.push(`${root.folder.nameOf({ folder, path: above })}/`);
  return paths;
}

function isHidden({ folder, hidden }: Root, file: FileName): boolean {
  const known = hidden.get(file.path) ?? folder.hides(file, false);
  hidden.set(file.path, known);
  return known;
}

const nothing = new PathTable<Entry>();

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** In milliseconds; short, because the user is typing meanwhile. */
const slice = 8;

const shown: FolderVerdict = { isShown: true, layers: [] };

const isOutside = ({ folder, heeds }: Root, layers: readonly Layer[], file: FileName): boolean =>
  folder.hides(file, true) || (heeds && isLeftOut(layers, file.path, true));

/** The folder that an ignore file applies to. */
function folderOfIgnoreFile(path: string): string[] {
  if (path === gitIgnoreFile) return [""];
  return path.endsWith(`/${gitIgnoreFile}`) ? [path.slice(0, -gitIgnoreFile.length - 1)] : [];
}
