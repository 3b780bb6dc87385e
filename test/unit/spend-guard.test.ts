// Before much is sent a person is asked: send it, send less of it, or keep it.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { nodeFileSystem } from "../../src/store/file-system.ts";
import { openTokenCounts } from "../../src/usage/token-counts.ts";
import { silentLog } from "../../src/util/log.ts";
import { call, text } from "../sim/script.ts";
import { english } from "../support/english.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { openTestApp, type ShownDeps, type TestApp, until } from "../support/test-app.ts";
import { temporaryFolder } from "./store/store-support.ts";

async function openSpendFixture(
  t: TestContext,
  limit: number | null,
  deps: Partial<ShownDeps> = {},
): Promise<TestApp> {
  const counts = await openTokenCounts({
    client: { estimate: () => Promise.reject(new Error("Nothing is counted by the service here.")) },
    fs: nodeFileSystem,
    folder: temporaryFolder(t),
    log: silentLog,
    mayAskUnasked: () => false,
  });
  t.after(() => counts.saved());
  const app = await openTestApp(t, { counts, defaultModel: () => "svc-k3", ...deps });
  app.settings = { ...app.settings, askAboveTokens: limit };
  return app;
}

const words = (count: number) => "some ordinary words of a question ".repeat(count / 6);
const attached = (name: string, count: number) => ({ kind: "text" as const, name, text: words(count) });

async function send(app: TestApp, prompt: string) {
  app.sim.reply(text("Well."));
  return app.session.send({ prompt });
}

test("the spend guard sends a small question at once, and a large one after Send Anyway", async (t) => {
  const app = await openSpendFixture(t, 2000);
  const { sim } = app;
  assert.equal((await send(app, "Small?"))?.status, "done");
  sim.reply(text("Well."));
  const turn = app.session.send({ prompt: words(6000) });
  await until(app.session, () => app.session.question !== undefined);
  const { actions, message } = app.session.question ?? assert.fail();
  assert.ok(Number(message.args?.["uncached"]) > 4000 && message.args?.["limit"] === 2000);
  assert.deepEqual(actions, ["send-anyway", "keep-draft"]);
  assert.match(english(message), /^This sends ≈\d+ uncached tokens/);
  assert.equal(sim.requests.length, 1);
  app.session.answer("send-anyway");
  assert.equal((await turn)?.prompt, words(6000));
  assert.equal(sim.requests.length, 2);
});

test("the spend guard says how many tokens it may be where only the estimate's margin exceeds the limit", async (t) => {
  const app = await openSpendFixture(t, 2000);
  const asked = async () => {
    const turn = app.session.send({ prompt: words(6000) });
    await until(app.session, () => app.session.question !== undefined);
    const { message } = app.session.question ?? assert.fail();
    app.session.answer("keep-draft");
    await turn;
    return message;
  };
  const first = await asked();
  const limit = Number(first.args?.["uncached"]) + 1;
  app.settings = { ...app.settings, askAboveTokens: limit };
  const { code, args } = await asked();
  assert.deepEqual([code, args?.["uncached"], args?.["limit"]], ["questionSpendingUpTo", limit - 1, limit]);
  assert.ok(Number(args?.["most"]) > limit);
  assert.equal(app.sim.requests.length, 0);
});

test("the spend guard restores words and attachments to the draft on Keep Draft and sends nothing", async (t) => {
  const app = await openSpendFixture(t, 2000);
  const { sim } = app;
  const turn = app.session.send({ prompt: "What is it?", attachments: [attached("log", 6000)] });
  await until(app.session, () => app.session.question !== undefined);
  app.session.answer("keep-draft");
  assert.equal(await turn, undefined);
  assert.equal(app.session.draft.text, "What is it?");
  assert.deepEqual(
    app.session.draft.attachments.map(({ label }) => label),
    ["log"],
  );
  assert.deepEqual([app.session.state.turns, sim.requests], [[], []]);
});

test("the spend guard sends a question without its largest attachment on trim", async (t) => {
  const app = await openSpendFixture(t, 2000);
  const { sim } = app;
  sim.reply(text("Well."));
  const attachments = [attached("small", 60), attached("large", 6000)];
  const turn = app.session.send({ prompt: "What is it?", attachments });
  await until(app.session, () => app.session.question !== undefined);
  const { hints, actions } = app.session.question ?? assert.fail();
  assert.equal(english(hints), "Without large it would be less.");
  assert.deepEqual(actions, ["trim", "send-anyway", "keep-draft"]);
  app.session.answer("trim");
  assert.deepEqual(
    (await turn)?.attachments.map(({ label }) => label),
    ["small"],
  );
  const { raw } = sim.requests.at(-1) ?? assert.fail();
  assert.ok(raw.length < 15_000);
});

test("the spend guard ignores cached tokens until they are edited away or another model is chosen", async (t) => {
  const app = await openSpendFixture(t, null);
  const { sim } = app;
  await send(app, words(6000));
  app.settings = { ...app.settings, askAboveTokens: 4000 };
  assert.equal((await send(app, "And?"))?.status, "done");
  const [first] = app.session.state.turns;
  const edited = app.session.edit(first?.id ?? "", `Otherwise: ${words(6000)}`);
  await until(app.session, () => app.session.question !== undefined);
  app.session.answer("keep-draft");
  assert.equal(await edited, undefined);
  assert.match(app.session.draft.text, /^Otherwise/);
  assert.equal(app.session.state.turns.length, 2, "nothing was cut");
  app.session.choices.chooseModel("svc-k2.6");
  const other = app.session.send({ prompt: "And you?" });
  await until(app.session, () => app.session.question !== undefined);
  app.session.stop();
  assert.equal(await other, undefined);
  assert.equal(sim.requests.length, 2);
});

