// The signature of a declaration: from its first line to where its body or its value begins, however its lines break.
import type { Language } from "./source.ts";

/** Where a signature ends: at its block, at its value, or after the whole declaration. */
export type Extent = "head" | "declared" | "whole";

/** Only the beginning of a longer signature is compared. */
const maxLines = 60;

interface Signature {
  /** Without white space and trailing commas, and without the names that a caller never writes. */
  readonly text: string;
  /** These names, where they are those of positions: in another order, a caller gives something else. */
  readonly given: readonly string[];
  /** The row after it. */
  readonly last: number;
}

export function signatureAt(
  code: readonly string[],
  row: number,
  extent: Extent,
  language: Language,
): Signature {
  const told = (all: string, last: number): Signature => ({
    text: squeezed(all, language),
    given: givenIn(all, language),
    last,
  });
  let text = "";
  let isBegun = false;
  let depth = 0;
  /** Of types with others in them. */
  let angle = 0;
  for (let at = row; at < Math.min(code.length, row + maxLines); at++) {
    const line = code[at] ?? "";
    const upTo = (column: number) => told(text + line.slice(0, column), at + 1);
    for (let column = 0; column < line.length; column++) {
      const sign = line[column] ?? "";
      const isListed = sign === "," && angle > 0;
      const isEnd = depth === 0 && isBegun && !isListed && endsAt(sign, line, column, extent, language);
      if (isEnd) return upTo(column);
      if ("([{".includes(sign)) depth += 1;
      if (")]}".includes(sign)) depth -= 1;
      if (depth === 0 && sign === "<" && opensType(line, column)) angle += 1;
      if (depth === 0 && sign === ">" && !/[-=]/.test(line[column - 1] ?? "")) angle = Math.max(0, angle - 1);
      // The surrounding block ends.
      if (depth < 0) return upTo(column);
      isBegun ||= sign.trim() !== "";
      if (
        extent === "whole" &&
        depth === 0 &&
        sign === "}" &&
        !/^\s*(?:from|[|&])/.test(line.slice(column + 1))
      )
        return upTo(column + 1);
    }
    text += `${line}\n`;
    const isOver = depth === 0 && isOverAtLineEnd(text, code[at + 1] ?? "", extent, language);
    if (isOver) return told(text, at + 1);
  }
  return told(text, Math.min(code.length, row + maxLines));
}

/** Whether it is neither a comparison nor a shift; `<<A as B>::C, D>` begins with two types. */
function opensType(line: string, column: number): boolean {
  const before = line[column - 1] ?? "";
  const rest = line.slice(column, column + 100);
  if (/^<<?\w[^<>]{0,80}\sas\s/.test(rest) && !/\d/.test(before)) return true;
  return before !== "<" && !/^<[<=\s]/.test(rest);
}

