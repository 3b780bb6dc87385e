import assert from "node:assert/strict";
import { linkSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type GuardedFiles, guardFiles } from "../../../src/files/guarded-files.ts";
import {
  createPrivacy,
  type PrivacySettings,
  patternsToLift,
  secretMark,
  takeOutSecrets,
} from "../../../src/files/privacy.ts";
import { Refusal, TooLarge } from "../../../src/files/refusal.ts";
import { listFiles } from "../../../src/tools/internal/list-files.ts";
import { searchText } from "../../../src/tools/internal/search-text.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";

const never = new AbortController().signal;
const open = (workspace: FolderWorkspace, settings: Partial<PrivacySettings> = {}): GuardedFiles =>
  guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [], ...settings }));
const refused = (files: GuardedFiles, path: string) => assert.rejects(files.read(path, never), Refusal, path);

const secretFiles = [
  ".env",
  ".env.local",
  "deploy/.env.production",
  ".ENV",
  ".Env.Local",
  ".e\u200bnv",
  "．env",
  ".envrc",
  "server.pem",
  "keys/id_rsa",
  "keys/id_ed25519.pub",
  ".ssh/config",
  ".aws/credentials",
  ".npmrc",
  ".git/config",
  "secrets.yaml",
  "prod.tfstate.backup",
];

test("files that hold secrets are refused under any spelling of their names", async () => {
  const workspace = createFolderWorkspace();
  for (const path of secretFiles) workspace.write(`work/${path}`, "canary");
  const files = open(workspace);
  for (const path of secretFiles) await refused(files, path);
  assert.deepEqual(workspace.handedOut, []);
});

test("list_files and search_text hide secret files, and say so when they find nothing else", async () => {
  const workspace = createFolderWorkspace();
  for (const path of [...secretFiles, "src/a.ts"]) workspace.write(`work/${path}`, "canary");
  const files = open(workspace);
  const run = async (tool: typeof listFiles, input: object) =>
    (await tool.prepare(JSON.stringify(input)).run(callContext(files), never)).output;
  assert.equal(await run(listFiles, {}), "src/a.ts");
  assert.equal(await run(searchText, { query: "canary" }), "src/a.ts\n1:canary");
  const hidden =
    /\n\[\d+ entries are not shown: they are on the list of files that are never sent\.\]\n\[No tool shows what is never sent .*ask the user\.\]$/;
  assert.match(await run(listFiles, { pattern: "*.key" }), hidden);
  assert.match(await run(searchText, { query: "nowhere" }), hidden);
  await assert.rejects(run(listFiles, { path: ".ssh" }), Refusal);
});

test("a link to a secret file is refused like the file", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/.env", "canary");
  mkdirSync(join(workspace.root, "work/.aws"));
  workspace.write("work/.aws/credentials", "canary");
  symlinkSync(".env", join(workspace.root, "work/notes.txt"));
  symlinkSync(".aws", join(workspace.root, "work/docs"));
  linkSync(join(workspace.root, "work/.env"), join(workspace.root, "work/.env.hard"));
  const files = open(workspace);
  for (const path of ["notes.txt", "docs/credentials", ".env.hard"]) await refused(files, path);
  assert.deepEqual(workspace.handedOut, []);
});

test("a link that is redirected while it is read gives nothing", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.txt", "harmless");
  const turned: FolderWorkspace = {
    ...workspace,
    async read(file) {
      const reading = await workspace.read(file);
      workspace.write("work/b.txt", "");
      rmSync(join(workspace.root, "work/a.txt"));
      symlinkSync("b.txt", join(workspace.root, "work/a.txt"));
      return reading;
    },
  };
  await refused(open(turned), "a.txt");
});

test("user patterns can lift built-in ones, workspace patterns can only add", async () => {
  const workspace = createFolderWorkspace();
  for (const path of [".env.example", "a.ts", "b.ts", "c.ts"]) workspace.write(`work/${path}`, "x");
  workspace.write("work/.patchbayignore", "# ours\nb.ts\n!.env.example\n!a.ts\n");
  await refused(open(workspace), ".env.example");
  const files = open(workspace, { ignore: ["!.env.example", "a.ts"], alsoIgnore: ["c.ts", "!a.ts"] });
  assert.equal((await files.read(".env.example", never)).text, "x");
  for (const path of ["a.ts", "b.ts", "c.ts"]) await refused(files, path);
});

