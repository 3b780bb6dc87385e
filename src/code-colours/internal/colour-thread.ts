// Entry point of the colouring thread (dist/colours.js): colours code with the user's grammars and theme, which can
// take long if these are large.
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry } from "vscode-textmate";
import { type ColourTask, createColourSession } from "./colour-session.ts";

interface ColourThreadData {
  /** The path of onig.wasm. */
  readonly engine: string;
}

async function loadEngine({ engine }: ColourThreadData) {
  const { buffer, byteOffset, byteLength } = await readFile(engine);
  await loadWASM(new Uint8Array(buffer, byteOffset, byteLength).slice().buffer);
  return { createOnigScanner, createOnigString };
}

const session = createColourSession(
  {
    textmate: { Registry, parseRawGrammar, INITIAL },
    onigLib: loadEngine(workerData as ColourThreadData),
    read: (path) => readFile(path, "utf8"),
  },
  (answer) => parentPort?.postMessage(answer),
);

parentPort?.on("message", (task: ColourTask) => void session.take(task));
