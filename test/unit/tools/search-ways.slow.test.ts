import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import { noWorkspace, type Workspace } from "../../../src/files/workspace.ts";
import { listFiles } from "../../../src/tools/internal/list-files.ts";
import { searchFiles, searchText } from "../../../src/tools/internal/search-text.ts";
import { createPattern, mayHold } from "../../../src/tools/ripgrep.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { ripgrep } from "../../support/ripgrep.ts";
import {
  canary,
  makeSearchFolder,
  nameOfCase,
  type SearchCase,
  searchCases,
  smallOnly,
} from "../../support/search-cases.ts";
import { withDisk } from "../../support/with-disk.ts";

const never = new AbortController().signal;
const workspace = createFolderWorkspace();
const typed = [{ folder: "work", path: "deep/one.js" }];

before(() => {
  makeSearchFolder(join(workspace.root, "work"));
  workspace.type({ folder: "work", path: "deep/one.js" }, "typed alpha(1);\nzzz\n");
});

async function answer(world: Workspace, input: SearchCase): Promise<string> {
  const files = guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));
  const prepared = searchText.prepare(JSON.stringify(input));
  try {
    return (await prepared.run(callContext(files), never)).output;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error.message;
  }
}

test("search_text finds the same lines on the disk and through the editor", async () => {
  const disk = withDisk(workspace, typed);
  for (const each of searchCases) {
    const [quick, slow] = [await answer(disk, each), await answer(workspace, each)];
    assert.equal(smallOnly(quick), smallOnly(slow), nameOfCase(each));
    for (const text of [quick, slow])
      assert.ok(!text.includes(canary) || each.query === canary, nameOfCase(each));
  }
  const guarded = /\.env|\.pem|\.ssh|private|hush|outside|big\.bin|\.git\//;
  assert.deepEqual(
    workspace.handedOut.filter((path) => guarded.test(path)),
    [],
  );
});

test("search_text finds every allowed file, nearest first, and no other", async () => {
  const output = await answer(withDisk(workspace, typed), { query: "alpha" });
  const paths = output.split("\n\n").flatMap((block) => /^([^\n[]+)\n\d+:/.exec(block)?.[1] ?? []);
  assert.deepEqual(
    [...new Set(paths)],
    [
      ...[
        "-e",
        ".hidden.yml",
        "a.ts",
        "b.md",
        "emoji.txt",
        "keep.log",
        "keys.ts",
        "large.txt",
        "latin.txt",
        "mac.txt",
      ],
      ...["marked.txt", "mixed.txt", "name with blanks.txt", "note.ipynb", "only-here.txt", "ünï.txt"],
      ...[
        "crowd/many.txt",
        "deep/one.js",
        "min/bundle.js",
        "sub/again.log",
        "sub/top.txt",
        "deep/er/and/deeper/x.js",
      ],
    ],
  );
  assert.match(output, /^deep\/one\.js\n1:typed alpha/m, "as it is typed");
  assert.match(output, /^large\.txt\n100004:alpha in the large one, \[secret removed\]/m);
  assert.match(output, /^crowd\/many\.txt\n(?:\d+:alpha crowd\n){50}\[10 more matches\]/m);
});

test("search_text finds what is in the cells of a notebook, in one look through the disk", async () => {
  const folder = createFolderWorkspace();
  const source = 'print("été")';
  const cell = { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source };
  folder.write("work/Cells.IPYNB", JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4 }));
  folder.write("work/a.ts", `${source}\n`);
  folder.write("work/b.ts", "no match\n");
  // As the editor reads it.
  folder.type({ folder: "work", path: "Cells.IPYNB" }, `${source}\n`);
  let looks = 0;
  const found: string[] = [];
  const disk = withDisk(folder, [], (place, query, take) => {
    looks++;
    const note = (paths: readonly string[]) => {
      found.push(...paths);
      take(paths);
    };
    return mayHold(ripgrep, place, query, note);
  });
  const query = 'print("é';
  assert.equal(await answer(disk, { query }), `Cells.IPYNB\n1:${source}\n\na.ts\n1:${source}`);
  assert.deepEqual([looks, found.toSorted()], [1, ["Cells.IPYNB", "a.ts"]]);
  found.length = 0;
  await answer(disk, { query, pattern: "*.ts" });
  assert.deepEqual([looks, found], [2, ["a.ts"]]);
});

test("search_text reports a file that is too large when only the editor reads", async () => {
  assert.match(
    await answer(workspace, { query: "zzz" }),
    /\[Larger than 5 MB and not searched: 2 files \(big\.bin, …\)\.\]/,
  );
});

test("list_files lists the current files after a change", async () => {
  const disk = withDisk(workspace, typed);
  const files = guardFiles(disk, () => ({ ignore: [], alsoIgnore: [] }));
  const list = async () => (await listFiles.prepare("{}").run(callContext(files), never)).output;
  const first = await list();
  assert.equal(await list(), first);
  workspace.write("work/deep/new.js", "");
  workspace.write("work/sub/.gitignore", "");
  const now = await list();
  assert.match(now, /deep\/new\.js/);
  assert.match(now, /sub\/only-here\.txt/);
  assert.doesNotMatch(now, /again\.log/);
});

