// What the simulated service knows between requests, and how it decides what each is answered.
import { bearer } from "./bearer.ts";
import { CacheModel } from "./cache-model.ts";
import { badManners } from "./client-rules.ts";
import type { Connection } from "./connection.ts";
import { type Delivery, deliver } from "./delivery.ts";
import { troubleOf } from "./flaky-profile.ts";
import type { HttpRequest } from "./http-server.ts";
import { IssuedItems } from "./issued.ts";
import { isObject, type JsonObject, listAt } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { noncesOf, receiptHeaders } from "./receipts.ts";
import { jsonDelivery, notFound, type Refusal, refusalDelivery } from "./refusal.ts";
import { busy, isTurn, otherDelivery, type ReplyDeps, turnReply, withFaults } from "./reply.ts";
import { type OpenRequest, openRequest, type SeenRequest } from "./request-log.ts";
import { refuseRequest } from "./rules.ts";
import type { Part } from "./script.ts";
import { chatRequestTokens, chatTokens, responsesTokens } from "./tokens.ts";

export type Queue = "generation" | "estimate" | "delete";
export type Step = (request: SeenRequest) => readonly Part[];

export interface ServiceDeps {
  readonly keys: readonly string[];
  readonly profile: Profile;
  readonly nonceHeader: string;
  readonly files: readonly string[];
  readonly now: () => number;
  readonly assistant: Step | undefined;
}

export class Service {
  readonly requests: OpenRequest[] = [];
  readonly complaints: string[] = [];
  /** How often something was generated, or may have been although nobody saw it: what a client would be billed for. */
  generated = 0;
  readonly files: Set<string>;
  readonly queues: Record<Queue, Step[]> = { generation: [], estimate: [], delete: [] };
  profile: Profile;
  readonly #needs: ServiceDeps;
  readonly #cache = new CacheModel();
  readonly #issued = new IssuedItems();
  readonly #usedNonces = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #serial = 0;
  #generations = 0;

  constructor(deps: ServiceDeps) {
    this.#needs = deps;
    this.files = new Set(deps.files);
    this.profile = deps.profile;
  }

