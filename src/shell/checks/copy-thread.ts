// What runs in the thread of a copy (shadow-copy.ts): it brings a copy of a folder up to date, file by file, and never writes
// into the folder itself. The functions become text, because a bundle has no second file to load: they know nothing but each
// other and what they are given.
import type * as nodeCrypto from "node:crypto";
import type * as nodeFs from "node:fs";
import type * as nodePath from "node:path";
import type { MessagePort } from "node:worker_threads";

export interface CopyData {
  /** The folder, and where its copy lies: real paths. */
  readonly root: string;
  readonly copy: string;
  /** What is known of the copy, for the next window. */
  readonly manifest: string;
  readonly limits: CopyLimits;
}

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
  /** Up to so much dependencies are copied, so that nothing can be written through; beyond it they are links. */
  readonly dependencyFiles: number;
  readonly dependencyBytes: number;
}

/** Texts that stand for what the disk has; `null`: there is no such file. */
export type Texts = readonly (readonly [path: string, text: string | null])[];

export interface UpdateTask {
  /** Below the folder. */
  readonly paths: readonly string[];
  readonly texts: Texts;
}

export interface Updated {
  /** Of the files of the folder alone, without what is proposed. */
  readonly state: string;
  readonly files: number;
  readonly written: number;
  /** Dependency folders of which the copy has links. */
  readonly linked: readonly string[];
  /** Links that lead out of the folder are not in the copy. */
  readonly leftOut: number;
}

export interface CopyTasks {
  /** Looks through the copy while somebody else still lists the folder. */
  readonly look: (task: object) => void;
  /** All files at these places of the folder that look like sources; "" is the folder itself. */
  readonly list: (task: { readonly places: readonly string[] }) => readonly string[];
  /** Everything as it is now. */
  readonly update: (task: UpdateTask) => Updated;
  /** What was done to the copy is undone, and it has these texts. */
  readonly restore: (task: { readonly texts: Texts }) => number;
  /** What was written into the shared folders since then. */
  readonly writtenSince: (task: { readonly time: number }) => readonly string[];
}

type Signature = readonly number[];

interface Known {
  /** Of the file in the folder, and of that in the copy. */
  from: Signature;
  to: Signature;
}

interface Copy extends CopyData {
  readonly fs: typeof nodeFs;
  readonly path: typeof nodePath;
  readonly crypto: typeof nodeCrypto;
  readonly tick: (done: number, all: number) => void;
  known: Map<string, Known>;
  texts: Map<string, string | null>;
  /** Of texts that were written: what the copy has had since. */
  textSignatures: Map<string, Signature>;
  dependencies: Map<string, string>;
  linked: Set<string>;
  realFolders: Set<string>;
  /** Files of the copy that were just seen to be as they were left; nothing: each is looked at when it is its turn. */
  intact: Set<string> | undefined;
  /** Of the folder when it was looked at last: of very many files it takes a while to say. */
  state: string | undefined;
  leftOut: number;
}

function signatureOf(stats: nodeFs.Stats): Signature {
  return [stats.mtimeMs, stats.size, stats.ino, stats.ctimeMs, stats.mode];
}

function isSame(one: Signature, other: Signature): boolean {
  return one.every((each, at) => each === other[at]);
}

/** The same as comparing what `signatureOf` makes of it. */
function isLike(signature: Signature, { mtimeMs, size, ino, ctimeMs, mode }: nodeFs.Stats): boolean {
  return (
    signature[0] === mtimeMs &&
    signature[1] === size &&
    signature[2] === ino &&
    signature[3] === ctimeMs &&
    signature[4] === mode
  );
}

/** Of very many paths: what `path.join` makes of them costs as much as looking at the files. */
function below(copy: Copy, folder: string, path: string): string {
  return folder + copy.path.sep + path;
}

/** A check could have put a link to the folder in place of a folder of the copy. */
function makeReal(copy: Copy, folder: string): void {
  if (folder === "" || folder === "." || copy.realFolders.has(folder)) return;
  makeReal(copy, copy.path.dirname(folder));
  const place = copy.path.join(copy.copy, folder);
  const stats = copy.fs.lstatSync(place, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) copy.fs.unlinkSync(place);
  if (stats === undefined || !stats.isDirectory()) copy.fs.mkdirSync(place, { mode: 0o700 });
  copy.realFolders.add(folder);
}

