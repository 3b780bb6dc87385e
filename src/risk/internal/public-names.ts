// Collects a file's exported or public names with their signatures. Reads its code line by line and keeps track of
// blocks. If a language marks private names with a sign, those are left out.
import type { LineRange } from "../../patch/model.ts";
import { type Block, type Reader, readerOf } from "./declarations.ts";
import { indentOf } from "./hunk.ts";
import { collectorOf } from "./module-names.ts";
import { isCompatible, signatureAt } from "./signatures.ts";
import type { Language } from "./source.ts";

export interface PublicName {
  /** The name including its type. */
  readonly key: string;
  readonly name: string;
  readonly signature: string;
  /** Names of its positions, which are no part of its signature. */
  readonly given?: readonly string[];
  readonly at: LineRange;
}

/** Names of a Python module that are assigned in a block of it, or come from another module. */
export function namesFromElsewhere(code: readonly string[]): ReadonlySet<string> {
  return new Set(
    code.flatMap((line) => {
      const [, own] = /^[ \t]+(\w+)[ \t]*(?::[^=\n]{0,100})?=(?!=)/.exec(line) ?? [];
      if (own !== undefined) return [own];
      return /\bimport\b/.test(line) ? (line.match(/\w+/g) ?? []) : [];
    }),
  );
}

/** Ruby without the methods below a lonely `private`, up to the end of their class. Classes in it are not private. */
function withoutPrivate(code: readonly string[]): readonly string[] {
  const open: { readonly indent: number; isHidden: boolean }[] = [];
  return code.map((line) => {
    const indent = indentOf(line);
    if (/^\s*(?:class|module)\b(?!.*\bend\b)/.test(line)) {
      open.push({ indent, isHidden: false });
      return line;
    }
    const block = open.at(-1);
    if (block === undefined) return line;
    const [, word] = /^\s*(private|protected|public)\s*$/.exec(line) ?? [];
    if (word !== undefined) block.isHidden = word !== "public";
    if (/^\s*end\b/.test(line) && indent <= block.indent) open.pop();
    return block.isHidden ? "" : line;
  });
}

