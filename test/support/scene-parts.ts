// What the golden requests have in common: what a scene is, and the question, patch and diff that most of them are about.
import type { Attachment } from "../../src/conversation/state.ts";
import { text } from "../sim/script.ts";
import type { SessionOptions } from "./driven-session.ts";
import type { Stage } from "./scene-stage.ts";

export interface Scene {
  /** The name of its file. */
  readonly name: string;
  /** What a reviewer sees in it. */
  readonly about: string;
  play(stage: Stage): Promise<void>;
  /** How many of the last requests are shown: one unless told. */
  readonly shows?: number;
}

export const chatModel = "svc-k2.6";
export const question = "Where is the discount taken off, and is it rounded?";

export const patch = [
  "*** Begin Patch",
  "*** Update File: src/price.ts",
  "@@ export function totalOf(items: readonly Item[], discount = 0): number {",
  "-  return sum - sum * discount;",
  "+  return roundCents(sum - sum * discount);",
  "*** Update File: README.md",
  "@@",
  "-Prices are kept in cents.",
  "+Prices are kept in whole cents.",
  "*** End Patch",
  "",
].join("\n");

export const diff = [
  "diff --git a/src/round.ts b/src/round.ts",
  "--- a/src/round.ts",
  "+++ b/src/round.ts",
  "@@ -1 +1 @@",
  "-export const roundCents = (cents: number): number => Math.round(cents);",
  "+export const roundCents = (cents: number): number => Math.trunc(cents);",
  "",
].join("\n");

export interface Asked {
  readonly prompt?: string;
  readonly command?: string;
  readonly attachments?: readonly Attachment[];
}

/** One question that is answered at once. */
export const asks =
  ({ prompt = question, ...more }: Asked, options: Partial<SessionOptions> = {}): Scene["play"] =>
  async (stage) => {
    stage.sim.reply(text("In totalOf, and it is not rounded."));
    const { session, answer } = stage.open(options);
    await answer(() => session.send({ prompt, attachments: [], ...more }));
  };
