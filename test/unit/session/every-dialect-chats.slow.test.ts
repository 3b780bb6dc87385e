// The models that only chat, with every kind of service the simulator can be: chat, a picture, an answer cut off and one
// that fails, another key, a question in other words, and all of it opened again. And either route with a service that
// is not always well, until everything is said.
import assert from "node:assert/strict";
import { test } from "node:test";
import { json } from "../../sim/http-answers.ts";
import { steadyProfileNames } from "../../sim/profiles.ts";
import { call, failed, incomplete, patchCall, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { assertRemembered, pictureScene, playScenes, type Scene } from "../../support/scenes.ts";
import { startTalk } from "../../support/talk.ts";

const model = "svc-k2.6";

const scenes: readonly Scene[] = [
  {
    name: "chat",
    play: async (talk) => {
      talk.sim.reply(text("Hello, Zoë 👋."));
      await talk.ask("Hi.", model);
    },
    reads: ["text Hello, Zoë 👋."],
  },
  {
    name: "another question",
    play: async (talk) => {
      talk.sim.reply(text("Canary."));
      await talk.ask("Which bird?", model);
    },
    reads: ["text Canary."],
  },
  pictureScene(model),
  {
    name: "an answer cut off, and its rest",
    play: async (talk) => {
      talk.sim.reply(text("Once upon"), incomplete());
      assert.equal((await talk.ask("Tell.", model)).status, "incomplete");
      talk.sim.reply(text(" a time."));
      await talk.conversation.retry("continue", asking(model));
    },
    reads: ["text  a time."],
  },
  {
    name: "a model that fails, asked again",
    play: async (talk) => {
      // In one piece there is no beginning of an answer that fails.
      const broken = json({ error: { message: "It broke." } });
      talk.sim.reply(...(talk.profile === "nostream" ? [broken] : [text("Well"), failed()]));
      const turn = await talk.ask("Think.", model);
      assert.equal(turn.status, "failed");
      assert.ok(turn.problem);
      talk.sim.reply(text("Thought."));
      await talk.conversation.retry("regenerate", asking(model), turn.id);
    },
    reads: ["text Thought."],
  },
  {
    name: "a key that is refused, and another one",
    play: async (talk) => {
      talk.key = "sk-of-somebody-else-0123456789";
      const turn = await talk.ask("May I?", model);
      assert.deepEqual([turn.status, turn.problem?.kind], ["failed", "auth"]);
      talk.key = talk.sim.key;
      talk.sim.reply(text("You may."));
      await talk.conversation.retry("retry", asking(model));
    },
    reads: ["text You may."],
  },
  {
    name: "a question in other words",
    play: async (talk) => {
      const { turns } = talk.conversation.state;
      talk.sim.reply(text("Silence."));
      await talk.conversation.edit(turns[1]?.id ?? "", "Say nothing.", asking(model));
      assert.equal(talk.conversation.state.turns.length, 2);
      const raw = talk.bodies().at(-1)?.raw ?? "";
      assert.match(raw, /Zoë/);
      assert.doesNotMatch(raw, /Which bird|Canary|Once upon|data:image|Thought|May I/);
    },
    reads: ["text Silence."],
  },
];

for (const profile of steadyProfileNames)
  test(`a chat conversation with every kind of turn works and is remembered (${profile})`, async () => {
    const talk = await startTalk({ profile });
    await playScenes(talk, scenes);
    await assertRemembered(talk, model);
  });

const edit = (round: number) =>
  ["*** Begin Patch", "*** Update File: list.txt", "@@", " first", `+round ${round}`, "*** End Patch"].join(
    "\n",
  );
const long = "One sentence after the other, until all of it is said. ".repeat(60);

for (const route of ["svc-k3", model])
  test(`a conversation with a flaky service completes every turn and applies no patch twice (${route})`, async () => {
    let round = 0;
    const talk = await startTalk({
      profile: "flaky",
      // For the few streams that stand still. One that is slow instead is asked again below.
      service: { idleSeconds: 2 },
      assistant: ({ body }) => {
        const last = JSON.stringify((body["input"] as unknown[] | undefined)?.at(-1) ?? "");
        if (!last.includes("Change it.")) return [text(long)];
        return [call("read_file", { path: "list.txt" }), patchCall(edit(round))];
      },
    });
    talk.workspace.write("work/list.txt", "first\nlast\n");
    talk.decide = () => ({ kind: "accept" });
    const ends: string[] = [];
    for (round = 1; round <= 8; round++) {
      let turn = await talk.ask("Change it.", route);
      for (; turn.status === "interrupted"; turn = talk.last()) {
        ends.push(turn.status);
        await talk.conversation.retry("retry", asking(route));
      }
      assert.equal(turn.status, "done", JSON.stringify(turn.problem));
    }
    assert.ok(ends.length > 0, "some answers broke off");
    assert.deepEqual(talk.sim.complaints, []);
    assert.deepEqual(talk.errors, []);
    const lines = talk.workspace.text("work/list.txt")?.trimEnd().split("\n") ?? [];
    const rounds = Array.from({ length: 8 }, (_, index) => `round ${8 - index}`);
    assert.deepEqual(lines, ["first", ...(route === model ? [] : rounds), "last"]);
    assert.deepEqual(talk.reopen().conversation.state, talk.conversation.state);
  });
