// Without a network: said at once, in one sentence, with one thing to do. What only looks like it has more than one.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "../../../src/service/internal/fault.ts";
import { toProblem } from "../../../src/service/internal/fault-to-problem.ts";
import { planRetry } from "../../../src/service/internal/plan-retry.ts";
import { createMask } from "../../../src/util/mask-secrets.ts";
import { english } from "../../support/english.ts";

const said = (code: string) => {
  const fault: Fault = { at: "network", code, reused: false };
  const { kind, message, actions } = toProblem(fault, {
    mask: createMask("sk-test-0123456789"),
    visible: false,
    retryAt: undefined,
    holds: undefined,
    host: "inference.example.com",
  });
  const plan = planRetry(fault, 1, "stream", { now: 0, random: 0 });
  return { kind, said: english(message), actions, again: plan.again };
};

for (const code of ["ENETUNREACH", "ENETDOWN", "ENONET"])
  test(`a request without a network (${code}) is not retried automatically and offers only retry`, () => {
    assert.deepEqual(said(code), {
      kind: "network",
      said: "You seem to be offline. Check your network connection.",
      actions: ["retry"],
      again: false,
    });
  });

for (const [code, sentence] of [
  ["ENOTFOUND", "Can't find inference.example.com (ENOTFOUND)."],
  ["ECONNREFUSED", "Can't reach inference.example.com (ECONNREFUSED)."],
] as const)
  test(`an unreachable service (${code}) is retried, and its problem offers the connection check`, () => {
    assert.deepEqual(said(code), {
      kind: "network",
      said: sentence,
      actions: ["retry", "connection-check"],
      again: true,
    });
  });
