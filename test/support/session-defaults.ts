// What a session needs of the house around it, for tests that are about none of that: no tools of others, nobody who counts,
// knows prices or looks at requests.
import type { TurnRunnerDeps } from "../../src/core/session/turn-runner.ts";

export type SessionNeeds = Pick<
  TurnRunnerDeps,
  "hostTools" | "heldBack" | "exchanged" | "countTokens" | "prices"
>;

export const sessionNeeds: SessionNeeds = {
  hostTools: () => [],
  heldBack() {},
  exchanged() {},
  countTokens: () => undefined,
  prices: { rates: () => undefined, amount: String },
};
