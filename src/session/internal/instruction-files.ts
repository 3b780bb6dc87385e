// What the files of a workspace say to models by themselves: AGENTS.md and what others use in its place, and rules for
// some files (`.github/instructions`). All of it comes from a repository, so it is read only in trusted workspaces and
// through the file guard, and hidden characters are written out (threats D2).
import type { CleanText } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { below, type GuardedFiles } from "../../files/guarded-files.ts";
import { secretsNote, takeOutSecrets } from "../../files/privacy.ts";
import { locate, pathOf } from "../../files/refusal.ts";
import type { Entry, Workspace } from "../../files/workspace.ts";
import type { FileName } from "../../patch/model.ts";
import { hidesCharacters, visible } from "../../util/hidden-characters.ts";
import { raceAbort } from "../../util/timeouts.ts";
import { readApplyTo } from "./apply-to-patterns.ts";
import { cutInstructions } from "./cut-instructions.ts";
import { readFrontMatter } from "./front-matter.ts";

export interface InstructionFile {
  readonly path: string;
  /** As the model gets it. */
  readonly text: CleanText;
  /** What the model is told of its front matter, besides the text. */
  readonly heading?: CleanText;
  /** Of its path and all that it says. A person agrees to this. */
  readonly sha256: string;
  /** What a person should know of it. */
  readonly notes: readonly Message[];
  /** The patterns of the files that it is for; absent: for its folder. */
  readonly applyTo?: string;
}

export interface InstructionFileDeps {
  readonly workspace: Pick<Workspace, "folders" | "sha256" | "trusted">;
  readonly files: GuardedFiles;
}

const agentsFile = "AGENTS.md";
const claudeFile = "CLAUDE.md";
const copilotFile = ".github/copilot-instructions.md";
const rulesFolder = ".github/instructions";
const rulesEnding = /\.instructions\.md$/i;

const maxSeconds = 10;
/** More rules than anybody keeps in order; the rest is not read. */
const maxRules = 100;
/** Folders of rules or agents inside each other. */
const maxDepth = 4;
/** More files than this are counted as so many. */
const maxCounted = 1000;
/** Of one result; what is beyond is found by a later one. */
const maxFolders = 100;

/** The instructions of the folders of a workspace, which apply from the beginning of a conversation. */
export async function standingInstructions(deps: InstructionFileDeps): Promise<readonly InstructionFile[]> {
  const { workspace } = deps;
  if (!workspace.trusted) return [];
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  const found: InstructionFile[] = [];
  for (const folder of workspace.folders) {
    const root = { folder, path: "" };
    const own = await instructionsIn(root, deps, signal);
    const isAgents = own.some(({ path }) => path.endsWith(agentsFile));
    const others = isAgents ? [] : await read(below(root, copilotFile), deps, signal);
    for (const each of [...own, ...others]) if (!isRepeated(each, found)) found.push(each);
  }
  return found;
}

/** Texts of a kind, as far as there is room for them. */
export interface FoundTexts<Text> {
  readonly all: readonly Text[];
  /** How many more files there are, which are not read. */
  readonly left: number;
}

/** The rules of a workspace for some of its files. Those that name no files are for a person to attach. */
export async function fileRules(deps: InstructionFileDeps): Promise<FoundTexts<FileRule>> {
  const { workspace } = deps;
  if (!workspace.trusted) return { all: [], left: 0 };
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  const files: FileName[] = [];
  for (const folder of workspace.folders)
    for (const file of await filesBelow({ folder, path: rulesFolder }, rulesEnding, deps, signal))
      files.push(file);
  const all: FileRule[] = [];
  for (const file of files.slice(0, maxRules))
    for (const rule of await readRule(file, deps, signal)) all.push(rule);
  return { all, left: Math.max(0, files.length - maxRules) };
}

export interface FileRule extends InstructionFile {
  /** For paths of the workspace. */
  fits(file: FileName): boolean;
}

/**
 * Instructions for what a model has just been shown: those of the folders above it, outermost first, without the
 * workspace's own; and rules that fit it. A path with a slash at its end is a folder.
 */
export async function instructionsFor(
  paths: readonly string[],
  deps: InstructionFileDeps & { rules(): Promise<readonly FileRule[]> },
  isKnown: (path: string) => boolean,
): Promise<readonly InstructionFile[]> {
  const { workspace } = deps;
  if (!workspace.trusted || paths.length === 0) return [];
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  const shown = paths.flatMap((path) => locatedIn(path, workspace.folders) ?? []);
  const folders = new Map<string, FileName>();
  for (const { file, isFolder } of shown)
    for (const each of foldersAbove(file, isFolder)) folders.set(pathOf(each, workspace.folders), each);
  const found: InstructionFile[] = [];
  for (const folder of [...folders.values()].slice(0, maxFolders)) {
    if ([agentsFile, claudeFile].some((name) => isKnown(pathOf(below(folder, name), workspace.folders))))
      continue;
    for (const file of await instructionsIn(folder, deps, signal)) found.push(file);
  }
  const files = shown.filter(({ isFolder }) => !isFolder);
  for (const rule of files.length === 0 ? [] : await deps.rules())
    if (!isKnown(rule.path) && files.some(({ file }) => rule.fits(file))) found.push(rule);
  return found;
}

