// What is suggested after `@`: which files, in which order, and what of a workspace is never among them. The editor's
// own search is stood in for by a list that counts how often it was asked.
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createFileSuggestions } from "../../../src/files/file-suggestions.ts";
import type { FileFinder } from "../../../src/files/workspace.ts";
import type { FileName } from "../../../src/patch/model.ts";
import { defaultConversationSettings } from "../../../src/session/session-context.ts";
import { Emitter } from "../../../src/util/emitter.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

interface Known {
  readonly files: Map<string, Set<string>>;
  readonly changed: Emitter<FileName>;
  recent: readonly FileName[];
  heeds: boolean;
  lists: number;
  whileListing: () => void;
  /** A search of this path fails. */
  failing: string | undefined;
}

/** Files of each folder, as the editor finds them; each is on the disk, too. */
function openSuggestions(t: TestContext, files: Readonly<Record<string, readonly string[]>>) {
  const workspace = createFolderWorkspace(...Object.keys(files));
  const known: Known = {
    files: new Map(Object.entries(files).map(([folder, paths]) => [folder, new Set(paths)])),
    changed: new Emitter(),
    recent: [],
    heeds: true,
    lists: 0,
    whileListing: () => {},
    failing: undefined,
  };
  const finder: FileFinder = {
    async find({ folder, path }) {
      if (path === known.failing) throw new Error("The search has failed.");
      if (path === "") {
        known.lists++;
        known.whileListing();
      }
      const all = [...(known.files.get(folder) ?? [])];
      return all.filter((each) => path === "" || each === path || each.startsWith(`${path}/`));
    },
    heedsIgnoreFiles: () => known.heeds,
    onChange: known.changed.on,
    recent: () => known.recent,
  };
  let { privacy } = defaultConversationSettings;
  const suggestions = createFileSuggestions({ workspace, finder, privacy: () => privacy });
  t.after(() => suggestions.dispose());
  const answers = async (query: string) => {
    const all = [];
    for await (const answer of suggestions.suggest(query, new AbortController().signal)) all.push(answer);
    return all;
  };
  return {
    workspace,
    known,
    suggestions,
    answers,
    labels: async (query: string) => (await answers(query)).at(-1)?.items.map(({ label }) => label),
    ignore(...ignore: string[]) {
      privacy = { ...privacy, ignore };
    },
  };
}

test("file suggestions rank starts of names and words first, then letters within names, then folders", async (t) => {
  const paths = [
    "src/cart.ts",
    "src/cart/price.ts",
    "docs/a-cart.md",
    "src/FileSuggestions.ts",
    "lib/offset.ts",
  ];
  const { answers, labels } = openSuggestions(t, { work: paths });
  assert.deepEqual(await labels("cart"), ["src/cart.ts", "src/cart/", "docs/a-cart.md", "src/cart/price.ts"]);
  assert.deepEqual(await labels("scp"), ["src/cart/price.ts"]);
  assert.deepEqual(await labels("fs"), ["src/FileSuggestions.ts", "lib/offset.ts"]);
  assert.deepEqual(await labels("src/pr"), ["src/cart/price.ts"]);
  assert.deepEqual(await labels("CART.T"), ["src/cart.ts", "src/cart/price.ts"]);
  const [folder] = (await answers("src/cart/")).at(-1)?.items ?? [];
  assert.deepEqual(folder?.attachment, { kind: "folder", path: "src/cart" });
});

test("file suggestions highlight whole words and capitals rather than the first letters that fit", async (t) => {
  const { answers } = openSuggestions(t, { work: ["src/deep/offs-FileSuggestions.ts"] });
  const marked = async (query: string) => {
    const [item] = (await answers(query)).at(-1)?.items ?? [];
    return `${item?.matches?.map((at) => item.label[at]).join("")} ${item?.matches?.join()}`;
  };
  assert.equal(await marked("fs"), "FS 14,18");
  assert.equal(await marked("sug"), "Sug 18,19,20");
});

