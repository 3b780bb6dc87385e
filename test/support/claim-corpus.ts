// Responses with claims that a person labelled, from test/fixtures/claims (README there).
import { readFileSync } from "node:fs";
import type { CheckResult } from "../../src/checks/check-result.ts";
import {
  type ChangeFact,
  type ClaimFacts,
  type ClaimKind,
  checkFactOf,
  claimKinds,
  type ReferenceFact,
  type Verdict,
} from "../../src/evidence/claims.ts";
import { riskFlags } from "../../src/risk/flags.ts";

export interface LabelledClaim {
  readonly kind: ClaimKind;
  readonly verdict: Verdict;
  readonly words: string;
}

export interface LabelledResponse {
  readonly manner: string;
  readonly language: string;
  readonly text: string;
  readonly facts: Omit<ClaimFacts, "mentioned">;
  readonly claims: readonly LabelledClaim[];
}

export const claimCases = (half: "known" | "aside"): readonly LabelledResponse[] =>
  readFileSync(`test/fixtures/claims/${half}.txt`, "utf8").split(/^@@ /m).slice(1).map(caseOf);

function caseOf(spelled: string): LabelledResponse {
  const lines = spelled.split("\n");
  const [head = ""] = lines;
  const [manner = "", language = ""] = head.split(" | ");
  const row = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? "";
  const parts = (text: string, separator: RegExp) => text.split(separator).filter((part) => part !== "");
  return {
    manner,
    language,
    text: lines
      .filter((line) => line.startsWith("|"))
      .map((line) => line.slice(1))
      .join("\n"),
    facts: {
      checks: parts(row("checks"), /, (?=[^()]*(?:\(|$))/).map((each) => checkFactOf(checkOf(each))),
      changes: parts(row("files"), /; /).map(changeOf),
      references: parts(row("references"), /; /).map(referenceOf),
    },
    claims: lines.filter((line) => line.startsWith("=> ")).map(labelOf),
  };
}

const states: Readonly<Record<string, CheckResult["state"]>> = {
  passed: "passed",
  old: "no-new",
  new: "new-findings",
  unknown: "could-not-compare",
  stale: "stale",
  waiting: "waiting",
  running: "running",
  unavailable: "unavailable",
};

function checkOf(spelled: string): CheckResult {
  const [, name = "", word = "", more = ""] = /^([^=]+)=(\w+)(?:\((.*)\))?$/.exec(spelled) ?? [];
  const state = states[word];
  if (state === undefined) throw new Error(`Unknown state of a check: ${spelled}`);
  const warnings = Number(/^(\d+) warnings$/.exec(more)?.[1] ?? 0);
  const [, except] = /^except (.*)$/.exec(more) ?? [];
  const texts =
    state === "new-findings" ? more.split("; ") : Array.from({ length: warnings }, () => "warning");
  return {
    id: name,
    name,
    kind: name.includes("tests") ? "tests" : "static",
    state,
    findings: texts.map((text) => ({ text })),
    ...(except !== undefined && { notSeen: [except] }),
  };
}

const kinds: Readonly<Record<string, ChangeFact["kind"]>> = {
  "~": "update",
  "+": "add",
  x: "delete",
  ">": "move",
};

function changeOf(spelled: string): ChangeFact {
  const [path = "", sign = "", added = "", removed = "", ...flags] = spelled.split(" ");
  const kind = kinds[sign];
  if (kind === undefined) throw new Error(`Unknown kind of a change: ${spelled}`);
  const own = riskFlags.filter((flag) => flags.includes(flag));
  if (own.length !== flags.length) throw new Error(`Unknown flag: ${spelled}`);
  return { path, kind, added: Number(added), removed: -Number(removed), flags: [own] };
}

function referenceOf(spelled: string): ReferenceFact {
  const [, name = "", elsewhere, changed, untouched] = /^(\S+) (\d+)\/(\d+)\/(\d+)$/.exec(spelled) ?? [];
  return {
    name,
    elsewhere: Number(elsewhere),
    onChangedLines: Number(changed),
    inUntouchedFiles: Number(untouched),
  };
}

function labelOf(line: string): LabelledClaim {
  const [, name, verdict, words = ""] =
    /^=> ([\w-]+) (proven|contradicted|not-checked): (.*)$/.exec(line) ?? [];
  const kind = claimKinds.find((each) => each === name);
  if (kind === undefined || verdict === undefined) throw new Error(`Unreadable label: ${line}`);
  return { kind, verdict: verdict as Verdict, words };
}
