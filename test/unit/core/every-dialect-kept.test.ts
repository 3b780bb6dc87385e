// With every kind of service the simulator can be, over the real store: what a branch or an edit cuts off is neither
// sent nor kept, and what is opened again is what was there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type ProfileName, steadyProfileNames } from "../../sim/profiles.ts";
import { reasoning, text } from "../../sim/script.ts";
import { openDesk, prompts, type ReviewModel } from "../../support/desk.ts";

const model = (name: string) => ({ defaultModel: () => name });
const canary = "canary-of-what-was-cut";

/** Resolves when the next turn has ended. */
const nextEnd = (desk: ReviewModel) =>
  new Promise<void>((resolve) => {
    const listening = desk.session.onEvent(({ type }) => {
      if (type !== "ended") return;
      listening.dispose();
      setImmediate(resolve);
    });
  });

/** Asks, and takes the offer of a service that does not take back what it has said itself. */
async function say(desk: ReviewModel, prompt: string, answer: string): Promise<void> {
  const { sim } = desk;
  sim.reply(...(desk.session.choices.route === "responses" ? [reasoning("hm")] : []), text(answer));
  let turn = await desk.session.send({ prompt });
  if (turn?.problem?.actions.includes("drop-reasoning")) {
    const ended = nextEnd(desk);
    desk.session.retryPlainly();
    await ended;
    turn = desk.session.state.turns.at(-1);
  }
  assert.equal(turn?.status, "done", JSON.stringify(turn?.problem));
}

/** Files below a folder that hold the words. */
function holding(folder: string, words: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path, "utf8").includes(words);
  });
}

// What the chat route replays is the same for all of them but the strict one.
const chats: Partial<Record<ProfileName, true>> = { standard: true, strict: true };

for (const profile of steadyProfileNames)
  for (const name of ["svc-k3", ...(chats[profile] ? ["svc-k2.6"] : [])])
    test(`branch and edit remove what they cut off (${profile}, ${name})`, async (t) => {
      const desk = await openDesk(t, model(name), profile);
      await say(desk, "One?", "Eins.");
      await say(desk, "Two?", `Zwei, ${canary}.`);
      await say(desk, "Three?", "Drei.");
      const trunk = desk.session.state;
      await desk.branch(trunk.turns[0]?.id ?? "");
      await say(desk, "Other?", "Anders.");
      assert.doesNotMatch(String(desk.sim.requests.at(-1)?.raw), new RegExp(`${canary}|Drei`));
      await desk.open(trunk.id);
      assert.deepEqual(prompts(desk), ["One?", "Two?", "Three?"]);
      desk.sim.reply(text("Zwei."));
      const ended = nextEnd(desk);
      desk.session.edit(trunk.turns[1]?.id ?? "", "Two, please?");
      await ended;
      assert.doesNotMatch(String(desk.sim.requests.at(-1)?.raw), new RegExp(canary));
      await desk.restart();
      assert.deepEqual(holding(desk.folder, canary), []);
      for (const each of await desk.library.list()) {
        await desk.open(each.id);
        const expected = each.id === trunk.id ? ["One?", "Two, please?"] : ["One?", "Other?"];
        assert.deepEqual(prompts(desk), expected);
      }
    });
