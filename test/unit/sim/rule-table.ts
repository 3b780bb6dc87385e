// Runs tables of request rules: one row per rule, what is sent and which field the refusal names.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../sim/json.ts";
import type { ProfileName } from "../../sim/profiles.ts";
import { text } from "../../sim/script.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../sim/simulator.ts";

/** `undefined` is accepted, `null` refused without naming a field. */
export type Row = readonly [rule: string, change: JsonObject, param: string | null | undefined];

export interface Table {
  readonly path: string;
  readonly profile: ProfileName;
  /** A request that is in order; every row changes it. */
  readonly base: JsonObject;
  readonly rows: readonly Row[];
}

export function testTable({ path, profile, base, rows }: Table): void {
  for (const [rule, change, param] of rows)
    test(`${path} (${profile}): ${rule} is ${param === undefined ? "accepted" : `refused, naming ${param}`}`, () =>
      within({ profile }, async (sim) => {
        sim.reply(text("Hello."));
        const { status, error } = await post(sim, path, { ...base, ...change });
        assert.equal(status, param === undefined ? 200 : 400, JSON.stringify(error));
        if (param === undefined) return;
        assert.equal(error["param"], param);
        assert.equal(typeof error["message"], "string");
      }));
}

export async function within(
  options: SimulatorOptions,
  run: (sim: Simulator) => Promise<void>,
): Promise<void> {
  const sim = await startSimulator(options);
  try {
    await run(sim);
  } finally {
    await sim.close();
  }
}

export async function post(sim: Simulator, path: string, body: JsonObject) {
  const answer = await fetch(`${sim.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const whole = (await answer.json()) as { error?: JsonObject };
  return { status: answer.status, error: whole.error ?? {} };
}
