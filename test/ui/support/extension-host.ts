// The process behind a window in which our extension runs. It is killed as a power cut would end it: nothing of ours hears
// of it. Linux, where a process can be told by what it was started with.
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { VsCode } from "./vscode.ts";

/** Answers how many there were: none, where one has just ended and the next has not begun. */
export function killExtensionHost({ workspace }: Pick<VsCode, "workspace">): number {
  const hosts = extensionHosts(workspace);
  for (const pid of hosts) process.kill(pid, "SIGKILL");
  return hosts.length;
}

/** By the workspace of the window. */
export function extensionHosts(workspace: string): readonly number[] {
  const home = dirname(workspace);
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && isHostOf(pid, home))
    .map(Number);
}

/** All of a server's children know the folder that is its own. */
function isHostOf(pid: string, home: string): boolean {
  try {
    const isHost = readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("--type=extensionHost");
    return (
      isHost && readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`XDG_RUNTIME_DIR=${home}`)
    );
  } catch {
    // It has just ended, or is somebody else's.
    return false;
  }
}
