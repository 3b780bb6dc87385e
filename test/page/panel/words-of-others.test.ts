// What a service, a model or a person has written is shown as it is: as text, every character of it in sight, and no
// address followed unasked.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/conversation/state.ts";
import { verbatim } from "../../support/english.ts";
import { conversationOf, openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

test("a source is opened by the host, and only if it is a web page", async () => {
  const { host, page, panel } = await openTurns(samples.whole);
  await page.getByRole("button", { name: "Searched the web, thought" }).click();
  await page.locator(".search summary").click();
  // A long query is cut, the number of its sources is not.
  const cut = (selector: string) =>
    page.locator(`.search ${selector}`).evaluate((one: Element) => one.scrollWidth > one.clientWidth);
  assert.deepEqual([await cut("q"), await cut(".count")], [true, false]);
  assert.equal(await page.getByRole("link").count(), 1);
  await page.getByRole("link").click();
  await panel.settled();
  assert.deepEqual(host.asked, [["open-link", "https://www.rfc-editor.org/rfc/rfc5322"]]);
  await panel.close();
});

test("markup from the user, the model and the service is shown as text", async () => {
  const { page, panel } = await openTurns(
    turn("1", {
      prompt: "<img src=x onerror=alert(1)>",
      parts: [{ type: "text", id: "t", text: "<script>alert(1)</script>" }],
      status: "failed",
      problem: { kind: "server", message: verbatim("<b>No</b>"), actions: [], detail: "<iframe src=//x>" },
    }),
  );
  assert.equal(await page.locator("article :is(img, script, b, iframe)").count(), 0);
  await panel.close();
});

test("invisible characters from any source are escaped on the page and in copied text", async () => {
  const odd = "a\u202Eb\u200Bc\u001B[1m";
  const call = { status: "done", call: "c", name: odd } as const;
  const hunk = { id: "h", status: "applied", line: 1, added: 1, removed: 0, diff: `+${odd}\r\n` } as const;
  const parts: Turn["parts"] = [
    { type: "reasoning", id: "r", text: `**${odd}**\n\n${odd}` },
    {
      type: "search",
      id: "s",
      status: "completed",
      query: odd,
      sources: [{ url: "https://a.test", title: odd }],
    },
    { type: "tool", id: "o", ...call, summary: odd, message: verbatim(odd), output: `1\r\n${odd}` },
    {
      ...call,
      type: "patch",
      id: "p",
      status: "applied",
      files: [{ path: odd, change: "update", added: 1, removed: 0, hunks: [hunk] }],
    },
    { type: "other", id: "x", kind: odd, bytes: 1, json: odd },
    { type: "note", id: "n", notes: [verbatim(odd)] },
    { type: "text", id: "t", text: odd },
  ];
  const problem: NonNullable<Turn["problem"]> = {
    kind: "server",
    message: verbatim(`${odd}.`),
    actions: [],
    detail: odd,
  };
  const attachments = [{ kind: "file", label: odd, path: odd, bytes: 1 }];
  const host = smallHost({
    conversation: conversationOf(
      turn("1", { model: odd, prompt: odd, attachments, parts, status: "failed", problem }),
    ),
    viewState: {
      title: odd,
      queue: [{ id: "q", prompt: odd, delivery: "turn" }],
      attachments: [{ id: "a", kind: "file", label: odd }],
    },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  const { unseen, written } = await page.evaluate(() => {
    const app = document.querySelector(".app") ?? document.body;
    const read = [app.textContent ?? ""];
    for (const { title, ariaLabel } of app.querySelectorAll<HTMLElement>("*"))
      read.push(title, ariaLabel ?? "");
    const all = read.join("\n");
    return {
      unseen: all.match(/(?![\n\t])[\p{Cc}\p{Cf}]/gu),
      written: all.split("\\u{202E}b\\u{200B}c\\u{001B}").length,
    };
  });
  assert.equal(unseen, null);
  assert.ok(written > 25, `${written}`);
  assert.match((await page.locator(".tool pre").textContent()) ?? "", /^1\na\\u\{202E\}/);
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["copy", "a\\u{202E}b\\u{200B}c\\u{001B}[1m"]);
  await panel.close();
});
