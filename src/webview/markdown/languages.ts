// The languages that code can be in. The highlighter is a script of its own with the ten most usual ones, loaded when
// the first block of code appears; the others are a second one, loaded when the first of them does.
import type { Colouring } from "./colours.ts";
import { languageName } from "./language-names.ts";
import { type Highlighter, loadScript } from "./load-script.ts";

/** Words after a fence that the highlighter knows by another name. */
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
]);

/** What it does not know but is near enough to another one. */
const relatives: ReadonlyMap<string, string> = new Map([
  ["vue", "xml"],
  ["svelte", "xml"],
  ["zig", "rust"],
]);

/** Words that say: no language. */
const none = new Set(["", "text", "txt", "plain", "plaintext", "none", "output", "log", "ascii"]);
/** Languages without colours. */
const plain = new Set([...none, "mermaid"]);

/** The first word after the fence, as it is shown and asked for. */
export function languageOf(info: string): string {
  const word = /^[^\s{,:;]{1,40}/.exec(info)?.[0].toLowerCase() ?? "";
  return otherNames.get(word) ?? word;
}

/** What people call it. */
export const languageTitle = (language: string): string | undefined =>
  none.has(language) ? undefined : languageName(language);

/** What colours this language, once it is there; undefined if nobody knows the language. */
export async function findColouring(language: string): Promise<Colouring | undefined> {
  const name = relatives.get(language) ?? language;
  if (plain.has(name)) return undefined;
  const highlighter = await loadHighlighter();
  if (!highlighter.knows(name)) {
    if (globalThis.patchbayLanguages === undefined) await loadScript("languages");
    highlighter.learn(globalThis.patchbayLanguages ?? {});
  }
  return highlighter.knows(name) ? (code) => highlighter.colour(code, name) : undefined;
}

async function loadHighlighter(): Promise<Highlighter> {
  if (globalThis.patchbayHighlighter === undefined) await loadScript("highlight");
  const { patchbayHighlighter: loaded } = globalThis;
  if (loaded === undefined) throw new Error("highlight.js brought no highlighter.");
  return loaded;
}
