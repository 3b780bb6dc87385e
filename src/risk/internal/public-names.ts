// Collects a file's exported or public names with their signatures. Reads its code line by line and keeps track of
// blocks. If a language marks private names with a sign, those are left out.
import type { LineRange } from "../../patch/model.ts";
import { type Extent, signatureAt } from "./signatures.ts";
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

interface Declaration {
  readonly name: string;
  readonly extent: Extent;
  /** Its members may be public, too. */
  readonly isContainer?: boolean;
  /** All its members are public. */
  readonly isOpen?: boolean;
  /** It is no name of its own, it only has members. */
  readonly isSpace?: boolean;
}

interface Block {
  readonly name: string;
  /** The depth of direct members: number of braces, or the least indentation. */
  readonly depth: number;
  readonly isOpen: boolean;
  /** In Python, how far its first member is indented: what is further in belongs to a function. */
  own?: number;
}

type Reader = (line: string, block: Block | undefined) => Declaration | undefined;

const control =
  /^(?:if|for|while|switch|catch|return|throw|else|do|try|new|await|yield|case|super|function|typeof|delete)$/;

const script: Reader = (line, block) => {
  if (block !== undefined) {
    const member =
      /^\s*(?!private\b|protected\b)(?:(?:public|static|readonly|async|override|abstract|get|set|accessor|declare)\s+)*\*?([A-Za-z$][\w$]*)(?:\s*[?!])?\s*([(<:=])/.exec(
        line,
      );
    const [, name = "", sign] = member ?? [];
    // No statement stands here: `delete` and `catch` are names of methods.
    if (member === null || name.startsWith("_")) return undefined;
    return { name, extent: sign === "(" || sign === "<" ? "head" : "declared" };
  }
  const [, method] = /^\s*([A-Z]\w{0,60}\.prototype\.[A-Za-z]\w{0,60})\s*=/.exec(line) ?? [];
  if (method !== undefined) return { name: method, extent: "declared" };
  if (!line.includes("export")) return undefined;
  const exported =
    /^\s*export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function\*?|class|interface|type|enum|const enum|const|let|var|namespace)\s+\*?([\w$]+)/.exec(
      line,
    );
  if (exported !== null) {
    const [, kind = "", name = ""] = exported;
    if (/interface|type|enum/.test(kind)) return { name, extent: "whole" };
    if (kind === "class") return { name, extent: "head", isContainer: true };
    return { name, extent: kind.startsWith("function") ? "head" : "declared" };
  }
  if (/^\s*export\s*(?:type\s*)?[{*]/.test(line)) return { name: "export", extent: "whole" };
  if (/^\s*export\s+default\b/.test(line)) return { name: "default", extent: "head" };
  if (/^\s*module\.exports\s*=\s*\{/.test(line)) return { name: "export", extent: "whole" };
  const common =
    /^\s*(?:module\.)?exports\.([\w$]+)\s*=/.exec(line) ?? /^\s*(module\.exports)\s*=/.exec(line);
  return common?.[1] === undefined ? undefined : { name: common[1], extent: "declared" };
};

const python: Reader = (line, block) => {
  const found = /^\s*(?:async\s+)?(def|class)\s+(\w+)/.exec(line);
  if (found === null) {
    if (/^__all__\s*[+=]/.test(line)) return { name: "__all__", extent: "whole" };
    // Whoever imports a module uses its values by their names.
    const [, value] = /^([A-Za-z]\w*)\s*(?::[^=\n]{0,100})?=(?!=)/.exec(line) ?? [];
    return value === undefined || block !== undefined ? undefined : { name: value, extent: "declared" };
  }
  const [, kind, name = ""] = found;
  if (/^_(?!_\w+__$)/.test(name) || (block === undefined && /^\s/.test(line))) return undefined;
  return { name, extent: "head", isContainer: kind === "class" };
};

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

const ruby: Reader = (line, block) => {
  const [, type] = /^\s*(?:class|module)\s+([A-Z][\w:]*)/.exec(line) ?? [];
  if (type !== undefined) return { name: type, extent: "head", isContainer: true };
  const [, method] = /^\s*def\s+((?:self\.)?[A-Za-z]\w*[?!=]?)/.exec(line) ?? [];
  if (method !== undefined) return { name: method, extent: "head" };
  const [, alias] = /^\s*alias(?:_method)?\s+:?([A-Za-z]\w*[?!=]?)/.exec(line) ?? [];
  if (alias !== undefined) return { name: alias, extent: "whole" };
  const [, accessor] = /^\s*(attr_(?:reader|writer|accessor))\s+:/.exec(line) ?? [];
  if (accessor !== undefined && block !== undefined) return { name: accessor, extent: "whole" };
  const [, value] = /^\s*([A-Z][A-Z0-9_]*)\s*=(?![=~])/.exec(line) ?? [];
  return value === undefined || block === undefined ? undefined : { name: value, extent: "declared" };
};

const go: Reader = (line, block) => {
  if (block !== undefined) {
    const [, name] = /^\s+([A-Z]\w*)\b/.exec(line) ?? [];
    return name === undefined ? undefined : { name, extent: "declared" };
  }
  const method = /^func\s+\(\s*(?:\w+\s+)?\*?([A-Z]\w*)(?:\[[^\]\n]{0,80}\])?\s*\)\s*([A-Z]\w*)\s*[([]/.exec(
    line,
  );
  if (method !== null) return { name: `${method[1]}.${method[2]}`, extent: "head" };
  const [, called] = /^func\s+([A-Z]\w*)\s*[([]/.exec(line) ?? [];
  if (called !== undefined) return { name: called, extent: "head" };
  const [, type] = /^type\s+([A-Z]\w*)\b/.exec(line) ?? [];
  if (type !== undefined)
    return { name: type, extent: "head", isContainer: /\b(?:struct|interface)\b/.test(line), isOpen: true };
  const [, value] = /^(?:const|var)\s+([A-Z]\w*)\b/.exec(line) ?? [];
  if (value !== undefined) return { name: value, extent: "declared" };
  return undefined;
};

const rust: Reader = (line, block) => {
  const found =
    /^\s*pub\s+(?:(?:async|unsafe|const|default|extern(?:\s*"\d+")?)\s+)*(fn|struct|enum|trait|type|const|static|mod|union|use|macro)\s+(?:mut\s+)?([\w:{}*, ]+)/.exec(
      line,
    );
  if (found !== null) {
    const [, kind = "", name = ""] = found;
    if (kind === "use") return { name: "use", extent: "whole" };
    const isOpen = kind === "enum" || kind === "trait";
    const isContainer = isOpen || kind === "struct" || kind === "union";
    return {
      name: /^\w+/.exec(name)?.[0] ?? name,
      extent: kind === "const" || kind === "static" ? "declared" : "head",
      isContainer,
      isOpen,
    };
  }
  const [, field] = /^\s*pub\s+(\w+)\s*:/.exec(line) ?? [];
  if (field !== undefined) return { name: field, extent: "declared" };
  if (block?.isOpen !== true) return undefined;
  const [, own] = /^\s*(?:(?:async|unsafe|const)\s+)*(?:fn\s+)?([A-Za-z]\w*)\b/.exec(line) ?? [];
  return own === undefined ? undefined : { name: own, extent: "head" };
};

const java: Reader = (line, block) => {
  if (/^\s*@\w+(?:\([^()\n]{0,200}\))?\s*$/.test(line)) return undefined;
  const type =
    /\b(public|protected)\s+(?:(?:static|final|abstract|sealed|partial|data|open)\s+)*(class|interface|enum|record|struct|@interface)\s+(\w+)/.exec(
      line,
    );
  if (type !== null)
    return { name: type[3] ?? "", extent: "head", isContainer: true, isOpen: type[2] === "interface" };
  const isShown = /^\s*(?:@\w+\s+)*(?:public|protected)\s/.test(line);
  if (!isShown && block?.isOpen !== true) return undefined;
  const method = /^\s*(?!private\b)[^=;"]{0,300}?\b(\w+)\s*\(/.exec(line);
  if (method?.[1] !== undefined && !control.test(method[1])) return { name: method[1], extent: "head" };
  const field = /^\s*(?!private\b)[^=;("]{1,300}?\s(\w+)\s*(?:=|;)/.exec(line);
  return field?.[1] === undefined ? undefined : { name: field[1], extent: "declared" };
};

/** Kotlin and PHP: what says nothing of itself is public. */
const shown: Reader = (line, block) => {
  const [, hidden] =
    /^\s*(?:@[\w.]+(?:\([^()\n]{0,200}\))?\s+)*(?:[a-z]+\s+)*?(private|internal|protected)\b/.exec(line) ??
    [];
  if (hidden !== undefined && hidden !== "protected") return undefined;
  const type =
    /^\s*(?:@[\w.]+(?:\([^()\n]{0,200}\))?\s+)*(?:(?:public|protected|static|final|abstract|sealed|data|open|inner|value|annotation|expect|actual|companion|fun|readonly)\s+)*(class|interface|enum class|enum|object|trait)(?:\s+([A-Za-z_]\w*)|(?=\s*\{))/.exec(
      line,
    );
  if (type !== null) return { name: type[2] ?? "Companion", extent: "head", isContainer: true, isOpen: true };
  const [, called] =
    /^\s*(?:@[\w.]+(?:\([^()\n]{0,200}\))?\s+)*(?:(?:public|protected|static|final|abstract|open|override|inline|suspend|operator|infix|tailrec|external|expect|actual)\s+)*(?:fun|function)\s+(?:<[^\n()]{1,200}>\s*)?&?((?:[\w<>?,* ]{1,120}\.)?\w+)\s*\(/.exec(
      line,
    ) ?? [];
  if (called !== undefined) return { name: called, extent: "head" };
  const [, value] =
    /^\s*(?:@[\w.]+(?:\([^()\n]{0,200}\))?\s+)*(?:(?:public|protected|static|final|abstract|open|override|lateinit|const|inline|expect|actual)\s+)*(?:val|var|const)\s+((?:[\w<>?,* ]{1,120}\.)?\w+)/.exec(
      line,
    ) ?? [];
  // At the top of a file, what others use has its type beside it.
  const isOwn = block === undefined && !/^(?:public\b|const\b|[^=\n]{0,300}:)/.test(line);
  return value === undefined || isOwn ? undefined : { name: value, extent: "declared" };
};

const csharp: Reader = (line, block) => {
  if (/^\s*\[[^\n]{0,300}\]\s*$/.test(line)) return undefined;
  if (/^\s*namespace\s+[\w.]{1,200}\s*(?:\{|$)/.test(line))
    return { name: "", extent: "head", isContainer: true, isSpace: true };
  const type =
    /^\s*(?:public|protected)\s+(?:(?:internal|static|sealed|abstract|partial|readonly|unsafe|new|ref)\s+)*(class|interface|enum|record\s+struct|record|struct)\s+(\w+)/.exec(
      line,
    );
  if (type !== null) {
    const isOpen = type[1] === "interface" || type[1] === "enum";
    return { name: type[2] ?? "", extent: "head", isContainer: true, isOpen };
  }
  const isShown = /^\s*(?:public|protected)\s/.test(line);
  if (!isShown && block?.isOpen !== true) return undefined;
  const [, method] = /^[^=;"{]{0,300}?\b(\w+)(?:<[^<>\n]{0,100}>)?\s*\(/.exec(line) ?? [];
  if (method !== undefined && !control.test(method)) return { name: method, extent: "head" };
  const [, value] = /^[^=;("{]{0,300}?\b(\w+)\s*(?:[=;,{]|$)/.exec(line) ?? [];
  return value === undefined || control.test(value) ? undefined : { name: value, extent: "declared" };
};

const readers: Readonly<Partial<Record<Language, Reader>>> = {
  ...{ script, python, go, rust, java, csharp, ruby },
};

/** Where a program says which requests it answers; a path is a literal, as its number in quotes. */
const routing: Readonly<Partial<Record<Language, RegExp>>> = {
  script: /\b(?:app|router|server|fastify)\.(get|post|put|patch|delete|all|route)\(\s*("\d+")/,
  python: /@\w{1,40}\.(route|get|post|put|patch|delete|websocket)\(\s*("\d+")/,
  go: /\.(GET|POST|PUT|PATCH|DELETE|Handle|HandleFunc)\(\s*("\d+")/,
  java: /@(Get|Post|Put|Patch|Delete|Request)Mapping\([^"\n]{0,60}("\d+")/,
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

export function publicNames(lines: readonly string[], language: Language, path = ""): readonly PublicName[] {
  const reader = /\.(?:kts?|php)$/i.test(path) ? shown : readers[language];
  const code = language === "ruby" ? withoutPrivate(lines) : lines;
  const found: PublicName[] = [...routesIn(code, language)];
  if (reader === undefined) return found;
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
      const declared = reader(line, block);
      if (declared !== undefined) {
        const { text, given, last } = signatureAt(code, row, declared.extent, language);
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

const indentOf = (line: string): number => line.length - line.trimStart().length;

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
): { readonly before: ReadonlySet<PublicName>; readonly after: ReadonlySet<PublicName> } {
  const [then, now] = [byKey(before), byKey(after)];
  const [givenThen, givenNow] = [givenBySignature(before), givenBySignature(after)];
  return {
    before: new Set(
      before.filter(({ key, signature, given }) => {
        if (isReordered(given, givenNow.get(`${key}\n${signature}`))) return true;
        const same = now.get(key) ?? none;
        if (isUnknown(signature, same)) return false;
        return !same.has(signature) && ![...same].some((each) => isOnlyMore(signature, each));
      }),
    ),
    // An additional declaration of an existing name is new if all earlier ones remain.
    after: new Set(
      after.filter(({ key, signature, given }) => {
        if (isReordered(given, givenThen.get(`${key}\n${signature}`))) return true;
        const known = [...(then.get(key) ?? [])];
        if (isUnknown(signature, then.get(key) ?? none)) return false;
        if (known.some((each) => isOnlyMore(each, signature))) return false;
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
function isOnlyMore(before: string, after: string): boolean {
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  if (old !== undefined && now !== undefined)
    return old.head === now.head && [...old.all].every((each) => now.all.has(each));
  return hasMoreMembers(before, after);
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
