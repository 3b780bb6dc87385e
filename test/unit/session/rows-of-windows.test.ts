// Rows of the fault matrix about pages, keys and networks that come and go while a turn runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blankView } from "../../../src/bridge/blank-view.ts";
import { connectPage, type PageHost } from "../../../src/bridge/page-connection.ts";
import type { ToPage } from "../../../src/bridge/protocol.ts";
import { reduce } from "../../../src/conversation/reduce.ts";
import type { Conversation } from "../../../src/conversation/state.ts";
import { Emitter } from "../../../src/util/emitter.ts";
import { silentLog } from "../../../src/util/log.ts";
import { cutAfterEvents } from "../../sim/delivery-faults.ts";
import { patchCall, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { verbatim } from "../../support/english.ts";
import { recordingHandlers } from "../../support/page-handlers.ts";
import { reading, startTalk, type Talk } from "../../support/talk.ts";

const edit = ["*** Begin Patch", "*** Update File: a.ts", "@@", "-one", "+ONE", "*** End Patch"].join("\n");

test("row 55: a patch call in a reply without an end is not applied, and the model is informed", async () => {
  let events = 0;
  const talk = await startTalk({
    assistant: ({ raw }) =>
      /_output/.test(raw.toString("utf8"))
        ? [text("Afterwards.")]
        : [patchCall(edit), text("More."), cutAfterEvents(events)],
  });
  talk.workspace.write("work/a.ts", "one\n");
  let whole = 0;
  for (events = 5; ; events++) {
    const fresh = talk.reopen([]);
    let asked = false;
    fresh.decide = () => {
      asked = true;
      return { kind: "reject" };
    };
    const turn = await fresh.ask("Edit.");
    if (turn.status !== "interrupted") break;
    assert.equal(asked, false);
    if (!/_output/.test(fresh.lines.join("\n"))) continue;
    whole++;
    assert.deepEqual(
      turn.parts.flatMap((part) => (part.type === "patch" ? [part.status] : [])),
      ["stopped"],
    );
    assert.equal((await fresh.ask("And now?")).status, "done");
    const [, output] =
      fresh
        .bodies()
        .at(-1)
        ?.input.filter(({ call_id }) => call_id !== undefined) ?? [];
    assert.match(
      String(output?.["output"]),
      /^This call was not run, because the reply was cut off before its end/,
    );
  }
  assert.ok(whole > 0, "some cut lay behind the call");
  assert.equal(talk.workspace.applied, 0);
});

/** A page that folds what it is told, as the real one does. */
function openPage({ conversation, onEvent }: Talk) {
  const toHost = new Emitter<unknown>();
  let shown: Conversation = { id: "", turns: [] };
  const take = (message: ToPage) => {
    if (message.type === "snapshot") shown = message.conversation;
    else if (message.type === "events") shown = message.events.reduce(reduce, shown);
  };
  const nothing = () => ({ dispose() {} });
  const host: PageHost = {
    viewState: { ...blankView, model: "svc-k3" },
    handlers: recordingHandlers(() => {}),
    async *complete() {},
    follow: (listener) =>
      listener({
        get state() {
          return conversation.state;
        },
        draft: { text: "" },
        onEvent,
        onRemoteEvent: nothing,
        onPutBack: nothing,
      }),
    onViewState: nothing,
    onAct: nothing,
    use() {},
    isInUse: () => true,
    leave() {},
  };
  const session = connectPage({ post: take, onMessage: toHost.on }, host, silentLog);
  toHost.fire({ type: "ready" });
  return {
    close: () => session.dispose(),
    get shown() {
      return shown;
    },
  };
}

test("row 64: a page hidden, moved or reloaded during a response shows the same text afterwards", async () => {
  const answer = "One sentence after the other, until all of it is said. ".repeat(8);
  for (let comesBackAt = 1; comesBackAt < 12; comesBackAt += 2) {
    const talk = await startTalk();
    talk.sim.reply(text(answer));
    let page = openPage(talk);
    let heard = 0;
    talk.onEvent(({ type }) => {
      if (type !== "text" || ++heard % comesBackAt !== 0) return;
      page.close();
      if (heard % 2 === 0) page = openPage(talk);
    });
    await talk.ask("Tell me.");
    page.close();
    assert.deepEqual(openPage(talk).shown, talk.conversation.state);
    assert.deepEqual(reading(talk.last()), [`text ${answer}`]);
    talk.sim.done();
  }
});

test("row 69: a network change during a response keeps its text, and Continue requests the rest", async () => {
  for (const how of ["reset", "close"] as const) {
    const talk = await startTalk();
    talk.sim.reply(text("The first half, and the second."), cutAfterEvents(6, how));
    const turn = await talk.ask("Tell me.");
    assert.equal(turn.status, "interrupted");
    const said = reading(turn).join("");
    talk.sim.reply(text("The rest."));
    await talk.conversation.retry("continue", asking());
    assert.deepEqual(talk.conversation.state.turns.map(reading), [
      said === "" ? [] : [said],
      ["text The rest."],
    ]);
    assert.equal(talk.sim.requests.length, 2, "nothing was sent again by itself");
    talk.sim.done();
  }
});

test("row 71: a key changed or removed in another window applies from the next request on", async () => {
  const talk = await startTalk();
  const { key } = talk;
  talk.sim.reply(text("One."));
  await talk.ask("One?");
  talk.key = "sk-another-window-set-this";
  const refused = await talk.ask("Two?");
  assert.deepEqual([refused.status, refused.problem?.kind], ["failed", "auth"]);
  talk.problem = { kind: "no-key", message: verbatim("There is no API key any more."), actions: ["set-key"] };
  const sent = talk.sim.requests.length;
  await talk.conversation.retry("retry", asking());
  assert.deepEqual([talk.last().problem?.kind, talk.sim.requests.length], ["no-key", sent]);
  talk.problem = undefined;
  talk.key = key;
  talk.sim.reply(text("Two."));
  await talk.conversation.retry("retry", asking());
  assert.deepEqual(reading(talk.last()), ["text Two."]);
});
