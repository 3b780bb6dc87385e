// Commands in the real folder: who is asked and with what line, what the model hears, and what it never hears as success. The
// terminal is a fake one; the editor's own are in test/host.
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { CommandHost, TerminalEnd, TerminalRun } from "../../../src/commands/command-host.ts";
import type { Decision } from "../../../src/conversation/events.ts";
import { openCommandApp } from "../../support/command-app.ts";
import { english } from "../../support/english.ts";

interface Ran {
  readonly folder: string;
  readonly line: string;
}

interface TerminalAppOptions extends Omit<Parameters<typeof openCommandApp>[1] & object, "terminal"> {
  /** `false`: the shell never gets the line. */
  readonly isSent?: boolean;
}

/** A person with a terminal in which `run` happens. */
async function openTerminalApp(
  t: TestContext,
  run: (run: TerminalRun) => TerminalEnd | Promise<TerminalEnd>,
  { isSent = true, ...more }: TerminalAppOptions = {},
) {
  const ran: Ran[] = [];
  const terminal: CommandHost["runInTerminal"] = async (folder, asked) => {
    ran.push({ folder, line: asked.line });
    if (isSent) asked.onSent();
    return run(asked);
  };
  return { ran, ...(await openCommandApp(t, { ...more, terminal })) };
}

