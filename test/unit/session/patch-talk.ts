// A talk about a patch: proposed by the model, answered at once, decided by a person, told with the next question.
import assert from "node:assert/strict";
import type { Turn } from "../../../src/conversation/state.ts";
import { patchCall, text } from "../../sim/script.ts";
import { startTalk, type Talk, type TalkOptions } from "../../support/talk.ts";

export const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
export const edit = patch("*** Update File: a.ts", "@@", "-one", "+ONE", "@@", "-nine", "+NINE");
export const numbers = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

export async function talkWith(options: TalkOptions = {}): Promise<Talk> {
  const talk = await startTalk(options);
  talk.workspace.write("work/a.ts", numbers);
  talk.decide = () => ({ kind: "accept" });
  return talk;
}

/** The model sends this patch and then says that it is done. */
export async function propose(talk: Talk, sent: string): Promise<Turn> {
  talk.sim.reply(patchCall(sent, { callId: "call_p" }));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Change it.");
  talk.sim.done();
  assert.deepEqual(talk.errors, []);
  return turn;
}

export const patchOf = (turn: Turn) => {
  const part = turn.parts.find((each) => each.type === "patch");
  assert.ok(part?.type === "patch");
  return part;
};

/** What the model was told at once. */
export const told = (talk: Talk): string => String(talk.bodies().at(-1)?.input.at(-1)?.["output"]);

/** What the model hears with the next question of what became of its patches. */
export async function news(talk: Talk): Promise<string> {
  talk.sim.reply(text("I see."));
  await talk.ask("And now?");
  return newsIn(talk);
}

export const newsIn = (talk: Talk): string =>
  (talk.bodies().at(-1)?.input ?? [])
    .map(({ content }) => String(content))
    .filter((said) => said.startsWith("[Patchbay: what became of your patches:"))
    .join("\n");

export const hunkIds = (talk: Talk): string[] =>
  talk.conversation.changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));

/** What is decided by hand. */
export const nobody = () => undefined;

export const stations = (talk: Talk) =>
  talk.events.flatMap((event) =>
    (event.type === "patch" && event.status !== "arriving") || event.type === "patch-state"
      ? [event.status]
      : [],
  );
