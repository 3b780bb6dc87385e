// Find in conversation looks into all that can be read of a turn, not only its text: rows of tools and searches,
// edits, cards, what was attached; folded or not, drawn or not.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/conversation/state.ts";
import { currentMatch } from "./support/current-match.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

async function search(turns: readonly Turn[], options: { height?: number; language?: string } = {}) {
  const host = smallHost({ conversation: { id: "c", turns: [...turns] } });
  const panel = await openPanel(host, options);
  const { page } = panel;
  await page.locator(".turns[data-above='0']").waitFor();
  host.tell("find");
  await panel.settled();
  const box = page.locator(".find input");
  const find = async (query: string) => {
    await box.fill(query);
    await panel.settled();
    return page.locator(".find .count").innerText();
  };
  const current = () => currentMatch(page);
  const marked = () =>
    page.evaluate(() =>
      ["found", "found-now"].reduce((sum, name) => sum + (CSS.highlights.get(name)?.size ?? 0), 0),
    );
  return { host, panel, page, find, current, marked };
}

const everything = Object.values(samples);

/** What to look for, in which turn it is, and whether the row around it is open then (undefined: it folds nothing). */
const places: readonly (readonly [query: string, turn: string, unfolded: boolean | undefined])[] = [
  ["src/field.ts", "whole", undefined],
  ["separator empty line", "whole", false],
  ["RFC 5322", "whole", true],
  ["lines 1–40", "tools", false],
  ["function parse(line: string) {", "tools", true],
  ["folder was not found", "tools", undefined],
  ["test/parse.test.ts", "tools", false],
  ["indexOf(':')", "tools", true],
  ["src/header.ts", "decided", true],
  ["Undone", "decided", undefined],
  ["hold the lines that this", "decided", undefined],
  ["was changed since", "decided", true],
  ["answered 502 three", "failed", undefined],
  ["upstream closed", "failed", true],
  ["req_7f3a", "failed", true],
  ["did not accept the API key", "badKey", undefined],
  ["Stopped", "stopped", true],
  ["src/generated.ts", "large", undefined],
  ["foo_call", "unread", false],
  ['"note": "<img', "unread", true],
  ["npm test", "asking", undefined],
  ["runs a program", "asking", undefined],
  ["It can run code", "asking", true],
];

test("find counts matches in rows, edits and cards, scrolls to them and unfolds what hides them", async () => {
  const { panel, find, current } = await search(everything);
  const found: unknown[] = [];
  for (const [query] of places) {
    const count = await find(query);
    const now = await current();
    found.push([query, now?.turn, now?.unfolded, now?.seen, /^\d+ of \d+$/.test(count)]);
  }
  assert.deepEqual(
    found,
    places.map(([query, where, unfolded]) => [query, where, unfolded, true, true]),
  );
  await panel.close();
});

test("find highlights as many places as it counts once patches and their files are unfolded", async () => {
  const plain = everything.filter(({ id }) => id !== "rich");
  // So high that all of it is drawn.
  const { panel, page, find, marked } = await search(plain, { height: 12_000 });
  assert.equal(await page.locator("article").count(), plain.length);
  await page.locator('.patch .fold-head[aria-expanded="false"]').evaluateAll((all) => {
    for (const one of all) (one as HTMLElement).click();
  });
  await page.locator(".patch .file").evaluateAll((all) => {
    for (const one of all) one.toggleAttribute("open", true);
  });
  const differ: unknown[] = [];
  for (const query of ["e", "a", "line", "src/", "ts", "parse", "src/parse.ts", "s", "the", "(", "1", "/"]) {
    const count = Number((await find(query)).replace(/.* of /, ""));
    if (count !== (await marked())) differ.push([query, count, await marked()]);
  }
  assert.deepEqual(differ, []);
  await panel.close();
});

test("find counts and reaches rows that are not drawn, and recounts when a turn begins", async () => {
  const row = (index: number): Turn =>
    turn(`t${index}`, {
      prompt: `Question ${index}`,
      parts: [
        { type: "text", id: "x", text: "Only hay here.\n\n".repeat(5) },
        {
          ...{ type: "tool", id: "a", call: `c${index}`, name: "read_file", status: "done" },
          ...{ summary: "src/hay.ts", output: index % 100 === 50 ? `\n\nneedle ${index}` : "hay" },
        },
      ],
    });
  const { host, panel, page, find, current } = await search(Array.from({ length: 400 }, (_, at) => row(at)));
  assert.match(await find("needle"), / of 4$/);
  const places = new Set<unknown>();
  for (let step = 0; step < 4; step += 1) {
    await page.keyboard.press("Enter");
    await panel.settled();
    const now = await current();
    assert.deepEqual([now?.text, now?.seen, now?.unfolded], ["needle", true, true]);
    places.add(now?.turn);
  }
  assert.equal(places.size, 4);
  host.happen({
    type: "started",
    turn: "new",
    at: 1,
    model: "svc-k3",
    route: "responses",
    prompt: "needle?",
  });
  await panel.settled();
  await page.waitForFunction(() => document.querySelector(".find .count")?.textContent?.endsWith(" of 5"));
  await panel.close();
});

test("find highlights a path across file name and folder and shows it uncut while it is the current match", async () => {
  const path = `src/${"a-long-folder/".repeat(6)}the-name-of-the-file-that-was-changed.ts`;
  const files = [{ path, change: "add" as const, added: 1, removed: 0, hunks: [] }];
  const { panel, page, find, current, marked } = await search([
    turn("1", { parts: [{ type: "patch", id: "p", call: "p", status: "applied", files }] }),
  ]);
  const isCut = () =>
    page
      .locator(".whole-path bdi")
      .evaluateAll((all) => all.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  await page.locator(".patch .fold-head").click();
  assert.ok(await isCut());
  assert.equal(await find("folder/the-name"), "1 of 1");
  const now = await current();
  assert.match(String(now?.text), /^the-name[\w-]+\.tssrc\/.*a-long-folder$/);
  assert.deepEqual([now?.seen, now?.unfolded, await marked(), await isCut()], [true, true, 1, false]);
  assert.equal(await find("changed.ts"), "1 of 1");
  assert.equal((await current())?.text, "changed.ts");
  await page.keyboard.press("Escape");
  assert.ok(await isCut());
  await panel.close();
});

test("find matches escaped characters as displayed and our own labels in the reader's language", async () => {
  const failed = { type: "tool", id: "a", call: "c", name: "search_text", status: "failed" } as const;
  const hidden = turn("1", { prompt: "abc\u202Edef", parts: [{ ...failed, summary: "x\u200By" }] });
  const { panel, find, marked } = await search([hidden], { language: "zh-cn" });
  for (const query of ["abc\\u{202E}def", "x\\u{200B}y", "失败"]) {
    assert.match(await find(query), /1/, query);
    assert.equal(await marked(), 1, query);
  }
  await panel.close();
});
