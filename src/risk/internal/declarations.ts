// What a line declares that others can use, in each language. If a language marks private names with a sign, those are left
// out.
import type { Extent } from "./signatures.ts";
import type { Language } from "./source.ts";

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

export interface Block {
  readonly name: string;
  /** The depth of direct members: number of braces, or the least indentation. */
  readonly depth: number;
  readonly isOpen: boolean;
  /** In Python, how far its first member is indented: what is further in belongs to a function. */
  own?: number;
}

export type Reader = (line: string, block: Block | undefined) => Declaration | undefined;

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
  const [, own] = /^\s*module\.exports\s*=\s*class\s+([\w$]+)/.exec(line) ?? [];
  if (own !== undefined) return { name: own, extent: "head", isContainer: true };
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

const ruby: Reader = (line, block) => {
  const [, type] = /^\s*(?:class|module)\s+([A-Z][\w:]*)/.exec(line) ?? [];
  if (type !== undefined) return { name: type, extent: "head", isContainer: true };
  const [, method] =
    /^\s*(?:(?!private|protected)\w{1,40}\s+)?def\s+((?:self\.)?[A-Za-z]\w*[?!=]?)/.exec(line) ?? [];
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

/** In Swift a member has to say itself that it is public, but for cases and requirements of protocols. */
const swift: Reader = (line, block) => {
  if (
    /^\s*(?:@\w+(?:\([^()\n]{0,200}\))?\s+)*(?:private|fileprivate|internal|package)\b(?!\(set\))/.test(line)
  )
    return undefined;
  const isShown = /^\s*(?:@\w+(?:\([^()\n]{0,200}\))?\s+)*(?:\w+\s+){0,3}?(?:public|open)\s/.test(line);
  if (!isShown && block?.isOpen !== true) return undefined;
  const [, kind, name] = /\b(class|struct|enum|protocol|actor|extension)\s+([A-Z][\w.]*)/.exec(line) ?? [];
  if (name !== undefined && kind !== undefined && !/\b(?:func|var|let|case|init)\b/.test(line)) {
    const isOpen = kind === "protocol" || kind === "enum" || kind === "extension";
    return { name, extent: "head", isContainer: true, isOpen, isSpace: kind === "extension" };
  }
  const [, called] = /\bfunc\s+([\w`]+|[-+*/<>=!&|^~%.]+)/.exec(line) ?? [];
  if (called !== undefined) return { name: called, extent: "head" };
  const [, made] = /\b(init|subscript)[ \t]?[?!]?[ \t]?[(<]/.exec(line) ?? [];
  if (made !== undefined) return { name: made, extent: "head" };
  const [, value] = /\b(?:var|let|typealias|associatedtype|case)\s+(\w+)/.exec(line) ?? [];
  return value === undefined ? undefined : { name: value, extent: "declared" };
};

/** In Dart a name is public unless it begins with a line. */
const dart: Reader = (given, block) => {
  const line = given.slice(0, 400);
  if (block === undefined) {
    const [, type] =
      /^(?:(?:abstract|base|final|interface|sealed)\s+)*(?:class|mixin(?:\s+class)?|enum|extension(?:\s+type)?)\s+([A-Za-z]\w*)/.exec(
        line,
      ) ?? [];
    if (type !== undefined) return { name: type, extent: "head", isContainer: true, isOpen: true };
    const [, alias] = /^typedef\s+(?:[\w<>?,. ]{1,120}\s)?([A-Z]\w*)/.exec(line) ?? [];
    if (alias !== undefined) return { name: alias, extent: "whole" };
    const [, called] =
      /^(?!import\b|part\b|library\b)(?:external\s+)?(?:[\w<>?,.]{1,80}\s)?([A-Za-z]\w*)\s*\(/.exec(line) ??
      [];
    return called === undefined || control.test(called) ? undefined : { name: called, extent: "head" };
  }
  const [, getter] =
    /^\s{1,40}(?:(?:static|external)\s+)*(?:[\w<>?,. ]{1,80}\s)?(?:get|set)\s+([A-Za-z]\w*)/.exec(line) ?? [];
  if (getter !== undefined) return { name: getter, extent: "head" };
  const [, method] =
    /^\s{1,40}(?:(?:static|external|factory|const)\s+)*(?:[A-Za-z][\w<>?,. ]{0,60}\s)?([A-Za-z][\w.]{0,80})(?:<[^()\n]{1,80}>)?\s*\(/.exec(
      line,
    ) ?? [];
  return method === undefined || control.test(method) ? undefined : { name: method, extent: "head" };
};

/** Of C and C++, what a header declares: functions and types that stand alone or in a namespace. */
const header: Reader = (given, block) => {
  const line = given.slice(0, 400);
  if (/^\s*(?:namespace\b[^;=]{0,200}(?:\{|$)|extern\s+"\d+"\s*\{)/.test(line))
    return { name: "", extent: "head", isContainer: true, isSpace: true };
  if (block !== undefined && block.name !== "") return undefined;
  const [, type] =
    /^\s*(?:typedef\s+)?(?:class|struct|union|enum(?:\s+class)?)\s+(?:[A-Z_]{2,40}\s+)?([A-Za-z_]\w*)/.exec(
      line,
    ) ?? [];
  if (type !== undefined && !/[);]/.test(line)) return { name: type, extent: "head" };
  const [, called] =
    /^\s*(?=[A-Za-z_])(?!(?:return|else|using|typedef|static_assert|if|for|while|switch|friend)\b|#)(?:[\w:<>,]{1,80}[ \t*&]{1,8}){1,6}([A-Za-z_]\w*)\s*\(/.exec(
      line,
    ) ?? [];
  return called === undefined ? undefined : { name: called, extent: "head" };
};

/** In Scala what says nothing of itself is public, and members stand in braces. */
const scala: Reader = (given, block) => {
  const line = given.slice(0, 600);
  const [, lead = ""] =
    /^(\s*(?:@\w{1,60}(?:\([^()\n]{0,200}\))?\s+)*(?:(?:final|sealed|abstract|implicit|lazy|override|case|inline|opaque|open|transparent|infix|package)\s+)*)/.exec(
      line,
    ) ?? [];
  // Without braces, lines further in may belong to a function.
  if (block === undefined && /^\s/.test(line)) return undefined;
  const rest = line.slice(lead.length);
  const [, type] = /^(?:class|trait|object|enum)\s+([A-Za-z]\w*)/.exec(rest) ?? [];
  if (type !== undefined) return { name: type, extent: "head", isContainer: true };
  const [, called] = /^def\s+([A-Za-z]\w*|`[^`\n]{1,80}`|[-+*/<>=!&|^~%?:@#\\]{1,20})/.exec(rest) ?? [];
  if (called !== undefined) return { name: called, extent: "head" };
  const [, value] = /^(?:val|var|type)\s+([A-Za-z]\w*)/.exec(rest) ?? [];
  return value === undefined ? undefined : { name: value, extent: "head" };
};

const readers: Readonly<Partial<Record<Language, Reader>>> = {
  ...{ script, python, go, rust, java, csharp, swift, ruby, dart },
};

export function readerOf(path: string, language: Language): Reader | undefined {
  if (/\.(?:kts?|php)$/i.test(path)) return shown;
  if (/\.scala$/i.test(path)) return scala;
  return /\.(?:h|hh|hpp|hxx)$/i.test(path) ? header : readers[language];
}
