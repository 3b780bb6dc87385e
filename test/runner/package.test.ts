// Proves what a packed extension holds: .vscodeignore is a list of what ships, and nothing slips in beside it.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** Some names are vsce's own: what the marketplace shows is found by them. */
const allowed =
  /^(package(\.nls(\.[\w-]+)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt|dist\/\w+\.js|media\/.+)$/;

/** The names in a zip file: its last part lists them all. */
function namesIn(zip: Buffer): string[] {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const names: string[] = [];
  for (let at = zip.readUInt32LE(end + 16); at < end; ) {
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number];
    names.push(zip.toString("utf8", at + 46, at + 46 + lengths[0]));
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return names;
}

test("the package holds the manifest, its texts, the built files and media, and nothing else", () => {
  // test/run.mjs packs it before.
  const names = namesIn(readFileSync(".build/patchbay.vsix"));
  const files = names.flatMap((name) => /^extension\/(.+)/.exec(name)?.[1] ?? []);
  for (const name of [
    "package.json",
    "LICENSE.txt",
    "dist/extension.js",
    "dist/service.js",
    "dist/webview.js",
  ])
    assert.ok(files.includes(name), `${name} is missing`);
  assert.deepEqual(
    files.filter((name) => !allowed.test(name)),
    [],
  );
  assert.equal(
    names.length - files.length,
    2,
    "beside them: the marketplace's manifest, and the types of the files",
  );
});
