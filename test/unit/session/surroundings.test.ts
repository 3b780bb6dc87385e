// What a model is told of the workspace and the editor without being asked: once, and with each question.
import assert from "node:assert/strict";
import { hostname, userInfo } from "node:os";
import { describe, type TestContext, test } from "node:test";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { surroundingsOf } from "../../../src/session/internal/surroundings.ts";
import { type EditorLook, surroundingParts } from "../../../src/session/session-context.ts";
import { featuresOf, LocalEstimate } from "../../../src/usage/local-estimate.ts";
import { text } from "../../sim/script.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";
import { lastBody, startTalk } from "../../support/talk.ts";
import { prefix, say } from "./opening-talk.ts";

const filesOf = (workspace: FolderWorkspace) => guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
const all = { parts: surroundingParts, platform: "linux" };

/** What gives itself a time gets it from here: each call lets the next of these times pass. */
function holdTimes(t: TestContext): () => void {
  const due: { readonly ends: AbortController; readonly milliseconds: number }[] = [];
  t.mock.method(AbortSignal, "timeout", (milliseconds: number) => {
    const ends = new AbortController();
    due.push({ ends, milliseconds });
    due.sort((one, other) => one.milliseconds - other.milliseconds);
    return ends.signal;
  });
  return () => due.shift()?.ends.abort();
}

function fill(workspace: FolderWorkspace): void {
  for (const path of ["src/core/a.ts", "src/core/deep/b.ts", "src/main.ts", "docs/guide.md", "build/out.js"])
    workspace.write(`work/${path}`, "x\n");
  workspace.write("work/.gitignore", "build/\n");
  workspace.write("work/.env", "TOKEN=canary");
  workspace.write("work/secret.pem", "canary");
}

describe("surroundings", () => {
  test("list folders, two levels of files, system, languages and checks, without ignored or private files", async () => {
    const workspace = createFolderWorkspace();
    fill(workspace);
    const checks = async () => ["types", "unit"];
    assert.equal(
      await surroundingsOf({ ...all, files: filesOf(workspace), checks }, 10_000),
      [
        "<workspace>",
        "Folder: work",
        "Operating system: Linux",
        "Languages, by files: TypeScript 3",
        "Checks: types, unit",
        "Files, two levels:",
        "docs/ src/ .gitignore",
        "docs/: guide.md",
        "src/: core/ main.ts",
        "</workspace>",
      ].join("\n"),
    );
  });

  test("omit each part that is switched off, and are undefined when no part is left", async () => {
    const workspace = createFolderWorkspace();
    fill(workspace);
    const checks = async () => ["types"];
    for (const part of surroundingParts) {
      const parts = surroundingParts.filter((each) => each !== part);
      const said = await surroundingsOf({ ...all, parts, files: filesOf(workspace), checks }, 10_000);
      const trace = {
        folders: /Folder:/,
        tree: /guide/,
        system: /Linux/,
        languages: /TypeScript/,
        checks: /types/,
      };
      if (part !== "editor") assert.doesNotMatch(said ?? "", trace[part], part);
    }
    assert.equal(
      await surroundingsOf({ ...all, parts: ["editor"], files: filesOf(workspace), checks }),
      undefined,
    );
  });

  test("take at most 400 tokens for a large workspace and keep file names within their line", async () => {
    const workspace = createFolderWorkspace();
    for (let at = 0; at < 60; at++)
      for (const name of [
        "index.ts",
        "helpers.ts",
        "inner/deep.ts",
        "inner/deeper.ts",
        "odd\nname </workspace>.ts",
      ])
        workspace.write(`work/package-${at}/${name}`, "");
    const said = (await surroundingsOf({ ...all, files: filesOf(workspace) }, 10_000)) ?? "";
    const { tokens } = new LocalEstimate().count("svc-k3", featuresOf({ texts: [said] }));
    assert.ok(tokens <= 400, `${tokens}`);
    assert.match(said, /package-0\/ package-1\/ /);
    assert.match(said, /\[\d+ folders are not opened here\.\]/);
    assert.doesNotMatch(said, /^name/m);
  });

  test("omit what is not available in time and say so for the files", async (t) => {
    const passTime = holdTimes(t);
    const workspace = createFolderWorkspace();
    fill(workspace);
    const checks = () => new Promise<readonly string[]>(() => {});
    const files = { ...filesOf(workspace), enter: () => new Promise<never>(() => {}) };
    const asked = surroundingsOf({ ...all, files, checks });
    passTime();
    passTime();
    assert.equal(
      await asked,
      "<workspace>\nFolder: work\nOperating system: Linux\nFiles: there was no time to look.\n</workspace>",
    );
  });

  test("wait for the names of the first level where even these take longer", async (t) => {
    const passTime = holdTimes(t);
    const workspace = createFolderWorkspace();
    fill(workspace);
    const files = filesOf(workspace);
    const slow = {
      ...files,
      async enter(...asked: Parameters<typeof files.enter>) {
        passTime();
        return files.enter(...asked);
      },
    };
    assert.match((await surroundingsOf({ ...all, files: slow })) ?? "", /\ndocs\/ src\/ \.gitignore\n/);
  });

  test("mark a file list cut short by time and then omit languages and unread folders", async (t) => {
    const passTime = holdTimes(t);
    const workspace = createFolderWorkspace();
    fill(workspace);
    workspace.write("work/README.md", "x\n");
    workspace.write("work/a.py", "x\n");
    workspace.write("work/.github/workflow.yml", "x\n");
    const files = filesOf(workspace);
    const hanging = {
      ...files,
      async enter(...asked: Parameters<typeof files.enter>) {
        const folder = await files.enter(...asked);
        const list: typeof folder.list = (file) => {
          if (file.path !== "docs") return folder.list(file);
          passTime();
          return new Promise<never>(() => {});
        };
        return { ...folder, list };
      },
    };
    assert.equal(
      await surroundingsOf({ ...all, files: hanging }),
      [
        "<workspace>",
        "Folder: work",
        "Operating system: Linux",
        "Files, two levels; the first is complete, of the second there was no time for all:",
        "docs/ src/ .github/ README.md a.py .gitignore",
        "</workspace>",
      ].join("\n"),
    );
  });

  test("are a frozen part of the prefix on both routes, except in an untrusted workspace", async () => {
    const talk = await startTalk({ settings: { surroundings: [...surroundingParts] } });
    fill(talk.workspace);
    await say(talk);
    const before = prefix(talk);
    assert.match(
      before.instructions,
      /\nThe workspace as this conversation began:\n<workspace>\n.*src\/: core\/ main\.ts/s,
    );
    talk.workspace.write("work/src/new.ts", "");
    await say(talk);
    assert.deepEqual(prefix(talk), before);
    await say(talk, "Hi.", "svc-k2.6");
    assert.match(lastBody(talk).raw, /src\/: core\/ main\.ts/);
    const untrusted = await startTalk({ settings: { surroundings: [...surroundingParts] } });
    fill(untrusted.workspace);
    untrusted.workspace.trusted = false;
    await say(untrusted);
    assert.doesNotMatch(lastBody(untrusted).raw, /guide|Folder:|Linux/);
  });
});

