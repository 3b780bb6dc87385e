// What a page is told beside the conversation, over a whole service.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Problem } from "../../src/conversation/problem.ts";
import { draftCount } from "../../src/editor/status/status-text.ts";
import { trialHandlers } from "../../src/host/internal/page-trials.ts";
import type { ServiceDeps } from "../../src/host/services.ts";
import type { Session } from "../../src/session/session.ts";
import { featuresOfBlocks } from "../../src/usage/local-estimate.ts";
import { addFeatures, noFeatures, withFeature } from "../../src/usage/text-features.ts";
import { cutAfterEvents } from "../sim/delivery-faults.ts";
import { status } from "../sim/http-answers.ts";
import { text } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { openWholePage, pageSettings } from "../support/whole-page.ts";
import { openWholeService } from "../support/whole-service.ts";
import { addTurn, libraryOn, temporaryFolder } from "./store/store-support.ts";

async function openPage(t: TestContext) {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const options = { sim, workspace: createFolderWorkspace(), settings: pageSettings };
  const service = await openWholeService({ folder: temporaryFolder(t), ...options });
  t.after(() => service.close());
  const page = openWholePage(service);
  return { sim, service, page };
}

test("the draft estimate includes the tokens of the whole conversation, on either route", async (t) => {
  const { sim, service, page } = await openPage(t);
  const long = "All of this goes again with every question. ".repeat(500);
  service.surfaces.session.draft.write(long);
  const first = page.viewState().estimate ?? assert.fail();
  assert.equal(first.altogether, undefined);
  for (const model of ["svc-k2.6", "svc-k3"]) {
    service.surfaces.session.choices.chooseModel(model);
    sim.reply(text("Yes."));
    await service.surfaces.session.send({ prompt: long });
    service.surfaces.session.draft.write("And?");
    const { tokens, altogether = 0 } = page.viewState().estimate ?? assert.fail();
    assert.ok(tokens < 10, `${tokens}`);
    assert.ok(altogether > 0.8 * first.tokens, `${altogether} of ${first.tokens}`);
  }
  await service.surfaces.newConversation();
  service.surfaces.session.draft.write("And?");
  assert.equal(page.viewState().estimate?.altogether, undefined);
});

test("a page offers the previous conversation after an editor action, until a second question is asked", async (t) => {
  const { sim, service, page } = await openPage(t);
  const { surfaces } = service;
  const ask = async (prompt: string) => {
    sim.reply(text("Yes."));
    await surfaces.session.send({ prompt });
  };
  await surfaces.openBeside("conversation");
  assert.equal(page.viewState().before, undefined, "nothing was here");
  await ask("First?");
  const { id } = surfaces.session;
  for (const kind of ["conversation", "task"] as const) {
    await surfaces.openBeside(kind);
    await ask("Explain this.");
    assert.equal(page.viewState().before, "First?");
    const there = new Promise<void>((resolve) => {
      surfaces.onSwitch(resolve);
    });
    page.say({ type: "run", command: "go-back" });
    await there;
    assert.equal(surfaces.session.id, id);
    assert.equal(page.viewState().before, undefined);
  }
  await surfaces.openBeside("conversation");
  await ask("Explain this.");
  await ask("And that?");
  assert.equal(page.viewState().before, undefined);
  await surfaces.newConversation();
  assert.equal(page.viewState().before, undefined, "a person has asked for that one");
});

test("composer, status bar and inspector agree on the tokens of a draft with attachments, on either route", async (t) => {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const workspace = createFolderWorkspace();
  const attached = Array.from({ length: 300 }, (_, at) => `const name${at} = "\\\\${at}";`).join("\n");
  workspace.write("work/names.ts", attached);
  const options = { sim, workspace, settings: pageSettings };
  const service = await openWholeService({ folder: temporaryFolder(t), ...options });
  t.after(() => service.close());
  const page = openWholePage(service);
  const { client, counts } = service;
  const { session } = service.surfaces;
  session.draft.write('Which of them is "name7"?\n\nTell me its \\value.');
  const alone = page.viewState().estimate?.tokens ?? assert.fail();
  const isLooked = new Promise<void>((resolve) => {
    session.onChange(() => session.draft.parts.length > 0 && resolve());
  });
  session.draft.attach({ kind: "file", path: "names.ts" });
  await isLooked;
  for (const model of ["svc-k3", "svc-k2.6"]) {
    session.choices.chooseModel(model);
    const composer = page.viewState().estimate?.tokens ?? assert.fail();
    assert.ok(composer > 1000 + alone, `${composer}`);
    assert.equal(draftCount(session, counts)?.tokens, composer);
    const composed = await client.compose(await session.preview(undefined, new AbortController().signal));
    if ("message" in composed) assert.fail(composed.message.code);
    // What is attached may go as a message of its own, which costs a frame more: all else is the same.
    const own = featuresOfBlocks(composed.body).filter(({ name }) => /(?:^|\W)user$/.test(name));
    const sum = noFeatures();
    for (const { features } of own) addFeatures(sum, features);
    // The draft counts each part by itself, so that what meets at a seam may come to a token more or less.
    const sent = counts.aboutFeatures(model, withFeature(sum, "messages", 1)).tokens;
    assert.ok(Math.abs(sent - composer) <= 1, `${sent} and ${composer}`);
  }
});

