// What is known of changes, in lines for people: under each change, in one line for all of them, and as the text that goes
// with a commit or a pull request. Facts only: what was checked, on which state, with which result.
import type { CheckResult } from "../checks/check-result.ts";
import { evidenceOf, fewFiles } from "../checks/report.ts";
import { type Message, message } from "../conversation/messages.ts";
import { flagMessages, type RiskFlag } from "../risk/flags.ts";
import type { Claim, ClaimKind, ReferenceFact } from "./claims.ts";

export interface ChangeEvidence {
  /** `src/a.ts:12`. */
  readonly place: string;
  readonly flags: readonly RiskFlag[];
  /** A person has had it on the screen, in an editor. */
  readonly isSeen: boolean;
  /** References to the names that it changes, if they were counted. */
  readonly references?: readonly ReferenceFact[] | undefined;
}

export interface SetEvidence {
  readonly claims: readonly Claim[];
  readonly changes: readonly ChangeEvidence[];
  readonly results: readonly CheckResult[];
  readonly references?: readonly ReferenceFact[];
}

/** Words of a response in a row. */
const longestQuote = 120;

/** What is shown of one claim: contradicted with the reason, proven with what proves it. */
function claimMessage(claim: Claim, facts: Pick<SetEvidence, "results" | "references">): Message {
  const { verdict, by } = claim;
  const quote =
    claim.quote.length > longestQuote ? `${claim.quote.slice(0, longestQuote - 1).trimEnd()}…` : claim.quote;
  if (verdict === "contradicted") return message("claimSays", { quote, why: reasonOf(claim, facts) });
  if (verdict === "proven") return message("claimProven", { quote, by: fewFiles(by) });
  return message("claimNotChecked", { quote });
}

function reasonOf(
  { kind, by }: Claim,
  { results, references = [] }: Pick<SetEvidence, "results" | "references">,
): Message {
  const code = reasons[kind];
  if (code === "claimFails") {
    const meant = results.filter(({ name, state }) => by.includes(name) && state !== "stale");
    // Short: the check beside it has its findings.
    return message("claimFails", { results: evidenceOf(meant) });
  }
  if (code === "claimCallers") {
    const meant = references.filter(({ name }) => by.includes(name));
    const count = meant.reduce((sum, { inUntouchedFiles }) => sum + inUntouchedFiles, 0);
    return message(code, { names: by.join(", "), count });
  }
  return code === "claimNoTests" ? message(code) : message(code, { files: fewFiles(by) });
}

const reasons = {
  "tests-pass": "claimFails",
  "no-new-failures": "claimFails",
  "types-check": "claimFails",
  "lint-clean": "claimFails",
  builds: "claimFails",
  "checks-pass": "claimFails",
  "no-other-callers": "claimCallers",
  "callers-updated": "claimCallers",
  "formatting-only": "claimNotFormatting",
  "no-behaviour-change": "claimNotFormatting",
  "api-unchanged": "claimApi",
  "only-files": "claimOtherFiles",
  "no-new-dependencies": "claimDependency",
  "tests-untouched": "claimTests",
  "tests-added": "claimNoTests",
} as const satisfies Readonly<Record<ClaimKind, Message["code"]>>;

/** The claims that facts speak against, as sentences. */
export const contradictions = ({ claims, ...facts }: Omit<SetEvidence, "changes">): readonly Message[] =>
  claims.filter(({ verdict }) => verdict === "contradicted").map((claim) => claimMessage(claim, facts));

/** The other claims, proven ones first. */
export const otherClaims = ({ claims, ...facts }: Omit<SetEvidence, "changes">): readonly Message[] =>
  (["proven", "not-checked"] as const).flatMap((verdict) =>
    claims.filter((claim) => claim.verdict === verdict).map((claim) => claimMessage(claim, facts)),
  );

/** `1 claim contradicted`, for where there is room for a few words. */
export function countContradicted(claims: readonly Claim[]): readonly Message[] {
  const count = claims.filter(({ verdict }) => verdict === "contradicted").length;
  if (count === 0) return [];
  return [count === 1 ? message("evidenceContradictedOne") : message("evidenceContradicted", { count })];
}

/** All changes of a set in one line: its claims, and how many of them a person has seen. */
export function evidenceOfSet({
  claims,
  changes,
}: Pick<SetEvidence, "claims" | "changes">): readonly Message[] {
  const countOf = (verdict: Claim["verdict"]) => claims.filter((claim) => claim.verdict === verdict).length;
  const [proven, open] = [countOf("proven"), countOf("not-checked")];
  const seen = changes.filter(({ isSeen }) => isSeen).length;
  return [
    ...countContradicted(claims),
    ...(proven === 0 ? [] : [message("evidenceProven", { count: proven })]),
    ...(open === 0 ? [] : [message("evidenceNotChecked", { count: open })]),
    ...(changes.length === 0 ? [] : [message("evidenceSeenOf", { seen, count: changes.length })]),
  ];
}

/** What is known of one change: its flags, references elsewhere, and whether a person has seen it. */
export function evidenceOfChange({ flags, isSeen, references = [] }: ChangeEvidence): readonly Message[] {
  const count = references.reduce((sum, { elsewhere }) => sum + elsewhere, 0);
  const untouched = references.reduce((sum, { inUntouchedFiles }) => sum + inUntouchedFiles, 0);
  return [
    ...flagMessages(flags),
    ...(references.length === 0 ? [] : [message("evidenceReferences", { count, untouched })]),
    message(isSeen ? "evidenceSeen" : "evidenceUnseen"),
  ];
}

/** The same with its place. */
export const evidenceLine = (change: ChangeEvidence): Message =>
  message("evidenceOfChange", { place: change.place, facts: evidenceOfChange(change) });

/** Of a hash of a proposal: enough to tell two apart. */
const lettersOfState = 7;

/** What was checked, on which state, with which result. `state`: of the proposal that the results are about. */
export function checksInWords(results: readonly CheckResult[], state: string | undefined): Message {
  const ran = results.filter((each) => each.state !== "waiting" && each.state !== "unavailable");
  if (ran.length === 0 || state === undefined) return message("evidenceUnchecked");
  const said = { state: state.slice(0, lettersOfState), results: evidenceOf(ran) };
  return ran.some((each) => each.state === "stale")
    ? message("evidenceOutdated", said)
    : message("evidenceOnState", said);
}
