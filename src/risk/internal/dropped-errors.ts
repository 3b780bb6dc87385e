// Errors that are caught or returned and then dropped, in the words of each language: not handled and not reported.
// Returning a constant instead counts as dropping the error, too. Patterns on code without comments.
import { indentOf, joined, type Side, touching } from "./hunk.ts";
import type { Language } from "./source.ts";

const constant = String.raw`(?:null|undefined|None|nil|[Tt]rue|[Ff]alse|"\d+"|-?\d{1,9}|\[\s*\]|\{\s*\}|Optional\.empty\(\)|(?:List|Map|Set)\.of\(\)|(?:Collections\.)?empty(?:List|Map|Set|Sequence|Array)(?:<[^<>()\n]{0,60}>)?\(\)|(?:list|map|set)Of(?:<[^<>()\n]{0,60}>)?\(\)|new[ \t](?:\w{1,20}\.)?\w{0,20}(?:Map|Set|List|Array|Object|Dictionary)(?:<[^<>()\n]{0,60}>)?\(\))`;
const nothing = String.raw`(?:(?:return(?:[ \t]+${constant})?|continue|break)\s*(?:;\s*)?)?`;

/** What is kept in place of a result: a value that is the same whatever has gone wrong. */
const kept = String.raw`(?:${constant}|\{[ \t]*[\w$]{1,40}:[ \t]*${constant}[ \t]*\}|Object\.create\(null\)|[Ss]tring\.Empty|[A-Z]\w{0,60}(?:\.\w{1,60}){1,3})`;
const keeping = String.raw`(?:[\w.]{1,60}[ \t]{0,4}=[ \t]{0,4}${kept}(?:;\s*|\s+|(?=\}))){1,8}`;

const emptyFunction = String.raw`function\s*\w{0,40}\(\w{0,60}\)\s*\{\s*\}`;
const emptyArrow = String.raw`(?:async\s*)?(?:\(\s*\w{0,60}\s*\)|\w{1,60})\s*=>\s*(?:\{\s*\}|undefined|null|void 0)`;

const typed = String.raw`(?:\s{0,4}:\s{0,4}\w{1,20})?`;
/** What is returned at the end is returned in place of an error as well. */
const returning = String.raw`\bfinally\s*\{[^{}]{0,300}\breturn\b`;

/** What has just been counted or told as a failure of a test was not to be reached. */
const expected = String.raw`(?<!\b\w{0,20}[fF]ail\w{0,20}(?:\+\+|[ \t]\+=[ \t]1|\([^()\n]{0,200}\));?\s{0,40}\}\s{0,10}catch)`;

const script = new RegExp(
  [
    String.raw`\bcatch${expected}\s*(?:\([^()\n]{0,100}\)\s*)?\{\s*${nothing}\}`,
    // What is returned or kept in its place says nothing of the error.
    String.raw`\bcatch\s*\{\s*return[ \t]{1,4}(?:[^(){};\s][^(){};\n]{0,60}|\{[^(){}\n]{0,100}\})(?:;\s*|\s*)\}`,
    String.raw`\bcatch\s*\((\w{1,40})${typed}\)\s*\{\s*return[ \t]{1,4}(?![^\n;]{0,100}\b\1\b)[^(){};\s][^(){};\n]{0,60}(?:;\s*|\s*)\}`,
    String.raw`\bcatch\s*(?:\(\s*\w{1,40}${typed}\s*\)\s*)?\{\s*${keeping}${nothing}\}`,
    String.raw`\.catch\(\s*(?:async\s*)?(?:\(\s*\w{0,60}${typed}\s*\)|\w{1,60})\s*=>\s*(?:\{\s*\}|\(\s*\{\s*\}\s*\)|void 0|${constant}(?:[ \t]{1,4}as[ \t][^(),\n]{1,60})?)\s*,?\s*\)`,
    String.raw`\.catch\(\s*(?:async\s*)?\(\s*\)\s*=>\s*[\w$][\w$.]{0,60}\s*,?\s*\)`,
    String.raw`\bcatchError\(\s*(?:\(\s*\w{0,40}\s*\)|\w{1,40})\s*=>\s*(?:EMPTY|NEVER|of\(\s*(?:${constant})?\s*\))\s*,?\s*\)`,
    // Nobody looks at what has become of them.
    String.raw`(?<=(?:^|[;{}\n])[ \t]{0,40})(?:await[ \t]{1,4})?Promise\.allSettled\((?!(?:[^()\n]|\([^()\n]{0,100}\)){0,200}\)\.)`,
    returning,
    String.raw`\.onerror\s*=\s*(?:(?:\w{0,20}\.)?noop\b|${emptyFunction}|${emptyArrow})`,
    String.raw`\.catch\(\s*(?:async\s*)?(?:\(\s*\w{0,60}\s*\)|\w{1,60})\s*=>\s*\{\s*return\b[ \t]*(?:${constant})?\s*;?\s*\}\s*,?\s*\)`,
    String.raw`\.catch\(\s*(?:\w{0,20}\.)?(?:noop|${emptyFunction}|Function\.prototype|function\s*\w{0,40}\(\w{0,60}\)\s*\{\s*return\b[ \t]*(?:${constant})?\s*;?\s*\})\s*\)`,
    // The second function is told of what went wrong.
    String.raw`\.then\((?:[^()\n]|\([^()\n]{0,100}\)){1,200},\s*(?:(?:\w{0,20}\.)?noop|${emptyFunction}|${emptyArrow})\s*,?\s*\)`,
    // A callback that is told of an error and returns without it.
    String.raw`\bif\s*\(\s*(?:er|err|error)\s*\)\s*(?:\{\s*)?return\b[ \t]*(?:${constant})?[ \t]*(?:;|\n|\})`,
    // One that tells the next one of success.
    String.raw`\bif\s*\(\s*(?:er|err|error)\s*\)\s*(?:\{\s*)?(?:return[ \t]{1,4})?(?:cb|callback|done|next|resolve)\(\s*(?:${constant}(?:,[^()\n]{0,60})?)?\s*\)`,
    // A listener that does nothing keeps an error from being thrown.
    String.raw`\.(?:on|once|addListener|addEventListener)\(\s*"\d+",\s*(?:(?:\w{0,20}\.)?noop|${emptyFunction}|${emptyArrow})\s*,?\s*\)`,
    String.raw`\b(?:unlink|rm|rmdir|rimraf|mkdir|writeFile|appendFile|rename|copyFile|chmod|close|exec|execFile|save|remove|destroy|kill|utimes|send|query|update|insert|publish)\((?:[^()\n]|\([^()\n]{0,100}\)){0,200}(?:,|(?<=\())\s*(?:(?:\w{0,20}\.)?noop|${emptyFunction}|${emptyArrow})\s*,?\s*\)`,
  ].join("|"),
  "g",
);

