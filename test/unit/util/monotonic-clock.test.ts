import assert from "node:assert/strict";
import { test } from "node:test";
import { monotonicClock, monotonicClocks } from "../../../src/util/monotonic-clock.ts";
import { ask, openTestApp } from "../../support/test-app.ts";

const hours = 3_600_000;

test("monotonicClock starts with the system clock and is unaffected when that is set", () => {
  let wall = 1_790_000_000_000;
  const now = monotonicClock(() => wall);
  const first = now();
  wall += 2 * hours;
  assert.ok(first >= 1_790_000_000_000 && now() >= first && now() < first + hours);
});

test("monotonicClocks keeps the clock of a span when the system clock is set", () => {
  let wall = 1_790_000_000_000;
  const now = monotonicClocks(() => wall);
  const first = now("one");
  wall += 2 * hours;
  assert.ok(now("other") >= wall);
  assert.ok(now("one") >= first && now("one") < first + hours);
});

test("a turn keeps its real duration when the system clock is set", async (t) => {
  let wall = 1_790_000_000_000;
  const app = await openTestApp(t, { now: () => (wall += 2 * hours) });
  await ask(app, "How long?", "Not long.");
  const [turn] = app.session.state.turns;
  assert.ok(turn?.endedAt !== undefined && turn.endedAt >= turn.at && turn.endedAt - turn.at < hours);
  for (const { milliseconds } of turn.usage) assert.ok(milliseconds === undefined || milliseconds < hours);
});
