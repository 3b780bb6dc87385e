import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { FileLedger } from "../../../src/uploaded-files/file-ledger.ts";
import { createUploadedFiles } from "../../../src/uploaded-files/uploaded-files.ts";
import { cutAfter, resetBeforeHeaders } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { simulatedClient } from "../../support/simulated-client.ts";

const never = new AbortController().signal;
const ids = (count: number) => Array.from({ length: count }, (_, at) => `file-${at}`);

async function start(t: TestContext, there: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-files-"));
  const { sim, client } = await simulatedClient(t, { files: there });
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const underWay = new Set<string>();
  const open = () =>
    createUploadedFiles({
      ledger: new FileLedger(nodeFileSystem, folder),
      async deleteFile(id, signal) {
        assert.ok(!underWay.has(id), `${id} is sent twice at once`);
        underWay.add(id);
        return client.deleteFile(id, signal).finally(() => underWay.delete(id));
      },
      async *search(text) {
        const hit = { turn: "t", excerpt: text, start: 0, length: text.length };
        if (text === "file-1") {
          yield { conversation: "a", title: "About files", ...hit };
          yield { conversation: "a", title: "About files", ...hit, turn: "u" };
          yield { conversation: "b", title: "More", ...hit };
        }
      },
      now: () => 1_700_000_000_000,
    });
  return { sim, open, files: open() };
}

test("uploaded files adds each pasted ID once and keeps the list in the next window", async (t) => {
  const { files, open, sim } = await start(t, []);
  const first = await files.add('{"data":[{"id":"file-a"},{"id":"file-b"}]}');
  assert.deepEqual([first.added, first.ids], [2, ["file-a", "file-b"]]);
  assert.equal((await files.add("file-b, file-c")).added, 1);
  assert.equal((await files.add("")).added, 0);
  await files.forget(["file-a"]);
  assert.deepEqual(
    (await open().list()).map(({ id, state }) => [id, state]),
    [
      ["file-b", "listed"],
      ["file-c", "listed"],
    ],
  );
  assert.equal(sim.requests.length, 0);
});

test("uploaded files records the outcome of 60 deletions under faults, with consistent progress", async (t) => {
  const there = ids(60).filter((_, at) => at % 10 !== 0);
  const { files, open, sim } = await start(t, there);
  await files.add(ids(60).join("\n"));
  for (let at = 0; at < 72; at += 1)
    sim.replyTo(
      "delete",
      ...([[status(500)], [], [cutAfter(0, "reset")], [], [resetBeforeHeaders()], []][at % 6] ?? []),
    );
  let before = 0;
  let drawn = 0;
  files.onDidChange(() => {
    drawn += 1;
  });
  const outcomes = await files.delete(
    ids(60),
    ({ done, total, running }) => {
      assert.ok(done >= before && done + running.length <= total && total === 60);
      for (const id of running) assert.ok(files.isDeleting(id));
      before = done;
    },
    never,
  );
  assert.ok(before === 60 && drawn > 0);
  const states = new Map((await open().list()).map(({ id, state }) => [id, state]));
  const expected = { deleted: "deleted", gone: "deleted", "not-found": "absent", failed: "failed" };
  for (const { id, outcome } of outcomes) {
    assert.equal(states.get(id), (expected as Record<string, string>)[outcome], `${id} ${outcome}`);
    assert.equal(files.isDeleting(id), false);
    if (states.get(id) === "deleted") assert.ok(!sim.files.has(id));
    if (outcome === "deleted") assert.ok(there.includes(id));
    if (states.get(id) === "absent") assert.ok(!there.includes(id));
  }
  assert.ok(sim.requests.every(({ method, path }) => method === "DELETE" && path.startsWith("/v1/files/")));
});

test("uploaded files marks a cancelled deletion as deleted when another window finds the file gone", async (t) => {
  const { files, open, sim } = await start(t, ["file-1"]);
  await files.add("file-1");
  sim.replyTo("delete", cutAfter(0, "hang"));
  const off = new AbortController();
  const [first] = await files.delete(
    ["file-1"],
    ({ running }) => {
      // The service has deleted it, its answer hangs.
      if (running.length > 0) void gone().then(() => off.abort());
    },
    off.signal,
  );
  async function gone(): Promise<void> {
    while (sim.files.has("file-1")) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(first?.outcome, "unsure");
  assert.equal((await files.list())[0]?.state, "unsure");
  const later = open();
  const [second] = await later.delete(["file-1"], () => {}, never);
  assert.equal(second?.outcome, "gone");
  assert.equal((await later.list())[0]?.state, "deleted");
});

test("usesOf names each conversation with an ID once", async (t) => {
  const { files } = await start(t, []);
  assert.deepEqual(await files.usesOf("file-1", never), [
    { conversation: "a", title: "About files" },
    { conversation: "b", title: "More" },
  ]);
  assert.deepEqual(await files.usesOf("file-2", never), []);
});

test("the quota is only mentioned in one sentence, and no code counts or requests it", () => {
  const sources = readdirSync("src", { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [name, readFileSync(join("src", name), "utf8")] as const);
  const naming = sources.filter(([, source]) => source.includes("10 GiB")).map(([name]) => name);
  assert.deepEqual(naming, ["uploaded-files/editor/internal/files-view.ts"]);
  assert.deepEqual(
    sources.filter(([, source]) => /\bquota(Bytes|Used|Left)\b|\/v1\/files["`]/.test(source)),
    [],
  );
});