test("an ignore file works with any line ends, with a BOM, and unsaved", async () => {
  const spelled = ["a.ts\nb.ts\n", "\ufeffa.ts\nb.ts\n", "a.ts\r\nb.ts\r\n", "a.ts\nb.ts"];
  for (const text of spelled)
    for (const isSaved of [true, false]) {
      const workspace = createFolderWorkspace();
      for (const path of ["a.ts", "b.ts", "c.ts"]) workspace.write(`work/${path}`, "x");
      workspace.write("work/.patchbayignore", isSaved ? text : "");
      if (!isSaved) workspace.type({ folder: "work", path: ".patchbayignore" }, text);
      for (const path of ["a.ts", "b.ts"]) await refused(open(workspace), path);
      assert.equal((await open(workspace).read("c.ts", never)).text, "x");
    }
});

test("an unreadable pattern refuses every file", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "x");
  await refused(open(workspace, { ignore: ["[oops"] }), "a.ts");
  await refused(open(workspace, { alsoIgnore: ["x\\"] }), "a.ts");
  workspace.write("work/.patchbayignore", "[oops\n");
  await refused(open(workspace), "a.ts");
});

test("an ignore file that cannot be opened refuses every file", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "x");
  const broken: FolderWorkspace = {
    ...workspace,
    look: async (file) => ({ ...(await workspace.look(file)), kind: "file" }),
  };
  await refused(open(broken), "a.ts");
  await assert.rejects(open(broken).enter(".", never), Refusal);
  workspace.write("work/.patchbayignore", Uint8Array.of(0));
  await refused(open(workspace), "a.ts");
});

test("problems leave out links to files that are kept back or outside, and files of doubtful names with a secret", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/.env", "TOKEN=canary\n");
  workspace.write("outside.ts", "canary\n");
  workspace.write("work/tokens.json", `{ "github": "${drawnKey}" }`);
  workspace.write("work/secrets.ts", "export const words = [];\n");
  workspace.write("work/a.ts", "let a;\n");
  symlinkSync(".env", join(workspace.root, "work/words.txt"));
  symlinkSync("../outside.ts", join(workspace.root, "work/out.ts"));
  symlinkSync("a.ts", join(workspace.root, "work/same.ts"));
  const names = ["words.txt", "out.ts", "tokens.json", "secrets.ts", "a.ts", "same.ts", "gone.ts"];
  for (const path of [...names, "a.ts"])
    workspace.markers.push({
      ...{ file: { folder: "work", path }, line: 1, column: 1 },
      ...{ severity: "error", message: `unexpected canary in ${path}` },
    });
  const found = await open(workspace).problems(undefined);
  assert.deepEqual(
    found.map(({ path }) => path),
    ["secrets.ts", "a.ts", "same.ts", "gone.ts", "a.ts"],
  );
});

test("problems leave out hidden files", async () => {
  const workspace = createFolderWorkspace();
  for (const path of [".env", "a.ts"])
    workspace.markers.push({
      file: { folder: "work", path },
      line: 1,
      column: 1,
      severity: "error",
      message: "m",
    });
  const found = await open(workspace).problems(undefined);
  assert.deepEqual(
    found.map(({ path }) => path),
    ["a.ts"],
  );
});

test("createPrivacy never hides the workspace folder itself", () => {
  assert.equal(createPrivacy({ ignore: ["*"], alsoIgnore: [] })("", true), undefined);
});

test("takeOutSecrets removes keys pasted into text and keeps line numbers", () => {
  // Put together here, so that no scanner takes this file for a leak.
  const token = ["ghp", "a".repeat(36)].join("_");
  const key = ["-----BEGIN RSA", "PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE", "KEY-----"].join(" ");
  const { text, removed } = takeOutSecrets(`const a = "${token}";\n${key}\nrest`);
  assert.equal(removed, 2);
  assert.equal(text, `const a = "${secretMark}";\n${`${secretMark}\n`.repeat(4)}rest`);
});