/** Nor is the copy itself a link to somewhere else by now. @throws where a folder above it is. */
function makeRoot(copy: Copy): void {
  copy.realFolders.clear();
  const stats = copy.fs.lstatSync(copy.copy, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) copy.intact = undefined;
  if (stats !== undefined && !stats.isDirectory()) copy.fs.unlinkSync(copy.copy);
  copy.fs.mkdirSync(copy.copy, { recursive: true, mode: 0o700 });
  if (copy.fs.realpathSync(copy.copy) !== copy.copy) throw new Error("The copy leads elsewhere.");
}

/** Whatever stands at a name of the copy; a link is taken away, not what it leads to. */
function removeAt(copy: Copy, path: string): void {
  copy.fs.rmSync(copy.path.join(copy.copy, path), { recursive: true, force: true, maxRetries: 2 });
}

function putFile(copy: Copy, from: string, path: string, stats: nodeFs.Stats): void {
  makeReal(copy, copy.path.dirname(path));
  const place = copy.path.join(copy.copy, path);
  removeAt(copy, path);
  // Cloned where the file system can: it is a file of its own all the same.
  copy.fs.copyFileSync(from, place, copy.fs.constants.COPYFILE_FICLONE | copy.fs.constants.COPYFILE_EXCL);
  copy.fs.chmodSync(place, (stats.mode & 0o100) === 0 ? 0o600 : 0o700);
}

function putText(copy: Copy, path: string, text: string): void {
  makeReal(copy, copy.path.dirname(path));
  const place = copy.path.join(copy.copy, path);
  const mode = copy.fs.lstatSync(copy.path.join(copy.root, path), { throwIfNoEntry: false })?.mode ?? 0;
  removeAt(copy, path);
  copy.fs.writeFileSync(place, text, { flag: "wx", mode: (mode & 0o100) === 0 ? 0o600 : 0o700 });
  copy.textSignatures.set(path, signatureOf(copy.fs.lstatSync(place)));
}

/** Where a link of the folder leads, as seen from the copy; undefined where it leads out of it. */
function linkText(copy: Copy, from: string, path: string): string | undefined {
  const text = copy.fs.readlinkSync(from);
  const target = copy.path.resolve(copy.path.dirname(from), text);
  let real = target;
  try {
    real = copy.fs.realpathSync(target);
  } catch {
    // It leads to nothing, which is nothing to fear.
  }
  if (!isInside(copy, copy.root, target) || !isInside(copy, copy.root, real)) return undefined;
  const inCopy = copy.path.join(copy.copy, copy.path.relative(copy.root, target));
  return copy.path.relative(copy.path.dirname(copy.path.join(copy.copy, path)), inCopy) || ".";
}

function isInside(copy: Copy, folder: string, place: string): boolean {
  const way = copy.path.relative(folder, place);
  return way !== ".." && !way.startsWith(`..${copy.path.sep}`) && !copy.path.isAbsolute(way);
}

function makeLink(copy: Copy, text: string, path: string, isFolder: boolean): void {
  makeReal(copy, copy.path.dirname(path));
  removeAt(copy, path);
  // On Windows anybody may make a junction, which needs a whole path.
  const place = copy.path.join(copy.copy, path);
  const isWindows = copy.path.sep === "\\";
  const target = isWindows && isFolder ? copy.path.resolve(copy.path.dirname(place), text) : text;
  copy.fs.symlinkSync(target, place, isWindows ? (isFolder ? "junction" : "file") : undefined);
}

function lookAtCopy(copy: Copy): void {
  makeRoot(copy);
  const intact = new Set<string>();
  for (const [path, { to }] of copy.known) {
    const now = copy.fs.lstatSync(below(copy, copy.copy, path), { throwIfNoEntry: false });
    if (now !== undefined && isLike(to, now)) intact.add(path);
  }
  copy.intact = intact;
}

