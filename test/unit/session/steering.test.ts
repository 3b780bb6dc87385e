// What a person says while a turn works: handed to the model with its next step, shown there, and never lost.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConversationRecord } from "../../../src/conversation/events.ts";
import { steeredIn, wordsOf } from "../../../src/conversation/reduce.ts";
import type { Turn } from "../../../src/conversation/state.ts";
import { draftStateOf } from "../../../src/session/internal/session-draft.ts";
import type { UserInput } from "../../../src/session/internal/user-question.ts";
import { cutAfterEvents, holdBefore } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { call, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { lastBody, reading, startTalk, type Talk, type TalkOptions } from "../../support/talk.ts";
import { openTestApp, type TestApp, until } from "../../support/test-app.ts";

const readsFile = (callId = "c1") => call("read_file", { path: "a.ts" }, { callId });

/** A conversation in which the person says this as soon as the turn has begun. */
async function steeredTalk(said: readonly UserInput[], options: TalkOptions = {}): Promise<Talk> {
  const talk = await startTalk(options);
  talk.workspace.write("work/a.ts", "one\n");
  const listening = talk.onEvent(({ type }) => {
    if (type !== "started") return;
    listening.dispose();
    for (const [at, each] of said.entries()) void queueOf(talk).add(`said-${at}`, each);
  });
  return talk;
}

const queueOf = (talk: Talk) => talk.conversation.deps.queue;
const now = (prompt: string): UserInput => ({ prompt, delivery: "step" });
const later = (prompt: string): UserInput => ({ prompt, delivery: "turn" });
const types = (input: readonly Record<string, unknown>[]) => input.map(({ type }) => type);
const steered = (turn: Turn) => steeredIn(turn).map(({ prompt }) => prompt);

describe("a message for the next step", () => {
  it("is sent behind the results of the tools, and nothing before it changes", async () => {
    const talk = await steeredTalk([now("Use tabs."), later("And then?"), now("No comments.")]);
    talk.sim.reply(text("I look."), readsFile());
    talk.sim.reply(text("Done."));
    const turn = await talk.ask("Change a.ts.");
    const [first, second] = talk.bodies();
    assert.ok(first && second);
    assert.deepEqual(second.input.slice(0, first.input.length), first.input);
    assert.deepEqual(types(second.input).slice(first.input.length), [
      ...["message", "function_call", "function_call_output", "message", "message"],
    ]);
    assert.deepEqual(
      second.input.slice(-2).map(({ role, content }) => [role, content]),
      [
        ["user", "Use tabs."],
        ["user", "No comments."],
      ],
    );
    assert.deepEqual(reading(turn), [
      ...["text I look.", "read_file done", "steered Use tabs.", "steered No comments.", "text Done."],
    ]);
    assert.deepEqual(
      queueOf(talk).list.map(({ prompt }) => prompt),
      ["And then?"],
    );
    talk.sim.reply(text("Yes."));
    await talk.ask("Go on.");
    assert.deepEqual(talk.bodies()[2]?.input.slice(0, second.input.length), second.input);
  });

  it("is part of what a chat model is told", async () => {
    const talk = await startTalk();
    talk.workspace.write("work/a.ts", "one\n");
    const { sim } = talk;
    void queueOf(talk).add("said", now("Use tabs."));
    sim.reply(text("I look."), readsFile());
    sim.reply(text("Done."));
    const turn = await talk.ask("Change a.ts.", "svc-k2.6");
    assert.deepEqual(steered(turn), ["Use tabs."]);
    const messages = lastBody(talk).body["messages"] as { role: string; content: string }[];
    assert.equal(messages.at(-1)?.role, "user");
    assert.match(messages.at(-1)?.content ?? "", /1\tone[\s\S]*\n\nUse tabs\.$/);
  });

  it("brings its attachments, and those that a person would be asked about let it wait", async () => {
    const attachments = [{ kind: "text", name: "Notes", text: "Tabs are four wide." }] as const;
    const long = [{ kind: "text", name: "All", text: "word ".repeat(20_000) }] as const;
    const talk = await steeredTalk([
      { ...now("See this."), attachments },
      { ...now("And all."), attachments: long },
    ]);
    talk.settings = { ...talk.settings, askAboveTokens: 10_000 };
    talk.sim.reply(readsFile());
    talk.sim.reply(text("Done."));
    const turn = await talk.ask("Change a.ts.");
    const [part] = steeredIn(turn);
    assert.deepEqual(
      part?.attachments.map(({ label }) => label),
      ["Notes"],
    );
    assert.match(lastBody(talk).raw, /Tabs are four wide[\s\S]*See this\./);
    assert.doesNotMatch(lastBody(talk).raw, /And all/);
    assert.deepEqual(
      queueOf(talk).list.map(({ prompt, delivery }) => [prompt, delivery]),
      [["And all.", "turn"]],
    );
  });

  it("stays in the history of a turn that was refused after it, and is asked again with its question", async () => {
    const talk = await steeredTalk([now("Use tabs.")]);
    talk.sim.reply(readsFile());
    talk.sim.reply(status(400, { type: "invalid_request_error", message: "No." }));
    const turn = await talk.ask("Change a.ts.");
    assert.equal(turn.status, "failed");
    assert.deepEqual(steered(turn), ["Use tabs."]);
    talk.sim.reply(text("Yes."));
    await talk.ask("What now?");
    assert.match(lastBody(talk).raw, /Use tabs\.[\s\S]*What now\?/);
    talk.sim.reply(text("Again."));
    await talk.conversation.retry(
      "regenerate",
      { model: "svc-k3", signal: new AbortController().signal },
      turn.id,
    );
    const [again] = talk.conversation.state.turns;
    assert.equal(again?.prompt, "Change a.ts.\n\nUse tabs.");
    assert.match(lastBody(talk).raw, /Change a\.ts\.\\n\\nUse tabs\./);
  });

  it("keeps its attachments when its question is asked again in other words", async () => {
    const notes = (name: string) => [{ kind: "text", name, text: `${name} of a.ts.` }] as const;
    const talk = await steeredTalk([{ ...now("Use tabs."), attachments: notes("Rules") }]);
    talk.sim.reply(readsFile());
    talk.sim.reply(text("Done."));
    const turn = await talk.ask({ prompt: "Change a.ts.", attachments: notes("Notes") });
    const words = `${wordsOf(turn)} And no comments.`;
    assert.equal(words, "Change a.ts.\n\nUse tabs. And no comments.");
    talk.sim.reply(text("Again."));
    await talk.conversation.edit(turn.id, words, asking());
    const [again] = talk.conversation.state.turns;
    assert.equal(again?.prompt, words);
    assert.deepEqual(
      again?.attachments.map(({ label }) => label),
      ["Notes", "Rules"],
    );
    assert.match(lastBody(talk).raw, /Notes of a\.ts[\s\S]*Rules of a\.ts[\s\S]*tabs\. And no comments/);
  });

  it("is in the draft or in the conversation with its items, wherever the window is cut off", async () => {
    const talk = await steeredTalk([now("Use tabs.")]);
    talk.sim.reply(readsFile());
    talk.sim.reply(text("Done."));
    await talk.ask("Change a.ts.");
    const unsent = { text: "", attached: [], sent: [{ turn: "said-0", words: "Use tabs.", attached: [] }] };
    const places = new Set<string>();
    for (let kept = 1; kept <= talk.lines.length; kept++) {
      const lines = talk.lines.slice(0, kept);
      const records = lines.map((line) => JSON.parse(line) as ConversationRecord);
      const draft = draftStateOf(unsent, records).text;
      const later = talk.reopen(lines);
      const shown = later.conversation.state.turns.flatMap(steered);
      const isSent = later.conversation.recorder.transcript
        .history()
        .some((item) => item.includes("Use tabs."));
      assert.deepEqual([shown.length > 0, isSent], [draft === "", draft === ""], `${kept} lines`);
      assert.ok(shown.length < 2);
      places.add(draft === "" ? "conversation" : "draft");
      if (!isSent) continue;
      later.sim.reply(text("Yes."));
      await later.ask("Go on?");
      assert.match(lastBody(later).raw, /Use tabs\.[\s\S]*Go on\?/);
    }
    assert.equal(places.size, 2);
  });
});

async function openSteered(t: Parameters<typeof openTestApp>[0]): Promise<TestApp> {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\n");
  return openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
}

describe("Session.deliver", () => {
  it("lets a message wait for the end of the turn, and a removed one is never sent", async (t) => {
    const { session, sim } = await openSteered(t);
    const held = holdBefore(1);
    sim.reply(readsFile(), held);
    for (const words of ["Done.", "Next."]) sim.reply(text(words));
    const running = session.send({ prompt: "Change a.ts." });
    const waits = session.send(now("Use tabs."));
    const gone = session.send(now("Never."));
    const [first, second] = session.queue;
    assert.deepEqual([first?.delivery, second?.delivery], ["step", "step"]);
    session.deliver(first?.id ?? "", "turn");
    session.unqueue(second?.id ?? "");
    assert.deepEqual(
      session.queue.map(({ delivery }) => delivery),
      ["turn"],
    );
    held.release();
    assert.deepEqual(steered((await running) ?? assert.fail()), []);
    assert.equal(await gone, undefined);
    assert.equal((await waits)?.prompt, "Use tabs.");
    assert.doesNotMatch(String(sim.requests.at(-1)?.raw), /Never/);
    sim.done();
  });
});

describe("a message for a next step that never comes", () => {
  it("becomes the next question when the turn ends before", async (t) => {
    const { session, sim } = await openSteered(t);
    for (const words of ["Done.", "Tabs."]) sim.reply(text(words));
    const running = session.send({ prompt: "Hello." });
    const said = await session.send(now("Use tabs."));
    assert.equal((await running)?.status, "done");
    assert.equal(said?.prompt, "Use tabs.");
    assert.deepEqual(session.queue, []);
  });

  it("waits in the queue after Stop, and in the draft after a reload", async (t) => {
    const app = await openSteered(t);
    const { sim } = app;
    sim.reply(text("An answer that is long enough."), cutAfterEvents(2));
    const running = app.session.send({ prompt: "Hello." });
    void app.session.send(now("Use tabs."));
    await running;
    assert.deepEqual(
      app.session.queue.map(({ prompt, delivery }) => [prompt, delivery]),
      [["Use tabs.", "step"]],
    );
    const again = await app.restart();
    assert.equal(again.draft.text, "Use tabs.");
  });

  it("is handed over by the turn that continues one that was cut off", async (t) => {
    const { session, sim } = await openSteered(t);
    sim.reply(readsFile(), cutAfterEvents(2));
    const running = session.send({ prompt: "Hello." });
    void session.send(now("Use tabs."));
    await running;
    sim.reply(readsFile("c2"));
    sim.reply(text("Done."));
    const goes = await session.retry("continue");
    assert.deepEqual(steered(goes ?? assert.fail()), ["Use tabs."]);
    assert.deepEqual(session.queue, []);
  });
});

describe("two conversations at once", () => {
  it("get what was said in each, and the saved copies are gone", async (t) => {
    const app = await openSteered(t);
    const { sim, registry } = app;
    const [one, other] = [app.session, (await registry.create()).session];
    const held = holdBefore(8);
    sim.reply(text("An answer that is still being written."), readsFile(), held);
    const begun = new Promise<void>((resolve) => one.onEvent(({ type }) => type === "text" && resolve()));
    const first = one.send({ prompt: "One." });
    await begun;
    void one.send(now("Said in one."));
    sim.reply(readsFile());
    sim.reply(text("Other is done."));
    const second = other.send({ prompt: "Other." });
    void other.send(now("Said in the other."));
    assert.deepEqual(steered((await second) ?? assert.fail()), ["Said in the other."]);
    assert.equal(one.queue.length, 1);
    sim.reply(text("One is done."));
    held.release();
    assert.deepEqual(steered((await first) ?? assert.fail()), ["Said in one."]);
    await until(one, () => one.queue.length === 0);
    const again = await app.restart();
    assert.equal(again.draft.text, "");
  });
});
