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

/**
 * How a refused request is told. The interface's error body has message, type and code; `param` is what many services add,
 * and the others are how frameworks and gateways put it.
 */
export type Wording = "param" | "worded" | "opaque" | "fastapi" | "vllm" | "gateway";

export function refusalDelivery(refusal: Refusal, wording: Wording = "param"): Delivery {
  const { status, message, type, code, param } = refusal;
  // What is no fault of the body is told alike everywhere.
  const how = status === 400 ? wording : wording === "param" ? "param" : "worded";
  const isValue = code === "unsupported_value";
  const steps = (param ?? "").split(/[.[\]]+/).filter((step) => step !== "");
  const extra = isValue ? message : "Extra inputs are not permitted";
  switch (how) {
    case "param":
      return jsonDelivery(status, { error: { message, type, code, param } });
    case "worded":
      return jsonDelivery(status, { error: { message, type, code } });
    case "opaque":
      return jsonDelivery(status, {
        error: { message: "Invalid request body.", type, code: "invalid_request" },
      });
    case "fastapi":
      return jsonDelivery(422, {
        detail: [
          { type: isValue ? "literal_error" : "extra_forbidden", loc: ["body", ...steps], msg: extra },
        ],
      });
    case "vllm": {
      const at = ["body", ...steps].map((step) => `'${step}'`).join(", ");
      const text = `[{'type': '${isValue ? "literal_error" : "extra_forbidden"}', 'loc': (${at}), 'msg': "${extra}"}]`;
      return jsonDelivery(status, {
        object: "error",
        message: text,
        type: "BadRequestError",
        param: null,
        code: 400,
      });
    }
    case "gateway": {
      const inner = JSON.stringify({ error: { message, type, param, code } });
      return jsonDelivery(status, {
        error: {
          message: `BadRequestError: upstream said ${inner}`,
          type: "invalid_request_error",
          code: "400",
        },
      });
    }
    default:
      return how satisfies never;
  }
}

export function jsonDelivery(status: number, body: unknown): Delivery {
  return plainDelivery(status, "application/json; charset=utf-8", [
    { bytes: Buffer.from(JSON.stringify(body), "utf8") },
  ]);
}
