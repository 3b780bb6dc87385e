// A process of its own for one person: lets all canaries loose bare and in each sandbox, and prints what it saw as JSON.
// Started as root and as an ordinary user by test/unit/sandbox/canaries.slow.test.ts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { removeTree } from "../../src/checks/internal/sandbox/remove-tree.ts";
import {
  findSandbox,
  type Sandbox,
  type SandboxLimits,
  type SandboxResult,
  type SandboxRun,
} from "../../src/checks/internal/sandbox/sandbox.ts";
import { type Canary, canaries } from "./sandbox-canaries.ts";
import { begun, escaped, prepareCanaries } from "./sandbox-canary-run.ts";
import { type CanaryWorld, createWorld, withArgument } from "./sandbox-world.ts";

export interface SandboxReport {
  readonly isRoot: boolean;
  readonly hasPython: boolean;
  readonly bare: { readonly out: readonly string[]; readonly run: readonly string[] };
  readonly locked: readonly {
    readonly version: string;
    readonly dependencies: "overlay" | "read-only";
    /** Whether written changes to dependencies succeed and vanish. */
    readonly overlays: boolean;
    readonly out: readonly string[];
    readonly run: readonly string[];
    readonly ends: readonly string[];
    readonly changed: readonly string[];
  }[];
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Mode = "overlay" | "read-only";
const never = new AbortController().signal;
let runs = 0;

function sandboxRun(
  world: CanaryWorld,
  command: string,
  dependencies: Mode,
  more: Partial<SandboxRun> = {},
): SandboxRun {
  const folders = ["node_modules", "packages/a/node_modules"].map((each) => join(world.real, each));
  return {
    ...{ command, copy: world.copy, at: world.real, writable: [], seconds: 60, env: world.env },
    overlay: dependencies === "overlay" ? folders : [],
    readOnly: dependencies === "read-only" ? folders : [],
    temporary: join(world.storage, `run-${runs++}`),
    ...more,
  };
}

/** Those that disturb nobody are let loose together. */
function groups(world: CanaryWorld, isRun: (canary: Canary) => boolean): readonly (readonly Canary[])[] {
  const chosen = canaries.filter((each) => (world.hasPython || each.language !== "python") && isRun(each));
  return [
    chosen.filter((each) => !each.isAlone),
    ...chosen.filter(({ isAlone }) => isAlone).map((each) => [each]),
  ];
}

async function bare(world: CanaryWorld) {
  const isRoot = process.getuid?.() === 0;
  const chosen = groups(world, ({ bare }) => typeof bare === "string" && (bare !== "root" || isRoot));
  const out: string[] = [];
  for (const group of chosen) {
    await world.rebuild();
    const line = prepareCanaries(world.real, group, canaries);
    const child = spawn("/bin/sh", ["-c", line], {
      cwd: world.real,
      env: world.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pieces: string[] = [];
    child.stdout.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece));
    await once(child, "close");
    out.push(...escaped(pieces.join(""), world, group, canaries));
    for (const pid of withArgument(world.names.left)) process.kill(pid, "SIGKILL");
  }
  return { out, run: chosen.flat().map(({ name }) => name) };
}

async function locked(world: CanaryWorld, sandbox: Sandbox, dependencies: Mode) {
  await world.rebuild();
  const before = world.snapshot();
  const out: string[] = [];
  const run: string[] = [];
  const ends: string[] = [];
  for (const chosen of groups(world, () => true)) {
    const line = prepareCanaries(world.copy, chosen, canaries);
    const env = { ...world.env, ...(dependencies === "overlay" && sandbox.overlays && { OVERLAY: "1" }) };
    const result = await sandbox.run(sandboxRun(world, line, dependencies, { env }), never);
    out.push(...escaped(result.output, world, chosen, canaries));
    run.push(...begun(result.output, chosen, canaries));
    ends.push(result.end);
  }
  const after = world.snapshot();
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (each) => before[each] !== after[each],
  );
  return { out, run, ends, changed };
}

const brief = ({ end, code, output }: SandboxResult) => ({ end, code, output: output.trim().slice(0, 2000) });

