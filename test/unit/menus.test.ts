// What the menus offer, and when: the manifest's conditions evaluated in the situations that people are in. A command
// is offered where its menu's condition holds and the command itself is enabled.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contextKeys } from "../../src/editor/manifest.ts";
import { holds, type Situation } from "../support/when.ts";

interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const menus: Readonly<Record<string, readonly Entry[]>> = contributes.menus;
const enablement = new Map<string, string | undefined>(
  contributes.commands.map((entry: { command: string; enablement?: string }) => [
    entry.command,
    entry.enablement,
  ]),
);

const isOffered = ({ command, when }: Entry, situation: Situation): boolean =>
  holds(when, situation) && holds(enablement.get(command ?? ""), situation);

/** Without the name of the extension, each once. */
function offered(menu: string, situation: Situation): string[] {
  const found = (menus[menu] ?? []).filter((entry) => isOffered(entry, situation));
  const names = found.map(({ command, submenu }) => (command ?? submenu ?? "").replace("patchbay.", ""));
  return [...new Set(names)].sort();
}

/** Somebody at work: everything is set up, an editor is open, a conversation has turns, a patch waits. */
const atWork: Situation = {
  isWorkspaceTrusted: true,
  editorIsOpen: true,
  terminalIsOpen: true,
  gitOpenRepositoryCount: 1,
  scmProvider: "git",
  notebookCellEditable: true,
  isFileSystemResource: true,
  resourceScheme: "file",
  "config.patchbay.editorMenu.enabled": true,
  "config.patchbay.files.enabled": true,
  ...Object.fromEntries(Object.values(contextKeys).map((key) => [key, true])),
  "patchbay.keyInvalid": false,
  "patchbay.canStop": false,
  "patchbay.reviewActive": false,
  "patchbay.replays": [],
};

const everyMenu = (situation: Situation): string[] =>
  Object.keys(menus)
    .filter((menu) => menu !== "commandPalette")
    .flatMap((menu) => offered(menu, situation));

test("the menus offer every editor action and the commands of each place when everything is set up", () => {
  const actions = ["custom", "docs", "explain", "fix", "prompt", "refactor", "review", "tests"];
  assert.deepEqual(offered("editor/context", atWork), ["editor"]);
  assert.deepEqual(
    offered("patchbay.editor", { ...atWork, editorHasSelection: true }),
    ["attach.selection", ...actions.map((name) => `do.${name}`), "edit.here", "estimate.count"].sort(),
  );
  assert.deepEqual(offered("notebook/cell/title", atWork), ["do.editCell", "do.explainCell"]);
  assert.deepEqual(offered("scm/title", atWork), ["attach.gitDiff", "do.commitMessage"]);
  assert.deepEqual(offered("terminal/context", atWork), ["attach.terminal", "do.fixTerminal"]);
  assert.deepEqual(offered("explorer/context", atWork), ["attach.file", "estimate.count"]);
  assert.deepEqual(offered("explorer/context", { ...atWork, explorerResourceIsFolder: true }), [
    "attach.folder",
  ]);
});

/** The palette holds every command that is enabled and that no entry of its menu hides. */
function palette(situation: Situation): string[] {
  const hidden = new Map(menus["commandPalette"]?.map(({ command, when }) => [command, when]));
  return [...enablement.keys()].filter(
    (command) => holds(hidden.get(command), situation) && holds(enablement.get(command), situation),
  );
}

test("the palette holds at most 30 commands when nothing is pending, with or without accepted edits", () => {
  const normal: Situation = {
    isWorkspaceTrusted: true,
    editorIsOpen: true,
    gitOpenRepositoryCount: 1,
    scmProvider: "git",
    resourceScheme: "file",
    isFileSystemResource: true,
    "config.patchbay.editorMenu.enabled": true,
    "patchbay.configured": true,
    "patchbay.hasKey": true,
    "patchbay.hasTurns": true,
    "patchbay.canRegenerate": true,
    "patchbay.responses": true,
    "patchbay.replays": [],
  };
  const there = palette({ ...normal, "patchbay.turnHasEdits": true });
  assert.ok(there.length <= 30, `${there.length}: ${there.join(", ")}`);
  assert.ok(palette(normal).length < there.length);
  for (const command of ["attach.context", "estimate.count", "chat.new", "edit.here", "connection"])
    assert.ok(there.includes(`patchbay.${command}`), command);
});

