// The rows of the fault matrix about users, windows and the life of a process, as far as they need no editor.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attachment } from "../../../src/conversation/state.ts";
import { cutAfterEvents, drip, holdBefore } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { call, type Part, patchCall, reasoning, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { patchesIn } from "../../support/decide-patches.ts";
import { english, verbatim } from "../../support/english.ts";
import { simulatedClient } from "../../support/simulated-client.ts";
import { reading, startTalk, type Talk } from "../../support/talk.ts";
import { openTestApp, prompts } from "../../support/test-app.ts";

/** In the short run every third moment is tried. */
const stride = process.env["PATCHBAY_LONG"] === undefined ? 3 : 1;

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const edit = patch("*** Update File: a.ts", "@@", "-one", "+ONE");

async function canGoOn(talk: Talk): Promise<void> {
  talk.sim.reply(text("Afterwards."));
  const turn = await talk.ask("And now?");
  assert.deepEqual(
    [turn.status, reading(turn)],
    ["done", ["text Afterwards."]],
    JSON.stringify(turn.problem),
  );
  talk.sim.done();
}

test("row 54: a patch call cut at any place applies nothing, also where the part is a complete patch", async () => {
  const whole = patch("*** Update File: a.ts", "@@", "-one", "+ONE").repeat(2);
  let events = 0;
  const talk = await startTalk({
    assistant: ({ raw }) =>
      /And now\?|_output/.test(raw.toString("utf8"))
        ? [text("Afterwards.")]
        : [text("So:"), patchCall(whole), cutAfterEvents(events)],
  });
  talk.workspace.write("work/a.ts", "one\n");
  for (events = 5; ; events++) {
    const fresh = talk.reopen([]);
    fresh.decide = () => assert.fail("nobody is asked about a patch that did not arrive whole");
    const turn = await fresh.ask("Edit.");
    if (turn.status !== "interrupted") break;
    assert.equal((await fresh.ask("And now?")).status, "done");
  }
  assert.ok(events > 12);
  assert.equal(talk.workspace.applied, 0);
  talk.sim.done();
});

test("row 59: a retry after an applied patch requests only the missing response and applies nothing twice", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.decide = () => ({ kind: "accept" });
  talk.sim.reply(patchCall(edit));
  talk.sim.reply(status(400));
  const turn = await talk.ask("Edit.");
  assert.deepEqual([turn.status, reading(turn)], ["failed", ["patch applied"]]);
  talk.sim.reply(text("Done."));
  await talk.conversation.retry("retry", asking());
  assert.deepEqual(reading(talk.last()), ["text Done."]);
  assert.equal(talk.workspace.applied, 1);
  const outputs = talk
    .bodies()
    .at(-1)
    ?.input.filter(({ type }) => String(type).endsWith("_output"));
  assert.equal(outputs?.length, 1);
  assert.match(String(outputs?.[0]?.["output"]), /Success/);
  talk.sim.done();
});

test("rows 61 and 62: a turn stopped at any moment ends once, as stopped or done, with no event after it", async () => {
  const parts: Part[] = [
    reasoning("thinking"),
    text("One. Two. Three."),
    call("list_files", {}),
    patchCall(edit),
  ];
  let moment = 0;
  // Until it is over before it is stopped.
  for (let isOver = false; !isOver; moment += stride) {
    const talk = await startTalk({
      assistant: ({ raw }) =>
        /And now\?|_output/.test(raw.toString("utf8")) ? [text("Afterwards.")] : [...parts, drip(400, 1)],
    });
    talk.workspace.write("work/a.ts", "one\n");
    let seen = 0;
    let isStopped = false;
    talk.onEvent(({ type }) => {
      if (seen++ !== moment || type === "ended") return;
      isStopped = true;
      talk.stop();
    });
    talk.decide = () => (moment % 2 === 0 ? { kind: "accept" } : undefined);
    const turn = await talk.ask("Go.");
    isOver = !isStopped;
    const ends = talk.events.filter(({ type }) => type === "ended");
    assert.equal(ends.length, 1);
    // But for what a person decides about what was proposed by then.
    const ofTurn = talk.events.filter(({ type }) => type !== "patch-state");
    assert.equal(ofTurn.at(-1)?.type, "ended");
    assert.equal(turn.status, isStopped ? "stopped" : "done", `at event ${moment}`);
    const later = talk.reopen();
    const states = later.conversation.state.turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "patch" ? [part.status] : [])),
    );
    assert.ok(
      states.every((state) => ["applied", "proposed", "stopped"].includes(state)),
      states.join(),
    );
    assert.equal(talk.workspace.applied, states.includes("applied") ? 1 : 0);
    assert.deepEqual(reading(await later.ask("And now?")), ["text Afterwards."]);
    const bodies = later.bodies().at(-1);
    const calls =
      bodies?.input.filter(({ type }) => /call$/.test(String(type)) && type !== "web_search_call") ?? [];
    const outputs = bodies?.input.filter(({ type }) => String(type).endsWith("_output")) ?? [];
    assert.deepEqual(
      calls.map(({ call_id: id }) => id),
      outputs.map(({ call_id: id }) => id),
    );
    assert.deepEqual(talk.errors, []);
  }
  assert.ok(moment > 20, `stopped before event ${moment}`);
});