/** Answers whether something had to be written. */
function updateFile(copy: Copy, path: string, stats: nodeFs.Stats): boolean {
  const known = copy.known.get(path);
  if (known !== undefined && copy.intact?.has(path) === true && isLike(known.from, stats)) return false;
  const from = signatureOf(stats);
  const now = copy.fs.lstatSync(copy.path.join(copy.copy, path), { throwIfNoEntry: false });
  if (
    known !== undefined &&
    now !== undefined &&
    isSame(known.from, from) &&
    isSame(known.to, signatureOf(now))
  )
    return false;
  const source = copy.path.join(copy.root, path);
  if (stats.isSymbolicLink()) {
    const text = linkText(copy, source, path);
    if (text === undefined) {
      copy.leftOut++;
      copy.known.delete(path);
      if (now !== undefined) removeAt(copy, path);
      return false;
    }
    makeLink(copy, text, path, copy.fs.statSync(source, { throwIfNoEntry: false })?.isDirectory() === true);
  } else putFile(copy, source, path, stats);
  const to = signatureOf(copy.fs.lstatSync(copy.path.join(copy.copy, path)));
  copy.known.set(path, { from, to });
  return true;
}

function listAt(copy: Copy, places: readonly string[]): string[] {
  const found: string[] = [];
  for (const place of places) {
    const stats = copy.fs.lstatSync(copy.path.join(copy.root, place), { throwIfNoEntry: false });
    if (stats?.isDirectory()) walk(copy, place, found);
    else if (stats?.isFile()) found.push(place);
  }
  return found;
}

/** All files of a folder that Git knows nothing of. */
function walk(copy: Copy, folder: string, found: string[]): string[] {
  const skipped = new Set([
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    ".venv",
    "venv",
    "target",
    ".next",
    "__pycache__",
  ]);
  for (const entry of copy.fs.readdirSync(copy.path.join(copy.root, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !skipped.has(entry.name)) walk(copy, path, found);
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    if (found.length > copy.limits.files) throw new Error("too-large");
  }
  return found;
}

function updateAll(copy: Copy, { paths, texts }: UpdateTask): Updated {
  makeRoot(copy);
  copy.leftOut = 0;
  if (paths.length > copy.limits.files) throw new Error("too-large");
  let isOther = false;
  const wanted = new Set<string>();
  const seen: (readonly [string, nodeFs.Stats])[] = [];
  const mine = new Map(texts);
  let [written, bytes, done] = [0, 0, 0];
  for (const path of paths) {
    // Where little is written nobody has to be told.
    if (++done % 500 === 0 && written >= 400) copy.tick(done, paths.length);
    const stats = copy.fs.lstatSync(below(copy, copy.root, path), { throwIfNoEntry: false });
    if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) continue;
    bytes += stats.size;
    if (bytes > copy.limits.bytes) throw new Error("too-large");
    wanted.add(path);
    seen.push([path, stats]);
    // What stands for a file says nothing of it.
    if (mine.has(path) || copy.texts.has(path)) {
      const known = copy.known.get(path);
      if (known === undefined || !isLike(known.from, stats)) copy.state = undefined;
    } else if (updateFile(copy, path, stats)) written++;
  }
  for (const path of [...copy.known.keys()]) {
    if (wanted.has(path)) continue;
    copy.known.delete(path);
    isOther = true;
    if (!mine.has(path)) removeAt(copy, path);
  }
  copy.intact = undefined;
  const isInstalled = updateDependencies(copy, wanted);
  if (isOther || isInstalled || written > 0 || copy.leftOut > 0 || copy.state === undefined)
    copy.state = stateOf(copy, seen);
  if (isOther || isInstalled || written > 0) keepManifest(copy);
  written += setTexts(copy, mine);
  removeStrangers(copy, "", knownFolders(copy));
  const { linked, leftOut } = copy;
  return { state: copy.state, files: wanted.size, written, linked: [...linked], leftOut };
}

function stateOf(copy: Copy, seen: readonly (readonly [string, nodeFs.Stats])[]): string {
  const hash = copy.crypto.createHash("sha256");
  const lines = seen.map(
    ([path, { mtimeMs, size, ino, ctimeMs }]) => `${path}\0${mtimeMs}:${size}:${ino}:${ctimeMs}\n`,
  );
  hash.update(lines.join(""));
  for (const [folder, signature] of copy.dependencies) hash.update(`${folder}\0${signature}\n`);
  return hash.digest("hex");
}

