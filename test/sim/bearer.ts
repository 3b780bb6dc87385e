// The bearer credential of a request.
import type { HttpRequest } from "./http-server.ts";

/** Undefined unless there is exactly one Authorization header of the scheme Bearer. */
export function bearer(request: HttpRequest): string | undefined {
  const values = request.headers.filter(([name]) => name === "authorization");
  const [value] = values;
  return values.length === 1 && value !== undefined ? /^Bearer (.+)$/.exec(value[1])?.[1] : undefined;
}
