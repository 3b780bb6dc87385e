// Packs what users get: the production build and the files that .vscodeignore allows.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { must, quietly } from "./processes.mjs";

const vsce = join("node_modules", "@vscode", "vsce", "vsce");

export async function packExtension(file = "patchbay.vsix") {
  mkdirSync(dirname(file), { recursive: true });
  await must(process.execPath, ["esbuild.mjs", "extension", "--production"]);
  const said = await quietly(process.execPath, [
    vsce,
    "package",
    "--no-dependencies",
    // Pictures of the README ship with it.
    "--no-rewrite-relative-links",
    "--allow-missing-repository",
    "--out",
    file,
  ]);
  console.log(said.split("\n").at(-1)?.trim());
}
