// Models that the user adds, from the setting to the wire.
import assert from "node:assert/strict";
import { test } from "node:test";
import { modelsWith } from "../../../src/core/conversation/models.ts";
import { defaultConversationSettings } from "../../../src/core/session/conversation-settings.ts";
import { text } from "../../sim/script.ts";
import { ask, openDesk, until } from "../../support/desk.ts";
import { english } from "../../support/english.ts";
import { answer, startFaultServer } from "../../support/fault-server.ts";
import { whole } from "../../support/hello-reply.ts";
import { watch } from "../../support/watched-client.ts";

const withModels = (...entries: object[]) => ({
  ...defaultConversationSettings,
  models: modelsWith(entries).models,
});

test("a model of the user's own can be chosen, and its id is what is sent", async (t) => {
  const desk = await openDesk(t);
  desk.settings = withModels({ id: "own-model" });
  const { sim } = desk;
  desk.session.choices.chooseModel("own-model");
  assert.deepEqual(
    [desk.session.choices.models.at(-1)?.id, desk.session.choices.route],
    ["own-model", "chat"],
  );
  await ask(desk, "Hi", "Hello");
  assert.equal(sim.requests.at(-1)?.path, "/v1/chat/completions");
  assert.equal(sim.requests.at(-1)?.body["model"], "own-model");
});

test("a model for which the user insists on Responses is asked there, under its own id", async (t) => {
  await using server = await startFaultServer(answer(200, whole));
  using watched = watch(server.url, { responsesModels: ["own-model"] });
  const desk = await openDesk(t, { client: watched.client });
  desk.settings = withModels({ id: "own-model", route: "responses" });
  desk.session.choices.chooseModel("own-model");
  const turn = await desk.session.send({ prompt: "Hi" });
  assert.equal(turn?.status, "done");
  const [request] = server.requests;
  assert.equal(request?.path, "/v1/responses");
  assert.equal(JSON.parse(request?.body ?? "{}").model, "own-model");
});

test("svc-k3 chats where the user says so", async (t) => {
  const desk = await openDesk(t);
  desk.settings = withModels({ id: "svc-k3", route: "chat" });
  desk.session.choices.chooseModel("svc-k3");
  assert.equal(desk.session.choices.route, "chat");
});

for (const [answered, sent] of [
  ["send-anyway", 1],
  ["keep-draft", 0],
] as const) {
  test(`a question beyond the context window that was set is asked about first: ${answered}`, async (t) => {
    const desk = await openDesk(t, {
      counts: { aboutRequest: () => ({ tokens: 2_000, margin: 0, counts: 1 }), learnRequest() {} },
    });
    desk.settings = withModels({ id: "svc-k2.6", contextWindow: 1_000 });
    const { sim } = desk;
    if (sent === 1) sim.reply(text("Hello"));
    const turn = desk.session.send({ prompt: "A long question" });
    await until(desk.session, () => desk.session.question !== undefined);
    assert.match(
      english(desk.session.question?.message),
      /≈2000 tokens, more than the context window of K2\.6 \(1000\)/,
    );
    assert.equal(sim.requests.length, 0, "nothing leaves while it is asked");
    desk.session.answer(answered);
    assert.equal((await turn)?.status, sent === 1 ? "done" : undefined);
    assert.equal(sim.requests.length, sent);
  });
}