test("the palette hides review commands without a pending patch and Git commands without a repository", () => {
  const idle = palette({ ...atWork, "patchbay.hasPendingPatch": false });
  assert.deepEqual(
    idle.filter((name) => /\.(?:review|checks)\./.test(name)),
    ["checks.setUp", "review.list", "review.undoTurn"].map((name) => `patchbay.${name}`),
  );
  for (const gitOpenRepositoryCount of [undefined, 0]) {
    const there = palette({ ...atWork, gitOpenRepositoryCount, scmProvider: undefined });
    assert.deepEqual(
      there.filter((name) => /commit|diff/i.test(name)),
      [],
    );
  }
  assert.ok(palette(atWork).includes("patchbay.do.commitMessage"));
});

test("every command hidden from the palette is in another menu, in a picker or on a key", () => {
  const elsewhere = new Set(
    [
      ...Object.entries(menus).flatMap(([menu, entries]) => (menu === "commandPalette" ? [] : entries)),
      ...contributes.keybindings,
    ].map(({ command }: Entry) => command),
  );
  const hidden = (menus["commandPalette"] ?? []).flatMap(({ command = "", when }) =>
    when === "false" && !elsewhere.has(command) ? [command.replace("patchbay.", "")] : [],
  );
  // Of the connection's picker, of the menu behind the model, of the status bar, of welcome pages and of threads.
  assert.deepEqual(hidden.sort(), [
    "cache.tier",
    "files.openUse",
    "model.compare",
    "output.limit",
    "privacy.resetUserId",
    "start.review",
    "start.sample",
    "status.menu",
    "web.toggle",
  ]);
});

test("the menus offer receipts only when a nonce header is set", () => {
  const usage = { ...atWork, view: "patchbay.usage", viewItem: "usage.receipt" };
  const receipts = (situation: Situation) =>
    everyMenu(situation).filter((name) => name.startsWith("receipts."));
  assert.deepEqual(receipts({ ...usage, "config.patchbay.receipts.nonceHeader": "" }), []);
  assert.deepEqual(
    [...new Set(receipts({ ...usage, "config.patchbay.receipts.nonceHeader": "X-Nonce" }))].sort(),
    ["receipts.export", "receipts.recompute"],
  );
});

test("the menus offer no editor actions, code edits or tools in Restricted Mode", () => {
  const untrusted = {
    ...atWork,
    isWorkspaceTrusted: false,
    patchbaySection: "code",
    editorHasSelection: true,
  };
  assert.deepEqual(offered("editor/context", untrusted), []);
  assert.deepEqual(
    everyMenu(untrusted).filter((name) => /^(do\.|code\.apply|agent\.)/.test(name)),
    [],
  );
});

test("the menus offer no token estimates without a key", () => {
  const keyless = { ...atWork, "patchbay.hasKey": false, editorHasSelection: true };
  assert.deepEqual(
    everyMenu(keyless).filter((name) => /^estimate\./.test(name)),
    [],
  );
});

test("the menus offer no review commands while no patch is pending", () => {
  const idle = { ...atWork, "patchbay.hasPendingPatch": false, view: "patchbay.review" };
  const inReview = { ...idle, resourceScheme: "patchbay-review" };
  for (const situation of [idle, inReview])
    assert.deepEqual(
      everyMenu(situation).filter((name) => /^review\.(accept|reject|next|previous|refactor)/.test(name)),
      [],
    );
});

