// The documents describe what is there: every room, every command, every setting and every picture, and the README is short.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { allSettings } from "../../src/editor/settings/all-settings.ts";

const documents = [
  "README.md",
  ".github/CONTRIBUTING.md",
  "src/README.md",
  "test/README.md",
  "test/bench/README.md",
];
const readme = readFileSync("README.md", "utf8");
const inside = readFileSync("src/README.md", "utf8");
const tests = readFileSync("test/README.md", "utf8");
const contributing = readFileSync(".github/CONTRIBUTING.md", "utf8");

const foldersIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
const named = (text: string) =>
  new Set([...text.matchAll(/`((?:src|test)[\w./-]*)`/g)].map(([, path = ""]) => path));

/** A room's own files and its part in VS Code lie in folders of the same names in every room. */
const isRoom = (folder: string) => !/^src\/.+\/(?:internal|editor)\b/.test(folder);

test("src/README.md names every room of src, and test/README.md every folder of test", () => {
  const missing = (folders: string[], text: string) => folders.filter((folder) => !named(text).has(folder));
  assert.deepEqual(missing(foldersIn("src", true).filter(isRoom), inside), []);
  assert.deepEqual(missing(foldersIn("test", false), tests), []);
});

test("src/README.md names every door of the rooms and of the parts of the editor", () => {
  const withInternal = foldersIn("src", false).filter((room) => existsSync(`${room}/internal`));
  const rooms = [...withInternal, ...foldersIn("src/editor", false)];
  assert.ok(rooms.length > 25);
  const missing = rooms.flatMap((room) => {
    const row = inside.split("\n").find((line) => line.startsWith(`| \`${room}\``)) ?? "";
    const doors = readdirSync(room).filter((file) => file.endsWith(".ts"));
    return doors.filter((door) => !row.includes(`\`${door.slice(0, -3)}\``)).map((door) => `${room}/${door}`);
  });
  assert.deepEqual(missing, []);
});

test("the table of commands lists exactly the npm scripts", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const commands = new Set(
    [...contributing.matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name]) => name),
  );
  assert.deepEqual([...commands].toSorted(), Object.keys(scripts).toSorted());
});

test("the README starts the extension and its tests with two commands, and CI runs the tests", () => {
  const commands = [...readme.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command]) => command);
  assert.deepEqual(commands, ["npm start", "npm test"]);
  assert.match(readFileSync(".ci/run", "utf8"), /^PATCHBAY_ALL=1 npm test$/m);
});

test("the README has at most a screen before “Try it”, 2,200 words and 15 settings", () => {
  const prose = readme
    .slice(0, readme.indexOf("## Try it"))
    .split("\n")
    .filter((line) => !line.startsWith("|"));
  assert.ok(prose.join("\n").length < 1_000, "“Try it” has to be in sight");
  assert.ok(readme.split(/\s+/).length < 2_200);
  const inReadme = [...allSettings.values()].filter(({ isInReadme }) => isInReadme);
  assert.ok(inReadme.length > 5 && inReadme.length <= 15);
});

test("the table of figures lists every bench", () => {
  const figures = readFileSync("test/bench/README.md", "utf8");
  const benches = readdirSync("test/bench").flatMap((file) => /^(.*)\.bench\.ts$/.exec(file)?.[1] ?? []);
  assert.ok(benches.length > 5);
  assert.deepEqual(
    benches.filter((name) => !figures.includes(`\`${name}\``)),
    [],
  );
});

test("every image of the README is small, and every link within the repository is valid", () => {
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  assert.ok(pictures.length >= 3);
  for (const path of pictures) {
    // The one that moves.
    const most = path.endsWith("/story.png") ? 1.5 * 1024 : 100;
    assert.ok(statSync(path).size <= most * 1024, `${path} is large`);
  }
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

test("every file that src/README.md and CONTRIBUTING name exists", () => {
  const rooms = foldersIn("src", false).map((room) => room.slice("src/".length));
  const path = new RegExp(`\\b(?:${rooms.join("|")})/[\\w/-]+\\.ts\\b`, "g");
  const paths = [...`${inside}${contributing}`.matchAll(path)].map(([each]) => each);
  assert.ok(paths.length > 50);
  assert.deepEqual(
    paths.filter((each) => !existsSync(`src/${each}`)),
    [],
  );
});
