// Schemas as MCP servers and other extensions bring them, and what goes to the service.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanSchema } from "../../../../src/core/tools/clean-schema.ts";

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
  test(`a reference that leads ${title} is named`, () =>
    assert.deepEqual(cleanSchema(given), { ok: false, reason: "reference", name }));
}

test("references that double with each step are given up soon", () => {
  const pair = (to: string) => ({ anyOf: [{ $ref: to }, { $ref: to }] });
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`d${at}`, at === 39 ? text : pair(`#/$defs/d${at + 1}`)]),
  );
  assert.deepEqual(cleanSchema({ ...pair("#/$defs/d0"), $defs }), { ok: false, reason: "size" });
});

test("whatever comes in, no reference and nothing about the document goes out, and clean is clean", () => {
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