test("takeOutSecrets removes everything behind a key without an end", () => {
  const cut = ["x\n-----BEGIN", "PRIVATE KEY-----\nMIIE"].join(" ");
  assert.equal(takeOutSecrets(cut).text, `x\n${secretMark}\n${secretMark}`);
});

test("takeOutSecrets leaves ordinary code unchanged", () => {
  const code =
    'headers.authorization = "Bearer " + token;\nconst id = "sk-short";\nimport "../tools/ghp_x";\n';
  assert.deepEqual(takeOutSecrets(code), { text: code, removed: 0 });
});

test("an ignore file that links out of the workspace closes its folder, and its text is never quoted", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "x");
  workspace.write("outside.txt", "[canary\n");
  symlinkSync("../outside.txt", join(workspace.root, "work/.patchbayignore"));
  await assert.rejects(open(workspace).read("a.ts", never), {
    message: '"a.ts" cannot be read: nothing is sent while .patchbayignore is a link out of the workspace.',
  });
  assert.deepEqual(workspace.handedOut, []);
  rmSync(join(workspace.root, "work/.patchbayignore"));
  workspace.write("work/rules", "b.ts\n");
  symlinkSync("rules", join(workspace.root, "work/.patchbayignore"));
  assert.equal((await open(workspace).read("a.ts", never)).text, "x");
});

test("an unreadable pattern is reported by its place and never quoted", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "x");
  const told = async (settings: Partial<PrivacySettings>) =>
    open(workspace, settings)
      .read("a.ts", never)
      .then(
        () => assert.fail(),
        ({ message }: Error) => message,
      );
  assert.match(await told({ ignore: ["[canary"] }), /a pattern in patchbay\.context\.ignore cannot be read/);
  assert.match(await told({ alsoIgnore: ["[canary"] }), /a pattern in patchbay\.context\.alsoIgnore cannot/);
  workspace.write("work/.patchbayignore", "[canary\n");
  assert.match(await told({}), /a pattern in \.patchbayignore cannot be read/);
  for (const settings of [{}, { ignore: ["[canary"] }]) assert.doesNotMatch(await told(settings), /canary/);
});

test("a file held by its name is reported with its names, and one user pattern lifts it", async () => {
  const workspace = createFolderWorkspace();
  for (const path of [".env.example", "a.ts", ".aws/config", "own.key"]) workspace.write(`work/${path}`, "x");
  symlinkSync(".env.example", join(workspace.root, "work/link.txt"));
  const held: (readonly string[])[] = [];
  const settings = { ignore: [], alsoIgnore: ["own.key"] };
  const files = guardFiles(
    workspace,
    () => settings,
    (paths) => held.push(paths),
  );
  for (const path of [".env.example", "link.txt", ".aws/config", "own.key", "none.key"])
    await assert.rejects(files.read(path, never), Refusal);
  await files.read("a.ts", never);
  await assert.rejects(files.readPicture(".env.example", never), Refusal);
  assert.deepEqual(held, [
    [".env.example"],
    ["link.txt", ".env.example"],
    [".aws/config"],
    ["own.key"],
    [".env.example"],
  ]);
  assert.deepEqual(
    held.map((paths) => patternsToLift(paths, settings)),
    // A folder that is kept, and what the workspace keeps, no name of a file opens.
    [["!/.env.example"], ["!/link.txt", "!/.env.example"], [], [], ["!/.env.example"]],
  );
  const allowed = open(workspace, { ignore: ["!/.env.example"] });
  assert.equal((await allowed.read(".env.example", never)).text, "x");
  await refused(allowed, "deep/.env.example");
  const odd = "a [1] !#{b}.key";
  assert.equal(
    createPrivacy({ ignore: [...patternsToLift([odd], settings)], alsoIgnore: [] })(odd, false),
    undefined,
  );
});