test("the spend guard shows the input cost only for models with prices", async (t) => {
  const rates = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };
  const prices = {
    rates: (model: string) => (model === "svc-k3" ? rates : undefined),
    amount: (sum: number) => `${sum.toFixed(4)} EUR`,
  };
  const app = await openSpendFixture(t, 2000, { prices });
  const said = async (model: string) => {
    app.session.choices.chooseModel(model);
    const turn = app.session.send({ prompt: words(6000) });
    await until(app.session, () => app.session.question !== undefined);
    const { message, hints } = app.session.question ?? assert.fail();
    app.session.answer("keep-draft");
    await turn;
    return { uncached: Number(message.args?.["uncached"]), detail: english(hints) };
  };
  const { uncached, detail } = await said("svc-k3");
  const cost = /^The input costs ≈([\d.]+) EUR at your prices\.$/.exec(detail)?.[1];
  assert.ok(Math.abs(Number.parseFloat(cost ?? "") - (uncached * 3.75) / 1_000_000) < 0.0002, detail);
  assert.equal((await said("svc-k2.6")).detail, "");
});

for (const model of ["svc-k3", "svc-k2.6"])
  test(`the spend guard learns from the usage of earlier questions (${model})`, async (t) => {
    const app = await openSpendFixture(t, null, { defaultModel: () => model });
    const { sim } = app;
    for (const count of [600, 1200, 2400]) {
      await send(app, words(count));
      await app.newConversation();
    }
    app.settings = { ...app.settings, askAboveTokens: 100 };
    sim.reply(text("Well."));
    const turn = app.session.send({ prompt: words(6000) });
    await until(app.session, () => app.session.question !== undefined);
    const { message } = app.session.question ?? assert.fail();
    app.session.answer("send-anyway");
    const input = (await turn)?.usage[0]?.input ?? assert.fail();
    assert.ok(Math.abs(Number(message.args?.["uncached"]) - input) < input / 20);
    const estimates = app.session.state.turns.map(({ usage }) => usage[0]?.estimate);
    assert.deepEqual(estimates, [message.args?.["uncached"]]);
  });

test("the spend guard widens its estimate by the error kept with the conversation, also in another window", async (t) => {
  const aboutRequest = () => ({ tokens: 1500, margin: 0.02, counts: 9 });
  // Never warm: what the cache holds would not count.
  let clock = 0;
  const now = () => (clock += 3_700_000);
  const app = await openSpendFixture(t, null, { counts: { aboutRequest, learnRequest() {} }, now });
  const turn = await send(app, words(6000));
  const { input = 0, estimate } = turn?.usage[0] ?? assert.fail();
  assert.equal(estimate, 1500);
  assert.ok(input > 3000, "twice what was estimated, and more");
  app.settings = { ...app.settings, askAboveTokens: 2000 };
  await app.restart();
  assert.equal(app.session.state.turns[0]?.usage[0]?.estimate, 1500);
  const next = app.session.send({ prompt: "And?" });
  await until(app.session, () => app.session.question !== undefined);
  app.session.answer("keep-draft");
  assert.equal(await next, undefined);
  await app.newConversation();
  assert.equal((await send(app, words(6000)))?.status, "done", "another conversation knows nothing of it");
});

test("the spend guard ends a turn with large tool outputs, and Continue asks for confirmation", async (t) => {
  const workspace = createFolderWorkspace();
  const app = await openSpendFixture(t, 4000, { workspace });
  const { sim } = app;
  const read = (start_line: number) => call("read_file", { path: "long.txt", start_line });
  workspace.write("work/long.txt", `${words(120)}\n`.repeat(40));
  sim.reply(read(38));
  sim.reply(read(5));
  sim.reply(text("It is long."));
  const turn = await app.session.send({ prompt: "Read it." });
  assert.deepEqual([turn?.status, turn?.problem?.kind], ["incomplete", "limit"]);
  assert.match(english(turn?.problem), /much larger/);
  assert.deepEqual(turn?.problem?.actions, ["continue"]);
  const sent = sim.requests.length;
  assert.equal(sent, 2, "what one call brought in was little enough");
  app.session.retry("continue");
  await until(app.session, () => app.session.question !== undefined);
  assert.equal(app.session.question?.message.code, "questionSpending");
  assert.equal(sim.requests.length, sent);
  const ended = new Promise<void>((resolve) =>
    app.session.onEvent(({ type }) => type === "ended" && setImmediate(resolve)),
  );
  app.session.answer("send-anyway");
  await ended;
  assert.equal(app.session.state.turns.at(-1)?.status, "done");
  assert.equal(sim.requests.length, sent + 1);
});

test("the spend guard never asks about tool outputs when it is off", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/long.txt", `${words(120)}\n`.repeat(40));
  const app = await openSpendFixture(t, null, { workspace });
  const { sim } = app;
  sim.reply(call("read_file", { path: "long.txt" }));
  sim.reply(text("Long."));
  assert.equal((await app.session.send({ prompt: "Read it." }))?.status, "done");
});