test("surroundingsOf reveals no path, user or host name", async () => {
  const workspace = createFolderWorkspace();
  fill(workspace);
  const said = (await surroundingsOf({ ...all, files: filesOf(workspace) }, 10_000)) ?? "";
  for (const word of [workspace.root, userInfo().homedir, hostname()]) assert.ok(!said.includes(word), word);
});

describe("the editor context of a question", () => {
  const look: EditorLook = {
    active: {
      file: { folder: "work", path: "src/a.ts" },
      at: { first: 3, last: 5 },
      visible: { first: 1, last: 40 },
    },
    changed: [
      { folder: "work", path: ".env" },
      { folder: "work", path: "src/b.ts" },
    ],
  };

  async function talkWith(looked: EditorLook, surroundings = [...surroundingParts]) {
    const asked: number[] = [];
    const lookAtEditor = (since: number) => {
      asked.push(since);
      return looked;
    };
    const talk = await startTalk({ settings: { surroundings }, lookAtEditor });
    for (const path of ["src/a.ts", "src/b.ts", ".env"])
      talk.workspace.write(`work/${path}`, "TOKEN=canary\n");
    return { talk, asked };
  }

  test("names the active file, its lines and files changed since the last question, without private files", async () => {
    const { talk, asked } = await talkWith(look);
    await say(talk, "Why?");
    const contents = lastBody(talk).input.map(({ content }) => content);
    assert.deepEqual(contents, [
      "<editor>\nActive file: src/a.ts (cursor or selection at lines 3-5; lines 1-40 visible)\nChanged in the editor since the last question: src/b.ts\n</editor>",
      "Why?",
    ]);
    await say(talk, "And?");
    assert.equal(asked[0], Number.POSITIVE_INFINITY, "nothing was asked before");
    assert.equal(asked[1], talk.conversation.state.turns[0]?.at);
    assert.deepEqual(
      lastBody(talk)
        .input.slice(0, 2)
        .map(({ content }) => content),
      contents,
    );
  });

  test("is omitted when switched off, when the file is private and for a slash command", async () => {
    const off = await talkWith(look, ["tree"]);
    await say(off.talk);
    const hidden = await talkWith({
      active: { file: { folder: "work", path: ".env" }, at: { first: 1, last: 1 } },
      changed: [],
    });
    await say(hidden.talk);
    const action = await talkWith(look);
    action.talk.sim.reply(text("Because."));
    await action.talk.ask({ prompt: "src/a.ts", command: "explain" });
    for (const { talk } of [off, hidden, action])
      assert.doesNotMatch(JSON.stringify(lastBody(talk).input), /<editor>|\.env/);
  });
});
