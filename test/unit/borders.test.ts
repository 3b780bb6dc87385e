import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

type Import = readonly [file: string, imported: string];

const forbidden: readonly Import[] = [
  ["src/core/util/a.ts", "vscode"],
  ["src/core/util/a.ts", "../api/http.ts"],
  ["src/core/conversation/a.ts", "../turn/history.ts"],
  ["src/core/api/a.ts", "undici"],
  ["src/core/api/a.ts", "../turn/history.ts"],
  ["src/core/patch/a.ts", "vscode"],
  ["src/core/turn/a.ts", "../assistant.ts"],
  ["src/core/ledger/a.ts", "vscode"],
  ["src/core/a.ts", "../bridge/session.ts"],
  ["src/bridge/a.ts", "../shell/log.ts"],
  ["src/bridge/a.ts", "vscode"],
  ["src/webview/view/a.ts", "../../core/api/http.ts"],
  ["src/webview/a.ts", "../bridge/session.ts"],
  ["src/shell/a.ts", "../webview/app.ts"],
  ["src/shell/a.ts", "undici"],
  ["test/sim/a.ts", "../../src/core/api/http.ts"],
];
const allowed: readonly Import[] = [
  ["src/core/api/http.ts", "undici/lib/api/api-request.js"],
  ["src/core/turn/a.ts", "../api/reply.ts"],
  ["src/shell/a.ts", "vscode"],
  ["src/webview/view/a.ts", "../../core/conversation/state.ts"],
  ["src/webview/a.ts", "../bridge/protocol.ts"],
];

/** Plants every import in a file of its own, at its place in an empty tree with our rules; answers the refused ones. */
function plant(imports: readonly Import[]): Set<number> {
  const tree = mkdtempSync(join(tmpdir(), "patchbay-borders-"));
  after(() => rmSync(tree, { recursive: true, force: true }));
  const rules = JSON.parse(readFileSync(".biome.json", "utf8"));
  writeFileSync(join(tree, ".biome.json"), JSON.stringify({ ...rules, $schema: undefined, vcs: undefined }));
  imports.forEach(([file, imported], index) => {
    // Another name each, except where the rule is about the file itself.
    const place = join(tree, file.replace(/\/a\.ts$/, `/planted-${index}.ts`));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, `import * as planted from "${imported}";\nexport const used = planted;\n`);
  });
  const { stdout } = spawnSync(
    resolve("node_modules/.bin/biome"),
    ["lint", "--only=style/noRestrictedImports", "--reporter=github", "--max-diagnostics=none", "."],
    { cwd: tree, encoding: "utf8" },
  );
  return new Set([...stdout.matchAll(/planted-(\d+)\.ts/g)].map(([, index]) => Number(index)));
}

const refused = plant([...forbidden, ...allowed]);
forbidden.forEach(([file, imported], index) => {
  test(`${file} may not import ${imported}`, () => assert.ok(refused.has(index)));
});
allowed.forEach(([file, imported], index) => {
  test(`${file} may import ${imported}`, () => assert.ok(!refused.has(forbidden.length + index)));
});