const real = (command: string, more: object = {}) => ({ command, real: true, ...more });
const done = (code?: number): TerminalEnd => ({ how: "ended", code });
/** Ends only when it is told to. */
const untilStopped = ({ signal }: TerminalRun) =>
  new Promise<TerminalEnd>((resolve) => {
    const stop = () => resolve({ how: "stopped" });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

describe("a command in the real folder", () => {
  test("asks each time with its exact line, whatever else is allowed, and is remembered nowhere", async (t) => {
    const answer = (): Decision => ({ kind: "accept", always: true });
    const app = await openTerminalApp(t, () => done(0), { answer });
    app.app.settings = {
      ...app.app.settings,
      tools: { user: new Map([["run_command", "auto"]]), workspace: new Map() },
    };
    await app.run(real("git push"), real("git push"));
    assert.deepEqual(
      app.asked().map(({ command }) => command),
      [
        { line: "git push", canEdit: true },
        { line: "git push", canEdit: true },
      ],
    );
    assert.match(english(app.asked()[0]?.message), /^Runs in a terminal in work itself, with your rights/);
    assert.deepEqual(app.allowed, []);
    assert.ok(app.rows.every(({ command }) => command?.allowedIn === undefined));
    assert.deepEqual(app.ran, [
      { folder: "work", line: "git push" },
      { folder: "work", line: "git push" },
    ]);
  });

  test("runs as the person has edited it, and the model is told that line", async (t) => {
    const app = await openTerminalApp(t, () => done(0), {
      answer: () => ({ kind: "accept", line: "git push --dry-run" }),
    });
    const [heard] = await app.run(real("git push --force"));
    assert.deepEqual(app.ran, [{ folder: "work", line: "git push --dry-run" }]);
    assert.match(heard ?? "", /^The user has changed the line to: git push --dry-run\nExit code 0 after/);
    assert.deepEqual(
      [app.ended()?.summary, app.ended()?.command?.line],
      ["git push --dry-run", "git push --dry-run"],
    );
  });

  test("keeps its line where an edit was not offered", async (t) => {
    const app = await openTerminalApp(t, () => done(0), {
      answer: () => ({ kind: "accept", line: "echo edited" }),
    });
    const [heard] = await app.run("echo copied");
    assert.match(heard ?? "", /\ncopied$/);
  });

  for (const [what, line] of [
    ["a line break", "echo a\nrm -rf ."],
    ["a carriage return", "echo a\rrm -rf ."],
    ["a tab, which completes", "cat \t\t"],
    ["an escape sequence", "echo \u001b[200~"],
    ["Ctrl+C", "echo \u0003"],
    ["letters that go backwards", "echo \u202emr"],
    ["a character of no width", "echo a\u200bb"],
  ] as const) {
    test(`is refused with ${what}, before anybody is asked`, async (t) => {
      const app = await openTerminalApp(t, () => done(0));
      const [heard] = await app.run(real(line));
      assert.match(heard ?? "", /^In the real folder runs only one line/);
      assert.deepEqual([app.ran, app.asked()], [[], []]);
    });

    test(`is refused with ${what} that the person has put in`, async (t) => {
      const app = await openTerminalApp(t, () => done(0), { answer: () => ({ kind: "accept", line }) });
      const [heard] = await app.run(real("echo a"));
      assert.match(heard ?? "", /^In the real folder runs only one line/);
      assert.deepEqual(app.ran, []);
    });
  }

  test("does not run when the person declines it", async (t) => {
    const app = await openTerminalApp(t, () => done(0), { answer: () => ({ kind: "reject" }) });
    await app.run(real("git push"));
    assert.deepEqual([app.ran, app.ended()?.status], [[], "refused"]);
  });

  for (const [what, end, told, said] of [
    ["an exit code", done(0), /^Exit code 0 after [\d.]+ s\./, /^In a terminal in work: Exit code 0, /],
    ["a failure", done(2), /^Exit code 2 after/, /: Exit code 2, /],
    [
      "an unknown exit code",
      done(),
      /unknown exit code: do not take that for success/,
      /: Exit code unknown$/,
    ],
    [
      "a closed terminal",
      { how: "closed" },
      /^Its terminal was closed\. The exit code is unknown: do not take that for success/,
      /closed before the command had ended$/,
    ],
  ] as const satisfies readonly (readonly [string, TerminalEnd, RegExp, RegExp])[])
    test(`is told how it ended: ${what}`, async (t) => {
      const app = await openTerminalApp(t, () => end);
      const [heard = ""] = await app.run(real("make"));
      assert.match(heard, told);
      assert.match(heard, /what it changed there stays/);
      assert.match(app.said(), said);
    });

  for (const [how, told, said] of [
    [
      "unsent",
      /^It has not run: the line waits .* You will not see its output or exit code\./,
      /not run yet\. The line waits there for your Enter\.$/,
    ],
    [
      "closed",
      /^It has not run: its terminal was closed before\.\n/,
      /: closed before the command could run$/,
    ],
    ["stopped", /^It has not run: the user stopped it before\.\n/, /You stopped this command\.$/],
  ] as const)
    test(`is never told as one that ran when the shell never got it: ${how}`, async (t) => {
      const app = await openTerminalApp(t, () => ({ how }), { isSent: false });
      const [heard = ""] = await app.run(real("make"));
      assert.match(heard, told);
      assert.doesNotMatch(heard, /what it changed there stays|exit code is unknown/);
      assert.match(app.said(), said);
    });

  test("shows its output while it arrives, without secrets and what only a terminal obeys", async (t) => {
    const [one, two] = ["ghp_1234567890abcdefgh", "ijklmnopqrstuvwx12"];
    let isShown = () => {};
    const shown = new Promise<void>((resolve) => (isShown = resolve));
    const app = await openTerminalApp(t, async ({ onOutput }) => {
      onOutput(`\u001b]633;C\u0007\u001b[31mtoken ${one}`);
      onOutput(`${two}\u001b[0m\r\n`);
      await shown;
      onOutput("end\r\n");
      return done(0);
    });
    app.app.session.onEvent((event) => {
      if (event.type === "tool" && event.output?.includes("removed")) isShown();
    });
    const [heard = ""] = await app.run(real("env"));
    assert.match(heard, /\ntoken \[.*removed.*\]\nend\nIt ran in the user's own folder/);
    for (const text of [heard, ...app.rows.map(({ output = "" }) => output)]) {
      assert.ok(!text.includes(one.slice(4)) && !text.includes(two), text);
      assert.doesNotMatch(text, /(?![\t\n])\p{Cc}/u);
    }
  });

  test("is cut in the middle for the model, and ended where it prints without end", async (t) => {
    const { run } = await openTerminalApp(t, ({ onOutput }) => {
      onOutput("first\n");
      for (let at = 0; at < 10_000; at++) onOutput("0123456789\n");
      onOutput("last\n");
      return done(0);
    });
    const [heard = ""] = await run(real("seq"));
    assert.match(heard, /\nfirst\n[\s\S]*bytes are left out here[\s\S]*\nlast\n/);
    assert.ok(Buffer.byteLength(heard) < 26 * 1024);
    const endless = await openTerminalApp(t, (asked) => {
      for (let at = 0; at < 500; at++) asked.onOutput("x".repeat(10_000));
      return untilStopped(asked);
    });
    const [told = ""] = await endless.run(real("yes"));
    assert.match(told, /^Ended after .* too much: output of more than 4,000,000 characters/);
  });

  test("ends at its time limit", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const app = await openTerminalApp(t, (asked) => {
      const end = untilStopped(asked);
      for (let step = 0; step < 4; step++) t.mock.timers.tick(250);
      return end;
    });
    const [heard] = await app.run(real("sleep 99", { seconds: 1 }));
    assert.match(heard ?? "", /^Ended by its time limit of 1 s\. There is no exit code\./);
  });

  test("has its whole time limit from when the shell gets it", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const app = await openTerminalApp(
      t,
      async (asked) => {
        for (let step = 0; step < 8; step++) t.mock.timers.tick(250);
        asked.onSent();
        return asked.signal.aborted ? { how: "stopped" } : done(0);
      },
      { isSent: false },
    );
    const [heard] = await app.run(real("true", { seconds: 1 }));
    assert.match(heard ?? "", /^Exit code 0 /);
  });

  test("is told how long it took, although the computer's clock was set meanwhile", async (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
    const app = await openTerminalApp(t, () => {
      t.mock.timers.setTime(Date.now() + 3_600_000);
      return done(0);
    });
    const [heard] = await app.run(real("true"));
    assert.match(heard ?? "", /^Exit code 0 after \d{1,2}(\.\d)? s\./);
  });

  test("is ended by Stop This Command, and not its turn", async (t) => {
    const app = await openTerminalApp(t, (asked) => {
      queueMicrotask(() => {
        for (const { call, status } of app.rows)
          if (status === "running") app.app.session.decide(call, { kind: "stop" });
      });
      return untilStopped(asked);
    });
    const [heard] = await app.run(real("sleep 99"));
    assert.match(heard ?? "", /^The user stopped this command\./);
    assert.match(app.said(), /You stopped this command\.$/);
    assert.equal(app.app.session.state.turns.at(-1)?.status, "done");
  });

  test("ends with its turn", async (t) => {
    let isEnded = false;
    const app = await openTerminalApp(t, async (asked) => {
      queueMicrotask(() => app.app.session.stop());
      const end = await untilStopped(asked);
      isEnded = true;
      return end;
    });
    await app.run(real("sleep 99"));
    assert.deepEqual([app.app.session.state.turns.at(-1)?.status, isEnded], ["stopped", true]);
  });

  for (const [what, options] of [
    ["in a workspace that is not trusted", {}],
    ["where commands are off", { mode: "off" }],
    ["without a sandbox, until the person switches commands on", { mode: "sandbox" }],
    ["for a model that writes its calls into its text", { model: "svc-k2.6" }],
  ] as const)
    test(`does not run ${what}`, async (t) => {
      const app = await openTerminalApp(t, () => done(0), options);
      if (what.includes("trusted")) app.workspace.trusted = false;
      await app.run(real("git push"));
      assert.deepEqual([app.ran, app.asked()], [[], []]);
    });

  test("does not run where there is no terminal, and nothing runs instead", async (t) => {
    const app = await openCommandApp(t);
    const [heard] = await app.run(real("touch b.txt"));
    assert.match(heard ?? "", /There is no terminal here/);
    assert.deepEqual([app.asked(), await app.pending()], [[], {}]);
  });
});