function setTexts(copy: Copy, texts: ReadonlyMap<string, string | null>): number {
  let written = 0;
  for (const path of new Set([...copy.texts.keys(), ...texts.keys()])) {
    const text = texts.get(path);
    if (text === undefined) {
      copy.textSignatures.delete(path);
      const stats = copy.fs.lstatSync(copy.path.join(copy.root, path), { throwIfNoEntry: false });
      copy.known.delete(path);
      if (stats?.isFile() || stats?.isSymbolicLink()) updateFile(copy, path, stats);
      else removeAt(copy, path);
      written++;
      continue;
    }
    const now = copy.fs.lstatSync(copy.path.join(copy.copy, path), { throwIfNoEntry: false });
    const known = copy.textSignatures.get(path);
    const isThere = now !== undefined && known !== undefined && isSame(known, signatureOf(now));
    if (text === null ? now === undefined : isThere && copy.texts.get(path) === text) continue;
    if (text === null) removeAt(copy, path);
    else putText(copy, path, text);
    written++;
  }
  copy.texts = new Map(texts);
  return written;
}

/** What a check has changed or taken away is put back; what it has made beside its outputs goes. */
function restoreAll(copy: Copy, texts: ReadonlyMap<string, string | null>): number {
  makeRoot(copy);
  copy.intact = undefined;
  let written = 0;
  for (const [path, known] of [...copy.known]) {
    if (texts.has(path) || copy.texts.has(path)) continue;
    const now = copy.fs.lstatSync(below(copy, copy.copy, path), { throwIfNoEntry: false });
    if (now !== undefined && isLike(known.to, now)) continue;
    const stats = copy.fs.lstatSync(copy.path.join(copy.root, path), { throwIfNoEntry: false });
    if (stats !== undefined && updateFile(copy, path, stats)) written++;
  }
  written += setTexts(copy, texts);
  removeStrangers(copy, "", knownFolders(copy));
  return written;
}

/** Outputs and caches stay, so that the next run is quicker; a source that nobody has would be checked with the rest. */
function removeStrangers(copy: Copy, folder: string, ours: ReadonlySet<string>): void {
  const outputs =
    /^(?:\..+|node_modules|venv|vendor|target|dist|build|out|lib|coverage|obj|bin|__pycache__|.*\.egg-info)$/;
  const place = copy.path.join(copy.copy, folder);
  for (const entry of copy.fs.readdirSync(place, { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (ours.has(path)) {
        if (!copy.dependencies.has(path)) removeStrangers(copy, path, ours);
      } else if (!outputs.test(entry.name)) removeAt(copy, path);
    } else if (!copy.known.has(path) && !copy.texts.has(path) && !isOutput(entry.name)) removeAt(copy, path);
  }
}

function isOutput(name: string): boolean {
  return /\.(?:tsbuildinfo|pyc|d\.ts\.map)$|^\./.test(name);
}

/** All folders that hold something of ours, at any depth. */
function knownFolders(copy: Copy): Set<string> {
  const names = new Set<string>();
  for (const path of [
    ...copy.known.keys(),
    ...copy.texts.keys(),
    ...[...copy.dependencies.keys()].map((each) => `${each}/`),
  ])
    for (
      let at = path.lastIndexOf("/");
      at > 0 && !names.has(path.slice(0, at));
      at = path.lastIndexOf("/", at - 1)
    )
      names.add(path.slice(0, at));
  return names;
}

/** Beside which files dependencies lie that Git does not know. */
function updateDependencies(copy: Copy, files: ReadonlySet<string>): boolean {
  const beside: Readonly<Record<string, readonly string[]>> = {
    "package.json": ["node_modules"],
    "pyproject.toml": [".venv", "venv"],
    "setup.py": [".venv", "venv"],
    "requirements.txt": [".venv", "venv"],
    "composer.json": ["vendor"],
    "go.mod": ["vendor"],
  };
  const found = new Map<string, string>();
  const own = new Set<string>();
  for (const path of files) {
    const at = path.search(/(?:^|\/)(?:vendor|\.?venv|node_modules)\//);
    if (at >= 0) own.add(path.slice(0, path.indexOf("/", at + 1)));
  }
  for (const path of files) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const folder of beside[name] ?? []) {
      const place = path.slice(0, path.length - name.length) + folder;
      if (own.has(place) || found.has(place)) continue;
      const signature = dependencySignature(copy, place);
      if (signature !== undefined) found.set(place, signature);
    }
  }
  for (const place of copy.dependencies.keys()) if (!found.has(place)) removeAt(copy, place);
  const isNew = [...found].some(([place, signature]) => copy.dependencies.get(place) !== signature);
  const isThere = [...found.keys()].every(
    (place) =>
      copy.fs.lstatSync(copy.path.join(copy.copy, place), { throwIfNoEntry: false })?.isDirectory() === true,
  );
  if (!isNew && isThere) return false;
  const isSmall = fits(copy, [...found.keys()]);
  copy.linked.clear();
  for (const [place] of found) {
    removeAt(copy, place);
    copy.realFolders.delete(place);
    if (!isSmall) copy.linked.add(place);
    copyDependencies(copy, place, isSmall, 0);
  }
  copy.dependencies = found;
  return true;
}

