import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Refusal } from "../../../src/files/refusal.ts";
import { listFiles } from "../../../src/tools/internal/list-files.ts";
import { readFile } from "../../../src/tools/internal/read-file.ts";
import { searchText } from "../../../src/tools/internal/search-text.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { refuses, use } from "./use-tool.ts";

describe("a path that does not exist", () => {
  const near = async (path: string, ...there: readonly string[]) => {
    const workspace = createFolderWorkspace();
    for (const each of there) workspace.write(`work/${each}`, "");
    const reading = use(workspace, { ignore: ["hush*"], alsoIgnore: [] })(readFile, { path });
    const error = await reading.catch((error: unknown) => error);
    assert.ok(error instanceof Refusal, String(error));
    return error.message;
  };

  test("is answered with files of the same name, of another ending, and of a few other letters", async () => {
    const there = ["src/price.ts", "lib/prices.ts", "lib/deep/price.js", "src/pricey.ts", "src/other.ts"];
    assert.equal(
      await near("src/prices.ts", ...there),
      'There is no "src/prices.ts". Did you mean lib/prices.ts, src/price.ts, src/pricey.ts, lib/deep/price.js?',
    );
  });

  test("is answered with names that share most of their parts, not with a short part of it", async () => {
    const there = ["lib/option.js", "tests/args.variadic.test.js", "tests/help.test.js", "docs/variadic.md"];
    assert.equal(
      await near("tests/options.variadic.test.js", ...there),
      'There is no "tests/options.variadic.test.js". Did you mean tests/args.variadic.test.js?',
    );
  });

  test("is answered with at most five names, those in its own folders first", async () => {
    const there = ["a", "b", "c", "d", "e", "src/f"].map((folder) => `${folder}/index.ts`);
    assert.equal(
      await near("src/x/index.ts", ...there),
      'There is no "src/x/index.ts". Did you mean src/f/index.ts, a/index.ts, b/index.ts, c/index.ts, d/index.ts?',
    );
  });

  test("is not answered with files that are never sent, or with names that nobody would take for it", async () => {
    assert.equal(await near("hush.ts", "lib/hush.ts", "hull.md", "a/b"), 'There is no "hush.ts".');
  });

  test("is answered in the same way by search_text", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/src/price.ts", "");
    const found = use(workspace)(searchText, { query: "x", path: "price.ts" });
    await refuses(found, /There is no "price\.ts"\. Did you mean src\/price\.ts\?/);
  });

  test("is answered with folders by list_files, also in another folder of the workspace", async () => {
    const workspace = createFolderWorkspace("app", "docs");
    workspace.write("docs/guide/images/a.png", "");
    workspace.write("app/image.ts", "");
    const found = use(workspace)(listFiles, { path: "app/image" });
    await refuses(found, /There is no "app\/image"\. Did you mean docs\/guide\/images\?/);
  });
});
