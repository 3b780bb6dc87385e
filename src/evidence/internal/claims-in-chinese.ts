// Claims in Chinese.
import type { ClaimKind, ClaimScope, FoundClaim } from "../claims.ts";
import { chinese } from "./claims-in-english.ts";
import { type Claimed, isLessened } from "./guards.ts";
import { type Clause, code, isPath } from "./own-words.ts";

interface Found {
  readonly kind: ClaimKind;
  readonly scope?: ClaimScope;
}

export function claimsInChinese(claimed: readonly Claimed[]): FoundClaim[] {
  const all: FoundClaim[] = [];
  for (const { clause: spaced, before, isHedged } of claimed) {
    if (!chinese.test(spaced.words)) continue;
    const clause = { ...spaced, words: closeUp(spaced.words) };
    // "120 tests, all passed", "I ran the tests, all passed".
    const [ran, count] =
      /^(?:(?:我|已|并|也)*(?:运行|执行|跑)了?(?:一遍|所有|全部|完整|的)*|.*?(\d+)个?)(?:测试用例|测试套件|测试|用例)$/.exec(
        closeUp(before?.words ?? ""),
      ) ?? [];
    if (ran !== undefined && (isGoodEnd(clause.words) || noFailures.test(clause.words))) {
      const scope = count === undefined ? {} : { count: Number(count) };
      all.push({ kind: "tests-pass", quote: clause.quote, scope });
    }
    const isDenied = ran === undefined && noFailures.test(clause.words);
    if (isDenied) all.push({ kind: "tests-pass", quote: clause.quote, scope: { isLoose: true } });
    for (const { kind, scope = {} } of [...passing(clause, all.at(-1)), ...aboutTheChange(clause)])
      all.push({ kind, quote: clause.quote, scope: isHedged ? { ...scope, isLoose: true as const } : scope });
  }
  return all;
}

/** Between Chinese letters and others there may be blanks. */
const closeUp = (words: string): string => words.replace(/ ?(\p{Script=Han}) ?/gu, "$1");

// In what is repeated, no word is made of others: a second way to read it would double the time for each word.

const passed =
  "(?:均|都|也|已经|已|全部|全|仍然|仍|依然|现在|目前|可以|正常|顺利|成功|检查|能够?| )*(?:通过|跑通|成功|无误|全绿|变绿|是绿的)";
/** "Nothing fails", "without one failure". */
const noFailures =
  /^(?:结果|并且|且|均|都|也|全部|现在|目前|已)*(?:(?:没有|无|零|0 ?个?|不再有|没有出现)(?:任何|一个|出现|新的)*(?:失败|失败的?(?:测试|用例))|(?:没有|无)(?:任何|一个)?(?:测试|用例)失败)$/;
const isGoodEnd = (words: string): boolean => new RegExp(`^${passed}了?$`).test(words);
const faultless =
  "(?:均|都|也|已| )*(?:没有|无|零|0 ?个?)(?:任何|新的?)?(?:类型|编译|语法|lint)?(?: )*(?:错误|报错|警告|问题)";

/** What may stand before the subject without narrowing it. */
const lead =
  /^(?:已经|已|现在|目前|最终|本地|并|且|验证|(?<!已)经验证|测试结果|结果|项目|代码|整个项目|所有|全部|现有|已有|全体|的|全量|完整|，|:|：| |太好了|已完成修改|运行|typescript)*$/;