/** Changes with what is installed: package managers write their own list there. */
function dependencySignature(copy: Copy, place: string): string | undefined {
  const folder = copy.path.join(copy.root, place);
  const stats = copy.fs.statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return undefined;
  const lists = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", "pyvenv.cfg", "modules.txt"];
  const times = lists.map((name) =>
    copy.fs.lstatSync(copy.path.join(folder, name), { throwIfNoEntry: false }),
  );
  const libraries = copy.path.join(folder, "lib");
  const packages = copy.fs.existsSync(libraries) ? copy.fs.readdirSync(libraries) : [];
  const sites = packages.map((name) =>
    copy.fs.lstatSync(copy.path.join(libraries, name, "site-packages"), { throwIfNoEntry: false }),
  );
  return [stats, ...times, ...sites].map((each) => each?.mtimeMs ?? "").join(":");
}

function fits(copy: Copy, places: readonly string[]): boolean {
  let [files, bytes] = [0, 0];
  const open = places.map((place) => copy.path.join(copy.root, place));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of copy.fs.readdirSync(folder, { withFileTypes: true })) {
      const place = copy.path.join(folder, entry.name);
      if (entry.isDirectory()) open.push(place);
      else if (entry.isFile()) {
        files++;
        bytes += copy.fs.lstatSync(place).size;
      }
      if (files > copy.limits.dependencyFiles || bytes > copy.limits.dependencyBytes) return false;
    }
  }
  return true;
}

/**
 * A dependency folder as a real one, so that what is new in it lands in the copy. Links to packages of the folder itself lead
 * into the copy; caches stay behind.
 */
