// Proves what a packed extension holds: .vscodeignore is a list of what ships, and nothing slips in beside it.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { quietly } from "../support/processes.mjs";

const allowed =
  /^(package(\.nls(\.[\w-]+)?)?\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/\w+\.js|media\/.+)$/;

test("the package holds the manifest, its texts, the built files and media, and nothing else", async () => {
  const said = await quietly(process.execPath, ["node_modules/@vscode/vsce/vsce", "ls", "--no-dependencies"]);
  const files = said.split("\n");
  for (const name of ["package.json", "LICENSE", "dist/extension.js", "dist/service.js", "dist/webview.js"])
    assert.ok(files.includes(name), `${name} is missing`);
  assert.deepEqual(
    files.filter((name) => !allowed.test(name)),
    [],
  );
});
