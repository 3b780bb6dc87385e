// What a session needs of the house around it, for tests that are about none of that: no tools of others, nobody who knows
// prices or looks at requests, and four characters a token.

import type { Outgoing } from "../../src/service/request.ts";
import { InstructionConsent } from "../../src/session/internal/instruction-consent.ts";
import type { SessionContext } from "../../src/session/session-context.ts";
import type { SessionRegistryDeps } from "../../src/session/session-registry.ts";

export type SessionNeeds = Pick<SessionRegistryDeps, "agreedTexts"> &
  Pick<
    SessionContext,
    "consent" | "defaultModel" | "hostTools" | "heldBack" | "exchanged" | "counts" | "countTokens" | "prices"
  >;

/** Somebody has agreed to whatever a workspace says. */
const all = { has: () => true, add() {} };

export const sessionNeeds: SessionNeeds = {
  agreedTexts: all,
  consent: new InstructionConsent(all),
  defaultModel: () => "svc-k3",
  hostTools: () => [],
  heldBack() {},
  exchanged: () => undefined,
  counts: {
    aboutRequest: (outgoing) => ({ tokens: Math.round(lengthOf(outgoing) / 4), margin: 0, counts: 0 }),
    learnRequest() {},
  },
  countTokens: () => undefined,
  prices: { rates: () => undefined, amount: String },
};

/** Of what is said in it. */
const lengthOf = ({ route, request }: Outgoing): number => {
  const said = route === "chat" ? request.messages.map((each) => JSON.stringify(each)) : request.input;
  return said.reduce((sum, each) => sum + each.length, 0);
};
