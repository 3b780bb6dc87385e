// Errors that came with an applied patch: only what was not there before, once it has settled, and only as long as it is true.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { AppliedErrors } from "../../../../src/core/checks/applied-errors.ts";
import type { FileName } from "../../../../src/core/patch/model.ts";
import { errorNews } from "../../../../src/core/turn/change-news.ts";
import type { ProblemMarker } from "../../../../src/core/workspace.ts";

const file: FileName = { folder: "w", path: "a.ts" };
const error = (line: number, message: string): ProblemMarker => ({
  ...{ file, line, column: 1, severity: "error", message },
});

function world() {
  const now = { problems: [error(3, "old")] as readonly ProblemMarker[], text: "applied", opened: true };
  const listeners = new Set<() => void>();
  const errors = new AppliedErrors({
    workspace: {
      problems: () => now.problems,
      onDidChangeProblems(listener) {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
      read: async () => ({ kind: "text", text: now.text, version: 1 }),
      isOpened: () => now.opened,
    },
    nameOf: ({ path }) => path,
    isApplied: () => true,
    log: { info() {}, warn() {}, error() {}, debug() {}, trace() {} } as never,
  });
  return {
    now,
    errors,
    apply: async () => {
      errors.before([file])(new Map([["call", [file]]]));
      await moment();
    },
    show(...problems: readonly ProblemMarker[]) {
      now.problems = problems;
      for (const listener of listeners) listener();
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

timed("an old error is not new, one more of the same is", async () => {
  const here = world();
  await here.apply();
  here.show(error(3, "old"), error(8, "old"), error(9, "fresh"));
  await here.after(2_900);
  assert.deepEqual(textsIn(here), []);
  await here.after(100);
  assert.deepEqual(textsIn(here), ["8 old", "9 fresh"]);
});

timed("they are waited for until they rest, 30 seconds at most", async () => {
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

timed("the model hears of them once, and of none that is gone or whose file has changed since", async () => {
  const here = world();
  await here.apply();
  here.show(error(3, "old"), error(9, "fresh"));
  await here.after(3_000);
  await here.errors.refresh();
  const told = errorNews(here.errors.news, []);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /a\.ts:9:1 {2}fresh/);
  assert.deepEqual(errorNews(here.errors.news, told), []);
  here.now.text = "typed since";
  await here.errors.refresh();
  assert.deepEqual(errorNews(here.errors.news, []), []);
  assert.deepEqual(textsIn(here), ["9 fresh"]);
  here.show(error(3, "old"));
  assert.deepEqual(textsIn(here), []);
});

timed("what was typed before they settled may be somebody else's mistake: nothing is said", async () => {
  const here = world();
  await here.apply();
  here.now.text = "typed";
  here.show(error(3, "old"), error(9, "typed"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), []);
});

timed("of a file that nobody had open nothing is known where nothing was shown", async () => {
  const here = world();
  here.now.opened = false;
  here.now.problems = [];
  await here.apply();
  here.show(error(3, "old"));
  await here.after(3_000);
  assert.deepEqual(textsIn(here), []);
});

timed("what a person asks about is not told a second time", async () => {
  const here = world();
  await here.apply();
  here.show(error(3, "old"), error(9, "fresh"));
  await here.after(3_000);
  assert.equal(here.errors.take("call").length, 1);
  assert.deepEqual(here.errors.news, []);
});
