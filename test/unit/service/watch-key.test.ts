import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "../../sim/http-answers.ts";
import { text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { oneReplyOf } from "../../support/one-turn.ts";
import { simulatedClient } from "../../support/simulated-client.ts";

test("the key watcher hears of a refused key and of a later success from every operation", async (t) => {
  let key = "not-the-key";
  const heard: string[] = [];
  const answers: boolean[] = [];
  const { sim, client } = await simulatedClient(
    t,
    { files: ["file-1"] },
    {
      connection: async () => ({ baseUrl: sim.url, key }),
      keyWatcher: {
        refused: ({ kind }) => void heard.push(kind),
        accepted: () => void heard.push("accepted"),
        answers: (isThere) => void answers.push(isThere),
        reached: (problem) => void (problem !== undefined && heard.push(english(problem))),
      },
    },
  );
  const never = new AbortController().signal;
  const asked = { model: "svc-k3", messages: [{ role: "user" as const, content: "Hi" }] };
  const all = async () => {
    await oneReplyOf(client, "responses", "Hi");
    await oneReplyOf(client, "chat", "Hi");
    await client.estimate(asked, never);
    await client.deleteFile("file-1", never);
    await client.checkKey(never);
    await client.checkConnection(async () => true, never);
  };
  await all();
  assert.deepEqual(heard.splice(0), Array(6).fill("auth"));
  assert.deepEqual(answers, [], "a refusal says nothing of it");
  key = sim.key;
  for (let reply = 0; reply < 4; reply += 1) sim.reply(text("Hello"));
  await all();
  assert.deepEqual(heard.splice(0), Array(6).fill("accepted"));
  assert.deepEqual(answers.splice(0), Array(6).fill(true));
  sim.replyTo("estimate", status(404));
  await client.estimate(asked, never);
  assert.deepEqual(heard, []);
  assert.deepEqual(answers, []);
  sim.reply(status(503));
  sim.reply(status(503));
  sim.reply(status(503));
  sim.reply(status(503));
  await oneReplyOf(client, "responses", "Hi");
  sim.reply(text("Hello"));
  await oneReplyOf(client, "responses", "Hi");
  assert.deepEqual(answers.splice(0), [false, true]);
  assert.deepEqual(heard.splice(0), ["accepted"]);
  // Where nothing is there to answer it is said.
  await sim.close();
  await client.estimate(asked, never);
  assert.match(heard.splice(0).join(), /^Can't reach .* \(ECONNREFUSED\)\.$/);
});

test("the key watcher hears nothing of a stop, and of what is refused before it is sent", async (t) => {
  const heard: (string | undefined)[] = [];
  let key = "sk-any-0123456789";
  const { sim, client } = await simulatedClient(
    t,
    {},
    {
      connection: async () => ({ baseUrl: sim.url, key }),
      keyWatcher: {
        refused: () => void heard.push("refused"),
        accepted: () => void heard.push("accepted"),
        answers: () => {},
        reached: (problem) => void heard.push(problem?.kind),
      },
    },
  );
  await sim.close();
  const asked = { model: "svc-k3", messages: [{ role: "user" as const, content: "Hi" }] };
  await client.estimate(asked, new AbortController().signal);
  assert.deepEqual(heard.splice(0), ["network"]);
  await client.estimate(asked, AbortSignal.abort());
  await client.deleteFile("..", new AbortController().signal);
  key = "";
  await oneReplyOf(client, "responses", "Hi");
  assert.deepEqual(heard, [], "whether it can be reached is not known better than before");
});
