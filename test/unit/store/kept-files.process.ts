// The process that is killed while it adds numbers to one file. It kills itself in the phase it was told; what it says on
// stdout it has been promised.
import { writeSync } from "node:fs";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import { type KillPhase, type KillPoint, keptFiles } from "./kept-files.ts";

const point: KillPoint = JSON.parse(process.argv[2] ?? "");
let toPass = point.pass;

function reach(phase: KillPhase): void {
  if (phase !== point.phase || toPass-- > 0) return;
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

const fs: FileSystem = {
  ...nodeFileSystem,
  async open(path, mode) {
    const file = await nodeFileSystem.open(path, mode);
    if (path.endsWith("lock")) return file;
    return {
      ...file,
      async write(bytes) {
        await file.write(bytes.subarray(0, bytes.length >> 1));
        reach("in a write");
        await file.write(bytes.subarray(bytes.length >> 1));
      },
      async sync() {
        reach("before a sync");
        await file.sync();
      },
    };
  },
  async rename(from, to) {
    reach("before a rename");
    await nodeFileSystem.rename(from, to);
    reach("after a rename");
  },
};

const opened = await keptFiles[point.file]?.open(point.folder, fs);
const [last = 0] = ((await opened?.read()) ?? []).slice(-1);
for (let number = last + 1; ; number += 1) {
  await opened?.add(number);
  writeSync(1, `${number}\n`);
}
