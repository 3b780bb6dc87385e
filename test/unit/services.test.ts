// The service as a whole: what no single part can promise, because any of them could break it.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { verbatim as asTyped } from "../../src/conversation/events.ts";
import type { Service, ServiceDeps } from "../../src/host/services.ts";
import { defaultConversationSettings } from "../../src/session/session-context.ts";
import { outsideConversations } from "../../src/usage/ledger.ts";
import { call, patchCall, text, usage } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { openWholeService } from "../support/whole-service.ts";
import { libraryOn, temporaryFolder } from "./store/store-support.ts";

const never = new AbortController().signal;
const userName = "canary-jane";
const hostName = "canary-laptop";
const eMail = "jane@canary.example";

/** Whoever asks this machine who and where it is hears of a person, and so does whoever looks into their files. */
function machineOf(t: TestContext, workspace: string): { readonly home: string } {
  const home = join(temporaryFolder(t), userName);
  const git = `[user]\n\tname = ${userName}\n\temail = ${eMail}\n`;
  for (const folder of [home, join(workspace, ".git")]) mkdirSync(folder, { recursive: true });
  for (const file of [join(home, ".gitconfig"), join(workspace, ".git/config")]) writeFileSync(file, git);
  const { hostname, homedir, userInfo } = os;
  const environment = { ...process.env };
  Object.assign(os, {
    hostname: () => hostName,
    homedir: () => home,
    userInfo: () => ({ ...userInfo(), username: userName, homedir: home }),
  });
  syncBuiltinESMExports();
  Object.assign(process.env, {
    HOME: home,
    USER: userName,
    LOGNAME: userName,
    HOSTNAME: hostName,
    GIT_AUTHOR_EMAIL: eMail,
    EMAIL: eMail,
  });
  t.after(() => {
    Object.assign(os, { hostname, homedir, userInfo });
    syncBuiltinESMExports();
    process.env = environment;
  });
  return { home };
}

/** Every way in which anything is sent. */
async function useEverything(service: Service) {
  const { client, counts, files, sendOnce } = service;
  await service.surfaces.session.send({ prompt: "Look around." });
  await service.surfaces.session.send({
    prompt: "And then?",
    attachments: [{ kind: "folder", path: "src" }],
  });
  service.surfaces.session.choices.chooseModel("svc-k2.6");
  await service.surfaces.session.send({ prompt: "And you?" });
  const hello = [{ kind: "text", text: asTyped("Hello") }] as const;
  await counts.byService("svc-k3", hello, never);
  await counts.byModels([{ id: "svc-k3", label: "K3", route: "responses" }], hello, never);
  await client.checkKey(never);
  await client.checkConnection(async () => true, never);
  await files.delete(["file-1"], () => {}, never);
  const messages = [{ role: "user", content: "Hello" }] as const;
  await sendOnce({ route: "chat", request: { model: "svc-k2.6", messages } }, never);
  await askFromOutside(service);
}

/** As VS Code's own chat does, one model after the other. */
async function askFromOutside({ languageModelChat }: Service) {
  const parts = [{ kind: "text", text: "Hello" }] as const;
  for (const [model, route] of [
    ["svc-k3", "responses"],
    ["svc-k2.6", "chat"],
  ] as const) {
    const asked = { model, route, messages: [{ role: "user", parts }], tools: [] } as const;
    for await (const event of languageModelChat.ask(asked, async () => undefined, never))
      assert.notEqual(event.type, "call");
  }
}

test("requests of every operation omit the user's name, home, host and e-mail unless attached", async (t) => {
  const workspace = createFolderWorkspace();
  const { home } = machineOf(t, join(workspace.root, "work"));
  workspace.write("work/src/a.ts", "export const one = 1;\n");
  workspace.write("work/team.txt", `Ask ${eMail}\n`);
  const steps = [
    [
      call("list_files", {}),
      call("read_file", { path: ".git/config" }),
      call("read_file", { path: "src/a.ts" }),
    ],
    [text("Done.")],
  ];
  const sim = await startSimulator({ assistant: () => steps.shift() ?? [text("Yes.")], files: ["file-1"] });
  t.after(() => sim.close());
  const service = await openWholeService({ folder: temporaryFolder(t), sim, workspace });
  t.after(() => service.close());

  await useEverything(service);
  const operations = new Set(sim.requests.map(({ operation }) => operation));
  assert.deepEqual([...operations].sort(), ["chat", "delete", "estimate", "responses"]);
  assert.ok(sim.requests.length >= 12, `${sim.requests.length} requests`);
  const own = [userName, hostName, eMail, home, workspace.root, process.cwd()];
  for (const { path, headers, raw } of sim.requests)
    for (const word of own) assert.ok(!`${path} ${JSON.stringify(headers)} ${raw}`.includes(word), word);

  // What a person puts next to a question goes as it is.
  await service.surfaces.session.send({ prompt: "Whom?", attachments: [{ kind: "file", path: "team.txt" }] });
  assert.ok(String(sim.requests.at(-1)?.raw).includes(eMail));
});

