// The thread for long work, as the product has it, for tests whose texts are long. It is built once in a process.
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
  const thread = new WorkerThread(await builtWorker());
  const used = useThread(thread);
  return {
    async close() {
      used.dispose();
      await thread.close();
    },
  };
}

let built: Promise<string> | undefined;

/** The file of the thread, which lies in a folder of its own until the process ends. */
export function builtWorker(): Promise<string> {
  built ??= buildWorker();
  return built;
}

async function buildWorker(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-worker-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "worker.js");
  const entryPoints = ["src/main/worker.ts"];
  await build({ entryPoints, outfile, bundle: true, format: "cjs", platform: "node", logLevel: "error" });
  return outfile;
}
