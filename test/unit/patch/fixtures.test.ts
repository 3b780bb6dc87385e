// Every folder below test/fixtures/patch is a case: input/ and patch.txt, and either expected/ or error.txt, which
// holds the sentence for people, a line of dashes, and the answer to the model. notes.json holds what was overlooked to
// read the patch, options.json what applyToFolder is called with, and {{root}} stands for the folder's own path.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { applyToFolder } from "../../support/disk-workspace.ts";
import { fixturesFolder } from "./patched.ts";

for (const name of readdirSync(fixturesFolder).sort()) {
  test(`patch fixture ${name} gives its expected files or error`, async () => {
    const folder = join(fixturesFolder, name);
    const root = mkdtempSync(join(tmpdir(), "patchbay-"));
    try {
      if (existsSync(join(folder, "input"))) cpSync(join(folder, "input"), root, { recursive: true });
      const before = contentsOf(root);
      const patch = readFileSync(join(folder, "patch.txt"), "utf8").replaceAll("{{root}}", root);
      const result = await applyToFolder(root, patch, json(join(folder, "options.json"), {})).catch(
        (thrown: unknown) => ({ thrown }),
      );
      const error = "thrown" in result ? result.thrown : undefined;
      if (existsSync(join(folder, "error.txt"))) {
        if (!(error instanceof PatchError)) throw error ?? new Error("The patch was applied.");
        const told = `${error.message}\n---\n${error.forModel}\n`.replaceAll(root, "{{root}}");
        assert.equal(told, readFileSync(join(folder, "error.txt"), "utf8"));
        assert.deepEqual(contentsOf(root), before);
      } else {
        if (error !== undefined) throw error;
        assert.deepEqual(contentsOf(root), contentsOf(join(folder, "expected")));
        const notes = "notes" in result ? [...new Set(result.notes.map(({ code }) => code))] : [];
        assert.deepEqual(notes, json(join(folder, "notes.json"), []));
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}

function json<T>(path: string, usual: T): T {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : usual;
}

/** Paths and exact bytes. */
function contentsOf(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(root, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(root, name)).toString("latin1")]));
}
