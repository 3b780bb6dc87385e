// The names that a module of Elixir, Erlang, Clojure, Haskell or Lua shows to others. How many values a function is given
// is part of its name in the first two.
import type { PublicName } from "./public-names.ts";
import type { Language } from "./source.ts";

type Collector = (code: readonly string[]) => readonly PublicName[];

/** Longer heads are read up to here. */
const most = 4000;

const named = (key: string, name: string, row: number, signature = ""): PublicName => ({
  key,
  name,
  signature,
  at: { first: row, last: row + 1 },
});

/** What is between the bracket at the end of `head` and its other one, however many lines it has. */
function givenAt(code: readonly string[], row: number, head: string): readonly string[] {
  const text = `${(code[row] ?? "").slice(head.length)}\n${code.slice(row + 1, row + 20).join("\n")}`;
  const given: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < Math.min(text.length, most); at++) {
    const sign = text[at] ?? "";
    if ("([{".includes(sign)) depth += 1;
    const isEnd = depth === 0 && ")]}".includes(sign);
    if (isEnd || (depth === 0 && sign === ",")) {
      given.push(text.slice(from, at).trim());
      from = at + 1;
    }
    if (isEnd) break;
    if (")]}".includes(sign)) depth -= 1;
  }
  return given.filter((each) => each !== "");
}

const elixir: Collector = (code) => {
  const found: PublicName[] = [];
  let module = "";
  for (const [row, line] of code.entries()) {
    const [, opened] = /^\s*def(?:module|protocol)\s+([\w.]{1,200})/.exec(line) ?? [];
    if (opened !== undefined) {
      module = opened;
      found.push(named(`module ${module}`, module, row));
    }
    const [head, name] =
      /^\s*(?:def|defmacro|defguard|defdelegate|defcallback)\s+([a-z]\w{0,100}[?!]?)(?![\w?!])\(?/.exec(
        line,
      ) ?? [];
    if (head === undefined || name === undefined || name === "unquote") continue;
    const given = head.endsWith("(") ? givenAt(code, row, head) : [];
    // Without a value that has another one in its place, it is a function of its own.
    const least = given.filter((each) => !each.includes("\\\\")).length;
    for (let count = least; count <= given.length; count++)
      found.push(named(`${module}.${name}/${count}`, name, row));
  }
  return found;
};

const erlang: Collector = (code) => {
  const found: PublicName[] = [];
  let isListed = false;
  for (const [row, line] of code.entries()) {
    isListed ||= /^-export(?:_type)?\(/.test(line);
    if (!isListed) continue;
    for (const [key, name = ""] of line.matchAll(/\b([a-z]\w{0,100})\/\d{1,3}/g))
      found.push(named(key, name, row));
    if (/\)\s*\./.test(line)) isListed = false;
  }
  return found;
};

const clojure: Collector = (code) =>
  code.flatMap((line, row): PublicName[] => {
    const [, name] =
      /^\(def(?:n|macro|multi|protocol|record|type)?\s+(?:\^\S{1,80}\s+)?([\w*+!?<>=.-]{1,100})(?=\s|$)/.exec(
        line,
      ) ?? [];
    return name === undefined || /\^:private/.test(line) ? [] : [named(name, name, row)];
  });

const haskell: Collector = (code) => {
  const found: PublicName[] = [];
  const begins = code.findIndex((line) => /^module\s/.test(line));
  const ends = begins < 0 ? -1 : code.findIndex((line, row) => row >= begins && /\bwhere\b/.test(line));
  const head =
    begins < 0 || ends < 0
      ? ""
      : code
          .slice(begins, ends + 1)
          .join("\n")
          .slice(0, 20_000);
  // Without a list, everything is shown.
  const [, listed] = /^module\s+[\w.]{1,200}\s*\(([\s\S]*)\)\s*where\b/.exec(head) ?? [];
  const shown = listed === undefined ? undefined : new Set(listed.match(/[\w']+/g));
  for (const [row, line] of code.entries()) {
    if (row <= ends || /^\s/.test(line)) continue;
    const [, kind, type] =
      /^(type|data|newtype|class)\s{1,20}(?:[^=\n]{0,200}=>\s*)?([A-Z][\w']{0,100})/.exec(line) ?? [];
    const [, names, result] =
      /^([a-z_][\w']{0,100}(?:,\s?[a-z_][\w']{0,100}){0,8})\s*::\s*(\S.{0,2000})$/.exec(line) ?? [];
    if (type !== undefined && (shown?.has(type) ?? true))
      found.push(named(type, type, row, kind === "type" ? line.replace(/\s+/g, "") : kind));
    for (const name of names?.split(",").map((each) => each.trim()) ?? [])
      if (shown?.has(name) ?? true) found.push(named(name, name, row, signed(code, row, result ?? "")));
  }
  return found;
};

/** A type and the lines below it that belong to it, without blanks. */
function signed(code: readonly string[], row: number, result: string): string {
  let text = result;
  for (let next = row + 1; next < row + 20 && /^\s+(?:->|=>|[(A-Z])/.test(code[next] ?? ""); next++)
    text += code[next];
  return text.replace(/\s+/g, "").slice(0, most);
}

/** A module is a table, whose functions are called by its name; a name with a line before it is its own. */
const lua: Collector = (code) =>
  code.flatMap((line, row): PublicName[] => {
    const [head, table, name] =
      /^function\s+([A-Za-z]\w{0,60})[.:]([A-Za-z]\w{0,100})\s*\(/.exec(line) ??
      /^([A-Za-z]\w{0,60})\.([A-Za-z]\w{0,100})\s*=\s*function\s*\(/.exec(line) ??
      [];
    // A module may be a function.
    const [itself] = /^return\s+function\s*\(/.exec(line) ?? [];
    if (itself !== undefined) return [named("return", "", row, `${givenAt(code, row, itself).length}`)];
    if (head === undefined || name === undefined) return [];
    return [named(`${table}.${name}`, name, row, `${givenAt(code, row, head).length}`)];
  });

const collectors: Readonly<Partial<Record<Language, Collector>>> = { elixir, erlang, clojure, haskell, lua };

export const collectorOf = (language: Language): Collector | undefined => collectors[language];
