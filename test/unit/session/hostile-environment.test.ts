// An environment that names a person, holds keys of others and points elsewhere: nothing of it is in any request, and
// nobody but the service is asked.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, hostname } from "node:os";
import { test } from "node:test";
import { call, patchCall, text } from "../../sim/script.ts";
import { clientOf } from "../../support/simulated-client.ts";
import { startTalk } from "../../support/talk.ts";

const person = {
  USER: "canary-user",
  LOGNAME: "canary-logname",
  USERNAME: "canary-username",
  HOSTNAME: "canary-host",
  COMPUTERNAME: "canary-computer",
  HOME: "/home/canary-home",
  USERPROFILE: "C:\\Users\\canary-profile",
  EMAIL: "canary@mail.example",
  GIT_AUTHOR_NAME: "Canary Author",
  GIT_AUTHOR_EMAIL: "author-canary@mail.example",
  GIT_COMMITTER_EMAIL: "committer-canary@mail.example",
};
const keys = {
  OPENAI_API_KEY: "sk-canary-of-others",
  PATCHBAY_KEY: "sk-canary-of-a-shell",
  API_KEY: "canary-api-key",
};
const addresses = [
  "OPENAI_BASE_URL",
  "OPENAI_API_BASE",
  "PATCHBAY_BASE_URL",
  "BASE_URL",
  "ANTHROPIC_BASE_URL",
];

test("environment variables with names, keys and URLs appear in no request and redirect none", async (t) => {
  const caught: string[] = [];
  const catcher = createServer(({ url }, response) => {
    caught.push(String(url));
    response.end();
  });
  await new Promise<void>((resolve) => catcher.listen(0, "127.0.0.1", resolve));
  const elsewhere = `http://127.0.0.1:${(catcher.address() as AddressInfo).port}`;
  const hostile = { ...person, ...keys, ...Object.fromEntries(addresses.map((name) => [name, elsewhere])) };
  const before = { ...process.env };
  Object.assign(process.env, hostile);
  t.after(() => {
    for (const name of Object.keys(hostile)) delete process.env[name];
    Object.assign(process.env, before);
    catcher.close();
  });

  const talk = await startTalk();
  talk.workspace.write("work/.git/config", "[user]\n\temail = git-canary@mail.example\n");
  talk.workspace.write("work/.env", "SECRET=env-canary\n");
  talk.workspace.write("work/a.ts", "one\ntwo\n");
  talk.decide = () => ({ kind: "accept" });
  const { sim } = talk;
  sim.reply(
    call("list_files", {}),
    call("read_file", { path: ".git/config" }),
    call("read_file", { path: ".env" }),
    call("search_text", { query: "canary" }),
    call("problems", {}),
  );
  sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+1\n*** End Patch\n"));
  sim.reply(text("Done."));
  await talk.ask("Look around.");
  sim.reply(text("Hello."));
  await talk.ask("And you?", "svc-k2.6");
  const client = clientOf(sim, { settings: () => ({ userId: "hashed" }) });
  t.after(() => client.dispose());
  const never = new AbortController().signal;
  await client.checkKey(never);
  await client.estimate({ model: "svc-k3", messages: [{ role: "user", content: "Hi" }] }, never);
  await client.deleteFile("file-1", never);

  assert.deepEqual([...new Set(sim.requests.map(({ operation }) => operation))].sort(), [
    "chat",
    "delete",
    "estimate",
    "responses",
  ]);
  const seen = sim.requests
    .map(({ path, headers, raw }) => `${path}\n${JSON.stringify(headers)}\n${raw}`)
    .join("\n");
  // What the model itself searched for is its own word.
  assert.doesNotMatch(
    seen.replaceAll('{\\"query\\":\\"canary\\"}', "").replaceAll("“canary”", ""),
    /canary-|canary@|-canary/,
  );
  for (const own of [homedir(), hostname(), talk.workspace.root, process.cwd()])
    assert.ok(own.length < 3 || !seen.includes(own), own);
  assert.ok(sim.requests.every(({ authorized }) => authorized));
  assert.deepEqual(caught, []);
});
