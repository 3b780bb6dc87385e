// The one test command. `node test/run.mjs` runs everything and ends with one line, "N passed, N failed";
// `node test/run.mjs check|unit|host|ui` runs one kind. Node built-ins only: it has to run before the
// dependencies are there.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./support/install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);

/** Every kind answers { passed, failed }. */
const kinds = {
  async check() {
    const projects = [
      "tsconfig.json",
      "src/webview/tsconfig.json",
      "test/ui/tsconfig.json",
      "test/page/tsconfig.json",
    ];
    const steps = [
      [bin("biome"), ["check", "--error-on-warnings"]],
      ...projects.filter(hasSources).map((project) => [bin("tsc"), ["-p", project]]),
    ];
    const codes = [];
    for (const [command, args] of steps) codes.push(await run(command, args));
    const failed = codes.filter((code) => code !== 0).length;
    return { passed: codes.length - failed, failed };
  },
  async unit() {
    await must(process.execPath, ["esbuild.mjs", "unit"]);
    return nodeTests(".build/unit");
  },
};

/** tsc refuses a project without sources; a room may still be empty. */
function hasSources(project) {
  return readdirSync(join(root, dirname(project)), { recursive: true }).some((name) =>
    String(name).endsWith(".ts"),
  );
}

async function nodeTests(folder) {
  const files = existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((name) => name.endsWith(".test.mjs"))
    : [];
  if (files.length === 0) return { passed: 0, failed: 0 };
  const counts = join(root, `${folder}.json`);
  rmSync(counts, { force: true });
  const code = await run(process.execPath, [
    "--enable-source-maps",
    "--test",
    "--test-reporter=dot",
    "--test-reporter-destination=stdout",
    "--test-reporter=./test/support/failure-reporter.mjs",
    "--test-reporter-destination=stdout",
    "--test-reporter=./test/support/count-reporter.mjs",
    `--test-reporter-destination=${counts}`,
    ...files,
  ]);
  const total = existsSync(counts) ? JSON.parse(readFileSync(counts, "utf8")) : { passed: 0, failed: 0 };
  // A runner that dies without counting is a failure of its own.
  if (code !== 0 && total.failed === 0) total.failed = 1;
  return total;
}

function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

async function must(command, args) {
  const code = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}.`);
}

const asked = process.argv.slice(2);
await installDependencies(root);
const total = { passed: 0, failed: 0 };
for (const name of asked.length > 0 ? asked : Object.keys(kinds)) {
  const kind = kinds[name];
  if (kind === undefined)
    throw new Error(`test/run.mjs knows ${Object.keys(kinds).join(", ")}, not ${name}.`);
  console.log(`\n── ${name} ──`);
  const started = Date.now();
  const result = await kind().catch((error) => {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  });
  console.log(
    `${name}: ${result.passed} passed, ${result.failed} failed in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  total.passed += result.passed;
  total.failed += result.failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
