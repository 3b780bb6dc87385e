// The thread for long work, as the product has it, for tests whose texts are long.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { build } from "esbuild";
import { WorkerThread } from "../../src/main/internal/run-in-worker.ts";
import { useThread } from "../../src/util/background.ts";

/** Until the test has ended. */
export async function workInThread(t: TestContext): Promise<void> {
  const { close } = await startWorker();
  t.after(close);
}

/** Until it is closed. */
export async function startWorker(): Promise<{ close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-worker-"));
  const outfile = join(folder, "worker.js");
  const entryPoints = ["src/main/worker.ts"];
  await build({ entryPoints, outfile, bundle: true, format: "cjs", platform: "node", logLevel: "error" });
  const thread = new WorkerThread(outfile);
  const used = useThread(thread);
  return {
    async close() {
      used.dispose();
      await thread.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