const python = new RegExp(
  [
    // Where an iteration ends, nothing has failed.
    String.raw`\bexcept\b(?![ \t]*(?:Stop(?:Async)?Iteration|GeneratorExit)[ \t]*(?:as[ \t]{1,4}\w{1,40}[ \t]*)?:)[^:\n]{0,200}:[ \t]*(?:\n\s*)?(?:pass|continue|break|\.\.\.|return(?:[ \t]+(?:${constant}|\d+\.\d+|\(\)|(?:set|dict|list|tuple)\(\)|[\w.]{0,40}(?:[dD]efault|DEFAULT|[fF]allback)\w{0,40}))?)[ \t]*(?=\n|$)`,
    // What may be missing is there or is nothing.
    String.raw`\bexcept\b[^:\n]{0,200}(?:ImportError|ModuleNotFoundError)[^:\n]{0,200}:[ \t]*(?:\n\s*)?[\w.]{1,60}[ \t]*=[ \t]*None[ \t]*(?=\n|$)`,
    // That a module is missing is often told by another value.
    String.raw`\bexcept\b(?![^:\n]{0,200}(?:ImportError|ModuleNotFoundError))[^:\n]{0,200}:[ \t]*(?:\n\s*)?[\w.]{1,60}(?:\[[^[\]\n]{1,60}\])?[ \t]*=[ \t]*(?:${constant}|"\d+")[ \t]*(?=\n|$)(?!\n[ \t]{1,200}(?:raise\b|log\w{0,20}\.|warnings\.|print\())`,
    String.raw`\bexcept\b(?![^:\n]{0,200}(?:ImportError|ModuleNotFoundError|\bas\b))[^:\n]{0,200}:[ \t]*(?:\n\s*)?return[ \t]+(?![\w.]{0,60}(?:[eE]rr|ERR|[eE]xc|[fF]ail|[rR]esp|[sS]tatus))[\w.]{1,60}[ \t]*(?=\n|$)`,
    String.raw`\bfinally[ \t]*:[ \t]*\n[ \t]{1,80}return\b`,
    String.raw`(?<=(?:^|\n)[ \t]{0,80})await[ \t]{1,4}asyncio\.gather\((?:[^()]|\([^()\n]{0,100}\)){0,300}\breturn_exceptions[ \t]*=[ \t]*True`,
    // A bare `except` catches everything; allowed if it raises again.
    String.raw`\bexcept[ \t]*:(?!(?:[^\n]{0,200}\n){0,4}[^\n]{0,200}\b(?:raise|exc_info|print_exc|format_exc)\b)`,
    // Whatever has gone wrong, the same is given.
    String.raw`\bexcept[ \t]+(?:Base)?Exception[ \t]*:[ \t]*\n\s*return\b(?![^\n]{0,200}(?:[eE]rr|[fF]ail|[sS]tatus|[rR]espon|exc))[^\n]{0,200}`,
    // Each kind that is named is one more.
    String.raw`\bsuppress\((?!\s*(?:ImportError|ModuleNotFoundError)\s*\))[^()\n]{1,300}\)`,
    String.raw`\bignore_errors[ \t]*=[ \t]*True\b`,
  ].join("|"),
  "g",
);

/** Functions whose second result is not an error. */
const noErrors =
  "Cut\\w*|Split\\w*|Decode\\w*Rune\\w*|Callers?|FuncForPC|copy|append|recover|LookupEnv|Deadline|ReadBuildInfo|Modf|Frexp";
