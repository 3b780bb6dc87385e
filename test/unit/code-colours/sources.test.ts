// What themes, grammars and brackets of a person's editor are read from.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createGrammarTable } from "../../../src/code-colours/internal/grammar-table.ts";
import { customRules, readTheme } from "../../../src/code-colours/internal/theme-rules.ts";
import {
  bracketPairsOf,
  type OpenBracket,
  trackBracket,
} from "../../../src/code-colours/internal/tokenizer.ts";

const textmate: typeof import("vscode-textmate") = createRequire(import.meta.url)("vscode-textmate");

const read = (path: string, texts: Readonly<Record<string, string>>) => {
  const read = async (name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`There is no ${name}.`);
    return text;
  };
  return readTheme(path, {
    read,
    parsePlist: (text): unknown => textmate.parseRawGrammar(text, "theme.tmTheme"),
  });
};
const rule = (scope: string | string[], foreground: string) => ({ scope, settings: { foreground } });

describe("readTheme", () => {
  test("appends the rules of a theme to those of the themes it includes", async () => {
    const theme = await read(join("t", "own.json"), {
      [join("t", "own.json")]: `{
        // As people write it.
        "include": "./base/all.json",
        "tokenColors": [{ "scope": "keyword", "settings": { "foreground": "#abc", "fontStyle": "bold" } },],
      }`,
      [join("t", "base", "all.json")]: JSON.stringify({
        colors: { "editor.foreground": "#111111" },
        tokenColors: [rule(["comment", "string"], "#222222ff"), rule("", "#333333"), { scope: "x" }, 7],
      }),
    });
    assert.deepEqual(theme, {
      foreground: "#111111",
      rules: [
        rule(["comment", "string"], "#222222"),
        { scope: "keyword", settings: { foreground: "#AABBCC", fontStyle: "bold" } },
      ],
    });
  });

  test("reads a property list as a theme or as the colours of one", async () => {
    const list = `<plist><dict><key>settings</key><array>
      <dict><key>settings</key><dict><key>foreground</key><string>#444444</string></dict></dict>
      <dict><key>scope</key><string>comment</string><key>settings</key><dict>
        <key>foreground</key><string>#555555</string></dict></dict></array></dict></plist>`;
    const texts = { "a.json": '{ "tokenColors": "b.tmTheme" }', "b.tmTheme": list };
    const wanted = { foreground: "#444444", rules: [rule("comment", "#555555")] };
    assert.deepEqual(await read("b.tmTheme", texts), wanted);
    assert.deepEqual(await read("a.json", texts), wanted);
  });

  test("fails as a whole for a missing part or a circular include", async () => {
    await assert.rejects(read("a.json", { "a.json": '{ "include": "b.json" }' }));
    await assert.rejects(read("a.json", { "a.json": '{ "include": "a.json" }' }));
  });
});

describe("customRules", () => {
  const own = {
    comments: "#010101",
    textMateRules: [rule("keyword", "#020202")],
    "[Monokai]": { strings: { foreground: "#030303", fontStyle: "italic" } },
    "[*Dark*][Abyss]": { textMateRules: [rule("a", "#040404")] },
    "[Monokai*]": { textMateRules: [rule("b", "#050505")] },
    "[*kai]": { textMateRules: [rule("c", "#060606")] },
  };
  const scopesFor = (theme: string) => customRules(own, theme).map(({ scope }) => scope);

  test("orders groups before scopes, and rules of the theme after rules for all themes", () => {
    const comments = ["comment", "punctuation.definition.comment"];
    const strings = ["string", "meta.embedded.assembly"];
    assert.deepEqual(scopesFor("Monokai"), [...comments, "keyword", ...strings, "b", "c"]);
    assert.deepEqual(scopesFor("Default Dark+"), [...comments, "keyword", "a"]);
    assert.deepEqual(scopesFor("Red"), [...comments, "keyword"]);
  });

  test("ignores values of another form", () => {
    for (const odd of [undefined, null, 1, "x", [], { comments: 1, textMateRules: "x", "[a]": null }])
      assert.deepEqual(customRules(odd, "a"), [], JSON.stringify(odd));
  });
});