const doubtful = {
  "tokens.json": ['{ "colour": "#1a2b3c", "space": "0 1px 2px" }', (key: string) => `{ "github": "${key}" }`],
  "src/secrets/store.ts": ["export const names = new Map();", (key: string) => `const salt = "${key}";`],
  "secrets/deep/db.txt": ["none yet", (key: string) => `${key}\n`],
  "appsettings.Test.json": ['{ "Logging": { "Level": "Debug" } }', (key: string) => `{ "Key": "${key}" }`],
} as const;
const drawnKey = "q8Zr2LxV".concat("7tN4wB9kD3mF");

test("a doubtful name holds a file only when it contains a value that looks like a secret", async () => {
  for (const [path, [ordinary, withKey]] of Object.entries(doubtful)) {
    const workspace = createFolderWorkspace();
    const held: (readonly string[])[] = [];
    const settings = { ignore: [], alsoIgnore: [] };
    const files = guardFiles(
      workspace,
      () => settings,
      (paths) => held.push(paths),
    );
    const file = { folder: "work", path };
    const keeps = async () => files.keeps(file, await workspace.look(file));
    const found = async (query: string) =>
      (await searchText.prepare(JSON.stringify({ query })).run(callContext(files), never)).output;
    workspace.write(`work/${path}`, ordinary);
    assert.equal((await files.read(path, never)).text, ordinary);
    assert.equal(await keeps(), false);
    assert.match(await found(ordinary.slice(0, 6)), /\n1:/);

    workspace.write(`work/${path}`, withKey(drawnKey));
    await refused(files, path);
    assert.deepEqual(held, [[path]]);
    assert.equal(await keeps(), true);
    assert.equal(await found(drawnKey.slice(0, 6)), "No matches.");
    await assert.rejects(files.admit(path, undefined, never, withKey(drawnKey)), Refusal);
    const hides = await files.pathFilter();
    assert.equal(hides(path, `+${withKey(drawnKey)}`), true);
    assert.equal(hides(path, `+${ordinary}`), false);

    const lifted = patternsToLift([path], settings);
    assert.deepEqual(lifted, [`!/${path}`]);
    assert.ok((await open(workspace, { ignore: lifted }).read(path, never)).text.length > 0);
  }
});

test("a long file with a doubtful name is held without a look at its content", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/tokens.json", "a word ".repeat(140_000));
  assert.equal((await open(workspace).read("tokens.json", never)).removed, 0);
  workspace.write("work/tokens.json", "a word ".repeat(150_000));
  await refused(open(workspace), "tokens.json");
});

test("a pattern for folders refuses entering the folder", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/private/a.txt", "canary");
  const files = open(workspace, { ignore: ["private/"] });
  await assert.rejects(files.enter("private", never), Refusal);
  assert.equal((await files.enter("", never)).start.path, "");
});

test("a link to a held file with a doubtful name is held, and the same text elsewhere is not", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/tokens.json", `{ "github": "${drawnKey}" }`);
  workspace.write("work/notes.json", `{ "github": "${drawnKey}" }`);
  symlinkSync("tokens.json", join(workspace.root, "work/link.json"));
  const files = open(workspace);
  await refused(files, "link.json");
  assert.match((await files.read("notes.json", never)).text, /github/);
});

test("a part of a large file with a doubtful name is refused", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/tokens.json", "x\n".repeat(3_000_000));
  await assert.rejects(
    open(workspace).readLines(
      "tokens.json",
      { first: 1, last: 2, maxBytes: 100, maxBytesPerLine: 100 },
      never,
    ),
    Refusal,
  );
});

test("a notebook too large to be read by its cells is not read in parts, in which its outputs would be", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/large.ipynb", "x\n".repeat(3_000_000));
  const lines = { first: 1, last: 2, maxBytes: 100, maxBytesPerLine: 100 };
  await assert.rejects(open(workspace).readLines("large.ipynb", lines, never), TooLarge);
  const folder = await open(workspace).enter("", never);
  const aside = folder.readAside({ folder: "work", path: "large.ipynb" }, async () => "read");
  await assert.rejects(aside, TooLarge);
});
