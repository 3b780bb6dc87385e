// Which files a person wants to be asked about before a patch changes them, besides those that patch/reasons-to-ask.ts
// knows by itself. The workspace's list only adds; a rule that cannot be read protects everything (requirements F11).
import { foldName } from "../patch/paths.ts";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";
import { BrokenPattern } from "./name-pattern.ts";

export interface ProtectionSettings {
  /** The user's own patterns; `!` lifts what is protected otherwise. */
  readonly own: readonly string[];
  /** The workspace's patterns. */
  readonly also: readonly string[];
}

/** What the settings say of one file under all its names: where a link leads counts as much as how it is called. */
export type Protection = (paths: readonly string[]) => "added" | "lifted" | undefined;

export function createProtection({ own, also }: ProtectionSettings): Protection {
  let users: IgnoreRules;
  let workspaces: IgnoreRules;
  try {
    users = readIgnoreRules(own, { fold: foldName });
    workspaces = readIgnoreRules(also, { fold: foldName });
  } catch (error) {
    if (error instanceof BrokenPattern) return () => "added";
    throw error;
  }
  return (paths) => {
    if (paths.some((path) => users.ignores(path, false) || workspaces.ignores(path, false))) return "added";
    return paths.every((path) => users.verdict(path, false) === "keep") ? "lifted" : undefined;
  };
}
