// Describes the workspace to the model once, when a conversation begins: folder names, two levels of files, operating
// system, languages, checks. Names only, filtered by the file guard and Git's ignore files; nothing about the person or
// about locations on their machine. What is not available in time is left out, so that no question waits long for it.
import { type CleanText, verbatim } from "../../conversation/events.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import { takeOutSecrets } from "../../files/privacy.ts";
import { pathOf } from "../../files/refusal.ts";
import { enterFolders, newReport, type WalkReport, walk } from "../../files/walk.ts";
import type { Workspace } from "../../files/workspace.ts";
import type { FileName } from "../../patch/model.ts";
import { attributeText, wrapInTag } from "../../tools/attached-text.ts";
import { forModel } from "../../util/sentences.ts";
import { raceAbort } from "../../util/timeouts.ts";
import type { EditorLook, LookedLines, SurroundingPart } from "../session-context.ts";

interface SurroundingDeps {
  readonly parts: readonly SurroundingPart[];
  readonly files: GuardedFiles;
  /** The names of the person's own checks, if the model can run them. */
  checks?: (() => Promise<readonly string[]>) | undefined;
  /** The operating system as named by Node. */
  readonly platform: string;
}

/** How long a first question waits for this, and as many times as long for names of the first level at least. */
const maxMilliseconds = 400;
const patience = 5;
/** After this many files the languages are representative. */
const maxFiles = 5_000;
const maxEntries = 150;
/** Limits the tree so that the whole description stays below about 350 tokens. */
const maxTreeLength = 800;
const maxLanguages = 6;
const maxNameLength = 60;

interface ScannedWorkspace {
  /** Entries of the top level, folders with a trailing slash, each with its direct contents. */
  readonly tops: Map<string, Set<string>>;
  readonly languages: Map<string, number>;
  /** Folders of the workspace that are scanned, and the one that is being scanned. */
  readonly folders: { readonly start: string; readonly report: WalkReport }[];
  /** Whether everything was scanned before the time or the file limit ran out. */
  isWhole: boolean;
  /** Whether enough files were seen to tell the languages; a scan that ran out of time may give the wrong ones. */
  isMany: boolean;
  checks: readonly string[];
}

export async function surroundingsOf(
  { parts, files, checks, platform }: SurroundingDeps,
  milliseconds = maxMilliseconds,
): Promise<CleanText | undefined> {
  const has = (part: SurroundingPart) => parts.includes(part);
  const seen: ScannedWorkspace = {
    tops: new Map(),
    languages: new Map(),
    folders: [],
    isWhole: false,
    isMany: false,
    checks: [],
  };
  const due = AbortSignal.timeout(milliseconds);
  const late = AbortSignal.timeout(milliseconds * patience);
  const inTime = (work: Promise<void>, end: AbortSignal) => raceAbort(work, end).catch(() => undefined);
  const enough = new AbortController();
  const look = () => {
    if (due.aborted && isTopKnown(seen, files.folders.length)) enough.abort();
  };
  due.addEventListener("abort", look);
  const end = AbortSignal.any([late, enough.signal]);
  await Promise.all([
    ...(has("tree") || has("languages") ? [inTime(lookAround(files, seen, end, look), end)] : []),
    ...(has("checks") && checks !== undefined
      ? [
          inTime(
            checks().then((names) => {
              seen.checks = names;
            }),
            due,
          ),
        ]
      : []),
  ]);
  const system = systems[platform];
  const languages = [...seen.languages].toSorted(([, one], [, other]) => other - one).slice(0, maxLanguages);
  const lines = [
    ...(has("folders")
      ? [`${files.folders.length === 1 ? "Folder" : "Folders"}: ${files.folders.map(name).join(", ")}`]
      : []),
    ...(has("system") && system !== undefined ? [`Operating system: ${system}`] : []),
    ...(has("languages") && languages.length > 0 && (seen.isWhole || seen.isMany)
      ? [
          `Languages, by ${seen.isWhole ? "files" : "the files seen first"}: ${languages.map(([language, count]) => `${language} ${count}`).join(", ")}`,
        ]
      : []),
    ...(seen.checks.length > 0 ? [`Checks: ${seen.checks.map(name).join(", ")}`] : []),
    ...(has("tree") ? treeOf(seen, files.folders.length) : []),
  ];
  if (lines.length === 0) return undefined;
  return takeOutSecrets(wrapInTag("workspace", {}, lines.join("\n"))).text;
}

/**
 * Scans near files first and reports folders before entering them, so that the upper levels are complete when time runs
 * out.
 */
async function lookAround(
  files: GuardedFiles,
  seen: ScannedWorkspace,
  due: AbortSignal,
  onEntry: () => void,
): Promise<void> {
  let count = 0;
  for (const folder of await enterFolders(files, undefined, due)) {
    const report: WalkReport = { ...newReport(), onFolder: (path) => take(seen, `${path}/`) };
    seen.folders.push({ start: folder.nameOf(folder.start), report });
    for await (const { path } of walk(folder, report, { signal: due, due })) {
      take(seen, path);
      onEntry();
      const language = languageOf(path);
      if (language !== undefined) seen.languages.set(language, (seen.languages.get(language) ?? 0) + 1);
      count += 1;
      seen.isMany = count >= maxFiles;
      if (seen.isMany) return;
    }
    if (report.waiting !== undefined) return;
  }
  seen.isWhole = true;
}

