// Removes what a command has left behind. Uses `rm` if available: at paths of more than 4,096 bytes, which any program
// can create step by step, Node's `fs.rm` throws ENAMETOOLONG and leaves the rest in place.
import { spawn } from "node:child_process";
import { lstat, rm } from "node:fs/promises";

/** Follows no links and opens no files. Rejects if anything is left. */
export async function removeTree(path: string): Promise<void> {
  if (process.platform === "win32") return rm(path, { recursive: true, force: true, maxRetries: 3 });
  if (await removes(path)) return;
  // We own these folders even if their permissions deny entering them. A link, which stays where its folder is read-only,
  // would be followed to what it leads to.
  if (!(await isLink(path))) await succeeds("chmod", ["-R", "u+rwX", "--", path]);
  if (await removes(path)) return;
  await rm(path, { recursive: true, force: true });
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => true,
  );

async function removes(path: string): Promise<boolean> {
  await succeeds("rm", ["-rf", "--", path]);
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

/** Runs the system's own program, regardless of the user's PATH. */
function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    spawn(program, args, { stdio: "ignore", env: { PATH: "/usr/bin:/bin" } })
      .once("error", () => resolve(false))
      .once("close", (code) => resolve(code === 0));
  });
}
