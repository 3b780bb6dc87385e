// Lays a task's folder out: a copy of one of ours, or a clone at the parent of a real commit, from a local mirror.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { shell } from "./hidden-tests.ts";
import { rootOf, runFolder, runsFolder } from "./runs.ts";
import type { Task } from "./task.ts";

/** Whatever was there of an earlier run is gone. `mirrors`: a folder with bare clones, owner+name.git or owner+name. */
export async function prepare(name: string, task: Task, mirrors?: string): Promise<void> {
  rmSync(runFolder(name), { recursive: true, force: true });
  mkdirSync(runFolder(name), { recursive: true });
  const root = rootOf(name, task);
  if ("own" in task.folder) return cpSync(join("test/live/own", task.folder.own), root, { recursive: true });
  const { repository, commit, only, packages = [], edits = [], without = [], history } = task.folder;
  if (mirrors === undefined)
    throw new Error(`${name} needs a mirror of ${repository}: npm run live -- prepare <mirrors> ${name}`);
  const mirror = mirrorOf(mirrors, repository);
  await git(`clone -q --no-checkout --shared "${mirror}" "${root}"`, runFolder(name));
  if (only !== undefined) await git(`sparse-checkout set "${only}"`, root);
  await git(`checkout -q "${commit}"`, root);
  for (const path of without) rmSync(join(root, path), { recursive: true, force: true });
  for (const { path, find, replace } of edits) {
    const text = readFileSync(join(root, path), "utf8");
    if (!text.includes(find)) throw new Error(`${path} of ${repository} has no "${find}".`);
    writeFileSync(
      join(root, path),
      text.replace(find, () => replace),
    );
  }
  if (history === false) await forgetHistory(root);
  if (packages.length > 0) symlinkSync(await install(packages), join(root, "node_modules"));
}

async function forgetHistory(root: string): Promise<void> {
  rmSync(join(root, ".git"), { recursive: true });
  await git("init -q", root);
  await git("add --all --force", root);
  await git('-c user.name=Somebody -c user.email=somebody@example.com commit -q -m "Begin"', root);
}

function mirrorOf(mirrors: string, repository: string): string {
  const base = resolve(mirrors, repository.replace("/", "+"));
  const found = [`${base}.git`, join(base, "repo"), base].find(existsSync);
  if (found === undefined) throw new Error(`There is no mirror of ${repository} in ${mirrors}.`);
  return found;
}

async function git(command: string, cwd: string): Promise<void> {
  const { code, output } = await shell(`git ${command}`, cwd);
  if (code !== 0) throw new Error(`git ${command}: ${output}`);
}

/** Once for all tasks that need the same ones. */
async function install(packages: readonly string[]): Promise<string> {
  const id = createHash("sha256").update(packages.join(" ")).digest("hex").slice(0, 12);
  const folder = join(runsFolder(), "packages", id);
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const names = packages.map((each) => `"${each}"`).join(" ");
  const how = "--ignore-scripts --no-audit --no-fund --legacy-peer-deps";
  const { code, output } = await shell(`npm install ${how} ${names}`, folder);
  if (code !== 0) throw new Error(`npm install ${names}: ${output}`);
  return modules;
}
