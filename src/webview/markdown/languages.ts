// The languages that code can be in. Ten are part of the page; the others are a script of their own, loaded when the
// first of them appears.
import type { HLJSApi } from "highlight.js";
import core from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { loadScript } from "./load-script.ts";

export const highlighter: HLJSApi = core.newInstance();
for (const [name, language] of Object.entries({
  bash,
  css,
  diff,
  javascript,
  json,
  python,
  sql,
  typescript,
  xml,
  yaml,
}))
  highlighter.registerLanguage(name, language);

/** Words after a fence that highlight.js knows by another name, or not at all. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["c++", "cpp"],
  ["c#", "csharp"],
  ["f#", "fsharp"],
  ["objective-c", "objectivec"],
  ["cts", "typescript"],
  ["jsonl", "json"],
  ["shell-session", "shell"],
  ["terminal", "shell"],
  ["vb", "vbnet"],
  ["vue", "xml"],
  ["svelte", "xml"],
  ["zig", "rust"],
]);

/** Words that say: nothing to highlight. */
const plain = new Set(["", "text", "txt", "plain", "plaintext", "none", "output", "log", "ascii", "mermaid"]);

/** The first word after the fence, as it is shown and asked for. */
export function languageOf(info: string): string {
  const word = /^[^\s{,:;]{1,40}/.exec(info)?.[0].toLowerCase() ?? "";
  return otherNames.get(word) ?? word;
}

/** What people call it. */
export function languageTitle(language: string): string | undefined {
  if (plain.has(language)) return undefined;
  return highlighter.getLanguage(language)?.name ?? language;
}

/** The name to highlight by, once it is there; undefined if nobody knows the language. */
export async function findLanguage(language: string): Promise<string | undefined> {
  if (plain.has(language)) return undefined;
  if (highlighter.getLanguage(language) !== undefined) return language;
  if (globalThis.patchbayLanguages === undefined) await loadScript("languages");
  for (const [name, definition] of Object.entries(globalThis.patchbayLanguages ?? {})) {
    if (highlighter.getLanguage(name) === undefined) highlighter.registerLanguage(name, definition);
  }
  return highlighter.getLanguage(language) === undefined ? undefined : language;
}
