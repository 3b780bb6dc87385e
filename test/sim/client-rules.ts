// Rules a service cannot enforce but a client must keep. Each broken one is a sentence for `sim.done()`.
import { bearer } from "./bearer.ts";
import type { HttpRequest } from "./http-server.ts";
import { type JsonObject, stringAt } from "./json.ts";
import type { Operation } from "./request-log.ts";

export interface MannersDeps {
  readonly operation: Operation;
  readonly body: JsonObject;
  readonly keys: readonly string[];
  /** The nonces of this request. */
  readonly nonces: readonly string[];
  /** Those of all requests before it. */
  readonly usedNonces: ReadonlySet<string>;
}

export function badManners(request: HttpRequest, deps: MannersDeps): readonly string[] {
  return [
    ...aboutKey(request, deps.keys),
    ...aboutNonce(deps),
    ...aboutIdentifiers(deps.body),
    ...(deps.operation === "delete" && request.body.length > 0 ? ["A deletion carried a body."] : []),
    ...(request.target.includes("?") ? ["The address had a query; no operation knows one."] : []),
  ];
}

function aboutKey(request: HttpRequest, keys: readonly string[]): readonly string[] {
  const elsewhere = request.headers.filter(([name]) => name !== "authorization").map(([, value]) => value);
  const leaky = [request.target, request.body.toString("utf8"), ...elsewhere];
  const key = bearer(request);
  const headers = request.headers.filter(([name]) => name === "authorization").length;
  return [
    ...(keys.some((each) => leaky.some((text) => text.includes(each)))
      ? ["The key stands outside the Authorization header."]
      : []),
    ...(headers > 1 ? ["There was more than one Authorization header."] : []),
    ...(key !== undefined && /\s/.test(key) ? ["The key holds white space."] : []),
  ];
}

/** Interface, "Authentication" 3: client-generated and random, exactly one non-empty value. */
function aboutNonce({ nonces, usedNonces }: MannersDeps): readonly string[] {
  if (nonces.length > 1) return ["There was more than one nonce."];
  return nonces.flatMap((nonce) => {
    if (nonce === "") return ["The nonce was empty."];
    return usedNonces.has(nonce) ? ["A nonce was used twice."] : [];
  });
}

/** Interface, "POST /v1/responses": no e-mail address or name is sent; an address or a path would be one. */
function aboutIdentifiers(body: JsonObject): readonly string[] {
  return ["prompt_cache_key", "safety_identifier"].flatMap((field) =>
    /[@\s/\\]/.test(stringAt(body, field) ?? "") ? [`${field} tells who or where somebody is.`] : [],
  );
}
