import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ProblemKind } from "../../../src/conversation/problem.ts";
import type { DeleteOutcome } from "../../../src/service/request.ts";
import {
  DeleteMany,
  type DeleteProgress,
  type FileOutcome,
} from "../../../src/uploaded-files/internal/delete-files.ts";
import { closeBeforeHeaders, cutAfter, resetBeforeHeaders } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import type { Part } from "../../sim/script.ts";
import { verbatim } from "../../support/english.ts";
import { simulatedClient } from "../../support/simulated-client.ts";

const never = new AbortController().signal;
const ids = (count: number) => Array.from({ length: count }, (_, at) => `file-${at}`);

/** Watches progress as a person would: it never goes back and always adds up. */
function honest() {
  const seen: DeleteProgress[] = [];
  return {
    seen,
    watch(now: DeleteProgress) {
      const before = seen.at(-1);
      assert.ok(now.done >= (before?.done ?? 0) && now.done <= now.total);
      assert.equal(
        Object.values(now.outcomes).reduce((sum, count) => sum + count, 0),
        now.done,
      );
      assert.ok(now.running.length <= 4 && now.done + now.running.length <= now.total);
      seen.push(now);
    },
  };
}

async function overHttp(t: TestContext, files: readonly string[]) {
  const { sim, client } = await simulatedClient(t, { files }, { random: () => 0.5 });
  const asked = new Set<string>();
  const many = new DeleteMany({
    async deleteFile(id, signal) {
      assert.ok(!asked.has(id), `${id} is sent twice at once`);
      asked.add(id);
      try {
        return await client.deleteFile(id, signal);
      } finally {
        asked.delete(id);
      }
    },
  });
  return { sim, many };
}

test("DeleteMany reports each of 120 outcomes correctly under faults, with consistent progress", async (t) => {
  const there = ids(120).filter((_, at) => at % 10 !== 0);
  const { sim, many } = await overHttp(t, there);
  const trouble: readonly (readonly Part[])[] = [
    [status(500)],
    [cutAfter(0, "reset")],
    [],
    [resetBeforeHeaders()],
    [],
    [status(503)],
    [],
    [],
    [closeBeforeHeaders()],
    [],
    [],
    [],
  ];
  for (let at = 0; at < 156; at += 1) sim.replyTo("delete", ...(trouble[at % trouble.length] ?? []));
  const { seen, watch } = honest();
  const outcomes = await many.run(ids(120), watch, never);
  assert.deepEqual(
    outcomes.map(({ id }) => id),
    ids(120),
  );
  const gone = new Set(["deleted", "gone"]);
  for (const { id, outcome, problem } of outcomes) {
    assert.equal(problem === undefined, gone.has(outcome), `${id} ${outcome}`);
    if (gone.has(outcome)) assert.ok(!sim.files.has(id), `${id} is said to be deleted and is there`);
    if (outcome === "deleted") assert.ok(there.includes(id));
    if (outcome === "not-found") assert.ok(!there.includes(id), `${id} was there`);
  }
  const count = (wanted: FileOutcome["outcome"]) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  assert.ok(
    count("deleted") > 72 && count("gone") > 1 && count("not-found") > 4,
    JSON.stringify(seen.at(-1)),
  );
  assert.equal(seen.at(-1)?.done, 120);
  assert.equal(count("not-tried") + count("unsure"), 0);
});

test("DeleteMany retries failed files and counts a 404 after a lost response as gone", async (t) => {
  const { sim, many } = await overHttp(t, ids(2));
  for (const [part] of [[cutAfter(0, "reset")], [status(500)], [status(500)]] as const)
    sim.replyTo("delete", part);
  const [lost] = await many.run(["file-0"], () => {}, never);
  assert.equal(lost?.outcome, "failed");
  assert.equal(sim.files.has("file-0"), false);
  const again = await many.run(["file-0", "file-1", "file-9"], () => {}, never);
  assert.deepEqual(
    again.map(({ outcome }) => outcome),
    ["gone", "deleted", "not-found"],
  );
});

