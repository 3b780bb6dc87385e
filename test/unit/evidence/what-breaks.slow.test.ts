// What breaks a check, on the real copy of a folder: found by running it, offered as it ran, sent back with its output.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { CheckHost } from "../../../src/checks/check.ts";
import type { CheckFinding } from "../../../src/checks/check-result.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import { describeBreaking } from "../../../src/evidence/internal/breaking-report.ts";
import type { WhatBreaks } from "../../../src/evidence/what-breaks.ts";
import { patchCall, text } from "../../sim/script.ts";
import { type CheckCommand, checkHostOf, openChecks } from "../../support/proposal-checks.ts";
import { openRealFolder } from "../../support/real-folder.ts";
import { removeFolder } from "../../support/remove-folder.mjs";
import { openTestApp } from "../../support/test-app.ts";

const never = new AbortController().signal;
const files = ["a.txt", "b.txt", "c.txt"];
const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);

/** Fails for each line that says bad, and for each that says left while another one says right. */
const script = `
wrong=bad
if grep -q right ${files.join(" ")}; then wrong='bad|left'; fi
found=$(grep -nE "$wrong" ${files.join(" ")}) || exit 0
echo "$found" | sed 's/:\\([0-9]*\\):/:\\1:1: error: /'
exit 1
`;

/** Changes three lines of each of three files, in one patch; what the nine become is told. */
function patchOf(words: readonly string[]): string {
  const sections = files.map((name, file) => {
    const hunks = [5, 15, 25].map((line, at) =>
      [`@@`, ` line ${line - 1}`, `-line ${line}`, `+${words[file * 3 + at]}`, ` line ${line + 1}`].join(
        "\n",
      ),
    );
    return [`*** Update File: ${name}`, ...hunks].join("\n");
  });
  return ["*** Begin Patch", ...sections, "*** End Patch"].join("\n");
}

async function setUp(
  t: TestContext,
  words: readonly string[],
  {
    commands = ["sh check.sh"],
    change = (host) => host,
  }: {
    readonly commands?: readonly CheckCommand[];
    change?(host: CheckHost): CheckHost;
  } = {},
) {
  const home = mkdtempSync(join(tmpdir(), "patchbay-breaks-"));
  const root = join(home, "work");
  mkdirSync(root);
  for (const name of files) writeFileSync(join(root, name), `${lines.join("\n")}\n`);
  writeFileSync(join(root, "check.sh"), script);
  const checks = openChecks(root, commands);
  let revision = 0;
  const app = await openTestApp(t, {
    workspace: openRealFolder(root),
    defaultModel: () => "svc-k3",
    checkHost: change(checkHostOf(checks, () => revision)),
  });
  t.after(async () => {
    await checks.close();
    await removeFolder(home);
  });
  app.sim.reply(patchCall(patchOf(words)));
  for (let round = 0; round < 3; round++) app.sim.reply(text("Done."));
  await app.session.send({ prompt: "Change it." });
  const { breaking, changes, checks: own } = app.session.patches;
  assert.ok(breaking !== undefined && own !== undefined);
  const said: string[] = [];
  breaking.onDidChange(() => breaking.state && said.push(inEnglish(breaking.state.said)));
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  const touch = () => {
    revision += 1;
  };
  return { app, breaking, changes, own, said, read, touch };
}

const good = Array.from({ length: 9 }, (_, at) => `good ${at}`);
const withWords = (words: Readonly<Record<number, string>>) => good.map((each, at) => words[at] ?? each);

function found(state: WhatBreaks | undefined) {
  assert.equal(state?.kind, "found", state && inEnglish(state.said));
  assert.ok(state?.kind === "found");
  return state;
}

test("what breaks is found by running the check, and the rest is accepted as it passed", async (t) => {
  const { app, breaking, changes, said, read } = await setUp(t, withWords({ 4: "bad 4" }));
  assert.ok(breaking.canFind);
  await breaking.find();
  const { passing, rest, report, places, said: sentence } = found(breaking.state);
  assert.equal(inEnglish(sentence), "Breaks sh check.sh: b.txt:16");
  assert.deepEqual(said.slice(0, 2), ["Preparing the copy…", "Run 1 of at most 12: 4 of 9 changes"]);
  assert.deepEqual([passing?.length, rest.length, places], [8, 1, [{ path: "b.txt", line: 16 }]]);
  assert.match(
    report,
    /^Of your proposed changes, these break a check:\n- b\.txt:16\n8 other proposed changes pass sh check\.sh without them\./,
  );
  assert.ok(
    report.includes("b.txt:16:1  bad 4") && report.includes("+bad 4") && !report.includes("good"),
    report,
  );
  await breaking.accept(async (hunks) => (await changes.accept(hunks)).outcome === "done");
  assert.deepEqual(
    files.map((name) => read(name).match(/good|bad/g)?.length),
    [3, 2, 3],
  );
  assert.equal(found(breaking.state).passing, undefined, "what is left can still be sent back");
  app.sim.reply(text("I see."));
  await app.session.sendBreaking();
  const sent = app.sim.requests.at(-1)?.raw.toString("utf8") ?? "";
  assert.ok(sent.includes("bad 4") && sent.includes("Repair or replace the changes that break the check"));
  assert.equal(breaking.state, undefined);
});