test("file suggestions list the workspace once and follow added and deleted files and folders", async (t) => {
  const { known, labels } = openSuggestions(t, { work: ["a/one.ts", "b/two.ts"] });
  const list = known.files.get("work");
  assert.deepEqual(await labels("one"), ["a/one.ts"]);
  list?.add("a/none.ts");
  known.changed.fire({ folder: "work", path: "a/none.ts" });
  assert.deepEqual(await labels("one"), ["a/one.ts", "a/none.ts"]);
  list?.delete("a/one.ts");
  list?.delete("a/none.ts");
  for (const name of ["one.ts", "none.ts"]) list?.add(`c/${name}`);
  for (const path of ["a", "c"]) known.changed.fire({ folder: "work", path });
  assert.deepEqual(await labels("one"), ["c/one.ts", "c/none.ts"]);
  assert.deepEqual(await labels("a/"), []);
  assert.equal(known.lists, 1);
});

test("file suggestions ask again for a changed file whose search has failed, and show the others", async (t) => {
  const { known, labels } = openSuggestions(t, { work: ["old.ts"] });
  await labels("old");
  for (const path of ["new-1.ts", "new-2.ts"]) {
    known.files.get("work")?.add(path);
    known.changed.fire({ folder: "work", path });
  }
  known.failing = "new-1.ts";
  assert.deepEqual(await labels("new"), ["new-2.ts"]);
  known.failing = undefined;
  assert.deepEqual(await labels("new"), ["new-1.ts", "new-2.ts"]);
  assert.equal(known.lists, 1);
});

test("file suggestions leave out a folder once no file is in it", async (t) => {
  const { known, labels } = openSuggestions(t, { work: ["deep/er/one.ts", "deep/two.ts", "three.ts"] });
  assert.deepEqual(await labels("deep"), ["deep/", "deep/er/", "deep/two.ts", "deep/er/one.ts"]);
  const remove = (path: string) => {
    known.files.get("work")?.delete(path);
    known.changed.fire({ folder: "work", path });
  };
  remove("deep/er/one.ts");
  assert.deepEqual(await labels("deep"), ["deep/", "deep/two.ts"]);
  remove("deep/two.ts");
  assert.deepEqual(await labels("deep"), []);
  known.files.get("work")?.add("deep/er/four.ts");
  known.changed.fire({ folder: "work", path: "deep/er/four.ts" });
  assert.deepEqual(await labels("deep"), ["deep/", "deep/er/", "deep/er/four.ts"]);
});

test("file suggestions apply new rules to recent files before the workspace is listed again", async (t) => {
  const { known, answers, labels, ignore } = openSuggestions(t, { work: ["plan.ts", "other.ts"] });
  known.recent = [{ folder: "work", path: "plan.ts" }];
  assert.deepEqual(await labels("plan"), ["plan.ts"]);
  ignore("plan.ts");
  const found = await answers("plan");
  assert.deepEqual(
    found.map(({ items, isIndexing }) => [isIndexing, items.length]),
    [
      [true, 0],
      [false, 0],
    ],
  );
});

test("file suggestions list the workspace again after many changes, showing known files meanwhile", async (t) => {
  const { known, answers, labels } = openSuggestions(t, { work: ["old.ts"] });
  await labels("old");
  for (let at = 0; at < 300; at++) {
    known.files.get("work")?.add(`new-${at}.ts`);
    known.changed.fire({ folder: "work", path: `new-${at}.ts` });
  }
  const [first, last] = await answers("old");
  assert.deepEqual([first?.isIndexing, first?.items.length, last?.isIndexing], [true, 1, false]);
  assert.deepEqual(await labels("new-299"), ["new-299.ts"]);
  assert.equal(known.lists, 2);
});

