import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { commands, contextKeys, panelType, views } from "../../src/editor/manifest.ts";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const manifest = read("package.json");
const { contributes } = manifest;
/** All groups of settings together. */
const settings: Record<string, { [key: string]: unknown }> = Object.assign(
  {},
  ...contributes.configuration.map(({ properties }: { properties: object }) => properties),
);

test("the manifest declares exactly the commands of the code", () => {
  const declared = contributes.commands.map((entry: { command: string }) => entry.command);
  assert.deepEqual([...declared].sort(), Object.values(commands).sort());
});

test("the manifest declares exactly the views of the code", () => {
  const declared = Object.values(contributes.views as Record<string, { id: string }[]>).flatMap((list) =>
    list.map(({ id }) => id),
  );
  assert.deepEqual([...declared].sort(), Object.values(views).sort());
});

test("settings of one service or one computer are excluded from Settings Sync", () => {
  const stays = Object.keys(settings).filter((name) => settings[name]?.["ignoreSync"] === true);
  const ofService = Object.keys(settings).filter((name) => name.startsWith("patchbay.service."));
  const others = ["baseUrl", "models", "receipts.nonceHeader", "trace"];
  assert.deepEqual(stays.sort(), [...ofService, ...others.map((name) => `patchbay.${name}`)].sort());
});

test("the package.nls files hold exactly the keys that the manifest uses", () => {
  const used = new Set(
    [...readFileSync("package.json", "utf8").matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key),
  );
  for (const file of readdirSync(".").filter((name) => /^package\.nls.*\.json$/.test(name))) {
    assert.deepEqual(Object.keys(read(file)).sort(), [...used].sort(), file);
  }
});

test("the manifest activates only after startup and for the chat panel, and uses no proposed API", () => {
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

test("default keys avoid common editor keys outside the product's own views and documents", () => {
  const own =
    /^((focusedView == patchbay\.\w+|patchbay\.(changeAtCursor|reviewActive)|commentController == patchbay) &&|patchbay\.(chat|composer)Focused$|commentEditorFocused && commentController == patchbay( &&|$))/;
  const { keybindings } = contributes as { keybindings: { key: string; mac?: string; when: string }[] };
  for (const { key, mac = key, when } of keybindings) {
    for (const each of [key, mac, key.split(" ").at(-1) ?? "", mac.split(" ").at(-1) ?? ""])
      for (const never of neverBound) assert.doesNotMatch(each, never);
    if (when.split(" || ").every((condition) => own.test(condition))) continue;
    assert.match(key, /^ctrl\+k (y|ctrl\+(y|e|enter|backspace))$/);
    assert.match(when, /!terminalFocus && !inDebugRepl|editorTextFocus/);
  }
});

test("a key in a list acts on the focused row", () => {
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

test("every menu holds the commands expected at its place", () => {
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

test("commands that ask from the editor are disabled in an untrusted workspace", () => {
  const asking = contributes.commands.filter(({ command }: { command: string }) =>
    /^patchbay\.(do\.|agent\.chooseTools)/.test(command),
  );
  assert.ok(asking.length >= 13);
  for (const { command, enablement } of asking) assert.match(enablement ?? "", /isWorkspaceTrusted/, command);
});

test("every when clause uses known context keys, views, settings and schemes", () => {
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
