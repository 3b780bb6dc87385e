// `patchbay.service.profile`: what is typed there is used as it stands or named as unusable, and the editor marks the
// same values while they are typed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { completeSettings, readProfile } from "../../../src/service/settings.ts";

/** A member, a value that is used, a value that is not. */
const members: readonly (readonly [path: string, good: unknown, bad: readonly unknown[]])[] = [
  ["stream", "off", ["never", true]],
  ["cacheKeyField", "session", ["metadata", "cache.key", "two words", "input", "store", "x".repeat(65), 1]],
  ["cacheKeyField", "", []],
  ["userIdField", "user", ["model", "a[0]", "__proto__"]],
  ["namespaces", "flatten", ["flat", "auto"]],
  ["namespaces", "namespace", []],
  ["patchTool", "custom-text", ["custom", "auto"]],
  ["patchTool", "off", []],
  ["streamUsage", false, ["no", 0]],
  ["extraHeaders.X-Team", "seven", ["", "a\nb", " a", 7]],
  ["extraHeaders.Authorization", undefined, ["Bearer x"]],
  ["extraHeaders.proxy-authorization", undefined, ["x"]],
  ["extraHeaders.Content-Length", undefined, ["1"]],
  ["extraHeaders.X Team", undefined, ["x"]],
  ["extraBody.responses.seed", 1, []],
  ["extraBody.responses.text", { format: { type: "text" } }, []],
  ["extraBody.responses.reasoning", { summary: "auto" }, [{ effort: "high" }, "high"]],
  ["extraBody.responses.previous_response_id", undefined, ["resp_1"]],
  ["extraBody.responses.store", undefined, [true]],
  ["extraBody.responses.max_output_tokens", undefined, [1]],
  ["extraBody.chat.thinking", { type: "enabled" }, []],
  ["extraBody.chat.messages", undefined, [[]]],
  ["extraBody.chat.n", undefined, [2]],
  ["extraBody.estimate", undefined, [{}]],
  ["timeouts.connectSeconds", 1, [0, -1, 1.5, "30", 86_401]],
  ["timeouts.firstByteSeconds", 60, [0]],
  ["timeouts.unstreamedSeconds", 60, [0]],
  ["timeouts.idleSeconds", 60, [0]],
  ["timeouts.totalSeconds", undefined, [60]],
  ["nonsense", undefined, [1]],
];

const holding = (path: string, value: unknown): object => {
  const [name = "", ...rest] = path.split(".");
  return { [name]: rest.length === 0 ? value : holding(rest.join("."), value) };
};

test("readProfile uses each valid member and lists each unusable one", () => {
  for (const [path, good, bad] of members) {
    if (good !== undefined) assert.deepEqual(readProfile(holding(path, good)).unusable, [], path);
    for (const value of bad) {
      const { settings, unusable } = readProfile(holding(path, value));
      assert.deepEqual(unusable, [path], `${path} ${JSON.stringify(value)}`);
      assert.doesNotMatch(JSON.stringify(settings), /metadata|cache\.key|Bearer|resp_1|two words/, path);
    }
  }
});

test("readProfile maps each member to its client setting", () => {
  const { settings } = readProfile({
    stream: "off",
    cacheKeyField: "session",
    userIdField: "",
    namespaces: "flatten",
    patchTool: "function",
    streamUsage: false,
    extraHeaders: { "X-Team": "seven" },
    extraBody: { responses: { seed: 1 }, chat: { top_k: 2 } },
    timeouts: { connectSeconds: 1, firstByteSeconds: 2, unstreamedSeconds: 3, idleSeconds: 4 },
  });
  assert.deepEqual(settings, {
    stream: "off",
    cacheKeyField: "session",
    userIdField: "",
    namespaces: "flat",
    patchTool: "function",
    streamUsage: false,
    extraHeaders: { "X-Team": "seven" },
    extraBody: { responses: { seed: 1 }, chat: { top_k: 2 } },
    connectSeconds: 1,
    firstByteSeconds: 2,
    unstreamedSeconds: 3,
    idleSeconds: 4,
  });
});

test("readProfile keeps the valid members beside an unusable one", () => {
  const { settings, unusable } = readProfile({
    cacheKeyField: "cache.key",
    stream: "on",
    extraHeaders: { Authorization: "Bearer x", "X-A": "b" },
  });
  assert.deepEqual(settings, { stream: "on", extraHeaders: { "X-A": "b" } });
  assert.deepEqual(unusable, ["cacheKeyField", "extraHeaders.Authorization"]);
});

test("readProfile reads any JSON value without an error or prototype pollution", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { settings } = readProfile(value);
      assert.equal(completeSettings(settings).connectSeconds > 0, true);
    }),
  );
  const evil = JSON.parse(
    '{"extraBody":{"responses":{"__proto__":{"a":1}}},"extraHeaders":{"__proto__":"x"}}',
  );
  const { settings } = readProfile(evil);
  assert.equal(({} as { a?: unknown }).a, undefined);
  assert.deepEqual(settings.extraBody?.responses, {});
  for (const value of [null, undefined, {}]) assert.deepEqual(readProfile(value).settings, {});
});

/** The part of JSON Schema that the manifest uses. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const schema: Schema = Object.assign(
  {},
  ...(contributes.configuration as { properties: object }[]).map(({ properties }) => properties),
)["patchbay.service.profile"];

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

function takes(rule: Schema, value: unknown): boolean {
  if (rule.type !== undefined && types[rule.type]?.(value) !== true) return false;
  if (rule.enum !== undefined && !rule.enum.includes(value)) return false;
  if (rule.pattern !== undefined && !new RegExp(rule.pattern, "u").test(String(value))) return false;
  if (Number(value) < (rule.minimum ?? -Infinity) || Number(value) > (rule.maximum ?? Infinity)) return false;
  if (types["object"]?.(value) !== true) return true;
  return Object.entries(value as object).every(([name, member]) => {
    if (rule.propertyNames !== undefined && !takes(rule.propertyNames, name)) return false;
    const inner = rule.properties?.[name] ?? rule.additionalProperties ?? true;
    return typeof inner === "boolean" ? inner : takes(inner, member);
  });
}

test("the schema in the manifest rejects exactly the values that readProfile does not use", () => {
  for (const [path, good, bad] of members) {
    if (good !== undefined) assert.ok(takes(schema, holding(path, good)), path);
    for (const value of bad)
      assert.ok(!takes(schema, holding(path, value)), `${path} ${JSON.stringify(value)}`);
  }
});
