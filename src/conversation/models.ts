// The available models, the limit of a response, and the permissions of tools. Models are those the interface names and
// those the user adds; only `svc-k3` is known to support the Responses operation (interface, "Versioning" 3), and the
// picker explains what that means.
import { asCount, asObject, asString } from "../util/json.ts";
import { present } from "../util/present.ts";
import { forLog } from "../util/sentences.ts";
import type { ModelChoice } from "./state.ts";

export const routes = ["responses", "chat"] as const;
export type Route = (typeof routes)[number];

export interface Model extends ModelChoice {
  /** As set by the user. */
  readonly contextWindow?: number;
}

export const builtInModels: readonly Model[] = [
  { id: "svc-k3", label: "K3", route: "responses" },
  { id: "svc-k2.7-code", label: "K2.7 Code", route: "chat" },
  { id: "svc-k2.7-code-highspeed", label: "K2.7 Code Highspeed", route: "chat" },
  { id: "svc-k2.6", label: "K2.6", route: "chat" },
];

/** Unknown models are assumed to support at least chat. */
export const routeOf = (model: string, models: readonly Model[]): Route =>
  models.find(({ id }) => id === model)?.route ?? "chat";

interface ModelList {
  readonly models: readonly Model[];
  /** One sentence for each invalid entry. */
  readonly ignored: readonly string[];
}

/** The four built-in models, with the user's corrections, followed by the user's own. */
export function modelsWith(setting: unknown): ModelList {
  const found = new Map(builtInModels.map((model) => [model.id, model]));
  const named = new Set<string>();
  const ignored: string[] = [];
  for (const [index, entry] of (Array.isArray(setting) ? setting : []).entries()) {
    const refusal = refuseEntry(entry, named);
    if (refusal !== undefined) {
      ignored.push(forLog(`Entry ${index + 1} of patchbay.models is left out: ${refusal}.`));
      continue;
    }
    const model = modelOf(asObject(entry) ?? {}, found);
    named.add(model.id);
    found.set(model.id, model);
  }
  return { models: [...found.values()], ignored };
}

function refuseEntry(entry: unknown, named: ReadonlySet<string>): string | undefined {
  const { id, label, route, contextWindow, vision } = asObject(entry) ?? {};
  if (typeof id !== "string" || !/^[^\s\p{Cc}]{1,128}$/u.test(id)) return "it has no id without spaces";
  if (named.has(id)) return `${id} stands there before`;
  if (label !== undefined && (typeof label !== "string" || !/^.{1,60}$/.test(label.trim())))
    return `the label of ${id} is no short text`;
  if (route !== undefined && route !== "responses" && route !== "chat")
    return `the route of ${id} is neither "responses" nor "chat"`;
  if (contextWindow !== undefined && (asCount(contextWindow) ?? 0) === 0)
    return `the contextWindow of ${id} is no number of tokens`;
  return vision === undefined || typeof vision === "boolean"
    ? undefined
    : `the vision of ${id} is not true or false`;
}

/** Properties that are not set stay as they were; a new model uses chat unless the user sets otherwise. */
function modelOf(entry: Readonly<Record<string, unknown>>, found: ReadonlyMap<string, Model>): Model {
  const id = asString(entry["id"]) ?? "";
  const known = found.get(id);
  const { vision } = entry;
  return present({
    id,
    label: asString(entry["label"])?.trim() ?? known?.label ?? id,
    route:
      entry["route"] === "responses" || entry["route"] === "chat" ? entry["route"] : (known?.route ?? "chat"),
    contextWindow: asCount(entry["contextWindow"]),
    vision: typeof vision === "boolean" ? vision : undefined,
    added: known === undefined ? true : undefined,
  });
}

// The limits for response tokens that the interface states under "Limits". What a person or a conversation has chosen
// is stored elsewhere.

/** Applies if nothing is set. */
export const defaultOutputLimit = 131_072;
/** The maximum that can be requested. */
export const maxOutputLimit = 1_048_576;

/** The next limit for a response that reached its limit. */
export const doubleOutputLimit = (limit = defaultOutputLimit): number => Math.min(2 * limit, maxOutputLimit);

/**
 * Tool permissions, in the settings and per conversation, ordered by strictness: `ask` asks the user each time; `off`
 * is not offered at all.
 */
export const permissions = ["auto", "ask", "off"] as const;
export type Permission = (typeof permissions)[number];
