// What a person is asked before parts of a proposal run on their computer.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { RunQuestion } from "../../src/checks/session-checks.ts";
import { allSentences } from "../../src/conversation/english.ts";
import { message } from "../../src/conversation/messages.ts";
import { registerMessages } from "../../src/editor/localize.ts";
import { createBreakingActions } from "../../src/evidence/editor/breaking-actions.ts";
import type { Session } from "../../src/session/session.ts";

describe("Find What Breaks", () => {
  const { showWarningMessage } = vscode.window;
  before(() => registerMessages(allSentences));
  afterEach(() => {
    vscode.window.showWarningMessage = showWarningMessage;
  });

  const question = (name: string): RunQuestion => ({
    check: { id: name, name, command: `npm run ${name}`, kind: "static", folder: "f", blind: [] },
    files: ["a.ts"],
    confinement: { kind: "none", why: message("sandboxMissing") },
  });

  async function find(questions: readonly string[], answers: readonly (string | undefined)[]) {
    const left = [...answers];
    vscode.window.showWarningMessage = (async () => left.shift()) as never;
    const done: string[] = [];
    const breaking = {
      version: 3,
      checks: questions,
      find: async (agreedTo?: string) => void done.push(`find ${agreedTo}`),
      stop: () => done.push("stop"),
    };
    const checks = { state: "state", questions: async () => questions.map(question) };
    const act = createBreakingActions({
      host: {
        allowAlways: async ({ name }) => void done.push(`always ${name}`),
        measure: async () => undefined,
      },
      accept: async () => true,
    });
    const session = { patches: { breaking, checks } } as unknown as Session;
    return { done, left, act: (...how: [Parameters<typeof act>[1], number?]) => act(session, ...how) };
  }

  it("runs at once where no check has to ask", async () => {
    const { done, act } = await find([], []);
    await act("find", 3);
    assert.deepEqual(done, ["find undefined"]);
  });

  it("asks once for each check that has to, and remembers Always", async () => {
    const { done, left, act } = await find(
      ["lint", "unit"],
      ["Always for This Command in This Folder", "Run"],
    );
    await act("find");
    assert.deepEqual([done, left], [["always lint", "find state"], []]);
  });

  it("runs nothing once one of them is declined", async () => {
    const { done, act } = await find(["lint", "unit"], ["Run", undefined]);
    await act("find", 3);
    assert.deepEqual(done, []);
  });

  it("does nothing about a state that is not shown any more, but always stops", async () => {
    const { done, act } = await find([], []);
    await act("find", 2);
    await act("stop", 2);
    assert.deepEqual(done, ["stop"]);
  });
});
