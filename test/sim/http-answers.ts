// Whole answers that are no turn: statuses, pages, redirects, raw bytes.
import { type Delivery, plainDelivery } from "./delivery.ts";
import { jsonDelivery } from "./refusal.ts";
import type { Answer } from "./script.ts";

const answer = (delivery: Delivery): Answer => ({ part: "answer", delivery });

export interface StatusDetails {
  readonly message?: string;
  readonly type?: string;
  readonly code?: string | number | null;
  readonly param?: string;
  /** Seconds, an HTTP date, or garbage, as given. */
  readonly retryAfter?: string | number;
  readonly retryAfterMs?: string | number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error status with the service's error body. */
export function status(code: number, details: StatusDetails = {}): Answer {
  const {
    message = `The service answered ${code}.`,
    type = "server_error",
    retryAfter,
    retryAfterMs,
  } = details;
  const error = {
    message,
    type,
    code: details.code === undefined ? type : details.code,
    param: details.param,
  };
  const delivery = jsonDelivery(code, { error });
  return answer({
    ...delivery,
    headers: [
      ...delivery.headers,
      ...(retryAfter === undefined ? [] : [["retry-after", String(retryAfter)] as const]),
      ...(retryAfterMs === undefined ? [] : [["retry-after-ms", String(retryAfterMs)] as const]),
      ...Object.entries(details.headers ?? {}),
    ],
  });
}

/** Any JSON body with any status: errors in a 2xx, odd shapes. */
export function json(body: unknown, code = 200): Answer {
  return answer(jsonDelivery(code, body));
}

/** Any body. */
export function raw(body: string | Uint8Array, contentType = "text/event-stream", code = 200): Answer {
  return answer(plainDelivery(code, contentType, [{ bytes: Buffer.from(body) }], "chunked"));
}

/** A page of a proxy or of a captive portal. */
export function htmlPage(code = 502, title = "Bad Gateway"): Answer {
  const page = `<!DOCTYPE html><html><head><title>${code} ${title}</title></head><body><h1>${title}</h1></body></html>`;
  return raw(page, "text/html", code);
}

export function redirect(to: string, code = 307): Answer {
  const delivery = plainDelivery(code, "", []);
  return answer({ ...delivery, headers: [["location", to]] });
}

export function empty(code = 200): Answer {
  return answer(plainDelivery(code, "", []));
}
