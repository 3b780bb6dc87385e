// From the parts of a script and a request to the delivery of a reply. Pure but for the faults it carries along.
import { type ChatContext, chatChunks, chatObject } from "./chat-stream.ts";
import { type Delivery, plainDelivery } from "./delivery.ts";
import { speak } from "./dialects.ts";
import { type Form, standardForm } from "./form.ts";
import { itemsOf } from "./issued.ts";
import { isObject, type JsonObject, listAt, stringAt } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { jsonDelivery } from "./refusal.ts";
import { defaultOutputLimit, finalSnapshot, type ReplyContext } from "./response-object.ts";
import { responseEvents } from "./response-stream.ts";
import type { Part } from "./script.ts";
import { encodeEvents } from "./sse.ts";
import { cutAtLimit, outputTokens, type Turn } from "./turn.ts";
import type { Usage } from "./usage.ts";

export interface ReplyDeps {
  readonly operation: "responses" | "chat";
  readonly body: JsonObject;
  readonly profile: Profile;
  readonly serial: number;
  readonly createdAt: number;
  readonly input: Pick<Usage, "input" | "cached" | "written">;
}

export function isTurn(parts: readonly Part[]): boolean {
  return parts.some((part) => part.part === "piece" || part.part === "ending");
}

export interface Reply {
  readonly delivery: Delivery;
  /** Output items as they stand on the wire; they may come back. */
  readonly items: readonly unknown[];
}

/** A turn's whole way: wire, dialect, changes, bytes, faults. */
export function turnReply(parts: readonly Part[], deps: ReplyDeps): Reply {
  const { delivery, items } = makeReply(parts, deps);
  return { delivery: withFaults(delivery, parts), items };
}

/** A whole answer or nothing at all, and what happens to it on the way. */
export function otherDelivery(parts: readonly Part[]): Delivery {
  const answer = parts.find((part) => part.part === "answer");
  return withFaults(answer?.delivery ?? plainDelivery(200, "text/event-stream", [], "chunked"), parts);
}

export function withFaults(delivery: Delivery, parts: readonly Part[]): Delivery {
  return parts.reduce((made, part) => (part.part === "fault" ? part.change(made) : made), delivery);
}

function makeReply(parts: readonly Part[], deps: ReplyDeps): Reply {
  const { body, profile } = deps;
  if (profile.errorsInSuccess) return { delivery: busy(), items: [] };
  const turn = cutAtLimit(turnOf(parts), outputLimit(deps));
  const form = formOf(parts, profile);
  const usage = usageOf(parts, turn, deps);
  const streamed = body["stream"] === true && profile.stream === "as-asked";
  const wire =
    deps.operation === "responses" ? responsesWire(turn, usage, deps) : chatWire(turn, usage, deps);
  if (!streamed) {
    const whole = wire.whole(form);
    return { delivery: jsonDelivery(200, whole), items: itemsOf([whole]) };
  }
  const changed = parts.reduce(
    (made, part) => (part.part === "events" ? part.change(made) : made),
    wire.events(form),
  );
  const frames = encodeEvents(changed, form, deps.operation);
  return { delivery: plainDelivery(200, form.contentType, frames, "chunked"), items: itemsOf(changed) };
}

/** An error body under a status of success. */
export function busy(): Delivery {
  return jsonDelivery(200, {
    error: { message: "The service is busy.", type: "server_error", code: "busy" },
  });
}

interface Wire {
  readonly events: (form: Form) => readonly JsonObject[];
  readonly whole: (form: Form) => JsonObject;
}

function responsesWire(turn: Turn, usage: Usage | null, deps: ReplyDeps): Wire {
  // Interface, "POST /v1/responses": `include` is effective only when the `web_search` tool is used.
  const searches = listAt(deps.body, "tools").some((tool) => stringAt(tool, "type") === "web_search");
  const include = searches ? listAt(deps.body, "include") : [];
  const context: ReplyContext = {
    serial: deps.serial,
    createdAt: deps.createdAt,
    completedAt: deps.createdAt + 2,
    request: deps.body,
    usage,
    includeSources: include.includes("web_search_call.action.sources"),
    includeResults: include.includes("web_search_call.results"),
  };
  return {
    events: (form) => speak(responseEvents(turn, context, form), form.dialect),
    whole: () => finalSnapshot(turn, context),
  };
}

function chatWire(turn: Turn, usage: Usage | null, deps: ReplyDeps): Wire {
  const options = deps.body["stream_options"];
  const context: ChatContext = {
    serial: deps.serial,
    createdAt: deps.createdAt,
    model: String(deps.body["model"]),
    usage,
    usageAsked: isObject(options) && options["include_usage"] === true,
  };
  return {
    events: (form) => chatChunks(turn, context, form),
    whole: (form) => chatObject(turn, context, form),
  };
}

function turnOf(parts: readonly Part[]): Turn {
  const ending = parts.findLast((part) => part.part === "ending");
  return {
    pieces: parts.flatMap((part) => (part.part === "piece" ? [part.piece] : [])),
    ending: ending?.ending ?? { kind: "completed" },
  };
}

function formOf(parts: readonly Part[], profile: Profile): Form {
  const changes = parts.map((part) => (part.part === "form" ? part.form : {}));
  return Object.assign({}, standardForm, profile.form, ...changes) as Form;
}

function usageOf(parts: readonly Part[], turn: Turn, { input, profile }: ReplyDeps): Usage | null {
  const { output, reasoning } = outputTokens(turn);
  const counted: Usage = { ...input, output, reasoning, total: input.input + output };
  const given = parts.findLast((part) => part.part === "usage")?.usage;
  if (given === null || profile.usage === "none") return null;
  const merged = { ...counted, ...given };
  if (given?.total === undefined) merged.total = merged.input + merged.output;
  // More cached than there was input: the three figures no longer add up.
  return profile.usage === "odd" ? { ...merged, cached: merged.input + 7, written: 3 } : merged;
}

/** Chat completions know two names of it, and no default is shown. */
function outputLimit({ operation, body }: ReplyDeps): number | undefined {
  const limit =
    operation === "responses"
      ? (body["max_output_tokens"] ?? defaultOutputLimit)
      : (body["max_completion_tokens"] ?? body["max_tokens"]);
  return typeof limit === "number" ? limit : undefined;
}
