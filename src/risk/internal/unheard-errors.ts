// Errors that were told before a change and are not any more: what was thrown is answered by a constant, a result is no
// longer looked at, and a script no longer ends where a command fails.
import { count, type Hunk, indentOf, type Side } from "./hunk.ts";
import { inLiteral, isProgram, type Language } from "./source.ts";

/** In a longer change, what is thrown and what is returned need not have to do with each other. */
const fewLines = 8;

/** What hands an error on, in the words of all languages. */
const raises =
  /(?<![.\w$@:])(?:throw|raise|rethrow|reraise)\b(?![^\n]{0,100}(?:NotImplemented|Unsupported|NotSupported|Abstract))|(?<![\w$])(?:panic|bail|abort)!?\(|(?<![.\w$])(?:erlang:)?error\(|\breturn[ \t]{1,4}(?:[\w"{}.&]{1,60},[ \t]{0,4}){0,3}(?:\w{0,40}[eE]rr(?:or)?(?![\w.(])|fmt\.Errorf\(|errors\.\w{1,20}\(|Err\(|\{:error\b)/g;

const constant = String.raw`(?:null|undefined|None|nil|[Tt]rue|[Ff]alse|"\d+"|0|\[\s*\]|\{\s*\}|\(\s*\)|:ok|%\{\}|Ok\(\(\)\)|default|[Oo]ptional\.empty\(\)|nullptr)`;
const answers = new RegExp(
  [
    String.raw`\breturn(?:[ \t]{1,4}(?:${constant},[ \t]{0,4}){0,3}${constant})?[ \t]{0,4};?[ \t]{0,4}(?=\n|\}|$)`,
    String.raw`(?<![.\w$])(?:continue|break|pass|next)[ \t]{0,4};?[ \t]{0,4}(?=\n|\}|$)`,
    String.raw`(?:->|=>|\?:|\?\?|\bor|\|\|)[ \t]{0,4}(?:${constant}|return\b(?:[ \t]{1,4}${constant})?|continue|break)[ \t]{0,4}[;,)}]{0,3}[ \t]{0,4}(?=\n|$)`,
    String.raw`(?:^|\n)[ \t]{0,80}${constant}[ \t]{0,4},?[ \t]{0,4}(?=\n|$)`,
  ].join("|"),
  "g",
);
/** Whoever says this tells somebody. */
const tells =
  /[eE]rr|ERR|[wW]arn|WARN|\b[lL]og(?:ger)?\b|[fF]ail|[rR]eport|[nN]otify|reject|[aA]bort|\bthrow|\braise|[pP]rint|[iI]nvalid/;

/** A line that does nothing else. */
const handsOn =
  /^[ \t]{0,200}(?:throw|raise|rethrow|reraise)\b|^[ \t]{0,200}(?:[\w.]{0,40}\b(?:[lL]og(?:ger)?|LOG(?:GER)?|console)\.|NSLog|(?:e|ex|err|error)\.printStackTrace)|^[ \t]{0,200}if[ \t]?\((?:err|error)\)[ \t](?:\{[ \t])?(?:throw\b|return[ \t]\w{1,40}\((?:err|error)\b|\w{1,40}\((?:err|error)\b)/;

const written = (code: string): number => code.split("\n").filter((line) => line.trim() !== "").length;

const linesOf = (code: string): readonly string[] => code.split("\n").map((line) => line.slice(0, 500));
const isCondition =
  /^\s*(?:$|[{}()[\]|&?:;,.]|(?:if|else|elif|elsif|unless|case|when|guard|end|default|match|do|then|fi|esac)\b|[^\n=]{1,200}(?:->|=>))/;

/** Whether nothing comes that does something: what is done in place of throwing may be what was meant. */
function doesNoMore(before: string, after: string): boolean {
  const known = new Set(linesOf(before).map((line) => line.trim()));
  return linesOf(after).every(
    (line) => known.has(line.trim()) || isCondition.test(line) || line.search(answers) >= 0,
  );
}

/** Whether what was thrown, or given back as an error, is answered by a constant now. */
function isAnswered({ before, after, language }: Hunk): boolean {
  if (!isProgram(language)) return false;
  if (written(before.code) > fewLines || written(after.code) > fewLines) return false;
  return (
    count(before.code, raises) > count(after.code, raises) &&
    count(after.code, answers) > count(before.code, answers) &&
    !tells.test(after.code) &&
    doesNoMore(before.code, after.code)
  );
}

interface Unlooked {
  /** A line that looks at the result of what it calls, which is the first of its groups that is there. */
  readonly looks: RegExp;
  /** A line that calls it and does no more. */
  readonly calls: RegExp;
}

/** What closes or prints seldom fails. */
const seldom = /(?:^|\.)(?:Close|Print\w*|Fprint\w*|printf|fprintf|puts|free|memset|memcpy|strcpy)$/;

const unlooked: Readonly<Partial<Record<Language, Unlooked>>> = {
  go: {
    looks:
      /(?:^|\bif[ \t])[ \t]{0,80}(?:\w{1,40},[ \t]{0,4}){0,3}err\w{0,20}[ \t]{0,4}:?=[ \t]{0,4}([\w.]{1,80})\(/,
    calls: /^[ \t]{0,80}(?:(?:go|defer)[ \t]{1,4})?([\w.]{1,80})\(/,
  },
  c: {
    looks:
      /\bif[ \t]{0,4}\([ \t]{0,4}!?[ \t]{0,4}(?:\(?\w{1,40}[ \t]{0,4}=[ \t]{0,4})?([\w:>.-]{1,80})\(|^[ \t]{0,80}(?:int[ \t])?(?:rc|rv|ret|err|res|status)[ \t]=[ \t]([\w:>.-]{1,80})\(/,
    calls: /^[ \t]{0,80}(?:\(void\)[ \t]{0,4})?([\w:>.-]{1,80})\([^{}\n]{0,300}\)[ \t]{0,4};[ \t]{0,4}$/,
  },
  shell: {
    looks:
      /^[ \t]{0,80}(?:(?:if[ \t]{1,4}![ \t]{1,4})([^|;\n]{1,200}?)[ \t]{0,4}(?:;|$)|([^|;\n]{1,200}?)[ \t]{0,4}\|\|[ \t]{0,4}\{?[ \t]{0,4}(?:exit|return|die|fail|abort|error|err|fatal)\b)/,
    calls: /^[ \t]{0,80}([^|;&\n]{1,200}?)[ \t]{0,4}$/,
  },
  // What is handed on in case of an error has a value in its place now.
  rust: {
    looks: /([\w:]{1,80})\((?:[^()\n]|\([^()\n]{0,100}\)){0,200}\)(?:\.await)?\?/,
    calls:
      /([\w:]{1,80})\((?:[^()\n]|\([^()\n]{0,100}\)){0,200}\)(?:\.await)?\.(?:unwrap_or(?:_default|_else)?|map_or)\(/,
  },
  python: {
    looks: /\bsubprocess\.(?:check_(call)\(|(run)\([^\n]{0,300}\bcheck[ ]?=[ ]?True)/,
    calls: /\bsubprocess\.(call|run)\((?![^\n]{0,300}\bcheck[ ]?=[ ]?True)/,
  },
  ruby: {
    looks:
      /\.(save|create|update|update_attributes|destroy|touch)!|(?<![.\w])(system)[ (][^\n]{1,300}\bexception: true/,
    calls:
      /^[ \t]{0,80}(?:[\w.@]{1,80}\.)?(save|create|update|update_attributes|destroy|touch|system)(?=[ (]|$)/,
  },
  elixir: {
    looks: /([\w.]{1,80})!\(|^[ \t]{0,80}(?::ok|\{:ok,[^{}\n]{0,80}\})[ \t]=[ \t]([\w.:]{1,80})\(/,
    calls: /^[ \t]{0,80}([\w.:]{1,80})\(/,
  },
};

/** Whether nobody looks any more at the result of something that is still called. */
function isUnlooked({ before, after, language }: Hunk): boolean {
  const how = unlooked[language];
  if (how === undefined) return false;
  const looked = (code: string) =>
    linesOf(code).flatMap((line) => {
      const [, ...found] = how.looks.exec(line) ?? [];
      return found.find((each) => each !== undefined) ?? [];
    });
  const then = looked(before.code).filter((name) => !seldom.test(name));
  if (then.length === 0) return false;
  const now = new Set(looked(after.code));
  const called = new Set(linesOf(after.code).flatMap((line) => how.calls.exec(line)?.[1] ?? []));
  return then.some((name) => called.has(name) && !now.has(name));
}

const stops = /^[ \t]{0,40}set[ \t]{1,4}-(?:[a-z]{0,8}e[a-z]{0,8}\b|o[ \t]{1,4}errexit\b)/;
const goesOn = /^[ \t]{0,40}set[ \t]{1,4}\+(?:[a-z]{0,8}e[a-z]{0,8}\b|o[ \t]{1,4}errexit\b)/;
/** So far down, somebody asks whether the command has failed. */
const asked = 12;

/** How often a script is told to go on where a command fails, without asking whether it has. */
function goesOnIn({ source: { code, lines }, at }: Side): number {
  let found = 0;
  for (let row = at.first; row < at.last; row++)
    if (goesOn.test(code[row] ?? "") && !lines.slice(row, row + asked).some((line) => line.includes("$?")))
      found += 1;
  return found;
}

function isNoLongerStopped({ before, after, language }: Hunk): boolean {
  if (language !== "shell") return false;
  if (goesOnIn(after) > goesOnIn(before)) return true;
  if (!linesOf(before.code).some((line) => stops.test(line))) return false;
  const { code, lines } = after.source;
  return !code.some((line) => stops.test(line)) && !/^#!.{0,80}[ \t]-\w{0,8}e/.test(lines[0] ?? "");
}

/** Where nobody sees what a command says of its errors, or no command of a line is asked whether it has failed. */
const hushed =
  /(?<!\d)(?:2|&)>>?[ \t]?\/dev\/null|>[ \t]?\/dev\/null[ \t]2>&1|\b2>[ \t]?nul\b|\bstderr[ \t]?[=:][ \t]?(?:subprocess\.)?DEVNULL\b|\.stderr\((?:\w{1,20}::){0,3}Stdio::null\(\)|\berrors[ \t]?=[ \t]?["']ignore["']|\berr:[ \t](?:File::NULL|["']\/dev\/null)/g;
const ignored = /\|\|[ \t]{0,4}(?:true|:|exit[ \t]0)(?=[ \t]{0,4}(?:$|[;)&"'`]))/g;
/** Whether it has failed is what the line asks for, or what comes after it. */
const asksWhether =
  /^[ \t]{0,200}(?:-[ \t])?(?:(?:\}[ \t])?(?:el|else[ \t])?if|while|until|unless|!)[ \t(]|\b(?:command[ \t]-v|type[ \t]-?\w|which|hash|[ef]?grep|pgrep|kill[ \t]-0|test|declare)[ \t]|\[[ \t]|&&[ \t]{0,4}\\?$|\$\?/;
const otherwise = /(?:\|\||&&)[ \t]{0,4}(?!true\b|:|exit[ \t]0)\S|(?:\|\||&&)[ \t]{0,4}\\?$/;

function hushesIn(
  { source: { lines, code, isInside } }: Side,
  { first, last }: Side["at"],
  isCommand: boolean,
): number {
  let found = 0;
  for (let row = first; row < last; row++) {
    const line = (lines[row] ?? "").slice(0, 500);
    const at = line.search(hushed);
    if (at < 0 && (!isCommand || line.search(ignored) < 0)) continue;
    if ((code[row] ?? "").trim() === "" && isInside[row] !== inLiteral) continue;
    if (
      at >= 0 &&
      (asksWhether.test(line) ||
        otherwise.test(line.slice(at)) ||
        /^\s*(?:&&|\|\|)|\$\?/.test(lines[row + 1] ?? ""))
    )
      continue;
    found += count(line, hushed) + (isCommand ? count(line, ignored) : 0);
  }
  return found;
}

/** Whether a command says nothing of its errors that was heard before, or is new. */
function isHushed({ before, after, language, config }: Hunk): boolean {
  const isCommand = config !== undefined;
  if (!isProgram(language) && !isCommand && language !== "shell" && language !== "make") return false;
  if (hushesIn(after, after.at, isCommand) <= hushesIn(before, before.at, isCommand)) return false;
  const whole = (side: Side) => hushesIn(side, { first: 0, last: side.source.lines.length }, isCommand);
  return whole(after) > whole(before);
}

/** What handles an error, and the name that it has there. */
const handles =
  /\bcatch[ \t]{0,4}\((?:[^()\n]{0,100}[ \t&*$|])?(\w{1,40})(?:[ \t]?:[^()\n]{0,80})?\)|\bcatch\b|\bexcept\b(?:[^:\n]{0,200}\bas[ \t](\w{1,40}))?|\brescue\b(?:[^=\n]{0,200}=>[ \t](\w{1,40}))?|\(_?(err|error)(?:,[^()\n]{0,100})?\)[ \t](?:=>[ \t])?\{/;
const farUp = 12;

/** Whether what told of an error, or handed it on, is gone from where it is handled. */
function isNoLongerTold({ before, after, language }: Hunk): boolean {
  if (!isProgram(language) || before.code.trim() === "" || written(before.code) > fewLines) return false;
  if (tells.test(after.code)) return false;
  const { code } = after.source;
  const row = before.source.code.findIndex(
    (line, at) => at >= before.at.first && at < before.at.last && handsOn.test(line),
  );
  if (row < 0) return false;
  const inside = indentOf(before.source.code[row] ?? "");
  for (let at = after.at.last - 1; at >= Math.max(0, after.at.first - farUp); at--) {
    const line = (code[at] ?? "").slice(0, 500);
    if (line.trim() === "" || indentOf(line) >= inside) continue;
    const [head, ...names] = handles.exec(line) ?? [];
    if (head === undefined) return false;
    const name = names.find((each) => each !== undefined);
    const outside = indentOf(line);
    for (let below = at + 1; below < Math.min(code.length, at + 4 * farUp); below++) {
      const told = (code[below] ?? "").slice(0, 500);
      if (told.trim() !== "" && indentOf(told) <= outside) break;
      if (tells.test(told) || (name !== undefined && told.split(/\W+/).includes(name))) return false;
    }
    return true;
  }
  return false;
}

/** Whether an error is not told any more that was told before. */
export function isUnheard(hunk: Hunk): boolean {
  if (hunk.isDeleted) return false;
  if (isNoLongerStopped(hunk) || isHushed(hunk)) return true;
  return /\w/.test(hunk.before.code) && (isAnswered(hunk) || isUnlooked(hunk) || isNoLongerTold(hunk));
}
