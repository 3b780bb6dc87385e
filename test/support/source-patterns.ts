// Every pattern that stands in the source: literals, and calls of RegExp. Reads TypeScript just well enough to tell a
// pattern from a division, a comment and a text.
import { readdirSync, readFileSync } from "node:fs";

export interface SourcePattern {
  readonly file: string;
  readonly line: number;
  /** As it is written: `/a+/g`, or `new RegExp(words, "g")`. */
  readonly written: string;
  /** `undefined`: it is put together when the program runs. */
  readonly literal: RegExp | undefined;
}

export const sourceFiles = (folder = "src"): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .sort();

export const patternsIn = (file: string): SourcePattern[] => readSource(file).patterns;

/** Without comments, texts and patterns: what it does. */
export const codeOf = (file: string): string => readSource(file).code;

/** After these a slash divides; after anything else it begins a pattern. */
const value = /[\w$)\]}]$/;
const wordBeforePattern = /(?:^|[^\w$.])(?:return|typeof|case|in|of|await|yield|void|delete|throw|else|do)$/;

function readSource(file: string): { patterns: SourcePattern[]; code: string } {
  const text = readFileSync(file, "utf8");
  const patterns: SourcePattern[] = [];
  let code = "";
  /** How many braces are open in each `${…}` that is being read. */
  const holes: number[] = [];
  let at = 0;
  const lineAt = (place: number) => text.slice(0, place).split("\n").length;
  const note = (start: number, end: number, literal: RegExp | undefined) =>
    patterns.push({ file, line: lineAt(start), written: text.slice(start, end), literal });

  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const one = two.charAt(0);
    if (two === "//") at = endOr(text.indexOf("\n", at));
    else if (two === "/*") at = endOr(text.indexOf("*/", at) + 2);
    else if (one === '"' || one === "'") {
      at = endOfText(at, one);
      code += '""';
    } else if (one === "`" || (one === "}" && holes.at(-1) === 0)) {
      if (one === "}") holes.pop();
      const end = endOfTemplate(at + 1);
      if (text[end] === "$") holes.push(0);
      at = end + (text[end] === "$" ? 2 : 1);
      code += '""';
    } else if (one === "/" && (!value.test(code.trimEnd()) || wordBeforePattern.test(code.trimEnd()))) {
      const end = endOfPattern(at);
      const [, body = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(text.slice(at, end)) ?? [];
      note(at, end, new RegExp(body, flags));
      at = end;
      code += "/x/";
    } else {
      if (one === "{" && holes.length > 0) holes[holes.length - 1] = (holes.at(-1) ?? 0) + 1;
      if (one === "}" && holes.length > 0) holes[holes.length - 1] = (holes.at(-1) ?? 0) - 1;
      if (text.startsWith("new RegExp(", at)) note(at, endOr(text.indexOf("\n", at)), undefined);
      code += one;
      at++;
    }
  }
  return { patterns, code };

  function endOr(found: number): number {
    return found < 2 ? text.length : found;
  }

  function endOfText(from: number, quote: string): number {
    let end = from + 1;
    while (end < text.length && text[end] !== quote) end += text[end] === "\\" ? 2 : 1;
    return end + 1;
  }

  function endOfTemplate(from: number): number {
    let end = from;
    while (end < text.length && text[end] !== "`" && text.slice(end, end + 2) !== "${")
      end += text[end] === "\\" ? 2 : 1;
    return end;
  }

  function endOfPattern(from: number): number {
    let inSet = false;
    let end = from + 1;
    while (end < text.length && (inSet || text[end] !== "/")) {
      if (text[end] === "[") inSet = true;
      if (text[end] === "]") inSet = false;
      end += text[end] === "\\" ? 2 : 1;
    }
    end++;
    while (/\w/.test(text.charAt(end))) end++;
    return end;
  }
}
