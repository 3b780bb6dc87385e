// Clauses in English that say as a whole that checks pass: of a run of the tests, of "they" for tests that were named just
// before, and as a denial, as in "0 failures". One word that nobody thought of makes it none. Every clause is short.
import type { ClaimScope } from "../claims.ts";
import type { Found } from "./checks-in-english.ts";
import { code } from "./own-words.ts";

/** Where a clause stands: what "they" and "which" can mean. */
export interface Context {
  /** The clause before it in the same sentence. */
  readonly before: string;
  /** The sentence before it. */
  readonly last: string;
}

const whole = (words: string): RegExp => new RegExp(`^(?:(?:${lead}) )*(?:${words})(?: (?:${tail}))*$`);

const change =
  "(?:last |latest |final )?(?:change|changes|edit|edits|fix|fixes|patch|refactoring|refactor|rename|update)";
const faults =
  "(?:(?:any|a|single|test|further|remaining|reported) ){0,3}(?:failures?|failed tests?|failing tests?|errors?|problems?|issues?|hitch|complaints?)(?: or (?:failures?|errors?|warnings?))?";
const lead =
  "and|so|now|then|thus|also|again|finally|overall|afterwards|locally|(?:i|we) (?:(?:have|also|just|then) )?(?:verified|confirmed|checked|double-checked|made sure|ensured)(?: that)?|(?:verified|confirmed|checked|made sure)(?: that)?|i can confirm(?: that)?";
const tail = `now|again|too|as well|here|locally|successfully|cleanly|fine|any more|anymore|any longer|at all|overall|(?:without|with no|with zero|with 0) ${faults}|(?:after|with) (?:this|that|the|these|those|my) ${change}|on the (?:first try|final state|final version)|in the end`;

const allTests =
  "(?:every (?:single )?test|each test|(?:all|both) tests|(?:all |all of )?(?:the |our |your )?(?:(?:full|whole|entire|complete|automated|project's) ){0,2}(?:tests|specs|test ?suites?|suite|test cases)|(?:the |a )?(?:(?:full|whole|complete|final) )?(?:test run|run of the (?:(?:full|whole|entire) )?(?:tests|test ?suite|suite)))";
const allChecks =
  "(?:every check|(?:all |all of )?(?:the |our |your |these )?(?:(?:configured|automated|project's) )?checks)";

const adverbs = "(?:(?:now|all|still|also|again|both|successfully|cleanly|indeed|finally) ){0,3}";
const is =
  "(?:is|are|was|were|has been|have been|stays?|stayed|remains?|remained|comes?(?: back)?|came(?: back)?|gets?|turn(?:s|ed)?|keeps?|kept)";
const runs =
  "(?:runs?|ran|finish(?:es|ed)?|completes?|completed|executes?|executed|goes|go|went|exit(?:s|ed)?|ends?|ended|(?:is|are|was|were|has been|have been) (?:run|executed|completed))";
const faultless = `(?:clean|cleanly|green|fine|ok|okay|successfully|smoothly|with (?:exit )?code 0|(?:without|with no|with zero|with 0) ${faults})`;
const shows =
  "(?:had|has|have|shows?|showed|reports?|reported|gave|gives?|produced?|produces|yields?|yielded|finds?|found|returned|returns?)";
const passes = `${adverbs}(?:pass|passes|passed|passing|succeed|succeeds|succeeded|green|${is} ${adverbs}(?:green|clean|successful|passing|passed|fine|ok|okay|happy)|${runs} (?:through |to completion |to the end )?${faultless}|${shows} (?:no|zero|0|not a single) ${faults})`;
const presently = `${adverbs}(?:pass|passes|passing|succeed|succeeds|green|(?:is|are) ${adverbs}(?:green|clean|successful|passing|fine|ok|okay|happy))`;
const pronoun =
  "(?:(?:they|these|those|it|which|everything|all|all of (?:them|it|these|those|which)|every one of them|each of them)(?: all| both)? )?";
const noFailures =
  "(?:(?:there|i|we) (?:are|is|were|was|got|get|saw|see|had|have|found) |with |got |now )?(?:no|zero|0|not a single|without any) (?:(?:more|remaining|test|tests) ){0,2}(?:failures?|failed|failed tests?|failing tests?)(?: or errors?)?(?: (?:left|remain|remains|remaining|reported|found|(?:were|was) (?:reported|found)|in (?:the )?(?:tests|suite|test suite)))?";