  async answer(request: HttpRequest, connection: Connection): Promise<boolean> {
    const { keys, now, nonceHeader } = this.#needs;
    const open = openRequest(request, connection, keys, now());
    this.requests.push(open);
    const nonces = noncesOf(request, nonceHeader);
    const { operation, body } = open;
    this.complaints.push(
      ...badManners(request, { operation, body, keys, nonces, usedNonces: this.#usedNonces }),
    );
    for (const nonce of nonces) this.#usedNonces.add(nonce);
    for (const wake of this.#waiting.splice(0)) wake();
    const decided = this.#decideSafely(request, open);
    const delivery = {
      ...decided,
      headers: [
        ...decided.headers,
        ["x-request-id", `req_${this.requests.length}`] as const,
        ...receiptHeaders(request, nonces, now()),
      ],
    };
    if (delivery.start === "answer") open.status = delivery.status;
    const again = await deliver(delivery, connection);
    if (connection.open && delivery.start !== "hang" && delivery.ending !== "hang") open.settle();
    return again && open.headers["connection"] !== "close";
  }

  async request(number: number): Promise<SeenRequest> {
    for (;;) {
      const seen = this.requests[number];
      if (seen !== undefined) return seen;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** A script that throws is a complaint, not the end of the process. */
  #decideSafely(request: HttpRequest, open: OpenRequest): Delivery {
    try {
      return this.#decide(request, open);
    } catch (error) {
      const message = `The script failed: ${error instanceof Error ? error.message : String(error)}`;
      this.complaints.push(message);
      return jsonDelivery(500, { error: { message, type: "server_error", code: "simulator_script" } });
    }
  }

  #decide(request: HttpRequest, open: OpenRequest): Delivery {
    const { operation, body, authorized } = open;
    const { profile } = this;
    const isIssued = (item: unknown) => this.#issued.has(item);
    const deps = { operation, body, profile, authorized, isIssued };
    const refusal = refuseRequest(request, deps) ?? this.#refuseReplay(body);
    if (refusal?.brokenRule) this.complaints.push(`${open.method} ${open.path}: ${refusal.message}`);
    if (operation === "unknown")
      return refusalDelivery(refusal ?? notFound("No such path.", "not_found", true), profile.wording);
    if (operation === "responses" || operation === "chat") {
      const delivery = this.#generate(request, open, operation, refusal);
      if (isGenerated(delivery, body["stream"] === true)) this.generated++;
      return delivery;
    }
    const parts = this.queues[operation].shift()?.(open) ?? [];
    if (parts.some((part) => part.part === "answer")) return otherDelivery(parts);
    if (refusal !== undefined) return withFaults(refusalDelivery(refusal, profile.wording), parts);
    const made = operation === "estimate" ? this.#estimate(body) : this.#delete(open.path);
    return withFaults(made, parts);
  }

  #refuseReplay(body: JsonObject): Refusal | undefined {
    for (const id of this.#issued.changed(body)) this.complaints.push(`The item ${id} came back changed.`);
    return this.profile.needsReasoning ? this.#issued.missingReasoning(body) : undefined;
  }

  #generate(
    request: HttpRequest,
    open: OpenRequest,
    operation: "responses" | "chat",
    refusal: Refusal | undefined,
  ): Delivery {
    const [step] = this.queues.generation;
    const parts = step?.(open) ?? (refusal === undefined ? this.#needs.assistant?.(open) : undefined);
    // A refused request leaves the scripted turn to the one that comes after it.
    if (refusal !== undefined && (parts === undefined || isTurn(parts)))
      return refusalDelivery(refusal, this.profile.wording);
    const trouble = this.profile.flaky ? troubleOf(this.#generations++) : undefined;
    if (trouble?.part === "answer") return otherDelivery([trouble]);
    if (step !== undefined) this.queues.generation.shift();
    if (parts === undefined) return this.#unscripted(open);
    if (!isTurn(parts)) return otherDelivery(parts);
    const met = trouble === undefined ? parts : [...parts, trouble];
    const { delivery, items } = turnReply(met, this.#replyNeeds(request, open.body, operation));
    this.#issued.remember(items);
    return delivery;
  }

  #unscripted(open: OpenRequest): Delivery {
    const message = `Nothing is scripted for ${open.method} ${open.path}.`;
    this.complaints.push(message);
    return jsonDelivery(500, { error: { message, type: "server_error", code: "simulator_unscripted" } });
  }

  #replyNeeds(request: HttpRequest, body: JsonObject, operation: "responses" | "chat"): ReplyDeps {
    const tokens = operation === "responses" ? responsesTokens(body) : chatRequestTokens(body);
    const options = body["prompt_cache_options"];
    const ttl = isObject(options) && options["ttl"] === "1h" ? "1h" : "5m";
    const now = this.#needs.now();
    const { cached, written } = this.#cache.use(bearer(request) ?? "", ttl, tokens, now);
    return {
      operation,
      body,
      profile: this.profile,
      serial: ++this.#serial,
      createdAt: Math.floor(now / 1000),
      input: { input: tokens.length, cached, written },
    };
  }

  #estimate(body: JsonObject): Delivery {
    if (this.profile.errorsInSuccess) return busy();
    return jsonDelivery(200, { data: { total_tokens: chatTokens(listAt(body, "messages")).length } });
  }

  /** Interface, "DELETE": once; a repeated delete returns 404. */
  #delete(path: string): Delivery {
    const id = decodeId(path.slice("/v1/files/".length));
    if (!this.files.delete(id))
      return refusalDelivery(notFound(`The file ${id} does not exist or was deleted.`, "not_found", false));
    return jsonDelivery(200, { id, object: "file", deleted: true });
  }
}

/** The headers of a stream come before it is generated; those of a whole reply after it, and nobody may have got them. */
function isGenerated({ start, status, headBytes }: Delivery, streamed: boolean): boolean {
  if (start === "hang") return true;
  const isSuccess = status >= 200 && status < 300;
  return isSuccess && (!streamed || (start === "answer" && headBytes === undefined));
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
