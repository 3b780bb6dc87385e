// What only a real disk has: links, hard links, modes, pipes, and files that are too much.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { applyToFolder } from "../../support/disk-workspace.ts";

let base = "";
let root = "";

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "patchbay-"));
  root = join(base, "work");
  mkdirSync(root);
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside/secret.txt"), "old\n");
});
afterEach(() => rmSync(base, { recursive: true }));

const patch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const update = (path: string) => patch(`*** Update File: ${path}`, "@@", "-old", "+new");
const textOf = (path: string) => readFileSync(join(base, path), "utf8");

async function refusal(text: string): Promise<string> {
  const error = await applyToFolder(root, text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PatchError, String(error ?? "The patch was applied."));
  return error.message;
}

const leadsOut = (path: string) =>
  `The patch names "${path}", which is not allowed: it leads out of the folder through a link.`;

test("patching a link keeps the link and changes the file behind it", async () => {
  mkdirSync(join(root, "d"));
  writeFileSync(join(root, "d/real.txt"), "old\n");
  symlinkSync("d/real.txt", join(root, "link.txt"));
  const plan = await applyToFolder(root, update("link.txt"));
  assert.equal(plan.changes[0]?.permission.real, "d/real.txt");
  assert.equal(readlinkSync(join(root, "link.txt")), "d/real.txt");
  assert.equal(textOf("work/d/real.txt"), "new\n");
});

test("a path that leads out of the folder is refused through any link: file, folder, chain or dangling", async () => {
  symlinkSync("../outside/secret.txt", join(root, "file.txt"));
  symlinkSync("../outside", join(root, "dir"));
  symlinkSync("dir", join(root, "chain"));
  symlinkSync(join(base, "outside/secret.txt"), join(root, "absolute.txt"));
  symlinkSync("../outside/new.txt", join(root, "dangling.txt"));
  for (const path of ["file.txt", "dir/secret.txt", "chain/secret.txt", "absolute.txt"]) {
    assert.equal(await refusal(update(path)), leadsOut(path));
    assert.equal(await refusal(patch(`*** Delete File: ${path}`)), leadsOut(path));
  }
  for (const path of ["dir/new.txt", "chain/sub/new.txt", "dangling.txt"]) {
    assert.equal(await refusal(patch(`*** Add File: ${path}`, "+x")), leadsOut(path));
  }
  writeFileSync(join(root, "a.txt"), "old\n");
  assert.equal(
    await refusal(patch("*** Update File: a.txt", "*** Move to: dir/a.txt")),
    leadsOut("dir/a.txt"),
  );
  assert.deepEqual(readdirSync(join(base, "outside")), ["secret.txt"]);
  assert.equal(textOf("outside/secret.txt"), "old\n");
});

test("a link is neither deleted nor moved", async () => {
  writeFileSync(join(root, "real.txt"), "old\n");
  symlinkSync("real.txt", join(root, "link.txt"));
  assert.equal(
    await refusal(patch("*** Delete File: link.txt")),
    "link.txt cannot be patched: it is a link, and what it points to would stay.",
  );
  assert.equal(
    await refusal(patch("*** Update File: link.txt", "*** Move to: b.txt")),
    "link.txt cannot be patched: it is a link.",
  );
  assert.equal(
    await refusal(patch("*** Update File: real.txt", "*** Move to: link.txt")),
    "real.txt cannot be patched: it would be moved onto itself.",
  );
  assert.deepEqual(readdirSync(root).sort(), ["link.txt", "real.txt"]);
});

test("hunks for a file and for a link to it are applied together", async () => {
  writeFileSync(join(root, "real.txt"), "one\ntwo\n");
  symlinkSync("real.txt", join(root, "link.txt"));
  const both = ["*** Update File: real.txt", "-one", "+1", "*** Update File: link.txt", "-two", "+2"];
  await applyToFolder(root, patch(...both));
  assert.equal(textOf("work/real.txt"), "1\n2\n");
});

test("a hard-linked file needs confirmation, and its other name keeps its text", async () => {
  linkSync(join(base, "outside/secret.txt"), join(root, "hard.txt"));
  const plan = await applyToFolder(root, update("hard.txt"));
  assert.deepEqual(plan.changes[0]?.permission.reasons, [message("cautionHardLink")]);
  assert.equal(textOf("work/hard.txt"), "new\n");
  assert.equal(textOf("outside/secret.txt"), "old\n");
});

test("a link into the .git folder is refused, and one to a protected file needs confirmation", async () => {
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, ".vscode"));
  writeFileSync(join(root, ".git/config"), "old\n");
  writeFileSync(join(root, ".vscode/tasks.json"), "old\n");
  symlinkSync(".git", join(root, "g"));
  symlinkSync(".vscode/tasks.json", join(root, "notes.txt"));
  assert.equal(
    await refusal(update("g/config")),
    'The patch names "g/config", which is not allowed: it lies in Git\'s own folder.',
  );
  const plan = await applyToFolder(root, update("notes.txt"));
  assert.deepEqual(plan.changes[0]?.permission.reasons, [message("cautionEditor")]);
});

test("a patched file keeps its mode, also when it is moved", async () => {
  writeFileSync(join(root, "run.sh"), "old\n");
  chmodSync(join(root, "run.sh"), 0o755);
  await applyToFolder(root, update("run.sh"));
  assert.equal(statSync(join(root, "run.sh")).mode & 0o777, 0o755);
  await applyToFolder(root, patch("*** Update File: run.sh", "*** Move to: bin/run.sh"));
  assert.equal(statSync(join(root, "bin/run.sh")).mode & 0o777, 0o755);
});

test("a file that cannot be patched as text is refused with the reason", async () => {
  writeFileSync(join(root, "locked.txt"), "old\n");
  chmodSync(join(root, "locked.txt"), 0o444);
  writeFileSync(join(root, "large.txt"), "old\n".repeat(1_250_001));
  writeFileSync(join(root, "long.txt"), "\n".repeat(300_001));
  writeFileSync(join(root, "binary.dat"), "old\n\0");
  execFileSync("mkfifo", [join(root, "pipe")]);
  mkdirSync(join(root, "folder"));
  const reasons = {
    "locked.txt": "it is read-only",
    "large.txt": "it is larger than 5 MB",
    "long.txt": "it has more than 300,000 lines",
    "binary.dat": "it is not a text file",
    pipe: "it is neither a file nor a folder",
    folder: "it is a folder",
  };
  for (const [path, why] of Object.entries(reasons)) {
    assert.equal(await refusal(update(path)), `${path} cannot be patched: ${why}.`);
  }
});

test("a failure halfway through applying restores every file", async () => {
  for (const name of ["a", "b", "c"]) writeFileSync(join(root, `${name}.txt`), "old\n");
  mkdirSync(join(root, "full"));
  const sections = ["a", "b", "c"].flatMap((name) => [`*** Update File: ${name}.txt`, "-old", "+new"]);
  // A name that the disk refuses although the policy allows it: the path as a whole is too long.
  const deep = `${"d".repeat(200)}/`.repeat(20);
  await assert.rejects(applyToFolder(root, patch(...sections, `*** Add File: full/${deep}x.txt`, "+x")));
  assert.deepEqual(readdirSync(root).sort(), ["a.txt", "b.txt", "c.txt", "full"]);
  for (const name of ["a", "b", "c"]) assert.equal(textOf(`work/${name}.txt`), "old\n");
  assert.deepEqual(readdirSync(join(root, "full")), []);
});
