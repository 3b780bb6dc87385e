// The only way from the workspace to the model. Every path goes through the path policy, the ignore list (as it is
// written and as it really is, links followed) and the secret filter; there is no other door to go through.

import type { Entry, LocalDisk, ProblemMarker, Workspace } from "../changes/workspace.ts";
import { maxPictureBytes } from "../conversation/attachment-limits.ts";
import type { CleanText } from "../conversation/content.ts";
import { type Message, message } from "../messages/message.ts";
import type { FileName, Standing } from "../patch/model.ts";
import { refusePathSize } from "../util/path-limits.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { type Listing, listingsOf } from "./folder-listings.ts";
import { maxIgnoreBytes } from "./ignore-files.ts";
import { readPart, type WantedLines } from "./large-file.ts";
import { locate, pathOf } from "./locate.ts";
import { type Picture, pictureType } from "./pictures.ts";
import { createPrivacy, ignoreFileName, onList, type Privacy, type PrivacySettings } from "./privacy.ts";
import { KeptByName, NotText, Refusal, TooLarge, Unreadable } from "./refusal.ts";
import { cleanLines, cleanText } from "./secrets.ts";

export interface GuardedText {
  readonly file: FileName;
  /** How the path is written. */
  readonly path: string;
  readonly text: CleanText;
  /** Secrets that were taken out of the text. */
  readonly removed: number;
}

/** Some lines of a file. */
export interface GuardedLines {
  readonly path: string;
  /** None where the file has not so many. */
  readonly lines: readonly { readonly text: CleanText; readonly left: number }[];
  readonly lineCount: number;
  readonly isEnd: boolean;
  /** Of the whole file. */
  readonly bytes: number;
  /** How often something was taken out. */
  readonly removed: number;
  /** It is open in the editor, where there may be more in it than on the disk. */
  readonly isOpen: boolean;
}

export interface GuardedFiles {
  readonly folders: readonly string[];
  /** Whether a file is on the list of those that are never sent, by its name or by where it leads. */
  keeps(file: FileName, standing: Standing): Promise<boolean>;
  /** The same for paths that may lie anywhere, such as those that a diff names. */
  pathFilter(): Promise<(path: string) => boolean>;
  /** Throws Refusal. */
  read(path: string, signal: AbortSignal): Promise<GuardedText>;
  /**
   * Lines of a file that is too large for `read`, from this machine's disk. Throws Refusal: TooLarge where it lies
   * elsewhere, or in an encoding that cannot be read in pieces.
   */
  readLines(path: string, wanted: WantedLines, signal: AbortSignal): Promise<GuardedLines>;
  /** A picture. Throws Refusal. */
  readPicture(path: string, signal: AbortSignal): Promise<Picture>;
  /**
   * For what was read elsewhere. Throws Refusal where its name, the address it is from or the place that this leads to
   * is on the list.
   */
  admit(name: string, address: string | undefined, signal: AbortSignal): Promise<void>;
  /** Throws Refusal. */
  problems(path: string | undefined): Promise<readonly GuardedProblem[]>;
  /** Throws Refusal. */
  enter(path: string, signal: AbortSignal): Promise<GuardedFolder>;
}

export type GuardedProblem = Omit<ProblemMarker, "file"> & { readonly path: string };

/** A folder that was entered: the rules are read once for everything below it. Its functions throw Refusal. */
export interface GuardedFolder {
  readonly start: FileName;
  nameOf(file: FileName): string;
  /** Whether a file or folder is on the list of those that are never sent, by its name. */
  hides(file: FileName, isFolder: boolean): boolean;
  /** Without what is not for the model; `hidden` says how much that was. */
  list(folder: FileName): Promise<Listing>;
  read(file: FileName): Promise<CleanText>;
  /** Lets somebody else read a file of any size, and says whether that was allowed before what was read is looked at. */
  readAside<Read>(file: FileName, read: () => Promise<Read>): Promise<Read>;
  /** Where the folder lies on this machine's disk: to find out which files are worth reading. */
  readonly disk: LocalDisk | undefined;
  /** What a file of rules says, none where there is none. Throws TooLarge. */
  readRules(file: FileName): Promise<string | undefined>;
}

