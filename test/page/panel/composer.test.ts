// What is written in the box and what goes along with it: sent, queued, kept, never lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { defaultPreferences } from "../../../src/bridge/preferences.ts";
import { message } from "../../../src/conversation/messages.ts";
import { verbatim } from "../../support/english.ts";
import { openComposer } from "./support/open-composer.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

const spokenText = (page: Page) => page.locator("[role=status]").textContent();
const running = turn("r", { status: "running", parts: [{ type: "text", id: "t", text: "Well" }] });

test("a conversation begun by an editor action names the previous one and offers Go Back, at 300 pixels too", async () => {
  const before = "How does the parser tell a heading from a rule, and why is the line before it looked at?";
  const { page, asked, panel } = await openComposer({ viewState: { before } });
  await page.setViewportSize({ width: 300, height: 600 });
  await page
    .locator(".notice")
    .getByText("New conversation for this question. Previous: “How does the parser tell a heading from…”")
    .waitFor();
  const back = page.getByRole("button", { name: "Go Back" });
  const { x = 0, width = 0 } = (await back.boundingBox()) ?? {};
  assert.ok(x >= 0 && x + width <= 300, `${x} + ${width}`);
  await back.click();
  assert.deepEqual(await asked(), [["run", "go-back"]]);
  await panel.close();
});

test("a conversation open in another window offers Take Over by keyboard, says what it does, and leaves the focus in the box", async () => {
  const elsewhere = { readOnly: true, notices: [message("keptElsewhere")] };
  const { host, page, box, asked, panel } = await openComposer({
    viewState: { ...elsewhere, takeOver: "offered" },
  });
  assert.match((await spokenText(page)) ?? "", /is open in another window and can only be read here\./);
  const takeOver = page.getByRole("button", { name: "Take Over" });
  await takeOver.focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["run", "take-over"]]);

  host.setViewState({ takeOver: "asked" });
  await panel.settled();
  assert.equal(await spokenText(page), "Asking the other window…");
  await page.locator(".notice").getByText("can only be read here. Asking the other window…").waitFor();
  assert.ok(await takeOver.evaluate((element) => element === document.activeElement), "it keeps the focus");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [], "it is asked once");

  host.setViewState({ readOnly: false, notices: [], takeOver: "done" });
  await panel.settled();
  assert.equal(await spokenText(page), "This conversation is continued here now.");
  assert.equal(await takeOver.count(), 0);
  assert.ok(await box.evaluate((element) => element === document.activeElement));

  host.setViewState({ ...elsewhere, takeOver: "offered" });
  await panel.settled();
  assert.match(
    (await spokenText(page)) ?? "",
    /is open in another window/,
    "and the way back is told as well",
  );
  await panel.close();
});

test("the composer without an API key keeps the text, says why it is not sent and asks for the key", async () => {
  const { host, page, box, asked, panel } = await openComposer();
  await page.keyboard.type("next");
  host.setViewState({
    problem: { kind: "no-key", message: verbatim("There is no API key yet."), actions: ["set-key"] },
  });
  await panel.settled();
  await page.keyboard.press("Enter");
  assert.equal(await box.inputValue(), "next");
  assert.deepEqual(await asked(), [["act", "set-key"]]);
  assert.match((await spokenText(page)) ?? "", /There is no API key yet/);
  await panel.close();
});

test("questions sent during a response are queued and can be removed from the queue", async () => {
  const { host, page, asked, panel } = await openComposer({ conversation: { id: "c", turns: [running] } });
  await page.keyboard.type("next");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "next"]]);
  host.setViewState({
    queue: [
      { id: "q1", prompt: "next", delivery: "turn" },
      { id: "q2", prompt: "after that", delivery: "turn" },
    ],
  });
  await panel.settled();
  await page.getByRole("button", { name: "Remove from queue: next" }).focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["unqueue", "q1"]]);
  host.setViewState({ queue: [{ id: "q2", prompt: "after that", delivery: "turn" }] });
  await panel.settled();
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "Remove from queue: after that");
  host.happen({ type: "ended", turn: "r", at: 1, ending: "stopped" });
  await panel.settled();
  await page.getByRole("button", { name: "Send now" }).click();
  assert.deepEqual(await asked(), [["send-queued"]]);
  host.setViewState({ queue: [] });
  await panel.settled();
  assert.equal(await page.locator(".queue").isVisible(), false);
  await panel.close();
});

