// Who has said what of a setting that workspaces may set: the user, or workspace, folders and the machine of a dev
// container, whose settings VS Code gives out as the user's own. What comes of it is decided in workspace-settings.ts.
import * as vscode from "vscode";
import type { WorkspaceSetting } from "./manifest.ts";
import type { SettingValues } from "./workspace-settings.ts";

/** Not in the interface of VS Code, and there since remote windows are. */
interface Inspected {
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

/** Of one place; a place of `null` is none. */
export function valuesAt(key: WorkspaceSetting, place: vscode.Uri | null): SettingValues {
  const configuration = vscode.workspace.getConfiguration("patchbay", place);
  const found = configuration.inspect<unknown>(key);
  const { globalLocalValue, globalRemoteValue } = (found ?? {}) as Inspected;
  const others = [globalRemoteValue, found?.workspaceValue, found?.workspaceFolderValue].filter(isSet);
  const own = globalRemoteValue === undefined ? found?.globalValue : globalLocalValue;
  // `inspect` takes a `null` for no value, "no limit" in some of them; nobody else's gets into an effective one.
  const isNull = others.length === 0 && configuration.get(key) === null;
  return { user: isNull ? null : (own ?? found?.defaultValue), others };
}

/** Of all folders that are open: what one of them forbids holds for the whole window. */
export function valuesAnywhere(key: WorkspaceSetting): SettingValues {
  const places = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => valuesAt(key, uri));
  return { user: valuesAt(key, null).user, others: places.flatMap(({ others }) => others) };
}

const isSet = (value: unknown): boolean => value !== undefined;