test("DeleteMany stops after a wrong key and reports it for each remaining file", async (t) => {
  const { sim, many } = await overHttp(t, ids(30));
  for (let at = 0; at < 4; at += 1) sim.replyTo("delete", status(401));
  const outcomes = await many.run(ids(30), () => {}, never);
  const tried = outcomes.filter(({ outcome }) => outcome !== "not-tried");
  assert.ok(tried.length <= 8, `${tried.length} were tried`);
  for (const { outcome, problem } of outcomes)
    if (outcome === "not-tried") assert.equal(problem?.kind, "auth");
  assert.equal(sim.files.size + outcomes.filter(({ outcome }) => outcome === "deleted").length, 30);
});

/** Deletions whose answers the test gives. */
function held() {
  const open = new Map<string, (outcome: DeleteOutcome) => void>();
  const sent: string[] = [];
  const many = new DeleteMany({
    deleteFile: (id, signal) =>
      new Promise((resolve) => {
        sent.push(id);
        open.set(id, resolve);
        signal.addEventListener("abort", () => resolve(failure("refused-locally")));
      }),
  });
  const answer = async (id: string, outcome: DeleteOutcome = { status: "deleted" }) => {
    open.get(id)?.(outcome);
    await setImmediate();
  };
  return { many, sent, answer };
}

const failure = (kind: ProblemKind): DeleteOutcome => ({
  status: "failed",
  problem: { kind, message: verbatim("No."), actions: [] },
});

test("DeleteMany runs four deletions at a time and sends a repeated ID once", async () => {
  const { many, sent, answer } = held();
  const { watch } = honest();
  const run = many.run(["a", "b", "a", "c", "d", "e"], watch, never);
  const other = many.run(["b", "a"], () => {}, never);
  await setImmediate();
  assert.deepEqual(sent, ["a", "b", "c", "d"]);
  for (const id of ["a", "b", "c", "d", "e"]) await answer(id);
  assert.deepEqual(sent, ["a", "b", "c", "d", "e"]);
  assert.equal((await run).length, 5);
  assert.deepEqual(
    (await other).map(({ outcome }) => outcome),
    ["deleted", "deleted"],
  );
});

test("DeleteMany sends nothing after an abort and reports running deletions as unsure", async () => {
  const { many, sent, answer } = held();
  const { watch, seen } = honest();
  const off = new AbortController();
  const run = many.run(ids(20), watch, off.signal);
  await setImmediate();
  await answer("file-0");
  off.abort();
  const outcomes = await run;
  assert.deepEqual(sent, ids(5));
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ["deleted", ...Array(4).fill("unsure"), ...Array(15).fill("not-tried")],
  );
  assert.equal(seen.at(-1)?.done, 20);
  const later = many.run(["file-1"], () => {}, never);
  await setImmediate();
  await answer("file-1", { status: "not-found" });
  assert.deepEqual(
    (await later).map(({ outcome }) => outcome),
    ["gone"],
  );
});

test("DeleteMany stops after five network failures in a row", async () => {
  let sent = 0;
  const many = new DeleteMany({
    deleteFile: async () => {
      sent += 1;
      return failure("network");
    },
  });
  const outcomes = await many.run(ids(100), () => {}, never);
  assert.ok(sent <= 8, `${sent} were sent`);
  assert.equal(outcomes.at(-1)?.outcome, "not-tried");
  assert.equal(outcomes.at(-1)?.problem?.kind, "network");
});

test("DeleteMany fails only the file whose operation throws", async () => {
  const many = new DeleteMany({
    deleteFile: (id) =>
      id === "a" ? Promise.reject(new Error()) : Promise.resolve({ status: "deleted" as const }),
  });
  const outcomes = await many.run(["a", "b"], () => {}, never);
  assert.deepEqual(
    outcomes.map(({ outcome, problem }) => [outcome, problem?.kind]),
    [
      ["failed", "bug"],
      ["deleted", undefined],
    ],
  );
});

test("DeleteMany reports not-found when the service denied the deletion before", async () => {
  const answers: DeleteOutcome[] = [
    {
      status: "failed",
      denied: true,
      problem: { kind: "protocol", message: verbatim("Not deleted."), actions: [] },
    },
    { status: "not-found" },
  ];
  const many = new DeleteMany({ deleteFile: async () => answers.shift() ?? { status: "deleted" } });
  const run = () => many.run(["file-1"], () => {}, never);
  assert.equal((await run())[0]?.outcome, "failed");
  assert.equal((await run())[0]?.outcome, "not-found");
});
