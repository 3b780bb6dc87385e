// Packs what users get: the production build and the files that .vscodeignore allows.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { notesFolder, notesIn, withNotes } from "./changelog.mjs";
import { must, quietly } from "./processes.mjs";
import { isPreRelease, placeholdersIn } from "./publishing.mjs";

const vsce = resolve("node_modules/@vscode/vsce/vsce");

export async function packExtension(file = "patchbay.vsix") {
  mkdirSync(dirname(file), { recursive: true });
  await must(process.execPath, ["esbuild.mjs", "extension", "--production", "--quiet"]);
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const said = await quietly(
    process.execPath,
    [
      vsce,
      "package",
      "--no-dependencies",
      ...(isPreRelease(manifest.version) ? ["--pre-release"] : []),
      // A gallery shows the README's pictures and links from the repository, once there is one.
      ...(placeholdersIn(manifest).length > 0 ? ["--no-rewrite-relative-links"] : []),
      "--out",
      resolve(file),
    ],
    { cwd: gather(".build/package") },
  );
  console.log(said.split("\n").at(-1)?.trim());
}

/** The same for who tests it: what was packed from these very files is not packed again. */
export async function packForTests(file) {
  const stamp = `${file}.made-of`;
  const madeOf = digestOf([
    ...roomsThatShip(),
    notesFolder,
    "src",
    "esbuild.mjs",
    "package-lock.json",
    "test/support/pack.mjs",
    "test/support/publishing.mjs",
  ]);
  if (existsSync(file) && existsSync(stamp) && readFileSync(stamp, "utf8") === madeOf) return;
  rmSync(stamp, { force: true });
  await packExtension(file);
  writeFileSync(stamp, madeOf);
}

/** vsce looks at every file below before it leaves most of them out: here there are only few. */
function gather(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const name of [...roomsThatShip(), "dist"]) cpSync(name, join(folder, name), { recursive: true });
  writeFileSync(join(folder, "CHANGELOG.md"), withNotes(readFileSync("CHANGELOG.md", "utf8"), notesIn()));
  return folder;
}

/** What .vscodeignore allows something of, and itself; the built files are no source. */
function roomsThatShip() {
  const allowed = readFileSync(".vscodeignore", "utf8").matchAll(/^!([^/\n]+)/gm);
  const patterns = [...allowed].map(
    ([, name]) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`),
  );
  const ships = (name) => name !== "dist" && patterns.some((pattern) => pattern.test(name));
  return [...readdirSync(".").filter(ships), ".vscodeignore"];
}

function digestOf(names) {
  const isFile = (name) => statSync(name).isFile();
  const within = (folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  const files = names.flatMap((name) => (isFile(name) ? [name] : within(name).filter(isFile)));
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}
