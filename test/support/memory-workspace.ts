// A workspace made of strings: the engine's whole world, without a disk. Folders exist because files do. It can be one
// that finds a file in any letter case, as the disks of most people do.
import { hash } from "node:crypto";
import type { Entry, Workspace as WholeWorkspace } from "../../src/files/workspace.ts";
import { applyEdits } from "../../src/patch/edits.ts";
import {
  defaultPathInfo,
  type FileChange,
  type FileName,
  type FolderRoot,
  type PathInfo,
  type Reading,
  type Workspace,
} from "../../src/patch/model.ts";

const nothing: PathInfo = { ...defaultPathInfo, kind: "nothing", real: undefined };

export class MemoryWorkspace implements Workspace {
  readonly folders: readonly string[];
  readonly roots: readonly FolderRoot[];
  readonly files: Map<string, string>;
  readonly #foldsCase: boolean;

  /** Keys are paths; with several folders they begin with the folder's name. */
  constructor(
    files: Readonly<Record<string, string>>,
    folders: readonly string[] = ["work"],
    { foldsCase = false } = {},
  ) {
    this.files = new Map(Object.entries(files));
    this.folders = folders;
    this.roots = folders.map((folder) => ({ folder, path: `/memory/${folder}` }));
    this.#foldsCase = foldsCase;
  }

  async look(file: FileName): Promise<PathInfo> {
    const path = file.path;
    const names = [...this.files.keys()]
      .filter((name) => this.#inFolder(name, file.folder))
      .map((name) => this.#below(name));
    const text = this.files.get(this.#key(file));
    if (text !== undefined) return { ...nothing, kind: "file", real: path, bytes: Buffer.byteLength(text) };
    if (path === "" || names.some((name) => name.startsWith(`${path}/`)))
      return { ...nothing, kind: "folder", real: path };
    if (names.some((name) => path.startsWith(`${name}/`))) return { ...nothing, kind: "blocked", real: path };
    return { ...nothing, real: path, spelled: alike(path, names) };
  }

  async read(file: FileName): Promise<Reading> {
    const text = this.files.get(this.#stored(this.#key(file)));
    if (text === undefined) throw new Error(`There is no ${file.path}.`);
    return { kind: "text", text, version: 1 };
  }

  sha256(text: string): string {
    return hash("sha256", text, "hex");
  }

  /** Does what a plan says. */
  apply(changes: readonly FileChange[]): void {
    for (const change of changes) {
      const key = this.#key(change.file);
      if (change.kind === "add") this.#write(key, change.text);
      else if (change.kind === "delete") this.files.delete(this.#stored(key));
      else {
        const text = applyEdits(this.files.get(this.#stored(key)) ?? "", change.edits);
        if (change.kind === "move") this.files.delete(this.#stored(key));
        this.#write(change.kind === "move" ? this.#key(change.to) : key, text);
      }
    }
  }

  /** A file that is there keeps its name, in whichever case it is written to. */
  #write(key: string, text: string): void {
    this.files.set(this.#stored(key), text);
  }

  #stored(key: string): string {
    if (!this.#foldsCase || this.files.has(key)) return key;
    return [...this.files.keys()].find((own) => own.toLowerCase() === key.toLowerCase()) ?? key;
  }

  #key(file: FileName): string {
    return this.folders.length === 1 ? file.path : `${file.folder}/${file.path}`;
  }

  #inFolder(name: string, folder: string): boolean {
    return this.folders.length === 1 || name.startsWith(`${folder}/`);
  }

  #below(name: string): string {
    return this.folders.length === 1 ? name : name.slice(name.indexOf("/") + 1);
  }
}

/** The path as it is spelled where only case or Unicode form differ, folder by folder. */
function alike(path: string, names: readonly string[]): string | undefined {
  const fold = (text: string) => text.normalize("NFC").toLowerCase();
  const steps = path.split("/");
  for (let length = steps.length; length > 0; length--) {
    const start = fold(steps.slice(0, length).join("/"));
    const found = names
      .map((name) => name.split("/").slice(0, length).join("/"))
      .find((name) => fold(name) === start);
    if (found === undefined) continue;
    const spelled = [found, ...steps.slice(length)].join("/");
    return spelled === path ? undefined : spelled;
  }
  return undefined;
}

/** The whole workspace of a session, one folder, made of strings. */
export function inMemory(memory: MemoryWorkspace): WholeWorkspace {
  return {
    trusted: true,
    folders: memory.folders,
    look: (file) => memory.look(file),
    read: (file) => memory.read(file),
    sha256: (text) => memory.sha256(text),
    async bytes(file) {
      const reading = await memory.read(file);
      return Buffer.from(reading.kind === "text" ? reading.text : "");
    },
    follow: (address) => Promise.resolve([address]),
    list: async ({ path }) => entriesIn(memory, path === "" ? "" : `${path}/`),
    problems: () => [],
    /** All or nothing, and only on the texts that the changes were planned on. */
    async apply(changes) {
      const isStale = changes.some(
        (change) => "base" in change && memory.files.get(change.file.path) !== change.base.text,
      );
      if (isStale) return { outcome: "stale" };
      memory.apply(changes);
      return { outcome: "applied" };
    },
  };
}

function entriesIn({ files }: MemoryWorkspace, start: string): readonly Entry[] {
  const steps = new Map<string, Entry>();
  for (const name of [...files.keys()].filter((each) => each.startsWith(start))) {
    const [first = "", ...more] = name.slice(start.length).split("/");
    steps.set(first, { name: first, kind: more.length > 0 ? "folder" : "file" });
  }
  return [...steps.values()];
}

/** What a change set works on: nothing but files, and what is applied is in them at once. */
export const worldOf = (memory: MemoryWorkspace): WholeWorkspace => ({
  ...{ trusted: true, folders: memory.folders, roots: memory.roots },
  look: (file) => memory.look(file),
  read: (file) => memory.read(file),
  sha256: (text) => memory.sha256(text),
  bytes: async ({ path }) => Buffer.from(memory.files.get(path) ?? ""),
  follow: async (address) => [address],
  list: async () => [],
  problems: () => [],
  async apply(changes) {
    memory.apply(changes);
    return { outcome: "applied" };
  },
});
