// The rules of any request: route, key, body, then those of its operation.
import { firstRefusal } from "./checks.ts";
import type { HttpRequest } from "./http-server.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { broken, notFound, type Refusal, unauthorized } from "./refusal.ts";
import type { Operation } from "./request-log.ts";
import { refuseChat, refuseEstimate } from "./validate-chat.ts";
import type { IsIssued } from "./validate-input.ts";
import { refuseResponses } from "./validate-responses.ts";

export interface RuleDeps {
  readonly operation: Operation;
  readonly body: JsonObject;
  readonly profile: Profile;
  readonly authorized: boolean;
  readonly isIssued: IsIssued;
}

export function refuseRequest(request: HttpRequest, deps: RuleDeps): Refusal | undefined {
  return firstRefusal(
    () => refuseRoute(request, deps),
    () => (deps.authorized ? undefined : unauthorized()),
    () => (deps.operation === "delete" ? undefined : refuseBody(request)),
    () => refuseFieldsOf(deps),
  );
}

function refuseRoute({ method, target }: HttpRequest, { operation }: RuleDeps): Refusal | undefined {
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

function refuseFieldsOf({ operation, body, profile, isIssued }: RuleDeps): Refusal | undefined {
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
