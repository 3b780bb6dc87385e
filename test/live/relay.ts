// In the place of the service: each request waits for whoever plays the model, and what they reply is streamed back as the
// service would. Requests are held to the interface's rules, and the cache is the simulator's model of it.
import { CacheModel } from "../sim/cache-model.ts";
import type { Connection } from "../sim/connection.ts";
import { type Delivery, deliver } from "../sim/delivery.ts";
import { type HttpRequest, startHttpServer } from "../sim/http-server.ts";
import { IssuedItems } from "../sim/issued.ts";
import { type JsonObject, listAt } from "../sim/json.ts";
import { type AskedProfile, profile as profileOf } from "../sim/profiles.ts";
import { jsonDelivery, refusalDelivery } from "../sim/refusal.ts";
import { turnReply } from "../sim/reply.ts";
import { openRequest, type SeenRequest } from "../sim/request-log.ts";
import { refuseRequest } from "../sim/rules.ts";
import { chatRequestTokens, chatTokens, responsesTokens } from "../sim/tokens.ts";
import { countItems, type KnownRequest, readableRequest } from "../support/readable-request.ts";
import { readReply } from "./reply-form.ts";

export interface AskedRequest {
  /** From 1. */
  readonly number: number;
  readonly request: SeenRequest;
  /** What is new in it, to be read. */
  readonly fresh: string;
}

/** Whoever plays the model. `undefined`: there is nothing more to say, and the request fails. */
export type Player = (asked: AskedRequest) => Promise<string | undefined>;

export interface RelayedRequest {
  readonly number: number;
  readonly body: JsonObject;
  /** As the simulator counts. */
  readonly tokens: number;
  readonly cached: number;
  /** In the form of replies; absent while there is none. */
  reply?: string;
}

export interface Relay {
  readonly url: string;
  readonly key: string;
  readonly requests: readonly RelayedRequest[];
  close(): Promise<void>;
}

const key = "sk-live-trial";

export async function startRelay(player: Player, asked: AskedProfile = "standard"): Promise<Relay> {
  const profile = profileOf(asked);
  const requests: RelayedRequest[] = [];
  const cache = new CacheModel();
  const issued = new IssuedItems();

  async function decide(request: HttpRequest, connection: Connection): Promise<Delivery> {
    const open = openRequest(request, connection, [key], Date.now());
    const { operation, body, authorized } = open;
    const isIssued = (item: unknown) => issued.has(item);
    const refusal = refuseRequest(request, { operation, body, profile, authorized, isIssued });
    if (refusal !== undefined) return refusalDelivery(refusal, profile.wording);
    if (operation === "estimate")
      return jsonDelivery(200, { data: { total_tokens: chatTokens(listAt(body, "messages")).length } });
    if (operation !== "responses" && operation !== "chat") return jsonDelivery(200, {});
    const tokens = operation === "responses" ? responsesTokens(body) : chatRequestTokens(body);
    const { cached, written } = cache.use(key, "5m", tokens, Date.now());
    const relayed: RelayedRequest = { number: requests.length + 1, body, tokens: tokens.length, cached };
    const fresh = freshPart(open, requests);
    requests.push(relayed);
    const reply = await player({ number: relayed.number, request: open, fresh });
    if (reply === undefined) return refusalDelivery(nobodyReplies);
    relayed.reply = reply;
    const { delivery, items } = turnReply(readReply(reply, body), {
      operation,
      body,
      profile,
      serial: relayed.number,
      createdAt: Math.floor(Date.now() / 1000),
      input: { input: tokens.length, cached, written },
    });
    issued.remember(items);
    return delivery;
  }

  const server = await startHttpServer(
    0,
    async (request, connection) => {
      const delivery = await decide(request, connection).catch((error: unknown) =>
        jsonDelivery(400, {
          error: { message: String(error), type: "invalid_request_error", code: "relay" },
        }),
      );
      return deliver(delivery, connection);
    },
    () => {},
  );
  return { url: `http://127.0.0.1:${server.port}`, key, requests, close: () => server.down() };
}

const nobodyReplies = {
  status: 400,
  message: "Nobody has a reply to this request.",
  type: "invalid_request_error",
  code: "no_reply",
  param: null,
  brokenRule: false,
};

/** Without the items of the last request that it goes on from; instructions and tools are told once. */
function freshPart(request: SeenRequest, before: readonly RelayedRequest[]): string {
  const known = before.map(({ number, body }): KnownRequest => ({ name: `request ${number}`, body }));
  const goneOn = known.findLast(({ body }) => isBeginning(body, request.body));
  return readableRequest(request, { known, from: goneOn === undefined ? 0 : countItems(goneOn.body) });
}

function isBeginning(before: JsonObject, now: JsonObject): boolean {
  const itemsOf = (body: JsonObject) =>
    [...listAt(body, "input"), ...listAt(body, "messages")].map((item) => JSON.stringify(item));
  const [old, fresh] = [itemsOf(before), itemsOf(now)];
  return old.length < fresh.length && old.every((item, at) => item === fresh[at]);
}
