// What editing or branching at a turn gives up is said before it is done; the simulator's cache, which knows nothing of
// that, says afterwards whether it was true.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { extraCost } from "../../../src/usage/price.ts";
import { openTokenCounts } from "../../../src/usage/token-counts.ts";
import { silentLog } from "../../../src/util/log.ts";
import { reasoning, text } from "../../sim/script.ts";
import { openTestApp, type TestApp } from "../../support/test-app.ts";
import { temporaryFolder } from "../store/store-support.ts";

const minute = 60_000;
const words = (count: number, what: string) => `${what} `.repeat(count);

interface Clock {
  now: number;
}

async function open(t: TestContext): Promise<TestApp & { readonly clock: Clock }> {
  const counts = await openTokenCounts({
    client: { estimate: () => Promise.reject(new Error("Nothing is counted by the service here.")) },
    fs: nodeFileSystem,
    folder: temporaryFolder(t),
    log: silentLog,
    mayAskUnasked: () => false,
  });
  t.after(() => counts.saved());
  const clock = { now: Date.now() };
  const deps = { counts, defaultModel: () => "svc-k3", now: () => clock.now };
  const app = await openTestApp(t, deps);
  app.settings = {
    ...app.settings,
    instructions: { user: words(800, "standing order"), workspaceFile: false },
  };
  for (const [at, length] of [600, 2000, 300].entries()) {
    app.sim.reply(reasoning("hm"), text(words(20, `answer${at}`)));
    const attachments = at === 1 ? [{ kind: "text" as const, name: "log", text: words(1500, "line") }] : [];
    await app.session.send({ prompt: words(length, `question${at}`), attachments });
  }
  return Object.assign(Object.create(app), { clock });
}

const turns = (app: TestApp) => app.session.state.turns;
const held = (app: TestApp) => {
  const { cached = 0, cacheWrite = 0 } = turns(app).at(-1)?.usage.at(-1) ?? {};
  return cached + cacheWrite;
};

/** Of what the cache held; blocks are cut off at their ends. */
function assertAbout(said: number, lost: number, whole: number): void {
  assert.ok(Math.abs(said - lost) <= Math.max(64, whole / 20), `said ${said}, lost ${lost} of ${whole}`);
}

for (const at of [0, 1, 2])
  test(`the rewind cost of editing question ${at + 1} of 3 matches the loss in the cache`, async (t) => {
    const app = await open(t);
    const whole = held(app);
    const id = turns(app)[at]?.id ?? "";
    const { edit } = app.session.history.rewindCost(id, app.session.choices.model);
    app.sim.reply(text("Otherwise."));
    const ended = new Promise<void>((resolve) =>
      app.session.onEvent(({ type }) => type === "ended" && setImmediate(resolve)),
    );
    app.session.edit(id, "In other words?");
    await ended;
    assert.equal(turns(app).length, at + 1);
    const { cached = 0 } = turns(app).at(-1)?.usage[0] ?? {};
    assertAbout(edit, whole - cached, whole);
  });

for (const at of [0, 1, 2])
  test(`the rewind cost of branching after turn ${at + 1} of 3 matches the loss in the cache`, async (t) => {
    const app = await open(t);
    const whole = held(app);
    const id = turns(app)[at]?.id ?? "";
    const { branch } = app.session.history.rewindCost(id, app.session.choices.model);
    if (at === 2) assert.equal(branch, 0);
    await app.branch(id);
    app.sim.reply(text("Otherwise."));
    await app.session.send({ prompt: "And then?" });
    const { cached = 0 } = turns(app).at(-1)?.usage[0] ?? {};
    assertAbout(branch, at === 2 ? Math.max(0, whole - cached) : whole - cached, whole);
  });

test("the rewind cost is 0 for a cold cache, another model and an unknown turn", async (t) => {
  const app = await open(t);
  const { clock } = app;
  const [first] = turns(app);
  const price = () => app.session.history.rewindCost(first?.id ?? "", app.session.choices.model);
  assert.ok(price().edit > 1000 && price().branch > 1000);
  const none = { edit: 0, branch: 0 };
  assert.deepEqual(app.session.history.rewindCost("no such turn", app.session.choices.model), none);
  clock.now += 6 * minute;
  assert.deepEqual(price(), none);
  clock.now -= 6 * minute;
  app.session.choices.chooseModel("svc-k2.6");
  assert.deepEqual(price(), none);
});

test("extraCost is the difference between writing and reading the cache, and never negative", () => {
  const rates = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };
  assert.ok(Math.abs(extraCost(1_000_000, rates, "5m") - 3.45) < 1e-9);
  assert.ok(Math.abs(extraCost(1_000_000, rates, "1h") - 5.7) < 1e-9);
  assert.equal(extraCost(1000, { ...rates, cached: 9 }, "5m"), 0);
  assert.equal(extraCost(0, rates, "5m"), 0);
});
