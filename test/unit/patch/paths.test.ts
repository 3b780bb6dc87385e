// The path policy by its tables: what may be named, what is asked about each time, what is refused; and the same
// answer however a path is spelled. Real links and real folders are in sections.test.ts and disk.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { defaultPathInfo, type PathInfo } from "../../../src/patch/model.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { dangersIn, permissionFor, readPath } from "../../../src/patch/paths.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { yieldToEventLoop } from "../../../src/util/concurrency.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const standing: PathInfo = { ...defaultPathInfo, kind: "file", real: "" };

function verdictOn(typed: string, more: Partial<PathInfo> = {}): string {
  const named = readPath(typed, ["work"]);
  if (named.kind === "denied") return "deny";
  return permissionFor(named.file, { ...standing, real: named.file.path, ...more }).verdict;
}

const confirmed = [
  ...[".vscode/settings.json", ".vscode/tasks.json", ".vscode/launch.json", ".vscode/extensions.json"],
  ...["app.code-workspace", "sub/other.code-workspace", ".idea/workspace.xml", ".zed/settings.json"],
  ...[".devcontainer/devcontainer.json", ".devcontainer.json", ".github/workflows/ci.yml"],
  ...[".github/hooks/pre.json", ".github/agents/a.md", ".github/copilot-instructions.md", ".gitlab-ci.yml"],
  ...[".circleci/config.yml", "Jenkinsfile", ".husky/pre-commit", ".githooks/pre-push"],
  ...[".pre-commit-config.yaml", ".gitattributes", ".gitmodules", "package.json", "packages/a/package.json"],
  ...["package-lock.json", "yarn.lock", "pnpm-lock.yaml", "Cargo.lock", "go.sum", "uv.lock", ".npmrc"],
  ...[".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", ".yarn/releases/yarn.cjs", ".env", ".env.local"],
  ...[".envrc", "deploy/id_rsa", "certs/server.pem", "App.csproj", "lib/Lib.fsproj", "Directory.Build.props"],
  ...["build/My.targets", "build.rs", "Cargo.toml", "web.config", "build.gradle", "gradle.properties"],
  ...["settings.gradle.kts", ".mcp.json", ".cursor/mcp.json", ".claude/settings.json", ".codex/config.toml"],
  ...["AGENTS.md", "sub/CLAUDE.md", "GEMINI.md", ".cursorrules", ".bashrc", ".zshrc", ".profile"],
  ...[".patchbay/state.json", ".patchbayignore"],
];

