// Who may import whom (test/support/rooms.mjs): the real tree keeps the rules, and each of them refuses what is planted.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import { brokenRules, readRules, roomOf } from "../support/rooms.mjs";

type Files = Readonly<Record<string, string>>;

function plant(files: Files): string {
  const tree = mkdtempSync(join(tmpdir(), "patchbay-borders-"));
  after(() => rmSync(tree, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), text);
  }
  return tree;
}

/** A tree of three rooms in which nothing is wrong, and its rules. */
const rules = {
  imports: { page: ["bridge/a"], patch: [], tools: ["patch"] },
  everywhere: ["util", "conversation"],
  doors: { conversation: 8 },
  leaves: ["util", "page"],
  packages: { vscode: ["src/editor", "src/*/editor", "src/main"], undici: ["src/patch/internal/a.ts"] },
  entries: ["src/main/a.ts"],
};
const sound = {
  "src/main/a.ts":
    'import * as vscode from "vscode";\nimport { a } from "../tools/editor/a.ts";\nimport { b } from "../tools/a.ts";\n',
  "src/page/a.ts": 'import type { a } from "../bridge/a.ts";\n',
  "src/bridge/a.ts": "",
  "src/patch/a.ts": 'import { b } from "./internal/b.ts";\n',
  "src/patch/internal/b.ts": "",
  "src/tools/a.ts": 'import { a } from "../patch/a.ts";\n',
  "src/tools/internal/b.ts": "",
  "src/tools/editor/a.ts":
    'import * as vscode from "vscode";\nimport { a } from "../a.ts";\nimport { b } from "../internal/b.ts";\n',
};
const broken = (files: Files): readonly string[] => brokenRules(plant({ ...sound, ...files }), rules);
const line = (file: string) => `import { a } from "${file}";\n`;

describe("the rooms of src", () => {
  test("follow the import rules", () => assert.deepEqual(brokenRules(".", readRules()), []));

  test("are all in the table of imports, except editor and main, and number at most 25", () => {
    const folders = readdirSync("src", { withFileTypes: true }).filter((one) => one.isDirectory());
    const { imports } = readRules();
    const unknown = folders.map(({ name }) => name).filter((name) => !(name in imports));
    assert.deepEqual(unknown, ["editor", "main"]);
    assert.ok(folders.length <= 25, `${folders.length} rooms`);
  });

  test("follow from the path of a file", () => {
    assert.equal(roomOf("src/patch/internal/a.ts"), "patch");
    assert.equal(roomOf("src/checks/editor/internal/a.ts"), "checks/editor");
    assert.equal(roomOf("src/editor/review/a.ts"), "editor/review");
    assert.equal(roomOf("src/editor/notify.ts"), "editor");
  });
});

