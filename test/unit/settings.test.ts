// What holds of all settings, as VS Code reads them: who may set them, what they refuse, what they are called.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { statusParts } from "../../src/editor/status/status-text.ts";
import { surroundingParts } from "../../src/session/session-context.ts";
import { chineseBundle } from "../support/sentences.mjs";

interface Setting {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly scope: string;
  readonly tags?: readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly [key: string]: unknown;
}

const { capabilities, contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const settings: Readonly<Record<string, Setting>> = Object.fromEntries(
  (contributes.configuration as { properties: Record<string, Setting> }[])
    .flatMap(({ properties }) => Object.entries(properties))
    .map(([name, setting]) => [name.replace("patchbay.", ""), setting]),
);

test("settings for key, money, approval and network can be set only by the user", () => {
  const open = Object.entries(settings).filter(([, { scope }]) => scope !== "application");
  // Each of these lowers what its user allows, chooses among it, or is about looks.
  assert.deepEqual(open.map(([name]) => name).sort(), [
    "agent.disabledTools",
    "cache.ttl",
    "codeActions.enabled",
    "context.alsoIgnore",
    "context.maxFileKiB",
    "context.surroundings",
    "instructions.workspaceFile",
    "model.default",
    "model.edit",
    "output.maxTokens",
    "output.maxTokensForActions",
    "patch.alsoProtected",
    "patch.saveAfterApply",
    "patch.style",
    "status.show",
  ]);
  assert.deepEqual(
    [...capabilities.untrustedWorkspaces.restrictedConfigurations].sort(),
    open.map(([name]) => `patchbay.${name}`).sort(),
  );
});

test("the choices of list settings match the code that reads them", () => {
  assert.deepEqual(settings["context.surroundings"]?.default, [...surroundingParts]);
  assert.deepEqual(settings["status.show"]?.default, [...statusParts]);
});

test("every enum value has a description, and every pattern an error message", () => {
  for (const [name, setting] of Object.entries(settings)) {
    if (setting.enum !== undefined)
      assert.equal((setting["enumDescriptions"] as unknown[])?.length, setting.enum.length, name);
    if (setting.pattern !== undefined) assert.match(String(setting["patternErrorMessage"]), /^%.+%$/, name);
    assert.equal(setting["deprecationMessage"] ?? setting["markdownDeprecationMessage"], undefined, name);
  }
});

test("the patterns of settings refuse only unusable values", () => {
  const takes = (name: string, value: string) => new RegExp(settings[name]?.pattern ?? "^$", "u").test(value);
  for (const good of [
    "",
    "https://h",
    "https://h:8/a/v1",
    "http://localhost:1234",
    "http://127.0.0.1/v1",
    "http://[::1]:8",
  ])
    assert.ok(takes("baseUrl", good), good);
  for (const bad of [
    "h",
    "ftp://h",
    "http://h",
    "https://a:b@h",
    "https://h?q",
    "https://h#f",
    "https://h /",
  ])
    assert.ok(!takes("baseUrl", bad), bad);
  assert.ok(takes("receipts.nonceHeader", "X-Nonce") && !takes("receipts.nonceHeader", "X Nonce"));
  assert.ok(takes("model.default", "svc-k4") && !takes("model.default", "two words"));
});

test("texts about the output limit never mention context", () => {
  const texts: Record<string, string> = JSON.parse(readFileSync("package.nls.json", "utf8"));
  assert.match(texts["setting.output.maxTokens"] ?? "", /output only/);
  const said = [...Object.values(texts), ...Object.keys(chineseBundle())];
  const about = said.filter((sentence) => /output limit|tokens of output|output tokens/i.test(sentence));
  assert.ok(about.length > 3);
  for (const sentence of about) assert.doesNotMatch(sentence, /context/i);
});

test("the manifest has at most 48 settings, at most 30 of them not advanced", () => {
  const plain = Object.entries(settings).filter(([, { tags = [] }]) => !tags.includes("advanced"));
  assert.ok(Object.keys(settings).length <= 48, `${Object.keys(settings).length}`);
  assert.ok(plain.length <= 30, `${plain.length}: ${plain.map(([name]) => name).join(", ")}`);
});
