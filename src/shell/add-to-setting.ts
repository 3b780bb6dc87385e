// Lists in the user's own settings to which something is added for them. What they have written there stays as it is, also
// what nobody here understands.
import * as vscode from "vscode";

/** `patchbay.` stands before it. */
export async function addToSetting(setting: string, added: readonly unknown[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration("patchbay");
  const own = settings.inspect<unknown>(setting)?.globalValue;
  const all = new Set<unknown>([...(Array.isArray(own) ? own : []), ...added]);
  await settings.update(setting, [...all], vscode.ConfigurationTarget.Global);
}
