import assert from "node:assert/strict";
import { test } from "node:test";
import { ConversationTitles } from "../../src/host/internal/conversation-titles.ts";
import { silentLog } from "../../src/util/log.ts";
import { ask, openTestApp } from "../support/test-app.ts";

/** Resolves once the conversation is called so. */
const called = (titles: ConversationTitles, id: string, text: string) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (titles.of(id) === text) resolve();
    };
    titles.onChange(look);
    look();
  });

test("a conversation is titled by its first question until it is renamed", async (t) => {
  const app = await openTestApp(t);
  const titles = new ConversationTitles({ ...app, library: app.library, log: silentLog });
  t.after(() => titles.dispose());
  const { id } = app.session;
  assert.equal(titles.of(id), undefined);
  await ask(app, "What is a cart?", "A list.");
  await called(titles, id, "What is a cart?");
  await titles.rename(id, "The cart");
  await called(titles, id, "The cart");
  await app.library.rename(id, "The cart and its lines");
  await called(titles, id, "The cart and its lines");
  await app.newConversation();
  assert.equal(titles.of(app.session.id), undefined);
  assert.equal(titles.of(id), "The cart and its lines");
});
