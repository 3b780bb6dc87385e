// A comparison on real repositories: which commits are valid, what models read, who judges, and that it goes on after a stop.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { FolderChecks } from "../../../src/checks/internal/folder-checks.ts";
import { resolveCommand } from "../../../src/checks/internal/suggest-checks.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import {
  type Attempt,
  type CompareDeps,
  ModelComparison,
  type Task,
} from "../../../src/trials/internal/compare-models.ts";
import {
  type Comparison,
  scoresOf,
  spentTokens,
  validCommits,
} from "../../../src/trials/internal/comparison.ts";
import { comparisonPage, verdict } from "../../../src/trials/internal/comparison-page.ts";
import { keptComparisons } from "../../../src/trials/internal/kept-comparisons.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { words as sentences } from "../../support/english.ts";
import { pictureOf } from "../../support/folder-picture.ts";
import { ownFolder } from "../../support/one-test.ts";
import {
  beginning,
  type MadeCommit,
  makeRepository,
  shellBeginning,
  shellCommand,
  shellCommit,
  shellSourceOf,
  sourceOf,
  testOf,
  valueCommit,
} from "../../support/tested-commits.ts";

const never = new AbortController().signal;
const words = { ...sentences, nameOfModel: (id: string) => id };

const file = (path: string) => ({ folder: "values", path });

/** A model that solves tasks up to this number. */
const solver =
  (most: number) =>
  async ({ prompt, workspace }: Task): Promise<Attempt> => {
    const number = Number(/value (\d+)/.exec(prompt)?.[1]);
    const path = `src/value${number}.sh`;
    const before = await workspace.read(file(path));
    assert.deepEqual(before, { kind: "text", text: shellSourceOf(0), version: 1 });
    const text = shellSourceOf(number <= most ? number : -1);
    return attempted({ proposed: [[file(path), { file: file(path), text }]] });
  };

const attempted = (more: Partial<Attempt> = {}): Attempt => ({
  ...{
    proposed: [],
    ending: "done",
    usage: [{ input: 1000, output: 10 }],
    tokens: 1010,
    seconds: 3,
    refused: 0,
  },
  ...more,
});

