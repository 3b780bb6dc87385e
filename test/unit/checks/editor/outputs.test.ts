// What programs write beside the sources makes no result stale; a source does, wherever its folder lies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isOutput } from "../../../../src/checks/editor/internal/outputs.ts";

test("isOutput looks at what is below the folder, not at where the folder lies", () => {
  const roots = ["/home/me/build/app", "/out/app", "/"];
  const below = ["src/a.ts", "builder/a.ts", "dist/a.js", "src/node_modules/b/c.js", ".mypy_cache/a.json"];
  for (const root of roots) {
    const found = below.filter((path) => isOutput(root === "/" ? `/${path}` : `${root}/${path}`, root));
    assert.deepEqual(found, below.slice(2), root);
  }
});