/** What a call is not asked for its error, but for the type of a value. */
const ofType = String.raw`(?![^\n;]{0,300}\.\([^()\n]{1,100}\)[ \t]*(?:[\n;]|$))`;
/** A value that says nothing of an error, and no status either. */
const unnamed = String.raw`(?:"\d+"|0|(?!\d|e\b|[\w.]{0,40}(?:[eE]rr|[fF]ail|[iI]nvalid|[sS]tatus|[bB]ad))[\w.]{1,40}(?:\{\})?)[ \t]{0,4}`;
/** Results that are an error, and have no name. */
const unseenInGo = [
  String.raw`\b\w{1,60},[ \t]*_[ \t]*:?=[ \t]*${ofType}(?!(?:[\w.]{0,60}\.)?(?:${noErrors})\()[\w.]{1,80}\([^\n]{0,300}?[({,)][ \t]*(?=\n|$)`,
  String.raw`\bif[ \t]+\w{1,60},[ \t]*_[ \t]*:=[ \t]*${ofType}(?!(?:[\w.]{0,60}\.)?(?:${noErrors})\()[\w.]{1,80}\([^\n;]{0,300}\)[ \t]*;`,
  String.raw`(?<![,\w][ \t]{0,4})\b_[ \t]*=[ \t]*(?!(?:[\w.]{0,60}\.)?(?:${noErrors})\()[\w.]{1,80}(?:\[[^\]\n]{1,80}\]|\([^()\n]{0,100}\)\.[\w.]{1,80})?\([^\n]{0,300}`,
  String.raw`(?<![^\n])[ \t]*_[ \t]*=[ \t]*err\w{0,20}[ \t]*(?=\n|$)`,
];
const go = new RegExp(
  [
    ...unseenInGo,
    String.raw`\berr(?:or)?[ \t]*!=[ \t]*nil[ \t]*\{\s*(?:continue|break|return(?:[ \t]{1,4}(?:${unnamed},[ \t]{0,4}){0,3}(?:nil|${unnamed}))?)\s*\}`,
    String.raw`\bdefer[ \t]{1,4}func\(\)[ \t]{0,4}\{\s*(?:_[ \t]{0,4}=[ \t]{0,4})?recover\(\)\s*\}\(\)`,
    String.raw`\brecover\(\);[ \t]{0,4}\w{1,20}[ \t]{0,4}!=[ \t]{0,4}nil[ \t]{0,4}\{\s*(?:return\s*)?\}`,
    String.raw`\bif\b[^{}\n]{0,200}\berr(?:or)?\s*!=\s*nil\s*\{\s*\}`,
  ].join("|"),
  "g",
);

/** Nothing can go wrong where a text is written to. */
const toText = String.raw`(?!\s*write(?:ln)?!\((?:&mut[ \t])?(?:self\.)?(?:s|f|out|output|buf\w{0,10}|str\w{0,10}|text|result|msg|message)\s*,)`;
const rust = new RegExp(
  [
    String.raw`\blet\s+_\s*=${toText}(?![^;\n]{0,300}\?[ \t]*;)[^;=\n]{0,300}\(`,
    // What cannot be had is passed over.
    String.raw`\bif[ \t]{1,4}let[ \t]{1,4}Ok\([^\n=]{0,80}\)[ \t]=(?![^{}\n]{0,300}\b(?:var(?:_os)?|parse|downcast\w{0,8}|try_(?:into|from|lock)|from_utf8|lock|from_str\w{0,6})(?:::<[^()\n]{1,60}>)?\()[^{}\n]{1,300}\{`,
    String.raw`\bdrop\([\w.]{1,60}\.(?:send|write\w{0,10}|flush|join)\(`,
    // Whether a variable of the environment is there is no error.
    String.raw`(?<!\benv::var(?:_os)?\((?:"\d+"|[\w&.]{1,40})\))\.ok\(\)(?!\s*\.(?:unwrap|expect)\()`,
    String.raw`\bResult::ok\b`,
    String.raw`(?<=(?:^|[;{}\n])[ \t]{0,80})_[ \t]{0,4}=(?!>)${toText}(?![^;\n]{0,300}\?[ \t]*;)[^;=\n]{0,300}\(`,
    String.raw`\.is_err\(\)\s*\{\s*(?:(?:return(?:[ \t]{1,4}(?:None|false|true|Ok\(\(\)\)))?|continue|break)\s*;?\s*)?\}`,
    String.raw`\blet[ \t]{1,4}Ok\([^\n=]{0,80}\)\s*=[^;{}]{1,300}\belse\s*\{\s*(?:return(?:[ \t]{1,4}(?:None|false|true|Ok\(\(\)\)|vec!\[\]|\w{1,40}::(?:new|default)\(\)))?|continue|break)\s*;?\s*\}`,
    // Only where something has failed is there a closure with an argument.
    String.raw`(?<!\bvar(?:_os)?\((?:"\d+"|[\w&.:]{1,60})\)\s{0,40})\.(?:unwrap_or_else|map_or_else)\(\s*\|_\w{0,40}\|(?![^\n]{0,200}(?:\bErr\b|[Ee]rror|err!|warn!|panic!|unreachable!|exit\(|abort\())`,
    String.raw`(?:\.(?:parse(?:::<[^<>()\n]{1,60}>)?|metadata|canonicalize|try_into|recv|flush|lock)\(\)|\b(?:fs|File|serde_\w{1,20}|toml)::\w{1,40}\((?:[^()\n]|\([^()\n]{0,80}\)){0,80}\)|\btry_\w{1,40}\((?:[^()\n]|\([^()\n]{0,80}\)){0,80}\))(?:\s*\.map\((?:[^()\n]|\([^()\n]{0,80}\)){0,120}\))?\s*\.unwrap_or(?:_default)?\(`,
    String.raw`\.(?:or_else|unwrap_or_else)\(\s*\|_\w{0,40}\|\s*(?:Ok\b|None\b|false\b|true\b|\d|"\d+"|\{\s*\}|\(\s*\)|vec!\[\]|(?:String|Vec|HashMap|Default)::\w{1,20}\(\))`,
    String.raw`\bErr\((?:_\w{0,40}|\.\.)\)\s*=>\s*(?:None|false|true|\d{1,9}|"\d+"|vec!\[\s*\]|(?:String|Vec|HashMap|HashSet|BTreeMap|Default)::(?:new|default)\(\)|Ok\([^()\n]{0,40}(?:\(\))?\)|\{\s*(?:None|false|true|Ok\(\(\)\))\s*\})\s*(?=[,\n}])`,
    String.raw`\bErr\(\w{1,40}\)\s*=>\s*(?:\{\s*\}|\(\s*\))`,
    String.raw`\bErr\(_\w{0,40}\)\s*=>\s*(?!(?:return|continue|break)\b|[\w.:]{0,60}(?:[eE]rr|[fF]ail|[iI]nvalid|[uU]nknown|None\b|false\b|true\b|\d))[\w.:]{1,60}(?=,|\s*\n\s*\})`,
    String.raw`\bErr\(_\w{0,40}\)\s*=>\s*(?:\{\s*)?(?:return|continue|break)\b(?![^,;\n]{0,200}(?:[Ee]rr|ERR|\?|!\())`,
    String.raw`\bif\s+let\s+Err\(_\w{0,40}\)\s*=\s*[^{}\n]{0,300}\{\s*\}`,
  ].join("|"),
  "g",
);

