// A receipt: what was sent and received, and what the service signed about it. Recorded, never verified: the
// procedure is not published (interface, "Authentication" 3 and 5). The bytes it is about are kept in memory for a while.
import { createHash } from "node:crypto";
import { present } from "../util/present.ts";
import type { HeaderReader } from "./fault.ts";
import { formsOf, hideIn } from "./hide-key.ts";
import type { Receipt } from "./reply.ts";

const longest = 4 * 1024;

export interface ReceiptParts {
  readonly operation: string;
  readonly nonce: string | undefined;
  readonly header: HeaderReader;
  readonly sent: Uint8Array | undefined;
  readonly received: Digested | undefined;
  /** Where the bytes it is about are kept for a while. */
  readonly keep: ReceiptBytes | undefined;
  readonly model?: string | undefined;
  readonly responseId?: string | undefined;
  readonly at: number;
  /** Kept by nobody, whatever the service says. */
  readonly keys: readonly string[];
}

/** `undefined` unless both headers are there: an invalid nonce is answered without them, and that is no error. */
export function receiptOf(parts: ReceiptParts): Receipt | undefined {
  const { operation, nonce, header, sent, received, keep, model, responseId, at, keys } = parts;
  const timestamp = header("svc-request-timestamp");
  const signature = header("svc-request-signature");
  if (nonce === undefined || received === undefined || !timestamp || !signature) return undefined;
  const forms = formsOf(keys);
  const bytes = Buffer.from(received.bytes ?? []);
  const response = forms.some((form) => bytes.includes(form)) ? undefined : received.bytes;
  const request = sent ?? new Uint8Array();
  keep?.keep(nonce, present({ request, response }));
  const receipt: Receipt = present({
    operation,
    nonce,
    timestamp: timestamp.slice(0, longest),
    signature: signature.slice(0, longest),
    requestSha256: createHash("sha256").update(request).digest("hex"),
    responseSha256: received.sha256,
    responseWhole: received.whole,
    model,
    responseId,
    at,
  });
  return hideIn(receipt, forms) as Receipt;
}

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
