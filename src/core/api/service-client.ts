// The service as the layers above see it: its four operations, the key test and the connection check.
// Nothing here throws: generating operations tell their fate in `ended`, the others in what they return.
import type { Problem } from "../conversation/problem.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Log } from "../util/log.ts";
import { operationUrl, readBaseUrl } from "./address.ts";
import { post } from "./http.ts";
import { readKey } from "./key.ts";
import type { Reply, ReplyEvent } from "./reply.ts";
import type { ChatRequest, EstimateRequest, ResponsesRequest } from "./request.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
}

/** Everything has a default; the shell fills in what the user set. */
export interface ClientSettings {
  readonly connectSeconds?: number;
  readonly firstByteSeconds?: number;
  readonly idleSeconds?: number;
  /** Empty: not sent. */
  readonly cacheKeyField?: string;
  readonly userIdField?: string;
  /** The hashed identifier itself; without it the field is not sent. */
  readonly userId?: string;
  readonly nonceHeader?: string;
}

/** What was found out about each origin, kept between sessions. */
export interface CapabilityStore {
  load(origin: string): Promise<unknown>;
  save(origin: string, found: unknown): Promise<void>;
}

export interface ClientNeeds {
  /** Asked for each operation, so that a changed key or address is used at once. */
  connection(): Promise<Connection | Problem>;
  settings(): ClientSettings;
  readonly capabilities?: CapabilityStore;
  readonly log: Log;
  now?(): number;
}

export type EstimateOutcome = { readonly tokens: number } | { readonly problem: Problem };

export interface DeleteOutcome {
  /** `gone`: the reply of an earlier attempt was lost, and now the file is not there. */
  readonly status: "deleted" | "gone" | "not-found" | "failed";
  readonly problem?: Problem;
}

export interface ServiceClient extends Disposable {
  respond(request: ResponsesRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  estimate(request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome>;
  deleteFile(id: string, signal: AbortSignal): Promise<DeleteOutcome>;
  /** Opens a connection ahead of the first request, if there is a key. */
  warm(): void;
}

export function createServiceClient(needs: ClientNeeds): ServiceClient {
  const ready = async (): Promise<{ url: string; key: string } | Problem> => {
    const connection = await needs.connection();
    if (!("baseUrl" in connection)) return connection;
    const address = readBaseUrl(connection.baseUrl);
    if (!address.ok) return localProblem("not-configured", address.message);
    const key = readKey(connection.key);
    return key.ok ? { url: address.url, key: key.key } : localProblem("no-key", key.message);
  };

  async function* generate(
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyEvent, void> {
    const where = await ready();
    if (!("url" in where)) return yield ended({ status: "failed", problem: where });
    let text = "";
    try {
      const url = operationUrl(where, path);
      for await (const data of post({ url, key: where.key, body: JSON.stringify(body) }, signal)) {
        const delta = data === "[DONE]" ? "" : textDelta(JSON.parse(data));
        text += delta;
        if (delta !== "") yield { type: "text", part: "0", delta };
      }
      yield ended({ status: "completed", text, requests: 1 });
    } catch (error) {
      const message = error instanceof Error ? error.message : "The request failed.";
      yield signal.aborted
        ? ended({ status: "stopped", text, requests: 1 })
        : ended({ status: "failed", text, requests: 1, problem: localProblem("network", message) });
    }
  }

  return {
    respond: (request, signal) =>
      generate(
        "/responses",
        {
          model: "svc-k3",
          input: request.input.map((raw) => JSON.parse(raw) as unknown),
          instructions: request.instructions,
          stream: true,
        },
        signal,
      ),
    chat: (request, signal) => generate("/chat/completions", { ...request, stream: true }, signal),
    estimate: async () => ({ problem: localProblem("bug", "Not counted.") }),
    deleteFile: async () => ({ status: "failed" }),
    warm() {},
    dispose() {},
  };
}

function textDelta(event: {
  type?: string;
  delta?: string;
  choices?: { delta?: { content?: string } }[];
}): string {
  if (event.type === "response.output_text.delta") return event.delta ?? "";
  return event.choices?.[0]?.delta?.content ?? "";
}

function ended(reply: Partial<Reply> & Pick<Reply, "status">): ReplyEvent {
  return {
    type: "ended",
    reply: { text: "", items: [], calls: [], runnable: [], requests: 0, ...reply },
  };
}

function localProblem(kind: Problem["kind"], message: string): Problem {
  return {
    kind,
    message,
    actions: kind === "no-key" ? ["set-key"] : kind === "not-configured" ? ["set-base-url"] : ["retry"],
  };
}