test("file suggestions leave out files that are never sent, and apply new rules from the next letter on", async (t) => {
  const paths = [".env", "src/env.ts", "keys/id_rsa", "private/env.md", ".aws/env.txt", "notes/env.md"];
  const { workspace, known, labels, ignore } = openSuggestions(t, { work: paths });
  workspace.write("work/.patchbayignore", "private/\n");
  known.recent = [".env", "private/env.md", "notes/env.md"].map((path) => ({ folder: "work", path }));
  assert.deepEqual(await labels("env"), ["notes/env.md", "src/env.ts"]);
  assert.deepEqual(await labels("rsa"), []);
  ignore("notes");
  assert.deepEqual(await labels("env"), ["src/env.ts"]);
  workspace.write("work/.patchbayignore", "private/\nenv.ts\n");
  known.changed.fire({ folder: "work", path: ".patchbayignore" });
  assert.deepEqual(await labels("env"), []);
});

test("file suggestions leave out what Git ignores, except open files", async (t) => {
  const paths = [".gitignore", "out/a.js", "src/a.js", "src/b.js", "src/.gitignore", "src/kept/a.js"];
  const { workspace, known, labels } = openSuggestions(t, { work: paths });
  workspace.write("work/.gitignore", "/out\n*.js\n");
  workspace.write("work/src/.gitignore", "!b.js\n!kept/\nkept/*\n");
  assert.deepEqual(await labels("js"), ["src/b.js"]);
  known.recent = [{ folder: "work", path: "out/a.js" }];
  assert.deepEqual(await labels("js"), ["out/a.js", "src/b.js"]);
  known.heeds = false;
  known.changed.fire({ folder: "work", path: ".gitignore" });
  assert.equal((await labels("a.js"))?.length, 3);
});

test("file suggestions find a file behind many ignored ones", async (t) => {
  const noise = Array.from({ length: 1500 }, (_, at) => `x${at}.o`);
  const { workspace, labels } = openSuggestions(t, { work: [".gitignore", ...noise, "deep/down/x.one"] });
  workspace.write("work/.gitignore", "*.o\n");
  assert.deepEqual(await labels("x"), ["deep/down/x.one"]);
});

test("file suggestions count no deleted or ignored file among the best when they are asked again", async (t) => {
  const ignored = Array.from({ length: 400 }, (_, at) => `src/page-${at}.log`);
  const deleted = Array.from({ length: 150 }, (_, at) => `src/page-${at}.ts`);
  const paths = [".gitignore", ...ignored, ...deleted, "src/some-longer-name-of-a-page.ts"];
  const { workspace, known, labels } = openSuggestions(t, { work: paths });
  workspace.write("work/.gitignore", "*.log\n");
  assert.equal((await labels("page"))?.length, 50);
  for (const path of deleted) {
    known.files.get("work")?.delete(path);
    known.changed.fire({ folder: "work", path });
  }
  assert.deepEqual(await labels("page"), ["src/some-longer-name-of-a-page.ts"]);
  assert.deepEqual(await labels("pag"), ["src/some-longer-name-of-a-page.ts"]);
});

test("file suggestions apply rules that change while the workspace is being listed", async (t) => {
  const { workspace, known, labels } = openSuggestions(t, { work: ["a/plan.ts", "b/plan.ts"] });
  known.whileListing = () => {
    known.whileListing = () => {};
    workspace.write("work/.patchbayignore", "b/\n");
    known.changed.fire({ folder: "work", path: ".patchbayignore" });
  };
  assert.deepEqual(await labels("plan"), ["a/plan.ts"]);
  assert.equal(known.lists, 2);
});

test("file suggestions show recent files at once, and rank an exact name before them", async (t) => {
  const { known, answers } = openSuggestions(t, { work: ["cart.ts", "src/shopping-cart.ts"] });
  known.recent = [{ folder: "work", path: "src/shopping-cart.ts" }];
  const found = (await answers("cart")).map(({ items, isIndexing }) => [
    isIndexing,
    ...items.map(({ label }) => label),
  ]);
  assert.deepEqual(found, [
    [true, "src/shopping-cart.ts"],
    [false, "cart.ts", "src/shopping-cart.ts"],
  ]);
});

