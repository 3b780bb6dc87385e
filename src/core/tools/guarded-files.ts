// The only way from the workspace to the model. Every path goes through the path policy, the ignore list (as it is
// written and as it really is, links followed) and the secret filter; there is no other door to go through.
import {
  type Entry,
  type FileText,
  type Folder,
  type Place,
  type ProblemMarker,
  type Workspace,
  WorkspaceError,
} from "../workspace.ts";
import { locate, pathOf } from "./locate.ts";
import { createPrivacy, ignoreFileName, type Privacy, type PrivacySettings } from "./privacy.ts";
import { Refusal } from "./refusal.ts";
import { takeOutSecrets } from "./secrets.ts";

export interface GuardedText extends FileText {
  readonly place: Place;
  /** How the path is written. */
  readonly path: string;
  /** Secrets that were taken out of the text. */
  readonly removed: number;
}

export interface GuardedFiles {
  readonly folders: readonly Folder[];
  /** Throws Refusal. */
  read(path: string, signal: AbortSignal): Promise<GuardedText>;
  /** Throws Refusal. */
  problems(path: string | undefined, signal: AbortSignal): Promise<readonly GuardedProblem[]>;
  /** Throws Refusal. */
  enter(path: string, signal: AbortSignal): Promise<GuardedFolder>;
}

export type GuardedProblem = Omit<ProblemMarker, "place"> & { readonly path: string };

/** A folder that was entered: the rules are read once for everything below it. Its functions throw Refusal. */
export interface GuardedFolder {
  readonly start: Place;
  nameOf(place: Place): string;
  /** Without what is not for the model; `hidden` says how much that was. */
  list(place: Place): Promise<{ readonly entries: readonly Entry[]; readonly hidden: number }>;
  read(place: Place): Promise<string>;
}

/** Requirements F15: what is larger is no source text. */
export const mostFileBytes = 5 * 1024 * 1024;

export function guardFiles(workspace: Workspace, settings: () => PrivacySettings): GuardedFiles {
  const { folders } = workspace;
  const nameOf = (place: Place) => pathOf(place, folders);

  async function privacyOf(folder: string, signal: AbortSignal): Promise<Privacy> {
    try {
      const file = await workspace.read({ folder, path: ignoreFileName }, mostFileBytes, signal);
      return createPrivacy(settings(), file.text);
    } catch (error) {
      if (isMissing(error)) return createPrivacy(settings());
      signal.throwIfAborted();
      return () => `nothing is sent while ${ignoreFileName} cannot be read`;
    }
  }

  /** Throws unless nothing speaks against the place: neither its name nor where its links lead. */
  async function check(place: Place, isFolder: boolean, rulesOf: (folder: string) => Promise<Privacy>) {
    const refuse = (why: string) => new Refusal(`"${nameOf(place)}" cannot be read: ${why}.`);
    const real = await workspace.realPlace(place);
    if (real === undefined) throw refuse("it leads out of the workspace");
    for (const each of [place, real]) {
      const why = (await rulesOf(each.folder))(each.path, isFolder);
      if (why !== undefined) throw refuse(why);
    }
    return real;
  }

  async function readPlace(
    place: Place,
    rulesOf: (folder: string) => Promise<Privacy>,
    signal: AbortSignal,
  ): Promise<GuardedText> {
    const real = await check(place, false, rulesOf);
    const { text, version } = await orRefusal(place, workspace.read(place, mostFileBytes, signal));
    // A link may have been turned elsewhere while it was read.
    const after = await workspace.realPlace(place);
    if (after?.folder !== real.folder || after.path !== real.path)
      throw new Refusal(`"${nameOf(place)}" changed while it was read.`);
    return { ...takeOutSecrets(text), version, place, path: nameOf(place) };
  }

  async function orRefusal<T>(place: Place, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof WorkspaceError) throw new Refusal(sentences[error.kind](nameOf(place)));
      throw error;
    }
  }

  async function enter(path: string, signal: AbortSignal): Promise<GuardedFolder> {
    const start = locate(path, folders);
    const privacy = await privacyOf(start.folder, signal);
    const rulesOf = async (folder: string) => (folder === start.folder ? privacy : privacyOf(folder, signal));
    await check(start, true, rulesOf);
    return {
      start,
      nameOf,
      async list(place) {
        const all = await orRefusal(place, workspace.list(place, signal));
        const entries = all.filter(
          ({ name, kind }) => privacy(below(place, name).path, kind === "folder") === undefined,
        );
        return { entries, hidden: all.length - entries.length };
      },
      read: async (place) => (await readPlace(place, rulesOf, signal)).text,
    };
  }

  async function problems(path: string | undefined, signal: AbortSignal): Promise<GuardedProblem[]> {
    const place = path === undefined ? undefined : locate(path, folders);
    const rules = new Map<string, Privacy>();
    for (const { name } of folders) rules.set(name, await privacyOf(name, signal));
    return workspace.problems(place).flatMap(({ place, ...problem }) => {
      const isFree = rules.get(place.folder)?.(place.path, false) === undefined && rules.has(place.folder);
      return isFree ? [{ ...problem, path: nameOf(place) }] : [];
    });
  }

  return {
    folders,
    problems,
    read: (path, signal) => readPlace(locate(path, folders), (folder) => privacyOf(folder, signal), signal),
    enter,
  };
}

export const below = ({ folder, path }: Place, name: string): Place => ({
  folder,
  path: path === "" ? name : `${path}/${name}`,
});

const isMissing = (error: unknown): boolean => error instanceof WorkspaceError && error.kind === "missing";

const sentences: Record<WorkspaceError["kind"], (path: string) => string> = {
  missing: (path) => `There is no "${path}".`,
  "is-folder": (path) => `"${path}" is a folder; use list_files.`,
  "not-folder": (path) => `"${path}" is a file; use read_file.`,
  binary: (path) => `"${path}" is not a text file.`,
  "too-large": (path) => `"${path}" is larger than 5 MiB.`,
  unreadable: (path) => `"${path}" could not be read.`,
};
