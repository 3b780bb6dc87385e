import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { usedImports } from "../../../../src/editor/actions/code-surroundings.ts";

describe("the imports that code uses", () => {
  const typescript = [
    "// A header.",
    'import { a } from "./one";',
    "import {",
    "  type Rates,",
    "  b as bee,",
    '} from "./two";',
    'const { c } = require("three");',
    "",
    "const d = Rates;",
  ];

  test("are found by their names, over several lines", () => {
    assert.deepEqual(usedImports(typescript, "return bee(x);"), { first: 2, last: 5 });
    assert.deepEqual(usedImports(typescript, "a(c)"), { first: 1, last: 6 });
    assert.equal(usedImports(typescript, "const type = as;"), undefined);
    assert.equal(usedImports(["let a;"], "a"), undefined);
  });

  test("are all kept when they do not name what they import", () => {
    assert.deepEqual(usedImports(["#include <vector>", "#define x 1"], "y"), { first: 0, last: 0 });
    assert.deepEqual(usedImports(["using System;", "using System.Linq;"], "y"), { first: 0, last: 1 });
    assert.deepEqual(usedImports(["from a import *", "import os", "import re"], "re.sub()"), {
      first: 0,
      last: 2,
    });
  });

  test("end after 100 lines when a bracket is never closed", () => {
    assert.deepEqual(usedImports(["import (", ...Array(5000).fill('  "fmt"')], "fmt.Print()"), {
      first: 0,
      last: 99,
    });
  });
});
