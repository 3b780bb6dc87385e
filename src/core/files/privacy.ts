// Which files never leave the machine. The one choke point: whatever a tool or an attachment reads goes through
// guarded-files.ts, which asks here. It fails closed: a rule that cannot be read refuses everything.
import { type Message, message } from "../messages/message.ts";
import { foldName } from "../patch/paths.ts";
import { refusePathSize } from "../util/path-limits.ts";
import { createRemembered } from "../util/remembered.ts";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";
import { secretNames } from "./secret-names.ts";

export interface PrivacySettings {
  /** The user's own patterns, after the built-in ones; `!` may take one of those back. */
  readonly ignore: readonly string[];
  /** The workspace's patterns: they only add. */
  readonly alsoIgnore: readonly string[];
}

/** A file of patterns that lies in the workspace; it only adds, too. */
export const ignoreFileName = ".patchbayignore";

export const onList = message("whyNeverSent");

/** Answers with the reason why a path is never sent, or with nothing. Paths are relative to their folder. */
export type Privacy = (path: string, isFolder: boolean) => Message | undefined;

/** `ignoreFile` is the text of the folder's own ignore file, if there is one. */
export const createPrivacy = ({ ignore, alsoIgnore }: PrivacySettings, ignoreFile = ""): Privacy =>
  remembered(JSON.stringify([[...secretNames, ...ignore], alsoIgnore, ignoreFile.split("\n")]));

/** It is asked for before each file, and nearly always for the same rules. */
const remembered = createRemembered((texts) => readPrivacy(JSON.parse(texts)));

/** In the order of their layers. */
const sources = ["patchbay.context.ignore", "patchbay.context.alsoIgnore", ignoreFileName];

function readPrivacy(all: readonly (readonly string[])[]): Privacy {
  const layers: IgnoreRules[] = [];
  try {
    for (const lines of all) layers.push(readIgnoreRules(lines, { fold: foldName }));
  } catch {
    // Not which: what a rule says may be as private as what it hides, and this is told to the model.
    const source = sources[layers.length];
    return () => message("whyRule", { name: source ?? "" });
  }
  return (path, isFolder) => {
    const why = refusePathSize(path);
    if (why !== undefined) return message(why);
    if (path === "") return undefined;
    const isIgnored = layers.some((rules) => rules.ignores(path, isFolder));
    return isIgnored ? onList : undefined;
  };
}

/** Patterns of the user's that take a file back which its names keep here; none where these cannot do that. */
export function wayOut(paths: readonly string[], settings: PrivacySettings): readonly string[] {
  const patterns = paths.map(exactly);
  const after = createPrivacy({ ...settings, ignore: [...settings.ignore, ...patterns] });
  const before = createPrivacy(settings);
  const helps = paths.some((path) => before(path, false) === onList);
  return helps && paths.every((path) => after(path, false) === undefined) ? patterns : [];
}

/** Lifts what is said of this one file. */
export const exactly = (path: string): string => `!/${path.replace(/[\\*?[\]{}!# ]/g, "\\$&")}`;
