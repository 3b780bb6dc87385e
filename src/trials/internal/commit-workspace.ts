// The tree of a commit as the workspace that a model reads: one folder, without a disk, without Git's history. Nothing can
// be written to it.
import { createHash } from "node:crypto";
import { message } from "../../conversation/messages.ts";
import { ignoreFileName } from "../../files/privacy.ts";
import type { Entry, Workspace } from "../../files/workspace.ts";
import { defaultPathInfo, type FileName, type PathInfo, type Reading } from "../../patch/model.ts";
import { isNotebook, textOfNotebook } from "../../patch/notebook.ts";
import { foldName } from "../../patch/paths.ts";
import { forLog } from "../../util/sentences.ts";
import { maxBytes, textOf } from "./commit-tree.ts";
import type { GitObjects, Tree } from "./git-objects.ts";

interface CommitWorkspaceDeps {
  readonly git: Pick<GitObjects, "blob">;
  readonly tree: Tree;
  /** The name of the folder. */
  readonly folder: string;
  /** What the folder's own file for the privacy rules says now: it also holds for older commits. */
  readonly ignoreRules: string;
}

const nothing: PathInfo = { ...defaultPathInfo, kind: "nothing", real: undefined };

export function commitWorkspace({ git, tree, folder, ignoreRules }: CommitWorkspaceDeps): Workspace {
  const files = new Map([...tree].filter(([, { kind }]) => kind === "file"));
  const folders = new Map<string, Map<string, Entry>>([["", new Map()]]);
  const folded = new Map<string, string>();
  for (const path of [...files.keys(), ignoreFileName]) enter(path, folders, folded);
  const bytesOf = async ({ path }: FileName): Promise<Uint8Array> => {
    const entry = files.get(path);
    const own = entry === undefined ? undefined : await git.blob(entry.id);
    if (path !== ignoreFileName) {
      if (own === undefined) throw new Error(forLog(`There is no ${path}.`));
      return own;
    }
    return Buffer.from(`${own?.toString("utf8") ?? ""}\n${ignoreRules}`);
  };
  return {
    trusted: true,
    folders: [folder],
    async look(file) {
      const { path } = file;
      const bytes = path === ignoreFileName ? (await bytesOf(file)).length : files.get(path)?.bytes;
      if (bytes !== undefined) return { ...nothing, kind: "file", real: path, bytes };
      if (folders.has(path)) return { ...nothing, kind: "folder", real: path };
      const steps = path.split("/");
      if (steps.some((_, at) => files.has(steps.slice(0, at).join("/"))))
        return { ...nothing, kind: "blocked", real: path };
      const spelled = folded.get(foldName(path));
      return { ...nothing, real: path, ...(spelled !== undefined && { spelled }) };
    },
    async read(file): Promise<Reading> {
      const isLarge = (files.get(file.path)?.bytes ?? 0) > maxBytes;
      const whole = isLarge ? undefined : textOf(await bytesOf(file));
      const text = whole !== undefined && isNotebook(file.path) ? textOfNotebook(whole) : whole;
      return text === undefined ? { kind: "binary" } : { kind: "text", text, version: 1 };
    },
    bytes: bytesOf,
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    follow: async (address) => [address],
    async list({ path }) {
      const entries = folders.get(path);
      if (entries === undefined) throw new Error(forLog(`There is no folder ${path}.`));
      return [...entries.values()];
    },
    problems: () => [],
    apply: async () => ({ outcome: "refused", why: message("problemInside") }),
  };
}

function enter(path: string, folders: Map<string, Map<string, Entry>>, folded: Map<string, string>): void {
  folded.set(foldName(path), path);
  let [folder, kind]: [string, Entry["kind"]] = [path, "file"];
  while (folder !== "") {
    const at = folder.lastIndexOf("/");
    const name = folder.slice(at + 1);
    const parent = folder.slice(0, Math.max(0, at));
    const entries = folders.get(parent) ?? new Map<string, Entry>();
    const isKnown = entries.has(name);
    folders.set(parent, entries.set(name, { name, kind }));
    if (isKnown) return;
    [folder, kind] = [parent, "folder"];
  }
}
