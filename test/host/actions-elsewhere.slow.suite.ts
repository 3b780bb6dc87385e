// Actions where there is no code: on what is staged, and on what a terminal shows.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import {
  type Action,
  type Ask,
  chooseCompanions,
  createAsk,
  createExplainTerminal,
} from "../../src/editor/actions/ask.ts";
import { createCommitMessage } from "../../src/editor/actions/internal/commit-message-box.ts";
import { attachDiffOf, changedFiles } from "../../src/editor/attach/attach-commands.ts";
import { createReadTerminal } from "../../src/editor/attach/terminal-text.ts";
import { failed, text } from "../sim/script.ts";
import { put, uriOf } from "./support/files.ts";
import { openTerminal } from "./support/heard.ts";
import { openRepository, type TestRepository } from "./support/repository.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const noteContext = async () => undefined;

describe("actions without code", () => {
  let listed: Action[] = [];
  /** The buttons beside what was said of failures. */
  let told: string[] = [];
  /** Hears how many turns a task has that is gone on with in the chat. */
  let continued: (turns: number) => void;

  const review = reviewForEach(() => {
    listed = [];
    told = [];
  });

  const ask: Ask = (action) => {
    listed.push(action);
    return createAsk({
      noteContext,
      session: () => review.session,
      begin: async () => {},
      quietTask: () => review.registry.bareTask(),
      async continueInChat(session) {
        await session.continueInChat();
        const lease = await review.registry.open(session.id);
        continued(lease.session.state.turns.length);
        await lease.release();
      },
      async tell(_, button) {
        told.push(button);
        return button;
      },
      report: () => undefined,
      showChat: async () => undefined,
      act: () => undefined,
      settings: () => ({ editModel: "", outputTokens: undefined, listsContext: true }),
      choose: async (_, companions) => companions.map(({ attachment }) => attachment),
    })(action);
  };

  describe("staged changes", () => {
    let repository: TestRepository;

    before(async () => {
      repository = await openRepository("staged");
    });

    beforeEach(async () => {
      repository.git("reset", "--hard");
      repository.inputBox.value = "";
    });

    const stage = async (words: string) => {
      await put("staged/first.txt", words);
      repository.git("add", ".");
    };
    const write = (answer?: string, evidence: readonly string[] = []) => {
      const asked: string[] = [];
      const choose = async (question: string) => {
        asked.push(question);
        return answer;
      };
      return { asked, run: createCommitMessage({ ask, choose, evidenceOf: async () => evidence }) };
    };

    it("writes a commit message into the input box and commits nothing", async () => {
      await stage("one\ntwo\n");
      review.sim.reply(text("```\nAdd a second line\n```"));
      const { asked, run } = write();
      await run(repository);
      assert.equal(repository.inputBox.value, "Add a second line");
      assert.deepEqual(asked, []);
      const sent = JSON.stringify(review.sim.requests.at(-1)?.body["input"]);
      assert.match(sent, /\+two/);
      // Nothing but instructions and diff, and in nobody's conversation.
      const { body, raw } = review.sim.requests.at(-1) ?? assert.fail();
      assert.deepEqual([body["tools"], review.session.state.turns], [undefined, []]);
      assert.ok(raw.length < 3000, `${raw.length} bytes`);
    });

    it("puts what was checked below the message, in lines of its own", async () => {
      await stage("one\ntwo\n");
      review.sim.reply(text("Add a second line"));
      const { run } = write(undefined, ["Checks before staged/first.txt was accepted: tests ✓"]);
      await run(repository);
      assert.equal(
        repository.inputBox.value,
        "Add a second line\n\nChecks before staged/first.txt was accepted: tests ✓",
      );
    });

    for (const [answer, box] of [
      [undefined, "WIP: mine"],
      ["Replace", "Add a line"],
      ["Put Below", "WIP: mine\n\nAdd a line"],
    ] as const)
      it(`asks about a message in the input box and handles the choice of ${answer ?? "nothing"}`, async () => {
        await stage("one\ntwo\n");
        repository.inputBox.value = "WIP: mine";
        review.sim.reply(text("Add a line"));
        const { asked, run } = write(answer);
        await run(repository);
        assert.equal(repository.inputBox.value, box);
        assert.equal(asked.length, 1);
      });

    it("describes all changes, including new files, when nothing is staged", async () => {
      await put("staged/first.txt", "one\nnot staged\n");
      await put("staged/brand-new.txt", "all of it is new\n");
      review.sim.reply(text("Add two things"));
      await write().run(repository);
      assert.equal(repository.inputBox.value, "Add two things");
      const sent = JSON.stringify(review.sim.requests.at(-1)?.body["input"]);
      assert.match(sent, /\+not staged/);
      assert.match(sent, /all of it is new/);
      repository.git("clean", "--force");
    });

    it("reports when nothing has changed, and keeps the input box unchanged after a failed response", async () => {
      await assert.rejects(write().run(repository), /There are no changes to commit/);
      assert.equal(review.sim.requests.length, 0);
      await stage("one\ntwo\n");
      review.sim.reply(failed());
      const turns = new Promise<number>((resolve) => {
        continued = resolve;
      });
      await write().run(repository);
      assert.equal(repository.inputBox.value, "");
      assert.deepEqual([told, await turns], [["Continue in Chat"], 1]);
    });

    it("sends nothing of a file on the ignore list", async () => {
      await put("staged/.env", "CANARY=secret-of-the-file\n");
      await put("staged/plans/next.txt", "CANARY=secret-of-the-file\n");
      await put(".patchbayignore", "/staged/plans\n");
      await stage("one\ntwo\n");
      repository.git("add", "-f", ".env");
      review.sim.reply(text("Add a line"));
      const before = review.sim.requests.length;
      await write().run(repository);
      const sent = review.sim.requests.slice(before).map(({ raw }) => raw.toString());
      assert.match(sent.join("\n"), /two/);
      for (const each of sent) assert.doesNotMatch(each, /secret-of-the-file/);
      await vscode.workspace.fs.delete(uriOf(".patchbayignore"));
    });

    it("attaches only the diffs of the selected files", async () => {
      await put("staged/other.txt", "other\n");
      await stage("one\ntwo\n");
      await put("staged/first.txt", "one\ntwo\nthree\n");
      await put("staged/new.txt", "new\n");
      const line = (path: string, resourceGroupType: number) => ({
        resourceUri: uriOf(`staged/${path}`),
        resourceGroupType,
      });
      const selected = changedFiles([line("first.txt", 1), [line("first.txt", 2)], line("new.txt", 2), "x"]);
      const attached = await attachDiffOf(selected);
      assert.deepEqual(
        attached.map((each) => [each.kind, "name" in each ? each.name : "path" in each && each.path]),
        [
          ["diff", "Staged changes: first.txt"],
          ["diff", "Unstaged changes"],
          ["file", "staged/new.txt"],
        ],
      );
      const [staged, unstaged] = attached.map((each) => ("text" in each ? each.text : ""));
      assert.match(staged ?? "", /^\+two$/m);
      assert.doesNotMatch(staged ?? "", /other/);
      assert.match(unstaged ?? "", /^\+three$/m);
    });
  });

  it("explains a terminal's output and lists it first when nothing is selected", async () => {
    const { terminal, write } = await openTerminal("Build");
    write("npm test\r\n1 failed: total adds nothing\r\n");
    const before = await vscode.env.clipboard.readText();
    review.sim.reply(text("A test fails."));
    const readTerminal = createReadTerminal();
    const shown = () =>
      readTerminal().then(
        ({ attachment }) => JSON.stringify(attachment),
        () => "",
      );
    // A terminal draws in its own time, and nobody says when it has.
    while (!(await shown()).includes("total adds nothing"));
    const [first, second] = await Promise.all([readTerminal(), readTerminal()]);
    assert.deepEqual(first, second, "the same for both who ask at once");
    assert.equal(await vscode.env.clipboard.readText(), before);
    await createExplainTerminal(ask, readTerminal)();
    const [action] = listed;
    assert.equal(action?.list, "always");
    assert.match(JSON.stringify(action?.companions), /1 failed: total adds nothing/);
    assert.equal(review.session.state.turns[0]?.prompt, "/terminal Build");
    assert.equal(await vscode.env.clipboard.readText(), before);
    terminal.dispose();
  });

  it("preselects everything that may be sent and accepts it on Enter", async () => {
    await put("listed/code.txt", "one\n");
    await put("listed/.env", "CANARY=secret-of-the-file\n");
    const companions = ["listed/code.txt", "listed/.env"].map((path) => ({
      role: "selection",
      attachment: { kind: "file", path } as const,
    }));
    const chosen = chooseCompanions("Explain", companions, review.session);
    let answer: readonly unknown[] | undefined | "waiting" = "waiting";
    chosen.then((each) => {
      answer = each;
    });
    while (answer === "waiting") {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    }
    assert.deepEqual(answer, [{ kind: "file", path: "listed/code.txt" }]);
  });
});
