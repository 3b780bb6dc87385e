import assert from "node:assert/strict";
import { linkSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type GuardedFiles, guardFiles } from "../../../../src/core/files/guarded-files.ts";
import { createPrivacy, type PrivacySettings, wayOut } from "../../../../src/core/files/privacy.ts";
import { Refusal } from "../../../../src/core/files/refusal.ts";
import { secretMark, takeOutSecrets } from "../../../../src/core/files/secrets.ts";
import { listFiles } from "../../../../src/core/tools/list-files.ts";
import { searchText } from "../../../../src/core/tools/search-text.ts";
import { callContext } from "../../../support/call-context.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../../support/folder-workspace.ts";

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

test("files that hold secrets are not read under any spelling of their names", async () => {
  const workspace = createFolderWorkspace();
  for (const path of secretFiles) workspace.write(`work/${path}`, "canary");
  const files = open(workspace);
  for (const path of secretFiles) await refused(files, path);
  assert.deepEqual(workspace.handedOut, []);
});

test("neither list nor search shows them, and both say that something is hidden", async () => {
  const workspace = createFolderWorkspace();
  for (const path of [...secretFiles, "src/a.ts"]) workspace.write(`work/${path}`, "canary");
  const files = open(workspace);
  const run = async (tool: typeof listFiles, input: object) =>
    (await tool.prepare(JSON.stringify(input)).run(callContext(files), never)).output;
  assert.match(await run(listFiles, {}), /^src\/a.ts\n\[\d+ entries on the ignore list are not shown\.\]$/);
  assert.match(await run(searchText, { query: "canary" }), /^src\/a.ts:1: canary\n\[/);
  await assert.rejects(run(listFiles, { path: ".ssh" }), Refusal);
});

test("a link to a secret is the secret", async () => {
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

test("a link that is turned while it is read gives nothing", async () => {
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

test("the user's patterns may take a built-in one back, the workspace's only add", async () => {
  const workspace = createFolderWorkspace();
  for (const path of [".env.example", "a.ts", "b.ts", "c.ts"]) workspace.write(`work/${path}`, "x");
  workspace.write("work/.patchbayignore", "# ours\nb.ts\n!.env.example\n!a.ts\n");
  await refused(open(workspace), ".env.example");
  const files = open(workspace, { ignore: ["!.env.example", "a.ts"], alsoIgnore: ["c.ts", "!a.ts"] });
  assert.equal((await files.read(".env.example", never)).text, "x");
  for (const path of ["a.ts", "b.ts", "c.ts"]) await refused(files, path);
});

test("an ignore file says the same however an editor writes it, and before it is saved", async () => {
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

test("a rule that cannot be read refuses everything", async () => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "x");
  await refused(open(workspace, { ignore: ["[oops"] }), "a.ts");
  await refused(open(workspace, { alsoIgnore: ["x\\"] }), "a.ts");
  workspace.write("work/.patchbayignore", "[oops\n");
  await refused(open(workspace), "a.ts");
});

test("an ignore file that cannot be opened refuses everything", async () => {
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

test("problems of hidden files stay hidden", async () => {
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

test("the workspace folder itself is never on the list", () => {
  assert.equal(createPrivacy({ ignore: ["*"], alsoIgnore: [] })("", true), undefined);
});

test("keys that were pasted into ordinary text are taken out, and lines keep their numbers", () => {
  // Put together here, so that no scanner takes this file for a leak.
  const token = ["ghp", "a".repeat(36)].join("_");
  const key = ["-----BEGIN RSA", "PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE", "KEY-----"].join(" ");
  const { text, removed } = takeOutSecrets(`const a = "${token}";\n${key}\nrest`);
  assert.equal(removed, 2);
  assert.equal(text, `const a = "${secretMark}";\n${`${secretMark}\n`.repeat(4)}rest`);
});

test("a key without its end takes everything behind it", () => {
  const cut = ["x\n-----BEGIN", "PRIVATE KEY-----\nMIIE"].join(" ");
  assert.equal(takeOutSecrets(cut).text, `x\n${secretMark}\n${secretMark}`);
});

test("ordinary code is left as it is", () => {
  const code =
    'headers.authorization = "Bearer " + token;\nconst id = "sk-short";\nimport "../tools/ghp_x";\n';
  assert.deepEqual(takeOutSecrets(code), { text: code, removed: 0 });
});

test("an ignore file that is a link out of the workspace closes its folder, and no word of it is told", async () => {
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

test("a rule that cannot be read is named by where it stands, and never quoted", async () => {
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

test("a file that its name keeps here is told by its names, and one pattern of the user's lets it go", async () => {
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
    held.map((paths) => wayOut(paths, settings)),
    // A folder that is kept, and what the workspace keeps, no name of a file opens.
    [["!/.env.example"], ["!/link.txt", "!/.env.example"], [], [], ["!/.env.example"]],
  );
  const allowed = open(workspace, { ignore: ["!/.env.example"] });
  assert.equal((await allowed.read(".env.example", never)).text, "x");
  await refused(allowed, "deep/.env.example");
  const odd = "a [1] !#{b}.key";
  assert.equal(
    createPrivacy({ ignore: [...wayOut([odd], settings)], alsoIgnore: [] })(odd, false),
    undefined,
  );
});
