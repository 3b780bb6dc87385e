// The extension host of the window that was opened last, once it has nothing left to do: what is measured before that
// shares the processor with all that a window begins with.
import { readdirSync, readFileSync } from "node:fs";

/** A host is at rest when it has worked less than this, several times in a row. */
const rest = { times: 4, milliseconds: 250, hundredths: 1, patience: 10_000 };

export function told(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** The process number of the youngest extension host of ours. */
function youngestHost(): string {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parent = (pid: string) => /^PPid:\t(\d+)/m.exec(told(pid, "status"))?.[1] ?? "";
  const isOurs = (pid: string): boolean => {
    for (let at = pid; at !== "" && at !== "0" && at !== "1"; at = parent(at))
      if (at === String(process.pid)) return true;
    return false;
  };
  const hosts = processes.filter(
    (pid) => told(pid, "cmdline").includes("--type=extensionHost") && isOurs(pid),
  );
  return hosts.toSorted((a, b) => Number(a) - Number(b)).at(-1) ?? "";
}

/** In hundredths of a second, since it began. */
function processorTime(pid: string): number {
  const [, user = 0, system = 0] = /\) \S(?: \S+){10} (\d+) (\d+) /.exec(told(pid, "stat")) ?? [];
  return Number(user) + Number(system);
}

/** Its process number; after ten seconds at the latest. */
export async function restingHost(): Promise<string> {
  const deadline = Date.now() + rest.patience;
  let [pid, before] = ["", 0];
  for (let quiet = 0; quiet < rest.times && Date.now() < deadline; ) {
    // Another process is sampled: nothing tells that it has come to rest.
    await new Promise((resolve) => setTimeout(resolve, rest.milliseconds));
    const now = youngestHost();
    const worked = processorTime(now) - before;
    quiet = now !== "" && now === pid && worked <= rest.hundredths ? quiet + 1 : 0;
    [pid, before] = [now, before + worked];
  }
  return pid;
}