/** A walk that opens a second folder has seen all of the first one. */
const isTopKnown = ({ folders, isWhole }: ScannedWorkspace, count: number): boolean =>
  isWhole ||
  (folders.length === count && folders.every(({ start, report: { waiting } }) => waiting?.first !== start));

/** A folder's path ends with a slash. */
function take({ tops }: ScannedWorkspace, path: string): void {
  const [top = "", next, ...rest] = path.split("/");
  const key = next === undefined ? top : `${top}/`;
  const inside = tops.get(key) ?? new Set<string>();
  tops.set(key, inside);
  if (next && inside.size < maxEntries) inside.add(rest.length === 0 ? next : `${next}/`);
}

/** The top level in one line, then one line for each of its folders, as far as there is room. */
function treeOf(seen: ScannedWorkspace, count: number): readonly string[] {
  const { tops, isWhole } = seen;
  if (tops.size === 0) return isWhole ? [] : [forModel("Files: there was no time to look.")];
  const names = foldersFirst([...tops.keys()]);
  const folders = names.filter((each) => each.endsWith("/"));
  const each = Math.max(4, Math.floor((maxEntries - names.length) / Math.max(1, folders.length)));
  const head = isWhole
    ? "Files, two levels:"
    : isTopKnown(seen, count)
      ? "Files, two levels; the first is complete, of the second there was no time for all:"
      : "Files, as far as there was time to look:";
  const lines = [head, some(names, maxEntries / 2)];
  let left = maxTreeLength - lines.join("\n").length;
  const opened = folders.filter((folder) => tops.get(folder)?.size !== 0);
  for (const [at, folder] of opened.entries()) {
    const line = `${name(folder)}: ${some(foldersFirst([...(tops.get(folder) ?? [])]), each)}`;
    left -= line.length + 1;
    if (left < 0) return [...lines, `[${opened.length - at} folders are not opened here.]`];
    lines.push(line);
  }
  return lines;
}

/** Folders first, and names that begin with a dot last, since questions are rarely about them. */
const foldersFirst = (names: readonly string[]): readonly string[] =>
  names.toSorted(
    (one, other) =>
      Number(other.endsWith("/")) - Number(one.endsWith("/")) ||
      Number(one.startsWith(".")) - Number(other.startsWith(".")) ||
      (one < other ? -1 : 1),
  );

const some = (names: readonly string[], most: number): string => {
  const more = names.length > most ? ` … ${names.length - most} more` : "";
  return `${names.slice(0, most).map(name).join(" ")}${more}`;
};

/** Cleans a file name, which may contain anything, so that it cannot begin a line of its own. */
const name = (text: string): string =>
  attributeText(text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text);

const systems: Readonly<Record<string, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

const languages: Readonly<Record<string, string>> = {
  TypeScript: "ts tsx mts cts",
  JavaScript: "js jsx mjs cjs",
  Python: "py",
  Rust: "rs",
  Go: "go",
  Java: "java",
  Kotlin: "kt kts",
  "C#": "cs",
  "C++": "cpp cc cxx hpp hh",
  C: "c h",
  Ruby: "rb",
  PHP: "php",
  Swift: "swift",
  Scala: "scala",
  Dart: "dart",
  Lua: "lua",
  Shell: "sh bash",
  SQL: "sql",
  Vue: "vue",
  Svelte: "svelte",
  HTML: "html",
  CSS: "css scss less",
};
const byEnding = new Map(
  Object.entries(languages).flatMap(([language, endings]) =>
    endings.split(" ").map((each) => [each, language] as const),
  ),
);

const languageOf = (path: string): string | undefined =>
  byEnding.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());

const maxChanged = 20;
const maxLookMilliseconds = 300;

/**
 * Editor context that goes with a question without being attached: the active file, the lines in view, and what has
 * changed since the last question. Contains only paths and line numbers, and no path of a file that is never sent.
 * Returns undefined if there is nothing to report, or if checking the files took too long.
 */
export async function describeEditor(
  { active, changed }: EditorLook,
  { workspace, files }: { readonly workspace: Workspace; readonly files: GuardedFiles },
): Promise<CleanText | undefined> {
  const due = AbortSignal.timeout(maxLookMilliseconds);
  const nameOf = (file: FileName) => attributeText(pathOf(file, workspace.folders));
  async function isTold(file: FileName): Promise<boolean> {
    try {
      const standing = await raceAbort(workspace.look(file), due);
      return standing.real !== undefined && !(await raceAbort(files.keeps(file, standing), due));
    } catch {
      return false;
    }
  }
  const latest = changed.slice(-maxChanged);
  const [isActiveTold, ...areTold] = await Promise.all([
    active === undefined ? false : isTold(active.file),
    ...latest.map(isTold),
  ]);
  const told = latest.filter((_, at) => areTold[at]).map(nameOf);
  const seen = active?.visible === undefined ? "" : `; ${lines(active.visible)} visible`;
  const said = [
    ...(active !== undefined && isActiveTold
      ? [`Active file: ${nameOf(active.file)} (cursor or selection at ${lines(active.at)}${seen})`]
      : []),
    ...(told.length > 0 ? [`Changed in the editor since the last question: ${told.join(", ")}`] : []),
  ];
  return said.length === 0
    ? undefined
    : takeOutSecrets(verbatim(wrapInTag("editor", {}, said.join("\n")))).text;
}

const lines = ({ first, last }: LookedLines): string =>
  first === last ? `line ${first}` : `lines ${first}-${last}`;
