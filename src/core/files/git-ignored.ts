// Whether Git leaves a file out of what it shows: nobody would see there what a patch has done. Reads the rules of the
// workspace itself; those of the machine are not known here, and a file that is tracked all the same counts as ignored.

import type { Workspace } from "../changes/workspace.ts";
import { foldName } from "../patch/paths.ts";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";

export type GitIgnored = (folder: string, path: string) => Promise<boolean>;

/** A longer ignore file takes too long to ask about, and counts as one that ignores everything. */
const maxBytes = 64 * 1024;
const maxFolders = 64;
const everything = readIgnoreRules(["*"]);

/** Reads each file of rules once. */
export function createGitIgnored(workspace: Pick<Workspace, "look" | "read">): GitIgnored {
  const known = new Map<string, Promise<IgnoreRules | undefined>>();

  function rulesIn(folder: string, path: string): Promise<IgnoreRules | undefined> {
    const key = `${folder}\0${path}`;
    const rules = known.get(key) ?? readRules(folder, path);
    known.set(key, rules);
    return rules;
  }

  async function readRules(folder: string, path: string): Promise<IgnoreRules | undefined> {
    const file = { folder, path };
    try {
      const { kind, bytes } = await workspace.look(file);
      if (kind !== "file") return undefined;
      const reading = bytes > maxBytes ? undefined : await workspace.read(file);
      if (reading?.kind !== "text") return everything;
      return readIgnoreRules(reading.text.split("\n"), { fold: foldName, tolerant: true });
    } catch {
      return everything;
    }
  }

  /** The nearest rules have the last word, and what lies in an ignored folder is ignored whatever they say. */
  return async (folder, path) => {
    const names = path.split("/");
    if (names.length > maxFolders) return true;
    const layers: (readonly [depth: number, rules: IgnoreRules | undefined])[] = [
      [0, await rulesIn(folder, ".git/info/exclude")],
    ];
    for (let length = 1; length <= names.length; length++) {
      const above = names.slice(0, length - 1);
      layers.push([above.length, await rulesIn(folder, [...above, ".gitignore"].join("/"))]);
      const verdicts = layers.map(([depth, rules]) =>
        rules?.verdict(names.slice(depth, length).join("/"), length < names.length),
      );
      if (verdicts.findLast((verdict) => verdict !== undefined) === "ignore") return true;
    }
    return false;
  };
}
