// Notes for commits of a real repository: what they say, what rewriting history keeps of them, and that no program that a
// repository names is ever run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import type { Origin } from "../../../src/changes/stored-origins.ts";
import { message } from "../../../src/conversation/messages.ts";
import { longestNote, parseAuthorshipLog } from "../../../src/editor/provenance/internal/authorship-log.ts";
import { type CommitNoteDeps, noteCommits } from "../../../src/editor/provenance/internal/commit-notes.ts";
import { notesTip, originOfLine, readNote, readTexts } from "../../../src/editor/provenance/internal/git.ts";

interface TestRepository {
  readonly root: string;
  readonly git: "git";
  run(...args: readonly string[]): string;
  write(path: string, text: string): void;
  /** Returns its id. */
  commit(path: string, text: string): string;
  /** One for each text, by one process of git, beside the files on the disk. Returns the last one's id. */
  commitAll(path: string, texts: readonly string[]): string;
}

function openRepository(): TestRepository {
  const root = mkdtempSync(join(tmpdir(), "patchbay-notes-"));
  after(() => rmSync(root, { recursive: true, force: true }));
  const run = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  run("init", "--quiet", "--initial-branch=main");
  for (const [name, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.com"],
    ["commit.gpgSign", "false"],
  ])
    run("config", name ?? "", value ?? "");
  return {
    ...{ root, git: "git", run, write },
    commit(path, text) {
      write(path, text);
      run("add", "-A");
      run("commit", "--quiet", "-m", path);
      return run("rev-parse", "HEAD");
    },
    commitAll(path, texts) {
      const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
      const now = Math.floor(Date.now() / 1000);
      const commits = texts.map((text, at) => {
        const from = at === 0 ? "from refs/heads/main^0\n" : "";
        const who = `committer Ada <ada@example.com> ${now + at} +0000\n`;
        return `commit refs/heads/main\n${who}${data(path)}${from}M 100644 inline ${path}\n${data(text)}`;
      });
      execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: commits.join("\n") });
      return run("rev-parse", "HEAD");
    },
  };
}

const noReceipt: CommitNoteDeps["receipt"] = async () => undefined;

/** A call that has left this text in a file, with these lines of its own, from 0. */
function wrote(text: string, first: number, last: number, more: Partial<Origin["written"]> = {}): Origin {
  return {
    conversation: { id: "c1", title: "A title that nobody gets to read", updatedAt: 1 },
    written: { call: "call", turn: "turn", model: "svc-k3", text, lines: [{ first, last }], ...more },
  };
}

const by = (files: Readonly<Record<string, readonly Origin[]>>): CommitNoteDeps => ({
  writtenIn: async (path) => files[path] ?? [],
  receipt: noReceipt,
});

/** The lines of a file that the note of a commit gives to an agent. */
async function linesIn(
  repository: TestRepository,
  commit: string,
  path: string,
): Promise<readonly number[] | undefined> {
  const note = await readNote(repository, commit, longestNote);
  if (note === undefined) return undefined;
  const log = parseAuthorshipLog(note) ?? assert.fail(note);
  return Array.from({ length: 20 }, (_, at) => at + 1).filter(
    (line) => log.authorOf(path, line)?.kind === "agent",
  );
}

const base = "one\ntwo\nthree\n";
const written = "one\ntwo\nA\nB\nthree\n";

async function noted() {
  const repository = openRepository();
  const first = repository.commit("a.txt", base);
  const second = repository.commit("a.txt", written);
  const deps = by({ "a.txt": [wrote(written, 2, 4)] });
  assert.deepEqual(await noteCommits(repository, first, second, deps), [second]);
  return { repository, first, second, deps };
}

