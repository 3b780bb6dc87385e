// Errors that came with an applied patch: only what was not there before, once it has settled, and only as long as it is true.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { AppliedErrors, errorLines } from "../../../src/checks/applied-errors.ts";
import type { ProblemMarker } from "../../../src/files/workspace.ts";
import { lineEdits } from "../../../src/patch/edits.ts";
import type { FileChange, FileName } from "../../../src/patch/model.ts";
import { describeNewErrors } from "../../../src/session/internal/decision-report.ts";

const file: FileName = { folder: "w", path: "a.ts" };
const permission = { verdict: "allow", reasons: [], real: file.path } as const;
const [before, after] = ["1\n2\n3\n4\n5\n", "1\n2\n3\nfour\n5\n"];
const edits = lineEdits(before, after).map((edit, hunk) => ({ ...edit, hunks: [hunk] }));
const base = { text: before, sha256: "", version: undefined };
/** Its fourth line is another one. */
const update: FileChange = { kind: "update", file, permission, base, edits, hunks: [] };
const addition: FileChange = { kind: "add", file, permission, text: after };
const error = (line: number, message: string): ProblemMarker => ({
  ...{ file, line, column: 1, severity: "error", message },
});

function world() {
  const now = {
    problems: [error(3, "old")] as readonly ProblemMarker[],
    text: "applied",
    opened: true,
    openFor: 60_000,
    isGone: false,
    reads: 0,
  };
  const listeners = new Set<(files: readonly FileName[]) => void>();
  const errors = new AppliedErrors({
    workspace: {
      problems: () => now.problems,
      onDidChangeProblems(listener) {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
      async read() {
        now.reads += 1;
        if (now.isGone) throw new Error("There is no such file.");
        return { kind: "text", text: now.text, version: 1 };
      },
      isOpened: () => now.opened,
      openFor: () => (now.opened ? now.openFor : undefined),
    },
    nameOf: ({ path }) => path,
    isApplied: () => true,
    log: { info() {}, warn() {}, error() {}, debug() {}, trace() {} } as never,
  });
  return {
    now,
    errors,
    listening: () => listeners.size,
    apply: async (change = update) => {
      errors.before([change])(new Map([["call", [file]]]));
      await moment();
    },
    show(...problems: readonly ProblemMarker[]) {
      now.problems = problems;
      for (const listener of listeners) listener([file]);
    },
    /** Somebody else's file is looked at. */
    showElsewhere(path: string) {
      for (const listener of listeners) listener([{ folder: "w", path }]);
    },
    async after(milliseconds: number) {
      mock.timers.tick(milliseconds);
      await moment();
    },
  };
}

const moment = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
const textsIn = ({ errors }: ReturnType<typeof world>) =>
  errors.list.flatMap((each) => each.errors.map(({ line, text }) => `${line} ${text}`));

function timed(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: 0 });
    try {
      await run();
    } finally {
      mock.timers.reset();
    }
  });
}

timed("AppliedErrors reports one more of an old error as new, but not the old one", async () => {
  const here = world();
  await here.apply();
  here.show(error(3, "old"), error(8, "old"), error(9, "fresh"));
  await here.after(2_900);
  assert.deepEqual(textsIn(here), []);
  await here.after(100);
  assert.deepEqual(textsIn(here), ["8 old", "9 fresh"]);
});

timed("AppliedErrors waits until the errors settle, for at most 30 seconds", async () => {
  const here = world();
  await here.apply();
  for (let second = 0; second < 14; second++) {
    here.show(error(3, "old"), error(second, "fresh"));
    await here.after(2_000);
    assert.deepEqual(textsIn(here), []);
  }
  here.show(error(3, "old"), error(5, "fresh"));
  await here.after(2_000);
  assert.deepEqual(textsIn(here), ["5 fresh"]);
});

timed(
  "the model hears of new errors once, and not of those that are gone or whose file changed since",
  async () => {
    const here = world();
    await here.apply();
    here.show(error(3, "old"), error(9, "fresh"));
    await here.after(3_000);
    await here.errors.refresh();
    const told = describeNewErrors(here.errors.news, []);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /a\.ts:9:1 {2}fresh/);
    assert.deepEqual(describeNewErrors(here.errors.news, told), []);
    here.now.text = "typed since";
    await here.errors.refresh();
    assert.deepEqual(describeNewErrors(here.errors.news, []), []);
    assert.deepEqual(textsIn(here), ["9 fresh"]);
    here.show(error(3, "old"));
    assert.deepEqual(textsIn(here), []);
  },
);

