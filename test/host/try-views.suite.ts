// What a person looks at of one of several tries: its changes in VS Code's own diff of several files, or its response.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Session } from "../../src/session/session.ts";
import { createTryViews } from "../../src/trials/editor/try-views.ts";
import type { Trial } from "../../src/trials/internal/trial.ts";
import { heard } from "./support/heard.ts";

type Shown = NonNullable<Awaited<ReturnType<Trial["look"]>>>;

describe("a try", () => {
  const session = { choices: { models: [{ id: "svc-k3", label: "K3" }] } } as unknown as Session;
  const file = (path: string, sides: { before?: string; after?: string }, to = path) => ({
    ...{ file: { folder: "work", path }, path, to },
    ...sides,
  });
  let shown: Shown | undefined;
  let read: string[] = [];
  const trial = { look: async () => shown, candidates: [{ model: "svc-k3" }] } as unknown as Trial;
  let views: ReturnType<typeof createTryViews>;
  const tabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ label }) => label.startsWith("Changes of Try"));
  /** What VS Code has read for its diffs. */
  const texts = () =>
    vscode.workspace.textDocuments
      .filter(({ uri, isClosed }) => uri.scheme === "patchbay-try" && !isClosed)
      .map((document) => `${document.uri.path} ${document.getText().trim()}`);
  const hasOneTab = () =>
    heard(() => tabs().length === 1 || undefined, vscode.window.tabGroups.onDidChangeTabs);
  const hasRead = (isSo: () => boolean) =>
    heard(() => isSo() || undefined, vscode.workspace.onDidOpenTextDocument);

  // Of two who provide texts for one scheme, VS Code asks the younger first. The extension under test is the other one.
  before(() => {
    views = createTryViews({
      trials: { of: () => trial, check: async () => {} },
      documents: { show: async (title, _, text) => void read.push(title, text) },
      host: { allowAlways: async () => {}, measure: async () => undefined },
    });
  });
  afterEach(async () => {
    read = [];
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
  after(() => views.dispose());

  it("is shown as one diff of all files it changes, and again in place of that", async () => {
    shown = {
      said: "Done.",
      files: [
        file("a.ts", { before: "one\n", after: "ONE\n" }),
        file("new.ts", { after: "new\n" }),
        file("old.ts", { before: "old\n" }),
        file("from.ts", { before: "x\n", after: "y\n" }, "to.ts"),
      ],
    };
    await views.act(session, "look", 0);
    await hasOneTab();
    assert.match(tabs()[0]?.label ?? "", /^Changes of Try 1 · K3/);
    await hasRead(() => texts().length >= 6);
    assert.deepEqual(texts().toSorted(), [
      ...["/a.ts ONE", "/a.ts one", "/from.ts x", "/new.ts new", "/old.ts old", "/to.ts y"],
    ]);
    shown = { ...shown, files: [file("a.ts", { before: "one\n", after: "1\n" })] };
    await views.act(session, "look", 0);
    await hasOneTab();
    await hasRead(() => texts().includes("/a.ts 1"));
    shown = { ...shown, files: [file("new.ts", { after: "new\n" })] };
    await views.act(session, "look", 0);
    await views.act(session, "look", 0);
    await hasOneTab();
  });

  it("shows its response alone, also where it changes nothing", async () => {
    shown = { said: "Nothing to do.", files: [] };
    await views.act(session, "look", 0);
    await views.act(session, "read", 0);
    const once = ["Response of Try 1 · K3", "Nothing to do."];
    assert.deepEqual(read, [...once, ...once]);
    assert.equal(tabs().length, 0);
  });

  it("says so if it has gone meanwhile", async () => {
    shown = undefined;
    await assert.rejects(views.act(session, "look", 0), /This try is gone, or runs again\./);
  });
});
