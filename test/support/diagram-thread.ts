// The thread that draws diagrams, as the product has it: with the layout that ships.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createDiagrams, type Diagrams } from "../../src/diagrams/diagrams.ts";
import { silentLog } from "../../src/util/log.ts";
import { ownLayout } from "./page-files.mjs";

export interface DiagramThread {
  readonly diagrams: Diagrams;
  close(): Promise<void>;
}

/** `entry`: another thread in its place. */
export async function startDiagrams(
  times: { readonly idle?: number; readonly longest?: number } = {},
  entry = "src/diagrams/internal/diagram-thread.ts",
): Promise<DiagramThread> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-diagrams-"));
  const file = join(folder, "diagrams.js");
  await build({
    ...{ entryPoints: [entry], outfile: file, bundle: true, format: "cjs", platform: "node" },
    ...{ alias: ownLayout, logLevel: "error" },
  });
  const diagrams = createDiagrams({ file, log: silentLog, ...times });
  return {
    diagrams,
    async close() {
      await diagrams.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
