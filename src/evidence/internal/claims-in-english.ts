// Claims in English. Every clause is short, so that each pattern takes bounded time.
import type { ClaimKind, ClaimScope, FoundClaim } from "../claims.ts";
import { checksInEnglish, type Found, numberIn } from "./checks-in-english.ts";
import { affirmed, type Claimed } from "./guards.ts";
import { type Clause, code, isPath } from "./own-words.ts";
import { subjectAlone } from "./whole-clauses-in-english.ts";

export const chinese = /\p{Script=Han}/u;

/** `last`: the words of the sentence before. */
export function claimsInEnglish(claimed: readonly Claimed[], last: string): FoundClaim[] {
  let alone: ClaimKind[] = [];
  return claimed.flatMap(({ clause, before, isHedged }) => {
    if (chinese.test(clause.words)) return [];
    const subject = subjectAlone(clause.words);
    if (subject !== undefined && !clause.isTicked) {
      alone.push(subject);
      return [];
    }
    const checks = checksInEnglish(clause, before, last);
    // "Tests and lint pass" says so of both.
    const isShared = checks.some(({ scope = {} }) => scope.part === undefined && scope.test === undefined);
    const shared = isShared ? alone.map((kind): Found => ({ kind })) : [];
    alone = [];
    const found = [...shared, ...checks, ...aboutTheChange(clause, before)];
    return found.map(({ kind, scope = {} }) => ({
      kind,
      quote: clause.quote,
      scope: isHedged ? { ...scope, isLoose: true as const } : scope,
    }));
  });
}

const callers = "(?:callers?|call ?sites?|usages?|uses|references|consumers|importers)";
const api = "(?:apis?|interfaces?|signatures?|exports|function signatures?|method signatures?)";
const dependency = "(?:dependenc(?:y|ies)|packages?|libraries|crates?|gems?)";
const changed =
  "(?:chang(?:ed|es|ing|e)|modif(?:ied|y|ying)|touch(?:ed|ing)?|edit(?:ed|ing)?|updat(?:ed|e|ing)|alter(?:ed)?|affected)";
const only = "(?:only|just|pure|purely|solely|strictly|mere|merely|simply|nothing but)";
const layout = "(?:formatting|whitespace|white-space|indentation|re-?indentation|re-?indenting|reformatting)";

const was = "(?:(?:was|were|is|are|has been|have been) )?";
const number = "(?:a single|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,4})";
const testFiles =
  "(?:(?:the|all|any|existing|your|our|of) )*(?:tests?|specs?|test ?suites?|(?:test|spec) (?:files?|cases?|code))";

interface Rule {
  readonly kind: ClaimKind;
  readonly patterns: readonly RegExp[];
  /** A clause with one of these is about less, or about something else. */
  readonly unless?: RegExp;
  scope?(clause: Clause): ClaimScope | undefined;
}

