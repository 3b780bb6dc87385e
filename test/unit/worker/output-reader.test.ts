// The thread that reads the output of checks, as it is built: it begins with the first output and ends without any, and what it
// cannot read is told.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { CheckRun } from "../../../src/checks/check.ts";
import { MessageError } from "../../../src/conversation/english.ts";
import { OutputReader } from "../../../src/worker/output-reader.ts";

const run = (code: number, output: string): CheckRun => ({ end: "done", code, output, seconds: 1 });
const error = (line: number) => `src/a.ts(${line},5): error TS2322: Wrong.\n`;

let folder: string;
let worker: string;

describe("the worker thread", () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-worker-"));
    worker = join(folder, "worker.js");
    const entryPoints = ["src/worker/worker.ts"];
    const options = { bundle: true, format: "cjs", platform: "node", logLevel: "error" } as const;
    await build({ ...options, entryPoints, outfile: worker });
    await build({ ...options, entryPoints: ["src/checks/judge.ts"], outfile: join(folder, "judge.js") });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  describe("OutputReader", () => {
    test("reports the new findings of each of several concurrent outputs", async () => {
      const reader = new OutputReader(worker);
      const [first, second, third] = await Promise.all([
        reader.judge({ run: run(2, error(3)), baseline: run(0, "") }),
        reader.judge({ run: run(0, "") }),
        reader.judge({ run: run(2, error(3)) }),
      ]);
      await reader.close();
      assert.deepEqual(first, {
        state: "new-findings",
        findings: [{ path: "src/a.ts", line: 3, column: 5, code: "TS2322", text: "Wrong." }],
      });
      assert.deepEqual(second, { state: "passed" });
      assert.equal(third, undefined, "without the other run there is nothing to say");
    });

    test("stops when idle and restarts", async () => {
      const reader = new OutputReader(worker, { idle: 1, longest: 30_000 });
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await reader.judge({ run: run(0, "") }), { state: "passed" });
        assert.ok(reader.isRunning);
        while (reader.isRunning) await setImmediate();
      }
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
      else require("./worker.js");`,
      );
      return file;
    };

    test("retries an output after the thread exits", async () => {
      const reader = new OutputReader(dying(1));
      assert.deepEqual(await reader.judge({ run: run(0, "") }), { state: "passed" });
      await reader.close();
    });

    test("reports an output as unread after two exits of the thread and continues with the next", async () => {
      const reader = new OutputReader(dying(2));
      await assert.rejects(reader.judge({ run: run(0, "") }), (thrown) => {
        assert.ok(thrown instanceof MessageError);
        assert.equal(thrown.asMessage.code, "checkUnread");
        return true;
      });
      assert.deepEqual(await reader.judge({ run: run(0, "") }), { state: "passed" });
      await reader.close();
    });

    test("times out when the thread does not respond", async () => {
      const file = join(folder, "silent.js");
      writeFileSync(file, 'require("node:worker_threads").parentPort.on("message", () => {});');
      const reader = new OutputReader(file, { idle: 1000, longest: 20 });
      await assert.rejects(reader.judge({ run: run(0, "") }), MessageError);
      await reader.close();
    });
  });

  describe("judgeRuns", () => {
    const cost = (output: string) => `
    const { judgeRuns } = require("./judge.js");
    const run = { end: "done", code: 1, output: ${output}, seconds: 1 };
    const { user } = process.cpuUsage();
    judgeRuns({ run, baseline: run });
    console.log((process.cpuUsage().user - user) / 1000);`;

    for (const [what, output] of [
      ["20,000 findings that read the same", '"src/a.ts(3,5): error TS2322: Wrong.\\n".repeat(20_000)'],
      ["4,000,000 ends of lines", '"\\n".repeat(4_000_000)'],
      ["one line of 4,000,000 letters", '" x(".repeat(1_333_333)'],
      ["300,000 lines that could be findings", '"a/b.ts:1: x\\n".repeat(300_000)'],
    ] as const)
      test(`judges ${what} in less than a second of processor time`, async () => {
        const { stdout } = await promisify(execFile)(process.execPath, ["-e", cost(output)], { cwd: folder });
        assert.ok(Number(stdout) < 1000, `${stdout} ms`);
      });
  });
});
