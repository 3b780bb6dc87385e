// A long file with many changes, reviewed and applied in the real extension host. What it proves is that all of it
// works; how long the host's thread was held at a stretch is printed, for people to read.
import { strict as assert } from "node:assert";
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import * as vscode from "vscode";
import { open, patchOf, put, show, testWorkspace, textOf, type, undoIn } from "./support/files.ts";
import { reviewForEach } from "./support/review-fixture.ts";

/** The long run is the one of the issue: 200,000 lines with 1,000 changes. */
const [count, hunks] = process.env["PATCHBAY_LONG"] === undefined ? [20_000, 100] : [200_000, 1000];
const stretch = count / hunks;

const row = (at: number) => (at % 8 === 7 ? "}" : `  const v${at} = ${at % 8};`);
const changed = (at: number) => `  let v${at} = ${at % 8};`;
const isChanged = (at: number) => at % stretch === 3;

const before = Array.from({ length: count }, (_, at) => `${row(at)}\n`).join("");
const after = Array.from({ length: count }, (_, at) => `${isChanged(at) ? changed(at) : row(at)}\n`).join("");

const patch = (path: string) =>
  patchOf(
    `*** Update File: ${path}`,
    ...Array.from({ length: hunks }, (_, number) => {
      const at = number * stretch + 3;
      const context = (from: number, to: number) =>
        Array.from({ length: to - from }, (__, step) => ` ${row(from + step)}`);
      return ["@@", ...context(at - 3, at), `-${row(at)}`, `+${changed(at)}`, ...context(at + 1, at + 4)];
    }).flat(),
  );

/** The console of the host is the workbench's. */
const say = (line: string) =>
  appendFileSync(process.env["PATCHBAY_SUITES_OUTPUT"] ?? "/dev/null", `${line}\n`);

/** Longest stretch in which nothing else could run: by the clock, and by what this thread really worked in it. */
function watchThread() {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  // Younger than the types that this project is checked with.
  const { threadCpuUsage = process.cpuUsage } = process as { threadCpuUsage?: typeof process.cpuUsage };
  let [last, most] = [threadCpuUsage(), 0];
  const look = () => {
    const { user, system } = threadCpuUsage(last);
    most = Math.max(most, user + system);
    last = threadCpuUsage();
  };
  let onLook = () => {};
  const timer = setInterval(() => {
    look();
    onLook();
  }, 1);
  /** Resolves when the thread has been free that many times. */
  const looks = (count: number) =>
    new Promise<void>((resolve) => {
      let left = count;
      onLook = () => {
        left -= 1;
        if (left === 0) resolve();
      };
    });
  delays.enable();
  const reset = () => {
    look();
    delays.reset();
    most = 0;
  };
  return {
    reset,
    looks,
    async run<T>(name: string, work: () => Promise<T>): Promise<T> {
      // What came before ends first.
      await looks(20);
      reset();
      const started = performance.now();
      const result = await work();
      const all = performance.now() - started;
      await looks(20);
      const [held, worked, whole] = [delays.max / 1e6, most / 1e3, all].map((each) =>
        each.toFixed(0).padStart(5),
      );
      say(`    ${name.padEnd(26)} held ${held} ms, worked ${worked} ms at a stretch, ${whole} ms in all`);
      return result;
    },
    dispose() {
      clearInterval(timer);
      delays.disable();
    },
  };
}

describe(`a file of ${count} lines with ${hunks} changes`, function () {
  this.timeout(240_000);
  const thread = watchThread();

  const workspace = testWorkspace();
  const review = reviewForEach(
    undefined,
    // The simulated service lives on this thread, too, and sends in a moment what takes a model minutes.
    () => ({
      ...workspace,
      read(file) {
        thread.reset();
        return workspace.read(file);
      },
    }),
  );

  it("is reviewed hunk by hunk while text is typed, accepted and undone", async () => {
    await put("large.txt", before);
    const editor = await show("large.txt");
    await thread.run("nothing", () => thread.looks(100));
    const { call } = await thread.run("proposed", () => review.propose(patch("large.txt")));
    assert.equal(review.desk.waiting, hunks);
    const ids = review.target("large.txt").hunks;
    await thread.run("threads", async () => {
      await review.commands["patchbay.review.openChange"](undefined);
      await review.untilThreads((opened) => opened.length >= Math.min(hunks, 200));
    });
    assert.equal(review.opened.size, Math.min(hunks, 200));
    await thread.run("both sides", async () => {
      for (const uri of review.documents.sidesOf(review.file("large.txt"))) {
        assert(uri !== undefined);
        await vscode.workspace.openTextDocument(uri);
      }
    });
    await thread.run("every key", async () => {
      for (let key = 0; key < 5; key++) {
        await type("large.txt", 100, "x");
        assert.equal(review.desk.hunksIn(editor.document).length, hunks);
      }
    });
    await thread.run("one more key", async () => type("large.txt", 100, "x"));
    await thread.run("the cursor, hunk by hunk", async () => {
      for (let number = 0; number < 5; number++) {
        const at = new vscode.Position(number * stretch + 3, 0);
        editor.selection = new vscode.Selection(at, at);
        assert.deepEqual(review.desk.hunkAt(editor)?.hunks, [ids[number]]);
      }
    });
    const typed = "x".repeat(6);
    await thread.run("accepted", () => review.desk.accept(review.target("large.txt")));
    const lines = after.split("\n");
    lines[100] = typed + lines[100];
    assert.equal(await textOf("large.txt"), lines.join("\n"));
    await thread.run("taken back", () => review.changes.undo([call]));
    await thread.run("undone", () => undoIn("large.txt"));
    thread.dispose();
    assert.equal(await textOf("large.txt"), lines.join("\n"));
    await (await open("large.txt")).save();
  });
});
