// The list of uploaded files: ids as they are pasted, shared by windows, never lost.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { addFiles, FileLedger, forgetFiles, recordOutcome } from "../../../src/uploaded-files/file-ledger.ts";
import { findFileIds } from "../../../src/uploaded-files/internal/find-file-ids.ts";
import { english, verbatim } from "../../support/english.ts";
import { temporaryFolder } from "../store/store-support.ts";

test("findFileIds finds each ID once in pasted text", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", []],
    ["abc", ["abc"]],
    [" a1, b2;\n c3\r\n\tb2 ", ["a1", "b2", "c3"]],
    ['["a1","b2"]', ["a1", "b2"]],
    ['{"data":[{"id":"file-1","bytes":12,"filename":"report.pdf"},{"id":"file-2"}]}', ["file-1", "file-2"]],
    ["id,name\nfile_9,notes.txt\nfile_8,more.txt", ["file_9", "file_8"]],
    ["Please delete file-77 today", ["file-77"]],
    ["a/b?c=d", ["a/b?c=d"]],
  ];
  for (const [text, ids] of cases) assert.deepEqual(findFileIds(text).ids, ids, text);
});

test("findFileIds gives a reason for invalid IDs and cuts off too many", () => {
  const found = findFileIds(`.. good ${"x".repeat(300)} \u0007`);
  assert.deepEqual(found.ids, ["good"]);
  assert.equal(found.refused.length, 3);
  for (const { message } of found.refused) assert.match(english(message), /^(A|The) file ID .*\.$/);
  const many = findFileIds(Array.from({ length: 10_500 }, (_, at) => `id${at}`).join("\n"));
  assert.equal(many.ids.length, 10_000);
  assert.ok(many.tooMany);
});

test("the file ledger is shared by windows without losing changes", async (t) => {
  const folder = temporaryFolder(t);
  const [here, there] = [new FileLedger(nodeFileSystem, folder), new FileLedger(nodeFileSystem, folder)];
  const changes = Array.from({ length: 12 }, (_, at) =>
    (at % 2 === 0 ? here : there).change((entries) => addFiles(entries, [`f${at}`, "shared"], at)),
  );
  await Promise.all(changes);
  const ids = (await here.read()).map(({ id }) => id);
  assert.equal(ids.length, 13);
  assert.equal(new Set(ids).size, 13);
  await here.change((entries) => forgetFiles(entries, new Set(["f3"])));
  const after = await there.read();
  assert.equal(after.length, 12);
  assert.deepEqual(readdirSync(folder), ["files.json"]);
});

test("recordOutcome saves the outcome of a deletion and leaves an untried file unchanged", () => {
  const problem = { kind: "server" as const, message: verbatim("The service failed."), actions: [] };
  const [entry] = addFiles([], ["f"], 1);
  assert.ok(entry);
  const after = (outcome: Parameters<typeof recordOutcome>[1]) => recordOutcome([entry], outcome, 9)[0];
  assert.equal(after({ id: "f", outcome: "deleted" })?.state, "deleted");
  assert.equal(after({ id: "f", outcome: "gone" })?.state, "deleted");
  assert.equal(after({ id: "f", outcome: "not-found" })?.state, "absent");
  assert.equal(after({ id: "f", outcome: "unsure" })?.state, "unsure");
  assert.deepEqual(after({ id: "f", outcome: "failed", problem }), {
    ...{ id: "f", addedAt: 1, state: "failed", changedAt: 9, message: verbatim("The service failed.") },
  });
  assert.equal(after({ id: "f", outcome: "not-tried", problem }), entry);
  const failed = recordOutcome([entry], { id: "f", outcome: "failed", problem }, 9);
  assert.equal("message" in (recordOutcome(failed, { id: "f", outcome: "deleted" }, 10)[0] ?? {}), false);
});

test("the file ledger does not touch a list of a newer version", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "files.json");
  const ledger = new FileLedger(nodeFileSystem, folder);
  const newer = '{"version":2,"files":{}}';
  writeFileSync(path, newer);
  await assert.rejects(
    ledger.change((entries) => addFiles(entries, ["g"], 1)),
    /newer version/,
  );
  assert.equal(readFileSync(path, "utf8"), newer);
});
