// Every folder below test/fixtures/patch is a case: input/ and patch.txt, and either expected/ or error.txt, which
// holds the sentence for people, a line of dashes, and the answer to the model.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PatchError } from "../../../../src/core/patch/patch-error.ts";
import { applyToFolder } from "../../../support/disk-workspace.ts";

const fixtures = join(process.cwd(), "test/fixtures/patch");

for (const name of readdirSync(fixtures).sort()) {
  test(`patch fixture ${name}`, async () => {
    const folder = join(fixtures, name);
    const root = mkdtempSync(join(tmpdir(), "patchbay-"));
    try {
      if (existsSync(join(folder, "input"))) cpSync(join(folder, "input"), root, { recursive: true });
      const before = contentsOf(root);
      const patch = readFileSync(join(folder, "patch.txt"), "utf8");
      const error = await applyToFolder(root, patch).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (existsSync(join(folder, "error.txt"))) {
        if (!(error instanceof PatchError)) throw error ?? new Error("The patch was applied.");
        const told = `${error.message}\n---\n${error.forModel}\n`;
        assert.equal(told, readFileSync(join(folder, "error.txt"), "utf8"));
        assert.deepEqual(contentsOf(root), before);
      } else {
        if (error !== undefined) throw error;
        assert.deepEqual(contentsOf(root), contentsOf(join(folder, "expected")));
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}

/** Paths and exact bytes. */
function contentsOf(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(root, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(root, name)).toString("latin1")]));
}
