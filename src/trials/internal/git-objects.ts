// Reads commits of a repository by its own Git, without anything that the repository could run by its configuration:
// no hooks, pager, fsmonitor, external diffs or signature programs, and nothing is fetched.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createMutex } from "../../util/concurrency.ts";
import { harmlessGitArguments, harmlessGitEnvironment } from "../../util/harmless-git.ts";
import { forLog } from "../../util/sentences.ts";
import { ComparisonStop } from "./comparison.ts";

/** What a commit has at a path. A submodule is a commit of another repository. */
export interface TreeEntry {
  readonly id: string;
  readonly kind: "file" | "link" | "module";
  readonly bytes: number;
}

/** By paths below the folder. */
export type Tree = ReadonlyMap<string, TreeEntry>;

/** Output beyond this is an error: a list of commits or of files is never that long. */
const maxBytes = 256 * 1024 ** 2;

export class GitObjects {
  readonly #git: string;
  readonly #folder: string;
  readonly #oneByOne = createMutex();
  #reader: BlobReader | undefined;

  /** `git`: an absolute path. */
  constructor(git: string, folder: string) {
    this.#git = git;
    this.#folder = folder;
  }

  /** @throws what Git says, if it fails. */
  async run(args: readonly string[], signal: AbortSignal): Promise<string> {
    try {
      return await this.#output(args, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw await this.#explained(error, signal);
    }
  }

  async #output(args: readonly string[], signal: AbortSignal): Promise<string> {
    const child = this.#start(args, signal);
    child.stdin.end();
    const [pieces, errors]: [Buffer[], Buffer[]] = [[], []];
    let bytes = 0;
    child.stdout.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxBytes) child.kill();
      else pieces.push(piece);
    });
    child.stderr.on("data", (piece: Buffer) => errors.push(piece));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal.throwIfAborted();
    if (code !== 0)
      throw new Error(forLog(`git ${args[0]} failed: ${Buffer.concat(errors).toString("utf8").trim()}`));
    return Buffer.concat(pieces).toString("utf8");
  }

  /** All files of a commit below the folder. */
  async tree(commit: string, signal: AbortSignal): Promise<Tree> {
    const listed = await this.run(["ls-tree", "-r", "-l", "-z", commit], signal);
    const found = listed.split("\0").flatMap((line) => {
      const [, mode, id, size, path] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined || id === undefined || path === undefined) return [];
      const kind = mode === "160000" ? "module" : mode === "120000" ? "link" : "file";
      return [[path, { id, kind, bytes: Number(size) || 0 }] as const];
    });
    return new Map(found);
  }

  /** The files that the copy of a folder has: tracked ones, and new ones that are not ignored. */
  async present(signal: AbortSignal): Promise<readonly string[]> {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
    const listed = await this.run(args, signal);
    return listed.split("\0").filter((path) => path !== "" && !path.startsWith("../"));
  }

  /** With a signal, what still waits for others is given up. */
  blob(id: string, signal?: AbortSignal): Promise<Buffer> {
    return this.#oneByOne(async () => {
      this.#reader ??= new BlobReader(this.#start(["cat-file", "--batch"]));
      try {
        return await this.#reader.read(id);
      } catch (error) {
        // What it would answer next is unknown.
        this.close();
        throw await this.#explained(error, signal ?? new AbortController().signal);
      }
    }, signal);
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** Nothing is fetched, so in a partial clone objects may be missing. */
  async #explained(error: unknown, signal: AbortSignal): Promise<unknown> {
    const settings = "^(extensions\\.partialclone|remote\\..*\\.promisor)$";
    const isPartial = await this.#output(["config", "--get-regexp", settings], signal).catch(() => "");
    return isPartial === "" ? error : new ComparisonStop("partial", error);
  }

  #start(args: readonly string[], signal?: AbortSignal): ChildProcessWithoutNullStreams {
    return spawn(this.#git, [...harmlessGitArguments, "-c", "diff.renames=false", ...args], {
      cwd: this.#folder,
      env: harmlessGitEnvironment(),
      shell: false,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      ...(signal && { signal }),
    });
  }
}

/** One process that answers with one blob after the other. */
class BlobReader {
  readonly #child: ChildProcessWithoutNullStreams;
  #chunks: Buffer[] = [];
  #length = 0;
  #wake = () => {};
  #failed: Error | undefined;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    const fail = (error: Error) => {
      this.#failed ??= error;
      this.#wake();
    };
    child.stdout.on("data", (piece: Buffer) => {
      this.#chunks.push(piece);
      this.#length += piece.length;
      this.#wake();
    });
    child.stderr.resume();
    child.stdin.on("error", fail);
    child.once("error", fail);
    child.once("close", () => fail(new Error(forLog("git cat-file has ended."))));
  }

  async read(id: string): Promise<Buffer> {
    this.#child.stdin.write(`${id}\n`);
    let end = -1;
    while (end < 0) {
      end = this.#joined().indexOf(10);
      if (end < 0) await this.#more();
    }
    const head = this.#take(end + 1).toString("utf8");
    const [, size] = /^[0-9a-f]+ blob (\d+)\n$/.exec(head) ?? [];
    if (size === undefined) throw new Error(forLog(`git cat-file has no blob ${id}.`));
    const wanted = Number(size) + 1;
    while (this.#length < wanted) await this.#more();
    return this.#take(wanted).subarray(0, -1);
  }

  close(): void {
    this.#child.kill();
  }

  #more(): Promise<void> {
    if (this.#failed !== undefined) throw this.#failed;
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        this.#wake = () => {};
        if (this.#failed === undefined) resolve();
        else reject(this.#failed);
      };
    });
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = all === undefined || all.length === 0 ? [] : [all];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #take(length: number): Buffer {
    const all = this.#joined();
    const rest = all.subarray(length);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return all.subarray(0, length);
  }
}
