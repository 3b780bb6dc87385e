// What a person is asked before code of a proposal runs on their computer, and what they have agreed to with "Always".

import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { Check, Overlaid } from "../../src/checks/check.ts";
import { askToRun } from "../../src/checks/editor/check-runs.ts";
import { type Checks, createChecks } from "../../src/checks/editor/checks.ts";
import type { RunQuestion } from "../../src/checks/session-checks.ts";
import { allSentences } from "../../src/conversation/english.ts";
import { message } from "../../src/conversation/messages.ts";
import { registerMessages } from "../../src/editor/localize.ts";
import type { Workspace } from "../../src/files/workspace.ts";
import { WorkerThread } from "../../src/main/internal/run-in-worker.ts";
import { silentLog } from "../../src/util/log.ts";
import { createMemento } from "./support/memento.ts";

const extension =
  vscode.extensions.all.find(({ packageJSON }) => packageJSON.name === "patchbay")?.extensionPath ?? "";

const packageJson = (scripts: Readonly<Record<string, string>>) => JSON.stringify({ scripts });

describe("askToRun", () => {
  const { showWarningMessage } = vscode.window;
  let shown: { readonly question: string; readonly detail: string; readonly buttons: readonly string[] };

  const answerWith = (answer: string | undefined) => {
    vscode.window.showWarningMessage = (async (
      question: string,
      { detail = "" }: vscode.MessageOptions,
      ...buttons: string[]
    ) => {
      shown = { question, detail, buttons };
      return answer;
    }) as never;
  };
  const check: Check = {
    ...{ id: "lint", name: "lint", command: "npm run lint", kind: "static", folder: "f", blind: [] },
    body: "npm run a  →  eslint .",
  };
  const asked = (more: Partial<RunQuestion> = {}): RunQuestion => ({
    check,
    files: ["eslint.config.mjs", "build/lint.mjs", "src/a.ts", "src/b.ts", "README.md"],
    confinement: { kind: "none", why: message("sandboxMissing"), remedy: "sudo apt install bubblewrap" },
    ...more,
  });
  const small = { measure: async () => undefined };

  before(() => registerMessages(allSentences));

  afterEach(() => {
    vscode.window.showWarningMessage = showWarningMessage;
  });

  it("lists all files that would run, the riskiest first, and the reason to ask", async () => {
    answerWith(undefined);
    assert.equal(await askToRun(asked(), small), undefined);
    assert.equal(
      shown.question,
      "Runs code of this proposal on this computer: eslint.config.mjs, build/lint.mjs and 3 more",
    );
    assert.deepEqual(shown.buttons, [
      ...["Run", "Always for This Command in This Folder", "Show Changes", "Copy Sandbox Command"],
    ]);
    const lines = shown.detail.split("\n");
    assert.deepEqual(lines.slice(0, 3), ["npm run lint", "→ npm run a", "→ eslint ."]);
    for (const line of [...asked().files, "There is no sandbox: bubblewrap isn't installed."])
      assert.ok(lines.includes(line), line);
    assert.ok(shown.detail.includes("sudo apt install bubblewrap"));
  });

  it("reports a changed command, and how many dependencies would be copied", async () => {
    answerWith(undefined);
    const proposedBody = "npm run a  →  eslint . ; node evil.mjs";
    await askToRun(asked({ check: { ...check, proposedBody } }), {
      measure: async () => ({ files: 41_000, bytes: 600 * 1024 ** 2 }),
    });
    assert.ok(shown.detail.includes("→ eslint . ; node evil.mjs"));
    assert.ok(shown.detail.includes("The proposal changes what this command runs."));
    assert.match(shown.detail, /41.?000 files of dependencies are copied: up to 600 MB, about 15 s/);
  });

  it("returns the clicked choice and copies the command that installs a sandbox", async () => {
    const { clipboard } = vscode.env;
    const before = await clipboard.readText();
    try {
      for (const [button, answer] of [
        ["Run", "run"],
        ["Always for This Command in This Folder", "always"],
        ["Show Changes", "show"],
        ["Copy Sandbox Command", undefined],
      ] as const) {
        answerWith(button);
        assert.equal(await askToRun(asked(), small), answer);
      }
      assert.equal(await clipboard.readText(), "sudo apt install bubblewrap");
    } finally {
      await clipboard.writeText(before);
    }
  });
});

describe("an accepted command", () => {
  let folder: string;
  let thread: WorkerThread;
  let checks: Checks;
  const root = () => ({ folder: "workspace", path: folder });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const proposed = (texts: Readonly<Record<string, string>>): Overlaid =>
    Object.entries(texts).map(([path, text]) => {
      const file = { folder: "workspace", path };
      return [file, { file, text }] as const;
    });
  const row = { name: "lint", command: "npm run lint", kind: "static" } as const;
  const types = "node node_modules/typescript/bin/tsc --noEmit -p .";
  let rows: readonly object[] = [];
  const only = async (texts: Readonly<Record<string, string>> = {}) => {
    const [check] = await checks.host.checks(proposed(texts));
    assert.ok(check);
    return check;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-consent-"));
    rows = [row];
    thread = new WorkerThread(join(extension, "dist/worker.js"));
    checks = createChecks({
      storage: mkdtempSync(join(tmpdir(), "patchbay-copies-")),
      memory: createMemento(),
      workspace: { trusted: true, folders: ["workspace"], roots: [root()] } as unknown as Workspace,
      log: silentLog,
      rows: () => rows,
      privacy: () => ({ ignore: [], alsoIgnore: [] }),
      thread,
      copyThread: join(extension, "dist/copies.js"),
    });
  });

  afterEach(async () => {
    await checks.close();
    await thread.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("stays allowed with the text that was shown, and asks again when a nested script changes", async () => {
    write("package.json", packageJson({ lint: "npm run deep", deep: "eslint ." }));
    await checks.accept(root(), row, (await checks.bodyOf(root(), row.command)) ?? "");
    assert.equal((await only()).isAlways, false);
    await checks.host.allowAlways(await only());
    assert.equal((await only({ "src/a.ts": "x" })).isAlways, true);
    const other = await only({
      "package.json": packageJson({ lint: "npm run deep", deep: "node evil.mjs" }),
    });
    assert.deepEqual([other.isAlways, other.proposedBody], [false, "npm run deep  →  node evil.mjs"]);
    write("package.json", packageJson({ lint: "npm run deep", deep: "node evil.mjs" }));
    const now = await only();
    assert.deepEqual([now.isAlways, now.isChanged], [false, true]);
  });

  it("has no copy of a folder that left the workspace, which whoever asks for it can catch", async () => {
    const never = new AbortController().signal;
    const asked = checks.host.withCopy("gone", [], async () => "", never).catch(String);
    assert.match(await asked, /There is no folder gone/);
  });

  it("counts as code execution when the proposal changes its own program", async () => {
    rows = [{ ...row, command: types }];
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(extension, "node_modules/typescript"), join(folder, "node_modules/typescript"));
    await checks.accept(root(), { ...row, command: types }, undefined);
    assert.ok((await only({ "src/a.ts": "x", "tsconfig.json": "{}" })).reader);
    for (const path of [
      "node_modules/typescript/lib/tsc.js",
      "node_modules/TypeScript/x",
      "node_modules/@typescript/x/y",
    ])
      assert.equal((await only({ [path]: "x" })).reader, undefined, path);
  });
});
