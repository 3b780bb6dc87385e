// `search_text` in the real window: by VS Code's own ripgrep it answers as by reading everything, through the same
// guards; what it did not look at it says; and a search that is stopped leaves no ripgrep behind.
import { strict as assert } from "node:assert";
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { guardFiles } from "../../src/files/guarded-files.ts";
import { Refusal } from "../../src/files/refusal.ts";
import type { LocalDisk, Workspace } from "../../src/files/workspace.ts";
import { searchFiles, searchText } from "../../src/tools/internal/search-text.ts";
import { createPattern } from "../../src/tools/ripgrep.ts";
import { callContext } from "../support/call-context.ts";
import {
  canary,
  makeSearchFolder,
  nameOfCase,
  type SearchCase,
  searchCases,
  smallOnly,
} from "../support/search-cases.ts";
import { leaveNothing, put, testWorkspace, type, uriOf } from "./support/files.ts";

const never = new AbortController().signal;
/** Everything lies in one folder of the workspace, but for the list of what is never sent. */
const [home, searched] = ["searching", "searching/here"];

const guard = (workspace: Workspace) => guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));

async function answer(workspace: Workspace, input: SearchCase, signal = never): Promise<string> {
  const path = input.path === undefined ? searched : `${searched}/${input.path}`;
  const prepared = searchText.prepare(JSON.stringify({ ...input, path }));
  try {
    return (await prepared.run(callContext(guard(workspace)), signal)).output;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.message;
  }
}

/** The window's own workspace, whose disk is asked in another way. */
function asking(mayHold: (disk: LocalDisk) => LocalDisk["mayHold"]): Workspace {
  const workspace = testWorkspace();
  assert(workspace.disk !== undefined);
  return { ...workspace, disk: { ...workspace.disk, mayHold: mayHold(workspace.disk) } };
}

describe("search_text in a window", function () {
  this.timeout(300_000);

  before(async () => {
    mkdirSync(uriOf(searched).fsPath, { recursive: true });
    makeSearchFolder(uriOf(searched).fsPath);
    await put(".patchbayignore", "private/\n*.hush\n");
    await type(`${searched}/deep/one.js`, 0, "typed alpha\nzzz\n");
  });

  after(async () => {
    await leaveNothing();
    for (const path of [home, ".patchbayignore"])
      rmSync(uriOf(path).fsPath, { recursive: true, force: true });
  });

  it("finds the same with ripgrep as by reading every file, and no secret", async () => {
    const ran: boolean[] = [];
    const quick = asking((disk) => async (place, query, take) => {
      const answered = await disk.mayHold(place, query, take);
      ran.push(answered);
      return answered;
    });
    const { disk: _, ...slow } = testWorkspace();
    // Reading opens nothing that the next search would then ask the editor for. Every seventh: without a window all are tried.
    const tried = searchCases.filter((_, at) => at % 7 === 0);
    for (const each of tried) {
      const [mine, plain] = [await answer(quick, each), await answer(slow, each)];
      assert.equal(smallOnly(mine), smallOnly(plain), nameOfCase(each));
      for (const text of [mine, plain])
        assert.ok(!text.includes(canary) || each.query === canary, nameOfCase(each));
    }
    assert.ok(ran.length > tried.length / 2, "it is mostly ripgrep that finds");
    assert.ok(ran.every((answered) => answered));
  });

  it("reports every limit that it reaches, and searches unsaved text instead of the disk", async () => {
    const found = await answer(testWorkspace(), { query: "alpha" });
    assert.match(found, /^searching\/here\/deep\/one\.js\n1:typed alpha$/m);
    assert.match(found, /^searching\/here\/large\.txt\n100004:alpha in the large one, \[secret removed\]/m);
    assert.match(found, /many\.txt\n(?:\d+:alpha crowd\n){50}\[10 more matches\]/);
    const { disk: _, ...slow } = testWorkspace();
    assert.match(await answer(slow, { query: "zzz" }), /\[Larger than 5 MB and not searched: 2 files/);
  });

  it("reports that there are more matches than it shows", async () => {
    const lines = "many lines\n".repeat(45);
    for (let at = 0; at < 5; at++) await put(`${searched}/more/${at}.txt`, lines);
    const found = await answer(testWorkspace(), { query: "many lines", path: "more" });
    assert.match(
      found,
      /^searching\/here\/more\/0\.txt\n1:many lines\n[\s\S]+4\.txt\n(?:\d+:.*\n){20}\[25 more matches\]\n\n\[To see more: .+\]$/,
    );
  });

  it("reports what ripgrep had found when it was ended, and that there may be more", async () => {
    const enough = new AbortController();
    const ended = asking((disk) => (place, query, take) => {
      const first = (paths: readonly string[]) => {
        take(paths);
        enough.abort();
      };
      return disk.mayHold(place, query, first);
    });
    const lines = createPattern("alpha", { regex: false, caseSensitive: true });
    const program = await ended.ripgrep?.();
    assert(program !== undefined);
    const time = { signal: never, due: never, enough: enough.signal };
    const wanted = { program, lines, pattern: undefined, context: 0, fits: () => true, time };
    const { output } = await searchFiles(guard(ended), searched, wanted);
    assert.match(output, /^searching\/here\/\S+\n\d+:.*\n[\s\S]*\[Not every file was looked into:/);
  });

  it("kills ripgrep when it is stopped", async () => {
    const throng = uriOf(`${searched}/throng`).fsPath;
    mkdirSync(throng);
    // More names than fit between two processes: ripgrep waits to be read while this one does something else.
    for (let at = 0; at < 8000; at++) writeFileSync(join(throng, `${"n".repeat(200)}${at}`), "stopped\n");
    const children: ChildProcess[] = [];
    const note = (message: unknown) => void children.push((message as { process: ChildProcess }).process);
    const stopping = new AbortController();
    const running: boolean[] = [];
    const stopped = asking((disk) => (place, query, take) => {
      subscribe("child_process", note);
      const asked = disk.mayHold(place, query, (paths) => {
        running.push(...children.map(({ exitCode, signalCode }) => exitCode === null && signalCode === null));
        stopping.abort();
        take(paths);
      });
      return asked.finally(() => unsubscribe("child_process", note));
    });
    await assert.rejects(answer(stopped, { query: "stopped", path: "throng" }, stopping.signal), {
      name: "AbortError",
    });
    const [child, ...others] = children;
    assert(child?.pid !== undefined && others.length === 0);
    assert.equal(running[0], true, "it was stopped while ripgrep ran");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    assert.equal(child.signalCode, "SIGKILL");
    assert.throws(() => process.kill(child.pid ?? 0, 0), { code: "ESRCH" });
  });
});
