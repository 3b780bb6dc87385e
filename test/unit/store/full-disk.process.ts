// Runs where it may mount a small file system of its own: a conversation goes on while that is full, or may only be read,
// and this prints what stands on it in the end.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { importVisible } from "../../../src/session/internal/sanitize-import.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { createLibrary } from "../../../src/store/library.ts";
import { addTurn } from "./store-support.ts";

const [folder = "", way = ""] = process.argv.slice(2);
const ballast = join(folder, "ballast");
const mount = (how: string) => spawnSync("mount", ["-o", `remount,${how}`, folder]).status === 0;

function fill(): void {
  try {
    for (;;) writeFileSync(ballast, Buffer.alloc(1024), { flag: "a" });
  } catch {
    // It is full.
  }
}

const open = () =>
  createLibrary({
    fs: nodeFileSystem,
    folder: join(folder, "store"),
    place: "",
    now: () => 1,
    arriving: importVisible,
  });
const before = open();
await addTurn(await before.create("c"), "1");
// A file that is open for writing keeps its disk from becoming read-only.
await before.close();
if (way === "full") fill();
else mount("ro");
const library = open();
const journal = await library.open("c");
const refusals: string[] = [];
for (const turn of ["2", "3"])
  await addTurn(journal, turn, "word ".repeat(2000)).catch((error: Error) => refusals.push(error.message));
const isSaid = journal.problem !== undefined;
await library.list();
if (way === "full") await rm(ballast);
else mount("rw");
await addTurn(journal, "4");
const isOver = journal.problem === undefined;
await library.close();
const again = await open().open("c");
const { repair } = again;
const said = again.records.map(({ type, turn }) => `${type} ${turn}`);
process.stdout.write(JSON.stringify({ refusals, isSaid, isOver, said, isWhole: repair === undefined }));
process.exit();
