// The workspace as the patch engine may see it: files that are never sent are out of its reach, because what it says
// of a file it cannot patch – ten lines of it as they are – goes to the model. A new file says nothing of an old one.
// What the settings protect, or Git does not show, is marked.

import type { Workspace } from "../changes/workspace.ts";
import { createGitIgnored } from "../files/git-ignored.ts";
import type { GuardedFiles } from "../files/guarded-files.ts";
import type { Protection } from "../files/protected-files.ts";
import type { Workspace as PatchWorkspace } from "../patch/model.ts";

export function patchWorkspace(
  workspace: Workspace,
  files: GuardedFiles,
  protectionOf: Protection,
): PatchWorkspace {
  const isIgnored = createGitIgnored(workspace);
  return {
    folders: workspace.folders,
    ...(workspace.roots && { roots: workspace.roots }),
    async look(file) {
      const standing = await workspace.look(file);
      const names = [...new Set([file.path, standing.real ?? file.path])];
      const protection = protectionOf(names);
      const ignored =
        protection !== "lifted" &&
        (await Promise.all(names.map((path) => isIgnored(file.folder, path)))).includes(true);
      const found = { ...standing, ignored, ...(protection !== undefined && { protection }) };
      if (standing.kind === "nothing") return found;
      return { ...found, guarded: standing.guarded || (await files.keeps(file, standing)) };
    },
    read: (file) => workspace.read(file),
    sha256: (text) => workspace.sha256(text),
  };
}
