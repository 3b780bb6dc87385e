// The result of one of the person's own checks on what a session proposes, as it is shown and handed on. Data only.
import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";

/**
 * `passed`: it ended well. `no-new`: it fails, as it did before. `could-not-compare`: nothing can be said. `stale`: the proposal
 * is another one by now. `waiting`: it would run what is proposed, or has changed since it was accepted; a person decides.
 * `unavailable`: it cannot run here.
 */
export const checkStates = [
  "running",
  "passed",
  "no-new",
  "new-findings",
  "could-not-compare",
  "stale",
  "waiting",
  "unavailable",
] as const;

export const CheckFinding = z.object({
  /** As files are named to people; absent: it has no place. */
  path: z.optional(z.string()),
  /** From 1. */
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  /** The tool's own name for it. */
  code: z.optional(z.string()),
  text: z.string(),
});
export type CheckFinding = Readonly<z.infer<typeof CheckFinding>>;

export const CheckResult = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["static", "tests"]),
  state: z.enum(checkStates),
  seconds: z.optional(z.number()),
  /** Those that were not there without the proposal. */
  findings: z.array(CheckFinding),
  /** Why it says no more, or for what it waits. */
  why: z.optional(Message),
});
export type CheckResult = Readonly<z.infer<typeof CheckResult>>;
