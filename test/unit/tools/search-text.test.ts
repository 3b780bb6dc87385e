// What search_text finds, how it cuts it, and what it shows around it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { searchText } from "../../../src/tools/internal/search-text.ts";
import { callContext } from "../../support/call-context.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { never, noRules, refuses, use } from "./use-tool.ts";

test("search_text finds lines regardless of case unless case_sensitive is set", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const Alpha = 1;\nconst beta = 2;\n");
  workspace.write("work/b/c.md", "about alpha\r\n");
  const run = use(workspace);
  assert.equal(
    await run(searchText, { query: "alpha" }),
    "a.ts\n1:const Alpha = 1;\n\nb/c.md\n1:about alpha",
  );
  assert.equal(await run(searchText, { query: "alpha", case_sensitive: true }), "b/c.md\n1:about alpha");
  assert.equal(await run(searchText, { query: "alpha", pattern: "*.ts" }), "a.ts\n1:const Alpha = 1;");
  assert.equal(await run(searchText, { query: "alpha", path: "b" }), "b/c.md\n1:about alpha");
  assert.equal(await run(searchText, { query: "a.pha" }), "No matches.");
  assert.equal(
    await run(searchText, { query: "^const \\w+ = \\d;$", regex: true }),
    "a.ts\n1:const Alpha = 1;\n2:const beta = 2;",
  );
  assert.equal(await run(searchText, { query: "be\\-?ta", regex: true }), "a.ts\n2:const beta = 2;");
  await refuses(run(searchText, { query: "(", regex: true }), /not a regular expression/);
  await refuses(run(searchText, { query: "" }), /empty/);
});

test("search_text cuts many matches and counts the rest", async () => {
  const workspace = createFolderWorkspace();
  for (let index = 0; index < 20; index++) workspace.write(`work/f${index}`, "hit\n".repeat(100));
  for (let index = 0; index < 40; index++) workspace.write(`work/g${index}`, "hit\n".repeat(index + 1));
  const files = guardFiles(workspace, () => noRules);
  const search = searchText.prepare('{"query":"hit"}');
  const { output, message } = await search.run(callContext(files), never);
  const [first = "", ...others] = output.split("\n\n");
  assert.equal(first, "f0\n1:hit\n[99 more matches]");
  assert.equal(others.length, 60);
  assert.equal(others.at(-1), "[To see more: name one of the files as path, or a more exact query.]");
  assert.ok(others.includes("g39\n1:hit\n[39 more matches]"));
  assert.equal(english(message), "2820 matches in 60 files");
});

test("search_text shows a match of each alternative before further ones of the same", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", `${"alpha();\n".repeat(300)}no\nBeta(1);\nno\nbeta(2);\n`);
  const files = guardFiles(workspace, () => noRules);
  const search = async (query: string, more = {}) =>
    (await searchText.prepare(JSON.stringify({ query, regex: true, ...more })).run(callContext(files), never))
      .output;
  const one = await search("alpha|beta");
  assert.match(
    one,
    /^a\.ts \(304 lines\)\n1:alpha\(\);\n.*\n49:alpha\(\);\n302:Beta\(1\);\n\[252 more matches\]/s,
  );
  assert.match(one, /\n\[To see more: name a more exact query\.\]$/);
  assert.match(
    await search("alpha|beta", { context: 1 }),
    /\n49:alpha\(\);\n--\n301-no\n302:Beta\(1\);\n303-no\n\[252 more/,
  );
  assert.match(
    await search("(?:alpha)"),
    /\n50:alpha\(\);\n\[250 more matches\].*read on from line 51\.\]$/s,
  );
  // Where each file shows a single match, what other files have shown comes last.
  for (let at = 0; at < 60; at++)
    workspace.write(`work/b${at}`, `alpha\nbeta ${at}\n${"alpha\n".repeat(20)}`);
  assert.match(await search("alpha|beta"), /\n\nb0\n2:beta 0\n/);
});

test("search_text shows more matches per file for fewer files, and only counts some of very many files", async () => {
  const search = async (files: number, lines: number) => {
    const workspace = createFolderWorkspace();
    for (let index = 0; index < files; index++) workspace.write(`work/f${index}`, "hit\n".repeat(lines));
    const output = await use(workspace)(searchText, { query: "hit" });
    return output.replace(/\n+\[To see more: .*\]$/, "").split("\n\n");
  };
  const shownIn = (block = "") => block.match(/^\d+:hit$/gm)?.length;
  assert.deepEqual((await search(1, 70)).map(shownIn), [50]);
  assert.deepEqual((await search(4, 45)).map(shownIn), [20, 20, 20, 20]);
  assert.deepEqual((await search(9, 25)).map(shownIn), Array(9).fill(8));
  assert.deepEqual((await search(30, 25)).map(shownIn), Array(30).fill(3));
  const [said, ...counts] = (await search(150, 3)).at(-1)?.split("\n") ?? [];
  assert.equal(said, "[No room for the lines of 40 files. How many match in each:]");
  assert.equal(counts.length, 41);
  assert.match(counts[0] ?? "", /^f\d+: 3$/);
  assert.equal(counts.at(-1), "[There are more; name a folder or a pattern.]");
});