function endsAt(sign: string, line: string, column: number, extent: Extent, language: Language): boolean {
  if (sign === ";") return true;
  if (extent === "whole") return false;
  if (sign === "{") return true;
  if (sign === ":" && language === "python") return true;
  // What a constructor of C++ begins with is nobody's business.
  if (sign === ":" && language === "c") return line[column + 1] !== ":" && line[column - 1] !== ":";
  // The body may follow an arrow.
  if (language === "csharp" && sign === "=" && (extent === "declared" || line[column + 1] === ">"))
    return true;
  if (language === "csharp" && sign === "," && extent === "declared") return true;
  if (sign === "," && (language === "rust" || isLikeJava(language))) return true;
  // Kotlin writes a body of one expression so.
  if (sign === "=" && isLikeJava(language)) return true;
  if (sign !== "=" || extent !== "declared") return false;
  if (language === "python") return true;
  if (line[column + 1] === ">" || line[column + 1] === "=") return line[column + 1] === ">";
  // For functions, the signature follows the sign.
  return !/^=\s*(?:async\s*)?(?:function\b|\(|<|[\w$]+\s*=>)/.test(line.slice(column, column + 200));
}

const isLikeJava = (language: Language): boolean => ["java", "c", "swift", "php", "dart"].includes(language);

function isOverAtLineEnd(text: string, next: string, extent: Extent, language: Language): boolean {
  if (language === "swift" || (language === "java" && byLine.test(text)))
    return (
      !/(?:[=|&:,?(.]|->|\b(?:where|extends|implements))\s*$/.test(text.slice(-40)) &&
      !/^\s*(?:->|(?:where|extends|implements|permits|with)\b|[:.={?|&(,])/.test(next)
    );
  if (language === "ruby") return !/,\s*$/.test(text.slice(-40));
  if (language === "go" || (language === "python" && extent === "whole")) return true;
  if (language !== "script") return false;
  if (extent === "head" && !/\)[^(){}]*$/.test(text.slice(-400))) return false;
  if (extent === "head" && /^\s*\{/.test(next)) return false;
  return !/[=|&:,?(]\s*$/.test(text.slice(-40)) && !/^\s*(?:[|&?:=.]|(?:extends|implements)\b)/.test(next);
}

/** What ends with its line in Kotlin or Scala, and never stands alone in its line in Java. */
const byLine = /^[^({\n]{0,200}\b(?:val|var|fun|def|type|class|trait|object|interface)\s/;

/** A type is the same whether it is named with its module or without. */
const qualifiers = /(?<![.\w$])[a-z_]\w{0,40}\.(?=[A-Z])/g;

/** How something is implemented is no part of its signature. */
const inside = /\b(?:async|override|partial|unsafe|extern)\s+/g;

/** `pub struct A(B);`: what it is made of is nobody's business. */
const hiddenFields = /^(\s*pub\s+struct\s+\w+(?:<[^()]{0,200}>)?\s*)\((?![^;]*\bpub\b)[^;]*\)/;

/** How a method of Go calls what it belongs to. */
const receiver = /^func\s+\(\s*\w{1,80}\s+(\*?[\w.]{1,80}(?:\[[^\]\n]{0,80}\])?)\s*\)/;

/** The name of a parameter of Java: the last word before the next one. */
const givenToJava = /(?<=[\w>\]?.]\s{1,20})([a-z_$][\w$]{0,80})(?=\s{0,20}[,)])/g;

const givenToRuby = /^(\s*def\s+[\w.]{1,120}[?!=]?(?:\s*\(|[ \t]+))([^()\n]{1,400})/;
const givenToGo = /^(func\s(?:\([^()]{0,160}\)\s*)?\w{1,80}(?:\[[^\]\n]{0,200}\])?)\(([^()]{0,600})\)(.*)$/s;

/** A function or value of Scala, what stands before it without changing its use, and the names of its parameters. */
const ofScala = /^[^({\n=]{0,200}\b(?:def|val)\s/;
const leadOfScala =
  /^\s*(?:@\w{1,60}(?:\([^()\n]{0,200}\))?\s+)*((?:implicit\s+)?)(?:(?:final|override|inline|lazy)\s+)*/;
const givenToScala = /([(,]\s{0,40}(?:(?:implicit|using)\s{1,4})?)[a-z]\w{0,60}(?=\s{0,4}:)/g;

/** What a function of a script is given, where it has no parts with names. */
const givenToScript = /^(?![^(]{0,300}\bclass\b)([^({]{0,300}\()([^(){}[\]]{1,600})(?=\))/;
const withoutGiven = (_: string, head: string, given: string): string =>
  head +
  given
    .split(",")
    .map((each) => each.replace(/^(\s*(?:\.\.\.)?)[A-Za-z_$][\w$]*(?=\s*(?:$|[?:=]))/, "$1_"))
    .join(",");

function givenIn(text: string, language: Language): readonly string[] {
  if (language === "java") return text.match(givenToJava) ?? [];
  if (language === "script") {
    const [, , given = ""] = givenToScript.exec(text) ?? [];
    return given.split(",").flatMap((each) => /^\s*([A-Za-z_$][\w$]*)/.exec(each)?.[1] ?? []);
  }
  if (language !== "ruby" && language !== "go") return [];
  const [, , given = ""] = (language === "ruby" ? givenToRuby : givenToGo).exec(text) ?? [];
  const named = language === "ruby" ? /^\s*[*&]{0,2}([a-z_]\w{0,60})(?=\s*(?:=|\)|$))/ : /^\s*(\w{1,80})/;
  return given.split(",").flatMap((each) => named.exec(each)?.[1] ?? []);
}

/** What a caller never writes: how Go and Ruby call a parameter of a position, and how Rust calls a lifetime. */
function withoutNames(text: string, language: Language): string {
  if (language === "rust") {
    const known = new Map<string, number>();
    const elided = text.replace(/<'_>/g, "");
    return elided.replace(/(?<![\w"])'([a-z]\w{0,40})(?!\w|')/g, (each, name: string) => {
      if (name === "static") return each;
      known.set(name, known.get(name) ?? known.size);
      return `'${known.get(name)}`;
    });
  }
  if (language === "java" && ofScala.test(text))
    return text.replace(leadOfScala, "$1").replace(givenToScala, "$1_");
  if (language === "java") return text.replace(givenToJava, "_");
  if (language === "script") return text.replace(givenToScript, withoutGiven);
  if (language === "ruby")
    return text.replace(givenToRuby, (_, head: string, given: string) => {
      const names = given
        .split(",")
        .map((each) => each.replace(/^(\s*[*&]{0,2})[a-z_]\w{0,60}(?=\s*(?:=|\)|$))/, "$1_"));
      // A block can be given to every method.
      return `${head}${names.filter((name) => !name.trimStart().startsWith("&")).join(",")}`;
    });
  if (language !== "go" || !text.startsWith("func")) return text;
  const [, head, given, rest] = givenToGo.exec(text) ?? [];
  if (head === undefined) return text;
  return `${head}(${typesOf(given ?? "")})${(rest ?? "").replace(/^\s*\(\s*([^(),\s]{1,200})\s*\)/, "$1")}`;
}

/** `a, b int, c string` as `int, int, string`. */
function typesOf(given: string): string {
  const parts = given
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  // Without names there are only types.
  if (
    !parts.some((each) => /^\w{1,80}\s+\S/.test(each) && !/^(?:chan|func|map|struct|interface)\b/.test(each))
  )
    return parts.join(",");
  let type = "";
  return parts
    .toReversed()
    .map((each) => {
      type = /^\w{1,80}\s+(\S.*)$/s.exec(each)?.[1] ?? type;
      return type;
    })
    .toReversed()
    .join(",");
}

const squeezed = (told: string, language: Language): string =>
  squeezedText(withoutNames(told, language), language);

const squeezedText = (text: string, language: Language): string =>
  (language === "csharp" ? withoutCall(text.replace(inside, "")) : text)
    .replace(/=\s*(async\s+)?function\s+\w{1,80}\s*\(/, "=$1function(")
    .replace(language === "script" || language === "python" ? qualifiers : /(?!)/g, "")
    .replace(language === "python" ? /\(\s*object\s*\)/ : /(?!)/, "")
    .replace(language === "rust" ? hiddenFields : /(?!)/, "$1()")
    .replace(language === "go" ? receiver : /(?!)/, "func ($1)")
    .replace(language === "c" ? compiling : /(?!)/, "")
    .replace(language === "ruby" ? /^\s*\w{1,40}\s+(?=def\s)/ : /(?!)/, "")
    .replace(language === "ruby" ? /(?<=<\s{0,4})(?:::)?(?:\w{1,60}::){1,8}/ : /(?!)/, "")
    .replace(language === "java" ? annotations : /(?!)/g, "")
    .replace(language === "java" ? modifiers : /(?!)/, inOrder)
    .replace(/\s+/g, "")
    .replace(language === "ruby" ? /^(def[^()]{1,120})\(\)$/ : /(?!)/, "$1")
    .replace(/,(?=[)\]}>])/g, "");

/** Without the call of another constructor, which is at the end. */
function withoutCall(text: string): string {
  const from = Math.max(0, text.length - 500);
  return text.slice(0, from) + text.slice(from).replace(/\)\s*:\s*(?:this|base)\s*\([^;{}]*$/, ")");
}

/** How a function of C is compiled; what is written in capital letters alone is a macro for it. */
const compiling = /^\s*(?:(?:inline|constexpr|extern|explicit|[A-Z][A-Z0-9_]{3,60})\s+){1,6}/;

/** Annotations of Java and Kotlin that let a caller do all that they did before. */
const annotations =
  /@(?:\w{1,60}\.){0,8}(?:Nullable|NotNull|Non[nN]ull|CheckForNull|CheckReturnValue|Contract|Suppress\w{0,20}|Deprecated|SafeVarargs|Override|VisibleForTesting|ParametersAreNonnullByDefault)\b(?:\s{0,20}\([^()\n]{0,300}\))?\s{0,40}/g;

/** What stands before a function of Kotlin, in any order; some of it says nothing to a caller. */
const modifiers = /^\s*(?:[a-z]{1,20}\s+){1,8}(?=fun\s)/;
const inOrder = (found: string): string =>
  `${found
    .trim()
    .split(/\s+/)
    .filter((word) => !/^(?:public|inline|tailrec|external|expect|actual|override)$/.test(word))
    .toSorted()
    .join(" ")} `;

// ── What is compatible ──

/** Whether who uses the one signature may use the other one instead: it gives more and demands nothing more. */
export const isCompatible = (before: string, after: string, language: Language): boolean =>
  isMoreOfClass(before, after) ||
  isOnlyTold(before, after, language) ||
  demandsNothingMore(before, after, language) ||
  (language === "python" && differsInAnnotations(before, after));

/** Whether one side of a Scala definition says the type that the other one leaves to the compiler. */
function isOnlyTold(before: string, after: string, language: Language): boolean {
  if (language !== "java" || !/^(?:implicit)?(?:def|val)/.test(before)) return false;
  const [short, long] = before.length < after.length ? [before, after] : [after, before];
  return long.startsWith(`${short}:`);
}

/** A class that implements more, or whose new constructor needs nothing. */
function isMoreOfClass(before: string, after: string): boolean {
  if (!/^[a-z]{0,60}class[A-Z_]/.test(before) || !after.startsWith(before)) return false;
  const rest = after.slice(before.length, before.length + 600);
  if (/^(?:implements|extends|with|[,:])[\w<>,.?()[\]]{1,500}$/.test(rest)) return true;
  const [, given] = /^\((.{1,500})\)$/.exec(rest) ?? [];
  return given !== undefined && partsOf(given).every((part) => isOptional(part, "java"));
}

/** More parameters behind the others, none of which needs to be given. */
function demandsNothingMore(before: string, after: string, language: Language): boolean {
  let [from, end] = [0, 0];
  while (from < before.length && before[from] === after[from]) from += 1;
  while (end < before.length - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (from + end < before.length || before[from] !== ")") return false;
  const fresh = after.slice(from, after.length - end);
  if (!fresh.startsWith(",") && before[from - 1] !== "(") return false;
  return partsOf(fresh).every((part) => isOptional(part, language));
}

/** Whether a parameter may be left out: it has a value, is marked so, or stands for any number of them. */
function isOptional(part: string, language: Language): boolean {
  if (/^[^=]{1,300}=(?![>=])/.test(part)) return true;
  if (language === "script") return /^[\w$]{1,80}\?:/.test(part) || part.startsWith("...");
  if (language === "python") return /^(?:\*{1,2}\w{0,80}(?::.{1,200})?|\/)$/.test(part);
  return language === "ruby" && /^(?:[*&]{1,2}\w{0,80}|\w{1,80}:.{1,200})$/.test(part);
}

/** The parts of a list, without those that are empty. */
function partsOf(text: string): readonly string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if ("([{<".includes(sign)) depth += 1;
    else if (")]}>".includes(sign)) depth -= 1;
    else if (sign === "," && depth === 0) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, text.slice(from)].filter((part) => part !== "");
}

/** Python runs the same with a type beside a name or without one. */
function differsInAnnotations(before: string, after: string): boolean {
  const [old, now] = [annotatedIn(before), annotatedIn(after)];
  if (old === undefined || now === undefined || old.length !== now.length) return false;
  return old.every(({ name, type }, at) => {
    const other = now[at];
    return name === other?.name && (type === other.type || type === "" || other.type === "");
  });
}

interface Annotated {
  /** With its value. */
  readonly name: string;
  readonly type: string;
}

/** What a function is given, and last what it gives. */
function annotatedIn(text: string): readonly Annotated[] | undefined {
  const [, head, given, result] =
    /^((?:async)?def\w{1,200})\((.{0,4000})\)(?:->([^()]{1,1000}))?$/s.exec(text) ?? [];
  if (head === undefined) return undefined;
  const parts = partsOf(given ?? "").map((part): Annotated => {
    const [, name = part, type = "", value = ""] =
      /^(\*{0,2}\w{1,200}):([^=]{1,1000})(=.{0,1000})?$/s.exec(part) ?? [];
    return { name: `${name}${value}`, type };
  });
  return [...parts, { name: head, type: result ?? "" }];
}
