// What stands at a path on this machine's disk: every link followed, every spelling compared. Never writes, and
// opens nothing. A path is walked step by step, since any folder on the way may be a link – unless the system itself
// says that the path is what it leads to: thousands of files are looked at for one search.
import type { Dirent } from "node:fs";
import { access, constants, lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Entry } from "../../core/changes/workspace.ts";
import { plainStanding, type Standing } from "../../core/patch/model.ts";

/** `guarded` holds places that are never ours to write: our own storage, the editor's settings. */
export async function lookOnDisk(
  folder: string,
  path: string,
  guarded: readonly string[],
): Promise<Standing> {
  const root = await realpath(folder);
  const plain = join(root, "/") + path;
  if (!anySpelling && path !== "" && (await realpath(plain).catch(() => undefined)) === plain)
    return { ...(await existing(root, plain, false)), guarded: await isGuarded(plain, guarded) };
  const spelled: string[] = [];
  const steps = path === "" ? [] : path.split("/");
  let here = root;
  let link = false;
  for (const [at, step] of steps.entries()) {
    if (!(await stat(here)).isDirectory()) return standing({ kind: "blocked", root, here });
    const name = await nameOf(here, step);
    if (name === undefined) {
      const rest = steps.slice(at);
      const place = join(here, ...rest);
      const nothing = standing({ kind: "nothing", root, here: place, ...clash(path, [...spelled, ...rest]) });
      // A new file deserves the same: what is to come belongs to whoever owns the place.
      return { ...nothing, guarded: await isGuarded(place, guarded) };
    }
    spelled.push(name);
    link = (await lstat(join(here, name))).isSymbolicLink();
    const real = await realpath(join(here, name)).catch(() => undefined);
    // A link into nothing, or out of the folder.
    if (real === undefined || !isInside(root, real)) return standing({ kind: "other", root, link });
    here = real;
  }
  const other = clash(path, spelled);
  if (other.spelled !== undefined) {
    const nothing = standing({ kind: "nothing", root, here: join(root, path), ...other });
    return { ...nothing, guarded: await isGuarded(here, guarded) };
  }
  return { ...(await existing(root, here, link)), guarded: await isGuarded(here, guarded) };
}

/** What is directly in a folder; a link is a link, wherever it leads. */
export async function listOnDisk(folder: string): Promise<Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

/** These file systems find a name in any spelling, so that finding it proves nothing. */
const anySpelling = process.platform === "darwin" || process.platform === "win32";

/** The name on disk of one step, also where only letter case or Unicode form differ. */
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

async function existing(root: string, here: string, link: boolean): Promise<Standing> {
  const found = await stat(here);
  const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  const writable = await access(here, constants.W_OK).then(
    () => true,
    () => false,
  );
  const names = found.isFile() ? found.nlink : 1;
  return standing({ kind, root, here, link, names, bytes: found.size, writable });
}

async function isGuarded(place: string, guarded: readonly string[]): Promise<boolean> {
  const real = await Promise.all(guarded.map(realPlace));
  return real.some((path) => isInside(path, place));
}

/** Where a path leads that need not be there yet: its nearest folder that is, with the rest below it. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realPlace(dirname(path)), basename(path));
}

function standing(
  found: Partial<Standing> & Pick<Standing, "kind"> & { root: string; here?: string },
): Standing {
  const { root, here, ...rest } = found;
  const real = here === undefined ? undefined : relative(root, here).split(sep).join("/");
  return { ...plainStanding, real, ...rest };
}

/** The root of a drive ends with what separates names. */
const isInside = (folder: string, place: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(sep) ? folder : folder + sep);
