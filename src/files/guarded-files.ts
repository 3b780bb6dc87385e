// The only path from the workspace to the model. Every file name goes through the path policy and the ignore list (as
// written, and with links resolved), and every text through the secret filter.

import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import type { CleanText } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import { maxPictureBytes } from "../conversation/state.ts";
import type { FileName, PathInfo } from "../patch/model.ts";
import { isNotebook } from "../patch/notebook.ts";
import { foldName, refusePathSize } from "../patch/paths.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { present } from "../util/present.ts";
import { trimEnd } from "../util/text.ts";
import { type Listing, listingsOf } from "./internal/folder-listings.ts";
import { readPart, type WantedLines } from "./internal/large-file.ts";
import {
  cleanLines,
  cleanText,
  createDoubtfulName,
  createPrivacy,
  holdsSecret,
  ignoreFileName,
  maxIgnoreBytes,
  neverSentMessage,
  type Privacy,
  type PrivacySettings,
} from "./privacy.ts";
import {
  largerThan,
  locate,
  NotText,
  type Picture,
  pathOf,
  pictureType,
  Refusal,
  TooLarge,
  Unreadable,
  WithheldByName,
} from "./refusal.ts";
import type { Entry, LocalDisk, ProblemMarker, Workspace } from "./workspace.ts";

export interface GuardedText {
  readonly file: FileName;
  /** The path as it is displayed. */
  readonly path: string;
  readonly text: CleanText;
  /** Number of secrets removed from the text. */
  readonly removed: number;
  /** The encoding used, if some bytes were invalid in it. */
  readonly undecoded?: string;
}

/** Some lines of a file. */
interface GuardedLines {
  readonly path: string;
  /** Empty if the file has fewer lines. */
  readonly lines: readonly { readonly text: CleanText; readonly left: number }[];
  readonly lineCount: number;
  readonly isEnd: boolean;
  /** Size of the whole file. */
  readonly bytes: number;
  /** Number of redactions. */
  readonly removed: number;
  /** The file is open in the editor, which may contain more than the disk. */
  readonly isOpen: boolean;
}

export interface GuardedFiles {
  readonly folders: readonly string[];
  /** Whether a file is never sent, because of its name or the target of its link. */
  keeps(file: FileName, standing: PathInfo): Promise<boolean>;
  /**
   * The same for arbitrary paths, such as those in a diff. `root`: the address of the folder they begin in, of which the
   * open folders may be parts; without it, they are paths as they are displayed. `text`: what the diff says about the
   * file. Throws Refusal.
   */
  pathFilter(root?: string): Promise<(path: string, text?: string) => boolean>;
  /** Throws Refusal. */
  read(path: string, signal: AbortSignal): Promise<GuardedText>;
  /**
   * Reads lines of a file that is too large for `read` from the local disk. Throws Refusal; TooLarge if the file is not
   * on the local disk, or its encoding cannot be read in pieces.
   */
  readLines(path: string, wanted: WantedLines, signal: AbortSignal): Promise<GuardedLines>;
  /** Reads a picture. Throws Refusal. */
  readPicture(path: string, signal: AbortSignal): Promise<Picture>;
  /**
   * Checks a text that was read elsewhere. Throws Refusal if its name, its address, or the target of that address is
   * never sent, or if the name is doubtful and the text contains a secret.
   */
  admit(name: string, address: string | undefined, signal: AbortSignal, text?: string): Promise<void>;
  /** Throws Refusal. */
  problems(path: string | undefined): Promise<readonly GuardedProblem[]>;
  /** Throws Refusal. */
  enter(path: string, signal: AbortSignal): Promise<GuardedFolder>;
}

export type GuardedProblem = Omit<ProblemMarker, "file"> & { readonly path: string };

/** A folder whose rules were read once for everything below it. Its functions throw Refusal. */
export interface GuardedFolder {
  readonly start: FileName;
  nameOf(file: FileName): string;
  /** Whether a file or folder is never sent, because of its name. */
  hides(file: FileName, isFolder: boolean): boolean;
  /** Without entries that the model must not see; `hidden` is their number, without Git's own folder. */
  list(folder: FileName): Promise<Listing>;
  read(file: FileName): Promise<CleanText>;
  /** Runs another reader on a file of any size, and checks that this was allowed before its result is used. */
  readAside<Read>(file: FileName, read: () => Promise<Read>): Promise<Read>;
  /** The folder's place on the local disk, used to find files worth reading. */
  readonly disk: LocalDisk | undefined;
  /** Reads an ignore file, `undefined` if there is none. Throws TooLarge. */
  readRules(file: FileName): Promise<string | undefined>;
}

/** A larger file is not source text; it is read piece by piece (requirements F15). */
export const maxTextBytes = 5_000_000;

