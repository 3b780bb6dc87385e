// Suggests existing files for a path that does not exist: models misremember folders, endings and single letters.
import { message } from "../../conversation/messages.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import { Refusal } from "../../files/refusal.ts";
import { enterFolders, newReport, walk } from "../../files/walk.ts";
import { foldName } from "../../patch/paths.ts";
import { compareNaturally } from "../../util/collections.ts";
import { pathsFromProgram } from "./search/search-candidates.ts";

const maxNames = 5;
/** When the time is over, the names found so far are the result. */
const maxMilliseconds = 3000;
/** Names that differ in more letters are not alike. */
const maxDistance = 2;

/**
 * Like `work`, but where the path does not exist, the refusal names files that may have been meant, or folders where a
 * folder was asked for.
 */
export async function withNearNames<Answer>(
  files: GuardedFiles,
  { path, kind }: { readonly path: string; readonly kind: "file" | "folder" },
  signal: AbortSignal,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.asMessage.code !== "noteMissing") throw error;
    const near = await nearNames(files, path, kind, signal);
    if (near.length === 0) throw error;
    throw new Refusal(message("noteMissingNear", { name: path, names: near.join(", ") }));
  }
}

/** Like every list of files, it leaves out what Git ignores and what is never sent. */
async function nearNames(
  files: GuardedFiles,
  path: string,
  kind: "file" | "folder",
  signal: AbortSignal,
): Promise<readonly string[]> {
  const due = AbortSignal.timeout(maxMilliseconds);
  const meant = wordsOf(path);
  const isNear = (each: string) => distanceOf(wordsOf(each), meant) !== undefined;
  const fits = kind === "file" ? isNear : (each: string) => foldersAbove(each).some(isNear);
  const found = new Set<string>();
  const take = (each: string) => isNear(each) && found.add(each);
  for (const folder of await enterFolders(files, undefined, signal)) {
    const named = { pattern: undefined, fits, signal, enough: due };
    const program = await pathsFromProgram(folder, undefined, named);
    const report = { ...newReport(), ...(kind === "folder" && { onFolder: take }) };
    for await (const each of walk(folder, report, { signal, due }, program?.paths))
      if (kind === "file") take(each.path);
  }
  return [...found]
    .map((each) => {
      const words = wordsOf(each);
      return { path: each, distance: distanceOf(words, meant) ?? 0, shared: sharedFolders(words, meant) };
    })
    .toSorted(
      (one, other) =>
        one.distance - other.distance ||
        other.shared - one.shared ||
        one.path.length - other.path.length ||
        compareNaturally(one.path, other.path),
    )
    .slice(0, maxNames)
    .map(({ path }) => path);
}

function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

interface PathWords {
  readonly folders: readonly string[];
  readonly name: string;
  /** The name without its ending. */
  readonly stem: string;
}

function wordsOf(path: string): PathWords {
  const folders = foldName(path.replaceAll("\\", "/")).split("/");
  const name = folders.pop() ?? "";
  const dot = name.lastIndexOf(".");
  return { folders, name, stem: dot > 0 ? name.slice(0, dot) : name };
}

/** How far a name is from the one that was meant; `undefined`: nobody would take one for the other. */
function distanceOf({ name, stem }: PathWords, meant: PathWords): number | undefined {
  if (name === meant.name) return 0;
  if (stem === meant.stem) return 1;
  const allowed = Math.min(maxDistance, meant.stem.length >> 2);
  const letters = editDistance(name, meant.name, allowed);
  if (letters !== undefined) return 1 + letters;
  const [shorter, longer] = stem.length < meant.stem.length ? [stem, meant.stem] : [meant.stem, stem];
  if (shorter.length > 3 && 2 * shorter.length >= longer.length && longer.includes(shorter))
    return 2 + maxDistance;
  const missing = partsMissing(stem, meant.stem);
  return missing === undefined ? undefined : 2 + maxDistance + missing;
}

/**
 * Of names such as `area.square.test`, how many parts the one lacks of the other; `undefined` unless they share at
 * least two, and most of them.
 */
function partsMissing(stem: string, meant: string): number | undefined {
  const [parts, wanted] = [stem, meant].map(
    (each) => new Set(each.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "")),
  );
  const shared = [...(wanted ?? [])].filter((part) => parts?.has(part)).length;
  const most = Math.max(parts?.size ?? 0, wanted?.size ?? 0);
  return shared >= 2 && 2 * shared > most ? most - shared : undefined;
}

function sharedFolders({ folders }: PathWords, meant: PathWords): number {
  const wanted = new Set(meant.folders);
  return folders.filter((folder) => wanted.has(folder)).length;
}

/** The number of letters to insert, remove or replace; `undefined` if it is more than `most`. */
function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    let least = row;
    for (let at = 1; at <= other.length; at++) {
      const replaced = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      const letters = Math.min(replaced, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1);
      line.push(letters);
      least = Math.min(least, letters);
    }
    if (least > most) return undefined;
    above = line;
  }
  return above[other.length];
}
