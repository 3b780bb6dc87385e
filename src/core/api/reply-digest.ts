// The digest of the bytes of one reply as they came off the wire, and the bytes themselves as long as they are few.
import { createHash } from "node:crypto";

export interface Digested {
  readonly sha256: string;
  /** False when the reading ended before the body did. */
  readonly whole: boolean;
  /** Absent where there were too many to keep. */
  readonly bytes?: Uint8Array;
}

const maxKept = 4 * 1024 * 1024;

export class ReplyDigest {
  readonly #hash = createHash("sha256");
  #kept: Uint8Array[] | undefined = [];
  #length = 0;

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#length += chunk.length;
    if (this.#length > maxKept) this.#kept = undefined;
    // A copy: the chunk is a piece of something larger.
    this.#kept?.push(Buffer.from(chunk));
  }

  result(whole: boolean): Digested {
    const sha256 = this.#hash.copy().digest("hex");
    return { sha256, whole, ...(this.#kept && { bytes: Buffer.concat(this.#kept) }) };
  }
}
