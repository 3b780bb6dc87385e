// The thread for long work, as it is built: it begins with the first task and ends without any, and a task that it dies of is
// told.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { reversing } from "../../src/changes/plan-undo.ts";
import { hashOf, keyOf } from "../../src/changes/proposal.ts";
import type { CheckRun } from "../../src/checks/check.ts";
import { MessageError } from "../../src/conversation/english.ts";
import { message } from "../../src/conversation/messages.ts";
import { cleanText, takeOutSecrets } from "../../src/files/privacy.ts";
import { WorkerThread } from "../../src/main/internal/run-in-worker.ts";
import { comparing, mergingTexts, reverseChanges } from "../../src/patch/edits.ts";
import { defaultPathInfo } from "../../src/patch/model.ts";
import { PatchError } from "../../src/patch/patch-error.ts";
import { isLiftable, isSensitive } from "../../src/patch/paths.ts";
import { planPatch } from "../../src/patch/plan.ts";
import { rating } from "../../src/risk/file-risk.ts";
import { longText, useThread } from "../../src/util/background.ts";
import { MemoryWorkspace } from "../support/memory-workspace.ts";
import { builtWorker, workInThread } from "../support/worker-thread.ts";

const run = (code: number, output: string): CheckRun => ({ end: "done", code, output, seconds: 1 });
const error = (line: number) => `src/a.ts(${line},5): error TS2322: Wrong.\n`;

let folder: string;
let worker: string;

