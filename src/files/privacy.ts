// Which files never leave the machine, and which need confirmation before they change; removes secrets from texts.
// Whatever a tool or an attachment reads goes through guarded-files.ts, which asks here. Fails closed: a rule that
// cannot be parsed refuses everything.

import type { CleanText } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { FileName } from "../patch/model.ts";
import { foldName, refusePathSize } from "../patch/paths.ts";
import { runTask } from "../util/background.ts";
import { memoizeLru } from "../util/collections.ts";
import { BrokenPattern, type IgnoreRules, readIgnoreRules } from "../util/ignore-patterns.ts";
import { secretNames, sourceNames } from "./internal/secret-file-names.ts";
import { AnchorSearch, secretFinders } from "./internal/secret-finders.ts";
import type { Range, SecretFinder } from "./internal/secret-places.ts";
import { isIdentifier, isPasswordInPlace, isRandom } from "./internal/secret-values.ts";

export interface PrivacySettings {
  /** The user's own patterns, applied after the built-in ones; `!` may lift one of those. */
  readonly ignore: readonly string[];
  /** The workspace's patterns, which can only add to the list. */
  readonly alsoIgnore: readonly string[];
}

/** A file of patterns in the workspace; it can only add to the list, too. */
export const ignoreFileName = ".patchbayignore";

export const neverSentMessage = message("whyNeverSent");

/** Returns why a path is never sent, or `undefined`. Paths are relative to their folder. */
export type Privacy = (path: string, isFolder: boolean) => Message | undefined;

/** `ignoreFile`: the text of the folder's own ignore file, if there is one. */
export const createPrivacy = ({ ignore, alsoIgnore }: PrivacySettings, ignoreFile = ""): Privacy =>
  remembered(JSON.stringify([[...secretNames, ...ignore], alsoIgnore, ignoreFile.split("\n")]));

/** Needed before each file, and almost always with the same rules. */
const remembered = memoizeLru((texts) => readPrivacy(JSON.parse(texts)));

/** In the order of the layers. */
const sources = ["patchbay.context.ignore", "patchbay.context.alsoIgnore", ignoreFileName];

function readPrivacy(all: readonly (readonly string[])[]): Privacy {
  const layers: IgnoreRules[] = [];
  try {
    for (const lines of all) layers.push(readIgnoreRules(lines, { fold: foldName }));
  } catch {
    // Do not name the rule: it may be as private as what it hides, and the model is told this.
    const source = sources[layers.length];
    return () => message("whyRule", { name: source ?? "" });
  }
  return (path, isFolder) => {
    const why = refusePathSize(path);
    if (why !== undefined) return message(why);
    if (path === "") return undefined;
    const isIgnored = layers.some((rules) => rules.ignores(path, isFolder));
    return isIgnored ? neverSentMessage : undefined;
  };
}

/** Whether a file counts as secret only if a value in it looks like a secret (`holdsSecret`), not by its name alone. */
type DoubtfulName = (path: string) => boolean;

/** The user's patterns may lift a name. `createPrivacy` refuses patterns that cannot be parsed. */
export const createDoubtfulName = ({ ignore }: PrivacySettings): DoubtfulName =>
  rememberedDoubt(JSON.stringify([...sourceNames, ...ignore.filter((line) => line.startsWith("!"))]));

const rememberedDoubt = memoizeLru((texts): DoubtfulName => {
  const rules = readIgnoreRules(JSON.parse(texts), { fold: foldName, tolerant: true });
  return (path) =>
    path !== "" && refusePathSize(path) === undefined && rules.verdict(path, false) === "ignore";
});

/**
 * Returns patterns for the user's settings that lift a file withheld because of its names; empty if user patterns
 * cannot lift it.
 */
export function patternsToLift(paths: readonly string[], settings: PrivacySettings): readonly string[] {
  const patterns = paths.map(exactPattern);
  const lifted = { ...settings, ignore: [...settings.ignore, ...patterns] };
  const [before, after] = [createPrivacy(settings), createPrivacy(lifted)];
  const [wasDoubtful, isDoubtful] = [createDoubtfulName(settings), createDoubtfulName(lifted)];
  const helps = paths.some((path) => before(path, false) === neverSentMessage || wasDoubtful(path));
  const isFree = paths.every((path) => after(path, false) === undefined && !isDoubtful(path));
  return helps && isFree ? patterns : [];
}

/** A pattern that lifts this one file only. */
const exactPattern = (path: string): string => `!/${path.replace(/[\\*?[\]{}!# ]/g, "\\$&")}`;

// Removal of everything that looks like a secret from a text before it is sent to a model. Files known to contain
// secrets are never read at all; this is for keys pasted into ordinary code. Keeps line numbers. Linear.

export const secretMark = "[secret removed]";

interface Cleaned {
  readonly text: CleanText;
  readonly removed: number;
}

/** Characters that are searched in one buffer. */
const bufferSize = 128 * 1024;

/** Made with the first text. */
let anchorSearch: AnchorSearch | undefined;
const findersAt = new Map<string, readonly SecretFinder[]>();

