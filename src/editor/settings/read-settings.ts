// Who has set a setting, and which value results: a workspace can only lower what the user allows, or choose among it.

import * as vscode from "vscode";
import { defaultOutputLimit } from "../../conversation/models.ts";
import type { RuleOf, WorkspaceSetting } from "./all-settings.ts";

/**
 * `model`: one that the user allows. `limit`: a smaller number. `tier`: a cache that costs no more. `more`: a list of
 * what is forbidden, to which everybody adds. `fewer`: a list of what is shown, from which everybody removes. `off`:
 * what one switches off, no other switches on. `look`: how something is shown that is there in any case.
 */
export type Rule = "model" | "limit" | "tier" | "more" | "fewer" | "off" | "look";

export interface SettingValues {
  /** The user's value, or the default. */
  readonly user: unknown;
  /** Values of the workspace, folders and a remote machine, the most specific last. */
  readonly others: readonly unknown[];
}

/**
 * The effective value of a setting that a workspace may set: it can only lower what the user allows, or choose among
 * it. Pure.
 */
export function effective(
  rule: Rule,
  { user, others }: SettingValues,
  isAllowedModel: (id: string) => boolean,
): unknown {
  switch (rule) {
    case "model":
      return others.findLast((id) => typeof id === "string" && isAllowedModel(id)) ?? user;
    case "limit":
      return lowest(user, others);
    case "tier":
      return others.findLast((tier) => isCheap(tier) || (tier === "1h" && user === "1h")) ?? user;
    case "more":
      return [...new Set([user, ...others].flatMap(listOf))];
    case "fewer":
      return listOf(user).filter((each) =>
        others.every((list) => !Array.isArray(list) || list.includes(each)),
      );
    case "off":
      return user === true && !others.includes(false);
    case "look":
      return others.at(-1) ?? user;
    default:
      return rule satisfies never;
  }
}

/** An invalid number of the user is passed on and refused later with an explanation. */
function lowest(user: unknown, others: readonly unknown[]): unknown {
  const most = user === null ? defaultOutputLimit : user;
  if (!isCount(most)) return user;
  const lower = others.filter(isCount).filter((limit) => limit < most);
  return lower.length === 0 ? user : Math.min(...lower);
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0;

/** The service's default is the short one. */
const isCheap = (tier: unknown): boolean => tier === "default" || tier === "5m";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The last two are missing in VS Code's typings, but have existed since remote windows do. */
type Layer =
  | "defaultValue"
  | "globalValue"
  | "workspaceValue"
  | "workspaceFolderValue"
  | "globalLocalValue"
  | "globalRemoteValue";
/** The value of a setting in one layer, by its name within the section. */
export type Section = (layer: Layer, key: string) => unknown;

/**
 * Reads who has set the settings of a section for a resource (`null`: for none): the user, or the workspace, folders
 * and the machine of a dev container, whose settings VS Code reports as the user's own. Sections are inspected as a
 * whole: inspecting a single setting costs VS Code just as much, and treats `null` ("no limit" for some settings) as no
 * value.
 */
export function inspectSection(section: string, place: vscode.Uri | null): Section {
  const all: Partial<Record<Layer, unknown>> =
    vscode.workspace.getConfiguration(undefined, place).inspect(section) ?? {};
  return (layer, key) => key.split(".").reduce(fieldOf, all[layer]);
}

const fieldOf = (tree: unknown, name: string): unknown =>
  (tree as Readonly<Record<string, unknown>> | null | undefined)?.[name];

export function valuesIn(section: Section, key: WorkspaceSetting): SettingValues {
  const said = (layer: Layer) => section(layer, key);
  const remote = said("globalRemoteValue");
  const others = [remote, said("workspaceValue"), said("workspaceFolderValue")].filter(isSet);
  const own = said(remote === undefined ? "globalValue" : "globalLocalValue");
  return { user: own === undefined ? said("defaultValue") : own, others };
}

/** The effective value of a setting for a resource. Not for settings that name a model. */
export const effectiveAt = <Key extends WorkspaceSetting>(
  key: Key,
  rule: RuleOf<Key>,
  place: vscode.Uri,
): unknown => effective(rule, valuesIn(inspectSection("patchbay", place), key), () => false);

/** The values of all open folders: what one of them forbids holds for the whole window. */
export function valuesAnywhere(
  key: WorkspaceSetting,
  at: (place: vscode.Uri | null) => Section,
): SettingValues {
  const places = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => valuesIn(at(uri), key));
  return { user: valuesIn(at(null), key).user, others: places.flatMap(({ others }) => others) };
}

const isSet = (value: unknown): boolean => value !== undefined;

// Conversions of setting values, which may be anything, to the expected types.

export const text = (value: unknown): string => (typeof value === "string" ? value : "");

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

export const oneOf = <const Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);
