// Runs VS Code's bundled ripgrep to find out which files are worth reading. Never uses one from the PATH or the
// workspace, and runs it without a shell, a configuration file or our environment. Independent of the editor.
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { DiskQuery } from "../files/workspace.ts";

/**
 * Relative to the application's folder. Before VS Code 1.122 only the program for the current platform was included.
 */
function placesBelow(appRoot: string): string[] {
  const { platform, arch } = process;
  const name = platform === "win32" ? "rg.exe" : "rg";
  const packages = [
    ["@vscode", "ripgrep-universal", "bin", `${platform}-${arch}`],
    ["@vscode", "ripgrep", "bin", `${platform}-${arch}`],
    ["@vscode", "ripgrep", "bin"],
    ["vscode-ripgrep", "bin"],
  ];
  // Programs of a packed package are next to the archive; code-server keeps VS Code in a subfolder.
  const roots = [["node_modules.asar.unpacked"], ["node_modules"], ["lib", "vscode", "node_modules"]];
  return roots.flatMap((root) => packages.map((steps) => join(appRoot, ...root, ...steps, name)));
}

export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  for (const place of placesBelow(appRoot)) {
    const runs = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return place;
  }
  return undefined;
}

/**
 * Files that the editor decodes differently from ripgrep always match: UTF-16, byte order marks, classic Mac line ends.
 */
const always = "(?-u:\\x00|\\xFF\\xFE|\\xFE\\xFF|\\xEF\\xBB\\xBF|\\r[^\\n])";

const fixed = [
  ...["--no-config", "--null", "--color=never", "--no-messages", "--path-separator=/"],
  ...["--no-follow", "--hidden"],
  // Use the ignore files of the folders, and no others.
  ...[
    "--no-ignore-global",
    "--no-ignore-parent",
    "--no-ignore-exclude",
    "--no-ignore-dot",
    "--no-require-git",
  ],
];

/** Searches raw bytes: files with NUL bytes are not skipped, and nothing is transcoded. */
const looking = [
  ...["--files-with-matches", "--text", "--encoding=none"],
  ...["--case-sensitive", "--no-crlf", "--no-multiline"],
];

function argumentsFor({ pattern, wide, ignoreCase, name }: DiskQuery): string[] {
  const names = name === undefined ? [] : [`--glob=${name}`, `--glob=**/${name}/**`];
  const never = ["--glob=!**/node_modules", "--glob=!**/.git"];
  const files = [...fixed, ...names, ...never];
  if (pattern === undefined) return [...files, "--files", "--", "./"];
  const cases = ignoreCase ? ["--ignore-case"] : [];
  // Ripgrep is fast for literal words; alternatives of single bytes would make it check each byte.
  const patterns = [pattern, wide ?? always].flatMap((each) => ["-e", each]);
  return [...files, ...looking, ...cases, ...patterns, "--", "./"];
}

/** Windows needs these to find its own components. */
const hardened = (): NodeJS.ProcessEnv => {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
};

/** For `LocalDisk.mayHold`. Rejects with the signal's reason when aborted. */
export function mayHold(
  program: string,
  place: string,
  query: DiskQuery,
  take: (paths: readonly string[]) => void,
): Promise<boolean> {
  query.signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(program, argumentsFor(query), {
      cwd: place,
      env: hardened(),
      shell: false,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const stop = () => {
      child.kill("SIGKILL");
      reject(query.signal.reason);
    };
    query.signal.addEventListener("abort", stop, { once: true });
    const end = (answer: boolean) => {
      query.signal.removeEventListener("abort", stop);
      resolve(answer);
    };
    let rest = "";
    let complaint = false;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const paths = (rest + text).split("\0");
      rest = paths.pop() ?? "";
      take(paths.map((path) => path.replace(/^\.\//, "")));
    });
    // It only complains about queries that it cannot run.
    child.stderr.on("data", () => {
      complaint = true;
    });
    child.once("error", () => end(false));
    child.once("close", (code) => end(code === 0 || code === 1 || (code === 2 && !complaint)));
  });
}
