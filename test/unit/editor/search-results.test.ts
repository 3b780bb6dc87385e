import assert from "node:assert/strict";
import { test } from "node:test";
import { readSearchResults } from "../../../src/editor/attach/internal/search-results.ts";

const inWorkspace = (path: string) => (path.startsWith("/work/") ? path.slice("/work/".length) : undefined);

test("search results keep the files of the workspace, with the numbers and indentation of their lines", () => {
  const given =
    "/work/a.ts\n  3,7: \tlet a = 1;\n  12,1: a();\n\n/elsewhere/b.ts\n  1,1: secret\n\n/work/c.ts\n  5,2: first of two\n    6: second\n\n\n";
  assert.deepEqual(readSearchResults(given, inWorkspace), {
    files: 2,
    lines: 4,
    text: "a.ts\n  3: \tlet a = 1;\n  12: a();\nc.ts\n  5: first of two\n  6: second",
  });
});

test("search results of Windows, and none at all, are read", () => {
  assert.equal(readSearchResults("/work/a.ts\r\n  1,1: x\r\n", inWorkspace).text, "a.ts\n  1: x");
  assert.deepEqual(readSearchResults("\n\n", inWorkspace), { files: 0, lines: 0, text: "" });
});
