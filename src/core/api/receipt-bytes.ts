// The exact bytes that the latest receipts are about, so that their digests can be computed again. In memory only, and
// only as much as does no harm: on the disk they would be a second copy of what people said, one that outlives it.

export interface Exchanged {
  readonly request?: Uint8Array;
  /** Absent where it was too long to be kept. */
  readonly response?: Uint8Array;
}

const maxBytes = 32 * 1024 * 1024;
const maxReceipts = 50;

export class ReceiptBytes {
  readonly #kept = new Map<string, Exchanged>();
  #bytes = 0;

  keep(nonce: string, exchanged: Exchanged): void {
    this.#forget(nonce);
    this.#kept.set(nonce, exchanged);
    this.#bytes += sizeOf(exchanged);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxReceipts && this.#bytes <= maxBytes) return;
      this.#forget(oldest);
    }
  }

  /** By the nonce of its receipt; `undefined`: nothing is kept of it. */
  of(nonce: string): Exchanged | undefined {
    return this.#kept.get(nonce);
  }

  #forget(nonce: string): void {
    const known = this.#kept.get(nonce);
    if (known === undefined) return;
    this.#kept.delete(nonce);
    this.#bytes -= sizeOf(known);
  }
}

const sizeOf = ({ request, response }: Exchanged): number => (request?.length ?? 0) + (response?.length ?? 0);
