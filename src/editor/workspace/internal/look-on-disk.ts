// Looks up a path on this machine's disk: follows every link and compares every spelling. Never writes, and opens no
// file. Paths are checked step by step, since any folder may be a link – unless the system itself reports that the path
// is its own real path, because a search looks up thousands of files.
import type { Dirent } from "node:fs";
import { access, constants, lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Entry } from "../../../files/workspace.ts";
import { defaultPathInfo, type PathInfo } from "../../../patch/model.ts";

/** `guarded`: places that must never be written: the extension's own storage, the editor's settings. */
export async function lookOnDisk(
  folder: string,
  path: string,
  guarded: readonly string[],
): Promise<PathInfo> {
  const root = await realpath(folder);
  const plain = join(root, "/") + path;
  if (!anySpelling && path !== "" && (await realpath(plain).catch(() => undefined)) === plain)
    return { ...(await existing(root, plain, false)), guarded: await isGuarded(plain, guarded) };
  const spelled: string[] = [];
  const steps = path === "" ? [] : path.split("/");
  let here = root;
  let link = false;
  for (const [at, step] of steps.entries()) {
    if (!(await stat(here)).isDirectory()) return pathInfoOf({ kind: "blocked", root, here });
    const name = await nameOf(here, step);
    if (name === undefined) {
      const rest = steps.slice(at);
      const place = join(here, ...rest);
      const nothing = pathInfoOf({
        kind: "nothing",
        root,
        here: place,
        ...clash(path, [...spelled, ...rest]),
      });
      // Applies to a new file as well: it belongs to the owner of its folder.
      return { ...nothing, guarded: await isGuarded(place, guarded) };
    }
    spelled.push(name);
    link = (await lstat(join(here, name))).isSymbolicLink();
    const real = await realpath(join(here, name)).catch(() => undefined);
    // A dangling link, or one that leads out of the folder.
    if (real === undefined || !isInside(root, real)) return pathInfoOf({ kind: "other", root, link });
    here = real;
  }
  const other = clash(path, spelled);
  if (other.spelled !== undefined) {
    const nothing = pathInfoOf({ kind: "nothing", root, here: join(root, path), ...other });
    return { ...nothing, guarded: await isGuarded(here, guarded) };
  }
  return { ...(await existing(root, here, link)), guarded: await isGuarded(here, guarded) };
}

/** The direct entries of a folder. Links are reported as links, wherever they lead. */
export async function listOnDisk(folder: string): Promise<Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

/** These file systems usually ignore case and Unicode form, so finding a name does not prove its spelling. */
const anySpelling = process.platform === "darwin" || process.platform === "win32";

/** The name on disk of one step, even if letter case or Unicode form differ. */
async function nameOf(folder: string, step: string): Promise<string | undefined> {
  const exists = await lstat(join(folder, step)).then(
    () => true,
    () => false,
  );
  if (exists && !anySpelling) return step;
  const names = await readdir(folder);
  return names.includes(step) ? step : names.find((name) => fold(name) === fold(step));
}

const fold = (name: string): string => name.normalize("NFC").toLowerCase();

function clash(path: string, steps: readonly string[]): { readonly spelled?: string } {
  const spelled = steps.join("/");
  return spelled === path ? {} : { spelled };
}

async function existing(root: string, here: string, link: boolean): Promise<PathInfo> {
  const found = await stat(here);
  const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  const writable = await access(here, constants.W_OK).then(
    () => true,
    () => false,
  );
  const names = found.isFile() ? found.nlink : 1;
  return pathInfoOf({ kind, root, here, link, names, bytes: found.size, writable });
}

async function isGuarded(place: string, guarded: readonly string[]): Promise<boolean> {
  const real = await Promise.all(guarded.map(realPlace));
  return real.some((path) => isInside(path, place));
}

/** The real path of a place that need not exist: that of its nearest existing parent, with the rest appended. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPlace(dirname(path)), basename(path));
}

function pathInfoOf(
  found: Partial<PathInfo> & Pick<PathInfo, "kind"> & { root: string; here?: string },
): PathInfo {
  const { root, here, ...rest } = found;
  const real = here === undefined ? undefined : relative(root, here).split(sep).join("/");
  return { ...defaultPathInfo, real, ...rest };
}

/** The root of a drive already ends with the separator. */
const isInside = (folder: string, place: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(sep) ? folder : folder + sep);
