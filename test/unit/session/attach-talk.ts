// A talk whose first question has something attached to it: what was sent, and what the chips say.
import assert from "node:assert/strict";
import type { Attachment } from "../../../src/conversation/state.ts";
import { text } from "../../sim/script.ts";
import { startTalk, type Talk } from "../../support/talk.ts";

export const code = "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n";

export async function attach(wishes: readonly Attachment[], prompt = "Look.", before?: (talk: Talk) => void) {
  const talk = await startTalk();
  talk.workspace.write("work/src/a.ts", code);
  before?.(talk);
  talk.sim.reply(text("I see."));
  const turn = await talk.ask({ prompt, attachments: wishes });
  const { input, raw } = talk.bodies().at(-1) ?? assert.fail();
  const sent = String(input[0]?.["content"]);
  talk.sim.done();
  return { talk, turn, input, raw, sent, views: turn.attachments };
}
