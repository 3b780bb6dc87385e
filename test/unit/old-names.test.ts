// Names that were given up: no source declares or uses one, and no file has one. Words in comments, texts and data are not
// looked at.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { codeOf, sourceFiles } from "../support/source-patterns.ts";

interface OldNames {
  readonly identifiers: readonly string[];
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const old: OldNames = JSON.parse(readFileSync("test/support/old-names.json", "utf8"));
const identifiers = new Set(old.identifiers);
const sources = ["src", "test"].flatMap(sourceFiles).filter((file) => !file.startsWith("test/fixtures/"));

const words = /[A-Za-z_$][\w$]*/g;
const isOld = (name: string): boolean => identifiers.has(name);

/** Most files have none of them in any place, and need not be read as code. */
function oldNamesIn(file: string): ReadonlySet<string> {
  const anywhere = readFileSync(file, "utf8").match(words) ?? [];
  return new Set(anywhere.some(isOld) ? (codeOf(file).match(words) ?? []).filter(isOld) : []);
}

describe("old names", () => {
  test("are neither declared nor used in any source", () => {
    const found = sources.flatMap((file) => [...oldNamesIn(file)].map((name) => `${file}: ${name}`));
    assert.ok(sources.length > 1000 && identifiers.size > 100);
    assert.deepEqual(found, []);
  });

  test("name no source file and no folder", () => {
    const files = new Set(old.files);
    assert.deepEqual(
      sources.filter((file) => files.has(basename(file))),
      [],
    );
    assert.deepEqual(old.folders.filter(existsSync), []);
  });
});