timed("AppliedErrors reports nothing when the file was edited before the errors settled", async () => {
  const here = world();
  await here.apply();
  here.now.text = "typed";
  here.show(error(3, "old"), error(9, "typed"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), []);
});

timed("AppliedErrors waits for the first report of a slow server, and ignores later ones", async () => {
  const here = world();
  await here.apply();
  await here.after(12_000);
  here.showElsewhere("b.ts");
  await here.after(3_000);
  here.show(error(3, "old"), error(9, "fresh"));
  await here.after(2_900);
  assert.deepEqual(textsIn(here), []);
  await here.after(100);
  assert.deepEqual(textsIn(here), ["9 fresh"]);
  here.show(error(3, "old"), error(9, "fresh"), error(12, "late"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), ["9 fresh"]);
});

timed(
  "AppliedErrors reports only errors in written lines when the file was not analysed before",
  async () => {
    for (const unknown of [{ openFor: 1_000 }, { openFor: 60_000 }]) {
      const here = world();
      Object.assign(here.now, unknown, { problems: [] });
      if (unknown.openFor === 1_000) here.showElsewhere("b.ts");
      await here.apply();
      here.show(error(3, "was there all along"), error(4, "fresh"));
      await here.after(3_000);
      assert.deepEqual(textsIn(here), ["4 fresh"]);
    }
  },
);

timed("AppliedErrors treats an analysed file without errors as clean", async () => {
  const here = world();
  here.now.problems = [];
  here.showElsewhere("b.ts");
  await here.apply();
  here.show(error(1, "fresh, in a line that was there"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), ["1 fresh, in a line that was there"]);
});

timed("AppliedErrors takes problems shown earlier as a sign that such files are analysed", async () => {
  const here = world();
  here.now.problems = [
    { ...error(1, "an old warning"), file: { folder: "w", path: "b.ts" }, severity: "warning" },
  ];
  await here.apply();
  here.show(error(1, "fresh, in a line that was there"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), ["1 fresh, in a line that was there"]);
});

test("errorLines lists the first errors and counts the rest", () => {
  const lines = (count: number) =>
    errorLines(Array.from({ length: count }, (_, at) => ({ path: "a.ts", line: at, text: "x" }))).split("\n");
  assert.equal(lines(20).length, 20);
  assert.match(lines(20).at(-1) ?? "", /^a\.ts:19 /);
  assert.deepEqual([lines(22).length, lines(22).at(-1)], [21, "[2 more are not shown.]"]);
});

timed("AppliedErrors reports every error in a new file", async () => {
  const here = world();
  Object.assign(here.now, { problems: [], opened: false });
  await here.apply(addition);
  here.show(error(2, "fresh"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), ["2 fresh"]);
});

timed("AppliedErrors does not report an old error of a moved file as new", async () => {
  const here = world();
  const to = { folder: "w", path: "b.ts" };
  await here.apply({ ...update, kind: "move", to: file, toReal: "a.ts", file: to });
  here.show(error(3, "old"), error(4, "fresh"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), ["4 fresh"]);
});

timed("AppliedErrors reports nothing for a file that was not open and had no problems shown", async () => {
  const here = world();
  here.now.opened = false;
  here.now.problems = [];
  await here.apply();
  here.show(error(3, "old"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), []);
});

timed("AppliedErrors does not report errors again that a person has asked about", async () => {
  const here = world();
  await here.apply();
  here.show(error(3, "old"), error(9, "fresh"));
  await here.after(3_000);
  assert.equal(here.errors.take("call").length, 1);
  assert.deepEqual(here.errors.news, []);
});

timed("AppliedErrors drops the errors of a file that was deleted afterwards", async () => {
  const here = world();
  await here.apply();
  here.show(error(3, "old"), error(9, "fresh"));
  await here.after(3_000);
  here.now.isGone = true;
  await here.errors.refresh();
  assert.deepEqual(here.errors.news, []);
});

timed("AppliedErrors stops listening when disposed", async () => {
  const here = world();
  assert.equal(here.listening(), 1);
  here.errors.dispose();
  assert.equal(here.listening(), 0);
});

timed("AppliedErrors does not read files again that were applied without errors", async () => {
  const here = world();
  for (let call = 0; call < 50; call++) {
    here.errors.before([update])(new Map([[`call ${call}`, [file]]]));
    await here.after(0);
    here.show(error(3, "old"));
    await here.after(3_000);
  }
  const before = here.now.reads;
  await here.errors.refresh();
  assert.equal(here.now.reads - before, 0);
});