test("what is accepted keeps the results of the run that has passed, once", async (t) => {
  const { breaking, changes } = await setUp(t, withWords({ 4: "bad 4" }));
  await breaking.find();
  let times = 0;
  await breaking.accept(async (hunks) => {
    times += 1;
    await breaking.accept(async () => {
      times += 1;
      return false;
    });
    return (await changes.accept(hunks)).outcome === "done";
  });
  assert.equal(times, 1);
  assert.equal(found(breaking.state).passing, undefined, "what is left can still be sent back");
  const [file] = changes.pending;
  assert.ok(file);
  const [written] = await changes.writtenIn(file.change.file);
  assert.deepEqual(written?.acceptance?.proof.map(inEnglish), ["sh check.sh ✓"]);
});

test("what a rule accepts while a person is asked keeps no result of a run that it was not alone in", async (t) => {
  const { breaking, changes } = await setUp(t, withWords({ 4: "bad 4" }));
  await breaking.find();
  const [first = ""] = found(breaking.state).passing ?? [];
  await breaking.accept(async (hunks) => {
    // The question is open; of what it is about, another one is accepted meanwhile.
    assert.equal((await changes.accept([first])).outcome, "done");
    return (await changes.accept(hunks)).outcome === "done";
  });
  const file = changes.pending.find(({ id }) => first.startsWith(`${id}:`))?.change.file;
  assert.ok(file);
  const [written] = await changes.writtenIn(file);
  assert.deepEqual(written?.acceptance?.proof.map(inEnglish), ["sh check.sh ✗ 1 new"]);
});

test("what a run of a part has changed outside of the copy is said with the result", async (t) => {
  const { breaking } = await setUp(t, withWords({ 4: "bad 4" }), {
    change: (host) => ({
      ...host,
      withCopy: (folder, overlaid, use, signal, search) =>
        host.withCopy(
          folder,
          overlaid,
          (copy) => {
            const run: typeof copy.run = async (check, stop, part) => ({
              ...(await copy.run(check, stop, part)),
              ...(part !== undefined && { touched: ["a.txt"] }),
            });
            return use({ ...copy, run });
          },
          signal,
          search,
        ),
    }),
  });
  await breaking.find();
  assert.equal(
    inEnglish(found(breaking.state).said),
    "Breaks sh check.sh: b.txt:16 · While it ran, files of the workspace itself changed: a.txt.",
  );
});

test("the model is told the output unless each finding has its line", () => {
  const told = (...findings: CheckFinding[]) =>
    describeBreaking({
      ...{ part: undefined, places: [[{ path: "a.py", line: 3 }]], ran: ["tests"], passing: 0, isAll: true },
      nameOf: ({ path }) => path,
      runs: [
        [
          {
            result: { id: "t", name: "tests", kind: "tests", state: "new-findings", findings },
            output: "E   assert 1 == 2\n",
          },
        ],
      ],
    }).split("\n");
  assert.deepEqual(told({ path: "a.py", line: 3, text: "wrong" }).slice(2), [
    "New with them in tests:",
    "a.py:3  wrong",
  ]);
  assert.deepEqual(told({ path: "a.py", text: "test_add" }).slice(2), [
    "New with them in tests:",
    "a.py  test_add",
    "E   assert 1 == 2",
  ]);
});

test("two that break only together are both named, and one of them is enough to leave out", async (t) => {
  const { breaking } = await setUp(t, withWords({ 1: "left", 7: "right" }));
  await breaking.find();
  const { passing, rest, said } = found(breaking.state);
  assert.match(inEnglish(said), /^Breaks sh check\.sh: c\.txt:16 \+ a\.txt:16$/);
  assert.deepEqual([passing?.length, rest.length], [8, 1]);
});

test("what is offered has passed all checks, not only those that failed", async (t) => {
  const all = "! grep -q 'good 8' c.txt || grep -q bad a.txt";
  const { breaking } = await setUp(t, withWords({ 1: "bad 1" }), { commands: ["sh check.sh", all] });
  await breaking.find();
  const { passing } = found(breaking.state);
  assert.equal(passing?.length, 7, "the one that the other check needs is left out as well");
});

