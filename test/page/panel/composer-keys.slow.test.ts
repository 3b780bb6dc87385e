// What keys do in the box for the next question, those of an input method first of all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultPreferences } from "../../../src/bridge/preferences.ts";
import type { Turn } from "../../../src/conversation/state.ts";
import { openComposer } from "./support/open-composer.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";

const running = turn("r", { status: "running", parts: [{ type: "text", id: "t", text: "Well" }] });

test("the composer sends with Enter or Ctrl+Enter and breaks the line with Shift+Enter", async () => {
  const { page, box, asked, panel } = await openComposer();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "one\ntwo"]]);
  assert.equal(await box.inputValue(), "");
  await page.keyboard.type("three");
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await asked(), [["send", "three"]]);
  await panel.close();
});

test("a sent question leaves the composer once it is saved, and text typed meanwhile stays", async () => {
  const { host, page, box, asked, panel } = await openComposer({ keeps: false });
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "one"]], "once");
  assert.equal(await box.inputValue(), "one");
  await page.keyboard.type("two");
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["draft", "two"], "what was sent is no draft");
  host.taken("one");
  await panel.settled();
  assert.equal(await box.inputValue(), "two");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" and three");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "two"]]);
  host.taken("two");
  assert.deepEqual(await asked(), [["send", "and three"]], "Enter was pressed for it");
  await panel.close();
});

test("a second Enter while a question is being sent does not retry the failed turn before it", async () => {
  const { host, page, asked, panel } = await openComposer({
    conversation: { id: "c1", turns: [samples.failed] },
    keeps: false,
  });
  await page.keyboard.type("else");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "else"]]);
  host.taken("else");
  assert.deepEqual(await asked(), []);
  await panel.close();
});

test("a question put back while it is still in the composer appears there once", async () => {
  const { host, page, box, panel } = await openComposer({ keeps: false });
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" two");
  host.putBack("one");
  await panel.settled();
  assert.equal(await box.inputValue(), "one two");
  assert.deepEqual(host.asked.at(-1), ["draft", "one two"]);
  host.taken("one");
  await panel.settled();
  assert.equal(await box.inputValue(), "one two");
  await panel.close();
});

/** What stands above the saved draft before the conversation is there. */
async function typeEarly() {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = await openComposer({ draft: "kept", arrival });
  await opened.page.keyboard.type("early");
  return { ...opened, arrive };
}

test("text typed before the conversation arrives is placed before the draft", async () => {
  const { host, box, asked, panel, arrive } = await typeEarly();
  assert.deepEqual(host.asked, [], "no draft is written over");
  arrive();
  await panel.settled();
  assert.equal(await box.inputValue(), "early\n\nkept");
  assert.deepEqual(host.asked.at(-1), ["draft", "early\n\nkept"]);
  assert.deepEqual(await asked(), []);
  await panel.close();
});

test("text sent before the conversation arrives goes out once it has, without the draft", async () => {
  const { host, page, box, asked, panel, arrive } = await typeEarly();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [], "nothing is sent to nobody");
  arrive();
  await panel.settled();
  assert.deepEqual(await asked(), [["send", "early"]]);
  host.taken("early");
  await panel.settled();
  assert.equal(await box.inputValue(), "\n\nkept", "set apart, until somebody goes there");
  assert.deepEqual(
    host.asked.findLast(([what]) => what === "draft"),
    ["draft", "kept"],
  );
  await panel.close();
});

test("the send key modEnter makes Enter break the line and Ctrl+Enter send", async () => {
  const { page, asked, panel } = await openComposer({
    conversation: { id: "c", turns: [samples.whole] },
    viewState: { preferences: { ...defaultPreferences, sendKey: "modEnter" } },
  });
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  assert.deepEqual(await asked(), []);
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await asked(), [["send", "one\ntwo"]]);
  await page.getByRole("button", { name: "Edit and resend" }).click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("And");
  for (const key of ["Enter", "x", "Control+Enter"]) await page.keyboard.press(key);
  assert.deepEqual(await asked(), [["edit-turn", "whole", "And\nx"]]);
  await panel.close();
});