function copyDependencies(copy: Copy, folder: string, isWhole: boolean, depth: number): void {
  const caches = new Set([
    ".cache",
    ".vite",
    ".vite-temp",
    ".vitest",
    ".turbo",
    "__pycache__",
    ".mypy_cache",
  ]);
  makeReal(copy, folder);
  for (const entry of copy.fs.readdirSync(copy.path.join(copy.root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    const from = copy.path.join(copy.root, path);
    if (caches.has(entry.name)) continue;
    if (entry.isSymbolicLink()) {
      const isFolder = copy.fs.statSync(from, { throwIfNoEntry: false })?.isDirectory() === true;
      makeLink(copy, linkText(copy, from, path) ?? realOf(copy, from), path, isFolder);
    } else if (entry.isFile()) putRewritten(copy, from, path);
    else if (!entry.isDirectory()) continue;
    else if (isWhole || isTaken(entry.name, depth)) copyDependencies(copy, path, isWhole, depth + 1);
    else makeLink(copy, from, path, true);
  }
}

/** Folders that hold packages or what starts them, and those with a dot, which tools write into. */
function isTaken(name: string, depth: number): boolean {
  if (name === ".pnpm") return false;
  if (name.startsWith(".") || name.startsWith("@")) return true;
  return depth < 3 && /^(?:bin|Scripts|lib|Lib|python[\d.]*|site-packages)$/.test(name);
}

function realOf(copy: Copy, from: string): string {
  try {
    return copy.fs.realpathSync(from);
  } catch {
    return copy.path.resolve(copy.path.dirname(from), copy.fs.readlinkSync(from));
  }
}

/** Programs and lists of paths that name the folder name the copy instead. */
function putRewritten(copy: Copy, from: string, path: string): void {
  const stats = copy.fs.lstatSync(from);
  const mayName = /(?:^|\/)(?:bin|\.bin|Scripts)\/[^/]+$|\.pth$|\.egg-link$|__editable__|pyvenv\.cfg$/.test(
    path,
  );
  const text = mayName && stats.size < 100_000 ? copy.fs.readFileSync(from) : undefined;
  if (text === undefined || text.includes(0) || !text.includes(copy.root)) {
    putFile(copy, from, path, stats);
    return;
  }
  makeReal(copy, copy.path.dirname(path));
  const rewritten = text.toString("utf8").split(copy.root).join(copy.copy);
  const mode = (stats.mode & 0o100) === 0 ? 0o600 : 0o700;
  copy.fs.writeFileSync(copy.path.join(copy.copy, path), rewritten, { flag: "wx", mode });
}

function changedSince(copy: Copy, time: number): string[] {
  const found: string[] = [];
  const open = [...copy.linked];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of copy.fs.readdirSync(copy.path.join(copy.root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      const stats = copy.fs.lstatSync(copy.path.join(copy.root, path), { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (stats.ctimeMs >= time) found.push(path);
      if (stats.isDirectory()) open.push(path);
    }
  }
  return found;
}

function keepManifest(copy: Copy): void {
  const kept = { known: [...copy.known], dependencies: [...copy.dependencies], linked: [...copy.linked] };
  copy.fs.writeFileSync(copy.manifest, JSON.stringify(kept), { mode: 0o600 });
}

function readManifest(copy: Copy): void {
  try {
    const kept = JSON.parse(copy.fs.readFileSync(copy.manifest, "utf8"));
    copy.known = new Map(kept.known);
    copy.dependencies = new Map(kept.dependencies);
    copy.linked = new Set(kept.linked);
  } catch {
    // Without it everything is copied once more.
    copy.fs.rmSync(copy.copy, { recursive: true, force: true });
  }
}

type ThreadPort = Pick<MessagePort, "on" | "postMessage">;

function serve(require: (name: string) => unknown): void {
  const { parentPort, workerData } = require("node:worker_threads") as {
    parentPort: ThreadPort;
    workerData: CopyData;
  };
  const copy: Copy = {
    ...workerData,
    fs: require("node:fs") as typeof nodeFs,
    path: require("node:path") as typeof nodePath,
    crypto: require("node:crypto") as typeof nodeCrypto,
    tick: (done, all) => parentPort.postMessage({ done, all }),
    known: new Map(),
    texts: new Map(),
    textSignatures: new Map(),
    dependencies: new Map(),
    linked: new Set(),
    realFolders: new Set(),
    intact: undefined,
    state: undefined,
    leftOut: 0,
  };
  readManifest(copy);
  const tasks: CopyTasks = {
    look: () => lookAtCopy(copy),
    list: ({ places }) => listAt(copy, places),
    update: (task) => updateAll(copy, task),
    restore: ({ texts }) => restoreAll(copy, new Map(texts)),
    writtenSince: ({ time }) => changedSince(copy, time),
  };
  parentPort.on("message", ([kind, task]: [keyof CopyTasks, never]) => {
    try {
      parentPort.postMessage({ answer: tasks[kind](task) });
    } catch (error) {
      parentPort.postMessage({ failed: error instanceof Error ? error.message : String(error) });
    }
  });
}

const parts = [
  ...[
    signatureOf,
    isSame,
    isLike,
    below,
    lookAtCopy,
    stateOf,
    makeRoot,
    makeReal,
    removeAt,
    putFile,
    putText,
    linkText,
    isInside,
    makeLink,
    updateFile,
    walk,
    listAt,
  ],
  ...[updateAll, setTexts, restoreAll, removeStrangers, isOutput, knownFolders, updateDependencies],
  ...[dependencySignature, fits, copyDependencies, isTaken, realOf, putRewritten, changedSince],
  ...[keepManifest, readManifest],
];

/** For `new Worker`. */
export const threadSource = `${parts.join("\n")}\n(${serve})(require);`;
