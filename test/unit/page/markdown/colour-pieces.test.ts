// The real highlighter, and code of this repository in the languages that it has.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInThisContext } from "node:vm";
import { build } from "esbuild";
import {
  type Coloured,
  type ColouredCode,
  colourPieces,
} from "../../../../src/page/markdown/code/colours.ts";

/** As the page loads it: a script that leaves one global. Its types bring the browser's, and those are not for Node. */
const { outputFiles } = await build({
  entryPoints: ["src/page/markdown/scripts/highlight-script.ts"],
  bundle: true,
  format: "iife",
  logLevel: "warning",
  write: false,
});
runInThisContext(outputFiles[0]?.text ?? "");
const { patchbayHighlighter: highlighter } = globalThis as typeof globalThis & {
  readonly patchbayHighlighter?: { colour(code: string, language: string): ColouredCode | undefined };
};
assert.ok(highlighter !== undefined);
const { colour } = highlighter;

/** What a reader of these lines sees at the end, when they arrive by `step` lines; and what was coloured for it. */
function arriving(lines: readonly string[], step: number, language: string) {
  let characters = 0;
  let longest = 0;
  const pieces = colourPieces((code) => {
    characters += code.length;
    longest = Math.max(longest, code.length);
    return colour(code, language);
  });
  const shown: Coloured[number][] = [];
  const drawAll = (written: readonly string[], complete: boolean) => {
    for (let piece = pieces.next(written, complete); piece !== undefined; ) {
      shown.splice(piece.from, shown.length, ...piece.lines);
      piece = pieces.next(written, complete);
    }
  };
  for (let count = step; count < lines.length; count += step) drawAll(lines.slice(0, count), false);
  drawAll(lines, true);
  return { shown, characters, longest };
}

const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");
const samples: readonly (readonly [language: string, file: string])[] = [
  ["typescript", "src/page/markdown/parse/inline-cuts.ts"],
  ["javascript", "esbuild.mjs"],
  ["css", "src/page/styles/markdown.css"],
  ["json", "package.nls.json"],
  ["xml", "media/patchbay.svg"],
];

for (const [language, file] of samples) {
  const lines = linesOf(file);
  test(`colourPieces colours ${language} by piece as in one pass`, () => {
    const whole: ColouredCode | undefined = colour(`${lines.join("\n")}\n`, language);
    assert.deepEqual(arriving(lines, lines.length, language).shown, whole?.lines);
  });

  test(`colourPieces ends with the same colours for ${language} in steps of any size`, () => {
    const { shown } = arriving(lines, lines.length, language);
    for (const step of [1, 3, 17, 32, 100]) assert.deepEqual(arriving(lines, step, language).shown, shown);
  });
}

test("colourPieces colours growing code less than three times over, and never in one long pass", () => {
  const lines = linesOf("src/page/markdown/parse/inline-cuts.ts");
  const once = lines.join("\n").length;
  const { characters, longest } = arriving(lines, 1, "typescript");
  assert.ok(characters < 3 * once, `${characters / once}`);
  assert.ok(longest < once / 2, `${longest} of ${once}`);
});

test("colourPieces recolours an unclosed comment only when it has doubled, up to a limit", () => {
  const lines = ["/*", ...Array.from({ length: 4_000 }, (_, index) => `   line ${index} of a comment`)];
  const { characters, longest, shown } = arriving(lines, 1, "typescript");
  assert.ok(longest <= 40_000);
  assert.ok(characters < 3 * 40_000, `${characters}`);
  assert.deepEqual(shown, arriving(lines, 5_000, "typescript").shown);
});

test("colourPieces leaves code plain from a very long line on", () => {
  const lines = [
    ...Array.from({ length: 40 }, () => "let a = 1;"),
    `let b = "${"x".repeat(6_000)}";`,
    "let c = 2;",
  ];
  assert.equal(arriving(lines, 1, "typescript").shown.length, 32);
  assert.equal(arriving(lines, 100, "typescript").shown.length, 32);
});

test("colourPieces recolours lines that changed", () => {
  const pieces = colourPieces((code) => colour(code, "typescript"));
  const lines = Array.from({ length: 40 }, () => "let a = 1;");
  while (pieces.isDue(lines.length, true)) pieces.next(lines, true);
  pieces.changed(39);
  assert.equal(pieces.next(lines, true)?.from, 0);
  while (pieces.isDue(lines.length, true)) pieces.next(lines, true);
  pieces.changed(40);
  assert.equal(pieces.next(lines, true), undefined);
});