/** Nobody misses it in a list of files. */
const gitFolder = ".git";

type RulesOf = (folder: string) => Promise<Privacy>;

/**
 * `heldBack` is called with the names of a file that was requested by its path and that was refused only because of
 * these names.
 */
export function guardFiles(
  workspace: Workspace,
  settings: () => PrivacySettings,
  heldBack: (paths: readonly string[]) => void = () => {},
  /**
   * Where ignore files are read: the workspace without proposals, since a proposal must not change which files are
   * never sent.
   */
  ruling: Pick<Workspace, "look" | "read"> = workspace,
): GuardedFiles {
  const { folders } = workspace;
  const nameOf = (file: FileName) => pathOf(file, folders);

  const rulesOf: RulesOf = async (folder) => {
    const file = { folder, path: ignoreFileName };
    const tooLarge = () => message("whyLargeIgnoreFile", { name: ignoreFileName });
    // Otherwise a link could make any file of this machine an ignore file, whose contents could be probed name by name.
    const leadsOut = () => message("whyIgnoreLink", { name: ignoreFileName });
    const unreadable = () => message("whyIgnoreFile", { name: ignoreFileName });
    try {
      const { kind, bytes, real } = await ruling.look(file);
      if (kind === "nothing") return createPrivacy(settings());
      if (real === undefined) return leadsOut;
      // Reading a pipe would block forever.
      if (kind !== "file") return unreadable;
      if (bytes > maxIgnoreBytes) return tooLarge;
      const reading = await ruling.read(file);
      if ((await ruling.look(file)).real !== real) return leadsOut;
      // Unsaved text has no size on the disk.
      if (reading.kind === "text" && reading.text.length > maxIgnoreBytes) return tooLarge;
      if (reading.kind === "text") return createPrivacy(settings(), withoutMark(reading.text));
    } catch {
      // Falls through: a file that cannot be read might contain any rule.
    }
    return unreadable;
  };

  /** Throws unless both the name and the target of its links are allowed. */
  async function look(file: FileName, isFolder: boolean, rules: RulesOf): Promise<PathInfo> {
    const refuse = (why: Message) => new Refusal(message("noteRefused", { name: nameOf(file), why }));
    const standing = await workspace.look(file);
    if (standing.real === undefined) throw refuse(message("whyOutside"));
    if (standing.guarded) throw refuse(message("whyEditors"));
    // A missing file has nothing to hide. Checking this first saves reading rules.
    if (standing.kind === "nothing") throw new Refusal(message("noteMissing", { name: nameOf(file) }));
    const privacy = await rules(file.folder);
    const why = privacy(file.path, isFolder) ?? privacy(standing.real, isFolder);
    if (why === neverSentMessage)
      throw new WithheldByName(refuse(why).asMessage, [...new Set([file.path, standing.real])]);
    if (why !== undefined) throw refuse(why);
    return standing;
  }

  const isDoubtful = (file: FileName, { real }: Pick<PathInfo, "real">): boolean =>
    [file.path, real ?? file.path].some(createDoubtfulName(settings()));

  function refuseDoubtful(file: FileName, standing: PathInfo, holds = (): boolean => true): void {
    if (!isDoubtful(file, standing) || !holds()) return;
    const told = message("noteRefused", { name: nameOf(file), why: neverSentMessage });
    throw new WithheldByName(told, [...new Set([file.path, standing.real ?? file.path])]);
  }

  async function readFile(file: FileName, rules: RulesOf, most = maxTextBytes): Promise<GuardedText> {
    const path = nameOf(file);
    const { reading, standing } = await readOnce(file, rules, most, async (standing) => ({
      reading: await workspace.read(file),
      standing,
    }));
    if (reading.kind === "binary") throw new NotText(message("noteNoText", { name: path }));
    const clean = await cleanText(withoutMark(reading.text));
    refuseDoubtful(file, standing, () => holdsSecret(clean.text, clean.removed));
    return { ...clean, file, path, ...present({ undecoded: reading.undecoded }) };
  }

  async function readLines(file: FileName, wanted: WantedLines, signal: AbortSignal): Promise<GuardedLines> {
    const path = nameOf(file);
    // The file of a notebook has its outputs between its cells.
    const place = isNotebook(file.path) ? undefined : workspace.disk?.place(file);
    const part = await readOnce(
      file,
      rulesOf,
      place === undefined ? maxTextBytes : Number.POSITIVE_INFINITY,
      (standing) => {
        refuseDoubtful(file, standing);
        return place === undefined ? Promise.resolve(undefined) : readPart(place, wanted, signal);
      },
    );
    signal.throwIfAborted();
    if (part === undefined) throw new TooLarge(largerThan(path, maxTextBytes));
    const { before, lines, after, ...rest } = part;
    if (lines.some(({ text }) => text.includes("\0")))
      throw new NotText(message("noteNoText", { name: path }));
    const texts = lines.map(({ text }, at) => (at === 0 && before === "" ? withoutMark(text) : text));
    const clean = await cleanLines(`${before}${texts.join("\n")}${after}`, lineEnd, signal);
    const skipped = before.split(lineEnd).length - 1;
    const shown = lines.flatMap(({ left }, at) => {
      const text = clean[skipped + at];
      return text === undefined ? [] : [{ text, left }];
    });
    const isChanged = (at: number) => shown[at] !== undefined && shown[at].text !== texts[at];
    const removed = shown.filter((_, at) => isChanged(at) && !isChanged(at - 1)).length;
    const opened = workspace.disk?.opened() ?? [];
    const isOpen = opened.some((each) => each.folder === file.folder && each.path === file.path);
    return { ...rest, path, lines: shown, removed, isOpen };
  }

  async function readOnce<Read>(
    file: FileName,
    rules: RulesOf,
    most: number,
    read: (standing: PathInfo) => Promise<Read>,
  ): Promise<Read> {
    const path = nameOf(file);
    const before = await look(file, false, rules);
    if (before.kind === "folder") throw new Refusal(message("noteListFolder", { name: path }));
    if (before.kind !== "file") throw new Refusal(message("noteNoFile", { name: path }));
    if (before.bytes > most) throw new TooLarge(largerThan(path, most));
    const found = await unlessUnreadable(path, read(before));
    // A link may have been changed while the file was read.
    const after = await workspace.look(file);
    if (after.real !== before.real) throw new Unreadable(message("noteChanged", { name: path }));
    return found;
  }

  const tellHeldBack = (error: unknown): never => {
    if (error instanceof WithheldByName) heldBack(error.paths);
    throw error;
  };

  /** The user's rules and those of every folder, for files in none of the folders. */
  const allRules = async (): Promise<readonly Privacy[]> => [
    createPrivacy(settings()),
    ...(await Promise.all(folders.map(rulesOf))),
  ];

  async function enter(path: string, signal: AbortSignal): Promise<GuardedFolder> {
    const start = locate(path, folders);
    const privacy = await rulesOf(start.folder);
    const rules = async () => privacy;
    const { kind } = await look(start, true, rules);
    if (kind !== "folder") throw new Refusal(message("noteNoFolder", { name: nameOf(start) }));
    const list = async (folder: FileName): Promise<Listing> => {
      await look(folder, true, rules);
      const all = await unlessUnreadable(nameOf(folder), workspace.list(folder));
      const entries: Entry[] = [];
      let hidden = 0;
      const pause = createYieldPoint(signal);
      for (const entry of all) {
        await pause();
        const { path } = below(folder, entry.name);
        if (privacy(path, entry.kind === "folder") === undefined) entries.push(entry);
        else if (entry.name !== gitFolder) hidden++;
      }
      return { entries, hidden };
    };
    return {
      start,
      nameOf,
      disk: workspace.disk?.place(start) === undefined ? undefined : workspace.disk,
      hides: ({ path }, isFolder) => privacy(path, isFolder) !== undefined,
      async list(folder) {
        signal.throwIfAborted();
        return listingsOf(workspace).read(workspace.disk?.place(folder), privacy, () => list(folder));
      },
      readAside: (file, read) =>
        readOnce(file, rules, isNotebook(file.path) ? 0 : Number.POSITIVE_INFINITY, (standing) => {
          refuseDoubtful(file, standing);
          return read();
        }),
      async read(file) {
        signal.throwIfAborted();
        return (await readFile(file, rules)).text;
      },
      async readRules(file) {
        signal.throwIfAborted();
        const found = await readFile(file, rules, maxIgnoreBytes).catch(unlessRefused);
        // Unsaved text has no size on the disk.
        if (found !== undefined && found.text.length > maxIgnoreBytes)
          throw new TooLarge(largerThan(found.path, maxIgnoreBytes));
        return found?.text;
      },
    };
  }

  async function keeps(file: FileName, { real }: PathInfo, privacy: Privacy): Promise<boolean> {
    if ([file.path, real ?? file.path].some((path) => privacy(path, false) !== undefined)) return true;
    if (!isDoubtful(file, { real })) return false;
    const reading = await unlessUnreadable(nameOf(file), workspace.read(file));
    return reading.kind === "text" && holdsSecret(reading.text);
  }

  /** Whether what the editor says about a file may be sent, since it quotes the file. */
  async function mayQuote(file: FileName, privacy: Privacy): Promise<boolean> {
    if (privacy(file.path, false) !== undefined) return false;
    try {
      const standing = await workspace.look(file);
      return standing.real !== undefined && !standing.guarded && !(await keeps(file, standing, privacy));
    } catch {
      return false;
    }
  }

  return {
    folders,
    keeps: async (file, standing) => keeps(file, standing, await rulesOf(file.folder)),
    async pathFilter(root) {
      const rules = await allRules();
      const isDoubtfulName = createDoubtfulName(settings());
      const namesInFolders = await namesFrom(root, workspace);
      return (written, text = "") =>
        [written, ...namesInFolders(written)].some(
          (path) =>
            rules.some((privacy) => privacy(path, false) !== undefined) ||
            (isDoubtfulName(path) && holdsSecret(text)),
        );
    },
    async read(path, signal) {
      signal.throwIfAborted();
      return readFile(locate(path, folders), rulesOf).catch(tellHeldBack);
    },
    async readLines(path, wanted, signal) {
      signal.throwIfAborted();
      return readLines(locate(path, folders), wanted, signal).catch(tellHeldBack);
    },
    async readPicture(path, signal) {
      signal.throwIfAborted();
      const file = locate(path, folders);
      const reading = readOnce(file, rulesOf, maxPictureBytes, () => workspace.bytes(file));
      const bytes = await reading.catch(tellHeldBack);
      const type = pictureType(bytes);
      if (type === undefined) throw new Refusal(message("noteNoPicture", { name: nameOf(file) }));
      return { bytes, type };
    },
    async admit(name, address, signal, text = "") {
      const places = address === undefined ? [] : await unlessUnreadable(name, workspace.follow(address));
      const rules = await allRules();
      const names = [name, ...places].flatMap(fromEachFolder);
      const isKept = names.some(createDoubtfulName(settings())) && holdsSecret(text);
      if (isKept) throw new Refusal(message("noteRefused", { name, why: neverSentMessage }));
      const pause = createYieldPoint(signal);
      for (const path of names) {
        await pause();
        const why = rules.map((privacy) => privacy(path, false)).find((each) => each !== undefined);
        if (why !== undefined) throw new Refusal(message("noteRefused", { name, why }));
      }
    },
    async problems(path) {
      const asked = path === undefined ? undefined : locate(path, folders);
      const rules = new Map<string, Privacy>();
      for (const folder of folders) rules.set(folder, await rulesOf(folder));
      const found = workspace.problems(asked);
      const free = new Map<string, boolean>();
      for (const { file } of found) {
        const privacy = rules.get(file.folder);
        const path = nameOf(file);
        if (privacy !== undefined && !free.has(path)) free.set(path, await mayQuote(file, privacy));
      }
      return found.flatMap(({ file, ...problem }) => {
        const path = nameOf(file);
        return free.get(path) === true ? [{ ...problem, path }] : [];
      });
    },
    enter,
  };
}