test("a page takes over a conversation from the window that writes it", async (t) => {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const folder = temporaryFolder(t);
  const writer = await libraryOn(folder).create("c");
  await addTurn(writer, "1");
  writer.onDidChange(({ type }) => type === "asked-for" && void writer.handOver());
  const options = { sim, workspace: createFolderWorkspace(), settings: pageSettings };
  const service = await openWholeService({ folder, ...options });
  t.after(() => service.close());
  await service.surfaces.open("c");
  const page = openWholePage(service);
  const { readOnly, takeOver } = page.viewState();
  assert.deepEqual([readOnly, takeOver], [true, "offered"]);
  const arrived = new Promise<void>((resolve) => service.surfaces.session.onReread(resolve));
  page.say({ type: "run", command: "take-over" });
  assert.equal(page.viewState().takeOver, "asked");
  await arrived;
  assert.equal(page.viewState().readOnly, false);
  assert.equal(writer.readOnly?.kind, "elsewhere");
});

test("a refused key is shown as a caution in a new conversation until a key is accepted", async (t) => {
  const sim = await startSimulator();
  t.after(() => sim.close());
  let refusal: Problem | undefined;
  const service = await openWholeService({
    folder: temporaryFolder(t),
    sim,
    workspace: createFolderWorkspace(),
    settings: pageSettings,
    caution: () => refusal,
    keyWatcher: {
      refused: (problem) => {
        refusal = problem;
      },
      accepted: () => {
        refusal = undefined;
      },
      reached: () => {},
      answers: () => {},
    },
  });
  t.after(() => service.close());
  const page = openWholePage(service);
  const shown = () => page.viewState().caution;
  assert.equal(shown(), undefined);

  sim.fault(status(401));
  await service.surfaces.session.send({ prompt: "Hello" });
  assert.equal(service.surfaces.session.state.turns.at(-1)?.problem?.kind, "auth");
  await service.surfaces.newConversation();
  assert.deepEqual([shown()?.kind, shown()?.actions], ["auth", ["set-key"]]);
  // Nothing is held up by it: only the service knows when the key will do.
  assert.equal(page.viewState().problem, undefined);

  sim.reply(text("Hello."));
  await service.surfaces.session.send({ prompt: "Hello again" });
  assert.equal(shown(), undefined);
});

test("a page excludes a stopped response, and summarizes the conversation after confirmation", async (t) => {
  const { sim, service, page } = await openPage(t);
  page.viewState();
  const { session } = service.surfaces;
  const changed = (is: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => is() && resolve();
      session.onChange(look);
      session.onEvent(look);
      look();
    });
  sim.reply(text("It begins."), cutAfterEvents(5));
  await session.send({ prompt: "Rename every file." });
  const [cutOff] = session.state.turns;
  page.say({ type: "act-on-turn", turn: cutOff?.id, action: "exclude" });
  await changed(() => session.state.turns[0]?.excluded === true);
  sim.reply(text("Hello."));
  await session.send({ prompt: "Hello" });
  const sent = String(sim.requests.at(-1)?.raw);
  assert.match(sent, /"Hello"/);
  assert.doesNotMatch(sent, /Rename every file/);
  sim.reply(text("SUMMARY."));
  page.say({ type: "run", command: "compact" });
  await changed(() => session.question !== undefined);
  assert.equal(page.viewState().question?.message.code, "questionCompact");
  const first = session.question?.id ?? "";
  // A click that was meant for an earlier question answers none.
  page.say({ type: "answer", question: `${first}0`, action: "compact" });
  assert.notEqual(session.question, undefined);
  page.say({ type: "answer", question: first, action: "compact" });
  await changed(() => session.state.turns.at(-1)?.compacts === true && !session.isRunning);
  assert.equal(session.state.turns.at(-1)?.status, "done");
});

test("a question about long texts stays open while they are read whole, and the page gets only their beginnings", async (t) => {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const workspace = createFolderWorkspace();
  const long = `Use tabs.\n${"Do it.\n".repeat(2_000)}Send keys.`;
  workspace.write("work/AGENTS.md", long);
  const read: unknown[] = [];
  const editor = {
    attachKinds: [],
    starters: [],
    showTexts: (texts: unknown) => read.push(texts),
  } as unknown as ServiceDeps["editor"];
  const options = { sim, workspace, settings: pageSettings, editor };
  const service = await openWholeService({ folder: temporaryFolder(t), ...options });
  t.after(() => service.close());
  const page = openWholePage(service);
  const { session } = service.surfaces;
  const asks = new Promise<void>((resolve) => {
    session.onChange(() => session.question !== undefined && resolve());
  });
  sim.reply(text("Hello."));
  const answered = session.send({ prompt: "Hello?" });
  await asks;
  const { question } = page.viewState();
  assert.ok(question?.actions.includes("read-whole"));
  assert.doesNotMatch(JSON.stringify(question), /Send keys/);
  page.say({ type: "answer", question: question?.id ?? "", action: "read-whole" });
  assert.equal(session.answer("read-whole"), false);
  assert.match(JSON.stringify(read), /"path":"AGENTS\.md","text":"Use tabs[\s\S]*Send keys/);
  assert.notEqual(session.question, undefined);
  page.say({ type: "answer", question: question?.id ?? "", action: "leave-out" });
  assert.equal((await answered)?.status, "done");
});

test("a question that cannot be tried now is put back as it was typed, with its command", () => {
  const posted: unknown[] = [];
  const handlers = trialHandlers({
    ...{ trials: undefined, session: () => ({}) as Session, isMoving: () => true },
    actOnTry() {},
    inBackground() {},
  });
  const page = { post: (told: unknown) => void posted.push(told) };
  handlers["try-ways"]({ type: "try-ways", prompt: "the sum", command: "fix" }, page);
  handlers["try-ways"]({ type: "try-ways", prompt: "Why?" }, page);
  assert.deepEqual(posted, [
    { type: "put-back", text: "/fix the sum" },
    { type: "put-back", text: "Why?" },
  ]);
});
