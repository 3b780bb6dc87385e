import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Capabilities, nothingFound } from "../../../../src/core/api/capabilities.ts";
import { capabilityFiles } from "../../../../src/core/store/capability-files.ts";
import { nodeFileSystem } from "../../../../src/core/store/file-system.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const folder = mkdtempSync(join(tmpdir(), "patchbay-capabilities-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const open = () => new Capabilities(capabilityFiles(nodeFileSystem, folder), quiet);
const one = "https://one.example.com:8443";
const other = "https://other.example.com";
const learned = { ...nothingFound, refused: ["safety_identifier"] };

test("what an origin refused is known in the next window, and of that origin only", async () => {
  await open().learn(one, learned);
  assert.deepEqual(await open().of(one), learned);
  assert.deepEqual(await open().of(other), nothingFound);
});

test("what an earlier version saved is still known, and what it could not know is as nothing found", async () => {
  const { history: _, ...earlier } = learned;
  await capabilityFiles(nodeFileSystem, folder).save(one, earlier);
  assert.deepEqual(await open().of(one), learned);
});

test("a damaged file costs only what was learned", async () => {
  await open().learn(one, learned);
  const [file = ""] = readdirSync(join(folder, "capabilities"));
  writeFileSync(join(folder, "capabilities", file), '{"version":1,"origin":');
  assert.deepEqual(await open().of(one), nothingFound);
});

test("a reset is kept, too", async () => {
  await open().learn(one, learned);
  await open().reset(one);
  assert.deepEqual(await open().of(one), nothingFound);
});
