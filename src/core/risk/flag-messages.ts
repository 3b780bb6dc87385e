// The flags of changes as messages: one by one beside a change, counted in the first line of a review. Words are made where
// they are shown.
import type { Code } from "../messages/catalogue.ts";
import { type Message, message } from "../messages/message.ts";
import { isGrave, type RiskFlag, riskFlags } from "./flags.ts";
import { countFlags } from "./order.ts";

const one = {
  "hidden-characters": message("riskHidden"),
  secret: message("riskSecret"),
  "test-weakened": message("riskTest"),
  "check-silenced": message("riskCheck"),
  "executable-config": message("riskConfig"),
  dependency: message("riskDependency"),
  "errors-swallowed": message("riskErrors"),
  "public-api": message("riskPublic"),
  "large-deletion": message("riskDeletion"),
  "out-of-scope": message("riskScope"),
  "format-only": message("riskFormat"),
} as const satisfies Readonly<Record<RiskFlag, Message>>;

const counted = {
  "hidden-characters": ["riskHiddenOne", "riskHiddenMany"],
  secret: ["riskSecretOne", "riskSecretMany"],
  "test-weakened": ["riskTestOne", "riskTestMany"],
  "check-silenced": ["riskCheckOne", "riskCheckMany"],
  "executable-config": ["riskConfigOne", "riskConfigMany"],
  dependency: ["riskDependencyOne", "riskDependencyMany"],
  "errors-swallowed": ["riskErrorsOne", "riskErrorsMany"],
  "public-api": ["riskPublicApiOne", "riskPublicApiMany"],
  "large-deletion": ["riskDeletionOne", "riskDeletionMany"],
  "out-of-scope": ["riskScopeOne", "riskScopeMany"],
  "format-only": ["riskFormatOne", "riskFormatMany"],
} as const satisfies Readonly<Record<RiskFlag, readonly [Code, Code]>>;

/** `references`: to the public names that it changes, where somebody has counted them. */
function flagMessage(flag: RiskFlag, references: number | undefined): Message {
  if (flag === "public-api" && references !== undefined)
    return references === 1 ? message("riskPublicOne") : message("riskPublicMany", { count: references });
  return isGrave([flag]) ? message("riskGrave", { flag: one[flag] }) : one[flag];
}

/** Each once, the heaviest first. */
export function flagMessages(flags: readonly RiskFlag[], references?: number): readonly Message[] {
  return riskFlags.filter((flag) => flags.includes(flag)).map((flag) => flagMessage(flag, references));
}

/** Of these changes together. */
export const countMessages = (changes: readonly (readonly RiskFlag[])[]): readonly Message[] =>
  countFlags(changes).map(([flag, count]): Message => {
    const [single, several] = counted[flag];
    return count === 1 ? { code: single } : { code: several, args: { count } };
  });
