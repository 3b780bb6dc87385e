// All settings, and types of their names. The table itself is not used at run time: VS Code has the defaults from
// package.json, and types cost nothing.
import { chatSettings } from "./internal/chat.ts";
import { connectionSettings } from "./internal/connection.ts";
import type { Declaration, Group } from "./internal/declaration.ts";
import { modelsSettings } from "./internal/models.ts";
import { privacySettings } from "./internal/privacy.ts";
import { editsSettings } from "./internal/tools-and-edits.ts";
import { usageSettings } from "./internal/usage.ts";

/** In the order of VS Code's settings. The key of a group is that of its title in package.nls.json. */
export const groups = {
  connection: connectionSettings,
  models: modelsSettings,
  chat: chatSettings,
  edits: editsSettings,
  privacy: privacySettings,
  usage: usageSettings,
} as const satisfies Readonly<Record<string, Group>>;

type Groups = typeof groups;
type All = {
  [Name in keyof Groups]: (settings: Groups[Name]["settings"]) => void;
}[keyof Groups] extends (settings: infer Settings) => void
  ? Settings
  : never;

/** Settings read from the user's own settings only. */
export type UserSetting = {
  [Key in keyof All]: All[Key] extends { readonly rule: unknown } ? never : Key;
}[keyof All];
/**
 * Settings that a workspace may set, each by its rule: it can only lower the user's value, or choose among what the
 * user allows.
 */
export type WorkspaceSetting = Exclude<keyof All, UserSetting>;
/** Readers of a setting have to pass its rule. */
export type RuleOf<Key extends WorkspaceSetting> = All[Key]["rule"];

/** By name, without the section. */
export const allSettings: ReadonlyMap<string, Declaration> = new Map(
  Object.values(groups).flatMap(({ settings }) => Object.entries<Declaration>(settings)),
);