function locatedIn(path: string, folders: readonly string[]) {
  try {
    return { file: locate(path, folders), isFolder: path.endsWith("/") };
  } catch {
    // What is in no folder of the workspace has no instructions in it.
    return undefined;
  }
}

/** From the outside in, without the folder of the workspace itself. */
function foldersAbove({ folder, path }: FileName, isFolder: boolean): FileName[] {
  const names = path.split("/").filter((name) => name !== "");
  if (!isFolder) names.pop();
  return names.map((_, at) => ({ folder, path: names.slice(0, at + 1).join("/") }));
}

/** AGENTS.md of a folder, or CLAUDE.md where there is none. */
async function instructionsIn(
  folder: FileName,
  deps: InstructionFileDeps,
  signal: AbortSignal,
): Promise<readonly InstructionFile[]> {
  const own = await read(below(folder, agentsFile), deps, signal);
  return own.length > 0 ? own : read(below(folder, claudeFile), deps, signal);
}

/** Many repositories keep the same text under two names. */
const isRepeated = ({ text }: InstructionFile, found: readonly InstructionFile[]): boolean =>
  found.some((each) => each.text === text);

async function read(
  file: FileName,
  deps: InstructionFileDeps,
  signal: AbortSignal,
): Promise<readonly InstructionFile[]> {
  const whole = await readWhole(file, deps, signal);
  return whole === undefined ? [] : [instructionFile(whole, deps)];
}

export interface WholeFile {
  readonly path: string;
  readonly text: string;
  readonly removed: number;
  readonly isHiding: boolean;
}

/** Most workspaces have none; one that cannot be read counts as missing. */
export async function readWhole(
  file: FileName,
  { workspace, files }: InstructionFileDeps,
  signal: AbortSignal,
): Promise<WholeFile | undefined> {
  const path = pathOf(file, workspace.folders);
  const guarded = await raceAbort(files.read(path, signal), signal).catch(() => undefined);
  if (guarded === undefined || guarded.text.trim() === "") return undefined;
  const { text, removed } = guarded;
  return { path, text: visible(text), removed, isHiding: hidesCharacters(text) };
}

/** `frontMatter`: how many characters at its beginning are left out; `maxBytes`: how much of it is kept. */
export function instructionFile(
  { path, text: whole, removed, isHiding }: WholeFile,
  { workspace }: InstructionFileDeps,
  frontMatter = 0,
  maxBytes?: number,
): InstructionFile {
  const cut = cutInstructions(path, whole, maxBytes);
  const clean = takeOutSecrets(cut.text.slice(frontMatter));
  const secrets = removed + clean.removed;
  return {
    path,
    text: clean.text,
    sha256: workspace.sha256(`${path}\n${whole}`),
    notes: [
      ...(isHiding ? [message("noteWritten")] : []),
      ...(secrets > 0 ? [secretsNote(secrets)] : []),
      ...(cut.isCut ? [message("noteBeginning")] : []),
    ],
  };
}

async function readRule(
  file: FileName,
  deps: InstructionFileDeps,
  signal: AbortSignal,
): Promise<readonly FileRule[]> {
  const whole = await readWhole(file, deps, signal);
  if (whole === undefined) return [];
  const { fields, length } = await readFrontMatter(whole.text);
  const patterns = fields.get("applyTo") ?? [];
  const fits = readApplyTo(patterns);
  if (fits === undefined) return [];
  const own = instructionFile(whole, deps, length);
  return [
    {
      ...own,
      applyTo: takeOutSecrets(patterns.join(", ")).text,
      fits: ({ folder, path }) => folder === file.folder && fits(path),
    },
  ];
}

/** The files with this ending in a folder and in those below it. */
export async function filesBelow(
  folder: FileName,
  ending: RegExp,
  deps: InstructionFileDeps,
  signal: AbortSignal,
  depth = 1,
): Promise<readonly FileName[]> {
  const found: FileName[] = [];
  for (const { name, kind } of await entriesIn(folder, deps, signal)) {
    const child = below(folder, name);
    if (kind === "folder" && depth < maxDepth)
      for (const each of await filesBelow(child, ending, deps, signal, depth + 1)) found.push(each);
    // The guard follows a link, and refuses one that leads out.
    if ((kind === "file" || kind === "link") && ending.test(name)) found.push(child);
  }
  return found.slice(0, maxCounted);
}

/** Sorted by name. A folder that does not exist or cannot be read has none. */
export async function entriesIn(
  folder: FileName,
  { files, workspace }: InstructionFileDeps,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const path = pathOf(folder, workspace.folders);
  const listing = files.enter(path, signal).then((entered) => entered.list(entered.start));
  const entries = (await raceAbort(listing, signal).catch(() => undefined))?.entries ?? [];
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
