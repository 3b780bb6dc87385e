// Content-addressed storage: bytes are named by their SHA-256, written once, verified on every read, and never changed.
// Each conversation has a folder of its own, so deleting a conversation deletes its blobs and no reference counts are
// needed.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { message } from "../../conversation/messages.ts";
import { BlobsFull, unsaved } from "../documents.ts";
import { type FileSystem, replaceFile } from "../file-system.ts";

/** For the proposed texts of one conversation. What waits for a decision is never evicted to make room. */
export const changesLimit = 200 * 1024 * 1024;

interface BlobDeps {
  readonly fs: FileSystem;
  readonly folder: string;
  /** Maximum number of bytes to store. */
  readonly limit: number;
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const hashForm = /^[0-9a-f]{64}$/;
const hashInText = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

/** Everything in a text that could be a blob's hash. */
export const hashesIn = (text: string): readonly string[] => text.match(hashInText) ?? [];

export class Blobs {
  readonly #needs: BlobDeps;
  readonly #sizes = new Map<string, number>();
  readonly #written = new Set<string>();
  #known: Promise<void> | undefined;

  constructor(deps: BlobDeps) {
    this.#needs = deps;
  }

  /** Returns the hash once the bytes are durable. */
  async put(bytes: Uint8Array): Promise<string> {
    await this.#look();
    const hash = hashOf(bytes);
    if (await this.#stands(hash, bytes.byteLength)) return hash;
    if (this.#total() + bytes.byteLength > this.#needs.limit) throw new BlobsFull(message("whyFull"));
    try {
      await this.#write(hash, bytes);
    } catch (error) {
      throw unsaved(error);
    }
    return hash;
  }

  /** Returns `undefined` if the blob was never stored, was removed, or no longer matches its hash. */
  async get(hash: string): Promise<Uint8Array | undefined> {
    if (!hashForm.test(hash)) return undefined;
    const bytes = await this.#needs.fs.read(this.#path(hash)).catch(() => undefined);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  }

  async list(): Promise<readonly string[]> {
    await this.#look();
    return [...this.#sizes.keys()];
  }

  async remove(hash: string): Promise<void> {
    if (!hashForm.test(hash)) return;
    await this.#needs.fs.remove(this.#path(hash));
    this.#sizes.delete(hash);
  }

  /** A blob from an earlier process is only trusted after its contents were verified. */
  async #stands(hash: string, size: number): Promise<boolean> {
    const found = await this.#needs.fs.stat(this.#path(hash));
    if (found?.size !== size) return false;
    return this.#written.has(hash) || (await this.get(hash)) !== undefined;
  }

  async #write(hash: string, bytes: Uint8Array): Promise<void> {
    const { fs, folder } = this.#needs;
    await fs.makeFolder(folder);
    await replaceFile(fs, this.#path(hash), (file) => file.write(bytes));
    this.#written.add(hash);
    this.#sizes.set(hash, bytes.byteLength);
  }

  #look(): Promise<void> {
    this.#known ??= this.#readSizes().catch((error: unknown) => {
      this.#known = undefined;
      throw unsaved(error);
    });
    return this.#known;
  }

  async #readSizes(): Promise<void> {
    const { fs, folder } = this.#needs;
    for (const name of await fs.list(folder)) {
      if (!hashForm.test(name)) continue;
      this.#sizes.set(name, (await fs.stat(this.#path(name)))?.size ?? 0);
    }
  }

  #total(): number {
    let total = 0;
    for (const size of this.#sizes.values()) total += size;
    return total;
  }

  #path(hash: string): string {
    return join(this.#needs.folder, hash);
  }
}