const rules: readonly Rule[] = [
  {
    kind: "no-other-callers",
    patterns: [
      new RegExp(`\\bno other ${callers}\\b`),
      /\bno (?:remaining |external )?callers\b/,
      /\bno other (?:code|file|module|place)s? (?:\w+ )?(?:uses?|calls?|references?|depends?)\b/,
      /(?:\bnot|n't) (?:\w+ ){0,2}?(?:used|called|referenced|imported) (?:anywhere else|elsewhere|by anything else)\b/,
      /\b(?:nothing|nobody|no one) else (?:\w+ )?(?:uses?|calls?|references?|imports?|depends on|consumes)\b/,
      /\b(?:used|called|referenced|imported) nowhere else\b/,
      /\bonly (?:ever )?(?:called|used|referenced|imported) (?:from|by|in|within)\b/,
      /\bthe only (?:caller|call site|usage|use|consumer|reference)\b/,
    ],
    scope: ({ names }) => ({ names }),
  },
  {
    kind: "callers-updated",
    patterns: [
      new RegExp(
        `\\b(?:all|every|each)\\b(?: \\w+){0,4} ${callers}\\b.*\\b(?:updated|adjusted|migrated|changed|adapted|fixed|converted|renamed)\\b`,
      ),
      /\b(?:renamed|updated|replaced|changed) (?:\w+ |[\uE000-\uEFFF] ){0,4}?everywhere\b/,
      new RegExp(
        `\\b(?:updated|adjusted|migrated|changed|adapted|fixed|converted|renamed) (?:all|every|each)\\b(?: \\w+){0,4} ${callers}\\b`,
      ),
    ],
    unless: /\b(?:except|but|most|almost|other than|apart)\b|n't\b|\bnot\b/,
    scope: ({ names, words }) => ({ names, ...numberIn(words) }),
  },
  {
    kind: "formatting-only",
    patterns: [
      new RegExp(`\\b${only} (?:\\w+ ){0,2}?${layout}\\b`),
      new RegExp(`\\b${layout}[- ]only\\b`),
      new RegExp(`\\b${layout} (?:changes?|tweaks?|adjustments?) only\\b`),
    ],
    unless:
      /\b(?:not|rest|remaining|others?|hunks?|(?<!\bthis )commit|first|second|some|most|mostly|in|of|for|helpers?|functions?|utils?|methods?|calls?|extract\w*)\b|n't\b/,
    scope: ({ names }) => (names.length === 0 ? {} : { part: names.join(" ") }),
  },
  {
    kind: "no-behaviour-change",
    patterns: [
      /\bno (?:functional|behaviou?r(?:al)?|logic|logical|semantic) changes?\b/,
      /\bno changes? (?:in|to) (?:behaviou?r|functionality|logic)\b/,
      /(?:\bnot|n't|\bwithout) (?:chang|alter|affect)(?:e|es|ing) (?:the |any |existing |its )*(?:behaviou?r|functionality|logic)\b/,
      /\bbehaviou?r (?:is|stays|remains) (?:\w+ )?(?:unchanged|the same|identical)\b/,
    ],
    unless: /\belsewhere\b/,
  },
  {
    kind: "api-unchanged",
    patterns: [
      new RegExp(
        `\\b${api} (?:is|are|remains?|stays?|was|were) (?:\\w+ )?(?:unchanged|the same|intact|untouched|identical|not changed)\\b`,
      ),
      new RegExp(`\\bno (?:public |external |exported )*${api}[- ]changes?\\b`),
      new RegExp(
        `\\bno (?:public |external |exported )*${api} (?:(?:was|were|is|are|has|have|been) )*(?:changed|modified|altered|touched|affected)\\b`,
      ),
      new RegExp(`\\bno changes? (?:to|in) (?:the |any |our |public |external |exported )*${api}\\b`),
      new RegExp(
        `(?:\\bnot|n't|\\bwithout) (?:chang|alter|affect|touch|modify|modif)(?:e|es|ed|ing|ying)? (?:the |any |our |public |external |exported )*${api}\\b`,
      ),
    ],
    unless: /\b(?:http|rest|graphql|mostly|most|except|otherwise|user|cli)\b/,
    scope: ({ names }) => ({ names }),
  },
  {
    kind: "only-files",
    patterns: [
      new RegExp(
        `\\b(?:(?:only|just) ${changed}|${changed} only) (?:the )?(?:files? )?(?:${code}|[\\w@-]+[./])`,
      ),
      new RegExp(
        `^(?:and )?(?:only|just) (?:the files? )?${code}[ \\uE000-\\uEFFF]* (?:was|were|is|are|has been|have been) (?:\\w+ )?${changed}`,
      ),
      new RegExp(`^(?:and )?(?:only|just) (?:the files? )?${code}[ \\uE000-\\uEFFF]* ${changed}$`),
      new RegExp(
        `^(?:and )?all (?:of )?(?:the |my |its )?(?:changes|edits) (?:are|were|live|were made) (?:in|within|inside) (?:the file )?${code}$`,
      ),
      new RegExp(
        `\\b(?:changes?|edits?|diff|modifications?) (?:is|are|was|were) (?:\\w+ )?(?:limited|confined|restricted|isolated) to (?:the file )?(?:${code}|[\\w@-]+[./])`,
      ),
      new RegExp(`\\bthe only files? (?:i |that (?:was|were) )?(?:${changed} )?(?:is|are|was|were)\\b`),
    ],
    unless: /\b(?:in the|in this|step|first|second|commit|turn|so far)\b/,
    scope: ({ names }) => (names.some(isPath) ? { names: names.filter(isPath) } : undefined),
  },
  {
    kind: "only-files",
    patterns: [
      new RegExp(`\\bno other files? (?:was|were|is|are|has|have|needed)\\b.*${changed}`),
      new RegExp(`\\bno other files? ${changed}`),
      /\bnothing else (?:was|is|has been|were) (?:touched\b|modified\b|changed$|edited$)/,
      /(?:\bnot|n't|\bwithout) (?:touch|chang|modif|edit)(?:e|ed|ing|y|ied|ying)? (?:any )?(?:other files?|anything else)\b/,
    ],
    scope: () => ({ isOthers: true }),
  },
  {
    kind: "only-files",
    patterns: [
      new RegExp(`^(?:and )?(?:(?:only|exactly|just) )?${number} files? ${was}${changed}$`),
      new RegExp(`^(?:and )?i (?:have |only ){0,2}${changed} (?:(?:only|exactly|just) )?${number} files?$`),
      new RegExp(
        `^(?:and )?(?:the|this|my) (?:change|diff|patch|edit|fix) (?:only )?(?:touches|affects|changes|modifies|is (?:limited|confined) to) (?:(?:only|exactly|just) )?${number} files?$`,
      ),
    ],
    scope: ({ words }) => (/\bsingle\b/.test(words) ? { count: 1 } : numberIn(words)),
  },
  {
    kind: "no-new-dependencies",
    patterns: [
      new RegExp(`\\bno (?:new|additional|extra|added|external|further) (?:[\\w-]+ ){0,2}?${dependency}\\b`),
      new RegExp(
        `\\bwithout (?:adding |introducing |any |new |additional |extra |external |third-party ){1,4}${dependency}\\b`,
      ),
      new RegExp(
        `(?:\\bnot|n't) (?:add|introduce|require)(?:ed|ing)? (?:any |new |additional ){0,2}${dependency}\\b`,
      ),
    ],
  },
  {
    kind: "tests-untouched",
    patterns: [
      new RegExp(
        `^(?:(?:and|i|i've|i have|we) )*(?:left|kept|leaving|leaves|keeps) ${testFiles} (?:alone|untouched|unchanged|as (?:they were|(?:it|they) (?:is|are|was)|is))$`,
      ),
      new RegExp(
        `\\bno (?:existing )?(?:tests?|specs?) (?:files? |cases? )?(?:was|were|is|are|has been|have been) ${changed}`,
      ),
      new RegExp(
        `(?:\\bnot|n't|\\bwithout) (?:touch|chang|modif|edit|alter)(?:e|ed|ing|y|ied|ying)? ${testFiles}$`,
      ),
      new RegExp(
        `^(?:and )?${testFiles} (?:(?:was|were|is|are|remains?|stays?|have been|has been) (?:not ${changed}|unchanged|untouched|intact|left alone|(?:exactly )?as (?:they|it) (?:was|were|is|are))|stay as (?:they|it) (?:was|were|is|are)|(?:did|do)(?: not|n't) change|(?:was|were|has been|have been|is|are)n't ${changed})$`,
      ),
      new RegExp(
        `^(?:and )?(?:there (?:are|were) |i (?:have )?made )?no (?:changes|edits) (?:(?:were |was )?(?:made|needed|necessary) )?(?:to|in) ${testFiles}$`,
      ),
      new RegExp(
        `^(?:and )?none of (?:the |our |your )?(?:tests|specs|test files) (?:was|were|have been|has been|is|are) ${changed}$`,
      ),
    ],
  },
  {
    kind: "tests-added",
    patterns: [
      /\b(?:added|wrote|created|included|i've added|adds|includes)(?: (?:a|an|the|new|some|more|unit|regression|integration|several|two|three|\d+|additional|comprehensive|corresponding|e2e)){0,4} (?:tests?|specs)(?: cases?)?\b/,
      /^(?:and |also )?(?:(?:a|an|one|two|three|several|some|new|more|\d+) )?(?:(?:new|unit|regression|integration|additional|more|corresponding|e2e) ){0,3}(?:tests?|test cases?|specs) (?:was|were|is|are|has been|have been) (?:also )?(?:added|written|included|created)\b/,
      /^(?:and |also )?(?:there is (?:now |also )?(?:a|an)|(?:a|an|several|two|three) new|new) (?:(?:new|unit|regression|integration) )?tests? (?:now )?(?:covers?|guards?|for)\b/,
      /\bcovered (?:this|it|that|the [\w -]{1,40}) (?:case )?(?:with|by) (?:a|an|new|some|two)(?: (?:new|unit|regression|integration))* tests?$/,
      /^(?:(?:and|also|i|i've|have) )*(?:updated|adjusted|adapted|extended|amended|changed|modified) (?:(?:all|the|existing|corresponding|unit|its|relevant|affected) )*(?:tests|specs|test files?|test cases|test suite)(?: (?:accordingly|too|as well|for this|to match))?$/,
      /^(?:and )?(?:(?:all|the|existing|corresponding|unit|relevant|affected) )*(?:tests|specs|test files?|test cases) (?:was|were|have been|has been|are) (?:updated|adjusted|adapted|extended)(?: (?:accordingly|too|as well|for this|to match))?$/,
    ],
    unless: /\b(?:test (?:data|helper|id|fixture|util|harness)|data-testid|no|not)\b|n't\b/,
  },
];

/** "I edited `a.ts`", before "and nothing else". */
const changedFiles = new RegExp(`\\bi (?:have |only )?${changed} (?:only )?${code}(?: ${code})*$`);

function aboutTheChange(given: Clause, before: Clause | undefined): Found[] {
  const clause = { ...given, words: affirmed(given.words) };
  if (before !== undefined && clause.words === "nothing else" && changedFiles.test(before.words)) {
    const names = before.names.filter(isPath);
    return names.length === 0 ? [] : [{ kind: "only-files", scope: { names } }];
  }
  return rules.flatMap(({ kind, patterns, unless, scope }) => {
    const { words } = clause;
    if (!patterns.some((pattern) => pattern.test(words)) || unless?.test(words)) return [];
    const said = scope === undefined ? {} : scope(clause);
    return said === undefined ? [] : [{ kind, scope: said }];
  });
}
