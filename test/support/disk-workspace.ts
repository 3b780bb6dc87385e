// A folder on disk as the engine's world, and `applyToFolder`, which carries a plan out there: everything staged
// first, then put in place, and taken back if a step fails. It uses the engine and its path policy, nothing else.
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Entry } from "../../src/files/workspace.ts";
import { applyEdits } from "../../src/patch/edits.ts";
import {
  defaultPathInfo,
  type FileChange,
  type FileName,
  type FolderRoot,
  type PathInfo,
  type Plan,
  type Reading,
  type Workspace,
} from "../../src/patch/model.ts";
import { planPatch } from "../../src/patch/plan.ts";
import { decode, type Encoding, encode, isWritable } from "./disk-text.ts";

/** @throws PatchError when the patch is refused; the folder is then as it was. */
export async function applyToFolder(
  root: string,
  patchText: string,
  options: { readonly foldsCase?: boolean } = {},
): Promise<Plan> {
  const workspace = new DiskWorkspace(root, options);
  const plan = await planPatch(patchText, workspace);
  carryOut(workspace, plan.changes);
  return plan;
}

export interface AppliedChange {
  readonly kind: "add" | "update" | "delete" | "move";
  readonly path: string;
  readonly to?: string;
}

export const appliedChange = (change: FileChange): AppliedChange => ({
  kind: change.kind,
  path: change.file.path,
  ...(change.kind === "move" && { to: change.to.path }),
});

export class DiskWorkspace implements Workspace {
  readonly root: string;
  readonly folders: readonly string[];
  readonly roots: readonly FolderRoot[];
  /** As most people's disks do: a name leads to the file in any letter case. */
  readonly #foldsCase: boolean;

  constructor(root: string, { foldsCase = false }: { readonly foldsCase?: boolean } = {}) {
    this.root = realpathSync(root);
    const folder = basename(this.root);
    this.folders = [folder];
    this.roots = [...new Set([this.root, resolve(root)])].map((path) => ({ folder, path }));
    this.#foldsCase = foldsCase;
  }

  /** Where a path below the root leads. */
  at(path: string): string {
    if (!this.#foldsCase) return join(this.root, path);
    return path.split("/").reduce((here, step) => {
      const names = existsSync(here) ? readdirSync(here) : [];
      return join(
        here,
        names.includes(step) ? step : (names.find((own) => fold(own) === fold(step)) ?? step),
      );
    }, this.root);
  }

  async look(file: FileName): Promise<PathInfo> {
    return this.lookNow(file.path);
  }

  async read(file: FileName): Promise<Reading> {
    const decoded = this.readNow(file.path);
    return decoded === undefined ? { kind: "binary" } : { kind: "text", text: decoded.text, version: 1 };
  }

  sha256(text: string): string {
    return createHash("sha256").update(text).digest("hex");
  }

  readNow(path: string): { text: string; encoding: Encoding } | undefined {
    return decode(readFileSync(this.at(path)));
  }

  lookNow(path: string): PathInfo {
    if (path === "") return this.#existing(this.root, false);
    const steps = path.split("/");
    const spelled: string[] = [];
    let here = this.root;
    let link = false;
    for (const [at, step] of steps.entries()) {
      if (!statSync(here).isDirectory()) return this.#standing("blocked", join(here, ...steps.slice(at)), {});
      const names = readdirSync(here);
      const name = names.includes(step) ? step : names.find((own) => fold(own) === fold(step));
      if (name === undefined) {
        const rest = steps.slice(at);
        return this.#standing("nothing", join(here, ...rest), spelling(path, [...spelled, ...rest]));
      }
      spelled.push(name);
      const full = join(here, name);
      link = lstatSync(full).isSymbolicLink();
      if (link && !existsSync(full)) return this.#standing("other", undefined, { link });
      here = realpathSync(full);
      if (!this.holds(here)) return this.#standing("other", undefined, { link });
    }
    const clash = spelling(path, spelled);
    if (clash.spelled !== undefined) return this.#standing("nothing", join(this.root, path), clash);
    return this.#existing(here, link);
  }

  holds(path: string): boolean {
    return path === this.root || path.startsWith(this.root + sep);
  }

  #existing(full: string, link: boolean): PathInfo {
    const stats = statSync(full);
    const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
    const names = stats.isFile() ? stats.nlink : 1;
    return this.#standing(kind, full, {
      link,
      names,
      bytes: stats.size,
      writable: (stats.mode & 0o222) !== 0,
    });
  }

  #standing(kind: PathInfo["kind"], full: string | undefined, more: Partial<PathInfo>): PathInfo {
    const real = full === undefined ? undefined : relative(this.root, full).split(sep).join("/");
    return { ...defaultPathInfo, kind, real, ...more };
  }
}

