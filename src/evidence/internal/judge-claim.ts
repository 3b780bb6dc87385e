// A claim and the facts about it. Proven needs a fact that decides all of the claim; in doubt it is not checked.
import { isCompared, provesFormat } from "../../risk/file-risk.ts";
import type { RiskFlag } from "../../risk/flags.ts";
import { trimEnd } from "../../util/text.ts";
import type {
  ChangeFact,
  CheckFact,
  CheckSubject,
  Claim,
  ClaimFacts,
  ClaimScope,
  FoundClaim,
  ReferenceFact,
  Verdict,
} from "../claims.ts";

type Judgement = Pick<Claim, "verdict" | "by">;

const open: Judgement = { verdict: "not-checked", by: [] };
const decided = (verdict: Verdict, by: readonly string[]): Judgement => ({ verdict, by });

export function judgeClaim(claim: FoundClaim, facts: ClaimFacts): Judgement {
  const judged = ofKind(claim, facts);
  return claim.scope.isLoose && judged.verdict === "proven" ? open : judged;
}

function ofKind({ kind, scope }: FoundClaim, facts: ClaimFacts): Judgement {
  switch (kind) {
    case "tests-pass":
      return testsPass(scope, facts);
    case "no-new-failures":
      return ofChecks(about("tests", facts), scope, isNotWorse);
    case "types-check":
      return ofChecks(about("types", facts), scope, scope.isNew ? isNotWorse : isPassed);
    case "lint-clean":
      return ofChecks(about("lint", facts), scope, (check) =>
        scope.isNew ? isNotWorse(check) : scope.noWarnings && check.warns ? false : isPassed(check),
      );
    case "builds":
      return builds(scope, facts);
    case "checks-pass":
      return ofChecks(facts.checks, scope, isPassed);
    case "no-other-callers":
      return ofReferences(scope, facts, ({ elsewhere, inUntouchedFiles }) =>
        inUntouchedFiles > 0 ? false : elsewhere === 0 ? true : undefined,
      );
    case "callers-updated":
      return ofReferences(scope, facts, (reference) => areCallersUpdated(reference, scope));
    case "formatting-only":
      return formattingOnly(scope, facts);
    case "no-behaviour-change":
      return isAllFormatting(facts) ? decided("proven", pathsOf(facts.changes)) : open;
    case "api-unchanged":
      return apiUnchanged(scope, facts);
    case "only-files":
      return onlyFiles(scope, facts);
    case "no-new-dependencies": {
      const grown = facts.changes.filter(
        ({ flags, added, removed }) => has(flags, "dependency") && added > removed,
      );
      return grown.length > 0 ? decided("contradicted", pathsOf(grown)) : open;
    }
    case "tests-untouched":
      return testsUntouched(facts);
    case "tests-added":
      return testsAdded(facts);
    default:
      return kind satisfies never;
  }
}

// Checks.

const about = (subject: CheckSubject, { checks }: ClaimFacts): readonly CheckFact[] =>
  checks.filter((check) => check.about === subject);

/** Undefined: it has not said. */
function isPassed({ state, seesAll }: CheckFact): boolean | undefined {
  if (state === "new-findings" || state === "no-new") return false;
  return state === "passed" && seesAll ? true : undefined;
}

function isNotWorse({ state, seesAll }: CheckFact): boolean | undefined {
  if (state === "new-findings") return false;
  return (state === "passed" || state === "no-new") && seesAll ? true : undefined;
}

/** One that fails contradicts; all have to pass to prove. */
function ofChecks(
  checks: readonly CheckFact[],
  { part }: ClaimScope,
  isTrue: (check: CheckFact) => boolean | undefined,
): Judgement {
  if (part !== undefined) return open;
  const wrong = checks.filter((check) => isTrue(check) === false);
  if (wrong.length > 0) return decided("contradicted", namesOf(wrong));
  const isProven = checks.length > 0 && checks.every((check) => isTrue(check) === true);
  return isProven ? decided("proven", namesOf(checks)) : open;
}

