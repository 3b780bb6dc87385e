import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { commands, userSettings, views, workspaceSettings } from "../../src/shell/manifest.ts";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const manifest = read("package.json");
const { contributes } = manifest;

test("every command of the code is in the manifest, and the other way round", () => {
  const declared = contributes.commands.map((entry: { command: string }) => entry.command);
  assert.deepEqual([...declared].sort(), Object.values(commands).sort());
});

test("every view of the code is in the manifest, and the other way round", () => {
  const declared = Object.values(contributes.views as Record<string, { id: string }[]>).flatMap((list) =>
    list.map(({ id }) => id),
  );
  assert.deepEqual([...declared].sort(), Object.values(views).sort());
});

test("every setting states its scope, its place and its description", () => {
  for (const [name, setting] of Object.entries<Record<string, unknown>>(
    contributes.configuration.properties,
  )) {
    assert.equal(typeof setting["scope"], "string", name);
    assert.equal(typeof setting["order"], "number", name);
    assert.match(String(setting["markdownDescription"]), /^%.+%$/, name);
  }
});

test("every setting of the code is in the manifest, and the other way round", () => {
  const declared = Object.keys(contributes.configuration.properties);
  const read = [...userSettings, ...workspaceSettings].map((name) => `patchbay.${name}`);
  assert.deepEqual(declared.sort(), read.sort());
});

test("what steers key, money, approval or network can be set by the user alone", () => {
  const ofScope = (scope: string) =>
    Object.entries<{ scope: string }>(contributes.configuration.properties)
      .filter(([, setting]) => setting.scope === scope)
      .map(([name]) => name.replace("patchbay.", ""));
  assert.deepEqual(ofScope("application").sort(), [...userSettings].sort());
  assert.deepEqual([...ofScope("resource"), ...ofScope("window")].sort(), [...workspaceSettings].sort());
});

test("in Restricted Mode no setting of a workspace counts", () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.deepEqual(
    [...restrictedConfigurations].sort(),
    workspaceSettings.map((name) => `patchbay.${name}`).sort(),
  );
});

test("every %word% of the manifest is in package.nls.json, and every word there is used", () => {
  const used = new Set(
    [...readFileSync("package.json", "utf8").matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key),
  );
  for (const file of readdirSync(".").filter((name) => /^package\.nls.*\.json$/.test(name))) {
    assert.deepEqual(Object.keys(read(file)).sort(), [...used].sort(), file);
  }
});

test("nothing starts with every window, by address, or with a proposed API", () => {
  assert.deepEqual(manifest.activationEvents, ["onStartupFinished", "onWebviewPanel:patchbay.chatPanel"]);
  assert.equal(manifest.enabledApiProposals, undefined);
});

test("no default key is one that people's editors already use, outside our own views and documents", () => {
  const own =
    /^((focusedView == patchbay\.\w+|resourceScheme == patchbay-review) &&|patchbay\.(chat|composer)Focused$)/;
  const everywhere = contributes.keybindings.filter(({ when }: { when: string }) => !own.test(when));
  for (const { key } of everywhere) assert.match(key, /^ctrl\+k (ctrl\+)?y$/);
});
