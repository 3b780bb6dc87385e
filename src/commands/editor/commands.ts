// What a person allows of commands of models: by the permission of the tool in their own settings, and for the folders in
// which they have agreed.
import type * as vscode from "vscode";
import type { Permission } from "../../conversation/models.ts";
import type { Workspace } from "../../files/workspace.ts";
import { Emitter } from "../../util/emitter.ts";
import type { CommandHost, TerminalEnd, TerminalRun } from "../command-host.ts";

interface CommandsDeps {
  /** The permission in the user's own settings; absent if they say nothing. */
  permission(): Permission | undefined;
  /** State of this workspace. */
  readonly memory: Pick<vscode.Memento, "get" | "update">;
  readonly workspace: Pick<Workspace, "roots">;
  /** Runs a line in a terminal of its own, in the folder with this path. */
  runInTerminal?(path: string, run: TerminalRun): Promise<TerminalEnd>;
}

/** Key in the workspace state: paths of folders in which commands run in a sandbox without asking. */
const slot = "commandFolders";

export function createCommandHost(deps: CommandsDeps): CommandHost {
  const { permission, memory, workspace, runInTerminal } = deps;
  const pathOf = (folder: string) => workspace.roots?.find((root) => root.folder === folder)?.path;
  const allowed = () => memory.get<readonly string[]>(slot) ?? [];
  const changed = new Emitter<void>();
  const remember = async (paths: readonly string[]) => {
    await memory.update(slot, paths);
    changed.fire();
  };
  return {
    onDidChange: changed.on,
    get mode() {
      const said = permission();
      if (said === undefined) return "sandbox";
      return said === "off" ? "off" : "ask";
    },
    get isForTextCalls() {
      return this.mode === "ask";
    },
    isAllowedIn(folder) {
      const path = pathOf(folder);
      return permission() === "auto" || (path !== undefined && allowed().includes(path));
    },
    async allowIn(folder) {
      const path = pathOf(folder);
      if (path !== undefined) await remember([...new Set([...allowed(), path])]);
    },
    runsInTerminal: runInTerminal !== undefined,
    async runInTerminal(folder, run) {
      const path = pathOf(folder);
      if (path === undefined || runInTerminal === undefined) throw new Error("It has no terminal.");
      return runInTerminal(path, run);
    },
    get allowedFolders() {
      const paths = allowed();
      return (workspace.roots ?? []).flatMap(({ folder, path }) => (paths.includes(path) ? [folder] : []));
    },
    async askIn(folder) {
      const path = pathOf(folder);
      await remember(allowed().filter((each) => each !== path));
    },
  };
}