function testsPass(scope: ClaimScope, facts: ClaimFacts): Judgement {
  const checks = about("tests", facts);
  const { part, test, count, isExisting } = scope;
  if (test !== undefined) {
    const name = test.replace(/\(\)$/, "");
    const wrong = checks.filter(({ failing }) => failing.some((text) => text.includes(name)));
    return wrong.length > 0 ? decided("contradicted", namesOf(wrong)) : open;
  }
  if (part !== undefined) return ofPart(part, count, checks);
  const isTheirs = isExisting && facts.changes.some(({ path, to }) => isTestPath(to ?? path));
  const judged = ofChecks(
    checks.filter(({ state }) => !isTheirs || state !== "new-findings"),
    scope,
    isPassed,
  );
  if (judged.verdict !== "proven") return judged;
  const isWhole = checks.some((check) => check.part === undefined);
  const isLeft = isTheirs && checks.some(({ state }) => state === "new-findings");
  return isWhole && count === undefined && !isLeft ? judged : open;
}

/** "The unit tests" are those of the check that has this word in its name, and of no other one. */
function ofPart(part: string, count: number | undefined, checks: readonly CheckFact[]): Judgement {
  const words = trimEnd(part, "的 ")
    .split(/\s+/)
    .filter((word) => word !== "all" && word !== "the");
  const [word, ...more] = words;
  if (word === undefined || more.length > 0) return open;
  const meant = checks.filter(
    (check) => check.part !== undefined && sameParts.get(check.part) === sameParts.get(word),
  );
  if (sameParts.get(word) === undefined || meant.length === 0) return open;
  const judged = ofChecks(meant, {}, isPassed);
  return judged.verdict === "proven" && count !== undefined ? open : judged;
}

const sameParts: ReadonlyMap<string, string> = new Map([
  ...["unit", "integration", "e2e", "smoke", "acceptance", "browser", "component", "snapshot"].map(
    (word) => [word, word] as const,
  ),
  ["end-to-end", "e2e"],
  ["单元", "unit"],
  ["集成", "integration"],
  ["端到端", "e2e"],
]);

function builds(scope: ClaimScope, facts: ClaimFacts): Judgement {
  const judged = ofChecks(about("build", facts), scope, isPassed);
  if (judged.verdict === "contradicted" || !scope.compiles) return judged;
  const types = ofChecks(about("types", facts), scope, isPassed);
  return types.verdict === "contradicted" ? types : judged;
}

// References.

function ofReferences(
  { names = [] }: ClaimScope,
  { references, changes }: ClaimFacts,
  isTrue: (reference: ReferenceFact) => boolean | undefined,
): Judgement {
  const symbols = names.filter((name) => !changes.some(({ path }) => isSamePath(path, name)));
  const meant = references.filter(
    ({ name }) => symbols.length === 0 || symbols.some((one) => isSymbol(one, name)),
  );
  // Without a name, it may be about any of them.
  if (meant.length === 0 || (symbols.length === 0 && references.length > 1)) return open;
  const judged = meant.map(isTrue);
  const by = meant.map(({ name }) => name);
  if (judged.includes(false)) return decided("contradicted", by);
  return judged.every((each) => each === true) && symbols.length <= meant.length
    ? decided("proven", by)
    : open;
}

function areCallersUpdated(
  { elsewhere, onChangedLines, inUntouchedFiles }: ReferenceFact,
  { count }: ClaimScope,
): boolean | undefined {
  if (inUntouchedFiles > 0) return false;
  const isCounted = count === undefined || count === elsewhere;
  return elsewhere > 0 && onChangedLines === elsewhere && isCounted ? true : undefined;
}