test("a pending hunk, file and turn each offer their own review commands", () => {
  const at = (viewItem: string) =>
    offered("view/item/context", { ...atWork, view: "patchbay.review", viewItem });
  assert.deepEqual(at("hunk.pending"), [
    "review.acceptHunk",
    "review.openChange",
    "review.rejectHunk",
    "review.rejectWithReason",
  ]);
  assert.deepEqual(at("file.pending"), [
    "review.acceptFile",
    "review.openChange",
    "review.rejectFile",
    "review.rejectWithReason",
  ]);
  assert.deepEqual(at("file.pending.conflict"), [
    "review.acceptFile",
    "review.openChange",
    "review.rejectFile",
    "review.rejectWithReason",
    "review.retryWithCurrent",
  ]);
  assert.deepEqual(at("set.pending"), [
    "review.acceptAll",
    "review.copyPullRequest",
    "review.open",
    "review.rejectAll",
    "review.rejectWithReason",
  ]);
});

test("the proposed side of a diff offers review commands in its title and hides the editor submenu", () => {
  const inReview = { ...atWork, resourceScheme: "patchbay-review", "patchbay.reviewActive": true };
  const title = offered("editor/title", inReview);
  for (const name of ["acceptFile", "rejectFile", "acceptHunk", "rejectHunk", "next", "previous"])
    assert.ok(title.includes(`review.${name}`), name);
  assert.ok(!offered("editor/title", atWork).some((name) => name.startsWith("review.")));
  for (const resourceScheme of ["patchbay-review", "patchbay-base"])
    assert.deepEqual(offered("editor/context", { ...atWork, resourceScheme }), []);
  assert.deepEqual(offered("editor/context", inReview), [
    "review.acceptHunk",
    "review.rejectHunk",
    "review.rejectWithReason",
  ]);
});

test("the diff of all files offers its own review commands, and one of another extension offers none", () => {
  const inAll = { ...atWork, resourceScheme: "multi-diff-editor", activeEditor: "multiDiffEditor" };
  assert.deepEqual(
    offered("editor/title", { ...inAll, "patchbay.reviewActive": true }),
    ["acceptAll", "acceptHunk", "refactorPreview", "rejectAll", "rejectHunk", "rejectWithReason"].map(
      (name) => `review.${name}`,
    ),
  );
  assert.deepEqual(offered("editor/title", inAll), []);
});

test("the editor menu is empty when its setting is off", () => {
  const without = { ...atWork, "config.patchbay.editorMenu.enabled": false };
  assert.deepEqual(offered("editor/context", without), []);
  assert.deepEqual(offered("notebook/cell/title", without), []);
});

test("a read-only editor offers every command but the edit", () => {
  const readOnly = { ...atWork, editorReadonly: true };
  const lost = offered("patchbay.editor", atWork).filter(
    (name) => !offered("patchbay.editor", readOnly).includes(name),
  );
  assert.deepEqual(lost, ["edit.here"]);
});

test("every when clause can be evaluated, and every context key is set in the code", () => {
  const conditions = [
    ...Object.values(menus)
      .flat()
      .map(({ when }) => when),
    ...contributes.keybindings.map(({ when }: Entry) => when),
    ...Object.values(contributes.views as Record<string, Entry[]>)
      .flat()
      .map(({ when }) => when),
    ...contributes.viewsWelcome.map(({ when }: Entry) => when),
    ...enablement.values(),
  ];
  for (const when of conditions) assert.equal(typeof holds(when, atWork), "boolean");
  const sources = readdirSync("src", { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ts") && !name.endsWith("manifest.ts"))
    .map((name) => readFileSync(join("src", name), "utf8"))
    .filter((source) => source.includes("setContext") || source.includes("contextKeys"));
  const unset = Object.keys(contextKeys).filter(
    (key) => !sources.some((source) => source.includes(`contextKeys.${key}`)),
  );
  assert.deepEqual(unset, []);
});
