// Patterns in the user's own settings, where what a person once allowed is remembered, shown and removed.
import * as vscode from "vscode";

/** `patchbay.` stands before it. */
export async function addOwnPatterns(setting: string, patterns: readonly string[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration("patchbay");
  const own = settings.inspect<unknown>(setting)?.globalValue;
  const all = new Set<unknown>([...(Array.isArray(own) ? own : []), ...patterns]);
  await settings.update(setting, [...all], vscode.ConfigurationTarget.Global);
}
