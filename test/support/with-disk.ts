// A workspace of tests as it is on this machine's own disk: its files may be looked through past the editor.
import { join } from "node:path";
import type { LocalDisk, Workspace } from "../../src/files/workspace.ts";
import type { FileName } from "../../src/patch/model.ts";
import { mayHold as ask } from "../../src/tools/ripgrep.ts";
import type { FolderWorkspace } from "./folder-workspace.ts";
import { ripgrep } from "./ripgrep.ts";

export const withDisk = (
  workspace: FolderWorkspace,
  opened: readonly FileName[] = [],
  mayHold: LocalDisk["mayHold"] = (place, query, take) => ask(ripgrep, place, query, take),
): Workspace => ({
  ...workspace,
  disk: {
    place: ({ folder, path }) => join(workspace.root, folder, path),
    opened: () => opened,
    isUtf8: () => true,
    mayHold,
  },
});
