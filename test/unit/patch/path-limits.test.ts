import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { refusePathSize } from "../../../src/patch/paths.ts";

const deep = (depth: number, separator = "/") => Array.from({ length: depth }, () => "a").join(separator);

describe("refusePathSize", () => {
  test("accepts 64 levels of folders and refuses 65", () => {
    for (const separator of ["/", "\\"]) {
      assert.equal(refusePathSize(deep(64, separator)), undefined);
      for (const depth of [65, 100, 128, 500])
        assert.equal(refusePathSize(deep(depth, separator)), "whyTooDeep");
    }
  });

  test("accepts 1024 characters and refuses 1025", () => {
    assert.equal(refusePathSize("a".repeat(1024)), undefined);
    assert.equal(refusePathSize("a".repeat(1025)), "whyTooLong");
  });
});
