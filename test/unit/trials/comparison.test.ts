// Which commits are candidates, which command judges them, and what a comparison concludes from its runs.
import assert from "node:assert/strict";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { findCandidates, isTest } from "../../../src/trials/internal/commit-candidates.ts";
import { CommitTrees, NotText } from "../../../src/trials/internal/commit-tree.ts";
import {
  type Comparison,
  type ComparisonRun,
  type Contestant,
  isClear,
  runsLeft,
  scoresOf,
} from "../../../src/trials/internal/comparison.ts";
import { quote, usualCap } from "../../../src/trials/internal/comparison-quote.ts";
import { GitObjects } from "../../../src/trials/internal/git-objects.ts";
import { testCommand } from "../../../src/trials/internal/test-command.ts";
import { ownFolder } from "../../support/one-test.ts";
import {
  beginning,
  git,
  makeRepository,
  sourceOf,
  testOf,
  valueCommit,
} from "../../support/tested-commits.ts";

const never = new AbortController().signal;

describe("testCommand", () => {
  const files = ["test/a.test.js", "test/b.test.js"];

  it("restricts known runners to the commit's test files", () => {
    const rows = [
      ["npm run test", "node --test", "npm run test -- test/a.test.js test/b.test.js"],
      ["npm test", "vitest run", "npm test -- test/a.test.js test/b.test.js"],
      ["pnpm run test", "vitest run", "pnpm run test test/a.test.js test/b.test.js"],
      ["yarn test", "jest", "yarn test test/a.test.js test/b.test.js"],
      ["npx --no-install jest", undefined, "npx --no-install jest test/a.test.js test/b.test.js"],
      ["node --test", undefined, "node --test test/a.test.js test/b.test.js"],
    ] as const;
    for (const [command, body, expected] of rows)
      assert.deepEqual(testCommand(command, body, files), { command: expected, isRestricted: true });
    assert.equal(
      testCommand("pytest -q", undefined, ["tests/test_a.py"]).command,
      "pytest -q tests/test_a.py",
    );
    assert.equal(testCommand("go test ./...", undefined, ["a/b_test.go"]).command, "go test ./a");
  });

  it("runs everything where it cannot know", () => {
    const whole = (command: string, body?: string, own: readonly string[] = files) =>
      assert.deepEqual(testCommand(command, body, own), { command, isRestricted: false });
    whole("npm run test", "npm run build && node --test");
    whole("npm run test", "node --test test/all.test.js");
    whole("npm run test", "tsc  →  node --test");
    whole("cargo test");
    whole("make test");
    whole("node --test", undefined, ["test/a b.test.js"]);
    whole("node --test", undefined, ["test/$(touch x).test.js"]);
    whole("node --test", undefined, ["-e.test.js"]);
  });
});

describe("isTest", () => {
  it("knows tests by folder and by name", () => {
    for (const path of [
      "test/a.js",
      "src/a.test.ts",
      "a_test.go",
      "tests/test_a.py",
      "src/FooTest.java",
      "spec/a.rb",
    ])
      assert.ok(isTest(path), path);
    for (const path of ["src/a.ts", "src/latest.ts", "contest/a.py", "src/attest.java"])
      assert.ok(!isTest(path), path);
  });
});

describe("findCandidates", () => {
  it("leaves out merges, runs nothing of the repository, and sees only its own folder", async (t) => {
    const home = ownFolder(t, "candidates");
    const folder = join(home, "one");
    makeRepository(folder, [beginning(3), valueCommit(1)]);
    git(folder, "checkout", "-q", "-b", "side", "HEAD~1");
    makeRepository(folder, [valueCommit(2)]);
    git(folder, "checkout", "-q", "main");
    git(folder, "merge", "-q", "--no-ff", "-m", "Merge the side branch into main", "side");
    // A message in another encoding, as a repository may prefer.
    git(folder, "config", "i18n.commitEncoding", "ISO-8859-1");
    writeFileSync(join(home, "message"), Buffer.from("Let value 3 return a caf\xe9 of values\n", "latin1"));
    writeFileSync(join(folder, "src/value3.js"), sourceOf(3));
    writeFileSync(join(folder, "test/value3.test.js"), testOf(3));
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-F", join(home, "message"));
    const mark = join(home, "mark");
    for (const [name, value] of [
      ["core.pager", `touch ${mark}`],
      ["core.fsmonitor", `touch ${mark}`],
      ["diff.external", `touch ${mark}`],
      ["log.showSignature", "true"],
      ["gpg.program", `touch ${mark}`],
    ] as const)
      git(folder, "config", name, value);
    const objects = new GitObjects("git", folder);
    t.after(() => objects.close());
    const found = await findCandidates(objects, "HEAD", never);
    assert.deepEqual(found.found.map(({ subject }) => subject).sort(), [
      "Let value 1 return 1 instead of nothing",
      "Let value 2 return 2 instead of nothing",
      "Let value 3 return a café of values",
    ]);
    assert.equal(found.looked, 4);
    assert.ok(found.found.every(({ task }) => !task.includes("Signed-off-by")));
    const tree = await objects.tree("HEAD", never);
    const id = tree.get("src/value2.js")?.id ?? "";
    assert.equal((await objects.blob(id)).toString(), "exports.value = () => 2;\n");
    await objects.present(never);
    assert.throws(() => rmSync(mark), /ENOENT/);
    const below = new GitObjects("git", join(folder, "src"));
    t.after(() => below.close());
    assert.deepEqual([...(await below.tree("HEAD", never)).keys()], ["value1.js", "value2.js", "value3.js"]);
    assert.equal((await findCandidates(below, "HEAD", never)).found.length, 0);
  });
});

