import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

type Import = readonly [file: string, imported: string];

/** The rooms of the core from below; nobody knows what comes later. */
const layers = [
  ["util"],
  ["messages"],
  ["conversation"],
  ["api", "changes", "patch", "risk"],
  ["tools"],
  ["turn", "store", "tokens", "ledger", "inspect", "findings", "checks"],
  ["session"],
];
const rooms = layers.flat();
const outside = [
  "../file-index.ts",
  "../../bridge/page-connection.ts",
  "../../shell/log.ts",
  "../../webview/app.ts",
];

const fromAbove = (room: string): readonly Import[] => {
  const later = layers.slice(layers.findIndex((layer) => layer.includes(room)) + 1).flat();
  const imported = ["vscode", "undici", ...outside, ...later.map((each) => `../${each}/a.ts`)];
  return imported.map((each) => [`src/core/${room}/a.ts`, each]);
};

const forbidden: readonly Import[] = [
  ["src/core/api/http.ts", "../file-index.ts"],
  ["src/core/api/http.ts", "../ledger/file-ids.ts"],
  ["src/core/api/http.ts", "vscode"],
  ["src/core/a.ts", "../bridge/page-connection.ts"],
  ["src/core/session/a.ts", "../../bridge/page-connection.ts"],
  ["src/core/session/a.ts", "vscode"],
  ["src/core/a.ts", "vscode"],
  ["src/bridge/a.ts", "../shell/log.ts"],
  ["src/bridge/a.ts", "vscode"],
  ["src/webview/view/a.ts", "../../core/api/http.ts"],
  ["src/webview/view/a.ts", "../../core/session/session.ts"],
  ["src/webview/a.ts", "../core/inspect/curl.ts"],
  ["src/webview/a.ts", "../bridge/page-connection.ts"],
  ["src/webview/a.ts", "vscode"],
  ["src/shell/a.ts", "../webview/app.ts"],
  ["src/shell/a.ts", "undici"],
  ["test/sim/a.ts", "../../src/core/api/http.ts"],
  ["test/sim/assistant/a.ts", "../../../src/core/patch/parse.ts"],
  ["test/sim/a.ts", "vscode"],
];
const allowed: readonly Import[] = [
  ["src/core/api/http.ts", "undici/lib/api/api-request.js"],
  ["src/core/turn/a.ts", "../api/reply.ts"],
  ["src/core/turn/a.ts", "../workspace.ts"],
  ["src/shell/a.ts", "vscode"],
  ["src/webview/view/a.ts", "../../core/conversation/state.ts"],
  ["src/webview/a.ts", "../bridge/protocol.ts"],
];

/** Plants every import, at its place in an empty tree with our rules; answers the refused ones. */
function plant(imports: readonly Import[]): ReadonlySet<Import> {
  const tree = mkdtempSync(join(tmpdir(), "patchbay-borders-"));
  after(() => rmSync(tree, { recursive: true, force: true }));
  const rules = JSON.parse(readFileSync(".biome.json", "utf8"));
  writeFileSync(join(tree, ".biome.json"), JSON.stringify({ ...rules, $schema: undefined, vcs: undefined }));
  for (const file of new Set(imports.map(([each]) => each))) {
    const lines = imports.filter(([each]) => each === file).map(([, imported]) => imported);
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(
      join(tree, file),
      lines.map((imported, line) => `export * as planted${line} from "${imported}";\n`).join(""),
    );
  }
  const { stdout } = spawnSync(
    resolve("node_modules/.bin/biome"),
    ["lint", "--only=style/noRestrictedImports", "--reporter=github", "--max-diagnostics=none", "."],
    { cwd: tree, encoding: "utf8" },
  );
  const found = new Set(
    [...stdout.matchAll(/,file=([^,]+),line=(\d+),/g)].map(([, file, line]) => `${file}:${line}`),
  );
  const lines = new Map<string, number>();
  return new Set(
    imports.filter(([file]) => {
      const line = (lines.get(file) ?? 0) + 1;
      lines.set(file, line);
      return found.has(`${file}:${line}`);
    }),
  );
}

const above = rooms.map(fromAbove);
const refused = plant([...above.flat(), ...forbidden, ...allowed]);

test("every room of the core has its place in the order", () => {
  const folders = readdirSync("src/core", { withFileTypes: true }).filter((each) => each.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...rooms].sort());
});
rooms.forEach((room, index) => {
  test(`src/core/${room} imports nothing from above it, and neither the editor nor the network`, () => {
    const passed = above[index]?.filter((each) => !refused.has(each)).map(([, imported]) => imported);
    assert.deepEqual(passed, []);
  });
});
for (const planted of forbidden)
  test(`${planted[0]} may not import ${planted[1]}`, () => assert.ok(refused.has(planted)));
for (const planted of allowed)
  test(`${planted[0]} may import ${planted[1]}`, () => assert.ok(!refused.has(planted)));
