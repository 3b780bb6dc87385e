import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  commands,
  contextKeys,
  panelType,
  userSettings,
  views,
  workspaceSettings,
} from "../../src/shell/manifest.ts";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const manifest = read("package.json");
const { contributes } = manifest;
/** All groups of settings together. */
const settings: Record<string, { scope: string; order: number; [key: string]: unknown }> = Object.assign(
  {},
  ...contributes.configuration.map(({ properties }: { properties: object }) => properties),
);

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
  for (const [name, setting] of Object.entries(settings)) {
    assert.equal(typeof setting["scope"], "string", name);
    assert.equal(typeof setting["order"], "number", name);
    assert.match(String(setting["markdownDescription"]), /^%.+%$/, name);
  }
});

test("every setting of the code is in the manifest, and the other way round", () => {
  const declared = Object.keys(settings);
  const read = [...userSettings, ...workspaceSettings].map((name) => `patchbay.${name}`);
  assert.deepEqual(declared.sort(), read.sort());
});

test("what steers key, money, approval or network can be set by the user alone", () => {
  const ofScope = (scope: string) =>
    Object.entries(settings)
      .filter(([, setting]) => setting.scope === scope)
      .map(([name]) => name.replace("patchbay.", ""));
  assert.deepEqual(ofScope("application").sort(), [...userSettings].sort());
  assert.deepEqual([...ofScope("resource"), ...ofScope("window")].sort(), [...workspaceSettings].sort());
});

test("what belongs to one service or one machine is not carried to another by Settings Sync", () => {
  const stays = Object.keys(settings).filter((name) => settings[name]?.["ignoreSync"] === true);
  const ofService = Object.keys(settings).filter((name) => name.startsWith("patchbay.service."));
  const others = ["baseUrl", "models", "receipts.nonceHeader", "trace"];
  assert.deepEqual(stays.sort(), [...ofService, ...others.map((name) => `patchbay.${name}`)].sort());
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

/** Design of the keys: what everybody's fingers know, what types a letter somewhere, what opens a menu. */
const neverBound = [
  /^(ctrl|cmd)\+[nlik]$/,
  /^(ctrl|cmd)\+shift\+k$/,
  /^alt\+[a-z]$/,
  /\bctrl\+alt\+|\balt\+ctrl\+/,
];

test("no default key is one that people's editors already use, outside our own views and documents", () => {
  const own =
    /^((focusedView == patchbay\.\w+|resourceScheme == patchbay-\w+|patchbay\.reviewActive) &&|patchbay\.(chat|composer)Focused$|commentEditorFocused && commentController == patchbay$)/;
  const { keybindings } = contributes as { keybindings: { key: string; mac?: string; when: string }[] };
  for (const { key, mac = key, when } of keybindings) {
    for (const each of [key, mac, key.split(" ").at(-1) ?? "", mac.split(" ").at(-1) ?? ""])
      for (const never of neverBound) assert.doesNotMatch(each, never);
    if (when.split(" || ").every((condition) => own.test(condition))) continue;
    assert.match(key, /^ctrl\+k (y|ctrl\+(y|e|enter|backspace))$/);
    assert.match(when, /!terminalFocus && !inDebugRepl|editorTextFocus/);
  }
});

test("a key in a list is about the row that it is pressed on", () => {
  // VS Code tells an extension what is selected in a list, not where the keyboard is: the row is turned and turned back.
  const { keybindings } = contributes as {
    keybindings: { key: string; command: string; when: string; args?: { commands: unknown[] } }[];
  };
  const turned = keybindings.filter(({ when }) => when.startsWith("focusedView == patchbay."));
  const about = (command: string) => [
    "list.toggleSelection",
    "list.toggleSelection",
    { command, args: ["focused"] },
  ];
  assert.deepEqual(
    turned.map(({ key, command, args }) => [key, command, args?.commands]),
    [
      ["f2", "runCommands", about(commands.renameConversation)],
      ["delete", "runCommands", about(commands.deleteConversation)],
      ["delete", "runCommands", about(commands.deleteFile)],
      ["ctrl+enter", "runCommands", about(commands.acceptHunk)],
      ["ctrl+shift+backspace", "runCommands", about(commands.rejectHunk)],
    ],
  );
});

/** What each menu is for; a menu that loses one of these has lost a way to do it. */
const menus: Record<string, readonly string[]> = {
  "editor/context": ["patchbay.editor"],
  "patchbay.editor": [
    ...["prompt", "explain", "fix", "refactor", "tests", "docs", "review", "custom"].map(
      (name) => `patchbay.do.${name}`,
    ),
    "patchbay.edit.here",
    "patchbay.attach.selection",
    "patchbay.estimate.count",
  ],
  "explorer/context": ["patchbay.attach.file", "patchbay.attach.folder", "patchbay.estimate.count"],
  "editor/title/context": ["patchbay.attach.file", "patchbay.estimate.count"],
  "terminal/context": ["patchbay.attach.terminal", "patchbay.do.fixTerminal"],
  "scm/title": ["patchbay.do.commitMessage", "patchbay.attach.gitDiff"],
  "scm/resourceState/context": ["patchbay.attach.gitDiff"],
  "notebook/cell/title": ["patchbay.do.explainCell", "patchbay.do.editCell"],
};

test("every place where something can be asked has its menu", () => {
  for (const [menu, expected] of Object.entries(menus)) {
    const entries: { command?: string; submenu?: string }[] = contributes.menus[menu] ?? [];
    const there = entries.map(({ command, submenu }) => command ?? submenu);
    assert.deepEqual(
      expected.filter((each) => !there.includes(each)),
      [],
      menu,
    );
  }
});

test("what asks from the editor is offered nowhere in a folder that is not trusted", () => {
  const asking = contributes.commands.filter(({ command }: { command: string }) =>
    /^patchbay\.(do\.|agent\.chooseTools)/.test(command),
  );
  assert.ok(asking.length >= 13);
  for (const { command, enablement } of asking) assert.match(enablement ?? "", /isWorkspaceTrusted/, command);
});

test("every condition speaks of keys, views, settings and documents that there are", () => {
  const conditions = [...readFileSync("package.json", "utf8").matchAll(/"(?:when|enablement)": "([^"]+)"/g)];
  assert.ok(conditions.length > 100);
  const known = new Set<string>([
    ...Object.values(contextKeys),
    ...Object.values(views),
    panelType,
    ...Object.keys(settings).map((name) => `config.${name}`),
  ]);
  const unknown = conditions.flatMap(([, when = ""]) =>
    [...when.matchAll(/(?:config\.)?patchbay[\w.-]*/g)].map(String).filter((word) => !known.has(word)),
  );
  assert.deepEqual([...new Set(unknown)].sort(), elsewhere);
});

/** Schemes of our own documents, and what the page says of itself. */
const elsewhere = [
  // The controller of the threads.
  "patchbay",
  "patchbay-base",
  "patchbay-inspect",
  "patchbay-review",
  "patchbay-view",
  "patchbayFindings",
  "patchbaySection",
  "patchbaySelection",
];