function setUp(
  t: Pick<TestContext, "after">,
  commits: readonly MadeCommit[],
  more: Partial<CompareDeps> = {},
) {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "patchbay-compare-"));
  const folder = join(home, "values");
  const hashes = makeRepository(folder, commits);
  const checks = new FolderChecks({
    copyThread: copyThread(),
    ...{ folder, storage: join(home, "storage"), git: "git", isLeftOut: () => false, unsaved: () => [] },
    programOf: async () => undefined,
    sandbox: async () => undefined,
  });
  const kept = keptComparisons(nodeFileSystem, home);
  const deps: CompareDeps = {
    ...{ git: "git", folder: "values", path: folder },
    withCopy: (overlaid, use, signal) =>
      checks.withCopy(
        async () =>
          (await overlaid()).map(
            ([{ path }, state]) => [path, state === undefined ? null : state.text] as const,
          ),
        use,
        signal,
      ),
    resolveCommand: (command, read, paths) => resolveCommand(command, { read, packages: paths }),
    unsaved: () => new Set(),
    isPrivate: () => false,
    ignoreRules: async () => "",
    attempt: async () => attempted(),
    cost: () => undefined,
    ...{ hold: kept.hold, release: kept.release, keep: kept.keep },
    now: () => 1,
    ...more,
  };
  const start = (own: Partial<Comparison> = {}) => {
    const comparison: Comparison = {
      ...{ id: "one", folder: "values", path: folder, at: 1, head: "", command: "node --test" },
      ...{ ranUnconfined: false, touchedPrivate: 0 },
      ...{ isConfined: false, contestants: [{ model: "a", effort: "" }], wanted: 10, looked: 0 },
      unfit: { "no-parent": 0, "no-tests": 0, "no-sources": 0, "too-large": 0, "no-task": 0, "not-text": 0 },
      ...{
        candidates: 0,
        tried: [],
        isSearched: false,
        runs: [],
        touched: [],
        stoppedTokens: 0,
        cap: 1_000_000,
      },
      ...own,
    };
    const running = new ModelComparison(comparison, deps);
    t.after(() => running.close());
    return running;
  };
  t.after(async () => {
    await checks.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { folder, hashes, kept, start };
}

describe("ModelComparison", () => {
  test("finds the commits whose tests tell, and says why others fell out", async (t) => {
    const { start, hashes, folder } = setUp(t, [
      beginning(9),
      valueCommit(1),
      { message: "Change value 2 without any test at all", files: { "src/value2.js": sourceOf(2) } },
      { message: "Test value 2 once more in another way", files: { "test/value2.test.js": testOf(2) } },
      { message: "wip", files: { "src/value3.js": sourceOf(3), "test/value3.test.js": testOf(3) } },
      {
        message: "Refactor value 1 and add a test that passes anyway",
        files: { "src/value1.js": `${sourceOf(1)}\n`, "test/again.test.js": testOf(1) },
      },
      {
        message: "Break value 5 although there is a test for it",
        files: { "src/value5.js": sourceOf(6), "test/value5.test.js": testOf(5) },
      },
      {
        message: "Change value 6 together with a picture that is no text",
        files: {
          "src/value6.js": sourceOf(6),
          "test/value6.test.js": testOf(6),
          "logo.bin": Buffer.from([0, 1, 2]),
        },
      },
      {
        message: "Rewrite value 7 in a great many lines",
        files: {
          "src/value7.js": `${"// line\n".repeat(900)}${sourceOf(7)}`,
          "test/value7.test.js": testOf(7),
        },
      },
      valueCommit(8),
      { message: "Remove the picture that nobody needs", files: { "logo.bin": null } },
    ]);
    writeFileSync(join(folder, "src/value8.js"), "exports.value = () => 'edited since';\n");
    // With it, no test of the folder could load anything.
    writeFileSync(join(folder, "test/package.json"), '{ "type": "module" }\n');
    const before = pictureOf(folder);
    const found = await start().findCommits(never);
    assert.deepEqual(
      found.tried.map(({ subject, outcome }) => [subject, outcome]),
      [
        ["Let value 8 return 8 instead of nothing", "valid"],
        ["Break value 5 although there is a test for it", "fails-after"],
        ["Refactor value 1 and add a test that passes anyway", "passes-before"],
        ["Let value 1 return 1 instead of nothing", "valid"],
      ],
    );
    assert.deepEqual(found.unfit, {
      ...{ "no-parent": 1, "no-tests": 2, "no-sources": 1, "too-large": 1, "no-task": 1, "not-text": 1 },
    });
    assert.equal(found.looked, 11);
    assert.equal(found.head, hashes.at(-1));
    assert.ok(found.tried.every(({ isRestricted }) => isRestricted));
    assert.deepEqual(pictureOf(folder), before);
    assert.match(verdict(found, words), /^No verdict: 2 commits are valid, and at least 10 are needed\.$/);
  });

  test("leaves out a commit whose tests end differently from run to run", async (t) => {
    const home = ownFolder(t, "flaky");
    const mark = JSON.stringify(join(home, "mark"));
    const flaky = `const fs = require("node:fs");\nif (require("../src/value1.js").value() === 1) {\n  if (fs.existsSync(${mark})) throw new Error("the second time");\n  fs.writeFileSync(${mark}, "");\n}\n`;
    const { start } = setUp(t, [
      beginning(1),
      {
        message: "Let value 1 pass its test every second time",
        files: { "src/value1.js": sourceOf(1), "test/value1.test.js": `${flaky}${testOf(1)}` },
      },
    ]);
    const found = await start().findCommits(never);
    assert.deepEqual(
      found.tried.map(({ outcome }) => outcome),
      ["unsteady"],
    );
  });

  test("lets the commit's own tests judge, counts what each model used, and goes on after a stop", async (t) => {
    const contestants = [
      { model: "skilled", effort: "high" },
      { model: "weak", effort: "" },
    ];
    const stop = new AbortController();
    let asked = 0;
    const skilled = solver(99);
    const weak = solver(3);
    const { start, kept, folder } = setUp(
      t,
      [shellBeginning(12), ...Array.from({ length: 12 }, (_, at) => shellCommit(at + 1))],
      {
        async attempt(task) {
          asked += 1;
          assert.equal(task.workspace.git, undefined);
          assert.ok(!task.prompt.includes("Signed-off-by"), task.prompt);
          assert.equal((await task.workspace.look(file(".git/HEAD"))).kind, "nothing");
          if (asked === 6) {
            stop.abort();
            return attempted({ ending: "stopped", tokens: 400 });
          }
          return task.model === "skilled" ? skilled(task) : { ...(await weak(task)), refused: 1 };
        },
        cost: (_, usage) => ({ amount: usage.length / 4, unpriced: 0, currency: "EUR" }),
      },
    );
    const first = start({ contestants, wanted: 10, command: shellCommand });
    await first.findCommits(never);
    assert.equal(validCommits(first.comparison).length, 10);
    assert.equal((await first.tasks(never)).length, 10);
    await assert.rejects(first.run(stop.signal));
    const [stopped] = await kept.of(folder);
    assert.ok(stopped !== undefined);
    assert.deepEqual([stopped.runs.length, stopped.stoppedTokens], [5, 400]);
    assert.match(verdict(stopped, words), /^No verdict yet: 15 of 20 tasks are left\.$/);

    const done = await start(stopped).run(never);
    assert.equal(asked, 21);
    assert.deepEqual(
      scoresOf(done).map(({ model, solved, of, refused, tokens }) => [model, solved, of, refused, tokens]),
      [
        ["skilled", 10, 10, 0, 10_100],
        ["weak", 1, 10, 10, 10_100],
      ],
    );
    assert.equal(spentTokens(done), 20_600);
    const page = comparisonPage(done, words);
    assert.match(page, /skilled, effort high \| 10\\\/10 \| 72–100% \| €2\\\.50/);
    assert.match(page, /weak \| 1\\\/10 \| 2–40% \|/);
    assert.match(page, /Models may have seen public commits/);
    assert.match(verdict(done, words), /more than the others beyond chance/);
    const [again] = await kept.of(folder);
    assert.ok(again !== undefined);
    assert.equal(comparisonPage(again, words), page);
    const data = /```json\n(.*)\n```/s.exec(comparisonPage(again, words, true))?.[1] ?? "";
    assert.equal(comparisonPage(JSON.parse(data), words), page);
    assert.ok(!data.includes(folder), "it says where the folder is on this computer");
  });

  test("stops before the cap is passed, and believes no proposal that changes the test command", async (t) => {
    const cheat = JSON.stringify({ scripts: { test: "exit 0" } });
    const { start } = setUp(t, [beginning(3), valueCommit(1), valueCommit(2), valueCommit(3)], {
      attempt: async () =>
        attempted({
          proposed: [[file("package.json"), { file: file("package.json"), text: cheat }]],
          tokens: 600,
        }),
    });
    const running = start({ command: "npm run test", wanted: 3, cap: 1000 });
    await running.findCommits(never);
    const done = await running.run(never);
    assert.deepEqual(
      done.runs.map(({ outcome }) => outcome),
      ["command", "command"],
    );
    assert.equal(spentTokens(done), 1200);
  });

  test("shows a model the parent's files under today's privacy rules", async (t) => {
    const seen: string[] = [];
    const { start, folder } = setUp(
      t,
      [
        {
          ...beginning(1),
          files: { ...beginning(1).files, "customers.csv": "secret\n", ".patchbayignore": "old\n" },
        },
        valueCommit(1),
      ],
      {
        ignoreRules: async () => readFileSync(join(folder, ".patchbayignore"), "utf8"),
        async attempt({ workspace }) {
          const list = await workspace.list({ folder: "values", path: "" });
          for (const { name, kind } of list) seen.push(`${kind} ${name}`);
          const rules = await workspace.read(file(".patchbayignore"));
          seen.push(rules.kind === "text" ? rules.text : "");
          return attempted();
        },
      },
    );
    writeFileSync(join(folder, ".patchbayignore"), "customers.csv\n");
    const running = start({ wanted: 1 });
    await running.findCommits(never);
    const done = await running.run(never);
    assert.deepEqual(
      done.runs.map(({ outcome }) => outcome),
      ["nothing"],
    );
    assert.deepEqual(seen.toSorted(), [
      ...["file .gitignore", "file .patchbayignore", "file customers.csv", "file package.json", "folder src"],
      "old\n\ncustomers.csv\n",
    ]);
  });
});
