import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { defaultPreferences, type Surroundings } from "../../../src/bridge/surroundings.ts";
import { closeBrowserAfterwards, openPanel } from "./support/panel.ts";
import { samples, turn } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

closeBrowserAfterwards();

const equipped: Partial<Surroundings> = {
  attachKinds: ["file", "folder", "selection", "problems"],
  commands: [
    { name: "explain", detail: "Explain the selection" },
    { name: "fix", detail: "Fix it" },
  ],
};

async function open(start: Parameters<typeof smallHost>[0] = {}) {
  const host = smallHost({ ...start, surroundings: { ...equipped, ...start.surroundings } });
  const panel = await openPanel(host);
  const box = panel.page.locator(".composer textarea");
  await box.focus();
  /** What the page asked for since the last time, without the drafts it always tells. */
  let heard = 0;
  const asked = async () => {
    await panel.settled();
    const news = host.asked.slice(heard).filter(([name]) => name !== "setDraft" && name !== "complete");
    heard = host.asked.length;
    return news;
  };
  return { host, panel, page: panel.page, box, asked };
}

const spokenText = (page: Page) => page.locator("[role=status]").textContent();
const running = turn("r", { status: "running", parts: [{ type: "text", id: "t", text: "Well" }] });

test("Enter sends, Shift+Enter breaks the line, Ctrl+Enter sends too", async () => {
  const { page, box, asked, panel } = await open();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "one\ntwo", undefined]]);
  assert.equal(await box.inputValue(), "");
  await page.keyboard.type("three");
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await asked(), [["send", "three", undefined]]);
  await panel.close();
});

test("with the other send key Enter breaks the line and Ctrl+Enter sends", async () => {
  const { page, asked, panel } = await open({
    surroundings: { preferences: { ...defaultPreferences, sendKey: "modEnter" } },
  });
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  assert.deepEqual(await asked(), []);
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await asked(), [["send", "one\ntwo", undefined]]);
  await panel.close();
});

test("keys belong to the input method while it composes, and in the moment in which it ends", async () => {
  const { host, panel, box, asked } = await open({ conversation: { id: "c", turns: [running] } });
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

test("a real input method composes, confirms with Enter and sends nothing", async () => {
  const { page, box, asked, panel } = await open();
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

test("nothing typed is lost: not while an answer is written without a queue, not without a key", async () => {
  const { host, page, box, asked, panel } = await open({
    conversation: { id: "c", turns: [running] },
    surroundings: { abilities: [] },
  });
  await page.keyboard.type("next");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), []);
  assert.equal(await box.inputValue(), "next");
  assert.match((await spokenText(page)) ?? "", /still being written/);
  host.happen({ type: "ended", turn: "r", at: 1, ending: "done" });
  host.setSurroundings({
    problem: { kind: "no-key", message: "There is no API key yet.", actions: ["set-key"] },
  });
  await panel.settled();
  await page.keyboard.press("Enter");
  assert.equal(await box.inputValue(), "next");
  assert.deepEqual(await asked(), []);
  await panel.close();
});

test("what is asked while an answer is written lines up, and can be taken back", async () => {
  const { host, page, asked, panel } = await open({ conversation: { id: "c", turns: [running] } });
  await page.keyboard.type("next");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "next", undefined]]);
  host.setSurroundings({
    queue: [
      { id: "q1", prompt: "next" },
      { id: "q2", prompt: "after that" },
    ],
  });
  await panel.settled();
  await page.getByRole("button", { name: "Take back: next" }).focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["unqueue", "q1"]]);
  host.setSurroundings({ queue: [{ id: "q2", prompt: "after that" }] });
  await panel.settled();
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), "Take back: after that");
  host.happen({ type: "ended", turn: "r", at: 1, ending: "stopped" });
  await panel.settled();
  await page.getByRole("button", { name: "Send now" }).click();
  assert.deepEqual(await asked(), [["sendQueued"]]);
  host.setSurroundings({ queue: [] });
  await panel.settled();
  assert.equal(await page.locator(".queue").isVisible(), false);
  await panel.close();
});

test("Escape closes a menu first and stops the answer only then", async () => {
  const { page, box, asked, panel } = await open({ conversation: { id: "c", turns: [running] } });
  await page.keyboard.type("/");
  assert.equal(await box.getAttribute("role"), "combobox");
  await page.keyboard.press("Escape");
  assert.equal(await box.getAttribute("role"), null);
  assert.deepEqual(await asked(), []);
  await page.keyboard.press("Escape");
  assert.deepEqual(await asked(), [["stop"]]);
  await panel.close();
});