test("an attachment chip shows name and size and can be removed by key", async () => {
  const { host, page, asked, panel } = await openComposer({
    viewState: {
      attachments: [
        { id: "a", kind: "file", label: "src/parse.ts", tokens: 1234 },
        { id: "b", kind: "file", label: ".env", notes: [verbatim("It holds secrets and will not be sent.")] },
      ],
    },
  });
  assert.match(await page.locator(".chips.draft").innerText(), /src\/parse\.ts[\s\S]*≈\s1\.2k/);
  await page.getByRole("button", { name: "Remove src/parse.ts" }).focus();
  await page.keyboard.press("Delete");
  assert.deepEqual(await asked(), [["detach", "a"]]);
  host.setViewState({ attachments: [] });
  await panel.settled();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  await panel.close();
});

test("the composer attaches pasted images and dropped files, and announces a file that it refuses", async () => {
  const { page, box, asked, panel } = await openComposer();
  await box.evaluate((input) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([137, 80, 78, 71])], "shot.png", { type: "image/png" }));
    data.items.add(new File(["a\0b"], "a.bin"));
    input.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await page.waitForFunction(() => document.querySelector("[role=status]")?.textContent?.includes("a.bin"));
  assert.deepEqual(await asked(), [
    ["attach", { kind: "image", name: "shot.png", url: "data:image/png;base64,iVBORw==" }],
  ]);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("application/vnd.code.uri-list", "vscode-remote://ssh/home/a.ts\r\nfile:///b.ts");
    document
      .querySelector(".app")
      ?.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  });
  assert.deepEqual(await asked(), [["attach-uris", ["vscode-remote://ssh/home/a.ts", "file:///b.ts"]]]);
  await panel.close();
});

test("the composer leaves dragged text to the browser and accepts dragged files", async () => {
  const { box, panel } = await openComposer();
  const isTaken = (kind: "text" | "file") =>
    box.evaluate((input, kind) => {
      const data = new DataTransfer();
      if (kind === "text") data.setData("text/plain", "a word");
      else data.items.add(new File(["a"], "a.txt"));
      const look = { dataTransfer: data, bubbles: true, cancelable: true };
      return ["dragover", "drop"].map((type) => !input.dispatchEvent(new DragEvent(type, look)));
    }, kind);
  assert.deepEqual(await isTaken("text"), [false, false]);
  assert.deepEqual(await isTaken("file"), [true, true]);
  await panel.close();
});

test("a dropped folder does not block the files beside it, and a hint names it and the limit of 20 files", async () => {
  const { page, asked, panel } = await openComposer();
  await page.evaluate(() => {
    const { text } = Blob.prototype;
    // As of a folder: it is there, and cannot be read.
    Blob.prototype.text = function (this: File) {
      return this.name === "folder" ? Promise.reject(new Error("NotFoundError")) : text.call(this);
    };
    const data = new DataTransfer();
    data.items.add(new File([""], "folder"));
    for (let index = 1; index <= 21; index += 1) data.items.add(new File(["a"], `${index}.txt`));
    document
      .querySelector(".app")
      ?.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  });
  const said = page.locator(".hint");
  await said.filter({ hasText: "folder" }).waitFor();
  assert.equal(
    await said.innerText(),
    "Only the first 20 files were added. Too large, or neither text nor an image: folder",
  );
  assert.equal((await asked()).length, 19);
  await panel.close();
});

test("text typed while a branch opens moves into the branch, and earlier text stays behind", async () => {
  const { host, panel, page, box } = await openComposer({ conversation: { id: "c", turns: [turn("1")] } });
  await box.fill("Left behind.");
  await page.getByRole("button", { name: "Branch here" }).click();
  await box.press("End");
  await box.pressSequentially(" And now?");
  host.open({ id: "d", turns: [turn("1")] });
  await panel.settled();
  assert.equal(await box.inputValue(), "And now?");
  assert.deepEqual(host.asked.at(-1), ["draft", "And now?"]);
  host.open({ id: "e", turns: [turn("1")] });
  await panel.settled();
  assert.equal(await box.inputValue(), "");
  await panel.close();
});

test("a question put back while another is being sent remains alone in the composer afterwards", async () => {
  const { host, panel, box } = await openComposer({ keeps: false });
  await box.fill("On its way.");
  await box.press("Enter");
  await panel.settled();
  host.putBack("Not sent.");
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["draft", "Not sent."]);
  host.taken("On its way.");
  await panel.settled();
  assert.equal(await box.inputValue(), "Not sent.");
  // A command as the host spells it is the one that is on its way.
  await box.fill("/explain  this");
  await box.press("Enter");
  host.putBack("/explain this");
  await panel.settled();
  assert.equal(await box.inputValue(), "/explain  this");
  await panel.close();
});

