// Schemas as MCP servers and other extensions bring them, and what goes to the service.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cleanSchema } from "../../../src/tools/tool-table.ts";

const text = { type: "string" };

for (const [title, given, expected] of [
  [
    "what is about the document goes",
    { $schema: "http://json-schema.org/draft-07/schema#", $id: "x", $comment: "c", type: "object" },
    { type: "object" },
  ],
  [
    "a reference is put in place, and its definitions go",
    { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: text } },
    { type: "object", properties: { a: text } },
  ],
  [
    "old definitions, references in lists and references of references",
    {
      anyOf: [{ $ref: "#/definitions/A" }, { items: { $ref: "#/definitions/B" } }],
      definitions: { A: { $ref: "#/definitions/B" }, B: text },
    },
    { anyOf: [text, { items: text }] },
  ],
  [
    "what stands beside a reference stays, and wins",
    {
      properties: { a: { $ref: "#/$defs/A", description: "mine", default: 1 } },
      $defs: { A: { ...text, description: "its" } },
    },
    { properties: { a: { type: "string", description: "mine", default: 1 } } },
  ],
  [
    "names of the tool's own are no words of JSON Schema",
    { properties: { $ref: text, $schema: text, definitions: text, $id: { properties: { $comment: text } } } },
    { properties: { $ref: text, $schema: text, definitions: text, $id: { properties: { $comment: text } } } },
  ],
  [
    "values are left as they are",
    {
      default: { $ref: "#/x", $schema: 1 },
      enum: [{ $id: 1 }],
      const: { definitions: 1 },
      examples: [{ $ref: "y" }],
    },
    {
      default: { $ref: "#/x", $schema: 1 },
      enum: [{ $id: 1 }],
      const: { definitions: 1 },
      examples: [{ $ref: "y" }],
    },
  ],
  [
    "pointers with escapes",
    { items: { $ref: "#/$defs/a~1b%20c~0" }, $defs: { "a/b c~": text } },
    { items: text },
  ],
  [
    "a pointer into a list",
    { items: { $ref: "#/allOf/1" }, allOf: [{}, text] },
    { items: text, allOf: [{}, text] },
  ],
  [
    "a reference that is no text, but holds one",
    { items: text, $ref: { $ref: "#/items" }, anyOf: [{ $dynamicRef: 1 }] },
    { items: text, anyOf: [{}] },
  ],
] as const) {
  test(title, () => assert.deepEqual(cleanSchema(given), { ok: true, schema: expected }));
}

for (const [title, given, name] of [
  ["elsewhere", { items: { $ref: "https://example.com/s.json" } }, "https://example.com/s.json"],
  ["to another file", { items: { $ref: "other.json#/A" } }, "other.json#/A"],
  ["nowhere", { items: { $ref: "#/$defs/Missing" } }, "#/$defs/Missing"],
  ["to what an object only inherits", { items: { $ref: "#/constructor" } }, "#/constructor"],
  ["to itself", { $ref: "#" }, "#"],
  [
    "around in a circle",
    {
      $ref: "#/$defs/A",
      $defs: { A: { items: { $ref: "#/$defs/B" } }, B: { items: { $ref: "#/$defs/A" } } },
    },
    "#/$defs/A",
  ],
] as const) {
  test(`cleanSchema names a reference that leads ${title}`, () =>
    assert.deepEqual(cleanSchema(given), { ok: false, reason: "reference", name }));
}

test("cleanSchema refuses references that double with each step", () => {
  const pair = (to: string) => ({ anyOf: [{ $ref: to }, { $ref: to }] });
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`d${at}`, at === 39 ? text : pair(`#/$defs/d${at + 1}`)]),
  );
  assert.deepEqual(cleanSchema({ ...pair("#/$defs/d0"), $defs }), { ok: false, reason: "size" });
});

test("cleanSchema leaves no reference or document keyword in any schema, and is idempotent", () => {
  const schema = fc.object({
    key: fc.constantFrom("type", "items", "anyOf", "$schema", "$id", "title", "$defs", "$ref"),
    values: [fc.constantFrom("object", "#/$defs/type", "#/items", "#")],
    maxDepth: 3,
    maxKeys: 4,
  });
  fc.assert(
    fc.property(schema, (given) => {
      const cleaned = cleanSchema(given as Record<string, unknown>);
      if (!cleaned.ok) return;
      assert.doesNotMatch(JSON.stringify(cleaned.schema), /"\$(schema|id|defs)":|"\$ref":"/);
      assert.deepEqual(cleanSchema(cleaned.schema), cleaned);
    }),
  );
});

describe("a very deep schema", () => {
  const chain = (length: number) => {
    const $defs: Record<string, object> = { [`a${length}`]: text };
    for (let at = 0; at < length; at++) $defs[`a${at}`] = { $ref: `#/$defs/a${at + 1}` };
    return { $ref: "#/$defs/a0", $defs };
  };
  const nested = (depth: number) => {
    let schema: object = text;
    for (let at = 0; at < depth; at++) schema = { items: schema };
    return schema as Record<string, unknown>;
  };

  test("is accepted at a depth of 100", () => {
    assert.deepEqual(cleanSchema(chain(100)), { ok: true, schema: text });
    assert.deepEqual(cleanSchema(nested(100)), { ok: true, schema: nested(100) });
  });

  test("is refused by size at a depth of 30,000", () => {
    for (const schema of [chain(30_000), nested(30_000)])
      assert.deepEqual(cleanSchema(schema), { ok: false, reason: "size" });
  });
});
