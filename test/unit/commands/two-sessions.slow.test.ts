// Two sessions of one window whose models run commands in the same folder at the same time: each has its own proposals, its own
// questions and its own Stop. Their calls have the same ids, as those of some models do.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import type { Check } from "../../../src/checks/check.ts";
import type { Sandbox } from "../../../src/checks/internal/sandbox/sandbox.ts";
import type { ToolPart } from "../../../src/conversation/state.ts";
import type { Session } from "../../../src/session/session.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { openCommandApp } from "../../support/command-app.ts";

const never = new AbortController().signal;
const id = "call_1";

interface Side {
  readonly session: Session;
  /** Each state of its rows. */
  readonly rows: ToolPart[];
  /** Begins a turn whose model makes this call; resolves when the turn has ended. */
  begin(command: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Resolves once a row of it is in this state. */
  until(fits: (row: ToolPart) => boolean): Promise<void>;
  pending(): Promise<Readonly<Record<string, string>>>;
}

async function twoSessions(t: TestContext, options: Parameters<typeof openCommandApp>[1] = {}) {
  // Nobody answers unless a test does.
  const opened = await openCommandApp(t, { answer: () => undefined, ...options });
  const { app } = opened;
  const sideOf = (session: Session): Side => {
    const rows: ToolPart[] = [];
    const waiting = new Set<() => void>();
    session.onEvent((event) => {
      if (event.type !== "tool") return;
      const { turn: _, ...row } = event;
      rows.push(row);
      for (const look of waiting) look();
    });
    return {
      session,
      rows,
      async begin(command, more = {}) {
        app.sim.reply(call("run_command", { command, ...more }, { callId: id }));
        await session.send({ prompt: "Run it." });
      },
      until: (fits) =>
        new Promise((resolve) => {
          const look = () => {
            if (!rows.some(fits)) return;
            waiting.delete(look);
            resolve();
          };
          waiting.add(look);
          look();
        }),
      async pending() {
        const overlaid = await session.patches.changes.overlaid();
        return Object.fromEntries(overlaid.map(([{ path }, state]) => [path, state?.text ?? "deleted"]));
      },
    };
  };
  return { ...opened, one: sideOf(app.session), other: sideOf(app.registry.create().session) };
}

const isAsked = ({ status }: ToolPart) => status === "asked";
const isRunning = ({ status }: ToolPart) => status === "running";
const hasOutput = ({ status, output = "" }: ToolPart) => status === "running" && output.includes("\n");
/** What its commands have printed, without how they ended. */
const outputs = ({ rows }: Side) =>
  rows.flatMap(({ status, output = "" }) =>
    status === "done" ? [output.split("\n").slice(1).join("\n").split("\nWhat it changed:", 1)[0]] : [],
  );

async function propose({ session }: Side, { reply }: Pick<Simulator, "reply">, line: string) {
  reply(patchCall(`*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+${line}\n*** End Patch\n`));
  reply(text("Proposed."));
  await session.send({ prompt: "Change it." });
}

describe("two sessions of one window", () => {
  test("run commands and checks at once, and each sees and changes its own proposal alone", async (t) => {
    const { app, copies, workspace, one, other } = await twoSessions(t);
    await propose(one, app.sim, "of one");
    await propose(other, app.sim, "of the other");
    const check: Check = {
      ...{ id: "c", name: "c", command: "cat a.txt; ls; exit 1" },
      ...{ kind: "static", folder: "work", blind: [] },
    };
    const begun: Promise<unknown>[] = [];
    for (const [side, name] of [
      [one, "one"],
      [other, "other"],
    ] as const) {
      begun.push(side.begin(`cat a.txt; ls; echo ${name} > new.txt; echo ${name} > ${name}.txt`));
      await side.until(isAsked);
    }
    const checked = copies.withCopy([], (copy) => copy.baseline(check, never), never);
    for (const _ of begun) app.sim.reply(text("Done."));
    other.session.decide(id, { kind: "accept" });
    one.session.decide(id, { kind: "accept" });
    await Promise.all(begun);
    assert.deepEqual(outputs(one), ["of one\na.txt"]);
    assert.deepEqual(outputs(other), ["of the other\na.txt"]);
    assert.deepEqual(await one.pending(), { "a.txt": "of one\n", "new.txt": "one\n", "one.txt": "one\n" });
    assert.deepEqual(await other.pending(), {
      ...{ "a.txt": "of the other\n", "new.txt": "other\n", "other.txt": "other\n" },
    });
    assert.match(JSON.stringify(await checked), /one\\na\.txt/);
    assert.equal(workspace.text("work/a.txt"), "one\n");
    assert.equal(workspace.text("work/new.txt"), undefined);
  });

  test("ask each for itself: what is answered in one answers nothing in the other", async (t) => {
    const { app, one, other } = await twoSessions(t);
    const first = one.begin("echo of one");
    await one.until(isAsked);
    const second = other.begin("echo of the other");
    await other.until(isAsked);
    app.sim.reply(text("Done."));
    one.session.decide(id, { kind: "accept" });
    await first;
    assert.deepEqual(outputs(one), ["of one"]);
    assert.deepEqual(
      other.rows.map(({ status }) => status),
      ["asked"],
    );
    app.sim.reply(text("Then not."));
    other.session.decide(id, { kind: "reject" });
    await second;
    assert.deepEqual(other.rows.map(({ status }) => status).at(-1), "refused");
  });

  test("share what is allowed for a folder in the sandbox, and nothing that was allowed once or for the network", async (t) => {
    const sandbox: Sandbox = {
      overlays: true,
      run: async () => ({ end: "done", code: 0, output: "", seconds: 0.1 }),
    };
    const { app, one, other, allowed } = await twoSessions(t, { sandbox, mode: "sandbox" });
    const runs = async (side: Side, always: boolean, more = {}) => {
      const before = side.rows.filter(isAsked).length;
      const ending = side.begin("npm test", more);
      const asked = side.until((row) => isAsked(row) && side.rows.filter(isAsked).length > before);
      app.sim.reply(text("Done."));
      if ((await Promise.race([asked.then(() => "asked"), ending])) !== "asked") return false;
      side.session.decide(id, { kind: "accept", ...(always && { always }) });
      await ending;
      return true;
    };
    assert.equal(await runs(one, false), true);
    assert.equal(await runs(other, false), true, "once is for one call");
    assert.equal(await runs(one, true), true);
    assert.deepEqual(allowed, ["work"]);
    assert.equal(await runs(other, false), false, "the folder was allowed, not the session");
    assert.equal(await runs(one, true, { network: true }), true);
    assert.equal(await runs(other, false, { network: true }), true);
  });

  test("ask while a command of the other one still runs", async (t) => {
    const { app, one, other } = await twoSessions(t);
    const first = one.begin("echo begun; sleep 60");
    await one.until(isAsked);
    one.session.decide(id, { kind: "accept" });
    await one.until(hasOutput);
    const second = other.begin("echo mine");
    await other.until(isAsked);
    assert.equal(one.session.isRunning, true);
    for (const _ of [first, second]) app.sim.reply(text("Done."));
    other.session.decide(id, { kind: "reject" });
    one.session.decide(id, { kind: "stop" });
    await Promise.all([first, second]);
  });

  test("are stopped each by itself: Stop This Command and Stop in one leave the other's command alone", async (t) => {
    const { app, storage, one, other } = await twoSessions(t, {
      answer: () => ({ kind: "accept" }),
    });
    const go = join(storage, "go");
    const answerOther = other.session.onEvent((event) => {
      if (event.type === "tool" && event.status === "asked")
        queueMicrotask(() => other.session.decide(id, { kind: "accept" }));
    });
    t.after(() => answerOther.dispose());
    const first = one.begin("echo begun; sleep 60");
    await one.until(hasOutput);
    // There is one copy of the folder: the other's command waits for it.
    const second = other.begin("echo mine; cat a.txt");
    await other.until(isRunning);
    for (const _ of [first, second]) app.sim.reply(text("Done."));
    one.session.decide(id, { kind: "stop" });
    await Promise.all([first, second]);
    assert.deepEqual(outputs(other), ["mine\none"]);
    assert.deepEqual(
      [one, other].map(({ session }) => session.state.turns.at(-1)?.status),
      ["done", "done"],
    );

    one.rows.length = 0;
    other.rows.length = 0;
    const third = one.begin(`echo begun; until [ -e ${go} ]; do sleep 0.05; done; echo whole`);
    await one.until(hasOutput);
    const fourth = other.begin("echo never");
    await other.until(isRunning);
    other.session.stop();
    await fourth;
    assert.equal(one.session.isRunning, true);
    app.sim.reply(text("Done."));
    writeFileSync(go, "");
    await third;
    assert.deepEqual(outputs(one), ["begun\nwhole"]);
    assert.deepEqual(outputs(other), []);
    assert.deepEqual(
      [one, other].map(({ session }) => session.state.turns.at(-1)?.status),
      ["done", "stopped"],
    );
  });
});
