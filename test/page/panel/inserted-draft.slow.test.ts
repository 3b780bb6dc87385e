// A draft that the host brings while somebody is typing, or is about to.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { emptyConversation } from "../../../src/conversation/reduce.ts";
import { openComposer } from "./support/open-composer.ts";
import { turn } from "./support/sample-turn.ts";

/** For so many milliseconds after it was drawn, a draft counts as not read yet (src/page/view/composer/composer-input.ts). */
const unread = 500;

/** A page whose host brings the draft only when it is told to, and in which nobody has had the time to read it. */
async function openWaiting(draft: string, keeps = true) {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = await openComposer({ draft, arrival, keeps });
  // However slow this machine is.
  await opened.page.evaluate((held) => {
    const { setTimeout: later } = window;
    const holding = (then: () => void, delay: number) => (delay === held ? 0 : later(then, delay));
    Object.assign(window, { setTimeout: holding, later });
  }, unread);
  const caret = () =>
    opened.box.evaluate(
      (box) => box instanceof HTMLTextAreaElement && [box.selectionStart, box.selectionEnd],
    );
  return {
    ...opened,
    caret,
    /** What is typed next comes behind the draft, and before anybody can have read it. */
    async arrive() {
      arrive();
      await opened.panel.settled();
    },
    /** From now on, a draft that was drawn has been there for a while. */
    passTime: () =>
      opened.page.evaluate(() => {
        const { later } = window as unknown as { later: typeof setTimeout };
        Object.assign(window, { setTimeout: (then: () => void) => later(then) });
      }),
  };
}

describe("an arriving draft", () => {
  test("keeps the caret in the text being typed", async () => {
    const { host, page, box, panel, arrive, caret } = await openWaiting("say 26");
    await page.keyboard.type("say 7");
    await page.keyboard.press("ArrowLeft");
    await arrive();
    assert.deepEqual(await caret(), [4, 4]);
    await page.keyboard.type("2");
    await panel.settled();
    assert.equal(await box.inputValue(), "say 27\n\nsay 26");
    assert.deepEqual(host.asked.at(-1), ["draft", "say 27\n\nsay 26"]);
    await panel.close();
  });

  test("keeps the selection, so that typing replaces only the selected text", async () => {
    const { page, box, panel, arrive } = await openWaiting("say 26");
    await page.keyboard.type("say");
    await page.keyboard.press("Control+A");
    await arrive();
    await page.keyboard.type("say 27");
    assert.equal(await box.inputValue(), "say 27\n\nsay 26");
    await panel.close();
  });

  test("stays separate from text typed into the empty composer right after it arrives", async () => {
    const { host, page, box, asked, panel, arrive, caret } = await openWaiting("say 26");
    await arrive();
    assert.equal(await box.inputValue(), "say 26");
    await page.keyboard.insertText("say 2");
    assert.equal(await box.inputValue(), "say 2\n\nsay 26");
    assert.deepEqual(await caret(), [5, 5]);
    await page.keyboard.type("7");
    await panel.settled();
    assert.deepEqual(host.asked.at(-1), ["draft", "say 27\n\nsay 26"]);
    await page.keyboard.press("Enter");
    assert.deepEqual(await asked(), [["send", "say 27"]]);
    assert.equal((await box.inputValue()).trim(), "say 26");
    await panel.close();
  });

  test("stays separate from a word composed by an input method", async () => {
    const { page, box, panel, arrive, caret } = await openWaiting("say 26");
    await arrive();
    const engine = await page.context().newCDPSession(page);
    for (const text of ["n", "ni"])
      await engine.send("Input.imeSetComposition", {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    assert.equal(await box.inputValue(), "say 26ni", "the word is not taken from it");
    await engine.send("Input.insertText", { text: "你" });
    assert.equal(await box.inputValue(), "你\n\nsay 26");
    assert.deepEqual(await caret(), [1, 1]);
    await engine.detach();
    await panel.close();
  });

  test("is extended at its end by text typed once it has been visible for a while", async () => {
    const { page, box, panel, arrive, passTime } = await openWaiting("half");
    await passTime();
    await arrive();
    await page.keyboard.type(" of it");
    assert.equal(await box.inputValue(), "half of it");
    await panel.close();
  });

  test("is extended at once if the user places the caret in it", async () => {
    for (const act of ["click", "End"] as const) {
      const { page, box, panel, arrive } = await openWaiting("half");
      await arrive();
      if (act === "click") await box.click();
      else await page.keyboard.press(act);
      await page.keyboard.type(" of it");
      assert.equal(await box.inputValue(), "half of it", act);
      await panel.close();
    }
  });
});

describe("a question beside an arrived draft", () => {
  test("is sent alone, and text typed next is placed before the draft again", async () => {
    const { host, page, box, asked, panel, arrive } = await openWaiting("say 26", false);
    await page.keyboard.type("say 27");
    await arrive();
    await page.keyboard.press("Enter");
    // Once more, before it has left: it is not for the draft.
    await page.keyboard.press("Enter");
    assert.deepEqual(await asked(), [["send", "say 27"]]);
    assert.deepEqual(host.asked.at(-1), ["send", "say 27"]);
    assert.deepEqual(
      host.asked.findLast(([name]) => name === "draft"),
      ["draft", "say 26"],
    );
    host.taken("say 27");
    assert.deepEqual(await asked(), [], "nobody has asked for the draft");
    await page.keyboard.type("say 28");
    assert.equal(await box.inputValue(), "say 28\n\nsay 26");
    await panel.close();
  });

  test("is sent together with the draft once the caret was moved into the draft", async () => {
    const { page, asked, panel, arrive } = await openWaiting("say 26");
    await page.keyboard.type("say 27");
    await arrive();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    assert.deepEqual(await asked(), [["send", "say 27\n\nsay 26"]]);
    await panel.close();
  });

  test("stays separate from text put back and typed while it is being sent", async () => {
    const { host, panel, page, box } = await openComposer({ keeps: false, draft: "" });
    await page.keyboard.type("say 26");
    await page.keyboard.press("Enter");
    host.putBack("say 25");
    await panel.settled();
    assert.equal(await box.inputValue(), "say 26\n\nsay 25");
    await page.keyboard.insertText("say 27");
    assert.equal(await box.inputValue(), "say 26\n\nsay 27\n\nsay 25");
    host.taken("say 26");
    await panel.settled();
    assert.equal(await box.inputValue(), "say 27\n\nsay 25");
    await panel.close();
  });
});

test("a question put back leaves the caret in the text being typed", async () => {
  const { host, page, box, panel } = await openComposer();
  await page.keyboard.type("say 7");
  await page.keyboard.press("ArrowLeft");
  host.putBack("say 26");
  await panel.settled();
  await page.keyboard.type("2");
  assert.equal(await box.inputValue(), "say 26\n\nsay 27");
  await panel.close();
});

test("text carried into a branch keeps its caret and is placed before the draft there", async () => {
  const { host, page, box, panel } = await openComposer({
    conversation: { id: "c", turns: [turn("1")] },
    draft: "say 26",
  });
  await page.getByRole("button", { name: "Branch here" }).click();
  await box.press("End");
  await box.pressSequentially(" say 7");
  await box.press("ArrowLeft");
  host.open(emptyConversation("d"));
  await panel.settled();
  await page.keyboard.type("2");
  assert.equal(await box.inputValue(), "say 27\n\nsay 26");
  await panel.close();
});
