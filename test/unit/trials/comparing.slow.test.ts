// A comparison whose tests only seem to run: what it keeps, what stops it, and what it hands on to what runs them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import type { Check, CheckCopy, CheckRun } from "../../../src/checks/check.ts";
import { message } from "../../../src/conversation/messages.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import {
  type Attempt,
  type CompareDeps,
  ModelComparison,
} from "../../../src/trials/internal/compare-models.ts";
import { type Comparison, spentTokens } from "../../../src/trials/internal/comparison.ts";
import { comparisonPage } from "../../../src/trials/internal/comparison-page.ts";
import { keptComparisons } from "../../../src/trials/internal/kept-comparisons.ts";
import { words as sentences } from "../../support/english.ts";
import { ownFolder } from "../../support/one-test.ts";
import { beginning, makeRepository, sourceOf, testOf, valueCommit } from "../../support/tested-commits.ts";

const never = new AbortController().signal;
const file = { folder: "values", path: "src/value1.js" };
const proposing: Attempt = {
  ...{ proposed: [[file, { file, text: sourceOf(1) }]], ending: "done", usage: [{}], tokens: 700 },
  ...{ seconds: 1, refused: 0 },
};
const words = { ...sentences, nameOfModel: (id: string) => id };
const ran = (more: Partial<CheckRun> = {}): CheckRun => ({
  ...{ end: "done", code: 0, output: "", seconds: 1, ...more },
});

/** What all tests begin with, each with a copy of its own. */
const original = mkdtempSync(join(tmpdir(), "patchbay-compared-"));
after(() => rmSync(original, { recursive: true }));
const [, , hash = "", head = ""] = makeRepository(original, [
  beginning(2),
  {
    message: "Add a source in another encoding",
    files: { "src/old.js": Buffer.from("// caf\xe9\n", "latin1") },
  },
  {
    message: "Let value 1 return 1 in place of nothing",
    files: {
      "src/value1.js": sourceOf(1),
      "src/old.js": Buffer.from("// th\xe9\n", "latin1"),
      "test/value1.test.js": testOf(1),
      ".gitignore": "",
      "test/package.json": "{}",
      "node_modules/x/package.json": "{}",
    },
  },
  valueCommit(2),
]);

interface Given extends Partial<CompareDeps> {
  /** How a run of the tests ends. */
  run?(check: Check): Promise<CheckRun>;
}

function setUp(t: Pick<TestContext, "after">, { run = async () => ran(), ...more }: Given = {}) {
  const path = join(ownFolder(t, "comparing"), "values");
  cpSync(original, path, { recursive: true });
  const kept: Comparison[] = [];
  const notAsked = () => Promise.reject(new Error("Only tests are run."));
  const copy: CheckCopy = { run, command: notAsked, baseline: notAsked, knownBaseline: notAsked };
  const deps: CompareDeps = {
    ...{ git: "git", folder: "values", path },
    async withCopy(overlaid, use) {
      await overlaid();
      return use(copy);
    },
    resolveCommand: async () => undefined,
    unsaved: () => new Set(),
    isPrivate: (each) => each === ".env",
    ignoreRules: async () => "",
    attempt: async () => proposing,
    cost: () => undefined,
    ...{ hold: async () => {}, release: async () => {} },
    keep: async (comparison) => void kept.push(comparison),
    now: () => 1,
    ...more,
  };
  const start = (own: Partial<Comparison> = {}) => {
    const comparing = new ModelComparison(
      {
        ...{ id: "one", folder: "values", path, at: 1, head, command: "node --test", isConfined: false },
        ...{ contestants: [{ model: "a", effort: "" }], wanted: 1, looked: 3, candidates: 2 },
        unfit: {
          "no-parent": 0,
          "no-tests": 0,
          "no-sources": 0,
          "too-large": 0,
          "no-task": 0,
          "not-text": 0,
        },
        tried: [{ hash, subject: "Let value 1", outcome: "valid", isRestricted: true }],
        ...{
          isSearched: true,
          runs: [],
          touched: [],
          stoppedTokens: 0,
          ranUnconfined: false,
          touchedPrivate: 0,
          cap: 1_000_000,
          ...own,
        },
      },
      deps,
    );
    t.after(() => comparing.close());
    return comparing;
  };
  return { path, copy, start, kept };
}

