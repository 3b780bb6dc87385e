// The result of one of the person's own checks on a session's proposal, as it is shown and passed on. Data only.
import * as z from "zod/mini";
import { Message } from "../conversation/problem.ts";

/**
 * `passed`: it succeeded. `no-new`: it fails as it did before. `could-not-compare`: no statement is possible. `stale`:
 * the proposal has changed since. `waiting`: it would run proposed code, or has changed since it was approved; a person
 * decides. `unavailable`: it cannot run here.
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
  /** The displayed path; absent: the finding has no location. */
  path: z.optional(z.string()),
  /** 1-based. */
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  /** The code the tool gives it. */
  code: z.optional(z.string()),
  text: z.string(),
  /** The tool reports it as a warning; absent: as an error, or without a severity. */
  isWarning: z.optional(z.literal(true)),
});
export type CheckFinding = Readonly<z.infer<typeof CheckFinding>>;

/** What became of the findings that exist without the proposal. */
export const Earlier = z.object({
  gone: z.number(),
  still: z.number(),
  /** Whether the check itself failed then. */
  failed: z.optional(z.literal(true)),
  /** Those in files of the proposal, as far as they are listed. */
  here: z.array(CheckFinding),
});
export type Earlier = Readonly<z.infer<typeof Earlier>>;

export const CheckResult = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["static", "tests"]),
  state: z.enum(checkStates),
  seconds: z.optional(z.number()),
  /** Findings that do not exist without the proposal; if the check has passed they are warnings. */
  findings: z.array(CheckFinding),
  /** Absent: there were none, or it is not known. */
  earlier: z.optional(Earlier),
  /** Files of the proposal the check has not looked at, although it looks at others of the same kind. */
  notSeen: z.optional(z.array(z.string())),
  /** Why there is no further result, or what it waits for. */
  why: z.optional(Message),
});
export type CheckResult = Readonly<z.infer<typeof CheckResult>>;