function passing({ words, names, quote }: Clause, before: FoundClaim | undefined): Found[] {
  const more = /^(?:并且|且|也)?(?:没有|无)(?:任何)?警告$/.test(words);
  if (more && before?.kind === "lint-clean") return [{ kind: "lint-clean", scope: { noWarnings: true } }];
  const found: Found[] = noNewFailures.test(words) ? [{ kind: "no-new-failures" }] : [];
  if (isLessened(words) || quote === "") return found;
  const tests = /^(.*?)(?:测试用例|测试套件|测试|用例)[:：]?/.exec(words);
  const isTested = tests !== null && isGoodEnd(words.slice(tests[0].length));
  const passes = /^(.*?)通过了?(?:所有|全部)(?:的)?(?:现有)?(?:测试用例|测试|用例)$/.exec(words);
  const said = isTested ? tests : passes;
  if (said !== null) {
    const [, head = ""] = said;
    const [digits] = /\d+/.exec(words) ?? [];
    const isWhole = lead.test(head) && names.length === 0;
    found.push({
      kind: "tests-pass",
      scope: {
        ...(!isWhole && { part: head.replace(/^(?:所有|全部|现在)(?:的)?/, "") }),
        ...(digits !== undefined && { count: Number(digits) }),
        ...(/现有|已有|原有/.test(words) && { isExisting: true as const }),
      },
    });
  }
  const tool = new RegExp(`^(.*?)(${subjects})[:：]?(?:${passed}|${faultless})了?(.*)$`).exec(words);
  const fault = new RegExp(
    `^(.*?)${faultless.replace("(?:类型|编译|语法|lint)?", "(类型|编译|lint)")}(.*)$`,
  ).exec(words);
  const [, head = "", subject = "", tail = ""] = tool ?? fault ?? [];
  const scope = lead.test(head) && tail === "" ? {} : { part: `${head}${tail}` };
  if (/类型|tsc|mypy|pyright|typescript/.test(subject)) found.push({ kind: "types-check", scope });
  else if (/构建|打包/.test(subject)) found.push({ kind: "builds", scope });
  else if (/编译/.test(subject)) found.push({ kind: "builds", scope: { ...scope, compiles: true } });
  else if (subject !== "") {
    const noWarnings = /(?:没有|无)(?:任何)?(?:错误和|错误或)?警告/.test(words);
    found.push({ kind: "lint-clean", scope: { ...scope, ...(noWarnings && { noWarnings }) } });
  }
  const [, verb] = isBuilding.exec(words) ?? [];
  if (verb !== undefined) found.push({ kind: "builds", scope: verb === "编译" ? { compiles: true } : {} });
  if (
    new RegExp(
      `(?:所有|全部)(?:的)?检查(?:项)?${passed}|^(?:现在|目前|并|且|各项|这些)*检查(?:项)?${passed}了?$`,
    ).test(words)
  )
    found.push({ kind: "checks-pass" });
  return found;
}

const noNewFailures =
  /(?:没有|无|未)(?:引入|出现|产生|带来|造成)?(?:任何)?新(?:的|增)?(?:的)?(?:测试)?失败(?:的测试|的用例|测试|用例)?$/;

/** "The project builds", where the verb says it. */
const isBuilding =
  /^(?:整个|项目|代码|工程|应用|现在|目前|也|均|都|可以|能够|能|可|已|仍|依然)*(?:正常|顺利|成功)(?:地)?(构建|编译|打包)(?:通过|成功|了)*$/;

const subjects =
  "typescript *类型检查|类型检查|类型校验|tsc|mypy|pyright|typescript(?:检查)?|(?:es)?lint *(?:代码)?(?:检查)?|biome(?:检查)?|ruff(?:检查)?|clippy|代码(?:规范|风格)?检查 *(?:lint)?|编译|构建|打包";

const none = "(?:没有|无|未|不)";
const callers = "(?:调用方|调用者|调用处|调用点|调用|引用|使用处|使用方)";
const used = "(?:使用|调用|引用)";
const api = "(?:公共|公开|对外|外部|现有)*(?:的)?(?:api|接口|函数签名|方法签名|签名)";
const changed = "(?:修改|改动|更改|变更|改变|变动|触碰|涉及|动)";

interface Rule {
  readonly kind: ClaimKind;
  readonly patterns: readonly RegExp[];
  scope?(clause: Clause): ClaimScope | undefined;
}

