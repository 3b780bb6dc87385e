// The thread that maintains a copy of a folder, as the product has it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";

let built: string | undefined;

/** Built once for all tests of a process. */
export function copyThread(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), "patchbay-copies-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  built = join(folder, "copies.js");
  const entryPoints = ["src/checks/internal/copy/copy-thread.ts"];
  buildSync({
    entryPoints,
    outfile: built,
    bundle: true,
    format: "cjs",
    platform: "node",
    logLevel: "error",
  });
  return built;
}
