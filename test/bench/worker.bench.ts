// Prints what the thread for long work costs as it ships, beside a thread that does nothing: by the clock until its first
// answer, and in memory. Each run is a process of its own, and the two take turns. It fails nothing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { WorkerThread } from "../../src/main/internal/run-in-worker.ts";
import { removeFolder } from "../support/remove-folder.mjs";

const print = (line: string) => void process.stdout.write(`${line}\n`);
const megabyte = 1024 * 1024;

/** `own`: without the pages of the program itself, which all of its threads share. Only Linux tells them apart. */
function weigh() {
  const rss = process.memoryUsage.rss() / megabyte;
  if (process.platform !== "linux") return { own: rss, rss };
  const [, own = "0"] = /^RssAnon:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
  return { own: Number(own) / 1024, rss };
}

const tasks: readonly (readonly [string, string, unknown])[] = [
  ["the first task", "judge", { run: { end: "done", code: 0, output: "", seconds: 1 } }],
  ["the first that looks for secrets", "clean", "let password = 3;\n"],
  ["one that does so in 90 KB", "clean", "const a = 1;\nlet password = 3;\n".repeat(3_000)],
];

type Row = Readonly<Record<"clock" | "processor" | "own" | "rss", number>>;

async function runOnce(file: string): Promise<void> {
  const rows: Row[] = [];
  const thread = new WorkerThread(file);
  const before = weigh();
  for (const [, name, input] of tasks) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await thread.run(name, input);
    const clock = performance.now() - began;
    const { user, system } = process.cpuUsage(used);
    const { own, rss } = weigh();
    rows.push({ clock, processor: (user + system) / 1000, own: own - before.own, rss: rss - before.rss });
  }
  await thread.close();
  print(JSON.stringify(rows));
}

const inShort = (all: readonly number[]) => {
  const sorted = [...all].sort((one, other) => one - other);
  return `${sorted[0]?.toFixed(1)}, ${sorted[sorted.length >> 1]?.toFixed(1)}`.padStart(14);
};

function compare(files: Readonly<Record<string, string>>): void {
  const runs = Object.entries(files).map(([name, file]) => ({ name, file, rows: [] as Row[][] }));
  for (let round = 0; round < 15; round++) {
    for (const { file, rows } of runs) {
      const args = ["--enable-source-maps", process.argv[1] ?? "", "once", file];
      rows.push(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })));
    }
  }
  print(`\nThe thread for long work; Node ${process.version}, ${cpus()[0]?.model} × ${cpus().length}`);
  print(
    "The least and the median of 15: ms by the clock and of the processor, MB of its own and with the program's\n",
  );
  for (const [at, [what]] of tasks.entries()) {
    for (const { name, rows } of runs) {
      const figures = (["clock", "processor", "own", "rss"] as const).map((key) =>
        inShort(rows.map((row) => row[at]?.[key] ?? Number.NaN)),
      );
      print(`${what.padEnd(34)}${name.padEnd(16)}${figures.join("")}`);
    }
  }
  print("\nGoals: ≤ 60 ms by the clock, ≤ 12 MB");
}

const [, , mode, given = ""] = process.argv;
if (mode === "once") await runOnce(given);
else {
  execFileSync(process.execPath, ["esbuild.mjs", "extension", "--production", "--quiet"], {
    stdio: "inherit",
  });
  const folder = mkdtempSync(join(tmpdir(), "patchbay-worker-bench-"));
  const nothing = join(folder, "nothing.js");
  const answers = 'parentPort.on("message", ({ id }) => parentPort.postMessage({ id }));';
  writeFileSync(nothing, `const { parentPort } = require("node:worker_threads");\n${answers}\n`);
  compare({ "does nothing": nothing, ours: resolve("dist/worker.js") });
  await removeFolder(folder);
}
