import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenTitle, type OpenTitle } from "../../../src/core/open-title.ts";
import { silentLog } from "../../../src/core/util/log.ts";
import { ask, openDesk } from "../../support/desk.ts";

/** Resolves once it is called so. */
const called = (title: OpenTitle, text: string | undefined) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (title.text === text) resolve();
    };
    title.onChange(look);
    look();
  });

test("a conversation is called by its first question until it is renamed, here or in the list", async (t) => {
  const desk = await openDesk(t);
  const title = createOpenTitle({ ...desk, assistant: desk.assistant, log: silentLog });
  assert.equal(title.text, undefined);
  await ask(desk, "What is a cart?", "A list.");
  await called(title, "What is a cart?");
  await title.rename("The cart");
  await called(title, "The cart");
  const { id } = desk.assistant.conversation;
  await desk.library.rename(id, "The cart and its lines");
  await called(title, "The cart and its lines");
  await desk.assistant.newConversation();
  assert.equal(title.text, undefined);
  await desk.assistant.openConversation(id);
  await called(title, "The cart and its lines");
});
