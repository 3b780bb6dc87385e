// What a clause in English claims of checks: that tests, types, lint or a build pass. A word that narrows it, before or
// after, makes it a claim about a part.
import type { ClaimKind, ClaimScope } from "../claims.ts";
import { affirmed, isLessened } from "./guards.ts";
import { type Clause, code } from "./own-words.ts";
import { commandPasses, itPasses, runsCommand, wholeClause } from "./whole-clauses-in-english.ts";

export interface Found {
  readonly kind: ClaimKind;
  readonly scope?: ClaimScope;
}

export function checksInEnglish(given: Clause, before: Clause | undefined, last: string): Found[] {
  const clause = { ...given, words: affirmed(given.words) };
  const { words } = clause;
  const said = wholeClause(words, { before: before?.words ?? "", last });
  if (said !== undefined) return [said];
  const ran = commandThatPasses(clause, before);
  if (ran !== undefined) return [ran];
  const found: Found[] = [];
  if (newFailures.test(words)) found.push({ kind: "no-new-failures" });
  if (isLessened(words.replace(/with(?:out|no) (?:any )?failures?/, ""))) return found;
  const colon = words.lastIndexOf(":");
  const [subject, told] =
    colon < 0 ? [before?.words ?? "", words] : [words.slice(0, colon), words.slice(colon + 1).trim()];
  if (everything.test(told) && subjectOfTests.test(subject))
    return [...found, { kind: "tests-pass", scope: scopeOf(subject) }];
  const run = faultlessRun.test(told) ? whatRan(subject) : undefined;
  if (run !== undefined) return [...found, { kind: run }];
  if (allChecks.test(words)) found.push({ kind: "checks-pass" });
  const ofTests = subjectOfTests.test(words) ? testsPass(clause) : namedTests(clause);
  return [...found, ...ofTests, ...tools(clause), ...compiles(clause)];
}

const tests = "(?:test ?suites?|test ?cases?|tests?|specs?|suites?|assertions)";
const goodWords = "pass(?:es|ed|ing)?|green|succeed(?:s|ed|ing)?|success(?:ful)?|clean|ok|okay|happy|fine";
const good = `(?:${goodWords}|quiet|silent)`;
/** Tests that are silent on something do not cover it. */
const goodOfTests = `(?:${goodWords})`;
const subjectOfTests = new RegExp(`\\b${tests}\\b`);
const predicate = new RegExp(`\\b${good}\\b`);
const predicateOfTests = new RegExp(`\\b${goodOfTests}\\b`);
const newFailures =
  /\bno new (?:test )?(?:failures?|failing tests?)\b|\bno test regressions?\b|\bno regressions? in (?:the )?tests?\b/;
const everything =
  /^(?:and |then )?(?:everything|they all|it all|all|all of (?:them|it)) (?:now |is |are )*(?:passes|pass|passed|passing|green)$/;
/** What is said of a tool that has run, in the clause before. */
const faultlessRun =
  /^(?:and |then )?(?:it|they|everything) (?:now |all |also |has |have )*(?:passe?[sd]|succeed(?:s|ed)|(?:complete[sd]?|finishe[sd]|ran|went through) (?:successfully|cleanly|without(?: any)? (?:errors?|issues?|problems?|warnings?))|(?:is|was|came back|comes back) (?:clean|green|successful)|(?:found|finds|reported|reports|showed|shows) (?:no|zero) (?:errors?|issues?|problems?))$/;

