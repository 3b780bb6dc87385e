// The places of a window: the chat view and editor tabs, each with a conversation of its own.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { PageAct, ToHost, ToPage } from "../../src/bridge/protocol.ts";
import { defaultPreferences } from "../../src/bridge/surroundings.ts";
import type { Assistant } from "../../src/core/assistant.ts";
import { Emitter } from "../../src/core/util/emitter.ts";
import { noWorkspace } from "../../src/core/workspace.ts";
import type { Tab } from "../../src/places.ts";
import type { Service, ServiceNeeds } from "../../src/service.ts";
import { holdBefore } from "../sim/faults.ts";
import { text } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { openWholeService } from "../support/whole-service.ts";
import { temporaryFolder } from "./core/store/store-support.ts";

async function openWindow(t: TestContext) {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const folder = temporaryFolder(t);
  const preferences = () => defaultPreferences;
  const editor = { attachKinds: [], setFocus() {} } as unknown as ServiceNeeds["editor"];
  const memory: { last?: string } = {};
  const acts = new Emitter<PageAct>();
  const last = {
    read: () => memory.last,
    write(conversation: string) {
      memory.last = conversation;
    },
  };
  const open = async () => {
    const needs = { folder, sim, workspace: noWorkspace, settings: { preferences } };
    const service = await openWholeService({ ...needs, editor, last, acts });
    t.after(() => service.close());
    return service;
  };
  return { sim, memory, acts, open, service: await open() };
}

/** A page without a body. */
function createPage() {
  const fromPage = new Emitter<unknown>();
  const heard: ToPage[] = [];
  const say = (message: ToHost) => fromPage.fire(message);
  return {
    heard,
    say,
    port: { post: (message: ToPage) => void heard.push(message), onMessage: fromPage.on },
    /** A person clicks into it. */
    use: () => say({ type: "focus", focus: { area: "composer" } }),
    /** The questions in what it shows. */
    get shows(): string[] {
      say({ type: "ready" });
      const shown = heard.findLast((message) => message.type === "snapshot");
      return shown?.type === "snapshot" ? shown.conversation.turns.map(({ prompt }) => prompt) : [];
    },
  };
}

async function openTab({ places }: Service, conversation?: string) {
  const page = createPage();
  const titles: (string | undefined)[] = [];
  const tab: Tab & { setTitle: Tab["setTitle"] } = {
    conversation,
    show() {},
    setTitle: (title) => void titles.push(title),
  };
  const session = await places.openTab(page.port, tab);
  return Object.assign(page, { tab, titles, close: () => session.dispose() });
}

const ended = (assistant: Assistant): Promise<void> =>
  new Promise((resolve) => {
    const listening = assistant.onEvent(({ type }) => {
      if (type !== "ended") return;
      listening.dispose();
      resolve();
    });
  });

test("a tab keeps its conversation while the chat view goes on with another; where both show one, they stay in step", async (t) => {
  const { sim, service } = await openWindow(t);
  const { assistant, places } = service;
  const ask = async (prompt: string) => {
    sim.reply(text(`To “${prompt}”.`));
    await assistant.send({ prompt });
  };
  const view = createPage();
  places.openPage(view.port);
  await ask("First");
  const tab = await openTab(service);
  assert.deepEqual([view.shows, tab.shows], [["First"], ["First"]]);
  await ask("Second");
  assert.deepEqual(tab.heard.at(-1)?.type, "events");
  assert.deepEqual(tab.shows, ["First", "Second"]);
  const { id } = assistant.conversation;

  await assistant.newConversation("A draft");
  assert.deepEqual([view.shows, tab.shows, assistant.draft], [[], ["First", "Second"], "A draft"]);
  await ask("Elsewhere");
  assert.deepEqual([view.shows, tab.shows], [["Elsewhere"], ["First", "Second"]]);

  // What stands around them is about the one that a person is in.
  assert.equal(places.tab, undefined);
  tab.use();
  assert.equal(places.tab, tab.tab);
  assert.equal(assistant.conversation.id, id);
  const done = ended(assistant);
  sim.reply(text("Yes."));
  tab.say({ type: "send", prompt: "Third" });
  await done;
  assert.deepEqual([view.shows, tab.shows], [["Elsewhere"], ["First", "Second", "Third"]]);

  view.use();
  await assistant.openConversation(id);
  await ask("Fourth");
  assert.deepEqual([view.shows.at(-1), tab.shows.at(-1)], ["Fourth", "Fourth"]);
  const [first] = assistant.conversation.turns;
  await assistant.branch(first?.id ?? "");
  assert.deepEqual([view.shows, tab.shows.length], [["First"], 4]);

  // A tab has one conversation: what is asked for in it comes into the view.
  tab.use();
  await assistant.branch(assistant.conversation.turns[1]?.id ?? "");
  assert.deepEqual([view.shows, tab.shows.length, places.tab], [["First", "Second"], 4, undefined]);
  tab.use();
  await assistant.newConversation();
  assert.deepEqual([view.shows, tab.shows.length, places.tab], [[], 4, undefined]);

  tab.use();
  tab.close();
  assert.equal(places.tab, undefined);
  assert.deepEqual(assistant.conversation.turns.length, 0);
  sim.done();
});

