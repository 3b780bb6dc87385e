// What can be attached by name while a person types after `@`: files and folders of the workspace that fit, best
// first. The list is made once and kept for a moment, so that the next letter finds it.
import type { Attachment } from "./conversation/attachment.ts";
import { guardFiles } from "./tools/guarded-files.ts";
import type { PrivacySettings } from "./tools/privacy.ts";
import { type WalkReport, walk } from "./tools/walk.ts";
import type { Workspace } from "./workspace.ts";

export interface FileSuggestion {
  readonly label: string;
  readonly attachment: Attachment;
}

const kept = 10_000;
const most = 50;

export function createFileSuggestions(
  workspace: Workspace,
  privacy: () => PrivacySettings,
  now: () => number,
): (query: string) => Promise<readonly FileSuggestion[]> {
  let paths: Promise<readonly string[]> | undefined;
  let madeAt = 0;

  async function list(): Promise<readonly string[]> {
    const report: WalkReport = { hidden: 0, unopened: [] };
    const found: string[] = [];
    const files = guardFiles(workspace, privacy);
    for await (const { path } of walk(files, undefined, report, AbortSignal.timeout(kept))) found.push(path);
    return [...new Set(found.flatMap(foldersOf)), ...found];
  }

  return async (query) => {
    if (workspace.folders.length === 0) return [];
    if (paths === undefined || now() - madeAt > kept) {
      madeAt = now();
      paths = list();
      paths.catch(() => {
        paths = undefined;
      });
    }
    return best(await paths, query).map(suggestion);
  };
}

/** `a/b/` and `a/` of `a/b/c.ts`. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join("/")}/`);
}

function best(paths: readonly string[], query: string): string[] {
  const wanted = query.toLocaleLowerCase();
  return paths
    .flatMap((path) => {
      const rank = rankOf(path.toLocaleLowerCase(), wanted);
      return rank === undefined ? [] : [{ path, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank || one.path.length - other.path.length)
    .slice(0, most)
    .map(({ path }) => path);
}

/** The beginning of a name is meant more often than its middle, and that more often than the folders above. */
function rankOf(path: string, query: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  if (name.startsWith(query)) return 0;
  if (name.includes(query)) return 1;
  if (path.includes(query)) return 2;
  return isSpreadOver(path, query) ? 3 : undefined;
}

/** All letters, in order, with others between them. */
function isSpreadOver(path: string, query: string): boolean {
  let at = 0;
  for (const letter of query) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const suggestion = (path: string): FileSuggestion => ({
  label: path,
  attachment: path.endsWith("/") ? { kind: "folder", path: path.slice(0, -1) } : { kind: "file", path },
});