test("row 65: a conversation killed after any record opens and can be continued", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.decide = () => ({ kind: "accept" });
  talk.sim.reply(
    reasoning("hm"),
    text("First I look."),
    call("read_file", { path: "a.ts" }),
    call("list_files", {}),
  );
  talk.sim.reply(patchCall(edit), call("search_text", { query: "one" }));
  talk.sim.reply(text("Done."));
  await talk.ask("Edit.");
  const { lines } = talk;
  for (let kept = 1; kept <= lines.length; kept += stride) {
    const later = talk.reopen(lines.slice(0, kept));
    assert.ok(later.conversation.state.turns.every(({ status }) => status !== "running"));
    talk.sim.reply(text("Afterwards."));
    const turn = await later.ask("And now?");
    assert.deepEqual([kept, turn.status], [kept, "done"], JSON.stringify(turn.problem));
  }
  assert.equal(talk.workspace.applied, 1);
  talk.sim.done();
});

test("row 72: a question without a key is kept unsent and sent by Retry once there is a key", async () => {
  const talk = await startTalk();
  talk.problem = { kind: "no-key", message: verbatim("There is no API key yet."), actions: ["set-key"] };
  const attachments: Attachment[] = [{ kind: "text", name: "a", text: "b" }];
  const turn = await talk.ask({ prompt: "Hello?", attachments });
  assert.deepEqual([turn.status, turn.problem?.kind, talk.sim.requests.length], ["failed", "no-key", 0]);
  talk.problem = undefined;
  talk.sim.reply(text("Hello."));
  await talk.conversation.retry("retry", asking());
  assert.deepEqual(
    [talk.last().prompt, talk.last().attachments.length, talk.last().status],
    ["Hello?", 1, "done"],
  );
  assert.equal(talk.conversation.state.turns.length, 1);
  talk.sim.done();
});

test("row 74: a running turn keeps its settings, and the next turn uses the changed ones", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(call("list_files", {}));
  talk.sim.reply(text("Done."));
  talk.onEvent((event) => {
    if (event.type === "tool") talk.conversation.choose({ cacheTier: "1h", outputLimit: 5, webSearch: true });
  });
  await talk.ask("Go.");
  const [first, second] = talk.bodies().map(({ body }) => body);
  assert.deepEqual(second?.["tools"], first?.["tools"]);
  assert.deepEqual([second?.["prompt_cache_options"], second?.["max_output_tokens"]], [undefined, undefined]);
  talk.sim.reply(text("Next."));
  const next = await talk.ask("Go on.");
  assert.deepEqual(
    next.usage.map(({ askedTtl }) => askedTtl),
    ["1h"],
  );
  const third = talk.bodies().at(-1)?.body;
  assert.deepEqual(
    [third?.["prompt_cache_options"], third?.["max_output_tokens"]],
    [{ mode: "implicit", ttl: "1h" }, 5],
  );
});

test("row 75: a workspace folder removed during a turn makes its tools fail without a crash", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.onEvent((event) => {
    if (event.type === "patch" && event.status === "proposed") talk.workspace.remove();
  });
  talk.sim.reply(patchCall(edit));
  talk.sim.reply(
    call("read_file", { path: "a.ts" }),
    call("list_files", {}),
    call("search_text", { query: "x" }),
  );
  talk.sim.reply(text("It is gone."));
  const turn = await talk.ask("Edit.");
  assert.equal(turn.status, "done");
  const { changes } = talk.conversation;
  assert.deepEqual(
    changes.pending.map(({ problem }) => english(problem)),
    ["The file no longer exists."],
  );
  assert.deepEqual(await changes.accept(await changes.hunksOf(patchesIn([turn]).map((each) => each.call))), {
    outcome: "unfit",
  });
  assert.deepEqual(reading(turn), [
    "patch proposed",
    "read_file failed",
    "list_files failed",
    "search_text failed",
    "text It is gone.",
  ]);
});

test("row 76: a disk that refuses every write does not stop a conversation", async () => {
  const talk = await startTalk({ failingDisk: true });
  talk.workspace.write("work/a.ts", "one\n");
  talk.decide = () => ({ kind: "accept" });
  talk.sim.reply(patchCall(edit));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Edit.");
  assert.deepEqual([turn.status, reading(turn)], ["done", ["patch applied", "text Done."]]);
  assert.ok(talk.errors.length > 0);
  await canGoOn(talk);
});

test("a stopped turn closes its socket", async () => {
  const talk = await startTalk();
  const held = holdBefore(6);
  talk.sim.reply(text("One. Two."), held);
  talk.onEvent((event) => {
    if (event.type === "text") talk.stop();
  });
  const turn = await talk.ask("Go.");
  assert.equal(turn.status, "stopped");
  const [request] = talk.sim.requests;
  await request?.settled;
  assert.equal(request?.closedByClient, true);
  held.release();
});

test("a question whose turn has ended is not put back into the box if something fails after that", async (t) => {
  const { sim, client } = await simulatedClient(t);
  const learnWindow = async () => assert.fail("The disk is full.");
  const app = await openTestApp(t, { client: { ...client, learnWindow }, defaultModel: () => "svc-k3" });
  const { session } = app;
  const refused = status(400, {
    ...{ message: "maximum context length is 1000 tokens", type: "invalid_request_error" },
    code: "context_length_exceeded",
  });
  sim.reply(refused);
  await assert.rejects(session.send({ prompt: "All of it?" }), /disk is full/);
  assert.deepEqual([prompts(app), session.draft.text], [["All of it?"], ""]);
  sim.reply(refused);
  await assert.rejects(session.edit(session.state.turns[0]?.id ?? "", "Most of it?"), /disk is full/);
  assert.deepEqual([prompts(app), session.draft.text], [["Most of it?"], ""]);
  const again = await app.restart();
  assert.equal(again.draft.text, "");
});