export function entryOf(found: Dirent): Entry {
  const kinds = [
    ["link", found.isSymbolicLink()],
    ["folder", found.isDirectory()],
    ["file", found.isFile()],
  ] as const;
  return { name: found.name, kind: kinds.find(([, is]) => is)?.[0] ?? "other" };
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function spelling(path: string, steps: readonly string[]): Partial<PathInfo> {
  const spelled = steps.join("/");
  return spelled === path ? {} : { spelled };
}

interface Write {
  /** Below the root. */
  readonly place: string;
  readonly target: string;
  readonly bytes: Buffer;
  readonly mode: number | undefined;
  readonly staged: string;
}

/** Every step leaves behind how to take it back; a step that fails takes all of them back, the last one first. */
export function carryOut(workspace: DiskWorkspace, changes: readonly FileChange[]): void {
  for (const change of changes) if (change.kind !== "add") assertUnchanged(workspace, change);
  const gone = changes.filter((change) => change.kind === "delete" || change.kind === "move");
  const writes = changes.flatMap((change) => writeOf(workspace, change));
  const undo: (() => unknown)[] = [];
  const aside: string[] = [];
  const putAside = (path: string) => {
    const backup = join(dirname(path), stagedName());
    renameSync(path, backup);
    aside.push(backup);
    undo.push(() => renameSync(backup, path));
  };
  try {
    for (const write of writes) stage(workspace, write, undo);
    for (const change of gone) putAside(workspace.at(change.permission.real));
    for (const { staged, place } of writes) {
      const target = workspace.at(place);
      if (existsSync(target)) putAside(target);
      renameSync(staged, target);
      undo.push(() => renameSync(target, staged));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
  for (const backup of aside) rmSync(backup);
}

const stagedName = () => `.${randomUUID()}.patchbay`;

/** The plan holds for the text it was made from, and for no other. */
function assertUnchanged(workspace: DiskWorkspace, change: Exclude<FileChange, { kind: "add" }>): void {
  const now = workspace.readNow(change.file.path);
  if (now === undefined || workspace.sha256(now.text) !== change.base.sha256) {
    throw new Error(`${change.file.path} changed while the patch was being applied.`);
  }
}

function writeOf(workspace: DiskWorkspace, change: FileChange): Write[] {
  if (change.kind === "delete") return [];
  const place = change.kind === "move" ? change.toReal : change.permission.real;
  const target = join(workspace.root, place);
  const staged = join(dirname(target), stagedName());
  if (change.kind === "add")
    return [{ place, target, staged, bytes: encode(change.text, "utf-8"), mode: undefined }];
  const now = workspace.readNow(change.file.path);
  const text = applyEdits(change.base.text, change.edits);
  const encoding = now?.encoding ?? "utf-8";
  const added = change.edits.map((edit) => edit.text).join("\n");
  if (!isWritable(added, change.base.text, encoding))
    throw new Error(`The encoding of ${change.file.path} is not known.`);
  const bytes = encode(text, encoding);
  return [
    { place, target, staged, bytes, mode: statSync(workspace.at(change.permission.real)).mode & 0o7777 },
  ];
}

function stage(workspace: DiskWorkspace, write: Write, undo: (() => unknown)[]): void {
  const folder = dirname(write.target);
  for (const missing of missingFolders(folder)) {
    mkdirSync(missing);
    undo.push(() => rmdirSync(missing));
  }
  if (!workspace.holds(realpathSync(folder))) throw new Error(`${write.target} leads out of the folder.`);
  undo.push(() => existsSync(write.staged) && rmSync(write.staged));
  writeFileSync(write.staged, write.bytes, { flag: "wx" });
  if (write.mode !== undefined) chmodSync(write.staged, write.mode);
}

function missingFolders(folder: string): string[] {
  if (existsSync(folder)) return [];
  return [...missingFolders(dirname(folder)), folder];
}
