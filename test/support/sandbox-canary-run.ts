// Lets canaries loose in a folder, by one shell line, and finds which of them got out.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Canary } from "./sandbox-canaries.ts";
import type { CanaryWorld } from "./sandbox-world.ts";

/** Calls of the kernel by their numbers: [x64, arm64]. */
const prelude = `
import ctypes, fcntl, os, platform, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
numbers = {
  "ptrace": (101, 117), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "sethostname": (170, 161),
  "clone": (56, 220), "clone3": (435, 435), "io_uring_setup": (425, 425), "bpf": (321, 280),
  "perf_event_open": (298, 241), "userfaultfd": (323, 282), "add_key": (248, 217), "fsopen": (430, 430),
  "open_tree": (428, 428), "syslog": (103, 116),
}
def call(name, *args): return libc.syscall(numbers[name][platform.machine() == "aarch64"], *args)
def out(): print("OUT", flush=True)
sleeper = int(os.environ["SLEEPER"])
signal.alarm(20)
`;

/** One process for each, so that none spoils it for the next. */
const pythonRow = (id: number, script: string) => `
print("@", ${id}, flush=True)
child = os.fork()
if child == 0:
  sys.stderr = open(os.devnull, "w")
  try:
${script.replace(/^/gm, "    ")}
  except BaseException: pass
  os._exit(0)
os.waitpid(child, 0)
`;

/** Writes the scripts into the folder; answers the line that runs them there. */
export function prepareCanaries(folder: string, chosen: readonly Canary[], all: readonly Canary[]): string {
  const home = join(folder, ".canaries");
  mkdirSync(home, { recursive: true });
  const lines: string[] = [];
  const ofPython: string[] = [];
  for (const each of chosen) {
    const id = all.indexOf(each);
    if (each.language === "python") {
      ofPython.push(pythonRow(id, each.script));
      continue;
    }
    const file = join(home, `${id}.${each.language === "sh" ? "sh" : "mjs"}`);
    const imports = each.language === "node" ? 'import fs from "node:fs";\n' : "";
    writeFileSync(file, `${imports}${each.script}\n`);
    lines.push(
      `echo '@ ${id}'; timeout 10 ${each.language} .canaries/${id}.${each.language === "sh" ? "sh" : "mjs"} 2>/dev/null`,
    );
  }
  if (ofPython.length > 0) {
    writeFileSync(join(home, "all.py"), prelude + ofPython.join(""));
    lines.push("python3 .canaries/all.py");
  }
  return lines.join("\n");
}

/** Names of those that got out, by what they printed or by what they did. */
export function escaped(
  output: string,
  world: CanaryWorld,
  chosen: readonly Canary[],
  all: readonly Canary[],
): string[] {
  const printed = new Set<number>();
  let current = -1;
  for (const line of output.split("\n")) {
    const id = /^@ (\d+)$/.exec(line)?.[1];
    if (id !== undefined) current = Number(id);
    if (line === "OUT") printed.add(current);
  }
  return chosen
    .filter((each) => printed.has(all.indexOf(each)) || each.mark?.(world) === true)
    .map(({ name }) => name);
}

/** Of these, the ones that were run at all: what has not begun has not been held, either. */
export function begun(output: string, chosen: readonly Canary[], all: readonly Canary[]): string[] {
  const ids = new Set([...output.matchAll(/^@ (\d+)$/gm)].map(([, id]) => Number(id)));
  return chosen.filter((each) => ids.has(all.indexOf(each))).map(({ name }) => name);
}
