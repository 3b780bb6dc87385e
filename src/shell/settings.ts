// Reads VS Code's settings at use. Those that decide where the key goes, what is spent or what runs unasked are
// read from the user's own settings only: a workspace, a folder or a dev container can set the others
// (requirements A6), so their values are ignored and reported once.
import * as vscode from "vscode";
import type { Log } from "../core/util/log.ts";

export interface Settings {
  baseUrl(): string;
  defaultModel(): string;
}

export function createSettings(log: Log): Settings {
  const reported = new Set<string>();

  function userOnly(key: string): unknown {
    const found = vscode.workspace.getConfiguration("patchbay").inspect(key);
    const foreign = [found?.workspaceValue, found?.workspaceFolderValue].some((value) => value !== undefined);
    if (foreign && !reported.has(key)) {
      reported.add(key);
      log.warn(`The workspace sets patchbay.${key}. Only your user settings can; its value is ignored.`);
    }
    return found?.globalValue ?? found?.defaultValue;
  }

  const text = (value: unknown): string => (typeof value === "string" ? value : "");

  return {
    baseUrl: () => text(userOnly("baseUrl")).trim(),
    defaultModel: () => text(vscode.workspace.getConfiguration("patchbay").get("model.default")),
  };
}