/** Requirements F15: what is larger is no source text; it is read piece by piece. */
export const maxTextBytes = 5_000_000;

type RulesOf = (folder: string) => Promise<Privacy>;

/** `heldBack` hears the names of a file that was asked for by its path, and that they alone keep here. */
export function guardFiles(
  workspace: Workspace,
  settings: () => PrivacySettings,
  heldBack: (paths: readonly string[]) => void = () => {},
  /** Where the rules lie: nobody who proposes another list of what is kept back is believed. */
  ruling: Pick<Workspace, "look" | "read"> = workspace,
): GuardedFiles {
  const { folders } = workspace;
  const nameOf = (file: FileName) => pathOf(file, folders);

  const rulesOf: RulesOf = async (folder) => {
    const file = { folder, path: ignoreFileName };
    const tooLarge = () => message("whyLargeIgnoreFile", { name: ignoreFileName });
    // Else any file of this machine could be made to rule, and be asked about name by name.
    const leadsOut = () => message("whyIgnoreLink", { name: ignoreFileName });
    try {
      const { kind, bytes, real } = await ruling.look(file);
      if (kind === "nothing") return createPrivacy(settings());
      if (real === undefined) return leadsOut;
      if (bytes > maxIgnoreBytes) return tooLarge;
      const reading = await ruling.read(file);
      if ((await ruling.look(file)).real !== real) return leadsOut;
      // What is typed and not saved yet has no size on the disk.
      if (reading.kind === "text" && reading.text.length > maxIgnoreBytes) return tooLarge;
      if (reading.kind === "text") return createPrivacy(settings(), withoutMark(reading.text));
    } catch {
      // Falls through: what cannot be read may have said anything.
    }
    return () => message("whyIgnoreFile", { name: ignoreFileName });
  };

  /** Throws unless nothing speaks against the place: neither its name nor where its links lead. */
  async function look(file: FileName, isFolder: boolean, rules: RulesOf): Promise<Standing> {
    const refuse = (why: Message) => new Refusal(message("noteRefused", { name: nameOf(file), why }));
    const standing = await workspace.look(file);
    if (standing.real === undefined) throw refuse(message("whyOutside"));
    if (standing.guarded) throw refuse(message("whyEditors"));
    // What is not there has nothing to hide; asked first, it costs no rules.
    if (standing.kind === "nothing") throw new Refusal(message("noteMissing", { name: nameOf(file) }));
    const privacy = await rules(file.folder);
    const why = privacy(file.path, isFolder) ?? privacy(standing.real, isFolder);
    if (why === onList) throw new KeptByName(refuse(why).asMessage, [...new Set([file.path, standing.real])]);
    if (why !== undefined) throw refuse(why);
    return standing;
  }

  async function readFile(file: FileName, rules: RulesOf, most = maxTextBytes): Promise<GuardedText> {
    const path = nameOf(file);
    const reading = await readOnce(file, rules, most, () => workspace.read(file));
    if (reading.kind === "binary") throw new NotText(message("noteNoText", { name: path }));
    return { ...(await cleanText(withoutMark(reading.text))), file, path };
  }

  async function readLines(file: FileName, wanted: WantedLines, signal: AbortSignal): Promise<GuardedLines> {
    const path = nameOf(file);
    const place = workspace.disk?.place(file);
    const part = await readOnce(
      file,
      rulesOf,
      place === undefined ? maxTextBytes : Number.POSITIVE_INFINITY,
      () => (place === undefined ? Promise.resolve(undefined) : readPart(place, wanted, signal)),
    );
    signal.throwIfAborted();
    if (part === undefined)
      throw new TooLarge(message("noteLarge", { name: path, size: sizeOf(maxTextBytes) }));
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
    read: () => Promise<Read>,
  ): Promise<Read> {
    const path = nameOf(file);
    const before = await look(file, false, rules);
    if (before.kind === "folder") throw new Refusal(message("noteListFolder", { name: path }));
    if (before.kind !== "file") throw new Refusal(message("noteNoFile", { name: path }));
    if (before.bytes > most) throw new TooLarge(message("noteLarge", { name: path, size: sizeOf(most) }));
    const found = await unlessUnreadable(path, read());
    // A link may have been turned elsewhere while it was read.
    const after = await workspace.look(file);
    if (after.real !== before.real) throw new Unreadable(message("noteChanged", { name: path }));
    return found;
  }

  const tellHeldBack = (error: unknown): never => {
    if (error instanceof KeptByName) heldBack(error.paths);
    throw error;
  };

  /** The user's rules, and those of every folder: for what lies in none of them. */
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
      const pause = inSteps(signal);
      for (const entry of all) {
        await pause();
        const { path } = below(folder, entry.name);
        if (privacy(path, entry.kind === "folder") === undefined) entries.push(entry);
      }
      return { entries, hidden: all.length - entries.length };
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
      readAside: (file, read) => readOnce(file, rules, Number.POSITIVE_INFINITY, read),
      async read(file) {
        signal.throwIfAborted();
        return (await readFile(file, rules)).text;
      },
      async readRules(file) {
        signal.throwIfAborted();
        const found = await readFile(file, rules, maxIgnoreBytes).catch(unlessRefused);
        // What is typed and not saved yet has no size on the disk.
        if (found !== undefined && found.text.length > maxIgnoreBytes)
          throw new TooLarge(message("noteLarge", { name: found.path, size: sizeOf(maxIgnoreBytes) }));
        return found?.text;
      },
    };
  }

  return {
    folders,
    async keeps(file, { real }) {
      const privacy = await rulesOf(file.folder);
      return [file.path, real ?? file.path].some((path) => privacy(path, false) !== undefined);
    },
    async pathFilter() {
      const rules = await allRules();
      return (path) => rules.some((privacy) => privacy(path, false) !== undefined);
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
    async admit(name, address, signal) {
      const places = address === undefined ? [] : await unlessUnreadable(name, workspace.follow(address));
      const rules = await allRules();
      const pause = inSteps(signal);
      for (const path of [name, ...places].flatMap(fromEachFolder)) {
        await pause();
        const why = rules.map((privacy) => privacy(path, false)).find((each) => each !== undefined);
        if (why !== undefined) throw new Refusal(message("noteRefused", { name, why }));
      }
    },
    async problems(path) {
      const asked = path === undefined ? undefined : locate(path, folders);
      const rules = new Map<string, Privacy>();
      for (const folder of folders) rules.set(folder, await rulesOf(folder));
      return workspace.problems(asked).flatMap(({ file, ...problem }) => {
        const privacy = rules.get(file.folder);
        const isFree = privacy !== undefined && privacy(file.path, false) === undefined;
        return isFree ? [{ ...problem, path: nameOf(file) }] : [];
      });
    },
    enter,
  };
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${bytes / 1024} KiB` : `${bytes / 1_000_000} MB`;

const lineEnd = /\r\n|\r|\n/;

/** Some editors begin a file with a mark of its encoding, which is part of no line. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

export const below = ({ folder, path }: FileName, name: string): FileName => ({
  folder,
  path: path === "" ? name : `${path}/${name}`,
});

/** A rule is about paths below some folder, and any of those above a place may be that folder. */
function fromEachFolder(path: string): string[] {
  if (refusePathSize(path) !== undefined) return [path];
  const names = path.split(/[/\\]/).filter((name) => name !== "");
  return names.map((_, at) => names.slice(at).join("/"));
}

/** For a promise's `catch`: a refusal is no text, but for one that may have said anything; other errors stay errors. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal) || error instanceof TooLarge) throw error;
}

/** The error itself may name places of this machine that are nobody's business. */
const unlessUnreadable = <T>(path: string, answer: Promise<T>): Promise<T> =>
  answer.catch(() => {
    throw new Unreadable(message("noteUnread", { name: path }));
  });