describe("the rules of rooms", () => {
  test("accept a sound tree", () => assert.deepEqual(broken({}), []));

  /** What is planted, and what is said of it. */
  const refused: readonly (readonly [what: string, files: Files, said: RegExp])[] = [
    [
      "a room that is not named for it",
      { "src/patch/internal/b.ts": line("../../bridge/a.ts") },
      /^src\/patch\/internal\/b\.ts may not import src\/bridge\/a\.ts: patch does not know bridge\.$/,
    ],
    [
      "the inside of another room",
      { "src/tools/internal/b.ts": line("../../patch/internal/b.ts") },
      /it is internal to src\/patch\.$/,
    ],
    [
      "the inside of another room, as a type, over several lines or later",
      {
        "src/tools/a.ts": 'import type {\n  A,\n  B,\n} from "../patch/internal/b.ts";\n',
        "src/tools/internal/b.ts":
          'export const b = () => import("../../patch/internal/b.ts");\nexport * from "../../patch/a.ts";\n',
      },
      /it is internal to src\/patch\.$/,
    ],
    [
      "the inside of a room's editor part",
      {
        "src/main/a.ts": `${line("../tools/editor/a.ts")}${line("../tools/editor/internal/c.ts")}`,
        "src/tools/editor/internal/c.ts": "",
      },
      /internal to src\/tools\/editor\.$/,
    ],
    [
      "VS Code outside of editor and main",
      { "src/patch/a.ts": `${line("vscode")}${line("./internal/b.ts")}` },
      /may not import vscode/,
    ],
    [
      "the network outside of its files",
      { "src/patch/internal/b.ts": line("undici/lib/api.js") },
      /may not import undici\/lib\/api\.js/,
    ],
    [
      "another door of a room of which one may be used",
      { "src/bridge/html.ts": "", "src/page/a.ts": `${line("../bridge/html.ts")}${line("../bridge/a.ts")}` },
      /page does not know bridge/,
    ],
    [
      "the page, for those who know VS Code",
      { "src/tools/editor/a.ts": `${line("../../page/a.ts")}${line("../internal/b.ts")}` },
      /tools\/editor does not know page/,
    ],
    [
      "a room of all above its own",
      { "src/util/a.ts": line("../conversation/a.ts"), "src/conversation/a.ts": "" },
      /util does not know conversation/,
    ],
    [
      "a circle of rooms",
      { "src/editor/x/a.ts": line("../y/a.ts"), "src/editor/y/a.ts": line("../x/a.ts") },
      /^A circle of rooms: editor\/x → editor\/y → editor\/x\.$/,
    ],
    [
      "a seventh door",
      {
        ...Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`src/patch/d${at}.ts`, ""])),
        "src/tools/a.ts": Array.from({ length: 7 }, (_, at) => line(`../patch/d${at}.ts`)).join(""),
      },
      /^patch has 7 doors, 6 at most/,
    ],
    [
      "a file that is no door beside the doors",
      { "src/patch/c.ts": "" },
      /^src\/patch\/c\.ts is used by patch alone: it belongs in internal\/\.$/,
    ],
    ["a permission that nobody needs", { "src/tools/a.ts": "" }, /^tools may import patch and does not/],
  ];
  for (const [what, files, said] of refused)
    test(`refuse ${what}`, () => {
      const found = broken(files);
      assert.ok(
        found.some((each) => said.test(each)),
        found.join("\n"),
      );
    });
});

/** What Biome says of files that are planted in a tree with our rules. */
function lint(files: Files): string {
  const tree = plant(files);
  const copyRules = (name: string, changes: object) => {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(
      join(tree, name),
      JSON.stringify({ ...JSON.parse(readFileSync(name, "utf8")), ...changes }),
    );
  };
  copyRules(".biome.json", { $schema: undefined, vcs: undefined });
  copyRules("test/support/biome-project.json", { $schema: undefined });
  const { stdout } = spawnSync(
    resolve("node_modules/.bin/biome"),
    ["lint", "--config-path=test/support/biome-project.json", "--reporter=github", "."],
    { cwd: tree, encoding: "utf8" },
  );
  return stdout;
}

describe("the lint", () => {
  test("refuses two files that import each other", () => {
    const found = lint({
      "a.ts": 'import { b } from "./b.ts";\n\nexport const a = () => b;\n',
      "b.ts": 'import { a } from "./a.ts";\n\nexport const b = () => a;\n',
    });
    assert.match(found, /noImportCycles/);
  });

  test("refuses an import without its file extension", () => {
    const found = lint({
      "a.ts": 'import { b } from "./b";\n\nexport const a = b;\n',
      "b.ts": "export const b = 1;\n",
    });
    assert.match(found, /useImportExtensions/);
  });

  test("refuses a simulator that imports the product or the editor", () => {
    const found = lint({
      "src/a.ts": "export const a = 1;\n",
      "test/sim/a.ts": 'export * as product from "../../src/a.ts";\n',
      "test/sim/assistant/b.ts": 'export * as product from "../../../src/a.ts";\n',
      "test/sim/c.ts": 'export * as editor from "vscode";\n',
    });
    const files = [...found.matchAll(/noRestrictedImports.*?file=test\/sim\/([^,]+),/g)].map(
      ([, file]) => file,
    );
    assert.deepEqual(files.sort(), ["a.ts", "assistant/b.ts", "c.ts"]);
  });
});
