// Whether a task is solved: its hidden tests on a copy of what the player has left, so that the folder itself stays as it is.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { removeFolder } from "../support/remove-folder.mjs";
import type { Task } from "./task.ts";

export interface Verdict {
  readonly isSolved: boolean;
  /** What each command has written, with how it ended. */
  readonly commands: readonly { readonly command: string; readonly code: number; readonly output: string }[];
  /** Facts that the answer does not say. */
  readonly unsaid: readonly string[];
}

/** `answer`: what the model has said. `undefined`: nothing judges it but people. */
export async function judge(task: Task, root: string, answer = ""): Promise<Verdict | undefined> {
  const { hidden } = task;
  if (hidden === undefined) return undefined;
  const storage = mkdtempSync(join(tmpdir(), "patchbay-judged-"));
  const copy = join(storage, basename(root));
  try {
    cpSync(root, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== ".git",
    });
    for (const [path, from] of Object.entries(hidden.files ?? {})) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join("test/live", from), join(copy, path));
    }
    for (const path of hidden.ofCommit?.paths ?? []) {
      const at = `${hidden.ofCommit?.commit}:${path}`;
      const { code, output } = await shell(`git show "${at}"`, root);
      if (code !== 0) throw new Error(`${at}: ${output}`);
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), output);
    }
    const commands: Verdict["commands"][number][] = [];
    for (const command of hidden.commands) commands.push({ command, ...(await shell(command, copy)) });
    const unsaid = (hidden.answer ?? [])
      .filter(({ says }) => !new RegExp(says, "is").test(answer))
      .map(({ fact }) => fact);
    return { isSolved: unsaid.length === 0 && commands.every(({ code }) => code === 0), commands, unsaid };
  } finally {
    await removeFolder(storage);
  }
}

/** Its installed programs are found by their names. */
export function shell(command: string, cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    // A run of tests may have begun us; with this variable Node would take those here for a part of it.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const path = `${join(cwd, "node_modules/.bin")}${delimiter}${env["PATH"] ?? ""}`;
    const child = spawn(command, {
      cwd,
      shell: true,
      env: { ...env, PATH: path },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.on("error", (error) => resolve({ code: 1, output: String(error) }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