/** Undefined: not the whole of one tool. */
function whatRan(words: string): ClaimKind | undefined {
  const [, which = ""] =
    /^(?:and |then |also )?(?:(?:i|i've|we|have|then|also|just|re)[ -]?)*(?:ran|run|rerun|executed) (?:the |our |your |whole |full |entire |project |project's )*([\w -]{1,40}?)(?: too| as well| again| locally)*$/.exec(
      words,
    ) ?? [];
  if (/^(?:tests|test ?suites?|suite)$/.test(which)) return "tests-pass";
  if (/^(?:type ?-?check(?:er|s|ing)?)$/.test(which)) return "types-check";
  if (/^(?:lint(?:er|ing)?|eslint)$/.test(which)) return "lint-clean";
  return which === "build" ? "builds" : undefined;
}

const allChecks =
  /^(?:and |now |so )*(?:all (?:of )?(?:the |your |configured |our )*checks|everything|every check) (?:now |still |is |are |have |has )*(?:pass(?:es|ed|ing)?|green)(?: now| locally| again)?$/;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words before a subject that do not narrow it. */
const wide = setOf(
  "the all every each single our your whole entire full complete of existing current now so also then with i we i've we've have ran run made sure ensured confirmed verified verification validation that tested testing test tests done result results status summary update note check checks great news awesome perfect yes npm project project's repository's repo's jest vitest pytest mocha cargo go local and finally",
);
const suites = setOf("suite suites testsuite testsuites case cases testcase testcases spec specs assertions");
/** Words between a subject and what is said of it. */
const filling = setOf(
  "now all still are is also have has been continue continues to do goes go went turns turn turned comes came back currently keep keeps kept stay stays stayed successfully again finally locally remain remains",
);
/** Words after "pass" that say no less. */
const closing = setOf(
  "now any more anymore longer in full after this the these that it them change changes edit edits modification modifications refactoring refactor rename fix patch locally again too as well successfully cleanly fully left remaining remain remains found reported shown here today overall on the first try run and or with without no any zero 0 new error errors warning warnings failure failures failed issue issues problem problems",
);
/** Whoever does it, where "passes all tests" is said of the change. */
const actors = setOf(
  "it this that makes made gets change changes code fix implementation patch everything still fully",
);
const toolWords = setOf(
  "type types typecheck typechecks typechecking type-check type-checks type-checking check checks checking checker typescript ts tsc mypy pyright lint lints linter linting eslint biome ruff clippy flake8 rubocop golangci-lint build builds report reports shows show says finds found has there no new zero 0 without any code it this strict",
);
/** "Tests pass the config to the loader": another meaning of the word. */
const object =
  /^(?:the|a|an|its|their|each|every|through|to|it|them|by|that|this|only|when|whether)\b(?! first)/;

/** What happens without the change is another statement than what happens with it. */
const withoutChange = /^(?:now |still |also |again )*without (?:it|this|that|these|those|the|my|our|your)\b/;

const isIn = (words: string, ...sets: readonly ReadonlySet<string>[]): boolean =>
  words
    .replaceAll(":", " ")
    .split(" ")
    .every((word) => word === "" || sets.some((set) => set.has(word)) || /^\d/.test(word));

/** What a clause says after its predicate; undefined if that makes it another statement. */
function afterPredicate(rest: string): ClaimScope | undefined {
  const tail = rest.trim();
  if (object.test(tail) || withoutChange.test(tail)) return undefined;
  return isIn(tail, closing) ? {} : { part: tail };
}

function testsPass({ words, names, isTicked }: Clause): Found[] {
  const said = passedTests(words) ?? testsThatPass(words, isTicked);
  if (said === undefined) return [];
  const parts = names.filter((name) => commandOf(name)?.kind !== "tests-pass");
  const [one] = parts;
  if (one !== undefined && names.length === 1 && oneTest.test(words))
    return [{ kind: "tests-pass", scope: { test: one } }];
  const named = parts.length === 0 ? {} : { part: parts.join(" ") };
  return [{ kind: "tests-pass", scope: { ...numberIn(words), ...existingIn(words), ...named, ...said } }];
}

/** Of the tests that are named before it is said that all of them pass. */
function scopeOf(subject: string): ClaimScope {
  const part = subject.split(" ").filter((word) => !isIn(word, wide, suites));
  return {
    ...numberIn(subject),
    ...existingIn(subject),
    ...(part.length > 0 && { part: part.join(" ") }),
  };
}

const existingIn = (words: string): ClaimScope =>
  /\b(?:existing|current)\b/.test(words) ? { isExisting: true } : {};

/** "The test `adds nothing` passes now". */
const oneTest = new RegExp(
  `^(?:and |now )?(?:the )?(?:new |failing |existing |regression )*test (?:called |named )?${code} (?:now |also |still )*pass(?:es|ed)?(?: now| again| too)?$`,
);

/** "The change passes all tests". */
function passedTests(words: string): ClaimScope | undefined {
  const [all, head = "", which = "", rest = ""] =
    new RegExp(`^(.*?)\\b(?:pass|passes|passed|passing)\\s+((?:\\w+ ){0,4})${tests}\\b(.*)$`).exec(words) ??
    [];
  if (all === undefined || !isIn(head, wide, filling, actors)) return undefined;
  const tail = afterPredicate(rest);
  return tail && { ...(isIn(which, wide) ? {} : { part: which.trim() }), ...tail };
}

/** "All tests pass", "Tests: passing", and a tick beside "Tests". */
function testsThatPass(words: string, isTicked: boolean): ClaimScope | undefined {
  const colon = words.lastIndexOf(":");
  const told = words.slice(colon + 1).trim();
  const isLabel = colon >= 0 && !subjectOfTests.test(told);
  const text = isLabel ? words.replaceAll(":", " ") : told;
  const noun = new RegExp(`^(.*?)\\b${tests}\\b(.*)$`).exec(text);
  if (noun === null) return undefined;
  const [, head = "", tail = ""] = noun;
  const at = tail.search(predicateOfTests);
  if (at < 0 && (!isTicked || tail.trim() !== "")) return undefined;
  const between = at < 0 ? "" : tail.slice(0, at).trim();
  const rest = at < 0 ? {} : afterPredicate(tail.slice(at).replace(new RegExp(`^${goodOfTests}`), ""));
  if (rest === undefined) return undefined;
  const lead = `${isLabel ? "" : words.slice(0, Math.max(colon, 0))} ${head}`.replace(anyCode, "").trim();
  if (!isIn(between, filling)) return { part: `${lead} ${between}`.trim() };
  return { ...(isIn(lead, wide, actors) ? {} : { part: lead }), ...rest };
}

const anyCode = new RegExp(code, "g");

const numerals = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export function numberIn(words: string): ClaimScope {
  const counted = words.replace(/\b0 (?:failures?|errors?|failed)\b/, "");
  const [, digits] = /(?:^|[^\w%])(\d{1,7})(?![\w%])/.exec(counted) ?? [];
  if (digits !== undefined) return { count: Number(digits) };
  const numeral = words
    .split(" ")
    .map((word) => numerals.indexOf(word))
    .find((number) => number > 0);
  return numeral === undefined ? {} : { count: numeral };
}

const commands: readonly (readonly [Found, RegExp])[] = [
  [
    { kind: "tests-pass" },
    /^(?:(?:npm|pnpm|yarn|bun|deno) (?:run )?(?:test|t)|(?:npx )?(?:jest|vitest(?: run)?|mocha|ava)|pytest(?: -q)?|python3? -m (?:pytest|unittest)|cargo test|go test \.\/\.\.\.|make test|(?:mvn|gradle|\.\/gradlew|dotnet|mix|swift) test)$/,
  ],
  [
    { kind: "types-check" },
    /^(?:(?:npx |yarn |pnpm )?(?:vue-)?tsc(?: --noemit| -b| -p \.)*|mypy(?: \.)?|pyright|(?:npm|pnpm|yarn) (?:run )?(?:typecheck|type-check|check-types|types))$/,
  ],
  [
    { kind: "lint-clean" },
    /^(?:(?:npx )?eslint(?: \.)?|ruff(?: check)?(?: \.)?|cargo clippy|(?:npm|pnpm|yarn) (?:run )?lint|golangci-lint run)$/,
  ],
  [
    { kind: "builds" },
    /^(?:(?:npm|pnpm|yarn|bun) (?:run )?build|cargo build|go build \.\/\.\.\.|make(?: build)?|dotnet build)$/,
  ],
];

/** A command that checks the whole, by what it claims if it passes. */
export const commandOf = (name: string): Found | undefined =>
  commands.find(([, pattern]) => pattern.test(name.toLowerCase()))?.[0];

/** "`npm test` finishes without errors", "I ran `npm test`, and it passes". */
function commandThatPasses({ words, names }: Clause, before: Clause | undefined): Found | undefined {
  const [name] = commandPasses.test(words)
    ? names
    : before !== undefined && runsCommand.test(before.words) && itPasses.test(words)
      ? before.names
      : [];
  return name === undefined ? undefined : commandOf(name);
}

/** "`npm test` passes", "`test_empty` passes". */
function namedTests({ words, names, isTicked }: Clause): Found[] {
  const [name] = names;
  if (name === undefined || names.length > 1) return [];
  const saying = new RegExp(
    `^(?:and |now )?(?:${code}|[\\w@./-]+):? (?:now |still |also |is |all )*(?:${good}|(?:(?:reports?|reported|shows?|finds?|found|has|gives?) )?(?:no|zero|0) (?:errors?|issues?|problems?|failures?))\\b(.*)$`,
  );
  const [said, rest = ""] = saying.exec(words) ?? [];
  const isAlone = isTicked && new RegExp(`^${code}$`).test(words);
  const scope = said === undefined ? {} : afterPredicate(rest);
  if ((said === undefined && !isAlone) || scope === undefined) return [];
  const command = commandOf(name);
  if (command !== undefined) return [{ ...command, scope }];
  return /test|spec/i.test(name) && !/\s/.test(name) ? [{ kind: "tests-pass", scope: { test: name } }] : [];
}

const faultless =
  /\b(?:no|zero|0|without(?: any)?) (?:[\w-]+ (?:or )?){0,2}?(?:errors?|issues?|problems?|warnings?|complaints?|diagnostics)\b|\bcleanly\b/;

function tools({ words, isTicked }: Clause): Found[] {
  const [at] = [faultless.exec(words), predicate.exec(words)]
    .filter((each) => each !== null)
    .sort((one, other) => one.index - other.index);
  if (at === undefined && !(isTicked && isIn(words, wide, toolWords))) return [];
  const head = at === undefined ? words : words.slice(0, at.index);
  const tail = at === undefined ? {} : afterPredicate(words.slice(at.index + at[0].length));
  if (tail === undefined) return [];
  const isPart = !isIn(head, wide, filling, toolWords) || /[\uE000-\uEFFF]/.test(words);
  const scope = {
    ...(/\bno new\b/.test(words) && { isNew: true as const }),
    ...(isPart && { part: head.trim() }),
    ...tail,
  };
  const found: Found[] = [];
  if (types.test(words) && !/\bcompil/.test(words)) found.push({ kind: "types-check", scope });
  if (/\b(?:lint(?:er|ing|s)?|eslint|biome|ruff|clippy|flake8|rubocop|golangci-lint)\b/.test(words)) {
    const noWarnings = /\b(?:no|zero|0|without(?: any)?) (?:[\w-]+ (?:or )?){0,2}?warnings?\b/.test(words);
    found.push({ kind: "lint-clean", scope: { ...scope, ...(noWarnings && { noWarnings }) } });
  }
  if (new RegExp(`\\bbuilds?:? (?:\\w+ ){0,2}?${good}\\b`).test(words)) found.push({ kind: "builds", scope });
  return found;
}

const types =
  /\b(?:types?|type-?check(?:s|ing|er)?|tsc|mypy|pyright)\b|\btypescript (?:check|is|passes|reports|shows|finds|errors?)\b|\btypescript: no errors\b/;

/** What is said without "pass". */
function compiles({ words, names }: Clause): Found[] {
  const found: Found[] = [];
  const checks =
    /^(?:and |now )?(?:it |this |everything |the change |the code |all |the |all the )?(?:still |now )?(?:type-?checks|types (?:still |now )?check|type checks)(?: cleanly| now| too| as well)*$/;
  if (checks.test(words)) found.push({ kind: "types-check" });
  const compile =
    /^(?:and |now )?(?:(?:it|this|everything|the|all|typescript|rust|project|code|whole|still|now|app) )*compiles?(?: (?:now|again|cleanly|fine|successfully|(?:with no|without(?: any)?) (?:errors|warnings|errors or warnings)))?$/;
  if (compile.test(words)) found.push({ kind: "builds", scope: { compiles: true } });
  const build =
    /^(?:and |now )?(?:(?:it|the|project|code|everything|app|still|now|whole) )*builds(?: (?:now|again|cleanly|fine|successfully|without(?: any)? errors))?$/;
  if (build.test(words) && names.length === 0) found.push({ kind: "builds" });
  return found;
}