describe("the worker thread", () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-worker-"));
    worker = await builtWorker();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  describe("WorkerThread", () => {
    test("does several tasks that are given together, each with its own result", async () => {
      const thread = new WorkerThread(worker);
      const [first, second, third, fourth] = await Promise.all([
        thread.run("judge", { run: run(2, error(3)), baseline: run(0, "") }),
        thread.run("judge", { run: run(0, "") }),
        thread.run("judge", { run: run(2, error(3)) }),
        thread.run("clean", `${"a".repeat(100_000)}\npassword = "kD8#fj2Lq9!x"\n`),
      ]);
      await thread.close();
      assert.deepEqual(first, {
        state: "new-findings",
        findings: [{ path: "src/a.ts", line: 3, column: 5, code: "TS2322", text: "Wrong." }],
      });
      assert.deepEqual(second, { state: "passed" });
      assert.equal(third, undefined, "without the other run there is nothing to say");
      assert.equal((fourth as { readonly removed: number }).removed, 1);
    });

    test("ends when idle and is started again", async () => {
      const thread = new WorkerThread(worker, { idle: 1, longest: 30_000 });
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await thread.run("judge", { run: run(0, "") }), { state: "passed" });
        assert.ok(thread.isRunning);
        while (thread.isRunning) await setImmediate();
      }
    });

    test("tells a task that is not plain data, and continues with the next", async () => {
      const thread = new WorkerThread(worker);
      await assert.rejects(
        thread.run("clean", () => ""),
        { name: "DataCloneError" },
      );
      assert.equal(await thread.run("clean", "nothing"), "clean");
      await thread.close();
    });

    /** A thread that dies of its first tasks, and then is the real one. */
    const dying = (times: number) => {
      const file = join(folder, `dying-${times}.js`);
      const deaths = join(folder, `deaths-${times}`);
      writeFileSync(deaths, "");
      writeFileSync(
        file,
        `const fs = require("node:fs"); const { parentPort } = require("node:worker_threads");
      if (fs.readFileSync(${JSON.stringify(deaths)}, "utf8").length < ${times})
        parentPort.on("message", () => { fs.appendFileSync(${JSON.stringify(deaths)}, "x"); process.exit(1); });
      else require(${JSON.stringify(worker)});`,
      );
      return file;
    };

    const told = (thrown: unknown) => {
      assert.ok(thrown instanceof MessageError);
      assert.equal(thrown.asMessage.code, "workFailed");
      return true;
    };

    test("repeats a task of which the thread has died", async () => {
      const thread = new WorkerThread(dying(1));
      assert.equal(await thread.run("clean", "nothing"), "clean");
      await thread.close();
    });

    test("tells a task of which two threads have died, and no other that waited behind it", async () => {
      const thread = new WorkerThread(dying(2));
      const [first, second] = await Promise.allSettled([
        thread.run("clean", "one"),
        thread.run("clean", "two"),
      ]);
      assert.equal(first?.status, "rejected");
      assert.ok(told(first.reason));
      assert.deepEqual(second, { status: "fulfilled", value: "clean" });
      await thread.close();
    });

    test("tells a task that takes too long", async () => {
      const file = join(folder, "silent.js");
      writeFileSync(file, 'require("node:worker_threads").parentPort.on("message", () => {});');
      const thread = new WorkerThread(file, { idle: 1000, longest: 20 });
      await assert.rejects(thread.run("clean", ""), told);
      await thread.close();
    });

    test("tells what still waits when it is closed", async () => {
      const thread = new WorkerThread(worker);
      const waiting = Promise.allSettled([thread.run("clean", "one"), thread.run("clean", "two")]);
      await thread.close();
      for (const each of await waiting) assert.ok(each.status === "rejected" && told(each.reason));
    });

    test("is used for long texts once it is installed", async () => {
      const used: string[] = [];
      const thread = new WorkerThread(worker);
      const installed = useThread({
        run(name, input) {
          used.push(name);
          return thread.run(name, input);
        },
      });
      const secret = 'password = "kD8#fj2Lq9!x"\n';
      const [short, long] = [secret, `${"a\n".repeat(longText)}${secret}`];
      assert.deepEqual(await cleanText(short), takeOutSecrets(short));
      assert.deepEqual(used, []);
      assert.deepEqual(await cleanText(long), takeOutSecrets(long));
      assert.deepEqual(used, ["clean"]);
      installed.dispose();
      await cleanText(long);
      assert.deepEqual(used, ["clean"]);
      await thread.close();
    });
  });

  describe("planPatch", () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
    const workspace = new MemoryWorkspace({ ".vscode/tasks.json": `${lines.join("\n")}\n`, "b.txt": "b\n" });
    const patch = (hunk: string) =>
      `*** Begin Patch\n*** Update File: .vscode/tasks.json\n@@\n${hunk}\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-b\n+\u200bc\n*** End Patch\n`;

    test("plans long texts in the thread as it does here", async (t) => {
      const text = patch("-line 7\n+seven");
      const here = await planPatch(text, workspace);
      await workInThread(t);
      const there = await planPatch(text, workspace);
      assert.deepEqual(there, here);
      for (const { permission } of there.changes) {
        const isTasks = permission.real === ".vscode/tasks.json";
        assert.equal(isLiftable({ permission }), isTasks);
        assert.ok(isSensitive(permission.reasons));
      }
    });

    test("merges in the thread as it does here", async () => {
      const thread = new WorkerThread(worker);
      const base = lines.join("\n");
      const texts = {
        base,
        mine: base.replace("line 9\n", "mine\n"),
        theirs: base.replace(/line (?:9|77)\n/g, "theirs\n"),
      };
      const merged = mergingTexts.run(texts);
      assert.equal(merged.conflicts.length, 1);
      assert.deepEqual(await thread.run("merge", texts), merged);
      const question = { before: texts.base, after: texts.theirs };
      assert.deepEqual(await thread.run("compare", question), comparing.run(question));
      await thread.close();
    });

    test("rates what is planned in the thread as it does here", async () => {
      const thread = new WorkerThread(worker);
      const { changes } = await planPatch(patch('-line 7\n+password = "kD8#fj2Lq9!x"\u202e'), workspace);
      const rated = changes.map((change) => rating.run({ change, isOutside: true }));
      assert.deepEqual(rated[1], {
        dangers: [message("cautionDirection")],
        risks: [{ flags: ["hidden-characters", "secret", "executable-config", "out-of-scope"], names: [] }],
      });
      const all = changes.map((change) => ({ change, isOutside: true }));
      assert.deepEqual(await thread.run("rate each", all), rated);
      await thread.close();
    });

    test("plans in the thread how to undo as it does here", async () => {
      const thread = new WorkerThread(worker);
      const { changes } = await planPatch(patch("-line 7\n+seven"), workspace);
      const change = changes.find(({ kind }) => kind === "update") ?? assert.fail();
      const [way = assert.fail()] = reverseChanges([change], hashOf);
      const turn = { call: "c", proposal: "p", write: 0, change: way, hunks: [{ id: "1", edits: [0] }] };
      const info = { ...defaultPathInfo, kind: "file", real: ".vscode/tasks.json" } as const;
      const stateOf = (text: string) => ({ live: { kind: "text", text } as const, name: "tasks", info });
      for (const typed of ["seven\nline 8", "seven\ntyped\nline 8", "typed\nline 8"]) {
        const live = `typed\n${lines.join("\n").replace("line 7\nline 8", typed)}\n`;
        const question = { reversals: [turn], files: new Map([[keyOf(way.file), stateOf(live)]]) };
        const plan = reversing.run(question);
        assert.equal(plan.changes.length, typed.startsWith("seven\nline") ? 1 : 0);
        assert.equal(plan.left.length, 1 - plan.changes.length);
        assert.deepEqual(await thread.run("reverse", question), plan);
      }
      await thread.close();
    });

    test("refuses in the thread as it does here", async (t) => {
      const refusal = () =>
        planPatch(patch("-gone\n+seven"), workspace).then(
          () => assert.fail(),
          (error: unknown) => error,
        );
      const here = await refusal();
      await workInThread(t);
      const there = await refusal();
      assert.ok(here instanceof PatchError && there instanceof PatchError);
      assert.deepEqual({ ...there, message: there.message }, { ...here, message: here.message });
    });
  });

  describe("runTask", () => {
    test("lets others go first between many short texts", async () => {
      const text = "const total = lines.length;\n".repeat(longText / 32);
      let turns = 0;
      const working = (async () => {
        for (let at = 0; at < 400; at++) await cleanText(text);
        return true;
      })();
      while (!(await Promise.race([working, setImmediate(false)]))) turns++;
      assert.ok(turns > 2, `${turns} turns`);
    });
  });
});
