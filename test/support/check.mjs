// Formatting, lint, borders, types, and whether each rule has its proof. Every step counts as one test.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { capture } from "./processes.mjs";

const projects = [
  "tsconfig.json",
  "src/webview/tsconfig.json",
  "test/ui/tsconfig.json",
  "test/page/tsconfig.json",
];
const suffix = process.platform === "win32" ? ".cmd" : "";
const bin = (name) => join("node_modules", ".bin", name + suffix);

/** tsc lives for seconds: tidying up its memory as seldom as this costs it a quarter less time. */
const tidiness = "400";

export async function runCheck() {
  const steps = [
    [bin("biome"), ["check", "--error-on-warnings"]],
    [process.execPath, ["test/support/proofs.mjs"]],
    ...projects.filter(hasSources).map((project) => [bin("tsc"), ["-p", project, ...remembering(project)]]),
  ];
  const total = { passed: 0, failed: 0, output: "" };
  for (const [command, args] of steps) {
    const { code, output } = await capture(command, args, { env: { GOGC: tidiness } });
    total[code === 0 ? "passed" : "failed"] += 1;
    if (code !== 0) total.output += output;
  }
  return total;
}

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