const rules: readonly Rule[] = [
  {
    kind: "no-other-callers",
    patterns: [
      new RegExp(`${none}(?:任何)?(?:其他|其它|别的)(?:的)?(?:${callers}|(?:地方|代码|文件|模块)${used})`),
      new RegExp(`(?:其他|其它|别的)地方(?:都|也)?(?:没有|未)(?:被)?${used}`),
      new RegExp(`(?:没有|未)(?:在)?(?:其他|其它|别的)地方(?:被)?${used}`),
      new RegExp(`(?:只|仅)(?:在|被).{1,30}${used}`),
    ],
    scope: ({ names }) => ({ names }),
  },
  {
    kind: "callers-updated",
    patterns: [
      new RegExp(`(?:更新|修改|调整|适配)了?(?:所有|全部)(?:的)?${callers}`),
      new RegExp(`(?:所有|全部)(?:的)?${callers}(?:均|都|也|已经|已)*(?:更新|修改|调整|适配)`),
    ],
    scope: ({ names }) => ({ names }),
  },
  {
    kind: "formatting-only",
    patterns: [
      /(?:仅仅|仅|只是|只|纯粹是?|纯)(?:是|做了|调整了?|修改了?|改了?|涉及|包含)?(?:代码)?(?:格式|空白|缩进|排版)(?:化|调整|改动|修改|变化)?(?!不)/,
    ],
    scope: ({ names }) => (names.length === 0 ? {} : { part: names.join(" ") }),
  },
  {
    kind: "no-behaviour-change",
    patterns: [
      /(?:不|没有|未|不会)(?:改变|影响|修改|改动)(?:任何|现有|原有|已有|的)*(?:功能|行为|逻辑)/,
      /(?:功能|行为|逻辑)(?:完全)?(?:保持不变|没有(?:任何)?变化|没有改变|不变)/,
    ],
  },
  {
    kind: "api-unchanged",
    patterns: [
      new RegExp(
        `${api}(?:均|都|也)?(?:保持)?(?:完全)?(?:不变|没有(?:任何)?(?:变化|改变|变更|改动)|未(?:改变|变更|变化|改动|修改))`,
      ),
      new RegExp(`${none}(?:会)?${changed}(?:任何)?${api}`),
    ],
    scope: ({ names }) => ({ names }),
  },
  {
    kind: "only-files",
    patterns: [
      new RegExp(
        `(?:只|仅)${changed.replace("动)", "动|改|更新)")}(?:了)?(?: )*(?:文件 ?)?(?:${code}|[\\w@-]+[./])`,
      ),
      new RegExp(
        `${changed}(?:范围)?(?:仅限于|只限于|局限于|只涉及|仅涉及|限于)(?: )*(?:${code}|[\\w@-]+[./])`,
      ),
    ],
    scope: ({ names }) => (names.some(isPath) ? { names: names.filter(isPath) } : undefined),
  },
  {
    kind: "only-files",
    patterns: [new RegExp(`${none}(?:有)?${changed}(?:任何)?(?:其他|其它|别的)(?:的)?文件`)],
    scope: () => ({ isOthers: true }),
  },
  {
    kind: "no-new-dependencies",
    patterns: [
      /(?:没有|未|无需?|不)(?:新增|引入|添加|增加|需要)?(?:任何)?(?:新增|新的?|额外的?|其他)?(?:第三方)?依赖/,
    ],
  },
  {
    kind: "tests-untouched",
    patterns: [
      new RegExp(`${none}(?:有)?${changed}(?:任何)?(?:现有|已有|原有)?(?:的)?测试(?:文件|用例|代码)?`),
      new RegExp(
        `^(?:现有|已有|原有|所有)?(?:的)?测试(?:文件|用例|代码)?(?:均|都|也)?(?:${none}(?:有|被|做)?(?:任何)?${changed}|保持(?:不变|原样))$`,
      ),
    ],
  },
  {
    kind: "tests-added",
    patterns: [
      /(?:更新|调整|修改|改|同步更新)了(?:相应|对应|相关|的|现有|单元|回归)*测试(?:用例|文件|代码)?$/,
      /(?:新增|添加|补充|增加|编写|新建|补上|加上|补了|加了|写了)(?!的)了?(?:相应|对应|相关|一个|几个|若干|的|单元|回归|集成|\d+ ?[个条项]|多个|一些)*测试/,
    ],
  },
];

function aboutTheChange(clause: Clause): Found[] {
  return rules.flatMap(({ kind, patterns, scope }) => {
    const { words } = clause;
    if (!patterns.some((pattern) => pattern.test(words)) || /除了|大部分|多数/.test(words)) return [];
    if (kind === "tests-added" && /没有|未|无/.test(words)) return [];
    const said = scope === undefined ? {} : scope(clause);
    return said === undefined ? [] : [{ kind, scope: said }];
  });
}
