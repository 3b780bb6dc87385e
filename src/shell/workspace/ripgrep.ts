// The ripgrep that VS Code brings, to find out which files are worth reading. It is only ever this one, never what a
// PATH or a workspace offers; it gets no shell, no settings of its own and nothing of our environment. Knows no editor.
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { DiskQuery } from "../../core/changes/workspace.ts";

/** Below the folder of the application; before VS Code 1.122 there was one for the present system alone. */
function placesBelow(appRoot: string): string[] {
  const { platform, arch } = process;
  const name = platform === "win32" ? "rg.exe" : "rg";
  const packages = [
    ["@vscode", "ripgrep-universal", "bin", `${platform}-${arch}`],
    ["@vscode", "ripgrep", "bin", `${platform}-${arch}`],
    ["@vscode", "ripgrep", "bin"],
    ["vscode-ripgrep", "bin"],
  ];
  // A package in an archive has its programs beside the archive; code-server keeps VS Code in a folder of its own.
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
 * What the editor reads in its own way and ripgrep in another is always worth reading: wide characters, marks of
 * encodings, lines that end as on old Macs.
 */
const always = "(?-u:\\x00|\\xFF\\xFE|\\xFE\\xFF|\\xEF\\xBB\\xBF|\\r[^\\n])";

const fixed = [
  ...["--no-config", "--null", "--color=never", "--no-messages", "--path-separator=/"],
  ...["--no-follow", "--hidden"],
  // The ignore files of the folders, and no others.
  ...[
    "--no-ignore-global",
    "--no-ignore-parent",
    "--no-ignore-exclude",
    "--no-ignore-dot",
    "--no-require-git",
  ],
];

/** Bytes as they are: neither is a file left out for its zeros, nor one read as something else. */
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
  // Ripgrep leaps to words of some letters; with single bytes beside them it looks at each one.
  const patterns = [pattern, wide ?? always].flatMap((each) => ["-e", each]);
  return [...files, ...looking, ...cases, ...patterns, "--", "./"];
}

/** Windows finds nothing of its own without these. */
const hardened = (): NodeJS.ProcessEnv => {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
};

/** For `LocalDisk.mayHold`. Rejects with the signal's reason when it is aborted. */
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
    // It complains of nothing but a query that it cannot run.
    child.stderr.on("data", () => {
      complaint = true;
    });
    child.once("error", () => end(false));
    child.once("close", (code) => end(code === 0 || code === 1 || (code === 2 && !complaint)));
  });
}
