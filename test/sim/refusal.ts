// A refused request: status, error body, and whether the client broke a rule of the interface by sending it.
import { type Delivery, plainDelivery } from "./delivery.ts";

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  /** False when a correct client may well send this: the service merely does not take it. */
  readonly brokenRule: boolean;
}

/** A request that no correct client sends. */
export function broken(message: string, param: string | null, code = "invalid_request"): Refusal {
  return { status: 400, message, type: "invalid_request_error", code, param, brokenRule: true };
}

/** A request that is well formed but that this service does not take. */
export function declined(message: string, param: string | null, code = "unsupported_parameter"): Refusal {
  return { status: 400, message, type: "invalid_request_error", code, param, brokenRule: false };
}

export function unauthorized(): Refusal {
  return {
    status: 401,
    message: "The API key is missing or invalid.",
    type: "invalid_authentication_error",
    code: "invalid_api_key",
    param: null,
    brokenRule: false,
  };
}

export function notFound(message: string, code: string, brokenRule: boolean): Refusal {
  return { status: 404, message, type: "resource_not_found_error", code, param: null, brokenRule };
}

export function refusalDelivery({ status, message, type, code, param }: Refusal): Delivery {
  return jsonDelivery(status, { error: { message, type, code, param } });
}

export function jsonDelivery(status: number, body: unknown): Delivery {
  return plainDelivery(status, "application/json; charset=utf-8", [
    { bytes: Buffer.from(JSON.stringify(body), "utf8") },
  ]);
}
