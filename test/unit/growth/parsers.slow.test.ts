// Every loop of the source that walks through foreign text: it takes no more than in proportion to the text, and no
// length of it ends the process. A file that walks through text and is in neither list fails the test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { growthOf, toldGrowth } from "../../support/growth.ts";
import { codeOf, sourceFiles } from "../../support/source-patterns.ts";
import { parsers } from "./parsers.ts";
import { explained, shortSpreads } from "./reviewed.ts";

/** Steps over characters, and reading what has a form. */
const walks =
  /\b(?:charCodeAt|codePointAt|charAt|parseJson)\(|\bJSON\.parse\(|\.indexOf\([^()]*, |\bnew TextDecoder\b/;

test("every file that walks through text is measured or explained", () => {
  const listed = (file: string) =>
    parsers.some((parser) => `src/${parser.file}` === file) ||
    Object.keys(explained).some((place) => (place.endsWith("/") ? file.startsWith(place) : file === place));
  const walking = sourceFiles().filter((file) => walks.test(codeOf(file)));
  assert.ok(walking.length > 50, `${walking.length}`);
  assert.deepEqual(
    walking.filter((file) => !listed(file)),
    [],
  );
});

test("the lists name existing files and explain only files that walk through text", () => {
  const files = sourceFiles();
  assert.deepEqual(
    parsers.map(({ file }) => `src/${file}`).filter((file) => !files.includes(file)),
    [],
  );
  const walking = files.filter((file) => walks.test(codeOf(file)));
  assert.deepEqual(
    Object.keys(explained).filter((place) => !walking.some((file) => file.startsWith(place))),
    [],
  );
});

for (const { file, run, units, head = "", size: first = 8000 } of parsers)
  test(`${file} takes linear time`, () => {
    for (const unit of units) {
      const growth = growthOf((size) => {
        const text = head + unit.repeat(Math.ceil(size / unit.length));
        return () => run(text);
      }, first);
      assert.ok(growth.isLinear, `${JSON.stringify(unit)}: ${toldGrowth(growth)}`);
    }
  });

test("only listed files spread a list over the arguments of a call", () => {
  const spreading = sourceFiles().filter((file) =>
    /\b(?:push|unshift|splice|Math\.max|Math\.min|String\.from\w+)\((?:[^(){}[\]]*, )?\.\.\./.test(
      codeOf(file),
    ),
  );
  assert.deepEqual(spreading, Object.keys(shortSpreads).sort());
});
