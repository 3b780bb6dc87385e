// The documents describe what is there: every room, every command, every setting and every picture, and the README is short.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { allAsItShouldBe, inTheReadme, readmeAsItShouldBe } from "../support/settings-table.mjs";

const documents = ["README.md", "src/README.md", "test/README.md", "test/bench/README.md"];
const readme = readFileSync("README.md", "utf8");
const inside = readFileSync("src/README.md", "utf8");
const tests = readFileSync("test/README.md", "utf8");

const foldersIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
const named = (text: string) =>
  new Set([...text.matchAll(/`((?:src|test)[\w./-]*)`/g)].map(([, path = ""]) => path));

test("every room of src is named in src/README.md, every kind of test in test/README.md", () => {
  const missing = (folders: string[], text: string) => folders.filter((folder) => !named(text).has(folder));
  assert.deepEqual(missing(foldersIn("src", true), inside), []);
  assert.deepEqual(missing(foldersIn("test", false), tests), []);
});

test("every npm script is in the table of commands, and every command there is a script", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const commands = [...inside.matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name]) => name);
  assert.deepEqual(commands.toSorted(), Object.keys(scripts).toSorted());
});

test("the README's two commands start the extension and its tests, and CI runs the latter", () => {
  const commands = [...readme.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command]) => command);
  assert.deepEqual(commands, ["npm start", "npm test"]);
  assert.match(readFileSync(".ci/run", "utf8"), /^PATCHBAY_ALL=1 npm test$/m);
});

test("the README is a page of the product: at most a screen before “Try it”, at most 15 settings", () => {
  const prose = readme
    .slice(0, readme.indexOf("## Try it"))
    .split("\n")
    .filter((line) => !line.startsWith("|"));
  assert.ok(prose.join("\n").length < 1_000, "“Try it” has to be in sight");
  assert.ok(readme.split("\n").length < 150);
  assert.ok(inTheReadme.length <= 15);
});

test("the tables of settings are those of package.json (node test/support/settings-table.mjs writes them)", () => {
  assert.equal(readme, readmeAsItShouldBe());
  assert.equal(readFileSync("src/SETTINGS.md", "utf8"), allAsItShouldBe());
});

test("every bench has its place in the table of figures", () => {
  const figures = readFileSync("test/bench/README.md", "utf8");
  const benches = readdirSync("test/bench").flatMap((file) => /^(.*)\.bench\.ts$/.exec(file)?.[1] ?? []);
  assert.ok(benches.length > 5);
  assert.deepEqual(
    benches.filter((name) => !figures.includes(`\`${name}\``)),
    [],
  );
});

test("every picture is there and small, and every link within the repository leads somewhere", () => {
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  assert.ok(pictures.length >= 3);
  for (const path of pictures) assert.ok(statSync(path).size <= 100 * 1024, `${path} is large`);
  for (const document of documents)
    for (const [, link = ""] of readFileSync(document, "utf8").matchAll(/\]\(([^)]+)\)/g)) {
      if (link.startsWith("https://")) continue;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? document : join(dirname(document), path);
      assert.ok(existsSync(target), `${document} links to ${link}`);
      if (anchor !== undefined) assert.ok(headings(target).includes(anchor), `${target} lacks #${anchor}`);
    }
});

const headings = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );

test("every file that src/README.md names is there", () => {
  const paths = [...inside.matchAll(/\b(?:core|webview|bridge|shell)\/[\w/-]+\.ts\b/g)].map(([path]) => path);
  assert.ok(paths.length > 20);
  assert.deepEqual(
    paths.filter((path) => !existsSync(`src/${path}`)),
    [],
  );
});
