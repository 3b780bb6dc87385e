import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

type Import = readonly [file: string, imported: string];

/** What each room of the core may import: the rooms it is built of, and no other. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  util: [],
  messages: [],
  conversation: ["messages", "util"],
  api: ["conversation", "messages", "util"],
  patch: ["conversation", "messages", "util"],
  store: ["conversation", "messages", "util"],
  diff: ["patch", "util"],
  risk: ["conversation", "diff", "messages", "patch", "util"],
  changes: ["diff", "messages", "patch", "risk", "util"],
  files: ["changes", "conversation", "messages", "patch", "util"],
  tools: ["api", "changes", "conversation", "files", "messages", "patch", "util"],
  checks: ["changes", "conversation", "files", "messages", "patch", "util"],
  findings: ["files", "util"],
  suggestions: ["changes", "conversation", "files", "patch", "util"],
  tokens: ["api", "conversation", "messages", "store", "util"],
  ledger: ["api", "conversation", "messages", "store", "tokens", "util"],
  inspect: ["api", "ledger", "messages", "util"],
  turn: [
    "api",
    "changes",
    "checks",
    "conversation",
    "files",
    "inspect",
    "messages",
    "patch",
    "tokens",
    "tools",
    "util",
  ],
  session: [
    "api",
    "changes",
    "checks",
    "conversation",
    "files",
    "inspect",
    "ledger",
    "messages",
    "patch",
    "risk",
    "store",
    "tokens",
    "tools",
    "turn",
    "util",
  ],
};
const rooms = Object.keys(mayImport);
const outside = ["../../bridge/page-connection.ts", "../../shell/log.ts", "../../webview/app.ts"];

/** From a file of the room: into every other room, out of the core, to the editor and the network. */
const fromRoom = (room: string): readonly Import[] =>
  [
    "vscode",
    "undici",
    ...outside,
    ...rooms.filter((each) => each !== room).map((each) => `../${each}/a.ts`),
  ].map((each) => [`src/core/${room}/a.ts`, each]);
const isAllowed = (room: string, imported: string): boolean =>
  mayImport[room]?.some((each) => imported === `../${each}/a.ts`) === true;

const forbidden: readonly Import[] = [
  ["src/core/api/http.ts", "../ledger/file-ids.ts"],
  ["src/core/api/http.ts", "vscode"],
  ["src/core/session/a.ts", "../../bridge/page-connection.ts"],
  ["src/core/session/a.ts", "vscode"],
  ["src/bridge/a.ts", "../shell/log.ts"],
  ["src/bridge/a.ts", "vscode"],
  ["src/webview/view/a.ts", "../../core/api/http.ts"],
  ["src/webview/view/a.ts", "../../core/session/session.ts"],
  ["src/webview/view/a.ts", "../../core/diff/merge.ts"],
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

const planted = rooms.map(fromRoom);
const refused = plant([...planted.flat(), ...forbidden, ...allowed]);

test("every room of the core has its place, and no file stands outside of a room", () => {
  assert.deepEqual(readdirSync("src/core").sort(), [...rooms].sort());
});
rooms.forEach((room, index) => {
  test(`src/core/${room} imports the rooms that are named for it, and nothing else`, () => {
    const imports = planted[index] ?? [];
    const wrong = imports.filter((each) => refused.has(each) === isAllowed(room, each[1]));
    assert.deepEqual(wrong, []);
  });
});
test("no room is built of itself by way of others", () => {
  const below = (room: string, seen: readonly string[]): void => {
    assert.ok(!seen.includes(room), [...seen, room].join(" → "));
    for (const each of mayImport[room] ?? []) below(each, [...seen, room]);
  };
  for (const room of rooms) below(room, []);
});
test("what a room may import it does import", () => {
  const idle = rooms.flatMap((room) => {
    const texts = readdirSync(`src/core/${room}`).map((file) =>
      readFileSync(`src/core/${room}/${file}`, "utf8"),
    );
    return (mayImport[room] ?? [])
      .filter((each) => !texts.some((text) => text.includes(`from "../${each}/`)))
      .map((each) => `${room} → ${each}`);
  });
  assert.deepEqual(idle, []);
});
for (const each of forbidden)
  test(`${each[0]} may not import ${each[1]}`, () => assert.ok(refused.has(each)));
for (const each of allowed) test(`${each[0]} may import ${each[1]}`, () => assert.ok(!refused.has(each)));