test("the up arrow in the empty box recalls earlier questions, the down arrow comes back", async () => {
  const conversation = { id: "c", turns: [turn("1", { prompt: "first" }), turn("2", { prompt: "second" })] };
  const { page, box, panel } = await open({ conversation });
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

test("the menu after / is a combobox: arrows choose, Enter takes, letters narrow", async () => {
  const { page, box, asked, panel } = await open();
  await page.keyboard.type("/");
  const active = () =>
    box.evaluate(
      (input) => document.getElementById(input.getAttribute("aria-activedescendant") ?? "")?.textContent,
    );
  assert.equal(await box.getAttribute("aria-expanded"), "true");
  assert.match((await active()) ?? "", /explain/);
  await page.keyboard.press("ArrowDown");
  assert.match((await active()) ?? "", /fix/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.match((await active()) ?? "", /help/);
  await page.keyboard.type("fi");
  assert.match((await active()) ?? "", /fix/);
  await page.keyboard.press("Tab");
  assert.equal(await box.inputValue(), "/fix ");
  await page.keyboard.type("this");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "this", "fix"]]);
  await panel.close();
});

test("what is not a saved way to ask is sent as it was typed", async () => {
  const { page, asked, panel } = await open();
  await page.keyboard.type("/etc/hosts holds what?");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["send", "/etc/hosts holds what?", undefined]]);
  await panel.close();
});

test("@ suggests what the host finds and what it can pick, and Undo takes the insertion back", async () => {
  const completions = [
    { label: "parse.ts", detail: "src", attachment: { kind: "file", path: "src/parse.ts" } as const },
  ];
  const { page, box, asked, panel } = await open({ completions });
  await page.keyboard.type("look at @par");
  await page.getByRole("option", { name: /parse\.ts/ }).waitFor();
  await page.keyboard.press("Enter");
  assert.equal(await box.inputValue(), "look at parse.ts ");
  assert.deepEqual(await asked(), [["attach", { kind: "file", path: "src/parse.ts" }]]);
  await page.keyboard.press("Control+z");
  assert.match(await box.inputValue(), /^look at @par/);
  await box.fill("");
  await page.keyboard.type("@sel");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["pick", "selection"]]);
  assert.equal(await box.inputValue(), "");
  await panel.close();
});

test("an address is not a mention", async () => {
  const { page, panel } = await open();
  await page.keyboard.type("mail a@file");
  assert.equal(await page.locator(".popup:visible").count(), 0);
  await panel.close();
});

test("the model list says what each can do and what a switch costs, by keyboard alone", async () => {
  const { page, asked, panel } = await open({ conversation: { id: "c", turns: [samples.whole] } });
  await page.getByRole("button", { name: "Model: K3" }).focus();
  await page.keyboard.press("ArrowDown");
  const list = page.getByRole("listbox", { name: "Model" });
  assert.match(
    await list.innerText(),
    /K3[\s\S]*Reasons, searches the web, edits files[\s\S]*K2\.6[\s\S]*Chats/,
  );
  assert.match(await page.locator(".popup:visible").innerText(), /about 46,110 tokens would be read anew/);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["chooseModel", "svc-k2.6"]]);
  assert.equal(await page.evaluate(() => document.activeElement?.className), "model-button");
  await panel.close();
});

test("what goes along is shown, named with its size, and can be taken away by key", async () => {
  const { host, page, asked, panel } = await open({
    surroundings: {
      attachments: [
        { id: "a", kind: "file", label: "src/parse.ts", tokens: 1234 },
        { id: "b", kind: "file", label: ".env", note: "It holds secrets and will not be sent." },
      ],
    },
  });
  assert.match(await page.locator(".chips.draft").innerText(), /src\/parse\.ts[\s\S]*≈\s1\.2k/);
  await page.getByRole("button", { name: "Remove src/parse.ts" }).focus();
  await page.keyboard.press("Delete");
  assert.deepEqual(await asked(), [["detach", "a"]]);
  host.setSurroundings({ attachments: [] });
  await panel.settled();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  await panel.close();
});

test("a pasted picture and a dropped file arrive at the host; what is neither is refused aloud", async () => {
  const { page, box, asked, panel } = await open();
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
  assert.deepEqual(await asked(), [["attachUris", ["vscode-remote://ssh/home/a.ts", "file:///b.ts"]]]);
  await panel.close();
});

test("the draft is told to the host as it is typed, and comes back with the page", async () => {
  const { host, page, panel } = await open();
  await page.keyboard.type("half");
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["setDraft", "half"]);
  await panel.close();
  const later = smallHost({ draft: "half" });
  const again = await openPanel(later);
  const box = again.page.locator(".composer textarea");
  assert.equal(await box.inputValue(), "half");
  later.putBack("/notes that were not sent");
  await again.settled();
  assert.equal(await box.inputValue(), "/notes that were not sent\n\nhalf");
  assert.deepEqual(later.asked.at(-1), ["setDraft", "/notes that were not sent\n\nhalf"]);
  await again.close();
});

test("the box grows with its text, up to a part of the page", async () => {
  const { box, panel } = await open();
  const height = async () => (await box.boundingBox())?.height ?? 0;
  const one = await height();
  await box.fill("a\n".repeat(5));
  assert.ok((await height()) > one + 80);
  await box.fill("a\n".repeat(500));
  assert.ok((await height()) < 700 * 0.45);
  await panel.close();
});
