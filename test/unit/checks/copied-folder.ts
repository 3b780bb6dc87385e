// A folder with a copy for checks.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type CopyDeps, ShadowCopy } from "../../../src/checks/internal/copy/shadow-copy.ts";
import { runCommand } from "../../../src/checks/internal/run-check-command.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { type FolderFiles, writeFolder } from "../../support/folder-picture.ts";

export const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
export const never = new AbortController().signal;

/** Every file, folder and link below a folder, with what it holds. */
export function pictureOf(folder: string): string {
  const lines = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const place = join(entry.parentPath, entry.name);
      const stats = fs.lstatSync(place);
      const text = stats.isSymbolicLink()
        ? fs.readlinkSync(place)
        : stats.isFile()
          ? fs.readFileSync(place)
          : "";
      return `${place} ${stats.mode} ${createHash("sha256").update(text).digest("hex")}`;
    })
    .sort();
  return lines.join("\n");
}

export async function setUp(
  t: TestContext,
  files: FolderFiles,
  deps: Partial<CopyDeps> & { readonly isPlain?: boolean } = {},
) {
  const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-copy-"));
  const [workspace, storage, outside] = ["workspace", "storage", "outside"].map((name) =>
    join(home, name),
  ) as [string, string, string];
  for (const folder of [workspace, outside]) fs.mkdirSync(folder);
  writeFolder(workspace, files);
  if (deps.isPlain !== true) {
    execFileSync(git, ["init", "-q"], { cwd: workspace });
    execFileSync(git, ["add", "-A"], { cwd: workspace });
  }
  const copy = await ShadowCopy.open(workspace, {
    copyThread: copyThread(),
    storage,
    git: deps.isPlain === true ? undefined : git,
    isLeftOut: (path) => path.endsWith(".env"),
    ...deps,
  });
  t.after(async () => {
    await copy.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  const run = (command: string, seconds = 20) =>
    runCommand({ command, folder: copy.place, temporary: copy.temporary, seconds }, never);
  const read = (path: string) => fs.readFileSync(join(copy.place, path), "utf8");
  const has = (path: string) => fs.existsSync(join(copy.place, path));
  return { home, workspace, storage, outside, copy, run, read, has };
}
