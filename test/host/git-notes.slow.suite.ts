// Notes about the origin of lines, through VS Code's own Git extension: written after a commit, read on hover, and only
// where a person has chosen it.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import type { Origin } from "../../src/changes/stored-origins.ts";
import { createCommitNotes } from "../../src/editor/provenance/provenance.ts";
import { createProvenance } from "../../src/editor/review/internal/line-origin-hover.ts";
import { repositoryOf } from "../../src/editor/workspace/git.ts";
import { silentLog } from "../../src/util/log.ts";
import { put, uriOf } from "./support/files.ts";
import { openRepository } from "./support/repository.ts";

const text = "one\ntwo\nthree\n";
const origin: Origin = {
  conversation: { id: "c", title: "", updatedAt: 1 },
  written: { call: "call", turn: "turn", model: "svc-k3", text, lines: [{ first: 1, last: 3 }] },
};

const choose = (value: string | undefined) =>
  vscode.workspace
    .getConfiguration("patchbay")
    .update("provenance", value, vscode.ConfigurationTarget.Global);

describe("Git notes about the origin of lines", () => {
  const opened: vscode.Disposable[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) each.dispose();
    await choose(undefined);
  });

  it("are written for the first commit of a repository, too, and no longer once that is withdrawn", async () => {
    const folder = "with-first-note";
    const { git } = await openRepository(folder);
    const out = (...words: readonly string[]) =>
      execFileSync("git", words, { cwd: uriOf(folder).fsPath, encoding: "utf8" }).trim();
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    const repository = await repositoryOf(uriOf(`${folder}/first.txt`));
    assert(repository !== undefined);
    git("update-ref", "-d", "HEAD");
    await repository.status();
    assert.deepEqual([repository.state.HEAD?.commit], [undefined]);
    await choose("write");
    let [isAsked, goOn] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const infos: string[] = [];
    const log = { ...silentLog, info: (said: string) => void infos.push(said) };
    const kept = {
      async writtenIn() {
        isAsked();
        await held;
        return [origin];
      },
    };
    opened.push(createCommitNotes({ kept, receipt: async () => undefined, log }));
    await repository.status();
    await put(`${folder}/first.txt`, text);
    git("commit", "-a", "-m", "First");
    await repository.status();
    await asked;
    const first = out("rev-parse", "HEAD");
    await put(`${folder}/first.txt`, `${text}four\n`);
    git("commit", "-a", "-m", "Waits for the first");
    await repository.status();
    await choose("own");
    goOn();
    while (infos.length === 0) await vscode.commands.getCommands();
    assert.match(infos.join(), new RegExp(first));
    // What waited would have been looked at by now.
    for (let turn = 0; turn < 50; turn++) await vscode.commands.getCommands();
    assert.match(out("notes", "--ref=ai", "list"), new RegExp(`^\\w+ ${first}$`));
  });

  it("are written after a commit once a person has chosen it, and shown on hover as what they are", async () => {
    const folder = "with-notes";
    const { git } = await openRepository(folder);
    const cwd = uriOf(folder).fsPath;
    const out = (...words: readonly string[]) => execFileSync("git", words, { cwd, encoding: "utf8" }).trim();
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    const repository = await repositoryOf(uriOf(`${folder}/first.txt`));
    assert(repository !== undefined);
    const written = new Promise<string>((resolve, reject) => {
      const log = {
        ...silentLog,
        info: resolve,
        error: (said: string, cause: unknown) => reject(new Error(`${said} ${String(cause)}`)),
      };
      const kept = {
        writtenIn: async ({ path }: { readonly path: string }) =>
          path.endsWith("first.txt") ? [origin] : [],
      };
      const notes = createCommitNotes({ kept, receipt: async () => undefined, log });
      opened.push(notes);
    });
    await put(`${folder}/first.txt`, "one\n2\n");
    git("commit", "-am", "Before it was chosen");
    await repository.status();
    assert.throws(() => out("rev-parse", "--verify", "--quiet", "refs/notes/ai"));
    await choose("write");
    await repository.status();
    await put(`${folder}/first.txt`, text);
    git("commit", "-am", "Second");
    await repository.status();
    const commit = out("rev-parse", "HEAD");
    assert.match(await written, new RegExp(commit));
    assert.match(out("notes", "--ref=ai", "show", commit), /^first\.txt\n {2}s_\w{14}::t_\w{14} 2-3\n---\n/);

    const hover = createProvenance({
      sets: () => [],
      kept: { writtenIn: async () => [] },
      nameOfModel: (id) => id,
    });
    opened.push(hover);
    const said = async (row: number) => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        uriOf(`${folder}/first.txt`),
        new vscode.Position(row, 1),
      );
      return hovers
        .flatMap(({ contents }) => contents.map((each) => (typeof each === "string" ? each : each.value)))
        .join("\n")
        .replaceAll("&nbsp;", " ");
    };
    assert.match(
      await said(1),
      new RegExp(`The note of ${commit.slice(0, 8)} says: patchbay, svc.*k3, Test`),
    );
    assert.equal(await said(0), "");
    await choose("own");
    assert.equal(await said(1), "");
  });
});
