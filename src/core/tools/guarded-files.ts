// The only way from the workspace to the model. Every path goes through the path policy, the ignore list (as it is
// written and as it really is, links followed) and the secret filter; there is no other door to go through.
import type { FileName, Standing } from "../patch/model.ts";
import { inBreaths } from "../util/breathe.ts";
import type { Entry, ProblemMarker, Workspace } from "../workspace.ts";
import { locate, pathOf } from "./locate.ts";
import { type Picture, pictureType } from "./pictures.ts";
import { createPrivacy, ignoreFileName, type Privacy, type PrivacySettings } from "./privacy.ts";
import { Refusal } from "./refusal.ts";
import { takeOutSecrets } from "./secrets.ts";

export interface GuardedText {
  readonly file: FileName;
  /** How the path is written. */
  readonly path: string;
  readonly text: string;
  /** Secrets that were taken out of the text. */
  readonly removed: number;
}

export interface GuardedFiles {
  readonly folders: readonly string[];
  /** Whether a file is on the list of those that are never sent, by its name or by where it leads. */
  keeps(file: FileName, standing: Standing): Promise<boolean>;
  /** The same for a path that may lie anywhere, such as one that a diff names. */
  keepsPath(path: string): Promise<boolean>;
  /** Throws Refusal. */
  read(path: string, signal: AbortSignal): Promise<GuardedText>;
  /** A picture. Throws Refusal. */
  readPicture(path: string, signal: AbortSignal): Promise<Picture>;
  /**
   * For what was read elsewhere. Throws Refusal where its name, the address it is from or the place that this leads to
   * is on the list.
   */
  admit(name: string, address: string | undefined): Promise<void>;
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
  /** Without what is not for the model; `hidden` says how much that was. */
  list(folder: FileName): Promise<{ readonly entries: readonly Entry[]; readonly hidden: number }>;
  read(file: FileName): Promise<string>;
}

/** Requirements F15: what is larger is no source text. */
const mostBytes = 5_000_000;
export const mostPictureBytes = 20_000_000;

type RulesOf = (folder: string) => Promise<Privacy>;

export function guardFiles(workspace: Workspace, settings: () => PrivacySettings): GuardedFiles {
  const { folders } = workspace;
  const nameOf = (file: FileName) => pathOf(file, folders);

  const rulesOf: RulesOf = async (folder) => {
    const file = { folder, path: ignoreFileName };
    try {
      if ((await workspace.look(file)).kind === "nothing") return createPrivacy(settings());
      const reading = await workspace.read(file);
      if (reading.kind === "text") return createPrivacy(settings(), withoutMark(reading.text));
    } catch {
      // Falls through: what cannot be read may have said anything.
    }
    return () => `nothing is sent while ${ignoreFileName} cannot be read`;
  };

  /** Throws unless nothing speaks against the place: neither its name nor where its links lead. */
  async function look(file: FileName, isFolder: boolean, rules: RulesOf): Promise<Standing> {
    const refuse = (why: string) => new Refusal(`"${nameOf(file)}" cannot be read: ${why}.`);
    const standing = await workspace.look(file);
    if (standing.real === undefined) throw refuse("it leads out of the workspace");
    if (standing.guarded) throw refuse("it belongs to the editor");
    const privacy = await rules(file.folder);
    const why = privacy(file.path, isFolder) ?? privacy(standing.real, isFolder);
    if (why !== undefined) throw refuse(why);
    return standing;
  }

  async function readFile(file: FileName, rules: RulesOf): Promise<GuardedText> {
    const path = nameOf(file);
    const reading = await readOnce(file, rules, mostBytes, () => workspace.read(file));
    if (reading.kind === "binary") throw new Refusal(`"${path}" is not a text file.`);
    return { ...takeOutSecrets(withoutMark(reading.text)), file, path };
  }

  async function readOnce<Read>(
    file: FileName,
    rules: RulesOf,
    most: number,
    read: () => Promise<Read>,
  ): Promise<Read> {
    const path = nameOf(file);
    const before = await look(file, false, rules);
    if (before.kind === "nothing") throw new Refusal(`There is no "${path}".`);
    if (before.kind === "folder") throw new Refusal(`"${path}" is a folder; use list_files.`);
    if (before.kind !== "file") throw new Refusal(`"${path}" is not a file.`);
    if (before.bytes > most) throw new Refusal(`"${path}" is larger than ${most / 1_000_000} MB.`);
    const found = await unlessUnreadable(path, read());
    // A link may have been turned elsewhere while it was read.
    const after = await workspace.look(file);
    if (after.real !== before.real) throw new Refusal(`"${path}" changed while it was read.`);
    return found;
  }

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
    if (kind === "nothing") throw new Refusal(`There is no "${nameOf(start)}".`);
    if (kind !== "folder") throw new Refusal(`"${nameOf(start)}" is not a folder.`);
    return {
      start,
      nameOf,
      async list(folder) {
        signal.throwIfAborted();
        await look(folder, true, rules);
        const all = await unlessUnreadable(nameOf(folder), workspace.list(folder));
        const entries: Entry[] = [];
        const breath = inBreaths(signal);
        for (const entry of all) {
          await breath();
          const { path } = below(folder, entry.name);
          if (privacy(path, entry.kind === "folder") === undefined) entries.push(entry);
        }
        return { entries, hidden: all.length - entries.length };
      },
      async read(file) {
        signal.throwIfAborted();
        return (await readFile(file, rules)).text;
      },
    };
  }

  return {
    folders,
    async keeps(file, { real }) {
      const privacy = await rulesOf(file.folder);
      return [file.path, real ?? file.path].some((path) => privacy(path, false) !== undefined);
    },
    async keepsPath(path) {
      return (await allRules()).some((privacy) => privacy(path, false) !== undefined);
    },
    async read(path, signal) {
      signal.throwIfAborted();
      return readFile(locate(path, folders), rulesOf);
    },
    async readPicture(path, signal) {
      signal.throwIfAborted();
      const file = locate(path, folders);
      const bytes = await readOnce(file, rulesOf, mostPictureBytes, () => workspace.bytes(file));
      const type = pictureType(bytes);
      if (type === undefined) throw new Refusal(`"${nameOf(file)}" is not a picture that can be sent.`);
      return { bytes, type };
    },
    async admit(name, address) {
      const places = address === undefined ? [] : await unlessUnreadable(name, workspace.follow(address));
      const rules = await allRules();
      for (const path of [name, ...places].flatMap(fromEachFolder)) {
        const why = rules.map((privacy) => privacy(path, false)).find((each) => each !== undefined);
        if (why !== undefined) throw new Refusal(`"${name}" cannot be read: ${why}.`);
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

/** Some editors begin a file with a mark of its encoding, which is part of no line. */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

export const below = ({ folder, path }: FileName, name: string): FileName => ({
  folder,
  path: path === "" ? name : `${path}/${name}`,
});

/** A rule is about paths below some folder, and any of those above a place may be that folder. */
function fromEachFolder(path: string): string[] {
  const names = path.split(/[/\\]/).filter((name) => name !== "");
  return names.map((_, at) => names.slice(at).join("/"));
}

/** The error itself may name places of this machine that are nobody's business. */
const unlessUnreadable = <T>(path: string, answer: Promise<T>): Promise<T> =>
  answer.catch(() => {
    throw new Refusal(`"${path}" could not be read.`);
  });