const searching = { tried: [], isSearched: false };

describe("a comparison", () => {
  it("knows the size of a task whose sources are no text", async (t) => {
    const { start } = setUp(t);
    const bytes = sourceOf(0).length + "// cafe\n".length;
    assert.deepEqual(await start().tasks(never), [{ bytes }]);
  });

  it("keeps what a model used before its tests run, whatever becomes of them", async (t) => {
    let fails = true;
    const { start, kept } = setUp(t, { run: async () => ran(fails ? { end: "sandbox" } : {}) });
    const first = start();
    await assert.rejects(first.run(never));
    assert.equal(spentTokens(kept.at(-1) ?? first.comparison), 700);
    fails = false;
    const done = await start(kept.at(-1)).run(never);
    assert.deepEqual([done.runs.length, done.stoppedTokens, spentTokens(done)], [1, 700, 1400]);
  });

  it("blames no commit for what keeps any test from running", async (t) => {
    const ends = [
      ["sandbox", "checkNoSandbox"],
      ["broken", "checkBroken"],
    ] as const;
    for (const [end, code] of ends) {
      const { start, kept } = setUp(t, { run: async () => ran({ end }) });
      await assert.rejects(start(searching).findCommits(never), { asMessage: message(code) });
      assert.deepEqual(kept.at(-1)?.tried, []);
    }
    const late = setUp(t, { run: async () => ran({ end: "timeout" }) });
    const { tried } = await late.start(searching).findCommits(never);
    assert.ok(tried.length > 0 && tried.every(({ outcome }) => outcome === "not-run"));
  });

  it("goes on after a commit whose tests use too much, and stops where the next one's do, too", async (t) => {
    const ends = [
      ["disk", "checkDisk"],
      ["memory", "checkTooMuch"],
      ["processes", "checkTooMuch"],
    ] as const;
    for (const [end, code] of ends) {
      const { start, kept } = setUp(t, { run: async () => ran({ end }) });
      await assert.rejects(start(searching).findCommits(never), { asMessage: message(code) });
      assert.deepEqual(
        kept.at(-1)?.tried.map(({ outcome }) => outcome),
        ["not-run"],
      );
    }
    let runs = 0;
    const { start } = setUp(t, { run: async () => ran(runs++ === 0 ? { end: "memory" } : {}) });
    const { tried } = await start(searching).findCommits(never);
    assert.deepEqual(
      tried.map(({ outcome }) => outcome),
      ["not-run", "passes-before"],
    );
  });

  it("runs tests again where somebody edits a file meanwhile, with the commit's text in its place", async (t) => {
    const seen: boolean[] = [];
    let [isEdited, hasEdited] = [false, false];
    const made = setUp(t, {
      async withCopy(overlaid, use) {
        const paths = (await overlaid()).map(([{ path }]) => path);
        seen.push(paths.includes("src/value2.js") && paths.includes("new.js"));
        isEdited = hasEdited;
        return use({
          ...made.copy,
          run: async () => {
            if (isEdited) return ran();
            hasEdited = true;
            writeFileSync(join(made.path, "src/value2.js"), "edited");
            writeFileSync(join(made.path, "new.js"), "new");
            return ran({ code: 1 });
          },
        });
      },
    });
    writeFileSync(join(made.path, "src/value2.js"), sourceOf(0));
    const done = await made.start().run(never);
    assert.deepEqual(
      done.runs.map(({ outcome }) => outcome),
      ["solved"],
    );
    assert.deepEqual(seen, [false, true]);
  });

  it("stops with a reason where files of the folder change with every run", async (t) => {
    let runs = 0;
    const made = setUp(t, {
      async run() {
        runs += 1;
        writeFileSync(join(made.path, `left${runs}.txt`), "");
        return ran();
      },
    });
    await assert.rejects(made.start().run(never), { reason: "moving" });
    assert.equal(runs, 6);
  });

  it("runs the tests as long as the person lets them", async (t) => {
    const seen: (number | undefined)[] = [];
    const { start } = setUp(t, {
      async run({ timeoutSeconds }) {
        seen.push(timeoutSeconds);
        return ran();
      },
    });
    await start({ timeoutSeconds: 1800 }).run(never);
    await start().run(never);
    assert.deepEqual(seen, [1800, undefined]);
  });

  it("says that tests ran without a sandbox, and names no private file that they touched", async (t) => {
    const { start } = setUp(t, { run: async () => ran({ touched: [".env", "a.log"] }) });
    const done = await start().run(never);
    assert.deepEqual([done.touched, done.touchedPrivate, done.ranUnconfined], [["a.log"], 1, true]);
    const page = comparisonPage({ ...done, isConfined: true }, words);
    assert.match(page, /Some of them ran without a sandbox/);
    assert.match(page, /private files of the folder itself changed\\: 1/);
    assert.doesNotMatch(page, /\.env/);
    const confined = await setUp(t).start({ isConfined: true }).run(never);
    assert.match(comparisonPage(confined, words), /They ran in a sandbox/);
  });

  it("is not gone on with where another window has done so since", async (t) => {
    const { start } = setUp(t);
    const { comparison } = start();
    const storage = ownFolder(t, "windows");
    const [one, other] = [keptComparisons(nodeFileSystem, storage), keptComparisons(nodeFileSystem, storage)];
    await one.keep(comparison);
    await one.keep({ ...comparison, stoppedTokens: 1 });
    await assert.rejects(other.keep(comparison), { reason: "elsewhere" });
    const [read] = await other.of(comparison.path);
    assert.equal(read?.stoppedTokens, 1);
    await other.keep({ ...comparison, stoppedTokens: 2 });
    await assert.rejects(one.keep({ ...comparison, stoppedTokens: 3 }), { reason: "elsewhere" });
    assert.equal((await other.of(comparison.path))[0]?.stoppedTokens, 2);
  });

  it("gives a task to a model in one window only, and leaves it to the other once that has stopped", async (t) => {
    const storage = ownFolder(t, "windows");
    const [here, there] = [
      keptComparisons(nodeFileSystem, storage),
      keptComparisons(nodeFileSystem, storage),
    ];
    let paid = 0;
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let finish = () => {};
    const isFinished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const attempt = async () => {
      paid += 1;
      begun();
      await isFinished;
      return proposing;
    };
    const { start } = setUp(t, { attempt, ...here });
    const other = setUp(t, { attempt, ...there });
    const one = start();
    const second = other.start({ path: one.comparison.path });
    await here.keep(one.comparison);
    await there.of(one.comparison.path);
    const running = one.run(never);
    await isBegun;
    await assert.rejects(second.findCommits(never), { reason: "elsewhere" });
    await assert.rejects(second.run(never), { reason: "elsewhere" });
    assert.equal(paid, 1);
    finish();
    await running;
    // It has not read what the first one has added.
    await one.close();
    await assert.rejects(second.run(never), { reason: "elsewhere" });
    await there.of(one.comparison.path);
    await second.findCommits(never);
    assert.equal(paid, 1);
  });

  it("is free again when its window has died", async (t) => {
    const storage = ownFolder(t, "windows");
    const { start } = setUp(t, keptComparisons(nodeFileSystem, storage));
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    mkdirSync(join(storage, "comparisons"));
    writeFileSync(
      join(storage, "comparisons", "one.lock"),
      JSON.stringify({ token: "gone", pid, host: hostname() }),
    );
    assert.equal((await start().run(never)).runs.length, 1);
  });

  it("looks for scripts in the manifests of a tree, without those of dependencies", async (t) => {
    const stop = new AbortController();
    const { start } = setUp(t, {
      async resolveCommand(_, read, packages) {
        assert.deepEqual(await packages(), ["package.json", "test/package.json"]);
        stop.abort();
        await assert.rejects(read("package.json"));
        return undefined;
      },
    });
    await assert.rejects(start().run(stop.signal), { name: "AbortError" });
    assert.ok(stop.signal.aborted);
  });
});