/** Its limits, one after the other, each with what would go beyond it. */
async function limits(world: CanaryWorld, sandbox: Sandbox) {
  const end = async (command: string, limits: Partial<SandboxLimits>, seconds = 30) => {
    const result = await sandbox.run(sandboxRun(world, command, "overlay", { limits, seconds }), never);
    return { end: result.end, code: result.code, letters: result.output.length };
  };
  const allocate =
    "const all = []; for (let i = 0; i < 40; i++) all.push(Buffer.alloc(5e7, 1)); setTimeout(() => {}, 2e4)";
  const forked = [
    "import os, time",
    "held = b'x' * 600_000_000",
    "for _ in range(6): os.fork() or (time.sleep(1), os._exit(0))",
    "time.sleep(1.2)",
  ];
  writeFileSync(join(world.copy, "forked.py"), forked.join("\n"));
  const memory = 400 * 1024 ** 2;
  // Files in memory are counted for the whole machine, where other tests may free as much at the same moment.
  const memoryInFiles = async () => {
    const fill = "dd if=/dev/zero of=/dev/shm/big bs=1M count=900 2>/dev/null; sleep 10";
    for (let attempt = 1; ; attempt++) {
      const result = await end(fill, { memory });
      if (result.end === "memory" || attempt === 3) return result;
    }
  };
  return {
    memory: await end(`node -e '${allocate}'`, { memory }),
    memoryInFiles: await memoryInFiles(),
    memoryOfForks: world.hasPython ? await end("python3 forked.py", { memory: 3 * 1024 ** 3 }) : undefined,
    sharedFolder: await end("dd if=/dev/zero of=/dev/shm/big bs=1M count=1100 2>/dev/null", {}),
    // Stays below what the kernel grants an ordinary user, where the shell would end by itself.
    processes: await end("for each in $(seq 300); do sleep 60 & done; wait", { processes: 100 }),
    disk: await end(
      "for each in 1 2 3 4 5 6 7 8; do head -c 40000000 /dev/zero > disk$each; done; sleep 20",
      {
        disk: 100e6,
      },
    ),
    freeDisk: await end("sleep 20", { freeDisk: Number.MAX_SAFE_INTEGER }),
    file: await end("head -c 40000000 /dev/zero > large", { file: 10e6 }),
    fileSize: lstatSync(join(world.copy, "large")).size,
    output: await end("yes", { outputLetters: 100_000 }),
    time: await end(`trap "" TERM INT HUP; tail -F ${world.names.left} & sleep 300`, {}, 1),
    stillRuns: world.isRunning(world.names.left),
  };
}

/** What a check needs is there. */
async function works(world: CanaryWorld, sandbox: Sandbox) {
  const server = `const net = require("net"); const end = process.argv[1] ?? 0;
    const server = net.createServer((each) => each.end("x")).listen(end, () => net.connect(server.address().port ?? end)
      .on("data", () => { console.log("served"); process.exit(); }))`;
  const lines = {
    folder: "pwd",
    home: 'echo kept > "$HOME/x" && cat "$HOME/x"',
    temporary: 'echo kept > "$TMPDIR/x" && cat /tmp/x /var/tmp/x',
    tool: '"$HOME/.cargo/bin/tool" && tool',
    node: "node -p '1 + 1'",
    loopback: `node -e '${server}'`,
    sockets: `node -e '${server}' ./own.socket`,
    changed: "echo changed > src/main.ts && cat src/main.ts",
    dependency: "cat node_modules/pkg/package.json packages/a/node_modules/dep/index.js",
    cache: "mkdir node_modules/.cache && echo kept > node_modules/.cache/x && cat node_modules/.cache/x",
    ownCache: 'echo kept > "$HOME/.cache/own/x" && cat "$HOME/.cache/own/x"',
    quotes: `echo "it's" '$HOME'`,
    nobody: "cat; tty; true",
    code: "kill -9 $$",
    left: "sleep 300 & exit 3",
  };
  const cache = join(world.storage, "cache");
  mkdirSync(cache, { recursive: true });
  const writable = [{ from: cache, at: join(world.home, ".cache/own") }];
  const facts: Record<string, unknown> = {};
  for (const [name, command] of Object.entries(lines))
    facts[name] = brief(await sandbox.run(sandboxRun(world, command, "overlay", { writable }), never));
  const missing = sandboxRun(world, "true", "overlay", { copy: join(world.base, "none") });
  return {
    ...facts,
    copy: readFileSync(join(world.copy, "src/main.ts"), "utf8"),
    cached: existsSync(join(cache, "x")),
    remains: readdirSync(world.storage).filter((each) => each.startsWith("run-")),
    broken: (await sandbox.run(missing, never)).end,
  };
}

