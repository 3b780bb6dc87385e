// The two headers that a request with a valid nonce gets back. The algorithm is ours: the interface shows none.
import { createHmac } from "node:crypto";
import type { HttpRequest } from "./http-server.ts";

/** Values of one header line, parted by commas, are as many values as on lines of their own. */
export function noncesOf(request: HttpRequest, nonceHeader: string): readonly string[] {
  return request.headers
    .filter(([name]) => name === nonceHeader.toLowerCase())
    .flatMap(([, value]) => value.split(",").map((each) => each.trim()));
}

/** Interface, "Authentication" 3: exactly one non-empty value; otherwise the request proceeds without the headers. */
export function receiptHeaders(
  request: HttpRequest,
  nonces: readonly string[],
  now: number,
): readonly (readonly [string, string])[] {
  const [nonce] = nonces;
  if (nonce === undefined || nonce === "" || nonces.length !== 1) return [];
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac("sha256", "simulator")
    .update(`${nonce}\n${timestamp}\n`)
    .update(request.body)
    .digest("base64");
  return [
    ["svc-request-timestamp", timestamp],
    ["svc-request-signature", signature],
  ];
}