test("search_text ends at once when it is stopped", async () => {
  const stopping = new AbortController();
  const files = guardFiles(
    withDisk(workspace, [], () => {
      stopping.abort();
      return new Promise(() => {});
    }),
    () => ({ ignore: [], alsoIgnore: [] }),
  );
  const run = searchText.prepare('{"query":"alpha"}').run(callContext(files), stopping.signal);
  await assert.rejects(run, { name: "AbortError" });
});

test("search_text says that there is no ripgrep, and what ripgrep does not understand", async () => {
  const files = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
  const prepared = searchText.prepare('{"query":"alpha"}');
  await assert.rejects(
    prepared.run({ ...callContext(files), workspace: noWorkspace }, never),
    /^Refusal: Text can't be searched for here: VS Code's ripgrep was not found\.$/,
  );
  for (const world of [workspace, withDisk(workspace)])
    for (const [query, why] of [
      ["(", "unclosed group"],
      ["(?=a)", "look-around, including look-ahead and look-behind, is not supported"],
      ["(a)\\1", "backreferences are not supported"],
      ["a\\nb", 'the literal "\\n" is not allowed in a regex'],
      ["[z-a]", "invalid character class range, the start must be <= the end"],
    ] as const)
      assert.equal(
        await answer(world, { query, regex: true }),
        `"${query}" is not a regular expression that ripgrep understands: ${why}.`,
      );
  assert.match(await answer(workspace, { query: "a\nb" }), /several lines/);
});

test("searchFiles returns the matches found before its time limit and reports unread files", async () => {
  const [enough, due] = [new AbortController(), new AbortController()];
  const files = guardFiles(
    withDisk(workspace, [], (_place, { signal }, take) => {
      take(["a.ts", "b.md"]);
      enough.abort();
      return Promise.reject(signal.reason);
    }),
    () => ({ ignore: [], alsoIgnore: [] }),
  );
  const wanted = { pattern: undefined, context: 0, fits: () => true };
  const late = { signal: never, enough: enough.signal, due: due.signal };
  const search = async () => {
    const lines = createPattern("alpha", { regex: false, caseSensitive: true });
    const asked = { ...wanted, program: ripgrep, lines, time: late };
    return (await searchFiles(files, undefined, asked)).output;
  };
  assert.match(
    await search(),
    /^a\.ts\n1:const alpha[\s\S]*b\.md\n1:about alpha\n4:last alpha\n\n\[Not every file was looked into:/,
  );
  due.abort();
  assert.match(await search(), /^No matches\.[\s\S]*2 files that may hold matches were not read/);
});

const listing = async (world: Workspace, pattern: string): Promise<string> => {
  const files = guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));
  return (await listFiles.prepare(JSON.stringify({ pattern })).run(callContext(files), never)).output;
};

const listed = async (world: Workspace, pattern: string): Promise<readonly string[]> =>
  (await listing(world, pattern)).split("\n").filter((line) => !line.startsWith("["));

test("list_files lists the same names through the walk and through a program", async () => {
  const all = readdirSync(join(workspace.root, "work"), { recursive: true }).map(String);
  const disk = withDisk(workspace, typed, async (_, query, take) => {
    assert.equal(query.pattern, undefined);
    take(all);
    return true;
  });
  for (const pattern of ["*.js", "one.js", "deep/**", "/deep/*.js", "*.{js,md}", "o?e.*", "*.none", "*"])
    assert.deepEqual(await listed(disk, pattern), await listed(workspace, pattern), pattern);
});

test("search_text and list_files find a file that is only proposed", async () => {
  const file = { folder: "work", path: "deep/proposed.js" };
  const disk = withDisk(workspace, [], async () => true);
  const state = { file, text: "a hare of a proposal\n" };
  const { workspace: overlaid } = await overlayOn(disk, { overlaid: async () => [[file, state]] });
  assert.match(await answer(overlaid, { query: "hare of a" }), /^deep\/proposed\.js\n1:/);
  assert.deepEqual(await listed(overlaid, "proposed.*"), ["deep/proposed.js"]);
});

test("search_text mentions skipped secret files only when it finds nothing", async () => {
  const disk = withDisk(workspace, [], async (_, __, take) => {
    take(["a.ts"]);
    return true;
  });
  const note = /never sent were not searched/;
  assert.doesNotMatch(await answer(disk, { query: "alpha" }), note);
  assert.match(await answer(disk, { query: "nowhere to be found" }), note);
});

test("search_text and list_files mention files that are never sent only where there may be some", async () => {
  const plain = createFolderWorkspace();
  for (const path of [".git/config", "src/a.ts", "src/b.ts", "api/deep/a.ts"])
    plain.write(`work/${path}`, "alpha");
  const disk = withDisk(plain);
  const nothing = { query: "nowhere" };
  const note = /never sent were not searched/;
  assert.equal(await answer(disk, nothing), "No matches.");
  assert.equal(await listing(disk, "*.none"), "No files.");
  plain.write("work/api/deep/.env", "nowhere");
  assert.match(await answer(disk, nothing), note);
  assert.match(await listing(disk, "*.none"), /never sent is not shown/);
  assert.equal(await answer(disk, { ...nothing, path: "src" }), "No matches.");
  // Git ignores it, so that no program lists it.
  plain.write("work/src/.gitignore", ".env");
  plain.write("work/src/.env", "nowhere");
  assert.match(await answer(disk, { ...nothing, path: "src" }), note);
});