test("search_text searches a named file alone, also one ignored by Git, but no secret one", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/.gitignore", "out/\n");
  workspace.write("work/src/a.ts", "needle\nhay\nneedle\n");
  workspace.write("work/src/b.ts", "needle\n");
  workspace.write("work/out/c.js", "needle\n");
  workspace.write("work/.env", "needle\n");
  const run = use(workspace);
  const search = (path: string) => run(searchText, { query: "needle", path });
  assert.equal(await search("src/a.ts"), "src/a.ts\n1:needle\n3:needle");
  assert.equal(await search("out/c.js"), "out/c.js\n1:needle");
  assert.equal(await run(searchText, { query: "else", path: "src/a.ts" }), "No matches.");
  await refuses(search(".env"), /never sent/);
  await refuses(search("src/none.ts"), /./);
});

describe("search_text", () => {
  test("shows lines around a match once, marked, with gaps between them", async () => {
    const workspace = createFolderWorkspace();
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
    for (const at of [0, 3, 20]) lines[at] = `needle ${at + 1}`;
    lines[21] = `long ${"x".repeat(700)}`;
    workspace.write("work/a.ts", `${lines.join("\n")}\n`);
    const run = use(workspace);
    assert.equal(
      await run(searchText, { query: "needle", context: 2 }),
      [
        "a.ts",
        ...["1:needle 1", "2-line 2", "3-line 3", "4:needle 4", "5-line 5", "6-line 6", "--"],
        ...["19-line 19", "20-line 20", "21:needle 21", `22-long ${"x".repeat(595)} [105 more characters]`],
        "23-line 23",
        "",
        "[Long lines are cut, as they say.]",
      ].join("\n"),
    );
    workspace.write("work/a.ts", `needle ${"x".repeat(593)}\n`);
    assert.equal(
      await run(searchText, { query: "needle" }),
      `a.ts\n1:needle ${"x".repeat(593)}`,
      "600 whole",
    );
    for (const context of [-1, 1.5])
      assert.throws(
        () => searchText.prepare(JSON.stringify({ query: "needle", context })),
        /context: must be/,
      );
  });

  test("omits empty lines at the edges of the context", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "\none\n\nneedle\n\ntwo\n\n");
    const output = await use(workspace)(searchText, { query: "needle", context: 3 });
    assert.equal(output, "a.ts\n2-one\n3-\n4:needle\n5-\n6-two");
  });

  test("treats a query as a regular expression when it matches nowhere literally, and says so", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "one\nx(|y\n");
    const run = use(workspace);
    const said = (query: string) => run(searchText, { query });
    const hint = /\n\n\[No line holds the query as it stands; .* Set regex: true for that\.\]$/;
    for (const query of ["one|two", "o.*e"]) {
      const output = await said(query);
      assert.ok(output.startsWith("a.ts\n1:one\n\n"), output);
      assert.match(output, hint);
    }
    assert.match(await said("two|three"), hint);
    // What stands there as it was written, and what is no expression, is searched for by its letters.
    assert.equal(await said("(|y"), "a.ts\n2:x(|y");
    assert.equal(await said("(|z"), "No matches.");
    for (const asked of [{ query: "two" }, { query: "a|b", regex: true }])
      assert.equal(await run(searchText, asked), "No matches.");
  });

  test("shows the declaration of a name before imports and comments", async () => {
    const workspace = createFolderWorkspace();
    const uses = "// area\nimport { area } from 'x';\nuse(area);\n".repeat(8);
    workspace.write("work/a.ts", `${uses}export function area() {}\n`);
    for (let file = 0; file < 30; file++) workspace.write(`work/b${file}.ts`, uses);
    const output = await use(workspace)(searchText, { query: "area" });
    assert.match(output, /^a\.ts\n(?:\d+:use\(area\);\n)*25:export function area\(\) \{\}\n\[/);
    assert.doesNotMatch(output, /import/);
  });

  test("ends the context of the last match before the next matching line", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", `${"hit\n".repeat(49)}last hit\nno\nhit one more\nno\n`);
    const output = await use(workspace)(searchText, { query: "hit", context: 3 });
    assert.match(
      output,
      /\n49:hit\n50:last hit\n51-no\n\[1 more match\]\n\n\[To see more: name a more exact query, or read on from line 52\.\]$/,
    );
  });

  test("removes secrets from the context of a match", async () => {
    const workspace = createFolderWorkspace();
    const key = [
      "-----BEGIN RSA PRIVATE KEY-----",
      ...Array(40).fill("canary".repeat(10)),
      "-----END RSA PRIVATE KEY-----",
    ];
    workspace.write(
      "work/a.ts",
      ["needle", ...key, "needle", `const token = "ghp_${"a1B2".repeat(9)}";`].join("\n"),
    );
    const output = await use(workspace)(searchText, { query: "needle", context: 10 });
    assert.match(output, /^a\.ts\n1:needle\n2-\[secret removed\]\n/);
    assert.match(output, /\n43-\[secret removed\]\n44:needle\n45-const token = "\[secret removed\]";$/);
    assert.doesNotMatch(output, /canary|ghp_/);
  });
});
