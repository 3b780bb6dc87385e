// Models that the user adds, from the setting to the wire.
import assert from "node:assert/strict";
import { test } from "node:test";
import { modelsWith } from "../../src/conversation/models.ts";
import { defaultConversationSettings } from "../../src/session/session-context.ts";
import { text } from "../sim/script.ts";
import { english } from "../support/english.ts";
import { answer, startFaultServer } from "../support/fault-server.ts";
import { whole } from "../support/hello-reply.ts";
import { ask, openTestApp, until } from "../support/test-app.ts";
import { watch } from "../support/watched-client.ts";

const withModels = (...entries: object[]) => ({
  ...defaultConversationSettings,
  models: modelsWith(entries).models,
});

test("a user-defined model can be chosen, and requests carry its ID", async (t) => {
  const app = await openTestApp(t);
  app.settings = withModels({ id: "own-model" });
  const { sim } = app;
  app.session.choices.chooseModel("own-model");
  assert.deepEqual([app.session.choices.models.at(-1)?.id, app.session.choices.route], ["own-model", "chat"]);
  await ask(app, "Hi", "Hello");
  assert.equal(sim.requests.at(-1)?.path, "/v1/chat/completions");
  assert.equal(sim.requests.at(-1)?.body["model"], "own-model");
});

test("a user-defined model with the route responses is sent to the Responses endpoint under its own ID", async (t) => {
  await using server = await startFaultServer(answer(200, whole));
  using watched = watch(server.url, { responsesModels: ["own-model"] });
  const app = await openTestApp(t, { client: watched.client });
  app.settings = withModels({ id: "own-model", route: "responses" });
  app.session.choices.chooseModel("own-model");
  const turn = await app.session.send({ prompt: "Hi" });
  assert.equal(turn?.status, "done");
  const [request] = server.requests;
  assert.equal(request?.path, "/v1/responses");
  assert.equal(JSON.parse(request?.body ?? "{}").model, "own-model");
});

test("svc-k3 uses the chat route when the models setting says so", async (t) => {
  const app = await openTestApp(t);
  app.settings = withModels({ id: "svc-k3", route: "chat" });
  app.session.choices.chooseModel("svc-k3");
  assert.equal(app.session.choices.route, "chat");
});

for (const [answered, sent] of [
  ["send-anyway", 1],
  ["keep-draft", 0],
] as const) {
  test(`a session asks before it sends a question larger than the configured context window: ${answered}`, async (t) => {
    const app = await openTestApp(t, {
      counts: { aboutRequest: () => ({ tokens: 2_000, margin: 0, counts: 1 }), learnRequest() {} },
    });
    app.settings = withModels({ id: "svc-k2.6", contextWindow: 1_000 });
    const { sim } = app;
    if (sent === 1) sim.reply(text("Hello"));
    const turn = app.session.send({ prompt: "A long question" });
    await until(app.session, () => app.session.question !== undefined);
    assert.match(
      english(app.session.question?.message),
      /≈2000 tokens, more than the context window of K2\.6 \(1000\)/,
    );
    assert.equal(sim.requests.length, 0, "nothing leaves while it is asked");
    app.session.answer(answered);
    assert.equal((await turn)?.status, sent === 1 ? "done" : undefined);
    assert.equal(sim.requests.length, sent);
  });
}
