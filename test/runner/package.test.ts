// Proves what a packed extension holds: .vscodeignore is a list of what ships, and nothing slips in beside it.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { compareSizes } from "../support/sizes.mjs";

/** Some names are vsce's own: what the marketplace shows is found by them. */
const allowed =
  /^(package(\.nls(\.[\w-]+)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt|dist\/([\w-]+\.js|styles\.css|onig\.wasm|l10n\/[\w.-]+\.json)|media\/.+)$/;

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

test("the package holds only the manifest, its texts, the built files and media", () => {
  const names = [...packed.keys()];
  const files = names.flatMap((name) => /^extension\/(.+)/.exec(name)?.[1] ?? []);
  for (const name of [
    "package.json",
    "LICENSE.txt",
    "media/NOTICES.txt",
    "dist/extension.js",
    "dist/edit-box.js",
    "dist/service.js",
    "dist/connections.js",
    "dist/yaml.js",
    "dist/webview.js",
    "dist/styles.css",
    "dist/worker.js",
    "dist/copies.js",
    "dist/colours.js",
    "dist/onig.wasm",
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

test("the package stays within its size caps, and the activation file is the smallest", () => {
  const size = (name: string) =>
    name === "patchbay.vsix" ? zip.length : (packed.get(`extension/dist/${name}`) ?? Number.NaN);
  const { lines, isWithin } = compareSizes(size);
  assert.equal(lines.length, 4);
  assert.ok(isWithin, lines.join("\n"));
  assert.ok(size("extension.js") < size("webview.js") && size("webview.js") < size("service.js"));
});

test("raiseCap requires a reason and records it with the date", () => {
  const raise = (...words: string[]) =>
    spawnSync(
      process.execPath,
      [
        "-e",
        `import("${pathToFileURL("test/support/sizes.mjs").href}").then(async ({ raiseCap }) => {
          process.exitCode = await raiseCap("activation", ${JSON.stringify(words)}, () => 1000, new Date(0));
        });`,
      ],
      { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    );
  const folder = mkdtempSync(join(tmpdir(), "patchbay-caps-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "test/support/size-caps.json");
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync("test/support/size-caps.json", file);
  const before = readFileSync(file, "utf8");
  const refused = raise();
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /for a reason/);
  assert.equal(readFileSync(file, "utf8"), before);
  const { status, stderr } = raise("A", "fifth", "wheel.");
  assert.equal(status, 0, stderr);
  const { bytes, reasons } = JSON.parse(readFileSync(file, "utf8")).activation;
  assert.equal(bytes, 1050);
  assert.deepEqual(reasons.at(-1), { date: "1970-01-01", bytes: 1050, why: "A fifth wheel." });
});