describe("noteCommits", () => {
  it("adds a note about the lines that a commit has added, once, and without words of the conversation", async () => {
    const repository = openRepository();
    const first = repository.commit("a.txt", base);
    const live = "zero\none\ntwo\nA\nmine\nB\nthree\n";
    repository.write("dir/my file.txt", "x\r\ny\r\n");
    const second = repository.commit("a.txt", live);
    const proof = [message("checkOk", { name: "types" })];
    const deps = {
      writtenIn: async (path: string) =>
        path === "a.txt"
          ? [wrote(written, 2, 4, { acceptance: { at: 0, proof }, receipt: "nonce" })]
          : [wrote("x\r\ny\r\n", 0, 2, { call: "other", model: "svc-k4" })],
      receipt: async (nonce: string) => ({ requestSha256: `of ${nonce}`, responseSha256: "b" }),
    };
    assert.deepEqual(await noteCommits(repository, first, second, deps), [second]);
    assert.deepEqual(await noteCommits(repository, first, second, deps), []);
    const note = repository.run("notes", "--ref=refs/notes/ai", "show", second);
    assert.doesNotMatch(note, /A title/);
    assert.match(
      note,
      /^a\.txt\n {2}s_\w{14}::t_\w{14} 4,6\n"dir\/my file\.txt"\n {2}s_\w{14}::t_\w{14} 1-2\n---\n\{\n/,
    );
    assert.deepEqual(parseAuthorshipLog(note)?.authorOf("a.txt", 6), {
      ...{ kind: "agent", tool: "patchbay", model: "svc-k3", person: "Ada <ada@example.com>" },
      facts: {
        accepted_by: "Ada <ada@example.com>",
        accepted_at: "1970-01-01T00:00:00.000Z",
        checks: "types ✓",
        receipt_request_sha256: "of nonce",
        receipt_response_sha256: "b",
      },
    });
    assert.equal(repository.run("status", "--porcelain"), "");
    assert.equal(repository.run("log", "--format=%H", "-1"), second, "the commit is untouched");
  });

  it("leaves lines alone that the commit has not added, and the last call to write a line counts", async () => {
    const repository = openRepository();
    const first = repository.commit("a.txt", written);
    const text = `${written}C\n`;
    const second = repository.commit("a.txt", text);
    const deps = by({
      "a.txt": [
        wrote(text, 2, 6, { model: "svc-k3" }),
        wrote(text, 5, 6, { call: "later", model: "svc-k4" }),
      ],
    });
    await noteCommits(repository, first, second, deps);
    assert.deepEqual(await linesIn(repository, second, "a.txt"), [6]);
    const log = parseAuthorshipLog((await readNote(repository, second, longestNote)) ?? "");
    assert.deepEqual(log?.authorOf("a.txt", 6)?.kind === "agent" && log.authorOf("a.txt", 6), {
      ...{ kind: "agent", tool: "patchbay", model: "svc-k4", person: "Ada <ada@example.com>" },
      facts: { accepted_by: "Ada <ada@example.com>" },
    });
  });

  it("adds none to commits of others, to merges, to those that have one, nor where nothing is a conversation's", async () => {
    const repository = openRepository();
    const first = repository.commit("a.txt", base);
    repository.run(
      "-c",
      "user.name=Eve",
      "-c",
      "user.email=eve@example.com",
      "commit",
      "--allow-empty",
      "-qm",
      "x",
    );
    repository.write("a.txt", written);
    repository.run("-c", "user.name=Eve", "-c", "user.email=eve@example.com", "commit", "-qam", "theirs");
    const theirs = repository.run("rev-parse", "HEAD");
    const deps = by({ "a.txt": [wrote(written, 2, 4)] });
    assert.deepEqual(await noteCommits(repository, first, theirs, deps), []);
    const own = repository.commit("b.txt", base);
    assert.deepEqual(await noteCommits(repository, theirs, own, deps), []);
    assert.equal(await notesTip(repository), undefined);
    repository.run("notes", "--ref=refs/notes/ai", "add", "-m", "of another program", own);
    assert.deepEqual(await noteCommits(repository, theirs, own, by({ "b.txt": [wrote(base, 0, 3)] })), []);
    assert.equal(repository.run("notes", "--ref=refs/notes/ai", "show", own), "of another program");
    assert.deepEqual(await noteCommits(repository, "main", "HEAD", deps), [], "only names of objects");
  });

  it("adds one to the first commit of a repository", async () => {
    const repository = openRepository();
    const first = repository.commit("a.txt", base);
    assert.deepEqual(await noteCommits(repository, undefined, first, by({ "a.txt": [wrote(base, 0, 3)] })), [
      first,
    ]);
    assert.deepEqual(await linesIn(repository, first, "a.txt"), [1, 2, 3]);
  });

  it("adds all of them when another window adds one in the same moment, and keeps that one", async () => {
    const repository = openRepository();
    const first = repository.commit("a.txt", base);
    const second = repository.commit("a.txt", written);
    const text = `${written}C\n`;
    const third = repository.commit("a.txt", text);
    const deps = by({ "a.txt": [wrote(written, 2, 4), wrote(text, 5, 6, { call: "later" })] });
    // Between the look at the notes and their writing, as git is started for the latter.
    const program = join(repository.root, ".git", "slow-git.sh");
    const once = join(repository.root, ".git", "once");
    const add = `git notes --ref=refs/notes/ai add -m theirs ${first} 2>/dev/null`;
    const script = `case "$*" in *fast-import*) [ -e ${once} ] || { touch ${once}; ${add}; } ;; esac`;
    writeFileSync(program, `#!/bin/sh\n${script}\nexec git "$@"\n`);
    chmodSync(program, 0o755);
    assert.deepEqual(await noteCommits({ ...repository, git: program }, first, third, deps), [second, third]);
    assert.equal(repository.run("notes", "--ref=refs/notes/ai", "show", first), "theirs");
    assert.deepEqual(await linesIn(repository, third, "a.txt"), [6]);
  });

  it("keeps the notes of all commits, also where there are so many that git splits their names", async () => {
    const repository = openRepository();
    const start = repository.commit("a.txt", base);
    const texts = Array.from({ length: 40 }, (_, at) => "x\n".repeat(at + 1));
    const last = repository.commitAll("b.txt", texts);
    const deps = by({ "b.txt": [wrote("x\n".repeat(40), 0, 40)] });
    assert.equal((await noteCommits(repository, start, last, deps)).length, 40);
    assert.equal(repository.run("notes", "--ref=refs/notes/ai", "list").split("\n").length, 40);
    assert.equal(repository.run("fsck", "--strict"), "");
  });
});

describe("a note when history is rewritten", () => {
  /** With git alone, which is what happens in a terminal while no window is open. */
  it("is lost by amend, rebase and cherry-pick, and kept by the first two where notes.rewriteRef says so", async () => {
    for (const isKept of [false, true]) {
      const { repository, first, second } = await noted();
      if (isKept) repository.run("config", "notes.rewriteRef", "refs/notes/ai");
      const lines = isKept ? [3, 4] : undefined;
      repository.run("commit", "--quiet", "--amend", "-m", "reworded");
      const amended = repository.run("rev-parse", "HEAD");
      assert.deepEqual(await linesIn(repository, amended, "a.txt"), lines, "amend");
      assert.deepEqual(await linesIn(repository, second, "a.txt"), [3, 4], "the old commit keeps its own");
      repository.run("checkout", "--quiet", "-b", "other", first);
      repository.commit("b.txt", "b\n");
      repository.run("cherry-pick", amended);
      assert.equal(
        await linesIn(repository, repository.run("rev-parse", "HEAD"), "a.txt"),
        undefined,
        "cherry-pick",
      );
      repository.run("reset", "--quiet", "--hard", "HEAD~1");
      repository.run("checkout", "--quiet", "main");
      repository.run("rebase", "--quiet", "other");
      assert.deepEqual(
        await linesIn(repository, repository.run("rev-parse", "HEAD"), "a.txt"),
        lines,
        "rebase",
      );
    }
  });

  it("copied by notes.rewriteRef names the lines of the old commit, which an amend may have moved", async () => {
    const { repository } = await noted();
    repository.run("config", "notes.rewriteRef", "refs/notes/ai");
    repository.write("a.txt", `above\n${written}`);
    repository.run("commit", "--quiet", "-a", "--amend", "-m", "moved");
    const amended = repository.run("rev-parse", "HEAD");
    assert.deepEqual(await linesIn(repository, amended, "a.txt"), [3, 4], "A and B are lines 4 and 5 now");
  });

  it("glued together by a squash with notes.rewriteRef is no note any more, and is not guessed at", async () => {
    const { repository, first, second } = await noted();
    repository.run("config", "notes.rewriteRef", "refs/notes/ai");
    const text = `${written}C\n`;
    const third = repository.commit("a.txt", text);
    await noteCommits(repository, second, third, by({ "a.txt": [wrote(text, 5, 6)] }));
    repository.run("-c", "sequence.editor=sed -i 2s/pick/fixup/", "rebase", "--quiet", "-i", first);
    const squashed = repository.run("rev-parse", "HEAD");
    const note = (await readNote(repository, squashed, longestNote)) ?? assert.fail();
    assert.equal(note.split("\n---\n").length, 3);
    assert.equal(parseAuthorshipLog(note), undefined);
  });

  it("is made anew with the right lines where a window sees the amend, rebase or cherry-pick", async () => {
    const { repository, first, second, deps } = await noted();
    repository.write("a.txt", `above\n${written}`);
    repository.run("commit", "--quiet", "-a", "--amend", "-m", "moved");
    const amended = repository.run("rev-parse", "HEAD");
    assert.deepEqual(await noteCommits(repository, second, amended, deps), [amended]);
    assert.deepEqual(await linesIn(repository, amended, "a.txt"), [4, 5]);
    repository.run("checkout", "--quiet", "-b", "other", first);
    const other = repository.commit("b.txt", "b\n");
    repository.run("cherry-pick", amended);
    const picked = repository.run("rev-parse", "HEAD");
    assert.deepEqual(await noteCommits(repository, other, picked, deps), [picked]);
    assert.deepEqual(await linesIn(repository, picked, "a.txt"), [4, 5]);
    repository.run("reset", "--quiet", "--hard", other);
    repository.run("checkout", "--quiet", "main");
    repository.run("rebase", "--quiet", "other");
    const rebased = repository.run("rev-parse", "HEAD");
    const now = await noteCommits(repository, amended, rebased, deps);
    assert.deepEqual(now, rebased === picked ? [] : [rebased]);
    assert.deepEqual(await linesIn(repository, rebased, "a.txt"), [4, 5]);
  });
});

describe("originOfLine", () => {
  it("finds the commit, the line and the name that a line had there", async () => {
    const { repository, second } = await noted();
    repository.run("mv", "a.txt", "b.txt");
    const third = repository.commit("b.txt", `above\n${written}`);
    assert.deepEqual(await originOfLine(repository, { commit: third, line: 4, path: "b.txt" }), {
      ...{ commit: second, line: 3, path: "a.txt" },
    });
    assert.deepEqual(await originOfLine(repository, { commit: third, line: 1, path: "b.txt" }), {
      ...{ commit: third, line: 1, path: "b.txt" },
    });
    assert.equal(await originOfLine(repository, { commit: third, line: 99, path: "b.txt" }), undefined);
    assert.equal(await originOfLine(repository, { commit: third, line: 1, path: "none" }), undefined);
  });
});

describe("a repository that names programs", () => {
  const hooks = [
    ...[
      "applypatch-msg",
      "commit-msg",
      "fsmonitor-watchman",
      "post-applypatch",
      "post-checkout",
      "post-commit",
    ],
    ...["post-index-change", "post-merge", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc"],
    ...[
      "pre-commit",
      "pre-merge-commit",
      "pre-push",
      "pre-rebase",
      "prepare-commit-msg",
      "reference-transaction",
    ],
  ];

  async function hostile() {
    const { repository, first, second } = await noted();
    const third = repository.commit("a.txt", `${written}C\n`);
    const marks = join(repository.root, "..", `${repository.root.split("/").at(-1)}-ran`);
    mkdirSync(marks);
    after(() => rmSync(marks, { recursive: true, force: true }));
    const program = (name: string) => {
      const path = join(repository.root, ".git", `${name}.sh`);
      writeFileSync(path, `#!/bin/sh\ntouch ${marks}/${name}\ncat\n`);
      chmodSync(path, 0o755);
      return path;
    };
    for (const hook of hooks) {
      const path = join(repository.root, ".git", "hooks", hook);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\ntouch ${marks}/${hook}\n`);
      chmodSync(path, 0o755);
    }
    for (const name of [
      ...[
        "core.pager",
        "core.editor",
        "sequence.editor",
        "core.fsmonitor",
        "core.sshCommand",
        "core.gitProxy",
      ],
      ...[
        "core.askPass",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.bad.command",
        "diff.bad.textconv",
      ],
      ...["filter.bad.clean", "filter.bad.smudge", "filter.bad.process", "merge.bad.driver", "gpg.program"],
      ...[
        "pager.blame",
        "pager.notes",
        "interactive.diffFilter",
        "credential.helper",
        "remote.evil.uploadpack",
      ],
    ])
      repository.run("config", name, program(name));
    for (const [name, value] of [
      ["notes.displayRef", "refs/notes/*"],
      ["notes.rewriteRef", "refs/notes/*"],
      ["commit.gpgSign", "true"],
      ["log.showSignature", "true"],
      ["core.notesRef", "refs/notes/other"],
      ["alias.cat-file", `!${program("alias")}`],
      ["remote.evil.url", repository.root],
      ["remote.evil.promisor", "true"],
      ["extensions.partialClone", "evil"],
    ])
      repository.run("config", name ?? "", value ?? "");
    writeFileSync(join(repository.root, ".git", "info", "attributes"), "* filter=bad diff=bad merge=bad\n");
    const ran = () => readdirSync(marks);
    for (const each of ran()) rmSync(join(marks, each));
    return { repository, first, second, third, ran };
  }

  it("is read and gets its note, and none of them runs", async () => {
    const { repository, second, third, ran } = await hostile();
    const text = `${written}C\n`;
    const missing = "1".repeat(40);
    const notedNow = await noteCommits(repository, second, third, by({ "a.txt": [wrote(text, 5, 6)] }));
    assert.deepEqual(notedNow, [third]);
    assert.deepEqual(await linesIn(repository, third, "a.txt"), [6]);
    const origin = await originOfLine(repository, { commit: third, line: 3, path: "a.txt" });
    assert.deepEqual(origin, { commit: second, line: 3, path: "a.txt" });
    assert.deepEqual(await readTexts(repository, [missing, `${third}:a.txt`], 1000), [undefined, text]);
    assert.deepEqual(ran(), []);
  });

  it("would run them for the usual command, so that the test above can fail", async () => {
    const { repository, first, ran } = await hostile();
    repository.run("notes", "--ref=refs/notes/ai", "add", "-m", "a note", first);
    assert.ok(ran().includes("reference-transaction"));
    assert.ok(existsSync(repository.root));
  });
});
