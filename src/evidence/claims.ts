// What a response says of its own change, set against what the machine knows of it. Only facts decide: a claim is proven
// or contradicted by a check that ran, a reference that the editor found, a flag or a path, and by nothing else.
import type { CheckResult } from "../checks/check-result.ts";
import type { RiskFlag } from "../risk/flags.ts";
import { claimsInChinese } from "./internal/claims-in-chinese.ts";
import { claimsInEnglish } from "./internal/claims-in-english.ts";
import { claimsInEurope } from "./internal/claims-in-european-languages.ts";
import { beginsWithFailures, claimedIn } from "./internal/guards.ts";
import { judgeClaim } from "./internal/judge-claim.ts";
import { ownSentences } from "./internal/own-words.ts";

/** Kinds of claims that facts can decide. */
export const claimKinds = [
  "tests-pass",
  "no-new-failures",
  "types-check",
  "lint-clean",
  "builds",
  "checks-pass",
  "no-other-callers",
  "callers-updated",
  "formatting-only",
  "no-behaviour-change",
  "api-unchanged",
  "only-files",
  "no-new-dependencies",
  "tests-untouched",
  "tests-added",
] as const;
export type ClaimKind = (typeof claimKinds)[number];

export type Verdict = "proven" | "contradicted" | "not-checked";

/** What a claim is about, as far as it says more than its kind. */
export interface ClaimScope {
  /** It is about a part that facts do not tell apart from the rest; with words, about the part that they name. */
  readonly part?: string;
  /** One test, by the name or file that it gives. */
  readonly test?: string;
  /** It gives a number. */
  readonly count?: number;
  /** Only about what existed before the change. */
  readonly isExisting?: true;
  /** Only about what is new with the change. */
  readonly isNew?: true;
  readonly noWarnings?: true;
  /** That the code compiles, which says less than that it is built. */
  readonly compiles?: true;
  /** Code and paths in the clause. */
  readonly names?: readonly string[];
  /** Hedged, or not certainly about all that is checked: facts may speak against it, and never prove it. */
  readonly isLoose?: true;
  /** Of files: those besides the ones that the response names. */
  readonly isOthers?: true;
}

export interface FoundClaim {
  readonly kind: ClaimKind;
  /** The words of the response. */
  readonly quote: string;
  readonly scope: ClaimScope;
}

export type CheckSubject = "tests" | "types" | "lint" | "build" | "other";

export interface CheckFact {
  readonly name: string;
  readonly about: CheckSubject;
  /** For tests: the part of them that its name tells, as in "unit tests". */
  readonly part?: string;
  readonly state: CheckResult["state"];
  /** The texts of the findings. */
  readonly failing: readonly string[];
  /** It has passed with warnings. */
  readonly warns: boolean;
  /** It has seen all files of the change that it could. */
  readonly seesAll: boolean;
}

export interface ChangeFact {
  readonly path: string;
  readonly to?: string;
  readonly kind: "add" | "update" | "delete" | "move";
  readonly added: number;
  readonly removed: number;
  /** The flags of each of its changes; absent: not known any more, as it was decided. */
  readonly flags?: readonly (readonly RiskFlag[])[];
}

/** References to a public name that changes, as the editor finds them. */
export interface ReferenceFact {
  readonly name: string;
  /** Outside of the lines that change it. */
  readonly elsewhere: number;
  /** Of these, on lines that change as well. */
  readonly onChangedLines: number;
  /** Of these, in files that the change does not touch. */
  readonly inUntouchedFiles: number;
}

/** What is known of the change that a response has made. */
export interface ClaimFacts {
  /** The results on the change as it is now. */
  readonly checks: readonly CheckFact[];
  readonly changes: readonly ChangeFact[];
  readonly references: readonly ReferenceFact[];
  /** What the response names as code: what "no other files" is besides. */
  readonly mentioned: readonly string[];
}

export interface Claim extends FoundClaim {
  readonly verdict: Verdict;
  /** The names of the checks, or the files, that decided it. */
  readonly by: readonly string[];
}

export interface FoundClaims {
  readonly claims: readonly FoundClaim[];
  /** Names of files and code in the text. */
  readonly mentioned: readonly string[];
}

/**
 * Finds the claims of a text in linear time. What is quoted, code, hedged, conditional, negated, asked or about another
 * time is none.
 */
export function findClaims(text: string): FoundClaims {
  const { sentences, mentioned } = ownSentences(text);
  // "All tests pass. Except for the one of the parser."
  const isTakenBack = (at: number) => {
    const next = sentences[at + 1]?.words.trimStart() ?? "";
    return /^(?:except|apart from|other than|aside from|除)/.test(next) || beginsWithFailures(next);
  };
  const claims = sentences.flatMap((sentence, at) => {
    const claimed = isTakenBack(at) ? [] : claimedIn(sentence);
    const found = claimsInEurope(claimed, sentence.words);
    if (found.length > 0) return found;
    const last = sentences[at - 1]?.words.trim() ?? "";
    return [...claimsInEnglish(claimed, last), ...claimsInChinese(claimed)];
  });
  return { claims: withoutRepeats(claims), mentioned };
}

/** Contradicted ones first, then proven ones; each in the order of the text. */
export function judgeClaims(
  { claims, mentioned }: FoundClaims,
  facts: Omit<ClaimFacts, "mentioned">,
): Claim[] {
  const whole = { ...facts, mentioned };
  const judged = claims.map((claim): Claim => ({ ...claim, ...judgeClaim(claim, whole) }));
  const rank: Readonly<Record<Verdict, number>> = { contradicted: 0, proven: 1, "not-checked": 2 };
  return judged.sort((one, other) => rank[one.verdict] - rank[other.verdict]);
}

/** A check is about what its name says; one that runs tests is about tests. */
export function checkFactOf({ name, kind, state, findings, notSeen = [] }: CheckResult): CheckFact {
  const words = name.toLowerCase();
  const about: CheckSubject =
    kind === "tests" ? "tests" : (subjects.find(([, pattern]) => pattern.test(words))?.[0] ?? "other");
  const part = about === "tests" ? testParts.exec(words)?.[0] : undefined;
  return {
    name,
    about,
    ...(part !== undefined && { part }),
    state,
    failing: state === "new-findings" ? findings.map(({ text }) => text) : [],
    warns: state === "passed" && findings.length > 0,
    seesAll: notSeen.length === 0,
  };
}

const subjects: readonly (readonly [CheckSubject, RegExp])[] = [
  ["types", /\b(?:types?|type-?check(?:ing|s)?|tsc|mypy|pyright|vue-tsc)\b|类型/],
  ["lint", /\b(?:lint(?:er|ing)?|eslint|biome|ruff|clippy|flake8|rubocop|golangci(?:-lint)?)\b/],
  ["build", /\b(?:build|compile|javac)\b|构建|编译/],
];

const testParts =
  /\b(?:unit|integration|e2e|end-to-end|smoke|acceptance|browser|ui|api|component|snapshot|slow|fast)\b|单元|集成|端到端/;

function withoutRepeats(claims: readonly FoundClaim[]): FoundClaim[] {
  const known = new Set<string>();
  return claims.filter(({ kind, quote }) => {
    const key = `${kind}\n${quote}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}
