// The JSON Schema of somebody else's tool as a service can take it: without what is about the document itself, and
// with every reference in place. What cannot be put in place is named. Pure; knows no tools.
import { asObject, isObject, type JsonObject } from "../util/json.ts";

export type CleanedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  /** `name`: the reference that leads elsewhere, nowhere or back to itself. */
  | { readonly ok: false; readonly reason: "reference"; readonly name: string }
  | { readonly ok: false; readonly reason: "size" };

/** References may repeat a part many times over. */
const maxNodes = 5_000;

const aboutDocument = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$comment",
  "$vocabulary",
  "$defs",
  "definitions",
  // Where they are texts they were followed before; any other value refers to nothing.
  "$ref",
  "$dynamicRef",
]);
/** Their keys are names of the tool's own, not words of JSON Schema. */
const named = new Set(["properties", "patternProperties", "dependentSchemas"]);
/** Values, in which a "$ref" is data. */
const verbatim = new Set(["default", "const", "enum", "examples"]);

export function cleanSchema(root: JsonObject): CleanedSchema {
  let nodes = 0;

  function clean(schema: unknown, following: readonly string[]): unknown {
    nodes += 1;
    if (nodes > maxNodes) throw new Unclean({ ok: false, reason: "size" });
    if (Array.isArray(schema)) return schema.map((each) => clean(each, following));
    if (!isObject(schema)) return schema;
    const name = schema["$ref"] ?? schema["$dynamicRef"];
    if (typeof name === "string") return inPlace(schema, name, following);
    const kept = Object.entries(schema).filter(([key]) => !aboutDocument.has(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, cleanValue(key, value, following)]));
  }

  function cleanValue(key: string, value: unknown, following: readonly string[]): unknown {
    if (verbatim.has(key)) return value;
    if (!named.has(key) || !isObject(value)) return clean(value, following);
    return Object.fromEntries(Object.entries(value).map(([own, each]) => [own, clean(each, following)]));
  }

  /** What stands beside a reference says more about the same value. */
  function inPlace(schema: JsonObject, name: string, following: readonly string[]): unknown {
    const found = following.includes(name) ? undefined : at(root, name);
    if (found === undefined) throw new Unclean({ ok: false, reason: "reference", name });
    const target = clean(found, [...following, name]);
    const { $ref: _, $dynamicRef: __, ...beside } = schema;
    if (Object.keys(beside).length === 0 || !isObject(target)) return target;
    return { ...target, ...asObject(clean(beside, following)) };
  }

  try {
    return { ok: true, schema: asObject(clean(root, [])) ?? {} };
  } catch (error) {
    if (error instanceof Unclean) return error.result;
    throw error;
  }
}

class Unclean extends Error {
  readonly result: Extract<CleanedSchema, { ok: false }>;

  constructor(result: Extract<CleanedSchema, { ok: false }>) {
    super(result.reason);
    this.result = result;
  }
}

/** RFC 6901, in the fragment of this very document. */
function at(root: JsonObject, name: string): unknown {
  if (name === "#") return root;
  if (!name.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const step of name.slice(2).split("/")) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
