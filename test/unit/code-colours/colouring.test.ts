// When the thread of colours begins and ends, and what pages are told.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type Colouring, type ColourMessage, createColouring } from "../../../src/code-colours/colouring.ts";
import { silentLog } from "../../../src/util/log.ts";

/** It answers as the true one does, is silent for one language and dies of another. */
const thread = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", (task) => {
  if (task.type === "theme") parentPort.postMessage({ type: "table", table: task.table, colours: [null, task.name] });
  if (task.type !== "lines" || task.language === "silent") return;
  if (task.language === "deadly") process.exit(1);
  const { block, from, lines } = task;
  if (task.language === "none") parentPort.postMessage({ type: "none", block, why: "no-grammar" });
  else parentPort.postMessage({ type: "lines", block, from, runs: lines.map((line) => [line.length, 1]) });
});`;

let folder: string;
/** As a page's message: what else stands in it does not reach the thread. */
const lines = {
  type: "colour-code",
  block: 1,
  table: 1,
  language: "ts",
  from: 0,
  lines: ["abc"],
  isEnd: true,
};

function open(times: { idle?: number; longest?: number } = {}) {
  const asked: string[] = [];
  const warned: string[] = [];
  const log = { ...silentLog, warn: (words: string) => void warned.push(words) };
  const colouring = createColouring({
    ...{ file: join(folder, "thread.js"), engine: "", log, ...times },
    source: {
      contributions() {
        asked.push("grammars");
        return [];
      },
      theme(name) {
        asked.push(name);
        const brackets = { enabled: true, eachKindAlone: false };
        return name === "" ? undefined : { file: "", name, customizations: undefined, brackets };
      },
    },
  });
  return { asked, warned, colouring, page: () => newPage() };
}

function newPage() {
  const told: ColourMessage[] = [];
  let hear = () => {};
  return {
    told,
    post(news: ColourMessage) {
      told.push(news);
      hear();
    },
    /** Once it has been told so much. */
    async after(count: number): Promise<readonly ColourMessage[]> {
      while (told.length < count) await new Promise<void>((resolve) => (hear = resolve));
      return told;
    },
  };
}

const ended = async (colouring: Colouring) => {
  while (colouring.isRunning) await setImmediate();
};

describe("createColouring", () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-colouring-"));
    writeFileSync(join(folder, "thread.js"), thread);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("starts with the first visible code, posts its table and colours lines", async () => {
    const { asked, colouring, page } = open();
    const first = page();
    assert.deepEqual([colouring.isRunning, asked], [false, []], "nothing is read before that");
    colouring.show("Red", first);
    await first.after(1);
    colouring.colour(lines, first);
    colouring.colour({ ...lines, block: 2, language: "none" }, first);
    assert.deepEqual(await first.after(3), [
      { type: "code-table", table: 1, colours: [null, "Red"] },
      { type: "code-lines", block: 1, from: 0, runs: [[3, 1]] },
      { type: "code-none", block: 2, isLost: false },
    ]);
    assert.deepEqual(asked, ["Red", "grammars"]);
    await colouring.close();
  });

  test("keeps the blocks of two pages apart and posts a new theme to both", async () => {
    const { colouring, page } = open();
    const [one, two] = [page(), page()];
    colouring.show("Red", one);
    await one.after(1);
    colouring.show("Red", two);
    await two.after(1);
    colouring.colour(lines, one);
    colouring.colour({ ...lines, lines: ["a"] }, two);
    const [, ofTwo] = await two.after(2);
    assert.deepEqual(ofTwo, { type: "code-lines", block: 1, from: 0, runs: [[1, 1]] });
    await one.after(2);
    colouring.show("Blue", two);
    for (const each of [one, two])
      assert.deepEqual((await each.after(3))[2], { type: "code-table", table: 2, colours: [null, "Blue"] });
    colouring.colour(lines, one);
    colouring.sourceChanged("theme");
    assert.deepEqual((await one.after(4))[3], { type: "code-table", table: 3, colours: [null, "Blue"] });
    await colouring.close();
  });

  test("stops when no code was visible for a while and restarts with a new table", async () => {
    const { colouring, page } = open({ idle: 1 });
    const one = page();
    colouring.show("Red", one);
    await one.after(1);
    assert.ok(colouring.isRunning);
    colouring.show(undefined, one);
    await ended(colouring);
    colouring.show("Red", one);
    assert.deepEqual((await one.after(2))[1], { type: "code-table", table: 2, colours: [null, "Red"] });
    await colouring.close();
  });

  test("stops with the last page", async () => {
    const { colouring, page } = open();
    const [one, two] = [page(), page()];
    for (const each of [one, two]) colouring.show("Red", each);
    colouring.leave(one);
    assert.ok(colouring.isRunning);
    colouring.leave(two);
    assert.equal(colouring.isRunning, false);
    await colouring.close();
  });

  test("leaves code to the page without a thread when the theme is unavailable", async () => {
    const { colouring, page } = open();
    const one = page();
    colouring.show("", one);
    assert.deepEqual(one.told, [{ type: "code-table", table: 1 }]);
    assert.equal(colouring.isRunning, false);
  });

  test("leaves a block to the page when the thread does not respond, and continues with the others", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { colouring, page } = open({ longest: 1_000 });
    const one = page();
    colouring.show("Red", one);
    await one.after(1);
    colouring.colour({ ...lines, language: "silent" }, one);
    mock.timers.tick(1_000);
    mock.timers.reset();
    const [, none, again] = await one.after(3);
    assert.deepEqual(none, { type: "code-none", block: 1, isLost: false });
    assert.equal(again?.type, "code-table");
    await colouring.close();
  });

  test("gives a thread that does not respond no more time while other code is wanted", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { colouring, page, warned } = open({ longest: 1_000 });
    const one = page();
    colouring.show("Red", one);
    await one.after(1);
    for (const block of [1, 2]) {
      colouring.colour({ ...lines, block, language: "silent" }, one);
      mock.timers.tick(500);
    }
    mock.timers.reset();
    assert.equal(warned.length, 1);
    await colouring.close();
  });

  test("leaves all code to the page when the thread exits repeatedly", async () => {
    const { colouring, page } = open();
    const one = page();
    colouring.show("Red", one);
    for (let table = 1; table <= 3; table++) {
      await one.after(table * 2 - 1);
      colouring.colour({ ...lines, table, language: "deadly" }, one);
    }
    const told = await one.after(7);
    assert.deepEqual(told[6], { type: "code-table", table: 4 });
    assert.equal(colouring.isRunning, false);
  });
});