test("a response that runs in another window shows Send instead of Stop, and Escape does not stop it", async () => {
  const turns = [running];
  const viewState = { readOnly: true };
  const { panel, page, box, asked } = await openComposer({ conversation: { id: "c", turns }, viewState });
  await box.fill("And then?");
  await box.press("Escape");
  assert.deepEqual(await asked(), []);
  assert.equal(await page.getByRole("button", { name: "Stop", exact: true }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Send", exact: true }).count(), 1);
  await panel.close();
});

test("the composer leaves Enter and Escape to an input method while it composes and as it ends", async () => {
  const { host, panel, box, asked } = await openComposer({ conversation: { id: "c", turns: [running] } });
  await box.fill("にほ");
  const press = (init: { key: string; isComposing?: boolean; keyCode?: number }) =>
    box.evaluate((input, given) => {
      input.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...given }));
    }, init);
  for (const key of ["Enter", "Escape"]) {
    await press({ key, isComposing: true });
    await press({ key, keyCode: 229 });
    await box.evaluate((input, pressed) => {
      input.dispatchEvent(new CompositionEvent("compositionend"));
      input.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key: pressed }));
    }, key);
  }
  assert.deepEqual(await asked(), []);
  assert.equal(await box.inputValue(), "にほ");
  await box.press("Escape");
  assert.deepEqual(await asked(), [["stop"]]);
  assert.equal(host.asked.at(-1)?.[0], "stop");
  await panel.close();
});

test("a real input method composes and commits text without sending it", async () => {
  const { page, box, asked, panel } = await openComposer();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await session.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    windowsVirtualKeyCode: 229,
  });
  await session.send("Input.insertText", { text: "日本" });
  assert.equal(await box.inputValue(), "日本");
  assert.deepEqual(await asked(), []);
  await panel.close();
});

test("Escape closes an open menu first and stops the response only when pressed again", async () => {
  const { page, box, asked, panel } = await openComposer({ conversation: { id: "c", turns: [running] } });
  await page.keyboard.type("/");
  assert.equal(await box.getAttribute("role"), "combobox");
  await page.keyboard.press("Escape");
  assert.equal(await box.getAttribute("role"), null);
  assert.deepEqual(await asked(), []);
  await page.keyboard.press("Escape");
  assert.deepEqual(await asked(), [["stop"]]);
  await panel.close();
});

test("/compact during a response is accepted, and a hint says that it runs when the response finishes", async () => {
  const { page, box, asked, panel } = await openComposer({ conversation: { id: "c", turns: [running] } });
  await page.keyboard.type("/comp");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["run", "compact"]]);
  assert.equal(await box.inputValue(), "");
  await page.getByText("Compacts when this response finishes").first().waitFor();
  await panel.close();
});

test("the Up key in an empty composer recalls earlier questions, and the Down key steps forward again", async () => {
  const conversation = { id: "c", turns: [turn("1", { prompt: "first" }), turn("2", { prompt: "second" })] };
  const { page, box, panel } = await openComposer({ conversation });
  const after = async (key: string) => {
    await page.keyboard.press(key);
    return box.inputValue();
  };
  assert.equal(await after("ArrowUp"), "second");
  assert.equal(await after("ArrowUp"), "first");
  assert.equal(await after("ArrowUp"), "first");
  assert.equal(await after("ArrowDown"), "second");
  assert.equal(await after("ArrowDown"), "");
  await page.keyboard.type("mine");
  assert.equal(await after("ArrowUp"), "mine");
  await panel.close();
});

test("the send key in an empty composer retries a question that failed and left nothing behind", async () => {
  const { page, box, asked, panel } = await openComposer({
    conversation: { id: "c1", turns: [samples.failed] },
  });
  assert.equal(await box.getAttribute("placeholder"), "Send to ask again");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["act-on-turn", samples.failed.id, "retry"]]);
  await page.keyboard.type("else");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "else"]]);
  await panel.close();
});

test("an empty composer sends nothing after a turn that did not fail or that already produced output", async () => {
  const acted: Turn = { ...samples.failed, parts: [{ type: "text", id: "t", text: "Well" }] };
  for (const last of [acted, samples.stopped, turn("done")]) {
    const { page, box, asked, panel } = await openComposer({ conversation: { id: "c1", turns: [last] } });
    await page.keyboard.press("Enter");
    assert.deepEqual(await asked(), [], last.id);
    assert.equal(await box.getAttribute("placeholder"), "Ask about your code");
    await panel.close();
  }
});