test("file suggestions do not rank an open file above much better matches", async (t) => {
  const paths = ["radio-button.ts", "buttons/index.ts", "button-row.ts", "big-utton.ts", "b/u/t/t/on.ts"];
  const { known, labels } = openSuggestions(t, { work: paths });
  known.recent = [{ folder: "work", path: "b/u/t/t/on.ts" }];
  const found = await labels("button");
  assert.deepEqual(found?.slice(0, 3), ["buttons/", "button-row.ts", "radio-button.ts"]);
  assert.equal(found?.at(-1), "b/u/t/t/on.ts");
  known.recent = [{ folder: "work", path: "radio-button.ts" }];
  assert.equal((await labels("ton"))?.[0], "radio-button.ts");
});

test("file suggestions put a file before the folder of its name, and sort numbers in names by value", async (t) => {
  const paths = ["src/cart/m10.ts", "src/cart/m2.ts", "src/cart/m1.ts", "src/cart.ts"];
  const { labels } = openSuggestions(t, { work: paths });
  for (const typed of ["ca", "cart"])
    assert.deepEqual((await labels(typed))?.slice(0, 2), ["src/cart.ts", "src/cart/"], typed);
  assert.deepEqual(await labels("m"), ["src/cart/m1.ts", "src/cart/m2.ts", "src/cart/m10.ts"]);
});

test("file suggestions show a linked file once, by its own name, and no file that reading would refuse", async (t) => {
  const paths = ["src/cart.ts", "linked/cart.ts", "cart-too.ts", "out/cart.ts", "cart-out.ts", "cart-of.ts"];
  const { workspace, known, labels } = openSuggestions(t, { work: paths });
  const place = (path: string) => join(workspace.root, path);
  workspace.write("work/src/cart.ts", "x");
  workspace.write("work/ignored/cart.ts", "x");
  workspace.write("elsewhere/cart.ts", "x");
  symlinkSync(place("work/src"), place("work/linked"));
  symlinkSync(place("work/src/cart.ts"), place("work/cart-too.ts"));
  symlinkSync(place("elsewhere"), place("work/out"));
  symlinkSync(place("elsewhere/cart.ts"), place("work/cart-out.ts"));
  // What it leads to is in no list: it is the only way.
  symlinkSync(place("work/ignored/cart.ts"), place("work/cart-of.ts"));
  assert.deepEqual(await labels("cart"), ["src/cart.ts", "cart-of.ts"]);
  assert.deepEqual(await labels("linked"), []);
  known.recent = [{ folder: "work", path: "out/cart.ts" }];
  assert.deepEqual(await labels("cart"), ["src/cart.ts", "cart-of.ts"]);
});

test("file suggestions begin with the folder's name in a workspace of several folders", async (t) => {
  const { labels } = openSuggestions(t, { app: ["main.ts"], lib: ["main.ts", "b/main.ts"] });
  assert.deepEqual(await labels("main"), ["app/main.ts", "lib/main.ts", "lib/b/main.ts"]);
});

test("file suggestions walk a folder that the editor cannot search, without files that are never sent", async (t) => {
  const { workspace, labels } = openSuggestions(t, { work: [] });
  for (const path of ["src/cart.ts", ".env.cart", "node_modules/cart.js"])
    workspace.write(`work/${path}`, "x");
  assert.deepEqual(await labels("cart"), ["src/cart.ts"]);
});

test("file suggestions reach each of 60,000 files, and an abort ends the ranking", async (t) => {
  const paths = Array.from({ length: 60_000 }, (_, at) => `packages/p${at % 2000}/src/module${at}.ts`);
  const { suggestions, labels } = openSuggestions(t, { work: paths });
  assert.deepEqual(await labels("module59999"), ["packages/p1999/src/module59999.ts"]);
  assert.deepEqual(await labels("p7/module40007"), ["packages/p7/src/module40007.ts"]);
  const ending = new AbortController();
  const next = suggestions.suggest("m", ending.signal).next();
  ending.abort();
  await assert.rejects(next, { name: "AbortError" });
});
