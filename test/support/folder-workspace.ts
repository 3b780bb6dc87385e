// A true little workspace: folders on disk, live documents in front of them, problems as told. What the tests of
// tools and turns work in.

import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import type { Message } from "../../src/conversation/messages.ts";
import type { GitHistory, Languages, ProblemMarker, Workspace } from "../../src/files/workspace.ts";
import { applyEdits } from "../../src/patch/edits.ts";
import { defaultPathInfo, type FileChange, type FileName, type PathInfo } from "../../src/patch/model.ts";
import { entryOf } from "./disk-workspace.ts";
import { ripgrep } from "./ripgrep.ts";

export interface FolderWorkspace extends Workspace {
  trusted: boolean;
  /** The folder all workspace folders lie in: what is here but in none of them is outside. */
  readonly root: string;
  /** Writes a file on disk; `path` is relative to the root. */
  write(path: string, text: string | Uint8Array): void;
  /** What the user typed and has not saved. */
  type(file: FileName, text: string): void;
  readonly markers: ProblemMarker[];
  /** What a test says the language services know. */
  languages?: Languages;
  /** What a test says Git knows. */
  git?: GitHistory;
  /** Every text that was handed out, by path: what a guard let through. */
  readonly handedOut: string[];
  /** Called just before changes are carried out: the moment for a typist or a stop button. */
  beforeApply: () => void;
  /** Why the editor does not apply anything. */
  refuses: Message | undefined;
  /** Files that cannot be written, and why. */
  readonly locked: Map<string, Message>;
  /** Whether the person says no to what the editor asks. */
  declines: boolean;
  /** The window goes away while changes are carried out: nobody hears what came of it. */
  goes: boolean;
  /** What cannot be saved. */
  unsaved: readonly FileName[] | undefined;
  /** How often changes were carried out. */
  applied: number;
  /** Takes the workspace folders away. */
  remove(): void;
  /** The text on disk, or what was typed. */
  text(path: string): string | undefined;
}

export function createFolderWorkspace(...names: readonly string[]): FolderWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-workspace-")));
  after(() => rmSync(root, { recursive: true, force: true }));
  return openFolderWorkspace(root, names.length === 0 ? ["work"] : names);
}

/** These folders below the root; it outlives whoever opens it. */
export function openFolderWorkspace(root: string, folders: readonly string[]): FolderWorkspace {
  for (const name of folders) mkdirSync(join(root, name), { recursive: true });
  const typed = new Map<string, { text: string; version: number }>();
  const markers: ProblemMarker[] = [];
  const handedOut: string[] = [];
  const onDisk = ({ folder, path }: FileName) => join(root, folder, path);
  const key = ({ folder, path }: FileName) => `${folder}/${path}`;

  const workspace: FolderWorkspace = {
    trusted: true,
    beforeApply: () => {},
    refuses: undefined,
    locked: new Map(),
    declines: false,
    goes: false,
    unsaved: undefined,
    applied: 0,
    text(path) {
      const live = typed.get(path);
      if (live !== undefined) return live.text;
      return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    },
    root,
    folders,
    roots: folders.map((folder) => ({ folder, path: join(root, folder) })),
    markers,
    handedOut,
    ripgrep: async () => ripgrep,
    remove() {
      for (const name of folders) rmSync(join(root, name), { recursive: true, force: true });
    },
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    type(file, text) {
      typed.set(key(file), { text, version: (typed.get(key(file))?.version ?? 1) + 1 });
    },
    look: async (file) => standing(onDisk(file), join(root, file.folder)),
    async read(file) {
      const live = typed.get(key(file));
      const bytes = live === undefined ? await readFile(onDisk(file)) : Buffer.from(live.text);
      handedOut.push(key(file));
      if (bytes.includes(0)) return { kind: "binary" };
      return { kind: "text", text: bytes.toString("utf8"), version: live?.version ?? 1 };
    },
    async bytes(file) {
      handedOut.push(key(file));
      return readFile(onDisk(file));
    },
    follow: async (address) => [fileURLToPath(address), realPath(fileURLToPath(address))],
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    list: async (folder) => (await readdir(onDisk(folder), { withFileTypes: true })).map(entryOf),
    problems: (file) => markers.filter((marker) => file === undefined || key(marker.file) === key(file)),
    async apply(changes) {
      const { goes } = workspace;
      workspace.beforeApply();
      if (goes) return new Promise(() => {});
      if (workspace.declines) return { outcome: "declined" };
      if (workspace.refuses !== undefined) return { outcome: "refused", why: workspace.refuses };
      const files = changes.flatMap(({ file }) => {
        const why = workspace.locked.get(key(file));
        return why === undefined ? [] : [{ file, why }];
      });
      const [first] = files;
      if (first !== undefined) return { outcome: "refused", why: first.why, files };
      for (const change of changes) if (isStale(change)) return { outcome: "stale" };
      workspace.applied++;
      for (const change of changes) carryOut(change);
      return { outcome: "applied", ...(workspace.unsaved && { unsaved: workspace.unsaved }) };
    },
  };
  return workspace;

  function isStale(change: FileChange): boolean {
    const { real } = standing(onDisk(change.file), join(root, change.file.folder));
    if (real !== change.permission.real) return true;
    return "base" in change && workspace.text(key(change.file)) !== change.base.text;
  }

  /** Where the user has the file open, the document changes and stays unsaved; else the file. */
  function put(file: FileName, text: string): void {
    if (typed.has(key(file))) workspace.type(file, text);
    else workspace.write(key(file), text);
  }

  function carryOut(change: FileChange): void {
    if (change.kind === "add") put(change.file, change.text);
    else if (change.kind === "update") put(change.file, applyEdits(change.base.text, change.edits));
    else {
      typed.delete(key(change.file));
      rmSync(onDisk(change.file));
      if (change.kind === "move") put(change.to, applyEdits(change.base.text, change.edits));
    }
  }
}

function standing(path: string, folder: string): PathInfo {
  const real = realPath(path);
  const own = lstatSync(path, { throwIfNoEntry: false });
  const found = statSync(real, { throwIfNoEntry: false });
  const kind =
    found === undefined ? "nothing" : found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
  return {
    ...defaultPathInfo,
    kind,
    real: `${real}${sep}`.startsWith(folder + sep) ? real.slice(folder.length + 1) : undefined,
    link: own?.isSymbolicLink() ?? false,
    names: found?.nlink ?? 1,
    bytes: found?.size ?? 0,
  };
}

/** Of what does not exist: its nearest ancestor's, and the rest as it is written. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), path.slice(dirname(path).length));
  }
}
