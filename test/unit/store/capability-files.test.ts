import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CapabilityRegistry, defaultCapabilities } from "../../../src/service/capabilities.ts";
import { capabilityFiles } from "../../../src/store/documents.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const folder = mkdtempSync(join(tmpdir(), "patchbay-capabilities-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const open = () => new CapabilityRegistry(capabilityFiles(nodeFileSystem, folder), quiet);
const one = "https://one.example.com:8443";
const other = "https://other.example.com";
const learned = { ...defaultCapabilities, refused: ["safety_identifier"] };

test("CapabilityRegistry keeps what an origin refused for the next window and for no other origin", async () => {
  await open().learn(one, learned);
  assert.deepEqual(await open().of(one), learned);
  assert.deepEqual(await open().of(other), defaultCapabilities);
});

test("CapabilityRegistry reads files of an earlier version with defaults for new fields", async () => {
  const { history: _, ...earlier } = learned;
  await capabilityFiles(nodeFileSystem, folder).save(one, earlier);
  assert.deepEqual(await open().of(one), learned);
});

test("CapabilityRegistry ignores a damaged file", async () => {
  await open().learn(one, learned);
  const [file = ""] = readdirSync(join(folder, "capabilities"));
  writeFileSync(join(folder, "capabilities", file), '{"version":1,"origin":');
  assert.deepEqual(await open().of(one), defaultCapabilities);
});

test("CapabilityRegistry persists a reset", async () => {
  await open().learn(one, learned);
  await open().reset(one);
  assert.deepEqual(await open().of(one), defaultCapabilities);
});
