// Packs what users get: the production build and the files that .vscodeignore allows.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { must } from "./processes.mjs";

const vsce = join("node_modules", "@vscode", "vsce", "vsce");

export async function packExtension(file = "patchbay.vsix") {
  mkdirSync(dirname(file), { recursive: true });
  await must(process.execPath, ["esbuild.mjs", "extension", "--production"]);
  await must(process.execPath, [
    vsce,
    "package",
    "--no-dependencies",
    "--allow-missing-repository",
    "--out",
    file,
  ]);
}