/** Somebody has run all of the tests, at the end of the clause. */
const ranTests = new RegExp(
  `\\b(?:ran|run|re-?ran|rerun|running|re-?running|executed|executing) (?:all |all of )?(?:the |our |your )?(?:(?:full|whole|entire|complete|existing|project's) ){0,2}(?:tests|specs|test ?suite|suite)(?: again| locally| once more| afterwards| as well| too| after (?:this|the) ${change})?$`,
);
/** The tests are spoken of as a whole. */
const namesTests =
  /\b(?:the|our|your|all) (?:(?:full|whole|entire|complete|existing|test|project's) ){0,2}(?:tests|specs|suite)(?=[.;]?$| (?:had|have|has|was|were|are|is|did|could|kept|failed|broke|initially|first|previously|earlier|before|again|locally))(?!.*\b(?:for|of|in|that|which) )/;
const namesChecks =
  /\b(?:ran|run|running|executed) (?:all )?(?:the |our |your )?checks(?: again| locally)?[.;]?$/;
const unrun = /\b(?:not|never|unable|cannot|couldn't|could not|without)\b|n't\b/;

const loose: ClaimScope = { isLoose: true };

/** Undefined: none of these clauses. */
export function wholeClause(words: string, { before, last }: Context): Found | undefined {
  const colon = words.indexOf(": ");
  if (colon > 0 && ranTests.test(words.slice(0, colon)))
    return wholeClause(words.slice(colon + 2), { before: words.slice(0, colon), last });
  const hasRun = ranTests.test(before) && !unrun.test(before);
  if (hasRun && [itPasses, none, denied].some((pattern) => pattern.test(words)))
    return { kind: "tests-pass" };
  if (ofTests.test(words)) return { kind: "tests-pass" };
  if (ofChecks.test(words)) return { kind: "checks-pass" };
  if (ranWell.test(words) && !unrun.test(words.replace(/without\b.*$/, ""))) return { kind: "tests-pass" };
  if (denied.test(words)) return { kind: "tests-pass", scope: loose };
  if (nothingFails.test(words)) return { kind: "checks-pass", scope: loose };
  if (nothingBreaks.test(words)) return { kind: "no-new-failures", scope: loose };
  if (itPasses.test(words) && !unrun.test(before)) {
    if (namesTests.test(before)) return { kind: "tests-pass", scope: loose };
    if (namesChecks.test(before)) return { kind: "checks-pass", scope: loose };
  }
  const isToldBefore = before === "" && theyPass.test(words) && !unrun.test(last);
  if (isToldBefore && (namesTests.test(last) || ranTests.test(last.replace(/[.;]$/, ""))))
    return { kind: "tests-pass", scope: loose };
  return undefined;
}

const ofTests = whole(`${allTests} ${passes}`);
const ofChecks = whole(
  `${allChecks} ${passes}|(?:everything|it all) ${adverbs}(?:passes|passed|succeeds|succeeded|is ${adverbs}green)|all green`,
);
const ranWell = whole(
  `(?:(?:i|we|i've|have|then|also) ){0,3}(?:ran|re-?ran|executed|running) (?:all |all of )?(?:the |our |your )?(?:(?:full|whole|entire|complete|project's) ){0,2}(?:tests|specs|test ?suite|suite) (?:successfully|(?:without|with no|with zero|with 0) ${faults}|${shows} (?:no|zero|0) ${faults})`,
);
export const itPasses = whole(`${pronoun}${passes}`);
const theyPass = whole(
  `(?:they|these|those|all of them|every one of them)(?: all| both)? ${presently}|they all (?:passed|succeeded)`,
);
const none = whole(
  "(?:none|not (?:a single )?one|nothing)(?: of them)? (?:now )?(?:fails?|failed|is failing)",
);
const denied = whole(noFailures);
const nothingFails = whole("nothing (?:now |else )?(?:fails|failed|is failing|is red)");
const nothingBreaks = whole(
  "nothing (?:breaks|broke|is broken|was broken|has broken)(?: by (?:this|it|that))?|(?:there (?:are|were|is) )?no (?:new )?regressions?(?: (?:(?:were|was) )?(?:introduced|found|detected|seen))?",
);

/** "`npm test` exits with code 0", "I ran `npm test` without failures". */
export const commandPasses = whole(
  `${code}:? ${passes}|(?:(?:i|we|i've) )?(?:ran|re-?ran|running) ${code}(?: (?:successfully|without ${faults}|with (?:no|zero|0) ${faults}| ${passes}))`,
);
export const runsCommand = new RegExp(`\\b(?:ran|run|re-?ran|running|executed) ${code}(?: again| locally)?$`);

/** "Tests", before "and lint pass". */
const bare = whole(
  "(?:both )?(?:all )?(?:of )?(?:the |our )?(tests|test suite|suite|build|lint|linter|linting|types|type ?-?checks?|type ?-?checking|type ?-?checker)",
);
export function subjectAlone(words: string): Found["kind"] | undefined {
  const [, subject = ""] = bare.exec(words) ?? [];
  if (subject === "") return undefined;
  if (/^(?:tests|test suite|suite)$/.test(subject)) return "tests-pass";
  return subject === "build" ? "builds" : subject.startsWith("lint") ? "lint-clean" : "types-check";
}
