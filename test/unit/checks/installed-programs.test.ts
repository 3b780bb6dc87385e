// Which programs a check of a folder would find.
import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, test } from "node:test";
import { isInstalled } from "../../../src/checks/internal/command-environment.ts";
import { ownFolder, withVariable } from "../../support/one-test.ts";

describe("isInstalled", () => {
  test("looks only in PATH and in the folder's own environment", async (t) => {
    const folder = ownFolder(t, "programs");
    const place = async (name: string, ...parts: string[]) => {
      await mkdir(join(folder, ...parts), { recursive: true });
      const file = join(folder, ...parts, name);
      await writeFile(file, "");
      await chmod(file, 0o755);
    };
    const scripts = process.platform === "win32" ? "Scripts" : "bin";
    await place("planted-mypy", ".venv", scripts);
    await place("planted-go", "elsewhere");
    assert.equal(await isInstalled("planted-mypy", folder), true);
    assert.equal(await isInstalled("planted-go", folder), false);
    withVariable(t, "PATH", [join(folder, "elsewhere"), process.env["PATH"]].join(delimiter));
    assert.equal(await isInstalled("planted-go", folder), true);
  });
});
