// What the thread of colours answers, with small grammars and themes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import {
  type ColourAnswer,
  type ColourTask,
  createColourSession,
} from "../../../src/code-colours/internal/colour-session.ts";

const require = createRequire(import.meta.url);
const textmate: typeof import("vscode-textmate") = require("vscode-textmate");
const oniguruma: typeof import("vscode-oniguruma") = require("vscode-oniguruma");
const engine = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const onigLib = oniguruma.loadWASM(new Uint8Array(engine).buffer).then(() => oniguruma);

const files: Readonly<Record<string, unknown>> = {
  "/x/one.json": {
    scopeName: "source.one",
    patterns: [
      { begin: "/\\*", end: "\\*/", name: "comment.block" },
      { begin: "<in>", end: "</in>", contentName: "meta.inside", patterns: [{ include: "source.two" }] },
      { match: "\\b(if|do)\\b", name: "keyword" },
      { match: '"[^"]*"', name: "string" },
    ],
  },
  "/x/two.json": { scopeName: "source.two", patterns: [{ match: "if", name: "entity" }] },
  "/x/one-brackets.json": { brackets: [["(", ")"]] },
  "/x/two-brackets.json": { brackets: [["[", "]"]] },
  "/x/light.json": {
    colors: { "editor.foreground": "#010101" },
    tokenColors: [
      { scope: "comment", settings: { foreground: "#0A0A0A", fontStyle: "italic underline" } },
      { scope: "keyword", settings: { foreground: "#0B0B0B" } },
      { scope: "entity", settings: { foreground: "#0C0C0C", fontStyle: "bold" } },
      { scope: "string", settings: { foreground: "#010101" } },
    ],
  },
};

const grammars: ColourTask = {
  type: "grammars",
  contributions: [
    {
      folder: "/x",
      grammars: [
        {
          ...{ scopeName: "source.one", path: "one.json", language: "one" },
          embeddedLanguages: { "meta.inside": "two" },
        },
        { scopeName: "source.two", path: "two.json", language: "two" },
        { scopeName: "source.broken", path: "missing.json", language: "broken" },
      ],
      languages: [
        { id: "one", configuration: "one-brackets.json" },
        { id: "two", configuration: "two-brackets.json" },
        { id: "broken" },
      ],
    },
  ],
};
const theme: ColourTask = {
  ...{ type: "theme", table: 1, file: "/x/light.json", name: "Light", customizations: undefined },
  brackets: { enabled: true, eachKindAlone: false },
};

function open(now?: () => number) {
  const answers: ColourAnswer[] = [];
  const read = async (path: string) => {
    if (files[path] === undefined) throw new Error(`There is no ${path}.`);
    return JSON.stringify(files[path]);
  };
  const session = createColourSession({ textmate, onigLib, read }, (answer) => answers.push(answer), now);
  const ask = async (lines: readonly string[], more: object = {}) => {
    const asked = { table: 1, block: "b", language: "one", from: 0, isEnd: false, ...more };
    answers.length = 0;
    await session.take({ type: "lines", lines, ...asked } as ColourTask);
    return answers[0];
  };
  return { session, answers, ask };
}

async function shown(now?: () => number) {
  const opened = open(now);
  await opened.session.take(grammars);
  await opened.session.take(theme);
  return opened;
}

/** As a person sees it: the words with their colour. */
async function seen(text: string, more: object = {}) {
  const { answers, ask } = await shown();
  const [table] = answers;
  assert.ok(table?.type === "table");
  const answer = await ask(text.split("\n"), more);
  assert.ok(answer?.type === "lines");
  return text.split("\n").map((line, index) => {
    const runs = answer.runs[index] ?? [];
    let at = 0;
    return Array.from({ length: runs.length / 2 }, (_, run) => {
      const [length = 0, style = 0] = runs.slice(run * 2);
      at += length;
      const words = line.slice(at - length, at);
      const colour =
        style >> 4 < 512 ? (table.colours[style >> 4] ?? "plain") : `level ${(style >> 4) - 512}`;
      return [words, colour, style & 15];
    });
  });
}

describe("the colour session", () => {
  test("colours words by the theme across lines and leaves the rest of a line plain", async () => {
    assert.deepEqual(await seen('if x /* a\nb */ do "s" y'), [
      [
        ["if", "#0B0B0B", 0],
        [" x ", "plain", 0],
        ["/* a", "#0A0A0A", 5],
      ],
      [
        ["b */", "#0A0A0A", 5],
        [" ", "plain", 0],
        ["do ", "#0B0B0B", 0],
      ],
    ]);
  });

  test("colours brackets by depth in their language, and none in comments and strings", async () => {
    assert.deepEqual(await seen('((<in>[(</in> /*(*/ "(")'), [
      [
        ["(", "level 0", 0],
        ["(", "level 1", 0],
        ["<in>", "plain", 0],
        ["[", "level 2", 0],
        ["(</in> ", "plain", 0],
        ["/*(*/", "#0A0A0A", 5],
        [' "("', "plain", 0],
        [")", "level 1", 0],
      ],
    ]);
  });

  test("continues a block that has grown and restarts from a changed line", async () => {
    const { ask } = await shown();
    const runs = async (lines: readonly string[], from: number) => {
      const answer = await ask(lines, { from });
      return answer?.type === "lines" ? answer.runs : answer;
    };
    const comment = [2, (3 << 4) | 5];
    assert.deepEqual(await runs(["/*"], 0), [comment]);
    assert.deepEqual(await runs(["if"], 1), [comment]);
    assert.notDeepEqual(await runs(["if"], 0), [comment]);
    assert.deepEqual(await runs(["if"], 3), { type: "none", block: "b", why: "lost" });
  });

  test("reports a block without a grammar and a block it no longer knows", async () => {
    const { ask } = await shown();
    for (const language of ["three", "broken", "__proto__"])
      assert.deepEqual(
        await ask(["if"], { language }),
        { type: "none", block: "b", why: "no-grammar" },
        language,
      );
    await ask(["if"], { isEnd: true });
    assert.deepEqual(await ask(["if"], { from: 1 }), { type: "none", block: "b", why: "lost" });
  });

  test("drops its blocks with a new theme and ignores tasks for the old one", async () => {
    const { ask, session, answers } = await shown();
    await ask(["/*"]);
    const customizations = { comments: "#0D0D0D" };
    answers.length = 0;
    await session.take({ ...theme, table: 2, customizations } as ColourTask);
    assert.ok(answers[0]?.type === "table" && answers[0].colours.includes("#0D0D0D"));
    assert.equal(await ask(["if"], { from: 1 }), undefined);
    assert.equal((await ask(["if"], { from: 1, table: 2 }))?.type, "none");
    assert.equal((await ask(["if"], { table: 2 }))?.type, "lines");
  });

  test("reports a theme that can't be read", async () => {
    const { session, answers } = open();
    await session.take({ ...theme, file: "/x/none.json" } as ColourTask);
    assert.deepEqual(answers, [{ type: "no-table", table: 1, why: "There is no /x/none.json." }]);
  });

  test("leaves lines plain that are too long or take too long", async () => {
    const { ask } = await shown();
    const long = await ask([`if ${"x".repeat(20_000)}`, "if"]);
    assert.ok(long?.type === "lines");
    assert.deepEqual(
      long.runs.map(({ length }) => length > 0),
      [false, true],
    );
    let clock = 0;
    const slow = await (await shown(() => (clock += 6_000))).ask(["if", "if", "if"]);
    assert.ok(slow?.type === "lines");
    assert.deepEqual(
      slow.runs.map(({ length }) => length > 0),
      [true, true, false],
    );
  });
});
