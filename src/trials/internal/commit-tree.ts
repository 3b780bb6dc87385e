// The files of a commit with some replaced, as the texts in which the copy of the folder has to differ from the folder.
import { createHash } from "node:crypto";
import { lstat, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Overlaid } from "../../checks/check.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { forLog } from "../../util/sentences.ts";
import type { GitObjects, Tree, TreeEntry } from "./git-objects.ts";

/** Texts that replace files; `undefined`: the file is not there. */
export type Replaced = ReadonlyMap<string, string | undefined>;

/** A file that a task is about cannot be put into the copy: a link, or what is no text. */
export class NotText extends Error {}

/** A file of more bytes counts as no text. */
export const maxBytes = 4 * 1024 ** 2;

/** What Git LFS keeps in a commit in the place of a file; the folder has the file itself. */
const pointer = /^version \S+\/spec\/v1\n(?:[a-z0-9.-]+ [^\n]*\n)*oid sha256:[0-9a-f]{64}\nsize \d+\n?$/;
const maxPointerBytes = 1024;

export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return bytes.length <= maxPointerBytes && pointer.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

export class CommitTrees {
  readonly #git: GitObjects;
  readonly #path: string;
  readonly #folder: string;
  readonly #trees = new Map<string, Promise<Tree>>();
  /** The ids of files in the folder, as long as their stats are the same. */
  readonly #known = new Map<string, { readonly stats: string; readonly ids: readonly string[] }>();
  #convertsLines: Promise<boolean> | undefined;

  /** `path`: of the folder on the disk; `folder`: its name. */
  constructor(git: GitObjects, { path, folder }: { readonly path: string; readonly folder: string }) {
    this.#git = git;
    this.#path = path;
    this.#folder = folder;
  }

  tree(commit: string, signal: AbortSignal): Promise<Tree> {
    const known = this.#trees.get(commit) ?? this.#git.tree(commit, signal);
    this.#trees.set(commit, known);
    known.catch(() => this.#trees.delete(commit));
    // A tree of a large repository is some megabytes.
    for (const first of this.#trees.keys()) if (this.#trees.size > 4) this.#trees.delete(first);
    return known;
  }

  /** The text of a file in a commit; `undefined` if there is none, or it is no text. */
  async text(commit: string, path: string, signal: AbortSignal): Promise<string | undefined> {
    const entry = (await this.tree(commit, signal)).get(path);
    return entry && this.#read(entry, signal);
  }

  /** The files among these, as they are in a commit. @throws NotText */
  async texts(commit: string, paths: readonly string[], signal: AbortSignal): Promise<Replaced> {
    const tree = await this.tree(commit, signal);
    const found = new Map<string, string | undefined>();
    for (const path of paths) {
      const entry = tree.get(path);
      found.set(path, entry && (await this.#textOf(path, entry, signal)));
    }
    return found;
  }

  /**
   * What is no text stays as the folder has it now: whether the tests tell something all the same is found out by running
   * them. `unsaved`: paths of documents whose text in the editor differs from the disk.
   */
  async overlay(
    commit: string,
    replaced: Replaced,
    unsaved: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Overlaid> {
    const tree = await this.tree(commit, signal);
    const nextStep = createYieldPoint();
    const texts = new Map<string, string | undefined>();
    const take = async (path: string, entry: TreeEntry) => {
      const text = await this.#read(entry, signal);
      if (text !== undefined) texts.set(path, text);
    };
    const present = new Set(await this.#git.present(signal));
    for (const path of present) {
      await nextStep();
      const entry = tree.get(path);
      if (entry === undefined) texts.set(path, undefined);
      else if (!replaced.has(path) && (unsaved.has(path) || !(await this.#isSame(path, entry, signal))))
        await take(path, entry);
    }
    for (const [path, entry] of tree) if (!present.has(path) && !replaced.has(path)) await take(path, entry);
    for (const [path, text] of replaced) {
      if (text !== undefined || present.has(path)) texts.set(path, text);
      else texts.delete(path);
    }
    signal.throwIfAborted();
    return [...texts].map(([path, text]) => {
      const file = { folder: this.#folder, path };
      return [file, text === undefined ? undefined : { file, text }] as const;
    });
  }

  /** `undefined` if it is no text. */
  async #read({ kind, id, bytes }: TreeEntry, signal: AbortSignal): Promise<string | undefined> {
    return kind === "file" && bytes <= maxBytes ? textOf(await this.#git.blob(id, signal)) : undefined;
  }

  async #textOf(path: string, entry: TreeEntry, signal: AbortSignal): Promise<string> {
    const text = await this.#read(entry, signal);
    if (text === undefined) throw new NotText(forLog(`${path} is no text.`));
    return text;
  }

  async #isSame(path: string, { kind, id }: TreeEntry, signal: AbortSignal): Promise<boolean> {
    // What a submodule contains is its own.
    if (kind === "module") return true;
    const place = join(this.#path, path);
    const stats = await lstat(place).catch(() => undefined);
    if (stats === undefined || stats.isSymbolicLink() !== (kind === "link")) return false;
    if (kind === "link") return idOf(Buffer.from(await readlink(place)), id.length) === id;
    if (!stats.isFile()) return false;
    const signature = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    const known = this.#known.get(path);
    if (known?.stats === signature) return known.ids.includes(id);
    const bytes = await readFile(place);
    const ids = [idOf(bytes, id.length)];
    if (bytes.includes("\r\n") && !bytes.includes(0) && (await this.#checksOutCrLf(signal)))
      ids.push(idOf(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id.length));
    this.#known.set(path, { stats: signature, ids });
    return ids.includes(id);
  }

  /** Then a file is the same although its lines end in another way. */
  #checksOutCrLf(signal: AbortSignal): Promise<boolean> {
    this.#convertsLines ??= this.#git
      .run(["config", "--default", "false", "--get", "core.autocrlf"], signal)
      .then((value) => value.trim() === "true");
    this.#convertsLines.catch(() => {
      this.#convertsLines = undefined;
    });
    return this.#convertsLines;
  }
}

/** As Git computes it; a repository with long ids uses SHA-256. */
const idOf = (bytes: Uint8Array, length: number): string =>
  createHash(length > 40 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