/** Sockets of this machine, which a command that shares its network must not reach, and what it needs itself. */
async function withNetwork(world: CanaryWorld, sandbox: Sandbox) {
  const chosen = canaries.filter(
    ({ name, language }) =>
      / a socket (?:in|without) /.test(name) && (world.hasPython || language !== "python"),
  );
  const line = prepareCanaries(world.copy, chosen, canaries);
  const result = await sandbox.run(sandboxRun(world, line, "overlay", { network: true }), never);
  const lines = {
    page: `node -e 'fetch("http://127.0.0.1:" + process.env.PORT).then((each) => each.text()).then(console.log)'`,
    child: `node -e 'require("child_process").execFile("echo", ["heard"], (_, out) => process.stdout.write(out))'`,
    pair: `node -e 'const c = require("child_process").fork("./ipc.js"); c.on("message", (m) => { console.log(m); c.disconnect(); })'`,
  };
  writeFileSync(join(world.copy, "ipc.js"), 'process.send("heard")');
  const works: Record<string, unknown> = {};
  for (const [name, command] of Object.entries(lines)) {
    const run = sandboxRun(world, command, "overlay", { network: true });
    works[name] = (await sandbox.run(run, never)).output.trim();
  }
  return {
    begun: begun(result.output, chosen, canaries).length === chosen.length,
    out: escaped(result.output, world, chosen, canaries),
    ...works,
  };
}

/** The program of the sandbox is ended while its command runs: that one must not run twice. */
async function killed(world: CanaryWorld, sandbox: Sandbox) {
  const end = () => {
    const own = withArgument(world.names.left).filter((pid) => argumentsOf(pid).includes("--json-status-fd"));
    for (const pid of own) process.kill(pid, "SIGKILL");
  };
  const command = `echo run >> ran; echo ready; sleep 60; : ${world.names.left}`;
  const run = sandboxRun(world, command, "overlay", { onOutput: end });
  const { end: how, code } = await sandbox.run(run, never);
  return { end: how, code, ran: readFileSync(join(world.copy, "ran"), "utf8") };
}

/** Links that a run has left where the next one's dependencies are mounted, or above. */
async function mountPoints(world: CanaryWorld, sandbox: Sandbox) {
  const facts: Record<string, unknown> = {};
  for (const target of [world.outside, world.home, world.storage, "/etc", "/"])
    for (const place of ["packages/a/node_modules", "packages"]) {
      await world.rebuild();
      const link = join(world.copy, place);
      mkdirSync(join(link, ".."), { recursive: true });
      symlinkSync(target, link);
      const before = JSON.stringify([world.snapshot(), readdirSync(target)]);
      const command = "cat packages/a/node_modules/dep/index.js";
      const { end, code } = await sandbox.run(sandboxRun(world, command, "overlay"), never);
      const isUnchanged = before === JSON.stringify([world.snapshot(), readdirSync(target)]);
      const name = `${place} → ${target.replace(world.base, "")}`;
      facts[name] = { end, code, isUnchanged, isOurs: lstatSync(link).isDirectory() };
    }
  return facts;
}