/** A shorter anchor may begin where a longer one does. */
function findersOf(anchor: string): readonly SecretFinder[] {
  const finders =
    findersAt.get(anchor) ??
    secretFinders.filter((finder) => finder.anchors.some((each) => anchor.startsWith(each)));
  findersAt.set(anchor, finders);
  return finders;
}

/** A long text keeps the thread busy that calls this. */
export const takeOutSecrets = (text: string): Cleaned => without(text, findSecrets(text));

/** A text without secrets is not copied back. */
export const cleaning = {
  name: "clean",
  run(text: string): Cleaned | "clean" {
    const cleaned = takeOutSecrets(text);
    return cleaned.removed === 0 ? "clean" : cleaned;
  },
};

/** For a text of any length. */
export async function cleanText(text: string, signal?: AbortSignal): Promise<Cleaned> {
  const cleaned = await runTask(cleaning, text, text.length);
  signal?.throwIfAborted();
  return cleaned === "clean" ? { text: text as CleanText, removed: 0 } : cleaned;
}

/** Splits the redacted text into lines; each is as safe to send as the whole. */
export async function cleanLines(text: string, lineEnd: RegExp, signal?: AbortSignal): Promise<CleanText[]> {
  const { text: clean } = await cleanText(text, signal);
  return clean.split(lineEnd) as CleanText[];
}

function findSecrets(text: string): Range[] {
  anchorSearch ??= new AnchorSearch(new Set(secretFinders.flatMap((finder) => finder.anchors)), bufferSize);
  const found: Range[] = [];
  let end = 0;
  for (let from = 0; from < text.length; from += bufferSize) {
    anchorSearch.each(text, Math.max(from, end), from + bufferSize, (at, anchor) => {
      end = at + 1;
      for (const finder of findersOf(anchor))
        for (const range of finder.find(text, at)) {
          found.push(range);
          if (range[0] <= at) end = Math.max(end, range[1]);
        }
      return end;
    });
  }
  return found;
}

function without(text: string, found: readonly Range[]): Cleaned {
  const pieces: string[] = [];
  let copied = 0;
  let removed = 0;
  for (const [start, end] of found.toSorted(([one], [other]) => one - other)) {
    if (end <= copied) continue;
    if (start >= copied) removed++;
    const from = Math.max(start, copied);
    pieces.push(text.slice(copied, from), text.slice(from, end).replace(/[^\r\n]+/g, secretMark));
    copied = end;
  }
  return { text: [...pieces, text.slice(copied)].join("") as CleanText, removed };
}

/** A value between quotes, operators and blanks. */
const looseValue = /(?<![\w+/=.~-])[\w+/=.~-]{16,400}(?![\w+/=.~-])/g;
/** A longer text is assumed to contain such a value. */
const longestDoubtful = 1_000_000;

/** For a file with a doubtful name: whether a value in it looks like a secret, whatever surrounds it. */
export const holdsSecret = (text: string, removed = takeOutSecrets(text).removed): boolean =>
  removed > 0 ||
  text.length > longestDoubtful ||
  (/^\S{8,400}$/.test(text.trim()) && isPasswordInPlace(text.trim())) ||
  (text.match(looseValue) ?? []).some((value) => isRandom(value) && !isIdentifier(value));

/** The note that accompanies a redacted text. */
export const secretsNote = (removed: number): Message =>
  removed === 1 ? message("noteOneSecret") : message("noteSecrets", { count: removed });

// Which files need confirmation before a patch changes them, besides those that patch/paths.ts knows itself. The
// workspace's list can only add files; a rule that cannot be parsed protects everything (requirements F11).

export interface ProtectionSettings {
  /** The user's own patterns; `!` lifts other protection. */
  readonly own: readonly string[];
  /**
   * Single files that the user has lifted, by their location; a file with the same name in another folder is not
   * affected.
   */
  readonly lifted?: readonly FileName[];
  /** The workspace's patterns. */
  readonly also: readonly string[];
}

/**
 * What the settings say about a file under all its names: the target of a link counts as much as the link's own name.
 */
export type Protection = (folder: string, paths: readonly string[]) => "added" | "lifted" | undefined;

export function createProtection({ own, lifted = [], also }: ProtectionSettings): Protection {
  let users: IgnoreRules;
  let workspaces: IgnoreRules;
  try {
    users = readIgnoreRules(own, { fold: foldName });
    workspaces = readIgnoreRules(also, { fold: foldName });
  } catch (error) {
    if (error instanceof BrokenPattern) return () => "added";
    throw error;
  }
  const isLifted = (folder: string, path: string) =>
    lifted.some((file) => file.folder === folder && foldName(file.path) === foldName(path));
  return (folder, paths) => {
    if (paths.some((path) => users.ignores(path, false) || workspaces.ignores(path, false))) return "added";
    const isKept = (path: string) => users.verdict(path, false) === "keep" || isLifted(folder, path);
    return paths.every(isKept) ? "lifted" : undefined;
  };
}

// Ignore files of a workspace are parsed once per text, up to a size that people write. The cache is keyed by the text,
// so it does not depend on timestamps.

/** In bytes. Nobody writes more by hand, and the whole file is read before each access. */
export const maxIgnoreBytes = 64 * 1024;
