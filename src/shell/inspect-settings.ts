// Who has said what of a setting: the user, or workspace, folders and the machine of a dev container, whose settings VS Code
// gives out as the user's own. What comes of it is decided in settings.ts and workspace-settings.ts. A section is looked at
// as a whole: a look at one setting costs VS Code as much, and takes a `null`, "no limit" in some of them, for no value.
import * as vscode from "vscode";
import type { WorkspaceSetting } from "./manifest.ts";
import type { SettingValues } from "./workspace-settings.ts";

/** The last two are not in the interface of VS Code, and there since remote windows are. */
type Layer =
  | "defaultValue"
  | "globalValue"
  | "workspaceValue"
  | "workspaceFolderValue"
  | "globalLocalValue"
  | "globalRemoteValue";
/** What is said there of a setting, by its name within the section. */
export type Section = (layer: Layer, key: string) => unknown;

/** At one place; a place of `null` is none. */
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

export const valuesAt = (key: WorkspaceSetting, place: vscode.Uri): SettingValues =>
  valuesIn(inspectSection("patchbay", place), key);

/** Of all folders that are open: what one of them forbids holds for the whole window. */
export function valuesAnywhere(
  key: WorkspaceSetting,
  at: (place: vscode.Uri | null) => Section,
): SettingValues {
  const places = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => valuesIn(at(uri), key));
  return { user: valuesIn(at(null), key).user, others: places.flatMap(({ others }) => others) };
}

const isSet = (value: unknown): boolean => value !== undefined;
