// Proves what a packed extension holds: .vscodeignore is a list of what ships, and nothing slips in beside it.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** Some names are vsce's own: what the marketplace shows is found by them. */
const allowed =
  /^(package(\.nls(\.[\w-]+)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt|dist\/(\w+\.js|styles\.css)|media\/.+)$/;

/** The names in a zip file, with the unpacked size of each: its last part lists them all. */
function filesIn(zip: Buffer): ReadonlyMap<string, number> {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const files = new Map<string, number>();
  for (let at = zip.readUInt32LE(end + 16); at < end; ) {
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number];
    files.set(zip.toString("utf8", at + 46, at + 46 + lengths[0]), zip.readUInt32LE(at + 24));
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return files;
}

// test/run.mjs packs it before.
const zip = readFileSync(".build/patchbay.vsix");
const packed = filesIn(zip);

test("the package holds the manifest, its texts, the built files and media, and nothing else", () => {
  const names = [...packed.keys()];
  const files = names.flatMap((name) => /^extension\/(.+)/.exec(name)?.[1] ?? []);
  for (const name of [
    "package.json",
    "LICENSE.txt",
    "dist/extension.js",
    "dist/service.js",
    "dist/webview.js",
    "dist/styles.css",
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

test("it is small, and what is read at activation is the smallest part of it", () => {
  const size = (name: string) => packed.get(`extension/dist/${name}`) ?? Number.NaN;
  const kilobyte = 1024;
  assert.ok(zip.length <= kilobyte * kilobyte, `${zip.length} bytes`);
  assert.ok(size("extension.js") <= 62 * kilobyte, `extension.js: ${size("extension.js")} bytes`);
  assert.ok(size("webview.js") <= 270 * kilobyte, `webview.js: ${size("webview.js")} bytes`);
  assert.ok(size("service.js") <= 1090 * kilobyte, `service.js: ${size("service.js")} bytes`);
});
