// A receipt: what was sent and received, and what the service signed about it. Recorded, never verified: the
// procedure is not published (interface, "Authentication" 3 and 5).
import { createHash } from "node:crypto";
import { present } from "../util/present.ts";
import type { HeaderReader } from "./fault.ts";
import { formsOf, hideIn } from "./hide-key.ts";
import type { ReceiptBytes } from "./receipt-bytes.ts";
import type { Receipt } from "./reply.ts";
import type { Digested } from "./reply-digest.ts";

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