test("Try 3 Ways chosen while another question is being sent proposes tries once that has left", async () => {
  const { host, page, panel, box } = await openComposer({ keeps: false, viewState: { canTry: true } });
  await box.fill("On its way.");
  await box.press("Enter");
  await box.press("End");
  await page.keyboard.type(" Another.");
  await page.getByRole("button", { name: /^Model: / }).click();
  await page.getByRole("menuitem", { name: /^Try 3 Ways/ }).click();
  host.taken("On its way.");
  await panel.settled();
  const asked = host.asked.filter(([type]) => type === "send" || type === "try-ways");
  assert.deepEqual(asked, [
    ["send", "On its way."],
    ["try-ways", "Another."],
  ]);
  await panel.close();
});

test("Try 3 Ways says why nothing is tried: the box is empty, or the question was put back", async () => {
  const { host, page, panel, box } = await openComposer({ keeps: false, viewState: { canTry: true } });
  const tryWays = async () => {
    await page.getByRole("button", { name: /^Model: / }).click();
    await page.getByRole("menuitem", { name: /^Try 3 Ways/ }).click();
  };
  await tryWays();
  await page.locator(".hint", { hasText: "Write the question" }).waitFor();
  await box.fill("Later.");
  await tryWays();
  host.putBack("Later.");
  await page.locator(".hint", { hasText: "once the response has finished" }).waitFor();
  assert.equal(await box.inputValue(), "Later.");
  await panel.close();
});

test("the composer reports the draft to the host as it is typed, and a new page restores it", async () => {
  const { host, page, panel } = await openComposer();
  await page.keyboard.type("half");
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["draft", "half"]);
  await panel.close();
  const later = smallHost({ draft: "half" });
  const again = await openPanel(later);
  const box = again.page.locator(".composer textarea");
  assert.equal(await box.inputValue(), "half");
  later.putBack("/notes that were not sent");
  await again.settled();
  assert.equal(await box.inputValue(), "/notes that were not sent\n\nhalf");
  assert.deepEqual(later.asked.at(-1), ["draft", "/notes that were not sent\n\nhalf"]);
  await again.close();
});

test("a long text takes the direction of its first letter, a short one that of each paragraph", async () => {
  const { panel, page } = await openComposer();
  const box = page.locator(".composer textarea");
  for (const [text, direction] of [
    ["12 words. ".repeat(3000), "ltr"],
    ["Short.", "auto"],
    ["12 שלום. ".repeat(3000), "rtl"],
    ["", "auto"],
  ] as const) {
    await box.fill(text);
    assert.equal(await box.getAttribute("dir"), direction, text.slice(0, 20));
  }
  await panel.close();
});

test("the composer grows with its text up to a share of the page height", async () => {
  const { box, panel } = await openComposer();
  const height = async () => (await box.boundingBox())?.height ?? 0;
  const one = await height();
  await box.fill("a\n".repeat(5));
  assert.ok((await height()) > one + 80);
  await box.fill("a\n".repeat(500));
  assert.ok((await height()) < 700 * 0.45);
  await panel.close();
});

const suggested = {
  kind: "selection",
  label: "src/cart.ts, lines 3–9",
  attachment: { kind: "selection", path: "src/cart.ts", start: 3, end: 9 },
} as const;

test("a suggested active file is attached only after it was added by click or Enter", async () => {
  const { page, asked, panel } = await openComposer({ viewState: { suggested } });
  await page.keyboard.type("what is it?");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "what is it?"]]);
  await page.getByRole("button", { name: "Add src/cart.ts, lines 3–9" }).focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["attach", suggested.attachment]]);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  await panel.close();
});

test("an automatically attached active file is removed with one click until another file becomes active", async () => {
  const preferences = { ...defaultPreferences, attachActiveEditor: true };
  const { host, page, asked, panel } = await openComposer({ viewState: { suggested, preferences } });
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [
    ["attach", suggested.attachment],
    ["send", "one"],
  ]);
  await page.getByRole("button", { name: `Remove ${suggested.label}` }).click();
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "two"]]);
  host.setViewState({
    suggested: { ...suggested, label: "src/total.ts", attachment: { kind: "file", path: "src/total.ts" } },
  });
  await panel.settled();
  await page.getByRole("button", { name: "Remove src/total.ts" }).waitFor();
  await panel.close();
});