/** Where a program says which requests it answers, or which file it shows; a path is a literal, as its number in quotes. */
const routing: Readonly<Partial<Record<Language, RegExp>>> = {
  script: /\b(?:app|router|server|fastify)\.(get|post|put|patch|delete|all|route)\(\s*("\d+")/,
  python: /@\w{1,40}\.(route|get|post|put|patch|delete|websocket)\(\s*("\d+")/,
  go: /\.(GET|POST|PUT|PATCH|DELETE|Handle|HandleFunc)\(\s*("\d+")/,
  java: /@(Get|Post|Put|Patch|Delete|Request)Mapping\([^"\n]{0,60}("\d+")/,
  dart: /^(export)\s+("\d+")/,
  csharp: /(?:\[Http|\.Map)(Get|Post|Put|Patch|Delete)\(\s*("\d+")/,
};

/** Routes have no name that code refers to: `name` is empty. */
function routesIn(code: readonly string[], language: Language): readonly PublicName[] {
  const pattern = routing[language];
  if (pattern === undefined) return [];
  return code.flatMap((line, row): PublicName[] => {
    const [, method, path] = pattern.exec(line) ?? [];
    if (method === undefined || path === undefined) return [];
    const key = `route ${method} ${path}`;
    return [{ key, name: "", signature: key, at: { first: row, last: row + 1 } }];
  });
}

/** How a script shows a value that it has under a name of its own: by itself, or in a list. */
const showing =
  /\b(?:var|let|const)[ \t]+([\w$]+)[ \t]*=[ \t]*(?:exports[ \t]*=[ \t]*)?module\.exports\b|\bmodule\.exports[ \t]*=[ \t]*([\w$]+)[ \t]*(?=[;\n]|$)|\bexport[ \t]+default[ \t]+([\w$]+)[ \t]*(?=[;\n]|$)|\b(?:module\.exports[ \t]*=|export)[ \t]*\{([^{}]{1,2000})\}/g;

function shownByScript(code: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, whole, own, first, listed = ""] of code.join("\n").matchAll(showing)) {
    for (const name of [whole, own, first]) if (name !== undefined) found.add(name);
    for (const each of listed.split(","))
      for (const name of /^\s*([\w$]+)/.exec(each)?.slice(1) ?? []) found.add(name);
  }
  return found;
}

/** What a value says to a framework alone, or is no member. */
const ofTools = /^(?:prototype|displayName|propTypes|defaultProps|contextTypes?|childContextTypes)$/;

/** A class, or a function that is put on a value, where the script shows the value elsewhere. */
function declaredForLater(line: string, shown: ReadonlySet<string>): ReturnType<Reader> {
  const [, type] =
    /^(?:abstract[ \t]+)?class[ \t]+([\w$]+)(?![\w$]|[ \t]+extends[ \t]+(?:React\.)?(?:Pure)?Component\b)/.exec(
      line,
    ) ?? [];
  if (type !== undefined && shown.has(type)) return { name: type, extent: "head", isContainer: true };
  const [, name, value = ""] = /^([\w$]+)\.([A-Za-z][\w$]*)[ \t]*=(?![=>])/.exec(line) ?? [];
  if (name === undefined || !shown.has(name) || ofTools.test(value)) return undefined;
  return { name: `${name}.${value}`, extent: "declared" };
}

export function publicNames(lines: readonly string[], language: Language, path = ""): readonly PublicName[] {
  const collect = collectorOf(language);
  if (collect !== undefined) return collect(lines);
  const reader = readerOf(path, language);
  const code = language === "ruby" ? withoutPrivate(lines) : lines;
  const found: PublicName[] = [...routesIn(code, language)];
  if (reader === undefined) return found;
  const shown = language === "script" ? shownByScript(code) : new Set<string>();
  // What an interface of Java says of its members, they are without it.
  const isOfJava = /\.java$/i.test(path);
  const blocks: Block[] = [];
  let depth = 0;
  /** Lines before this index belong to a signature and declare nothing. */
  let next = 0;
  for (let row = 0; row < code.length; row++) {
    const line = code[row] ?? "";
    const indent = language === "python" || language === "ruby" ? indentOf(line) : depth;
    const isBlank = line.trim() === "";
    if (!isBlank && row >= next) while (isBehind(blocks.at(-1), indent)) blocks.pop();
    const block = blocks.at(-1);
    if (block !== undefined && !isBlank && row >= next) block.own ??= indent;
    const isIn = isDeclaring(block, indent, language);
    if (row >= next && !isBlank && isIn) {
      const isLater = block === undefined && shown.size > 0;
      const declared = reader(line, block) ?? (isLater ? declaredForLater(line, shown) : undefined);
      if (declared !== undefined) {
        const { text: told, given, last } = signatureAt(code, row, declared.extent, language);
        // A class is the same one whether it is shown where it is declared or later.
        const here = told.replace(/^(?:export|module\.exports=)(?=(?:abstract)?class)/, "");
        const text = isOfJava && block?.isOpen === true ? here.replace(/^(?:public|abstract)+/, "") : here;
        const { name, isContainer = false, isOpen = false, isSpace = false } = declared;
        const key = block === undefined || block.name === "" ? name : `${block.name}.${name}`;
        if (!isSpace) {
          const at = { first: row, last };
          const listed = name === "export" || name === "use" ? listedIn(text) : [];
          const signature = name === "use" ? lastOf(text) : isValue(text) ? "" : text;
          const accessors = language === "ruby" ? accessorsIn(text) : [];
          for (const each of accessors)
            found.push({ key: `${block?.name}.${each}`, name: each, signature: `def${each}`, at });
          if (accessors.length === 0 && listed.length === 0) found.push({ key, name, signature, given, at });
          for (const each of listed) found.push({ key: `${key} ${each}`, name, signature: each, at });
        }
        if (isContainer) blocks.push({ name: key, depth: indent + 1, isOpen });
        if (declared.extent !== "declared" || !isContainer) next = last;
      }
    }
    depth = Math.max(0, depth + balance(line));
  }
  return found;
}

/** `export { a, b as c }` and `pub use x::{a, b};`: each name by itself, so that their order says nothing. */
function listedIn(text: string): readonly string[] {
  const [, from = "", names, rest = ""] = /^([^{}]{0,200})\{([^{}]{1,4000})\}(.{0,200})$/s.exec(text) ?? [];
  if (names === undefined) return [];
  // What a module exports by a name has that name, whatever its value is called.
  const isValues = from.startsWith("module.");
  return names
    .split(",")
    .filter((name) => name !== "")
    .map((name) => (isValues ? `${from}${name.replace(/:.*/s, "")}${rest}` : `${from}${name}`));
}

/** `attr_accessor :a` of Ruby is short for the methods `a` and `a=`. */
function accessorsIn(text: string): readonly string[] {
  const [, kind, names = ""] = /^attr_(reader|writer|accessor):(.{0,2000})$/.exec(text) ?? [];
  if (kind === undefined) return [];
  return names.split(",:").flatMap((name) => {
    const writer = `${name}=`;
    return kind === "accessor" ? [name, writer] : [kind === "reader" ? name : writer];
  });
}

/** What a module exports as a whole has no name: only that it is a function says how it is used. */
const isValue = (text: string): boolean =>
  /^module\.exports(?!\.)(?!=(?:async)?(?:function\b|\(|\w+=?$))|^exportdefault(?!(?:abstract)?class|(?:async)?function|(?:async)?\(|\w+=>)/.test(
    text,
  );

/** `pub use a::b::C;` shows `C`, wherever it comes from. */
const lastOf = (text: string): string => (text.endsWith("*") ? text : text.replace(/^pubuse.*::/, "pubuse"));

/** Whether the line is after the end of the block. */
function isBehind(block: Block | undefined, indent: number): boolean {
  if (block === undefined) return false;
  return indent < block.depth;
}

/**
 * Whether names can be declared here: at the top level, or directly in something public; in Rust, in any block that
 * belongs to a type.
 */
function isDeclaring(block: Block | undefined, indent: number, language: Language): boolean {
  if (language === "rust") return indent <= 1 || block?.depth === indent;
  if (language === "python") return indent === (block === undefined ? 0 : block.own);
  if (language === "ruby") return block === undefined ? indent === 0 : true;
  return indent === (block?.depth ?? 0);
}

/** How each character changes the depth. */
const depths = new Int8Array(128);
for (const sign of "{([") depths[sign.charCodeAt(0)] = 1;
for (const sign of "})]") depths[sign.charCodeAt(0)] = -1;
const brackets = /[{}()[\]]/;

function balance(line: string): number {
  let sum = 0;
  if (!brackets.test(line)) return sum;
  for (let at = 0; at < line.length; at++) sum += depths[line.charCodeAt(at)] ?? 0;
  return sum;
}

/** Names that were removed or whose signature changed. New names affect nobody. */
export function changedNames(
  before: readonly PublicName[],
  after: readonly PublicName[],
  language: Language,
): { readonly before: ReadonlySet<PublicName>; readonly after: ReadonlySet<PublicName> } {
  const [then, now] = [byKey(before), byKey(after)];
  const [givenThen, givenNow] = [givenBySignature(before), givenBySignature(after)];
  return {
    before: new Set(
      before.filter(({ key, signature, given }) => {
        if (isReordered(given, givenNow.get(`${key}\n${signature}`))) return true;
        const same = now.get(key) ?? none;
        if (isUnknown(signature, same)) return false;
        return !same.has(signature) && ![...same].some((each) => isOnlyMore(signature, each, language));
      }),
    ),
    // An additional declaration of an existing name is new if all earlier ones remain.
    after: new Set(
      after.filter(({ key, signature, given }) => {
        if (isReordered(given, givenThen.get(`${key}\n${signature}`))) return true;
        const known = [...(then.get(key) ?? [])];
        if (isUnknown(signature, then.get(key) ?? none)) return false;
        if (known.some((each) => isOnlyMore(each, signature, language))) return false;
        return !known.includes(signature) && known.some((each) => now.get(key)?.has(each) !== true);
      }),
    ),
  };
}

const none: ReadonlySet<string> = new Set();

const givenBySignature = (names: readonly PublicName[]): ReadonlyMap<string, PublicName["given"]> =>
  new Map(names.map(({ key, signature, given }) => [`${key}\n${signature}`, given]));

/** Whether one of the names stands for another position, among as many. */
const isReordered = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  one.length === other.length &&
  one.some((name, at) => /[^_]/.test(name) && other[at] !== name && other.includes(name));

/** A value under the same name, before or now: what it is stands elsewhere. */
const isUnknown = (signature: string, others: ReadonlySet<string>): boolean =>
  others.has("") || (signature === "" && others.size > 0);

/** Whether a type has nothing but new members that nobody needs to give, or may be more than it was. */
function isOnlyMore(before: string, after: string, language: Language): boolean {
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  if (old !== undefined && now !== undefined)
    return old.head === now.head && [...old.all].every((each) => now.all.has(each));
  return hasMoreMembers(before, after) || isCompatible(before, after, language);
}

/** `type A = "a" | "b"` by what it may be. */
function alternativesOf(
  text: string,
): { readonly head: string; readonly all: ReadonlySet<string> } | undefined {
  const [, head, told = ""] =
    /^((?:export)?(?:declare)?type[\w$]{1,100})=\|?([^{}()&]{1,8000})$/.exec(
      text.replace("(string&{})", "string"),
    ) ?? [];
  return head === undefined || !told.includes("|") ? undefined : { head, all: new Set(told.split("|")) };
}

function hasMoreMembers(before: string, after: string): boolean {
  const membersOf = (text: string) => /^([^{}]{1,200})\{(.{0,8000})\}$/s.exec(text);
  const [old, now] = [membersOf(before), membersOf(after)];
  if (old === null || now === null || old[1] !== now[1]) return false;
  if (!before.includes(";")) return isPutIn(old[2] ?? "", now[2] ?? "");
  const left = new Set((old[2] ?? "").split(";").filter((each) => each !== ""));
  const fresh = (now[2] ?? "").split(";").filter((each) => each !== "" && !left.delete(each));
  return left.size === 0 && fresh.every((each) => /^(?:readonly)?[\w$]{1,80}\?:/.test(each));
}

/** Without a sign between members: whether all that is put in is members that nobody needs to give. */
function isPutIn(before: string, after: string): boolean {
  let [from, end] = [0, 0];
  while (from < before.length && before[from] === after[from]) from += 1;
  while (end < before.length - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const fresh = after.slice(from, after.length - end);
  if (from + end < before.length || !/^(?:readonly)?[\w$]{0,80}\?:/.test(fresh)) return false;
  return (fresh.replace(/\([^()]{0,400}\)/g, "").match(/[\w$]:/g) ?? []).length === 0;
}

function byKey(names: readonly PublicName[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { key, signature } of names) found.set(key, (found.get(key) ?? new Set()).add(signature));
  return found;
}
