// What the simulator saw: every request, with the key taken out.
import { bearer } from "./bearer.ts";
import type { Connection } from "./connection.ts";
import type { HttpRequest } from "./http-server.ts";
import { isObject, type JsonObject } from "./json.ts";

export type Operation = "responses" | "chat" | "estimate" | "delete" | "unknown";

export interface SeenRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** Lower-case names; several values of one name are joined by a comma. The key is replaced. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorized: boolean;
  /** The parsed body; an empty object when it is not a JSON object. */
  readonly body: JsonObject;
  readonly raw: Buffer;
  /** Milliseconds, by the simulator's clock. */
  readonly time: number;
  /** Status of the answer; 0 while there is none, and when the connection was broken instead. */
  readonly status: number;
  /** The client went away before the answer was complete. */
  readonly closedByClient: boolean;
  /** Resolves when the answer is complete or the connection is gone. */
  readonly settled: Promise<void>;
}

/** The log's own view of a request; the simulator fills in how it ended. */
export type OpenRequest = { -readonly [K in keyof SeenRequest]: SeenRequest[K] } & {
  readonly settle: () => void;
};

export function operationOf(method: string, path: string): Operation {
  if (method === "POST" && path === "/v1/responses") return "responses";
  if (method === "POST" && path === "/v1/chat/completions") return "chat";
  if (method === "POST" && path === "/v1/tokenizers/estimate-token-count") return "estimate";
  if (method === "DELETE" && /^\/v1\/files\/[^/]+$/.test(path)) return "delete";
  return "unknown";
}

export function openRequest(
  request: HttpRequest,
  connection: Connection,
  keys: readonly string[],
  now: number,
): OpenRequest {
  let resolveSettled = () => {};
  let complete = false;
  const settled = new Promise<void>((resolve) => {
    resolveSettled = resolve;
  });
  const settle = () => {
    complete = true;
    resolveSettled();
  };
  const path = request.target;
  const open: OpenRequest = {
    operation: operationOf(request.method, path.split("?")[0] ?? ""),
    method: request.method,
    path,
    headers: redacted(request, keys),
    authorized: isAuthorized(request, keys),
    body: parsed(request.body),
    raw: request.body,
    time: now,
    status: 0,
    closedByClient: false,
    settled,
    settle,
  };
  void connection.closed.then(() => {
    // A kept connection may close long after this answer; that says nothing about it.
    if (!complete) open.closedByClient = connection.closedByClient;
    settle();
  });
  return open;
}

function isAuthorized(request: HttpRequest, keys: readonly string[]): boolean {
  return keys.includes(bearer(request) ?? "");
}

function redacted(request: HttpRequest, keys: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) {
    const shown = keys.reduce((text, key) => text.replaceAll(key, "[key]"), value);
    headers[name] = headers[name] === undefined ? shown : `${headers[name]}, ${shown}`;
  }
  return headers;
}

function parsed(body: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