test("a search stops when the proposal or the files change, and says so", async (t) => {
  const { breaking, changes, touch, own } = await setUp(t, withWords({ 4: "bad 4" }));
  const searching = breaking.find();
  breaking.onDidChange(() => {
    if (breaking.state?.kind !== "running" || !inEnglish(breaking.state.said).startsWith("Run 2")) return;
    const [first] = changes.pending.flatMap(({ hunks }) => hunks);
    void changes.reject([first?.id ?? ""]);
  });
  await searching;
  assert.ok(breaking.state?.kind === "ended");
  assert.equal(
    inEnglish(breaking.state.said),
    "The search stopped because the changes or files are different now.",
  );
  assert.ok(!breaking.canFind, "the results are those of another state");
  touch();
  await own.run(never);
  assert.deepEqual([breaking.state, breaking.canFind], [undefined, true]);
});

test("a search is stopped by the person, and can begin again", async (t) => {
  const { breaking } = await setUp(t, withWords({ 4: "bad 4" }));
  const searching = breaking.find();
  breaking.onDidChange(() => breaking.stop());
  await searching;
  assert.ok(breaking.state?.kind === "ended");
  assert.deepEqual([inEnglish(breaking.state.said), breaking.canFind], ["The search was stopped.", true]);
});

test("a search lets somebody else use the copy between two runs, and goes on with its own texts", async (t) => {
  let host: CheckHost | undefined;
  const { breaking } = await setUp(t, withWords({ 4: "bad 4" }), {
    change: (own) => {
      host = own;
      return own;
    },
  });
  const seen: string[] = [];
  let other: Promise<unknown> | undefined;
  const listening = breaking.onDidChange(() => {
    if (breaking.state === undefined || !inEnglish(breaking.state.said).startsWith("Run 1 ")) return;
    listening.dispose();
    other = host?.withCopy(
      "work",
      [],
      async (copy) => {
        const [check] = (await host?.checks([])) ?? [];
        assert.ok(check);
        const { output } = await copy.run({ ...check, command: "cat b.txt; ls" }, never);
        seen.push(`other: ${output.includes("line 15")} ${/good|bad/.test(output)}`);
      },
      never,
    );
  });
  await breaking.find();
  seen.push("found");
  await other;
  assert.deepEqual(seen, ["other: true false", "found"]);
  const { passing, places } = found(breaking.state);
  assert.deepEqual([passing?.length, places], [8, [{ path: "b.txt", line: 16 }]]);
  // What the search had in the copy is gone.
  let left = "";
  await host?.withCopy(
    "work",
    [],
    async (copy) => {
      const [check] = (await host?.checks([])) ?? [];
      assert.ok(check);
      left = (await copy.run({ ...check, command: "cat a.txt b.txt c.txt" }, never)).output;
    },
    never,
  );
  assert.equal(/good|bad/.test(left), false);
});

test("a check that waits for the copy says so in its row, and no longer once it runs", async (t) => {
  let host: CheckHost | undefined;
  const { own } = await setUp(t, withWords({ 4: "bad 4" }), {
    change: (given) => {
      host = given;
      return given;
    },
  });
  let free = () => {};
  const held = host?.withCopy("work", [], () => new Promise<void>((resolve) => (free = resolve)), never);
  const said = () => own.results.map(({ state, why }) => `${state} ${why?.code}`);
  const told = new Promise<void>((resolve) => {
    own.onDidChange(() => said().includes("running checkInLine") && resolve());
  });
  const running = own.run(never, { which: "all" });
  await told;
  free();
  await Promise.all([held, running]);
  assert.deepEqual(said(), ["new-findings undefined"]);
});

test("without a sandbox, a search runs nothing that nobody has agreed to", async (t) => {
  const none = async () => ({ kind: "none", why: message("sandboxMissing") }) as const;
  let isAlways = true;
  const ran: string[] = [];
  const { breaking, own } = await setUp(t, withWords({ 4: "bad 4" }), {
    change: (host) => ({
      ...host,
      confinement: none,
      checks: async (overlaid) => (await host.checks(overlaid)).map((check) => ({ ...check, isAlways })),
      withCopy: (folder, overlaid, use, signal, search) =>
        host.withCopy(
          folder,
          overlaid,
          (copy) =>
            use({
              ...copy,
              run: (check, stop, part) => {
                ran.push(check.name);
                return copy.run(check, stop, part);
              },
            }),
          signal,
          search,
        ),
    }),
  });
  assert.equal(ran.length > 0, true);
  isAlways = false;
  await own.run(never);
  ran.length = 0;
  assert.ok(breaking.canFind);
  await breaking.find();
  assert.deepEqual(ran, []);
  assert.notEqual(breaking.state?.kind, "found");
  await breaking.find(own.state);
  assert.ok(ran.length > 0);
  found(breaking.state);
});
