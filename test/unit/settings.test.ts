// The settings are those that were designed, key by key: form, default, who may set it. Where the product does
// otherwise on purpose the reason stands here, and nowhere is there a setting that nobody has written down.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface Setting {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly scope: string;
  readonly tags?: readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly [key: string]: unknown;
}

type Designed = readonly [type: string, byDefault: unknown, scope: string, values?: readonly string[]];

const user = "application";
const everyStatus = ["estimate", "usage", "cache", "cost"];

const designed: Readonly<Record<string, Designed>> = {
  baseUrl: ["string", "", user],
  models: ["array", [], user],
  "model.default": ["string", "svc-k3", "resource"],
  "model.edit": ["string", "", "resource"],
  "service.profile": ["object", {}, user],
  "receipts.nonceHeader": ["string", "", user],
  pricing: ["object|null", null, user],
  "cache.ttl": ["string", "default", "resource", ["default", "5m", "1h"]],
  "output.maxTokens": ["integer|null", null, "resource"],
  "output.maxTokensForActions": ["integer|null", 16_384, "resource"],
  "webSearch.default": ["boolean", false, user],
  "estimate.mode": ["string", "onDemand", user, ["local", "onDemand", "auto"]],
  "spend.askAboveTokens": ["integer|null", 200_000, user],
  "agent.maxSteps": ["integer", 25, user],
  "agent.tools": ["object", {}, user],
  "agent.disabledTools": ["array", [], "resource"],
  "patch.apply": ["string", "review", user, ["review", "auto"]],
  checks: ["array", [], user],
  "patch.saveAfterApply": ["boolean", true, "resource"],
  "patch.protected": ["array", [], user],
  "patch.alsoProtected": ["array", [], "resource"],
  "patch.style": ["string", "multiDiff", "window", ["multiDiff", "refactorPreview"]],
  "context.ignore": ["array", [], user],
  "context.alsoIgnore": ["array", [], "resource"],
  "context.maxFileKiB": ["integer", 512, "resource"],
  prompts: ["array", [], user],
  "instructions.user": ["string", "", user],
  "instructions.workspaceFile": ["boolean", true, "window"],
  "codeActions.enabled": ["boolean", true, "window"],
  "editorMenu.enabled": ["boolean", true, user],
  "provenance.enabled": ["boolean", true, user],
  "chat.sendKey": ["string", "enter", user, ["enter", "modEnter"]],
  "chat.scroll": ["string", "follow", user, ["follow", "anchorTop", "off"]],
  "chat.reasoning": ["string", "preview", user, ["headline", "preview", "expanded"]],
  "chat.renderMath": ["boolean", true, user],
  "chat.attachActiveEditor": ["boolean", false, user],
  "chat.textDirection": ["string", "auto", user, ["auto", "ltr", "rtl"]],
  "chat.notify": ["string", "unfocused", user, ["never", "unfocused", "always"]],
  "history.keepDays": ["integer", 0, user],
  "files.enabled": ["boolean", false, user],
  "languageModel.enabled": ["boolean", false, user],
  "status.show": ["array", everyStatus, "window"],
  trace: ["string", "off", user, ["off", "headers", "bodies"]],
};

/** Designed at first, and left out: a setting without anything behind it would promise what nobody does. */
const leftOut: Readonly<Record<string, string>> = {
  "agent.terminalAllow": "no tool runs anything in a terminal, so there is nothing to allow",
  "chat.renderMermaid": "a library for diagrams weighs more than all of the page",
  "receipts.keepDays": "receipts are small; a year of them is kept",
  "webSearch.sources":
    "sources are always requested; a service that refuses the field is asked again without it",
  "languageModel.maxInputTokens": "patchbay.models has a context window for each model",
  "web.allowRequests": "there is no browser host: the extension has a main entry only",
};

/** Came with what was built. */
const added = ["reasoning.effort", "actions.listContext"];

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const settings: Readonly<Record<string, Setting>> = Object.fromEntries(
  (contributes.configuration as { properties: Record<string, Setting> }[])
    .flatMap(({ properties }) => Object.entries(properties))
    .map(([name, setting]) => [name.replace("patchbay.", ""), setting]),
);

test("every setting that was designed is there, in its form, with its default, for those who may set it", () => {
  for (const [name, [type, byDefault, scope, values]] of Object.entries(designed)) {
    const setting = settings[name];
    assert.ok(setting !== undefined, name);
    assert.deepEqual([setting.type].flat().join("|"), type, name);
    assert.deepEqual(setting.default, byDefault, name);
    assert.equal(setting.scope, scope, name);
    assert.deepEqual(setting.enum, values, name);
  }
});

test("no other setting is there, and what was left out has a reason and no trace", () => {
  assert.deepEqual(Object.keys(settings).sort(), [...Object.keys(designed), ...added].sort());
  for (const [name, reason] of Object.entries(leftOut)) {
    assert.equal(settings[name], undefined);
    assert.ok(reason.length > 20);
  }
});

test("every choice has its description, and every form that is asked for its sentence", () => {
  for (const [name, setting] of Object.entries(settings)) {
    if (setting.enum !== undefined)
      assert.equal((setting["enumDescriptions"] as unknown[])?.length, setting.enum.length, name);
    if (setting.pattern !== undefined) assert.match(String(setting["patternErrorMessage"]), /^%.+%$/, name);
    assert.equal(setting["deprecationMessage"] ?? setting["markdownDeprecationMessage"], undefined, name);
  }
});

test("groups and settings stand in an order without two at one place", () => {
  const groups = contributes.configuration as { order: number; properties: Record<string, Setting> }[];
  assert.deepEqual(
    groups.map(({ order }) => order),
    groups.map((_, at) => at + 1),
  );
  for (const { properties } of groups)
    assert.equal(
      new Set(Object.values(properties).map(({ order }) => order)).size,
      Object.keys(properties).length,
    );
});

test("the form of a setting refuses what would not be used, and nothing else", () => {
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

test("the output limit is never called context: it is tokens to generate, not input plus output", () => {
  const texts: Record<string, string> = JSON.parse(readFileSync("package.nls.json", "utf8"));
  assert.match(texts["setting.output.maxTokens"] ?? "", /output only/);
  const said = [
    ...Object.values(texts),
    ...Object.keys(JSON.parse(readFileSync("media/l10n/bundle.l10n.zh-cn.json", "utf8"))),
  ];
  const about = said.filter((sentence) => /output limit|tokens of output|output tokens/i.test(sentence));
  assert.ok(about.length > 3);
  for (const sentence of about) assert.doesNotMatch(sentence, /context/i);
});

test("there are at most 45 settings, and at most 30 that are not advanced", () => {
  const plain = Object.entries(settings).filter(([, { tags = [] }]) => !tags.includes("advanced"));
  assert.ok(Object.keys(settings).length <= 45, `${Object.keys(settings).length}`);
  assert.ok(plain.length <= 30, `${plain.length}: ${plain.map(([name]) => name).join(", ")}`);
});
