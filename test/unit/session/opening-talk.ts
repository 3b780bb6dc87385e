// What tests of a conversation's beginning share: saying something, and what then stood ahead of it.
import assert from "node:assert/strict";
import { text } from "../../sim/script.ts";
import type { Talk } from "../../support/talk.ts";

export const prefix = (talk: Talk, request = -1) => {
  const { body } = talk.bodies().at(request) ?? assert.fail();
  return {
    instructions: String(body["instructions"]),
    tools: (body["tools"] ?? []) as { name?: string; type: string }[],
  };
};

export async function say(talk: Talk, prompt = "Hi.", model = "svc-k3") {
  talk.sim.reply(text("Hello."));
  return talk.ask(prompt, model);
}