const lineEnd = /\r\n|\r|\n/;

/** Some editors write a byte order mark, which belongs to no line. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

export const below = ({ folder, path }: FileName, name: string): FileName => ({
  folder,
  path: path === "" ? name : `${path}/${name}`,
});

/** A rule is relative to some folder, which may be any ancestor of the path. */
function fromEachFolder(path: string): string[] {
  if (refusePathSize(path) !== undefined) return [path];
  const names = path.split(/[/\\]/).filter((name) => name !== "");
  return names.map((_, at) => names.slice(at).join("/"));
}

/** Rules are about paths in a folder: returns what turns a path that begins elsewhere into those paths. */
async function namesFrom(
  root: string | undefined,
  workspace: Workspace,
): Promise<(path: string) => string[]> {
  const { folders, roots = [] } = workspace;
  const within = (start: string, path: string) => (path.startsWith(start) ? [path.slice(start.length)] : []);
  if (root === undefined)
    return (path) => (folders.length < 2 ? [] : folders.flatMap((folder) => within(`${folder}/`, path)));
  // Git, too, may know a folder by its link or by where the link leads.
  const placesOf = async (address: string) => {
    const paths = await unlessUnreadable(".", workspace.follow(address));
    return paths.map((path) => `${trimEnd(foldName(path), "/")}/`);
  };
  const begins = new Set(await placesOf(root));
  const starts = new Set<string>();
  for (const { path } of roots)
    for (const place of await placesOf(pathToFileURL(path).href)) starts.add(place);
  return (path) =>
    [...begins].flatMap((begin) => {
      const whole = posix.normalize(begin + foldName(path));
      return [...starts].flatMap((start) => within(start, whole));
    });
}

/**
 * Handler for a promise's `catch`: a refusal means there is no text, except where the file might contain any rule.
 * Other errors are rethrown.
 */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal) || error instanceof TooLarge) throw error;
}

/** The original error may contain local paths that must not be sent. */
const unlessUnreadable = <T>(path: string, answer: Promise<T>): Promise<T> =>
  answer.catch(() => {
    throw new Unreadable(message("noteUnread", { name: path }));
  });
