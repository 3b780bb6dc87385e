// With every kind of service the simulator can be, over the real store: what a branch or an edit cuts off is neither
// sent nor kept, and what is opened again is what was there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ProfileName, steadyProfileNames } from "../sim/profiles.ts";
import { reasoning, text } from "../sim/script.ts";
import { filesHolding } from "../support/folder-picture.ts";
import { openTestApp, prompts, type TestApp } from "../support/test-app.ts";

const model = (name: string) => ({ defaultModel: () => name });
const canary = "canary-of-what-was-cut";

/** Resolves when the next turn has ended. */
const nextEnd = (app: TestApp) =>
  new Promise<void>((resolve) => {
    const listening = app.session.onEvent(({ type }) => {
      if (type !== "ended") return;
      listening.dispose();
      setImmediate(resolve);
    });
  });

/** Asks, and takes the offer of a service that does not take back what it has said itself. */
async function say(app: TestApp, prompt: string, answer: string): Promise<void> {
  const { sim } = app;
  sim.reply(...(app.session.choices.route === "responses" ? [reasoning("hm")] : []), text(answer));
  let turn = await app.session.send({ prompt });
  if (turn?.problem?.actions.includes("drop-reasoning")) {
    const ended = nextEnd(app);
    app.session.retry("drop-reasoning");
    await ended;
    turn = app.session.state.turns.at(-1);
  }
  assert.equal(turn?.status, "done", JSON.stringify(turn?.problem));
}

const sent = ({ sim }: TestApp): string => String(sim.requests.at(-1)?.raw);

// What the chat route replays is the same for all of them but the strict one.
const chats: Partial<Record<ProfileName, true>> = { standard: true, strict: true };

for (const profile of steadyProfileNames)
  for (const name of ["svc-k3", ...(chats[profile] ? ["svc-k2.6"] : [])])
    test(`branch and edit remove what they cut off (${profile}, ${name})`, async (t) => {
      const app = await openTestApp(t, model(name), profile);
      await say(app, "One?", "Eins.");
      await say(app, "Two?", `Zwei, ${canary}.`);
      await say(app, "Three?", "Drei.");
      const trunk = app.session.state;
      await app.branch(trunk.turns[0]?.id ?? "");
      await say(app, "Other?", "Anders.");
      assert.match(sent(app), /Other\?/);
      assert.doesNotMatch(sent(app), new RegExp(`${canary}|Drei`));
      await app.open(trunk.id);
      assert.deepEqual(prompts(app), ["One?", "Two?", "Three?"]);
      app.sim.reply(text("Zwei."));
      const ended = nextEnd(app);
      app.session.edit(trunk.turns[1]?.id ?? "", "Two, please?");
      await ended;
      assert.match(sent(app), /Two, please\?/);
      assert.doesNotMatch(sent(app), new RegExp(canary));
      await app.restart();
      assert.deepEqual(filesHolding(app.folder, [canary]), []);
      for (const each of await app.library.list()) {
        await app.open(each.id);
        const expected = each.id === trunk.id ? ["One?", "Two, please?"] : ["One?", "Other?"];
        assert.deepEqual(prompts(app), expected);
      }
    });
