// The rules of any request: route, key, body, then those of its operation.
import { bearer } from "./bearer.ts";
import { firstRefusal } from "./checks.ts";
import type { HttpRequest } from "./http-server.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { broken, notFound, type Refusal, unauthorized } from "./refusal.ts";
import type { Operation } from "./request-log.ts";
import { refuseChat, refuseEstimate } from "./validate-chat.ts";
import type { IsIssued } from "./validate-input.ts";
import { refuseResponses } from "./validate-responses.ts";

export interface RuleNeeds {
  readonly operation: Operation;
  readonly body: JsonObject;
  readonly profile: Profile;
  readonly authorized: boolean;
  readonly isIssued: IsIssued;
}

export function refuseRequest(request: HttpRequest, needs: RuleNeeds): Refusal | undefined {
  return firstRefusal(
    () => refuseRoute(request, needs),
    () => (needs.authorized ? undefined : unauthorized()),
    () => (needs.operation === "delete" ? undefined : refuseBody(request)),
    () => refuseFieldsOf(needs),
  );
}

/** Rules a service cannot enforce but a client must keep; each is a sentence. */
export function badManners(request: HttpRequest, operation: Operation, keys: readonly string[]): string[] {
  const complaints: string[] = [];
  const elsewhere = request.headers.filter(([name]) => name !== "authorization").map(([, value]) => value);
  const leaky = [request.target, request.body.toString("utf8"), ...elsewhere];
  if (keys.some((key) => leaky.some((text) => text.includes(key))))
    complaints.push("The key stands outside the Authorization header.");
  if (operation === "delete" && request.body.length > 0) complaints.push("A deletion carried a body.");
  if (request.headers.filter(([name]) => name === "authorization").length > 1)
    complaints.push("There was more than one Authorization header.");
  const key = bearer(request);
  if (key !== undefined && /\s/.test(key)) complaints.push("The key holds white space.");
  return complaints;
}

function refuseRoute({ method, target }: HttpRequest, { operation }: RuleNeeds): Refusal | undefined {
  if (operation !== "unknown") return undefined;
  return notFound(`There is no ${method} ${target.split("?")[0]}.`, "not_found", true);
}

function refuseBody({ headers, body }: HttpRequest): Refusal | undefined {
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  if (!/^application\/json\b/i.test(type)) return broken("Content-Type must be application/json.", null);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return isObject(JSON.parse(text)) ? undefined : broken("The body must be a JSON object.", null);
  } catch {
    return broken("The body is not JSON.", null, "invalid_json");
  }
}

function refuseFieldsOf({ operation, body, profile, isIssued }: RuleNeeds): Refusal | undefined {
  switch (operation) {
    case "responses":
      return refuseResponses(body, profile, isIssued);
    case "chat":
      return refuseChat(body, profile);
    case "estimate":
      return refuseEstimate(body, profile);
    case "delete":
    case "unknown":
      return undefined;
    default:
      return operation satisfies never;
  }
}
