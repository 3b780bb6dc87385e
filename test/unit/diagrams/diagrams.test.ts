import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createDiagrams, type DiagramMessage } from "../../../src/diagrams/diagrams.ts";
import { silentLog } from "../../../src/util/log.ts";

/** A thread that answers each text as it says itself; before it computes without end, it leaves a file of that name. */
const thread = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", (source) => {
  if (source.startsWith("never")) {
    require("node:fs").writeFileSync(require("node:path").join(__dirname, source), "");
    for (;;);
  }
  if (source === "dies") process.exit(1);
  parentPort.postMessage({ svg: source });
});`;

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-diagrams-"));
  writeFileSync(join(folder, "thread.js"), thread);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function open(times: { readonly idle?: number; readonly longest?: number; readonly shorter?: number } = {}) {
  const diagrams = createDiagrams({ file: join(folder, "thread.js"), log: silentLog, ...times });
  const told: string[] = [];
  let wake = () => {};
  const page = {
    post({ source, svg, why }: DiagramMessage) {
      told.push(`${source} ${svg ?? why}`);
      wake();
    },
  };
  const afterAnswers = async (count: number) => {
    while (told.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return told;
  };
  return { diagrams, page, told, afterAnswers };
}

/** A clock that only the test moves. */
function holdClock(t: TestContext): (milliseconds: number) => void {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  return (milliseconds) => t.mock.timers.tick(milliseconds);
}

async function computes(source: string): Promise<void> {
  while (!existsSync(join(folder, source))) await setImmediate();
  rmSync(join(folder, source));
}

describe("createDiagrams", () => {
  it("starts a thread with the first diagram, draws in order, and ends it when there is no more", async () => {
    const { diagrams, page, afterAnswers } = open({ idle: 1 });
    assert.equal(diagrams.isRunning, false);
    for (const source of ["a", "b"]) diagrams.draw(source, page);
    assert.ok(diagrams.isRunning);
    assert.deepEqual(await afterAnswers(2), ["a a", "b b"]);
    while (diagrams.isRunning) await setImmediate();
    diagrams.draw("c", page);
    assert.deepEqual((await afterAnswers(3))[2], "c c");
    await diagrams.close();
  });

  it("ends a thread that takes too long, says so, and draws what waits in another", async (t) => {
    const pass = holdClock(t);
    const { diagrams, page, told, afterAnswers } = open({ longest: 3_000 });
    for (const source of ["never", "next"]) diagrams.draw(source, page);
    await computes("never");
    pass(2_999);
    assert.deepEqual(told, []);
    pass(1);
    assert.deepEqual(await afterAnswers(2), ["never time", "next next"]);
    await diagrams.close();
  });

  it("says that drawing failed where the thread dies, and draws what waits in another", async () => {
    const { diagrams, page, afterAnswers } = open();
    for (const source of ["dies", "next"]) diagrams.draw(source, page);
    assert.deepEqual(await afterAnswers(2), ["dies failed", "next next"]);
    await diagrams.close();
  });

  it("draws nothing more for a page that has gone", async () => {
    const { diagrams, page, told } = open();
    const other = open();
    for (const source of ["a", "b", "c"]) diagrams.draw(source, page);
    diagrams.draw("d", other.page);
    diagrams.leave(page);
    assert.deepEqual(await other.afterAnswers(1), ["d d"]);
    assert.deepEqual(told, ["a a"]);
    await diagrams.close();
  });

  it("draws for each page in turn, and once for all that want the same", async () => {
    const { diagrams, page, afterAnswers } = open();
    const told: string[] = [];
    const pages = ["one", "other"].map((name) => ({
      post: ({ source }: DiagramMessage) => void told.push(`${name} ${source}`),
    }));
    const [one = page, other = page] = pages;
    for (const source of ["a", "b", "c"]) diagrams.draw(source, one);
    for (const source of ["a", "d", "e"]) diagrams.draw(source, other);
    for (const source of ["f", "g", "h"]) diagrams.draw(source, page);
    await afterAnswers(3);
    assert.deepEqual(told, ["one a", "other a", "other d", "one b", "other e", "one c"]);
    await diagrams.close();
  });

  it("waits less long for a page that had a diagram which took too long, and for no other", async (t) => {
    const pass = holdClock(t);
    const { diagrams, page, told } = open({ longest: 1_500, shorter: 500 });
    const other = open();
    diagrams.draw("never", page);
    await computes("never");
    pass(1_500);
    diagrams.draw("never again", page);
    diagrams.draw("never for another", other.page);
    await computes("never again");
    pass(500);
    assert.deepEqual(told, ["never time", "never again time"]);
    await computes("never for another");
    pass(1_499);
    assert.deepEqual(other.told, []);
    pass(1);
    assert.deepEqual(other.told, ["never for another time"]);
    await diagrams.close();
  });
});