test("a file that runs, configures or unlocks something needs confirmation in every spelling", () => {
  assert.ok(confirmed.length >= 45);
  for (const path of confirmed) {
    const wide = path.replace(/[a-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    const hidden = `${path.slice(0, 2)}\u200C${path.slice(2)}`;
    const spellings = [path, path.toUpperCase(), `./${path}`, path.replaceAll("/", "\\"), wide, hidden];
    for (const spelling of spellings) assert.equal(verdictOn(spelling), "confirm", spelling);
    assert.equal(verdictOn(`sub/${path}`), "confirm", `sub/${path}`);
  }
});

test("a name that leads to a protected file needs confirmation and shows its target", () => {
  const permission = permissionFor(
    { folder: "work", path: "notes.txt" },
    { ...standing, real: ".vscode/tasks.json" },
  );
  assert.deepEqual(permission, {
    verdict: "confirm",
    reasons: [message("cautionEditor")],
    real: ".vscode/tasks.json",
  });
});

const allowed = [
  ...["a.txt", "src/main.ts", "vscode/settings.json", "my.vscode.txt", "docs/environment.md", "git/config"],
  ...["env.ts", ".gitignore", ".github/ISSUE_TEMPLATE.md", "src/.gitkeep", "package.json.md", "lock.ts"],
  ...["con-man.txt", "auxiliary.c", "nullable.ts", "com10.txt", "a b.txt", "[id].tsx", "ünï.txt", "日本.md"],
  ...["$types.ts", "a$b.ts", "50%.txt", "100%25.txt", "...a", "a..b", "..a", ".a.b", "src/a~b.txt"],
];

test("an ordinary file is allowed", () => {
  for (const path of allowed) assert.equal(verdictOn(path), "allow", path);
});

const denied = [
  ...["", " ", ".", "./", "..", "../a", "a/..", "a/../../b", "..\\a", "a\\..\\..\\b", ".. /a", " ../a"],
  ...["/etc/passwd", "\\a", "C:\\a", "c:/a", "C:a", "\\\\host\\share\\a", "//host/share/a", "\\\\?\\C:\\a"],
  ...["file:///a", "http://host/a", "vscode-userdata:/a", "untitled:a", "a.txt:stream", "a:b/c"],
  ...[
    "~/a",
    "~",
    "$HOME/a",
    "$" + "{workspaceFolder}/a",
    "%APPDATA%/a",
    "%2e%2e/a",
    "a/%2E%2E/b",
    "..%2fa",
    "..%5ca",
  ],
  ...["．．/a", "‥/a", "..／a", "a／../b", "..∕a".replace("∕", "＼")],
  ...["a\0b", "a\nb", "a\u0007b", "a\u202Eb", "a\u2066b", "a\u200Fb", "x".repeat(256), "é".repeat(128)],
  ...[
    `${"a/".repeat(2100)}b`,
    "con",
    "CON.txt",
    "sub/nul",
    "aux.c",
    "prn",
    "com1",
    "LPT9.txt",
    "COM¹",
    "conin$",
  ],
  ...[
    "a.",
    "a ",
    "a./b",
    "a /b",
    "...",
    "a<b",
    "a>b",
    'a"b',
    "a|b",
    "a?b",
    "a*b",
    "PROGRA~1/a",
    "GIT~1/config",
  ],
  ...[
    ".git",
    ".git/config",
    "sub/.git/hooks/x",
    ".GIT/config",
    ".Git",
    ".gi\u200Ct/config",
    ".ｇｉｔ/config",
  ],
  ...["．git/config", ".g\u00ADit/config", ".git/", "a.ipynb ", "a.ipynｂ"],
];

test("a path that leads out, upwards, into .git or to a device is denied by its name alone", () => {
  for (const path of denied) assert.equal(verdictOn(path), "deny", JSON.stringify(path));
});

test("a file that leads out, is guarded or really lies in .git is denied", () => {
  assert.equal(verdictOn("a.txt", { real: undefined }), "deny");
  assert.equal(verdictOn("a.txt", { guarded: true }), "deny");
  assert.equal(verdictOn("a.txt", { real: ".git/config" }), "deny");
  assert.equal(verdictOn("a.txt", { real: "sub/.GIT/config" }), "deny");
  assert.equal(verdictOn("a.txt", { names: 2 }), "confirm");
});

test("a notebook is allowed by its own name, and denied under another one or as a link to something else", () => {
  for (const path of ["a.ipynb", "sub/A.IPYNB"]) assert.equal(verdictOn(path), "allow");
  assert.equal(verdictOn("a.txt", { real: "a.ipynb" }), "deny");
  assert.equal(verdictOn("a.ipynb", { real: "a.txt" }), "deny");
});

test("a path in a workspace of several folders begins with a folder's name and stays in that folder", async () => {
  const folders = ["app", "lib"];
  assert.deepEqual(readPath("lib/src/a.ts", folders), {
    kind: "named",
    file: { folder: "lib", path: "src/a.ts" },
  });
  for (const typed of ["a.ts", "other/a.ts", "app", "LIB/a.ts", "app/../lib/a.ts", "lib//", "lib/.git/x"]) {
    assert.equal(readPath(typed, folders).kind, "denied", typed);
  }
  assert.equal(readPath("a.ts", []).kind, "denied");
  const workspace = new MemoryWorkspace({ "app/a.ts": "one\n", "lib/a.ts": "one\n" }, folders);
  const patch = ["*** Begin Patch", "*** Update File: lib/a.ts", "-one", "+two", "*** End Patch"].join("\n");
  const { changes } = await planPatch(patch, workspace);
  workspace.apply(changes);
  assert.deepEqual(Object.fromEntries(workspace.files), { "app/a.ts": "one\n", "lib/a.ts": "two\n" });
  await assert.rejects(planPatch(patch.replace("lib/", ""), workspace), (error) => {
    assert.ok(error instanceof PatchError);
    assert.equal(
      error.message,
      'The patch names "a.ts", which is not allowed: with several folders open it must begin with one of app, lib.',
    );
    return true;
  });
});

test("an absolute path into a workspace folder is accepted, and one beside it is denied", () => {
  const roots = [
    { folder: "app", path: "/home/me/app" },
    { folder: "lib", path: "/home/me/app/lib" },
    { folder: "win", path: "c:\\code\\win" },
  ];
  const folders = ["app", "lib", "win"];
  const named = (typed: string) => readPath(typed, folders, roots);
  const absolute = (folder: string, path: string, ...more: readonly string[]) => ({
    kind: "named",
    file: { folder, path },
    notes: ["absolute-path", ...more],
  });
  assert.deepEqual(named("/home/me/app/src/a.ts"), absolute("app", "src/a.ts"));
  assert.deepEqual(named("/home/me/app/lib/a.ts"), absolute("lib", "a.ts"));
  assert.deepEqual(named("C:\\code\\win\\a.ts"), absolute("win", "a.ts"));
  assert.deepEqual(named("C:/code/win/src/../a.ts"), {
    ...absolute("win", "a.ts", "dotted-path"),
    left: [{ folder: "win", path: "src" }],
  });
  const refused = [
    ...["/home/me/app", "/home/me/app2/a.ts", "/home/me/app/../x", "/home/me/APP/a.ts", "/etc/passwd"],
    ...["/home/me/app/.git/config", "/home/me/app/src/../../../x", "//home/me/app/a.ts", "c:/Code/win/a.ts"],
    ...["\\\\home\\me\\app\\a.ts", "file:///home/me/app/a.ts", "/home/me/app/con", "/home/./../me/app/a.ts"],
  ];
  for (const typed of refused) assert.equal(named(typed).kind, "denied", typed);
  assert.equal(readPath("/home/me/app/a.ts", ["app"]).kind, "denied");
});

test("a path may leave a folder it has entered, unless that folder is a link", async () => {
  const files = { "src/a.ts": "one\n", "src/lib/b.ts": "x\n" };
  const patch = ["*** Begin Patch", "*** Update File: src/lib/../a.ts", "-one", "+two", "*** End Patch"].join(
    "\n",
  );
  const { changes, notes } = await planPatch(patch, new MemoryWorkspace(files));
  assert.deepEqual(
    changes.map(({ file }) => file.path),
    ["src/a.ts"],
  );
  assert.deepEqual(notes, [{ code: "dotted-path", file: { folder: "work", path: "src/a.ts" } }]);
  const linked = new MemoryWorkspace(files);
  const look = linked.look.bind(linked);
  linked.look = async (file) => ({ ...(await look(file)), link: file.path === "src/lib" });
  await assert.rejects(planPatch(patch, linked), /leads upwards with '\.\.'/);
});

test("a move that changes only letter case works on case-sensitive and case-insensitive disks", async () => {
  const sections = ["*** Update File: Readme.md", "*** Move to: README.md", "@@", "-one", "+two"];
  const patch = ["*** Begin Patch", ...sections, "*** End Patch"].join("\n");
  for (const foldsCase of [false, true]) {
    const workspace = new MemoryWorkspace({ "Readme.md": "one\n" }, ["work"], { foldsCase });
    workspace.apply((await planPatch(patch, workspace)).changes);
    assert.deepEqual([...workspace.files], [["README.md", "two\n"]]);
  }
});

test("dangersIn finds text that makes an editor fetch or that hides what it says", async () => {
  const fetching = [
    '{ "$schema": "https://evil.example/x.json" }',
    "$schema: https://evil.example/x",
    "# yaml-language-server: $schema=https://evil.example/x.json",
    '<!DOCTYPE a SYSTEM "http://evil.example/a.dtd">',
    '<!ENTITY x SYSTEM "https://evil.example/x">',
    '<a xsi:schemaLocation="urn:x https://evil.example/x.xsd">',
    '<?xml-stylesheet href="http://evil.example/x.xsl"?>',
    '<?xml-model href="https://evil.example/m.rng"?>',
    '{ "$schema": "https://json-schema.org@evil.example/x" }',
    '{ "$schema": "https://json-schema.org:443@evil.example/x" }',
  ];
  for (const text of fetching) {
    assert.deepEqual(dangersIn(text), [message("cautionSchema", { host: "evil.example" })], text);
  }
  assert.deepEqual(dangersIn("a\u202Eb"), [message("cautionDirection")]);
  assert.deepEqual(dangersIn("a\u{E0041}b"), [message("cautionInvisible")]);
  const plain = [
    '{ "$schema": "https://json.schemastore.org/tsconfig" }',
    '{ "$schema": "http://json-schema.org/draft-07/schema#" }',
    '<html xmlns="http://www.w3.org/1999/xhtml">',
    "const url = 'https://example.com';",
    "עברית and 👩‍👩‍👧",
  ];
  for (const text of plain) assert.deepEqual(dangersIn(text), [], text);
  // Openings by the thousand, none of them closed.
  for (const opening of ["<!DOCTYPE ", "<?xml-", 'schemaLocation="', "$schema: ", "<!ENTITY '"]) {
    await yieldToEventLoop();
    assert.deepEqual(dangersIn(opening.repeat(90_000)), [], opening);
  }
});

describe("the .git folder", () => {
  test("is denied by its name in any spelling", () => {
    for (const name of [".git", ".GIT", ".Git", ".gIt", "．git", ".g\u200bit", ".ＧＩＴ"])
      for (const path of [name, `${name}/config`, `sub/${name}/hooks/pre-commit`])
        assert.deepEqual(readPath(path, ["work"]), { kind: "denied", why: message("whyGit") }, path);
  });
});
