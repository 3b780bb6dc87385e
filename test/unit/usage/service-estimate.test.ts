import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Problem } from "../../../src/conversation/problem.ts";
import type { EstimateOutcome, EstimateRequest } from "../../../src/service/request.ts";
import { ServiceEstimate } from "../../../src/usage/internal/service-estimate.ts";
import { verbatim } from "../../support/english.ts";

const draft = (content: string): EstimateRequest => ({
  model: "svc-k3",
  messages: [{ role: "user", content }],
});
const counted = (tokens: number): EstimateOutcome => ({ tokens });
const problem = (status: number): EstimateOutcome => ({
  problem: { kind: "server", message: verbatim("No."), actions: [], status },
});
const never = new AbortController().signal;

interface Asked {
  readonly content: string;
  readonly signal: AbortSignal;
  answer(outcome: EstimateOutcome): Promise<void>;
}

/** A service whose answers the test gives, and a clock that only the test moves. */
function hold(t: TestContext, allowed = () => true) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked: Asked[] = [];
  const counts: [string, number][] = [];
  const paused: Problem[] = [];
  const contentOf = ({ messages }: EstimateRequest) => String(messages[0]?.content);
  const service = new ServiceEstimate({
    estimate: (request, signal) =>
      new Promise((resolve) => {
        asked.push({
          content: contentOf(request),
          signal,
          answer: async (outcome) => {
            resolve(outcome);
            await setImmediate();
          },
        });
      }),
    mayAskUnasked: allowed,
    onCount: (request, tokens) => counts.push([contentOf(request), tokens]),
    onPaused: (why) => paused.push(why),
  });
  const pass = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await setImmediate();
  };
  return { service, asked, counts, paused, pass, contents: () => asked.map(({ content }) => content) };
}

test("a service estimate counts a draft after a pause of 800 ms, in its latest form only", async (t) => {
  const { service, pass, contents, asked, counts } = hold(t);
  for (const text of ["H", "He", "Hel", "Hell", "Hello"]) {
    service.propose(draft(text));
    await pass(700);
  }
  assert.deepEqual(contents(), []);
  await pass(100);
  assert.deepEqual(contents(), ["Hello"]);
  await asked[0]?.answer(counted(3));
  assert.deepEqual(counts, [["Hello", 3]]);
  assert.equal(service.known(draft("Hello")), 3);
});

test("a service estimate aborts the running request after an edit and ignores its result", async (t) => {
  const { service, pass, contents, asked, counts } = hold(t);
  service.propose(draft("one"));
  await pass(800);
  service.propose(draft("two"));
  assert.ok(asked[0]?.signal.aborted);
  await pass(800);
  assert.deepEqual(contents(), ["one"], "one request at a time");
  await asked[0]?.answer({
    problem: { kind: "refused-locally", message: verbatim("Stopped."), actions: [] },
  });
  assert.deepEqual(contents(), ["one", "two"]);
  await asked[1]?.answer(counted(2));
  assert.deepEqual(counts, [["two", 2]]);
});

test("a service estimate asks once for the same content, and keeps counts separate by model", async (t) => {
  const { service, pass, contents, asked } = hold(t);
  service.propose(draft("one"));
  service.propose(draft("one"));
  await pass(800);
  service.propose(draft("one"));
  assert.equal(asked[0]?.signal.aborted, false);
  await asked[0]?.answer(counted(1));
  service.propose(undefined);
  service.propose(draft("one"));
  await pass(2000);
  assert.deepEqual(contents(), ["one"]);
  assert.equal(service.known({ ...draft("one"), model: "svc-k2.6" }), undefined);
});

test("a service estimate asks nothing for an empty draft, after dispose or without permission", async (t) => {
  let allowed = true;
  const { service, pass, contents } = hold(t, () => allowed);
  service.propose(draft("one"));
  service.propose(undefined);
  await pass(2000);
  allowed = false;
  service.propose(draft("two"));
  await pass(2000);
  allowed = true;
  service.propose(draft("three"));
  service.dispose();
  service.propose(draft("four"));
  await pass(2000);
  assert.deepEqual(contents(), []);
});

test("a service estimate pauses automatic counting after three failures in a row or one 429", async (t) => {
  for (const statuses of [[500, 500, 500], [429]]) {
    const { service, pass, asked, paused } = hold(t);
    for (const [index, status] of statuses.entries()) {
      assert.equal(paused.length, 0);
      service.propose(draft(`draft ${index}`));
      await pass(800);
      await asked[index]?.answer(problem(status));
    }
    assert.equal(paused.length, 1);
    service.propose(draft("later"));
    await pass(2000);
    assert.equal(asked.length, statuses.length);
    const byHand = service.count(draft("by hand"), never);
    await setImmediate();
    await asked.at(-1)?.answer(counted(7));
    assert.deepEqual(await byHand, { tokens: 7 });
    t.mock.timers.reset();
  }
});

test("a service estimate resets its failures after a success and ignores aborted requests", async (t) => {
  const { service, pass, asked, paused } = hold(t);
  for (let at = 0; at < 12; at += 1) {
    service.propose(draft(`draft ${at}`));
    await pass(800);
    if (at % 3 === 1) service.propose(undefined);
    await asked[at]?.answer(at % 3 === 2 ? counted(1) : problem(500));
  }
  assert.deepEqual(paused, []);
});

test("a service estimate counts explicit requests first, one at a time and never twice", async (t) => {
  const { service, pass, contents, asked } = hold(t);
  service.propose(draft("typed"));
  await pass(800);
  const answers = ["a", "b", "a"].map((text) => service.count(draft(text), never));
  await setImmediate();
  assert.ok(asked[0]?.signal.aborted);
  await asked[0]?.answer(problem(0));
  assert.deepEqual(contents(), ["typed", "a"]);
  await asked[1]?.answer(counted(1));
  await asked[2]?.answer(counted(2));
  assert.deepEqual(await Promise.all(answers), [{ tokens: 1 }, { tokens: 2 }, { tokens: 1 }]);
  assert.deepEqual(contents(), ["typed", "a", "b"]);
});

test("a service estimate returns a problem when its operation throws", async () => {
  const service = new ServiceEstimate({
    estimate: () => Promise.reject(new Error("bug")),
    mayAskUnasked: () => false,
    onCount() {},
    onPaused() {},
  });
  const answer = await service.count(draft("x"), never);
  assert.ok("problem" in answer && answer.problem.kind === "bug");
});
