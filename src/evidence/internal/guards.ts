// What makes a sentence no claim about this change as it is now: a doubt, a condition, a question, another time, a
// negation. In doubt there is no claim.
import { type Clause, code, type Sentence } from "./own-words.ts";

const doubts =
  /\b(?:should|shouldn't|expect(?:s|ed|ing|ation)?|probably|presumably|likely|maybe|perhaps|might|may|believe|think|guess|hope|hopefully|suppose|supposedly|assum(?:e|ing|ption)|seems?|appears?|ideally|in theory|theoretically|as far as|to my knowledge|i'd say|would|could|intended|goal|aim|looks? like)\b|应该|应当|可能|预计|预期|期望|大概|估计|理论上|似乎|看起来|看来|希望|相信|据我所知|或许|也许|未能|没有运行|未运行|无法运行|没有实际运行|并没有|目标/;

/** Whoever says so has not seen a result. */
const unrun =
  /(?:\bnot|n't|\bnever|\bunable to|\bcannot|\bwithout)\b.{0,20}\b(?:run|ran|running|execut(?:e|ed|ing)|verif(?:y|ied|ying)|tested|confirm(?:ed)?|checked)\b/;

const wishes =
  /\b(?:make sure|ensur(?:e|es|ing)|please|verify|confirm|double-check|check (?:that|whether|if)|to see|let me know|until|unless|whether|keep going|in order to|asked|todo(?! (?:se )?(?:compila|pasa|está|funciona)))\b|请|确保|确认|是否|直到|再提交|才能|要求|为了/;

const needs = /\b(?:want|needs?|needed|must|can|let)\b|需要|必须|待/;

const otherTimes =
  /\b(?:previously|before|earlier|originally|formerly|used to|yesterday|last run|on main|on master|upstream|will|'ll|going to|already failing|pre-existing)\b|之前|以前|原来|原本|此前|修改前|改动前|将会|将能|即将|就能|就会|以后|后续|接下来|我会|稍后|随后|打算|计划|准备|下一步/;

const conditions =
  /^(?:and |then |but )?(?:if|once|when|after(?! (?:the|this|that|these|those|my) (?:last |latest |final )?(?:change|edit|fix|patch|refactoring|refactor|rename)(?:s|es)?(?:$| (?:all|the|every|tests|nothing|no|everything|they)\b))|unless|until|provided|assuming|as soon as)\b|^(?:如果|若|假如|一旦|当|只要|等)/;
const inside = /\b(?:if|once|when|whenever|unless|provided|assuming)\b|如果|一旦|只要|的话|后[,，]?$/;

/** Before another clause: under which it holds. */
const frames =
  /^(?:with(?! (?:this|these|the) (?:change|edit|fix|patch)| (?:this|that|it)$)|without|given|as long as|according to|in|on|under|using|for|except)\b|^(?:在.*(?:下|中|时)|除|根据|据)/;

/** What somebody else has said is no claim of the response. */
const told =
  /\b(?:you|he|she|they|colleague|maintainer|author|reviewer|user|team|readme|docs?|documentation|changelog|issue|ticket|comment|badge|description)s? (?:have |has |also |already )*(?:say|says|said|claim|claims|claimed|wrote|write|writes|state|states|stated|mention|mentions|mentioned|told|promise|promises|promised)\b|(?:你|您|他|她|他们|用户|同事|作者|维护者|文档|说明|注释|评论)(?:里|中|也|曾|之前|反馈|指出)*(?:说|写|称|提到|声称)/;

const formerly = /previously|之前|以前|修改前/;

/** "All tests pass, except the flaky one", "all but two". */
const takenBack =
  /\b(?:except|excluding|excepting|apart from|other than|aside from|besides|save for|skipp(?:ed|ing)|ignor(?:ed|ing)|flaky|still fail(?:s|ing)?|(?<!\b(?:that|which|nothing|nothing now|nothing else) )fails|all (?:\w+ )?but)\b|除|跳过|忽略|仍然?失败|还有[^，。]{0,10}失败/;

/** "2 tests failed because of the network", "3 failures remain"; not those that were fixed. */
const failures =
  /(?<!\bfix(?:ed|es)? (?:the |all |these |those ){0,2})\b(?:[1-9]\d{0,6} (?:(?:tests? |specs? |of them )?(?:now |still )?(?:(?:failed(?: tests?)?|failing)(?=\s*(?:[,.;:!|()，。；（）]|$))|failed(?! (?:tests?|specs?)\b)|fails?\b)|failures?\b)|(?<!\bhttp )[1-9]\d{0,2} errors?\b)(?! (?:(?:are|is|were|was|have been|has been) )?(?:now )?(?:fixed|resolved|gone)\b)|(?<!修复[^，。；]{0,20})[1-9]\d{0,6} ?(?:个|项|条)?(?:测试|用例)?(?:失败|未通过)(?=了|是因为|因为|由于|\s*(?:[,.;:!|()，。；：！、（）]|$))/;

/** Whether the next sentence begins with what fails: "All tests pass; 2 fail on Windows." */
export const beginsWithFailures = (words: string): boolean =>
  /^\s*(?:but |however,? |但是?)?[1-9]/.test(words) && failures.test(words);

const elsewhere = /\bci\b|\bpipelines?\b|github actions|\bremote\b|流水线/;
const crosses = /[❌✗✘✖⚠🔴🟡⏳⬜]/u;

const isQuestion = ({ words }: Sentence): boolean => /[?？]$/.test(words) || /吗$|呢[?？]?$/.test(words);

/** Some word of every claim: most sentences have none. */
const telling =
  /test|spec|suite|pass|green|nothing|regression|success|everything|found no|type|tsc|mypy|pyright|lint|biome|ruff|clippy|flake8|rubocop|build|compil|check|call|usage|use|referenc|consumer|crate|gems?\b|format|whitespace|indent|behavio|functional|logic|apis?\b|interface|signature|export|only|just|limited|confined|restricted|isolated|files?\b|nothing else|anything else|dependenc|package|librar|fail|\p{Script=Han}|[\uE000-\uEFFF]/u;

/** Words that every claim in German, French and Spanish has one of, besides those of English. */
const tellingInEurope =
  /prueba|typ|tipo|kompil|formatier|mise en forme|formato|abhängig|dépendance|datei|fichier|archivo|aufruf|verwend|appel|llamad|usos|verhalten|comporte|schnittstell|signatur|firma|fehler|erreur|prüfung|vérif|comprob|verific|compila|pasa|alles|tout|todo|nirgend/u;

const was = "(?:(?:was|were|is|are|has been|have been) )?";
const touched = "(?:chang|modif|touch|edit|updat|alter|affect)(?:e[sd]?|ed|ied|y|s)?";
const besides = "(?:but|besides|other than|apart from|except(?: for)?|outside(?: of)?|beyond)";

const affirming: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:and |but |so )?after (?:the|this|that|these|those|my) (?:last |latest |final )?(?:change|edit|fix|patch|refactoring|refactor|rename)(?:s|es)? (?=\w)/g,
    "",
  ],
  [
    /\b(?:none|not (?:a single )?one) of (?:them|these) (?:now |still |has |have |are |is )*(?:fail(?:s|ed|ing)?|br(?:eaks?|oke|oken))\b/g,
    "all of them pass",
  ],
  [
    /\b(?:none|not (?:a single )?one) of (?:these |the |your |our )?(?:existing )?tests (?:now |still |has |have |are |is )*(?:fail(?:s|ed|ing)?|br(?:eaks?|oke|oken))\b/g,
    "all of the tests pass",
  ],
  [
    /\b(?:no|not a single) ((?:\w+ )?)(tests?|specs?|test cases?) (?:now |still |has |have |are |is |was |were )*(?:fail(?:s|ed|ing)?|br(?:eaks?|oke|oken))\b/g,
    "all $1$2 pass",
  ],
  [
    /\b(?:the |our |your )?(build|suite|tests) (?:is|are|was|were|has|have)(?: not|n't)(?: been)? broken(?: by (?:this|that|it)\b)?/g,
    "the $1 passes",
  ],
  [
    /\b(?:does(?: not|n't)|do(?: not|n't)|did(?: not|n't)) break (?:the |our |your )?(build|test suite|suite)\b/g,
    "keeps the $1 passing: the $1 passes",
  ],
  [
    new RegExp(`\\b(?:no other files?|nothing|nothing else) ${was}${touched} ${besides} `, "g"),
    "i only changed ",
  ],
  [
    new RegExp(`\\b(?:nothing|no(?: other)? files?) ${besides} (${code}) ${was}${touched}`, "g"),
    "i only changed $1",
  ],
  [
    new RegExp(
      `\\bi (?:have )?${touched} (?:nothing|no(?: other)? files?) ${besides} |\\bi (?:did(?: not|n't)|have(?: not|n't)) ${touched} (?:anything|any(?: other)? files?) (?:else )?${besides} `,
      "g",
    ),
    "i only changed ",
  ],
  [
    new RegExp(
      `(${code}) (?:is|was) the only (?:${touched} )?file(?: (?:that )?(?:(?:i|was|has been) )?${touched})?$`,
      "g",
    ),
    "i only changed $1",
  ],
  [new RegExp(`\\bi (?:have )?${touched} (${code}) (?:only|alone)$`, "g"), "i only changed $1"],
];

/** "Tests should all pass now" is about this state, unlike "tests should pass", which may be a wish. */
const unhedged = (words: string): string =>
  words
    .replace(/[^,;:]+/g, (part) =>
      /\bnow\b/.test(part)
        ? part.replace(
            /\b(?:should|ought to) ((?:(?:now|all|also|still|again) ){0,3})(be )?/g,
            (_, adverbs: string, be?: string) => `${be === undefined ? "" : "are "}${adverbs}`,
          )
        : part,
    )
    .replace(/(?:应该|应当)(?=[^，。；]{0,10}(?:通过|跑通|成功|绿)了)/g, "")
    .replace(/(?<=现在[^，。；]{0,12})(?:应该|应当)(?=[^，。；]{0,10}(?:通过|跑通|成功))/g, "");

/** A denial of the opposite, as the statement that it is: "no test fails" as "all tests pass". */
export const affirmed = (words: string): string =>
  affirming.reduce((told, [denial, statement]) => told.replace(denial, statement), words);

export interface Claimed {
  readonly clause: Clause;
  /** The clause before it. */
  readonly before: Clause | undefined;
  /** It says only that it should be so now. */
  readonly isHedged: boolean;
}

/** The clauses in which something is claimed of the change as it is. */
export function claimedIn(sentence: Sentence): readonly Claimed[] {
  const { clauses } = sentence;
  const words = unhedged(affirmed(sentence.words));
  if (!(telling.test(words) || tellingInEurope.test(words)) || isQuestion(sentence) || crosses.test(words))
    return [];
  if ([doubts, unrun, wishes, takenBack, failures].some((pattern) => pattern.test(words))) return [];
  const found: Claimed[] = [];
  for (const [at, given] of clauses.entries()) {
    const said = unhedged(given.words);
    const isHedged = said !== given.words;
    const clause = isHedged ? { ...given, words: said } : given;
    // What follows a condition holds only under it.
    if ([conditions, frames, formerly, told].some((pattern) => pattern.test(clause.words))) break;
    const isOther = [otherTimes, elsewhere, inside, needs].some((pattern) => pattern.test(clause.words));
    const isConditional = conditions.test(clauses[at + 1]?.words ?? "");
    if (!isOther && !isConditional) found.push({ clause, before: clauses[at - 1], isHedged });
  }
  return found;
}

/** Whether less is said than "it passes": a negation, or only some of it. */
export const isLessened = (words: string): boolean =>
  /\b(?:not|never|no longer|cannot|fail(?:s|ed|ing)?|except|apart|besides|other than|aside|excluding|almost|nearly|most|mostly|some|many|several|few|half|majority|partially|partly|none|neither|nor|hardly|yet)\b|n't\b|未|没有?通过|不通过|不能|无法|尚|并非|失败|除|大部分|多数|部分|几乎|基本|仍有/.test(
    words,
  );