/** Everything ends: when it is stopped, and when the program that asked for it is killed. */
async function ends(world: CanaryWorld, sandbox: Sandbox, bubblewrap: string) {
  const command = `trap "" TERM; setsid tail -F ${world.names.left} & sleep 300`;
  const until = async (is: () => boolean) => {
    while (!is()) await setTimeout(5);
  };
  // bubblewrap and the host have the word among their arguments as well, and this is how soon it can be stopped.
  const isLocked = () => withArgument(world.names.left).some(isInSandbox);
  const isTail = (pid: number) => isInSandbox(pid) && argumentsOf(pid).startsWith("tail");
  const stop = new AbortController();
  const stopped = sandbox
    .run(sandboxRun(world, command, "overlay"), stop.signal)
    .catch((reason) => reason.message);
  await until(isLocked);
  stop.abort(new Error("stopped by the test"));
  const reason = await stopped;
  const isLeft = world.isRunning(world.names.left);
  const again = sandbox.run(sandboxRun(world, "true", "overlay"), stop.signal);
  const reasonBefore = await again.catch((each) => each.message);
  const plan = JSON.stringify({
    run: sandboxRun(world, command, "overlay"),
    storage: world.storage,
    bubblewrap,
  });
  const host = spawn(process.execPath, [process.argv[1] ?? "", "host", plan], { stdio: "inherit" });
  await until(() => withArgument(world.names.left).some(isTail));
  host.kill("SIGKILL");
  await until(() => !world.isRunning(world.names.left));
  return { reason, isLeft, reasonBefore, endsWithHost: true };
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

function isInSandbox(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync("/proc/self/ns/pid");
  } catch {
    return false;
  }
}

/** Paths that Node cannot remove. */
async function longPaths(world: CanaryWorld, sandbox: Sandbox) {
  const deep = `const fs = require("fs"), name = "0".repeat(200);
    for (let i = 0; i < 30; i++) fs.mkdirSync(name), process.chdir(name);
    fs.chmodSync(".", 0);`;
  const command = `node -e '${deep}' && cd /tmp && node -e '${deep}'`;
  const run = sandboxRun(world, command, "overlay");
  const { end, code } = await sandbox.run(run, never);
  const isLeft = existsSync(run.temporary);
  let byNode = "removed";
  try {
    rmSync(world.copy, { recursive: true });
  } catch (error) {
    byNode = (error as NodeJS.ErrnoException).code ?? "";
  }
  await removeTree(world.copy);
  return { end, code, isLeft, byNode, isThere: existsSync(world.copy) };
}

interface Program {
  readonly version: string;
  readonly program: string;
}

async function report(base: string, programs: readonly Program[]): Promise<SandboxReport> {
  const world = await createWorld(base);
  try {
    const lockedIn: SandboxReport["locked"][number][] = [];
    const facts: Record<string, Record<string, unknown>> = {};
    const outside = await bare(world);
    for (const { version, program } of programs) {
      await world.rebuild();
      const workspaceFolders = [world.real, join(world.tools, "lib/project")];
      const state = await findSandbox({ storage: world.storage, workspaceFolders, bubblewrap: program });
      if (state.kind !== "works") {
        facts[version] = { state };
        continue;
      }
      const { sandbox } = state;
      const { overlays } = sandbox;

      for (const dependencies of ["overlay", "read-only"] as const)
        lockedIn.push({ version, dependencies, overlays, ...(await locked(world, sandbox, dependencies)) });
      await world.rebuild();
      const before = JSON.stringify(world.snapshot());
      facts[version] = {
        works: await works(world, sandbox),
        limits: await limits(world, sandbox),
        ends: await ends(world, sandbox, program),
        withNetwork: await withNetwork(world, sandbox),
        killed: await killed(world, sandbox),
        longPaths: await longPaths(world, sandbox),
        isUnchanged: before === JSON.stringify(world.snapshot()),
        mountPoints: await mountPoints(world, sandbox),
      };
    }
    const isRoot = process.getuid?.() === 0;
    return { isRoot, hasPython: world.hasPython, bare: outside, locked: lockedIn, facts };
  } finally {
    await world.close();
  }
}

const [, , order = "", argument = ""] = process.argv;
if (order === "host") {
  const { run, storage, bubblewrap } = JSON.parse(argument);
  const state = await findSandbox({ storage, workspaceFolders: [run.at], bubblewrap });
  if (state.kind === "works") await state.sandbox.run(run, never);
} else {
  const { base, programs } = JSON.parse(argument);
  console.log(JSON.stringify(await report(base, programs)));
}
