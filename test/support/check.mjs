// Formatting, lint, types, who imports whom, whether each rule has its proof, whether the settings are as declared, and
// how large the product is. Every step counts as one test.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { capture } from "./processes.mjs";

const projects = [
  "tsconfig.json",
  "src/page/tsconfig.json",
  "test/ui/tsconfig.json",
  "test/page/tsconfig.json",
];
const suffix = process.platform === "win32" ? ".cmd" : "";
const bin = (name) => join("node_modules", ".bin", name + suffix);

/** tsc lives for seconds: tidying up its memory as seldom as this costs it a quarter less time. */
const tidiness = "400";

export async function runCheck() {
  const steps = [
    // The rules that read the whole project as well; formatting one file need not wait for them.
    [bin("biome"), ["check", "--error-on-warnings", "--config-path=test/support/biome-project.json"]],
    [process.execPath, ["test/support/proofs.mjs"]],
    [process.execPath, ["test/support/settings.mjs", "--check"]],
    [process.execPath, ["test/support/rooms.mjs"]],
    [process.execPath, ["esbuild.mjs", "--sizes"]],
    ...projects.filter(hasSources).map((project) => [bin("tsc"), ["-p", project, ...remembering(project)]]),
  ];
  const total = { passed: 0, failed: 0, output: "" };
  for (const [command, args] of steps) {
    const { code, output } = await capture(command, args, { env: { GOGC: tidiness } });
    total[code === 0 ? "passed" : "failed"] += 1;
    if (code !== 0 || isTold(args)) total.output += output;
  }
  return total;
}

/** What is left below a cap is told while there is some. */
const isTold = (args) => args.includes("--sizes");

/** What has not changed since the last run is not looked at again. */
const remembering = (project) => [
  "--incremental",
  "--tsBuildInfoFile",
  join(".build/types", dirname(project), "tsbuildinfo"),
];

/** tsc refuses a project without sources; a room may still be empty. */
function hasSources(project) {
  return readdirSync(dirname(project), { recursive: true }).some((name) => String(name).endsWith(".ts"));
}