/** What is returned in place of a result, without a word of the error, whose name is the group before. */
const unsaid = (group: number) =>
  [
    String.raw`return[ \t]{1,4}(?![^\n;]{0,100}(?<!\w)`,
    `\\${group}`,
    String.raw`(?!\w))[^(){};\s][^(){};\n]{0,60};\s*`,
  ].join("");

const ofScala = String.raw`(?:\(\s*\)|None|Nil|null|false|true|"\d+"|-?\d{1,9}|(?:Option|Seq|List|Map|Set|Vector|Array|Iterator)(?:\.empty(?:\[[^[\]\n]{0,60}\])?|\(\s*\)))`;
/** In Kotlin the last value of a block is its result, and a name follows a type elsewhere. */
const java = new RegExp(
  [
    String.raw`\bcatch\s*\([^()\n]{0,200}\)\s*\{\s*(?:(?:${keeping})?${nothing}|${constant}\s*)\}`,
    String.raw`\bcatch\s*\([^():\n]{0,200}[\s|&$](\w{1,60})\)\s*\{\s*${unsaid(1)}\}`,
    String.raw`\bcatch\s*\(\s*(\w{1,60})\s*:[^()\n]{1,200}\)\s*\{\s*(?:return(?:@\w{1,60})?[ \t]{1,4})?(?!(?:return|throw|continue|break)\b|[^\n;]{0,60}(?<!\w)\2(?!\w))[\w.:]{1,60}\s*\}`,
    // What is made in place of a result, without a word of the error.
    String.raw`\bcatch\s*\(\s*(\w{1,60})\s*:[^()\n]{1,200}\)\s*\{\s*return(?:@\w{1,60})?[ \t]{1,4}(?![^\n]{0,200}(?:(?<!\w)\3(?!\w)|[eE]rr|[fF]ail|[eE]xc|[iI]nvalid|[bB]ad|[rR]espon|[sS]tatus|[uU]nknown))[^{}\n]{1,200}\n\s*\}`,
    // What may have failed is asked for its value alone.
    String.raw`\.getOrNull\(\)`,
    String.raw`\brunCatching\s*\{[^{}]{0,300}\}(?=[ \t]*(?:\n[ \t]*)?(?:\.getOrDefault\(|\.getOrElse\s*\{\s*${constant}\s*\}|\n|$))(?!\s*\.(?!getOr))`,
    returning,
    String.raw`\.onFailure\s*\{\s*\}|\.catch\s*\{\s*(?:\w{1,30}\s*->\s*)?(?:emit\(\s*${constant}\s*\)\s*)?\}`,
    String.raw`\bCoroutineExceptionHandler\s*\{\s*_\s*,\s*_\w{0,30}\s*->\s*\}`,
    // The words of Scala.
    String.raw`\bcatch\s*\{\s*case\s[^=⇒\n]{1,120}(?:=>|⇒)\s*(?:${ofScala}\s*)?(?=\}|case\b)`,
    String.raw`\bcase\s{1,4}(?:(?:NonFatal|Failure|Left)\(_\w{0,30}\)|_\w{0,30}\s*:\s*\w{0,40}(?:Exception|Throwable|Error))\s*(?:=>|⇒)\s*(?:${ofScala}\s*)?(?=\}|case\b)`,
    String.raw`\bTry\s*(?:\((?:[^()\n]|\((?:[^()\n]|\([^()\n]{0,60}\)){0,80}\)){0,200}\)|\{[^{}]{0,300}\})\s*\.(?:toOption\b|getOrElse\()`,
    String.raw`\.(?:handleError|handleErrorWith|recover|recoverWith|catchAll)\s*[({]\s*(?:case\s{1,4})?_\w{0,30}\s*(?::\s*\w{1,40}\s*)?(?:=>|⇒)\s*(?:${ofScala}|(?:\w{1,20}\.)?unit)\s*[)}]`,
    String.raw`\.attempt\.void\b|\ballCatch(?:\.|[ \t])opt\b`,
    String.raw`\.exceptionally\(\s*\(?\w{1,40}\)?\s*->\s*${constant}\s*\)`,
    String.raw`\.onError(?:ReturnItem|Return|Resume|Complete)\(\s*(?:\(?\w{0,40}\)?\s*->\s*)?(?:${constant}|Mono\.empty\(\)|Flux\.empty\(\))?\s*\)`,
  ].join("|"),
  "g",
);
const dart = new RegExp(
  [
    java.source,
    String.raw`\bon[ \t]{1,4}[A-Z]\w{0,60}[ \t]{0,4}\{\s*(?:${keeping})?${nothing}\}`,
    String.raw`\bcatch\s*\(\s*(?<failed>\w{1,40})(?:\s*,\s*\w{1,40})?\s*\)\s*\{\s*return[ \t]{1,4}(?![^\n;]{0,100}(?<!\w)\k<failed>(?!\w))[^(){};\s][^(){};\n]{0,60};\s*\}`,
    String.raw`(?:\.(?:catchError|onError)\(|\bonError:)\s*\(\s*\w{0,40}(?:\s*,\s*\w{1,40})?\s*\)\s*(?:async\s*)?(?:=>\s*${constant}|\{\s*(?:return\b[ \t]*(?:${constant})?;\s*)?\})\s*[,)]`,
    String.raw`\.ignore\(\)\s*;`,
  ].join("|"),
  "g",
);
const c = new RegExp(
  [
    String.raw`\bcatch\s*\([^()\n]{0,200}\)\s*\{\s*(?:(?:${keeping})?${nothing}|return[ \t]{1,4}(?:nullptr|NULL|std::nullopt|nil|NO|\{\})\s*;\s*)\}`,
    // The result of a call, which says whether it has failed.
    String.raw`(?<=(?:^|[;{}\n])[ \t]{0,40})\(void\)[ \t]?(?![\w:]{0,20}(?:printf|mem\w{3}|str\w{3,4}|signal|close)\()[\w:>.-]{1,100}\(`,
    // Where it would be told what has gone wrong.
    String.raw`\berror:\s?(?:nil|NULL|nullptr)\b`,
    String.raw`\berror_code[ \t]{1,4}(?:ignored?\w{0,20}|dummy\w{0,20}|unused\w{0,20}|_)\s*[;{]`,
    String.raw`\bcatch\s*\((?:\.\.\.|\s*(?:const[ \t]{1,4})?[\w:]{1,100}\s*[&*]?\s*)\)\s*\{\s*return[ \t]{1,4}[^(){};\s][^(){};\n]{0,60};\s*\}`,
  ].join("|"),
  "g",
);
const swift = new RegExp(
  [
    // What is thrown after it says that something has failed.
    String.raw`\btry\?(?![^{}]{0,200}\n[ \t]{0,40}throw\b)`,
    String.raw`\bcatch\b[^{}\n]{0,200}\{\s*(?:${keeping})?${nothing}\}`,
    String.raw`\bcatch\s*\{\s*return[ \t]{1,4}(?![^\n]{0,100}\berror\b)\.?[\w."]{1,60}\s*\}`,
    String.raw`\bcase[ \t]{1,4}(?:let[ \t]{1,4})?\.failure(?:\(_\))?:\s*(?:break|return(?:[ \t]{1,4}${constant})?)[ \t]*(?=\n|\})`,
    String.raw`\.replaceError\(with:|\.catch\s*\{\s*_\s+in\s+(?:Empty|Just)\b`,
    String.raw`\bguard[ \t]{1,4}error[ \t]{0,4}==[ \t]{0,4}nil[ \t]{1,4}else\s*\{\s*return(?:[ \t]{1,4}${constant})?\s*\}`,
    String.raw`\bif[ \t]{1,4}(?:let[ \t]{1,4}_[ \t]{0,4}=[ \t]{0,4}error|error[ \t]{0,4}!=[ \t]{0,4}nil)[ \t]{0,4}\{\s*return(?:[ \t]{1,4}${constant})?\s*\}`,
  ].join("|"),
  "g",
);
const php = new RegExp(
  [
    String.raw`\bcatch\s*\([^()\n]{0,200}\)\s*\{\s*(?:(?:\$?(?:this->)?${keeping})?${nothing}|return[ \t]{1,4}(?:array\(\)|NULL|FALSE|TRUE|""|'')\s*;\s*)\}`,
    String.raw`\bcatch\s*\(\s*[\w\\|]{1,120}\s*\)\s*\{\s*return[ \t]{1,4}[^(){};\s][^(){};\n]{0,60};\s*\}`,
    String.raw`\bcatch\s*\([^()\n]{0,200}\$(\w{1,60})\s*\)\s*\{\s*return[ \t]{1,4}(?![^\n;]{0,100}\$\1(?!\w))[^(){};\s][^(){};\n]{0,60};\s*\}`,
    String.raw`\bset_error_handler\(\s*(?:static[ \t]{1,4})?(?:fn|function)\s*\([^()\n]{0,200}\)\s*(?::\s*\w{1,20}\s*)?(?:=>\s*(?:true|null)|\{\s*(?:return\s+true\s*;\s*)?\})\s*[,)]`,
    // No warning is given of what this call cannot do.
    String.raw`(?<![\w$"'@*])@(?:(?:\$\w{1,60}->|\\)?[a-z]\w{1,60}(?:->\w{1,60})?\(|\$\w{1,60})`,
    String.raw`\berror_reporting\(\s*(?:0|"\d+")\s*\)`,
  ].join("|"),
  "g",
);
/** What is looked for may not be there, which is no error. */
const shell =
  /\|\|(?<!\b[ef]?grep\b[^\n;|]{0,200}\|\|)[ \t]*(?:true|:|\/bin\/true|(?:exit|return)[ \t]{1,4}0)(?=[ \t]*(?:\n|$|[;)}#&`"]))/g;
/** The exception need not be named, and a filter may follow. */
const csharp = new RegExp(
  [
    String.raw`\bcatch\s*(?:\([^()\n]{0,200}\)\s*)?(?:when\s*\([^{}\n]{0,200}\)\s*)?\{\s*(?:return[ \t]{1,4}(?:default(?:\([^()\n]{0,80}\))?|string\.Empty);\s*|(?:${keeping})?${nothing})\}`,
    // The exception has no name, or is not named in what is returned.
    String.raw`\bcatch\s*(?:\(\s*[\w.]{1,100}\s*\)\s*)?(?:when\s*\([^{}\n]{0,200}\)\s*)?\{\s*(?:return[ \t]{1,4}[^(){};\s][^(){};\n]{0,60}|yield break);\s*\}`,
    String.raw`\bcatch\s*\(\s*[\w.]{1,100}\s+(\w{1,60})\s*\)\s*\{\s*${unsaid(1)}\}`,
    String.raw`(?<=(?:^|[;{}\n])[ \t]{0,80})(?:\w{1,40}\.TryParse|_[ \t]=[ \t](?:[\w.]{0,60}\w{1,40}Async|Task\.\w{1,20}))\(`,
  ].join("|"),
  "g",
);
const ruby = new RegExp(
  [
    String.raw`\brescue[ \t]+(?:(?:nil|false|true|"\d+"|\d{1,9})(?!\w)|\[[ \t]*\]|\{[ \t]*\})`,
    String.raw`\brescue(?![ \t]+(?:::)?LoadError\b)(?:[ \t]+[\w:*]{1,80}(?:[ \t]*,\s*[\w:*]{1,80}){0,8})?[ \t]*\n\s*[\w.@]{1,60}(?:\[[^[\]\n]{1,60}\])?[ \t]*=[ \t]*(?:nil|true|false|"\d+"|\[\]|\{\}|-?\d{1,9}|(?![A-Z_\d]{0,40}(?:ERR|FAIL))[A-Z][A-Z_\d]{1,60})\s+(?:(?:(?:return|next)[ \t]+)?(?:nil|true|false|"\d+"|\[\]|\{\}|-?\d{1,9})\s+)?(?:end|rescue|else|ensure)\b`,
    String.raw`\brescue[ \t]+(?:::)?LoadError[ \t]*\n\s*(?:next|break|[\w.@]{1,60}[ \t]*=[ \t]*nil)\s+(?:end|rescue|else|ensure)\b`,
    String.raw`\brescue(?![ \t]+(?:::)?LoadError\b)(?:[ \t]+[A-Z][\w:]{0,80}(?:[ \t]*,\s*[A-Z][\w:]{0,80}){0,8})?[ \t]*\n\s*(?:(?:return|next)[ \t]+)?(?:@\w{1,60}|self|[A-Z][\w:]{0,60}|\w{0,30}(?:default|fallback|original|value|text|string|body|input)\w{0,20})\s+(?:end|ensure)\b`,
    // What only ends something says nothing of the error.
    String.raw`\brescue(?:[ \t]+(?:StandardError|Exception|=>[ \t]*_\w{0,20}))?[ \t]*\n\s*[\w.@]{1,60}\.(?:close|shutdown|disconnect|stop|cancel|kill|destroy|cleanup|unlink|delete)!?(?:\(\))?\s+(?:end|ensure)\b`,
    String.raw`\bsuppress\([ \t]*[A-Z][\w:, \t]{0,200}\)[ \t]*(?:do\b|\{)`,
    String.raw`\brescue(?:[ \t]+[\w:*]{1,80}(?:[ \t]*,\s*[\w:*]{1,80}){0,8})?(?:[ \t]*=>[ \t]*\w{1,60})?[ \t]*(?:\n|;|\bthen\b)\s*(?:(?:(?:return|next)[ \t]+)?(?:nil|true|false|"\d+"|\[\]|\{\}|-?\d{1,9})\s+|(?:return|next|break)\s+)?(?:end|rescue|else|ensure)\b`,
  ].join("|"),
  "g",
);

/** A call is tried and nobody asks whether it failed. */
const lua =
  /(?<=^|\n)[ \t]{0,200}(?:local[ \t]{1,4}_[ \t]{0,4}(?:,[ \t]{0,4}\w{1,40}[ \t]{0,4})?=[ \t]{0,4})?x?pcall\((?<![(,]\s{0,40}x?pcall\(|(?<!\b_[ \t]{0,4}(?:,[ \t]{0,4}\w{1,40}[ \t]{0,4})?)=\s{0,40}x?pcall\()/g;
/** Modules of Erlang whose functions give an error. */
const mayFail = "file|filelib|gen_tcp|gen_udp|ssl|inet|httpc|application|supervisor|os";
const elixir = new RegExp(
  [
    String.raw`(?<=(?:^|\n)[ \t]{0,80})_\w{0,20}[ \t]=[ \t](?:File|IO|System|(?:Dynamic)?Supervisor|GenServer|Task|Application|Port|[\w.]{0,60}(?:Repo|Client)|:(?:${mayFail}))\.[a-z]\w{0,40}\(`,
    String.raw`\{:error,[ \t]{0,4}_\w{0,40}\}[ \t]*->\s{0,200}(?:nil|:ok|:noop|:ignore|:skip|true|false|"\d+"|\[\]|%\{\}|\{:ok,[^{}\n]{0,60}\}|\{:noreply,[^{}\n]{0,60}\}|(?:state|socket|conn|acc)\b)[ \t]*(?=\n|$)`,
    String.raw`\brescue\s{1,200}(?:_|\w{1,40})(?:[ \t]+in[ \t]+[\w.[\], ]{1,120})?[ \t]*->\s{0,200}(?:nil|:\w{1,40}|true|false|"\d+"|\[\]|%\{\})[ \t]*(?=\n|$)`,
    String.raw`\bcatch\s{1,200}(?:_|:\w{1,20}|\w{1,40})[ \t]*,[ \t]*_\w{0,40}[ \t]*->\s{0,200}(?:nil|:\w{1,40}|true|false|"\d+"|\[\]|%\{\})[ \t]*(?=\n|$)`,
  ].join("|"),
  "g",
);
const erlang = new RegExp(
  [
    String.raw`\{error,[ \t]{0,4}_\w{0,40}\}[ \t]*->\s{0,200}(?:ok|undefined|true|false|\[\]|<<>>|"\d+"|#\{\}|State)[ \t]*(?=[;\n]|$)`,
    String.raw`(?<=(?:^|\n|,)[ \t]{0,80})(?:(?:_[ \t]{0,4}=[ \t]{0,4})?\(?catch[ \t]{1,4}[a-z]\w{0,60}(?::\w{1,60})?|_[ \t]=[ \t](?:${mayFail}):\w{1,60})\(`,
    String.raw`\bcatch\s{1,200}_\w{0,20}:_\w{0,20}(?::_\w{0,20})?\s{0,200}->\s{0,200}(?:[a-z]\w{0,60}|\[\]|<<>>|"\d+"|#\{\})\s{1,200}end\b`,
  ].join("|"),
  "g",
);
const clojure =
  /\(catch\s{1,40}[\w.:/]{1,80}\s{1,40}\w{1,40}\s{0,80}(?:(?:nil|true|false|"\d+"|\[\]|\{\}|:[\w-]{1,40})\s{0,40})?\)/g;
const haskell =
  /\\\s{0,4}\(_\w{0,40}\s{0,4}::\s{0,4}\w{1,60}\)\s{0,4}->\s{0,80}(?:(?:return|pure)\s{1,4}(?:\(\)|Nothing|\[\]|False|True|"\d+"|mempty)|mempty|Nothing)|\beither\s{1,4}\(const\s{1,4}(?:Nothing|\[\]|"\d+"|False)\)|\bLeft\s{1,4}_\w{0,40}\s{0,4}->\s{0,80}(?:(?:return|pure)\s{1,4})?(?:\(\)|Nothing|\[\]|False|mempty)(?!\w)/g;
/** Commands whose failure make ignores; what tidies up may find nothing. */
const make =
  /\|\|[ \t]*(?:true|:|exit 0)(?=[ \t]*(?:\n|$|[;)]))|(?<=^|[^\\]\n)\t@?-@?(?![ \t]{0,4}(?:rm|mkdir|rmdir|kill|pkill)\b)[ \t]{0,4}[a-z$./]/g;

const swallowing: Readonly<Partial<Record<Language, RegExp>>> = {
  script,
  python,
  go,
  rust,
  java,
  c,
  csharp,
  swift,
  php,
  ruby,
  shell,
  elixir,
  erlang,
  lua,
  make,
  dart,
  clojure,
  haskell,
};

/** A handler of these takes every kind of error. */
const takesAll =
  /^(?:except[ \t]*:|rescue(?:[ \t]*=>[^\n]{0,80})?[ \t]*\n|(?:except|rescue|catch)\b[^:{\n]{0,200}\b(?:(?:Base)?Exception|Throwable|StandardError)\b)/;
const allKinds = 20;

/** `except (A, B): pass`, `catch (A | B e) {}` and `suppress(A, B)` drop two kinds of errors. */
function kindsIn(found: string): number {
  if (takesAll.test(found)) return allKinds;
  const [, some, alternatives] =
    /^(?:(?:except\b|suppress\(|rescue[ \t])((?:[^:\n]|::){0,300})|catch[ \t]{0,4}\(([^()\n]{0,200})\))/.exec(
      found,
    ) ?? [];
  return 1 + (some?.match(/,(?=[ \t]*\w)/g) ?? alternatives?.match(/\|/g) ?? []).length;
}

/** The functions of a file that give no error, once for all its changes. */
const withoutErrors = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Functions of this Go file with results, none of which is an error. A method may be that of another type. */
function harmlessIn(code: readonly string[]): ReadonlySet<string> {
  let found = withoutErrors.get(code);
  if (found === undefined) {
    const heads = code.filter((line) => line.startsWith("func "));
    const named = heads.map((line) =>
      /^func (\w{1,80})\((?:[^{}]|\{\}){0,300}\)\s*([^(){}\s][^(){}]{0,79}|\([^()]{1,200}\))\s*\{/.exec(
        line.slice(0, 500),
      ),
    );
    found = new Set(
      named.flatMap((each) =>
        each === null || /[eE]rr(?:or)?s?\b/.test(each[2] ?? "") ? [] : (each[1] ?? []),
      ),
    );
    withoutErrors.set(code, found);
  }
  return found;
}

/** A longer function is not looked through. */
const longestFunction = 200;

/** Whether what a function of Go gives without a word, in the line after this row, is no error that it names itself. */
function givesNoError(code: readonly string[], row: number): boolean {
  const inside = indentOf(code[row] ?? "");
  for (let at = row - 1; at >= Math.max(0, row - longestFunction); at--) {
    const line = (code[at] ?? "").slice(0, 500);
    if (indentOf(line) < inside && /\bfunc\b/.test(line))
      return /\{\s*$/.test(line) && !/[eE]rr(?:or)?s?\b[^{}]{0,40}\{\s*$/.test(line);
  }
  return false;
}

/** Whether there is another branch to the one that begins in this row. */
function hasElse(code: readonly string[], row: number): boolean {
  const outside = indentOf(code[row] ?? "");
  for (let at = row; at < Math.min(code.length, row + longestFunction); at++) {
    const line = (code[at] ?? "").slice(0, 500);
    if (/\}\s{0,10}else\b/.test(line) && indentOf(line) === outside) return true;
    if (at > row && line.trim() !== "" && indentOf(line) <= outside) return false;
  }
  return false;
}

/** How many errors these words drop: what a function next to them gives may be none. */
function droppedBy({ source: { code } }: Side, language: Language): (found: string, row: number) => number {
  if (language === "script") return () => 1;
  if (language === "rust") return (found, row) => (found.startsWith("if") && hasElse(code, row) ? 0 : 1);
  if (language !== "go") return kindsIn;
  return (found, row) => {
    if (/\breturn\s*\}$/.test(found)) return /\brecover\b/.test(found) || givesNoError(code, row) ? 1 : 0;
    const [, called] = /_[ \t]*:?=[ \t]*(\w{1,80})\(/.exec(found) ?? [];
    // What is called on its result may give one.
    return called !== undefined && !found.includes(").") && harmlessIn(code).has(called) ? 0 : 1;
  };
}

/** A result that a test does not look at: what should work there may not. */
const unseen = /(?<!(?:=|\breturn\b)[^;{}]{0,200})\.ok\(\)\s*;/g;

const unseenInTestOfGo = new RegExp(unseenInGo.join("|"), "g");

/** In a test, an error is often what is expected. Where its result is not looked at, it is not. */
export function droppedInTest(side: Side, language: Language): number {
  if (language === "go") return touching(side, unseenInTestOfGo, droppedBy(side, language));
  return language === "rust" ? touching(side, unseen) : 0;
}

/** How many errors are dropped in the lines of this side. */
export function droppedIn(side: Side, language: Language): number {
  const pattern = swallowing[language];
  return pattern === undefined ? 0 : touching(side, pattern, droppedBy(side, language));
}

/** Whether one of them is new to the file, and not only moved within it or indented otherwise. */
export function isNewlyDropped(before: Side, after: Side, language: Language): boolean {
  const pattern = swallowing[language];
  if (pattern === undefined) return false;
  const [then, now] = [textsOf(before, pattern), textsOf(after, pattern)];
  return [...now].some(([text, count]) => count > (then.get(text) ?? 0));
}

/** How often each text of a file matches, whatever its blanks. */
function textsOf({ source: { code } }: Side, pattern: RegExp): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [text] of joined(code).matchAll(pattern)) {
    const words = text.replace(/\s+/g, " ").trim();
    found.set(words, (found.get(words) ?? 0) + 1);
  }
  return found;
}

/** Whether an assertion is an error in this language that can be caught and dropped. */
export const dropsWithAssertions = (language: Language): boolean =>
  !["go", "rust", "c", "shell", "make", "lua", "erlang", "clojure", "haskell"].includes(language);
