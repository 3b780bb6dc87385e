// The models there are: those that this interface names, and those that the user adds. `svc-k3` alone is known to have
// the Responses operation (interface, "Versioning" 3); the picker says what that means.
import { asCount, asObject, asString } from "../util/json.ts";
import { present } from "../util/present.ts";
import type { ModelChoice } from "./page-list-schemas.ts";

export const routes = ["responses", "chat"] as const;
export type Route = (typeof routes)[number];

export interface Model extends ModelChoice {
  /** As the user says. */
  readonly contextWindow?: number;
}

export const builtInModels: readonly Model[] = [
  { id: "svc-k3", label: "K3", route: "responses" },
  { id: "svc-k2.7-code", label: "K2.7 Code", route: "chat" },
  { id: "svc-k2.7-code-highspeed", label: "K2.7 Code Highspeed", route: "chat" },
  { id: "svc-k2.6", label: "K2.6", route: "chat" },
];

/** What nobody knows can at least chat. */
export const routeOf = (model: string, models: readonly Model[]): Route =>
  models.find(({ id }) => id === model)?.route ?? "chat";

export interface ModelList {
  readonly models: readonly Model[];
  /** A sentence for each entry that says nothing. */
  readonly ignored: readonly string[];
}

/** The four, as the user knows them better, and then the user's own. */
export function modelsWith(setting: unknown): ModelList {
  const found = new Map(builtInModels.map((model) => [model.id, model]));
  const named = new Set<string>();
  const ignored: string[] = [];
  for (const [index, entry] of (Array.isArray(setting) ? setting : []).entries()) {
    const refusal = refuseEntry(entry, named);
    if (refusal !== undefined) {
      ignored.push(`Entry ${index + 1} of patchbay.models is left out: ${refusal}.`);
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

/** What is not said stays as it was; a model that nobody knew chats, unless the user insists. */
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
