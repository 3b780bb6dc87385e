// The places of a window: the chat view and editor tabs, each with a conversation of its own.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { defaultPreferences } from "../../src/bridge/preferences.ts";
import type { Act, ToHost, ToPage } from "../../src/bridge/protocol.ts";
import { noWorkspace } from "../../src/files/workspace.ts";
import type { Tab } from "../../src/host/chat-view-and-tabs.ts";
import type { Service, ServiceDeps } from "../../src/host/services.ts";
import type { Session } from "../../src/session/session.ts";
import { Emitter } from "../../src/util/emitter.ts";
import { holdBefore } from "../sim/delivery-faults.ts";
import { text } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { openWholeService } from "../support/whole-service.ts";
import { temporaryFolder } from "./store/store-support.ts";

async function openWindow(t: TestContext) {
  const sim = await startSimulator();
  t.after(() => sim.close());
  const folder = temporaryFolder(t);
  const preferences = () => defaultPreferences;
  const editor = { attachKinds: [], starters: [], setFocus() {} } as unknown as ServiceDeps["editor"];
  const memory: { last?: string } = {};
  const acts = new Emitter<Act>();
  const last = {
    read: () => memory.last,
    write(conversation: string) {
      memory.last = conversation;
    },
  };
  const open = async () => {
    const deps = { folder, sim, workspace: noWorkspace, settings: { preferences } };
    const service = await openWholeService({ ...deps, editor, last, acts });
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

async function openTab({ surfaces }: Service, conversation?: string) {
  const page = createPage();
  const titles: (string | undefined)[] = [];
  const tab: Tab & { setTitle: Tab["setTitle"] } = {
    conversation,
    show() {},
    setTitle: (title) => void titles.push(title),
  };
  const session = await surfaces.openTab(page.port, tab);
  return Object.assign(page, { tab, titles, close: () => session.dispose() });
}

const ended = (session: Session): Promise<void> =>
  new Promise((resolve) => {
    const listening = session.onEvent(({ type }) => {
      if (type !== "ended") return;
      listening.dispose();
      resolve();
    });
  });

test("a tab keeps its conversation while the chat view switches, and both stay in sync on the same one", async (t) => {
  const { sim, service } = await openWindow(t);
  const { surfaces } = service;
  const ask = async (prompt: string) => {
    sim.reply(text(`To “${prompt}”.`));
    await service.surfaces.session.send({ prompt });
  };
  const view = createPage();
  surfaces.openPage(view.port);
  await ask("First");
  const tab = await openTab(service);
  assert.deepEqual([view.shows, tab.shows], [["First"], ["First"]]);
  await ask("Second");
  assert.ok(tab.heard.some(({ type }) => type === "events"));
  assert.deepEqual(tab.shows, ["First", "Second"]);
  const { id } = service.surfaces.session.state;

  // A text that comes from elsewhere has a conversation for itself: a draft stays where it was written.
  service.surfaces.session.draft.write("Half a question");
  await service.surfaces.newConversation("A draft");
  assert.deepEqual(
    [view.shows, tab.shows, service.surfaces.session.draft.text],
    [[], ["First", "Second"], "A draft"],
  );
  await ask("Elsewhere");
  assert.deepEqual([view.shows, tab.shows], [["Elsewhere"], ["First", "Second"]]);

  // What stands around them is about the one that a person is in.
  assert.equal(surfaces.tab, undefined);
  tab.use();
  assert.equal(surfaces.tab, tab.tab);
  assert.equal(service.surfaces.session.id, id);
  const done = ended(service.surfaces.session);
  sim.reply(text("Yes."));
  tab.say({ type: "send", prompt: "Third" });
  await done;
  assert.deepEqual([view.shows, tab.shows], [["Elsewhere"], ["First", "Second", "Third"]]);

  view.use();
  await service.surfaces.open(id);
  assert.equal(service.surfaces.session.draft.text, "Half a question");
  await ask("Fourth");
  // What is asked for and shown in a tab is used there; the view stays where it is.
  assert.equal(surfaces.tab, tab.tab);
  assert.deepEqual([view.shows.at(-1), tab.shows.at(-1)], ["Elsewhere", "Fourth"]);
  const [first] = service.surfaces.session.state.turns;
  await service.surfaces.branch(first?.id ?? "");
  assert.deepEqual([view.shows, tab.shows.length], [["First"], 4]);

  // A tab has one conversation: what is asked for in it comes into the view.
  tab.use();
  await service.surfaces.branch(service.surfaces.session.state.turns[1]?.id ?? "");
  assert.deepEqual([view.shows, tab.shows.length, surfaces.tab], [["First", "Second"], 4, undefined]);
  tab.use();
  await service.surfaces.newConversation();
  assert.deepEqual([view.shows, tab.shows.length, surfaces.tab], [[], 4, undefined]);

  tab.use();
  tab.close();
  assert.equal(surfaces.tab, undefined);
  assert.deepEqual(service.surfaces.session.state.turns.length, 0);
  sim.done();
});

test("a tab shows the title of its conversation, and commands act on the page in use", async (t) => {
  const { sim, acts, service } = await openWindow(t);
  const tab = await openTab(service);
  assert.equal(tab.titles.at(-1), undefined);
  const called = new Promise<void>((resolve) => {
    tab.tab.setTitle = (title) => title === "Carts" && resolve();
  });
  tab.use();
  sim.reply(text("Yes."));
  await service.surfaces.session.send({ prompt: "What is a cart?" });
  await service.library.rename(service.surfaces.session.id, "Carts");
  tab.say({ type: "ready" });
  const view = createPage();
  service.surfaces.openPage(view.port);
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

test("a response continues after its tab is closed and is shown when its conversation is reopened", async (t) => {
  const { sim, service } = await openWindow(t);
  const { surfaces } = service;
  const heard: string[] = [];
  service.registry.follow((session) => session.onEvent((event) => heard.push(event.type)));
  const tab = await openTab(service);
  await service.surfaces.newConversation();
  tab.use();
  const { id } = service.surfaces.session.state;
  const held = holdBefore(1);
  sim.reply(text("All of it."), held);
  const answered = service.surfaces.session.send({ prompt: "Take your time." });
  await new Promise<void>((resolve) => {
    const listening = service.surfaces.session.onEvent(() => {
      listening.dispose();
      resolve();
    });
  });
  tab.close();
  assert.ok(service.registry.find(id));
  held.release();
  assert.equal((await answered)?.status, "done");
  // Nobody looks at it, and still it is news.
  assert.equal(heard.at(-1), "ended");
  await surfaces.open(id);
  assert.equal(service.surfaces.session.state.turns.at(-1)?.status, "done");
  sim.done();
});

test("the view and tabs restore their conversations after a restart, and a tab of a deleted one is empty", async (t) => {
  const { sim, service, memory, open } = await openWindow(t);
  sim.reply(text("One."));
  await service.surfaces.session.send({ prompt: "For the view" });
  const early = await openTab(service);
  const inView = service.surfaces.session.id;
  await service.surfaces.newConversation();
  sim.reply(text("Two."));
  await service.surfaces.session.send({ prompt: "For the tab" });
  const inTab = service.surfaces.session.id;
  early.close();
  await service.surfaces.open(inView);
  assert.equal(memory.last, inView);
  await service.close();

  const later = await open();
  const view = createPage();
  later.surfaces.openPage(view.port);
  const tab = await openTab(later, inTab);
  assert.deepEqual([view.shows, tab.shows], [["For the view"], ["For the tab"]]);
  await later.registry.remove(inTab);
  assert.deepEqual([view.shows, tab.shows], [["For the view"], []]);
  await later.library.remove(inTab);
  const lost = await openTab(later, inTab);
  assert.deepEqual(lost.shows, []);
  sim.done();
});
