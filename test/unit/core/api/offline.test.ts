// Without a network: said at once, in one sentence, with one thing to do. What only looks like it has more than one.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "../../../../src/core/api/fault.ts";
import { toProblem } from "../../../../src/core/api/fault-to-problem.ts";
import { planRetry } from "../../../../src/core/api/retry.ts";
import { createMask } from "../../../../src/core/util/mask.ts";
import { english } from "../../../support/english.ts";

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
  test(`without a network (${code}) nothing is waited for, and there is one thing to do`, () => {
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
  test(`a service that is not there (${code}) is tried again, and its connection can be checked`, () => {
    assert.deepEqual(said(code), {
      kind: "network",
      said: sentence,
      actions: ["retry", "connection-check"],
      again: true,
    });
  });
