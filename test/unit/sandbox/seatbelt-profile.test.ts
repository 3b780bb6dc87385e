// The text alone: nobody has tried it on a Mac, and no test here can.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { seatbeltProfile } from "../../../src/checks/internal/sandbox/seatbelt.ts";

const folders = { readable: ["/Users/a/.cargo/bin"], writable: ['/private/copy "1"\\(x)'] };
const profile = seatbeltProfile({ ...folders, network: false });

describe("seatbeltProfile", () => {
  test("denies everything first, and the network after its imports", () => {
    const lines = profile.split("\n");
    assert.equal(lines[1], "(deny default)");
    assert.ok(lines.indexOf("(deny network*)") > lines.indexOf('(import "system.sb")'));
    assert.doesNotMatch(profile, /allow network/);
    assert.match(seatbeltProfile({ ...folders, network: true }), /\n\(allow network\*\)\n/);
  });
  test("allows writing only in the given folders", () => {
    const writing = profile.split("\n").filter((line) => /allow.*file-write/.test(line));
    assert.ok(writing.some((line) => line.includes("/private/copy")));
    assert.ok(!writing.some((line) => line.includes("/Users/a")));
    assert.match(profile, /allow file-read\* file-map-executable .*\(subpath "\/Users\/a\/\.cargo\/bin"\)/);
  });
  test("escapes special characters in paths", () => {
    assert.ok(profile.includes('(subpath "/private/copy \\"1\\"\\\\(x)")'), profile);
    const outside = profile.replaceAll(/"(?:\\.|[^"\\])*"/g, "");
    assert.equal(outside.split("(").length, outside.split(")").length);
  });
});