test("a tab is called like its conversation, and what commands have pages do is done in the one that is in use", async (t) => {
  const { sim, acts, service } = await openWindow(t);
  const tab = await openTab(service);
  assert.equal(tab.titles.at(-1), undefined);
  const called = new Promise<void>((resolve) => {
    tab.tab.setTitle = (title) => title === "Carts" && resolve();
  });
  tab.use();
  sim.reply(text("Yes."));
  await service.assistant.send({ prompt: "What is a cart?" });
  await service.library.rename(service.assistant.conversation.id, "Carts");
  tab.say({ type: "ready" });
  const view = createPage();
  service.places.openPage(view.port);
  view.say({ type: "ready" });
  const does = (page: { readonly heard: readonly ToPage[] }) =>
    page.heard.flatMap((message) => (message.type === "do" ? [message.what] : []));
  acts.fire("find");
  assert.deepEqual([does(tab), does(view)], [["find"], []]);
  await called;
  tab.close();
  acts.fire("find");
  assert.deepEqual([does(tab), does(view)], [["find"], ["find"]]);
});

test("an answer goes on to its end when its tab is closed, and is there when its conversation is opened again", async (t) => {
  const { sim, service } = await openWindow(t);
  const { assistant, places } = service;
  const heard: string[] = [];
  places.onHappening(({ event }) => event !== undefined && heard.push(event.type));
  const tab = await openTab(service);
  await assistant.newConversation();
  tab.use();
  const { id } = assistant.conversation;
  const held = holdBefore(1);
  sim.reply(text("All of it."), held);
  const answered = assistant.send({ prompt: "Take your time." });
  await new Promise<void>((resolve) => {
    const listening = assistant.onEvent(() => {
      listening.dispose();
      resolve();
    });
  });
  tab.close();
  assert.ok(places.isOpen(id));
  held.release();
  assert.equal((await answered)?.status, "done");
  // Nobody looks at it, and still it is news.
  assert.equal(heard.at(-1), "ended");
  await places.open(id);
  assert.equal(assistant.conversation.turns.at(-1)?.status, "done");
  sim.done();
});

test("after a restart each has its own again; a tab whose conversation has gone has an empty one", async (t) => {
  const { sim, service, memory, open } = await openWindow(t);
  const { assistant } = service;
  sim.reply(text("One."));
  await assistant.send({ prompt: "For the view" });
  await openTab(service);
  const inView = assistant.conversation.id;
  await assistant.newConversation();
  sim.reply(text("Two."));
  await assistant.send({ prompt: "For the tab" });
  const inTab = assistant.conversation.id;
  await assistant.openConversation(inView);
  assert.equal(memory.last, inView);
  await service.close();

  const later = await open();
  const view = createPage();
  later.places.openPage(view.port);
  const tab = await openTab(later, inTab);
  assert.deepEqual([view.shows, tab.shows], [["For the view"], ["For the tab"]]);
  await later.places.clear(inTab);
  assert.deepEqual([view.shows, tab.shows], [["For the view"], []]);
  await later.library.remove(inTab);
  const lost = await openTab(later, inTab);
  assert.deepEqual(lost.shows, []);
  sim.done();
});
