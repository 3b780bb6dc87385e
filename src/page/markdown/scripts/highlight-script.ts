// A separate script, loaded with the first code block: the highlighter with its ten most common languages. highlight.js
// reports what it finds to an emitter; this one keeps text and colours, never markup.
import type { Emitter, LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
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
import type { Colour, ColouredCode, Run } from "../code/colours.ts";

/** highlight.js scopes, matched by the longest known prefix ("title.function.invoke" is a "title.function"). */
const colours: Readonly<Record<string, Colour | undefined>> = {
  comment: "comment",
  doctag: "keyword",
  keyword: "keyword",
  built_in: "type",
  type: "type",
  literal: "constant",
  number: "number",
  regexp: "regexp",
  string: "string",
  char: "constant",
  symbol: "constant",
  link: "string",
  quote: "comment",
  property: "property",
  params: "variable",
  variable: "variable",
  "variable.language": "keyword",
  "variable.constant": "constant",
  "template-variable": "variable",
  title: "function",
  "title.class": "type",
  class: "type",
  function: undefined,
  section: "heading",
  meta: "meta",
  "meta.string": "string",
  "meta.keyword": "keyword",
  tag: undefined,
  name: "tag",
  "template-tag": "keyword",
  attr: "attribute",
  attribute: "attribute",
  "selector-tag": "tag",
  "selector-id": "constant",
  "selector-class": "attribute",
  "selector-attr": "attribute",
  "selector-pseudo": "keyword",
  bullet: "keyword",
  code: "string",
  formula: "string",
  strong: "strong",
  emphasis: "emphasis",
  addition: "added",
  deletion: "removed",
};

function colourOf(scope: string): Colour | undefined {
  for (let name = scope; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    if (name in colours) return colours[name];
  }
  return undefined;
}

/** Returns the lines of the code as runs; undefined where the highlighter gave up. */
function colour(code: string, language: string): ColouredCode | undefined {
  const { _emitter: emitter, _top: end } = core.highlight(code, { language, ignoreIllegals: true });
  if (!(emitter instanceof RunEmitter)) return undefined;
  const lines: Run[][] = [[]];
  let length = 0;
  for (const { text, colour } of emitter.runs) {
    length += text.length;
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") addRun(lines.at(-1) ?? [], part, colour);
    }
  }
  if (length !== code.length) return undefined;
  // The final line break does not start another line.
  if (code.endsWith("\n")) lines.pop();
  return { lines, isOutside: end === core.getLanguage(language) };
}

function addRun(runs: Run[], text: string, colour: Colour | undefined): void {
  const last = runs.at(-1);
  if (last !== undefined && last.colour === colour)
    runs[runs.length - 1] = { text: last.text + text, colour };
  else runs.push({ text, colour });
}

class RunEmitter implements Emitter {
  readonly runs: Run[] = [];
  readonly #open: (Colour | undefined)[] = [];

  addText(text: string): void {
    this.runs.push({ text, colour: this.#open.at(-1) });
  }
  startScope(scope: string): void {
    this.#open.push(colourOf(scope) ?? this.#open.at(-1));
  }
  endScope(): void {
    this.#open.pop();
  }
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }
  /** Called for code in another language embedded in this one. */
  __addSublanguage(inner: Emitter): void {
    if (!(inner instanceof RunEmitter)) return;
    const around = this.#open.at(-1);
    this.runs.push(...inner.runs.map(({ text, colour }) => ({ text, colour: colour ?? around })));
  }
  finalize(): void {}
  toHTML(): string {
    return "";
  }
}

const core = hljs.newInstance();
core.configure({ __emitter: RunEmitter });
const learn = (languages: Readonly<Record<string, LanguageFn>>): void => {
  for (const [name, language] of Object.entries(languages)) {
    if (core.getLanguage(name) === undefined) core.registerLanguage(name, language);
  }
};
learn({ bash, css, diff, javascript, json, python, sql, typescript, xml, yaml });

globalThis.patchbayHighlighter = {
  knows: (language) => core.getLanguage(language) !== undefined,
  learn,
  colour,
};
