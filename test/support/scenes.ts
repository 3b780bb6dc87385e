// A conversation as a list of scenes, each of which is played, read and heard the same way, whatever the service is.
import assert from "node:assert/strict";
import type { Turn } from "../../src/conversation/state.ts";
import { text } from "../sim/script.ts";
import { asking } from "./asking.ts";
import { lastBody, outputs, reading, type Talk } from "./talk.ts";

export interface Scene {
  readonly name: string;
  play(talk: Talk): Promise<void>;
  /** What a person reads then, notes of the client left out. */
  readonly reads: readonly string[];
  /** What the model hears of its last calls, one after the other. */
  readonly hears?: readonly RegExp[];
}

const read = (turn: Turn) => reading(turn).filter((part) => !part.startsWith("note"));

/** In the outputs of the last request; where the service has everything retold, somewhere in it. */
function heard(talk: Talk): string[] {
  const last = lastBody(talk);
  const all = outputs(last).map(([, output]) => String(output));
  return all.length > 0 ? all : [last.raw, last.raw, last.raw];
}

/** Where a service refuses what it sent itself, the card offers to leave that out; a person takes the offer, once. */
async function takeOffer(talk: Talk): Promise<boolean> {
  if (!talk.last().problem?.actions.includes("drop-reasoning")) return false;
  await talk.conversation.retry("drop-reasoning", asking());
  return true;
}

/** Where pictures are refused, the question goes without them. */
export const pictureScene = (model: string): Scene => ({
  name: "a picture",
  play: async (talk) => {
    const url =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=";
    talk.sim.reply(text("A dot."));
    await talk.ask(
      { prompt: "What is this?", attachments: [{ kind: "image", name: "dot.png", url }] },
      model,
    );
    const isLeftOut = talk.bodies().at(-1)?.raw.includes(url) === false;
    assert.equal(isLeftOut, talk.profile === "images-no");
  },
  reads: ["text A dot."],
});

/** Answers how many offers were taken. */
export async function playScenes(talk: Talk, scenes: readonly Scene[]): Promise<number> {
  let offers = 0;
  for (const { name, play, reads, hears = [] } of scenes) {
    await play(talk);
    const before = talk.last();
    if (await takeOffer(talk)) offers++;
    const turn = talk.last();
    const all = turn.continues && before.id !== turn.id ? [...read(before), ...read(turn)] : read(turn);
    assert.deepEqual([name, turn.status, all], [name, "done", reads], JSON.stringify(turn.problem));
    for (const [index, words] of hears.entries())
      assert.match(heard(talk).at(index - hears.length) ?? "", words);
  }
  return offers;
}

/** The journal alone says the same, and the next question is answered from it. */
export async function assertRemembered(talk: Talk, model: string): Promise<void> {
  const later = talk.reopen();
  assert.deepEqual(later.conversation.state, talk.conversation.state);
  talk.sim.reply(text("I remember."));
  assert.equal((await later.ask("Do you remember?", model)).status, "done");
  talk.sim.done();
}
