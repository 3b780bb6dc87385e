// A Git repository inside the test workspace, open in VS Code's own Git extension.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import { put, uriOf } from "./files.ts";

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
}

export interface TestRepository extends Repository {
  git(...words: readonly string[]): void;
}

export async function openRepository(folder: string): Promise<TestRepository> {
  await put(`${folder}/first.txt`, "one\n");
  const cwd = uriOf(folder).fsPath;
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
  const git = (...words: readonly string[]) =>
    void execFileSync("git", [...identity, ...words], { cwd, stdio: "ignore" });
  git("init");
  git("add", ".");
  git("commit", "-m", "First");
  const extension = vscode.extensions.getExtension("vscode.git");
  assert(extension !== undefined, "VS Code's Git extension is not there");
  const api = (await extension.activate()).getAPI(1);
  const opened: Repository | null = await api.openRepository(uriOf(folder));
  assert(opened !== null, "the repository could not be opened");
  const { rootUri, inputBox } = opened;
  return { rootUri, inputBox, git };
}
