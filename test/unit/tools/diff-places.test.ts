// Which files of an attached diff are kept back, wherever the repository is that its paths begin in.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Attachment } from "../../../src/conversation/state.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { readAttachment } from "../../../src/tools/read-attachment.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";

const never = new AbortController().signal;
const changed = (path: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${path}\n`;

async function attached(
  workspace: FolderWorkspace,
  wish: Attachment,
  ignore: readonly string[] = ["/plans"],
) {
  const files = guardFiles(workspace, () => ({ ignore, alsoIgnore: [] }));
  const sources = { files, maxBytes: 100_000, turnsOf: async () => undefined };
  const { content, view, isRefused = false, cleanWish } = await readAttachment(wish, sources, never);
  assert(content.kind === "text");
  const notes = (view.notes ?? []).map(english);
  return { text: content.text, notes, isRefused, cleanWish };
}

const addressOf = ({ root }: FolderWorkspace, path: string) => pathToFileURL(join(root, path)).href;
const diff = (root: string, ...texts: readonly string[]): Attachment => ({
  ...{ kind: "diff", name: "Staged changes", root, text: texts.join("") },
});
const oneHidden = "1 file is left out: it is on the list of files that are never sent.";
const hidden = (count: number) =>
  `${count} files are left out: they are on the list of files that are never sent.`;

describe("an attached diff", () => {
  test("is without what the rules of a folder keep back that is part of the repository", async () => {
    const workspace = createFolderWorkspace("apps/shop");
    const all = ["apps/shop/plans/next.md", "apps/shop/old/plans/a.md", "apps/bar/b.md"].map(changed);
    const { text, notes, cleanWish } = await attached(workspace, diff(addressOf(workspace, ""), ...all));
    assert.doesNotMatch(text, /next/);
    assert.match(text, /\n\+apps\/shop\/old\/plans\/a\.md\n.*\n\+apps\/bar\/b\.md\n/s);
    assert.deepEqual(notes, [oneHidden]);
    assert(cleanWish?.kind === "diff");
    assert.doesNotMatch(cleanWish.text, /next/, "nor is it stored with a draft");
    assert.equal(cleanWish.root, addressOf(workspace, ""), "and the stored one knows where its paths begin");
  });

  test("obeys the folder's own ignore file as well", async () => {
    const workspace = createFolderWorkspace("apps/shop");
    workspace.write("apps/shop/.patchbayignore", "/drafts/*.md\n");
    const all = ["apps/shop/drafts/a.md", "apps/shop/drafts/a.ts"].map(changed);
    const { text, notes } = await attached(workspace, diff(addressOf(workspace, ""), ...all));
    assert.match(text, /^<diff name="Staged changes">\ndiff --git a\/apps\/shop\/drafts\/a\.ts/);
    assert.deepEqual(notes, [oneHidden]);
  });

  test("is without what the rules keep back of a repository within the folder", async () => {
    const workspace = createFolderWorkspace();
    const all = ["next.md", "plans/other.md"].map(changed);
    const { text, notes } = await attached(workspace, diff(addressOf(workspace, "work/plans"), ...all));
    assert.doesNotMatch(text, /next|other/);
    assert.deepEqual(notes, ["There is nothing in it.", hidden(2)]);
  });

  test("is judged by each of several folders", async () => {
    const workspace = createFolderWorkspace("one", "two");
    const all = ["one/plans/a.md", "two/plans/b.md", "two/c.md"].map(changed);
    const { text, notes } = await attached(workspace, diff(addressOf(workspace, ""), ...all));
    assert.doesNotMatch(text, /[ab]\.md/);
    assert.match(text, /\n\+two\/c\.md\n/);
    assert.deepEqual(notes, [hidden(2)]);
  });

  test("is judged by where the folder and the repository are once links are resolved", async () => {
    const workspace = createFolderWorkspace();
    mkdirSync(join(workspace.root, "real/shop"), { recursive: true });
    symlinkSync(join(workspace.root, "real"), join(workspace.root, "repository"));
    const open = (path: string): FolderWorkspace => ({
      ...workspace,
      roots: [{ folder: "work", path: join(workspace.root, path) }],
    });
    for (const [folder, repository] of [
      ["repository/shop", "real"],
      ["real/shop", "repository"],
    ] as const) {
      const wish = diff(addressOf(workspace, repository), changed("shop/plans/next.md"));
      assert.doesNotMatch((await attached(open(folder), wish)).text, /next/, folder);
    }
  });

  test("is judged under every name of a file, however Git writes it", async () => {
    const workspace = createFolderWorkspace("apps/shop");
    const [plan, other] = ["apps/shop/plans/a.md", "apps/shop/b.md"];
    const quoted = String.raw`"a/apps/shop/pl\303\244ne/\tx.md" "b/apps/shop/pl\303\244ne/\tx.md"`;
    const texts = {
      "renamed away": `diff --git a/${plan} b/${other}\nsimilarity index 90%\nrename from ${plan}\nrename to ${other}\n--- a/${plan}\n+++ b/${other}\n@@ -1 +1 @@\n-old\n+text\n`,
      "renamed to": `diff --git a/${other} b/${plan}\nsimilarity index 90%\nrename from ${other}\nrename to ${plan}\n--- a/${other}\n+++ b/${plan}\n@@ -1 +1 @@\n-old\n+text\n`,
      deleted: `diff --git a/${plan} b/${plan}\ndeleted file mode 100644\n--- a/${plan}\n+++ /dev/null\n@@ -1 +0,0 @@\n-text\n`,
      merged: `diff --cc ${plan}\nindex 1,2..3\n--- a/${plan}\n+++ b/${plan}\n@@@ -1,1 -1,1 +1,1 @@@\n--a\n -b\n++text\n`,
      binary: `diff --git a/${plan} b/${plan}\nindex 1..2 100644\nBinary files a/${plan} and b/${plan} differ\n`,
      quoted: `diff --git ${quoted}\nnew file mode 100644\n--- /dev/null\n+++ ${quoted.split(" ")[1]}\n@@ -0,0 +1 @@\n+text\n`,
      "without prefixes": `diff --git ${plan} ${plan}\n--- ${plan}\n+++ ${plan}\n@@ -1 +1 @@\n-a\n+text\n`,
    };
    for (const [name, text] of Object.entries(texts)) {
      const wish = diff(addressOf(workspace, ""), text);
      const found = await attached(workspace, wish, ["/plans", "/pläne/\tx.md"]);
      assert.deepEqual(found.notes.slice(-1), [oneHidden], name);
      assert.doesNotMatch(found.text, /text|differ/, name);
    }
  });

  test("is refused where Git shows differences with another program, and read where it colours them", async () => {
    const workspace = createFolderWorkspace("apps/shop");
    const root = addressOf(workspace, "");
    const foreign = await attached(
      workspace,
      diff(root, "apps/shop/plans/next.md --- Text\n1 old   1 new\n"),
    );
    assert.equal(foreign.isRefused, true);
    assert.doesNotMatch(foreign.text, /next/);
    assert.match(foreign.notes.join(), /diff\.external/);
    const esc = String.fromCharCode(0x1b);
    const colours = (text: string) => text.replace(/^(?!.{0}$).*$/gm, `${esc}[1m$&${esc}[m`);
    const coloured = [changed("apps/shop/plans/next.md"), changed("apps/shop/b.md")].map(colours);
    const { text, notes } = await attached(workspace, diff(root, ...coloured));
    assert.equal(text, `<diff name="Staged changes">\n${changed("apps/shop/b.md")}[${oneHidden}]\n</diff>`);
    assert.deepEqual(notes, [oneHidden]);
    const mixed = await attached(
      workspace,
      diff(root, changed("apps/shop/b.md"), "nbdiff next.md\n-  a plan\n"),
    );
    assert.doesNotMatch(mixed.text, /nbdiff|a plan/);
    assert.match(mixed.text, /\n\+apps\/shop\/b\.md\n/);
    assert.deepEqual(mixed.notes, [
      "What another program (diff.<driver>.command) writes of single files is left out.",
    ]);
    const submodule = "Submodule lib 1234567..89abcde:\n  > Mend it\n";
    assert.match((await attached(workspace, diff(root, submodule))).text, /Mend it/);
  });
});

test("search results of several folders are judged by the rules of each", async () => {
  const workspace = createFolderWorkspace("one", "two");
  const text = "one/plans/a.md\n  1: kept back\ntwo/b/plans/a.md\n  1: shown";
  const found = await attached(workspace, { kind: "search", name: "Search", text });
  assert.doesNotMatch(found.text, /kept back/);
  assert.match(found.text, /shown/);
  assert.deepEqual(found.notes, [oneHidden]);
});