const isSymbol = (written: string, name: string): boolean => {
  const bare = written.replace(/\(.*$/, "");
  return bare === name || bare.endsWith(`.${name}`) || bare.endsWith(`::${name}`);
};

// Flags and paths.

const has = (flags: ChangeFact["flags"], flag: RiskFlag): boolean =>
  flags?.some((own) => own.includes(flag)) === true;

/** Undefined: not known, or its file is not read well enough to prove it, or never told to change in form alone. */
function isFormatting({ path, to = path, flags }: ChangeFact): boolean | undefined {
  if (flags === undefined || isCompared(to)) return undefined;
  const isFlagged = flags.length > 0 && flags.every((own) => own.includes("format-only"));
  return isFlagged && !provesFormat(to) ? undefined : isFlagged;
}

const isAllFormatting = ({ changes }: ClaimFacts): boolean =>
  changes.length > 0 && changes.every((change) => isFormatting(change) === true);

function formattingOnly({ part }: ClaimScope, facts: ClaimFacts): Judgement {
  if (part !== undefined) return open;
  const others = facts.changes.filter((change) => isFormatting(change) === false);
  if (others.length > 0) return decided("contradicted", pathsOf(others));
  return isAllFormatting(facts) ? decided("proven", pathsOf(facts.changes)) : open;
}

function apiUnchanged({ names = [] }: ClaimScope, facts: ClaimFacts): Judgement {
  const flagged = facts.changes.filter(({ flags }) => has(flags, "public-api"));
  if (flagged.length > 0 && names.length === 0) return decided("contradicted", pathsOf(flagged));
  return isAllFormatting(facts) ? decided("proven", pathsOf(facts.changes)) : open;
}

function onlyFiles(
  { names = [], isOthers, count }: ClaimScope,
  { changes, mentioned }: ClaimFacts,
): Judgement {
  // One that it counts and that is not here may have been changed before.
  if (count !== undefined) {
    if (count > changes.length) return open;
    const more = changes.slice(count);
    return more.length === 0 ? decided("proven", pathsOf(changes)) : decided("contradicted", pathsOf(more));
  }
  const named = isOthers ? mentioned : names;
  const isNamed = ({ path, to }: ChangeFact) =>
    named.some((name) => isSamePath(path, name) || (to !== undefined && isSamePath(to, name)));
  const others = changes.filter((change) => !isNamed(change));
  // What names none of its files is about others than these.
  if (changes.length === 0 || others.length === changes.length) return open;
  return others.length > 0 ? decided("contradicted", pathsOf(others)) : decided("proven", pathsOf(changes));
}

function testsUntouched({ changes }: ClaimFacts): Judgement {
  const tests = changes.filter(({ path }) => isTestPath(path));
  const touched = tests.filter(({ kind }) => kind !== "add");
  if (touched.length > 0) return decided("contradicted", pathsOf(touched));
  const isClear = changes.length > 0 && tests.length === 0 && !changes.some(mayHoldTests);
  return isClear ? decided("proven", pathsOf(changes)) : open;
}

function testsAdded({ changes }: ClaimFacts): Judgement {
  const isPossible = changes.some((change) => isTestPath(change.to ?? change.path) || mayHoldTests(change));
  return changes.length === 0 || isPossible ? open : decided("contradicted", pathsOf(changes));
}

/** `src/a.ts` is meant by `a.ts` as well. */
function isSamePath(path: string, name: string): boolean {
  const written = name
    .replaceAll("\\", "/")
    .replace(/^\.\//, "")
    .replace(/:\d+(?:-\d+)?$/, "");
  return written !== "" && (path === written || path.endsWith(`/${written}`) || written.endsWith(`/${path}`));
}

const isTestPath = (path: string): boolean =>
  /(?:^|\/)(?:tests?|testing|__tests__|specs?|e2e|cypress|t)\//i.test(path) ||
  /(?:^|\/)(?:test_[^/]*|conftest|Tests?[A-Z]\w*)\.\w+$|[._-](?:tests?|specs?|cy)\.\w+$|[a-z](?:Tests?|Specs?)\.\w+$|\.(?:t|feature|snap)$/.test(
    path,
  );

/** In such languages tests may stand in the file that they test. */
const mayHoldTests = ({ path }: ChangeFact): boolean => /\.(?:rs|zig|d|nim|ipynb|md|rst)$/.test(path);

const pathsOf = (changes: readonly ChangeFact[]): readonly string[] =>
  changes.map(({ path, to }) => to ?? path);
const namesOf = (checks: readonly CheckFact[]): readonly string[] => checks.map(({ name }) => name);