test("the ledger records requests of VS Code's chat by model, sent with the person's settings", async (t) => {
  const sim = await startSimulator({ assistant: () => [text("Yes."), usage({ input: 12, output: 3 })] });
  t.after(() => sim.close());
  const limits = { steps: 1, outputTokens: 900, cacheTtl: "1h" } as const;
  const conversation = () => ({ ...defaultConversationSettings, limits });
  const workspace = createFolderWorkspace();
  const settings = { conversation };
  const service = await openWholeService({ folder: temporaryFolder(t), sim, workspace, settings });
  t.after(() => service.close());
  await askFromOutside(service);
  await service.ledgers.flush();
  const rows = await service.ledgers.usage.since(0);
  assert.deepEqual(
    rows.map(({ conversation, model, input, askedTtl }) => [conversation, model, input, askedTtl]),
    [
      [outsideConversations.languageModel, "svc-k3", 12, "1h"],
      [outsideConversations.languageModel, "svc-k2.6", 12, undefined],
    ],
  );
  assert.equal(sim.requests[0]?.body["max_output_tokens"], 900);
  assert.equal(service.surfaces.session.state.turns.length, 0);
});

test("a draft is counted by the service automatically only in a trusted folder", async (t) => {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const workspace = createFolderWorkspace();
  workspace.trusted = false;
  const settings = { estimateMode: () => "auto" as const };
  const service = await openWholeService({ folder: temporaryFolder(t), sim, workspace, settings });
  t.after(() => service.close());
  const write = (draft: string) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    service.surfaces.session.draft.write(draft);
    t.mock.timers.tick(800);
    t.mock.timers.reset();
  };
  const bodies = () => sim.requests.map(({ raw }) => String(raw));

  write("canary in an untrusted folder");
  // Whatever was on its way is there by now.
  await service.client.checkKey(never);
  await service.client.checkKey(never);
  assert.equal(bodies().length, 2);
  assert.ok(!bodies().join("").includes("canary"));

  workspace.trusted = true;
  const counted = new Promise<void>((resolve) => service.counts.onCount(resolve));
  write("canary in a trusted one");
  await counted;
  assert.match(bodies().at(-1) ?? "", /canary in a trusted one/);
});

test("the registry reports closed conversations with pending changes after a restart, until they are decided", async (t) => {
  const sim = await startSimulator();
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\n");
  const folder = temporaryFolder(t);
  const open = () => openWholeService({ sim, folder, workspace });
  const before = await open();
  sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch"));
  sim.reply(text("Done."));
  const { id } = before.surfaces.session;
  await before.surfaces.session.send({ prompt: "Change it." });
  await before.close();

  const after = await open();
  t.after(async () => {
    await after.close();
    await sim.close();
  });
  const { registry, surfaces } = after;
  await surfaces.newConversation();
  const until = async (is: () => boolean) => {
    while (!is())
      await new Promise<void>((resolve) => {
        const listening = registry.onChange(() => {
          listening.dispose();
          resolve();
        });
      });
  };
  await until(() => registry.find(id) === undefined && registry.others(surfaces.session).waiting === 1);
  assert.equal(registry.activityOf(id), "needs-review");

  const lease = await registry.open(id);
  assert.equal(registry.activityOf(id), "needs-review", "nobody has looked at its changes yet");
  const { changes } = lease.session.patches;
  await changes.refresh();
  await changes.reject(changes.pending.flatMap(({ hunks }) => hunks.map((hunk) => hunk.id)));
  await lease.release();
  await until(() => registry.others(surfaces.session).waiting === 0);
  assert.equal(registry.activityOf(id), undefined);
});

test("a service that fails to open releases its conversation to other windows", async (t) => {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const folder = temporaryFolder(t);
  const options = { sim, folder, workspace: createFolderWorkspace() };
  const before = await openWholeService(options);
  sim.reply(text("Hello."));
  const { session } = before.surfaces;
  await session.send({ prompt: "Hello" });
  await before.close();
  // Whatever it is that goes wrong in the last step.
  const acts = {} as ServiceDeps["acts"];
  await assert.rejects(openWholeService({ ...options, acts }), TypeError);
  const { readOnly } = await libraryOn(folder).open(session.id);
  assert.equal(readOnly, undefined);
});
