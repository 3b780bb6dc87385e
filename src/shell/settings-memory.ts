// What was asked of the settings, until they change. VS Code works each answer out again, and one look at a chat asks
// for dozens: most of the host's longest stretches went there, without this.
import * as vscode from "vscode";

/** All settings have their values for each document that a person works in; a long day must not gather them all. */
const maxKept = 50;

export interface SettingsMemory extends vscode.Disposable {
  /** What `read` says; it is asked once for each name. */
  of<Value>(name: string, read: () => Value): Value;
}

export function rememberSettings(): SettingsMemory {
  const kept = new Map<string, unknown>();
  const forget = () => kept.clear();
  const changes = vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
  );
  return {
    of<Value>(name: string, read: () => Value): Value {
      if (kept.has(name)) return kept.get(name) as Value;
      const value = read();
      if (kept.size >= maxKept) forget();
      kept.set(name, value);
      return value;
    },
    dispose: () => changes.dispose(),
  };
}
