// The README describes what is there: its tables name every room, every command and every picture.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { readmeAsItShouldBe } from "../support/settings-table.mjs";

const readme = readFileSync("README.md", "utf8");
const named = new Set([...readme.matchAll(/`((?:src|test)[\w./-]*)`/g)].map(([, path = ""]) => path));

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

test("every room of src and of test is named", () => {
  const tests = readdirSync("test", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `test/${name}`);
  assert.deepEqual(
    [...foldersIn("src"), ...tests].filter((folder) => !named.has(folder)),
    [],
    "the table below “How it is built” has no row for them",
  );
});

test("every npm script is in the table of commands, and every command there is a script", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const commands = [...readme.matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name]) => name);
  assert.deepEqual(commands.toSorted(), Object.keys(scripts).toSorted());
});

test("the table of settings is that of package.json (node test/support/settings-table.mjs writes it)", () => {
  assert.equal(readme, readmeAsItShouldBe());
});

test("every picture is there and small", () => {
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  assert.ok(pictures.length > 0);
  for (const path of pictures) assert.ok(statSync(path).size <= 100 * 1024, `${path} is large`);
});

test("every file that src/README.md names is there", () => {
  const inside = readFileSync("src/README.md", "utf8");
  const paths = [...inside.matchAll(/\b(?:core|webview|bridge|shell)\/[\w/-]+\.ts\b/g)].map(([path]) => path);
  assert.ok(paths.length > 20);
  assert.deepEqual(
    paths.filter((path) => !existsSync(`src/${path}`)),
    [],
  );
});