describe("createGrammarTable", () => {
  const table = createGrammarTable([
    {
      folder: "first",
      grammars: [
        { scopeName: "source.ts", path: "./ts.json", language: "typescript" },
        { scopeName: "text.inject", path: "i.json", injectTo: ["source"], embeddedLanguages: { in: "css" } },
        { scopeName: 1 },
      ],
      languages: [
        {
          id: "typescript",
          aliases: ["TypeScript", "ts"],
          extensions: [".ts", ".mts"],
          configuration: "./c.json",
        },
        { id: "shellscript", aliases: ["bash"] },
      ],
    },
    {
      folder: "second",
      grammars: [{ scopeName: "source.ts", path: "better.json", language: "typescript" }],
      languages: [{ id: "typescript", configuration: "d.json" }, null],
    },
    { folder: "odd", grammars: "x", languages: undefined },
  ]);

  test("finds a language with a grammar by its ID, aliases and file extensions", () => {
    for (const word of ["typescript", "ts", "mts"]) assert.equal(table.languageOf(word), "typescript", word);
    for (const word of ["bash", "shellscript", "nothing", "constructor"])
      assert.equal(table.languageOf(word), undefined, word);
  });

  test("uses the last grammar and every configuration", () => {
    assert.equal(table.grammarOf("source.ts")?.path, join("second", "better.json"));
    assert.deepEqual(table.configurationsOf("typescript"), [
      join("first", "c.json"),
      join("second", "d.json"),
    ]);
  });

  test("injects grammars into the scopes below their target", () => {
    assert.deepEqual(table.injectionsInto("source.ts"), ["text.inject"]);
    assert.deepEqual(table.injectionsInto("sources.ts"), []);
  });
});

describe("brackets", () => {
  /** How deep each bracket of a text stands; nothing where it closes none. */
  const levels = (text: string, configuration: unknown, eachKindAlone = false) => {
    const pairs = bracketPairsOf([configuration]);
    let open: OpenBracket | undefined;
    assert.ok(pairs !== undefined);
    return [...text.matchAll(pairs.pattern)].map(([bracket]) => {
      const found = trackBracket(bracket, pairs, 1, open, eachKindAlone);
      if (found !== undefined) open = found.open;
      return found?.level;
    });
  };
  const usual = {
    brackets: [
      ["(", ")"],
      ["[", "]"],
      ["<", ">"],
      ["#{", "}"],
      ["{", "}"],
    ],
  };

  test("have the depth of the open brackets around them", () => {
    assert.deepEqual(levels("([#{}])", usual), [0, 1, 2, 2, 1, 0]);
    const compares = levels("(a < b > [c])", usual);
    assert.deepEqual(compares, [0, undefined, undefined, 1, 1, 0], "without a word on colours");
    assert.deepEqual(levels("<>", { ...usual, colorizedBracketPairs: [["<", ">"]] }), [0, 0]);
  });

  test("close the open bracket over unclosed ones, and have no colour when they close nothing", () => {
    assert.deepEqual(levels(")([)]", usual), [undefined, 0, 1, 0, undefined]);
  });

  test("have no colour, and do not affect others, when their language colours only others", () => {
    const template = { ...usual, colorizedBracketPairs: [["{", "}"]] };
    for (const eachKindAlone of [false, true])
      assert.deepEqual(levels("{#{{}}}", template, eachKindAlone), [0, undefined, 1, 1, undefined, 0]);
  });

  test("count each kind separately when configured", () => {
    assert.deepEqual(levels("([(", usual, true), [0, 0, 1]);
  });

  test("match words only as whole words", () => {
    assert.deepEqual(levels("BEGIN beginning end", { brackets: [["begin", "end"]] }), [0, 0]);
  });
});
