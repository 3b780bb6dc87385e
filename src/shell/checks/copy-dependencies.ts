// What is installed beside the sources of a folder, in its copy (copy-thread.ts): copied as far as it is not too much, so that
// nothing is written into the folder's own; else links to it, and what was written through those. Text for the thread.
import { type Copy, linkText, makeLink, makeReal, putFile, removeAt } from "./copy-files.ts";

/** Beside which files dependencies lie that Git does not know. */
export function updateDependencies(copy: Copy, files: ReadonlySet<string>): boolean {
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

export function changedSince(copy: Copy, time: number): string[] {
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

export const dependencyFunctions = [
  ...[updateDependencies, dependencySignature, fits, copyDependencies],
  ...[isTaken, realOf, putRewritten, changedSince],
];
