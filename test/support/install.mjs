// Installs the locked dependencies when they are missing or older than the lock file. Node built-ins only, and in words
// that older Nodes understand.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Throws an error that is made to be read: what could not be had, in a sentence. */
export function installDependencies(root, node = process.versions.node) {
  assertNode(root, node);
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".patchbay-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log("Installing the locked dependencies …");
  // An interrupted installation is none.
  rmSync(stamp, { force: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status, error } = spawnSync(
    npm,
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: "inherit",
      shell: process.platform === "win32",
    },
  );
  if (error)
    throw new Error(`npm could not be started (${error.message}). It comes with Node: is it on the PATH?`);
  if (status !== 0)
    throw new Error(
      "The locked dependencies could not be had. What npm says of it stands above; without a network they cannot be installed.",
    );
  writeFileSync(stamp, lock);
}

function assertNode(root, node) {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const wanted = engines.node.replace(">=", "");
  const [major, minor] = wanted.split(".").map(Number);
  const [ourMajor, ourMinor] = node.split(".").map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return;
  throw new Error(`Node ${wanted} or newer is needed here; this is Node ${node}.`);
}
