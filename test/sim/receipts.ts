// The two headers that a request with a valid nonce gets back. The algorithm is ours: the interface shows none.
import { createHmac } from "node:crypto";
import type { HttpRequest } from "./http-server.ts";

/** Interface, "Authentication" 3: exactly one non-empty value; otherwise the request proceeds without the headers. */
export function receiptHeaders(
  request: HttpRequest,
  nonceHeader: string,
  now: number,
): readonly (readonly [string, string])[] {
  const values = request.headers.filter(([name]) => name === nonceHeader.toLowerCase());
  const [nonce] = values;
  if (nonce === undefined || values.length !== 1 || nonce[1] === "") return [];
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac("sha256", "simulator")
    .update(`${nonce[1]}\n${timestamp}\n`)
    .update(request.body)
    .digest("base64");
  return [
    ["svc-request-timestamp", timestamp],
    ["svc-request-signature", signature],
  ];
}
