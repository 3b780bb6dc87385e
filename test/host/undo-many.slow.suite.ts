// A task over hundreds of files, taken back in the real extension host: as one step, whatever its size. How long that took is
// printed, for people to read.
import { strict as assert } from "node:assert";
import { appendFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { diskPathsOf } from "../../src/editor/workspace/file-uris.ts";
import { readClosedFiles, writeClosedFiles } from "../../src/editor/workspace/internal/closed-files.ts";
import { SymlinkRaceGuard } from "../../src/editor/workspace/internal/symlink-race-guard.ts";
import type { Workspace } from "../../src/files/workspace.ts";
import { onDisk, patchOf, plan, put, show, testWorkspace, uriOf } from "./support/files.ts";
import { reviewForEach } from "./support/review-fixture.ts";

/** The long run is the one of the issue. */
const count = process.env["PATCHBAY_LONG"] === undefined ? 60 : 400;
/** A patch may have so many. */
const most = 200;

const row = (at: number) => `line ${at} of some code, as long as lines are`;
const text = Array.from({ length: 100 }, (_, at) => `${row(at)}\n`).join("");

const update = (path: string) => [
  `*** Update File: ${path}`,
  ...Array.from({ length: 10 }, (_, hunk) => hunk * 10 + 4).flatMap((at) => [
    ...["@@", ` ${row(at - 1)}`],
    ...[`-${row(at)}`, `+changed ${at}`, ` ${row(at + 1)}`],
  ]),
];

/** The console of the host is the workbench's. */
const say = (line: string) =>
  appendFileSync(process.env["PATCHBAY_SUITES_OUTPUT"] ?? "/dev/null", `${line}\n`);

describe(`${count} files with ten accepted changes each`, function () {
  this.timeout(600_000);
  const steps: number[] = [];
  const workspace = testWorkspace({ savesAfterApply: () => true });
  const counting: Workspace = {
    ...workspace,
    apply(changes, ...rest) {
      steps.push(changes.length);
      return workspace.apply(changes, ...rest);
    },
  };

  const review = reviewForEach(undefined, () => counting);

  it("are undone in one step across several calls", async () => {
    const paths = Array.from({ length: count }, (_, at) => `many/folder-${at % 20}/file-${at}.txt`);
    for (const path of paths) await put(path, text);
    const half = Math.min(most, count / 2);
    const calls: string[] = [];
    for (let at = 0; at < count; at += half) {
      const { call } = await review.propose(patchOf(...paths.slice(at, at + half).flatMap(update)));
      calls.push(call);
    }
    await review.desk.acceptAll(review.file().set);
    for (const path of paths) assert.notEqual(await onDisk(path), text, path);
    steps.length = 0;
    const began = performance.now();
    assert.deepEqual(await review.changes.undo(calls), { outcome: "done", left: [] });
    say(`    ${count} files × 10 changes taken back in ${Math.round(performance.now() - began)} ms`);
    assert.deepEqual(steps, [count]);
    for (const path of paths) assert.equal(await onDisk(path), text, path);
  });

  it("are written without being opened when closed, and keep their line endings", async () => {
    const paths = Array.from({ length: 60 }, (_, at) => `closed/file-${at}.txt`);
    for (const path of paths) await put(path, text);
    const bare = "\u00e4 one\r\ntwo\r\nthree\r\n";
    const wanted = ["*** Update File: closed/returns.txt", "@@", "-two", "+zwei"];
    await put("closed/returns.txt", bare);
    const changes = await plan(patchOf(...paths.flatMap(update), ...wanted), workspace);
    const opened: string[] = [];
    const listening = vscode.workspace.onDidOpenTextDocument(({ uri }) => opened.push(uri.path));
    const began = performance.now();
    assert.deepEqual(await workspace.apply(changes, "test", "undo"), { outcome: "applied" });
    say(`    ${changes.length} closed files written in ${Math.round(performance.now() - began)} ms`);
    listening.dispose();
    assert.deepEqual(opened, []);
    for (const path of paths) assert.notEqual(await onDisk(path), text, path);
    const returns = await vscode.workspace.fs.readFile(uriOf("closed/returns.txt"));
    assert.equal(Buffer.from(returns).toString(), bare.replace("two", "zwei"));
  });

  describe("the files that are written on disk", () => {
    const hunk = ["@@", "-two", "+zwei"];
    const before = "one\ntwo\nthree\n";
    const names = ["one", "two", "three"].map((name) => `closed/${name}.txt`);

    async function read(files: Readonly<Record<string, string | Uint8Array>>) {
      for (const [path, content] of Object.entries(files)) await put(path, content);
      const patch = patchOf(...Object.keys(files).flatMap((path) => [`*** Update File: ${path}`, ...hunk]));
      const changes = await plan(patch, workspace);
      const { way } = await new SymlinkRaceGuard().takeSnapshot(diskPathsOf(changes));
      assert(way !== undefined);
      return { changes, way, files: await readClosedFiles(changes, 0, () => true) };
    }

    it("exclude open files and those with a byte order mark or mixed line endings", async () => {
      await put("closed/open.txt", before);
      await show("closed/open.txt");
      const { files } = await read({
        ...{ "closed/open.txt": before, "closed/plain.txt": before },
        "closed/marked.txt": `\ufeff${before}`,
        "closed/mixed.txt": "one\r\ntwo\nthree\n",
      });
      assert.deepEqual(
        files.map(({ change }) => change.file.path),
        ["closed/plain.txt"],
      );
    });

    it("stay unchanged when one was written, replaced or opened meanwhile", async () => {
      const meddle: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
        written: (path) => writeFile(uriOf(path).fsPath, "theirs\n"),
        replaced: async (path) => {
          await writeFile(`${uriOf(path).fsPath}.new`, before);
          await rename(`${uriOf(path).fsPath}.new`, uriOf(path).fsPath);
        },
        opened: show,
      };
      for (const [how, meddles] of Object.entries(meddle)) {
        const { files, way } = await read(Object.fromEntries(names.map((path) => [path, before])));
        assert.equal(files.length, 3);
        await meddles("closed/two.txt");
        assert.deepEqual(await writeClosedFiles(files, way), { outcome: "stale", left: [] }, how);
        assert.equal(await onDisk("closed/one.txt"), before);
        assert.equal(await onDisk("closed/two.txt"), how === "written" ? "theirs\n" : before);
        assert.equal(await onDisk("closed/three.txt"), before);
      }
    });
  });
});