describe("GitObjects", () => {
  it("asks no remote for a missing object, whatever the repository's configuration allows", async (t) => {
    const home = ownFolder(t, "promised");
    const folder = join(home, "one");
    makeRepository(folder, [beginning(1), valueCommit(1)]);
    const id = git(folder, "rev-parse", "HEAD:src/value1.js");
    const mark = join(home, "mark");
    for (const [name, value] of [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", `ext::sh -c touch% ${mark}`],
      ["protocol.allow", "always"],
      ["protocol.ext.allow", "always"],
    ] as const)
      git(folder, "config", name, value);
    rmSync(join(folder, ".git/objects", id.slice(0, 2), id.slice(2)));
    // Older Gits don't know the variable for it.
    const older = join(home, "older-git");
    writeFileSync(older, '#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec git "$@"\n', { mode: 0o755 });
    const objects = new GitObjects(older, folder);
    t.after(() => objects.close());
    await assert.rejects(objects.blob(id), { reason: "partial" });
    await assert.rejects(findCandidates(objects, "HEAD", never), { reason: "partial" });
    assert.ok(!existsSync(mark), "a command of the repository has run");
  });
});

describe("CommitTrees", () => {
  it("names exactly the texts in which the folder differs from a commit", async (t) => {
    const home = ownFolder(t, "overlay");
    const folder = join(home, "values");
    const picture = { message: "Add a picture", files: { "logo.bin": Buffer.from([0, 1, 2]) } };
    const [, first = ""] = makeRepository(folder, [beginning(3), valueCommit(1), valueCommit(2), picture]);
    writeFileSync(join(folder, "src/value3.js"), "edited");
    writeFileSync(join(folder, "untracked.js"), "new");
    writeFileSync(join(folder, "node_modules.txt"), "new too");
    rmSync(join(folder, "package.json"));
    symlinkSync("src", join(folder, "link"));
    const objects = new GitObjects("git", folder);
    t.after(() => objects.close());
    const trees = new CommitTrees(objects, { path: folder, folder: "values" });
    const texts = async (
      replaced: ReadonlyMap<string, string | undefined>,
      unsaved: readonly string[] = [],
    ) => {
      const overlaid = await trees.overlay(first, replaced, new Set(unsaved), never);
      return Object.fromEntries(overlaid.map(([{ path }, state]) => [path, state?.text ?? null]));
    };
    const manifest = beginning(3).files["package.json"];
    const expected = {
      ...{ link: null, "logo.bin": null, "node_modules.txt": null, "untracked.js": null },
      ...{ "package.json": manifest, "src/value2.js": sourceOf(0), "src/value3.js": sourceOf(0) },
      "test/value2.test.js": null,
    };
    assert.deepEqual(await texts(new Map()), expected);
    assert.deepEqual(await texts(new Map(), ["src/value1.js"]), {
      ...expected,
      "src/value1.js": sourceOf(1),
    });
    const replaced = new Map([
      ["test/value2.test.js", "a test"],
      ["src/value1.js", undefined],
      ["never.js", undefined],
    ]);
    assert.deepEqual(await texts(replaced), {
      ...{ ...expected, "test/value2.test.js": "a test", "src/value1.js": null },
    });
    // Where Git itself changes the ends of lines, they make no difference.
    writeFileSync(join(folder, "src/value3.js"), sourceOf(0).replaceAll("\n", "\r\n"));
    assert.deepEqual(await texts(new Map()), expected);
    git(folder, "config", "core.autocrlf", "true");
    const { "src/value3.js": _, ...others } = expected;
    const again = new CommitTrees(objects, { path: folder, folder: "values" });
    const names = (await again.overlay(first, new Map(), new Set(), never)).map(([{ path }]) => path);
    assert.deepEqual(names.toSorted(), Object.keys(others).toSorted());
    // What was compared once is compared again once it has changed.
    writeFileSync(join(folder, "src/value1.js"), "edited now");
    assert.deepEqual(await texts(new Map()), { ...expected, "src/value1.js": sourceOf(1) });
  });

  it("leaves what Git LFS keeps elsewhere as the folder has it", async (t) => {
    const home = ownFolder(t, "lfs");
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 3\n`;
    const [commit = ""] = makeRepository(home, [
      { message: "Add a picture", files: { "logo.svg": pointer } },
    ]);
    writeFileSync(join(home, "logo.svg"), "<svg/>");
    const objects = new GitObjects("git", home);
    t.after(() => objects.close());
    const trees = new CommitTrees(objects, { path: home, folder: "values" });
    assert.deepEqual(await trees.overlay(commit, new Map(), new Set(), never), []);
    await assert.rejects(trees.texts(commit, ["logo.svg"], never), NotText);
  });
});

const [one, other]: readonly [Contestant, Contestant] = [
  { model: "one", effort: "" },
  { model: "other", effort: "low" },
];

function comparisonOf(commits: number, solved: readonly [number, number]): Comparison {
  const hashes = Array.from({ length: commits }, (_, at) => `hash${at}`);
  const runs = hashes.flatMap((hash, at) =>
    [one, other].map(
      (contestant, which): ComparisonRun => ({
        ...contestant,
        ...{ hash, at: 1, seconds: at + 1, usage: [{}, {}], tokens: 100, refused: which },
        outcome: at < (solved[which] ?? 0) ? "solved" : "unsolved",
        ...(which === 0 && { cost: { amount: 0.5, unpriced: 1, currency: "EUR" } }),
      }),
    ),
  );
  return {
    ...{
      id: "c",
      folder: "f",
      path: "/f",
      at: 1,
      head: "h",
      command: "test",
      isConfined: true,
      ranUnconfined: false,
    },
    ...{ contestants: [one, other], wanted: commits, looked: commits, candidates: commits, cap: 1 },
    unfit: { "no-parent": 0, "no-tests": 0, "no-sources": 0, "too-large": 0, "no-task": 0, "not-text": 0 },
    tried: hashes.map((hash) => ({ hash, subject: hash, outcome: "valid", isRestricted: true })),
    ...{ isSearched: true, runs, touched: [], touchedPrivate: 0, stoppedTokens: 0 },
  };
}

describe("a comparison", () => {
  it("counts what was priced in an earlier currency as unpriced", () => {
    const whole = comparisonOf(3, [1, 1]);
    const runs = whole.runs.map((run, at) =>
      run.cost === undefined || at > 0 ? run : { ...run, cost: { ...run.cost, currency: "USD" } },
    );
    const [score] = scoresOf({ ...whole, runs });
    assert.deepEqual(score?.cost, { amount: 1, unpriced: 4, currency: "EUR" });
  });

  it("sums up each model, and prefers the one that solved more", () => {
    const [first, second] = scoresOf(comparisonOf(10, [3, 9]));
    assert.deepEqual([first?.model, first?.solved, first?.of, first?.refused], ["other", 9, 10, 10]);
    assert.deepEqual(second?.cost, { amount: 5, unpriced: 10, currency: "EUR" });
    assert.equal(first?.cost, undefined);
    assert.equal(second?.seconds, 5);
    const interval = second?.interval;
    assert.ok(interval !== undefined && interval.low > 0.1 && interval.low < 0.11);
    assert.ok(interval.high > 0.6 && interval.high < 0.61);
  });

  it("claims a winner only where intervals are apart, and nothing with fewer than ten commits", () => {
    assert.equal(isClear(scoresOf(comparisonOf(10, [10, 2]))), true);
    assert.equal(isClear(scoresOf(comparisonOf(10, [7, 5]))), false);
    assert.equal(isClear(scoresOf(comparisonOf(9, [9, 0]))), undefined);
    assert.ok(scoresOf(comparisonOf(9, [9, 0])).every(({ interval }) => interval === undefined));
  });

  it("leaves no run that was made, and goes commit by commit", () => {
    const whole = comparisonOf(10, [1, 1]);
    assert.deepEqual(runsLeft(whole), []);
    const left = runsLeft({ ...whole, runs: whole.runs.slice(0, 3) });
    assert.deepEqual(left.slice(0, 2), [
      { ...other, hash: "hash1" },
      { ...one, hash: "hash2" },
    ]);
  });

  it("is quoted per model: where nothing is cached each text counts with every request", () => {
    const whole = { ...comparisonOf(10, [0, 0]), runs: [] };
    const rows = quote(
      whole,
      [{ bytes: 3500 }],
      () => 2000,
      (model) => model === "one",
    );
    assert.deepEqual(
      rows.map(({ model, tasks, tokens }) => [model, tasks, tokens]),
      [
        ["one", 10, 80_000],
        ["other", 10, 240_000],
      ],
    );
    assert.equal(usualCap(rows), 650_000);
    const measured = quote(
      { ...comparisonOf(10, [0, 0]), runs: comparisonOf(5, [0, 0]).runs },
      [],
      () => 0,
      () => true,
    );
    assert.deepEqual(
      measured.map(({ tasks, tokens }) => [tasks, tokens]),
      [
        [5, 500],
        [5, 500],
      ],
    );
  });
});
