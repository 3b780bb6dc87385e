// The parts of an answer in the page: text and its code, what it is based on, thoughts, pictures, and what nobody can read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { conversationOf, openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

test("reasoning opened by hand stays open when the turn continues, ends and is shown on a new page", async () => {
  const { host, page, panel } = await openTurns(turn("1", { status: "running", parts: [] }));
  host.happen({ type: "reasoning", turn: "1", part: "r", delta: "**First**\n\nOne thought.\n" });
  await panel.settled();
  const head = page.getByRole("button", { name: /Reasoning/ });
  assert.equal(await page.locator(".reasoning").getAttribute("data-size"), "preview");
  await head.click();
  host.happen({ type: "reasoning", turn: "1", part: "r", delta: "\n**Second**\n\nAnother." });
  host.happen({ type: "text", turn: "1", part: "t", delta: "Done." });
  host.happen({ type: "ended", turn: "1", at: 1, ending: "done" });
  await panel.settled();
  assert.equal(await page.locator(".reasoning").getAttribute("data-size"), "expanded");
  assert.match(await page.locator(".reasoning").innerText(), /One thought\.[\s\S]*Another\./);
  const state = await page.evaluate("keptState()");
  await panel.close();
  const again = await openPanel(host, { state });
  assert.equal(await again.page.locator(".reasoning").getAttribute("data-size"), "expanded");
  await again.close();
});

test("unknown content shows its size and opens as text, and reasoning without text has its tokens in a tooltip", async () => {
  const { page, panel } = await openTurns(samples.unread);
  await page.getByText("Other content: foo_call, 1,234 bytes").click();
  assert.match(await page.locator(".other pre").innerText(), /<img src=x>/);
  assert.equal(await page.locator("article img").count(), 0);
  assert.match(await page.locator(".reasoning").innerText(), /Thought$/);
  assert.equal(await page.locator(".reasoning button").getAttribute("title"), "99 tokens");
  assert.equal(await page.locator(".ending .card").count(), 0);
  await panel.close();
});

test("reasoning shows how long it took once it is over", async () => {
  const { host, page, panel } = await openTurns();
  const to = { turn: "1" } as const;
  host.happen({ type: "started", ...to, at: 1, model: "svc-k3", route: "responses", prompt: "Why?" });
  host.happen({ type: "reasoning", ...to, part: "0/r", delta: "Hm." });
  await page.locator(".reasoning .verb", { hasText: /^Reasoning$/ }).waitFor();
  host.happen({ type: "reasoning", ...to, part: "0/r", delta: "", took: 4100 });
  host.happen({ type: "text", ...to, part: "0/t", delta: "So." });
  await page.locator(".reasoning .verb", { hasText: /^Thought for 4 s$/ }).waitFor();
  assert.match(await page.locator(".reasoning").innerText(), /Hm\./);
  await panel.close();
});

test("streamed text is joined, a correction replaces it, and text from before the checks becomes a step", async () => {
  const { host, page, panel } = await openTurns(turn("1", { status: "running", parts: [] }));
  for (const delta of ["He", "llo ", "wor", "ld"]) host.happen({ type: "text", turn: "1", part: "t", delta });
  await panel.settled();
  assert.equal(await page.locator(".parts").innerText(), "Hello world");
  host.happen({ type: "replaced", turn: "1", part: "t", text: "Hello, world." });
  await panel.settled();
  assert.equal(await page.locator(".parts").innerText(), "Hello, world.");
  // What comes after checks takes its place as the answer.
  const row = { type: "tool", turn: "1", id: "c", call: "", name: "run_checks", summary: "" } as const;
  const broken = message("checkNewError", { name: "types", first: "a.ts:1 It is wrong." });
  host.happen({ ...row, status: "done", message: message("checksDone", { results: [broken] }) });
  await panel.settled();
  // They have run, and are no success.
  assert.equal(await page.locator(".tool .icon.error").count(), 1);
  assert.equal(await page.locator(".part.step").count(), 0);
  host.happen({ type: "text", turn: "1", part: "u", delta: "It is mended." });
  await panel.settled();
  assert.deepEqual(await page.locator(".part.step").allInnerTexts(), ["Before the checks:\n\nHello, world."]);
  await panel.close();
});

test("the buttons of a code block are one Tab stop, with arrows, Home and End among the visible ones", async () => {
  const code = (lines: number) => `\`\`\`ts\n${"let a = 1;\n".repeat(lines)}\`\`\`\n\n`;
  const { host, page, panel } = await openTurns(
    turn("1", { parts: [{ type: "text", id: "t", text: `Long:\n\n${code(20)}And short:\n\n${code(1)}` }] }),
  );
  const rows = page.getByRole("toolbar", { name: "Actions on this code" });
  assert.equal(await rows.count(), 2);
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? "");
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return focused();
  };
  await page.locator("article").focus();
  assert.equal(await press("Tab"), "Fold");
  assert.equal(await press("ArrowRight"), "Wrap lines");
  // Twenty lines are not for the terminal.
  assert.equal(await press("End"), "Propose as edit");
  assert.equal(await press("ArrowRight"), "Fold");
  assert.equal(await press("ArrowLeft"), "Propose as edit");
  assert.equal(await press("Home"), "Fold");
  assert.equal(await press("ArrowRight"), "Wrap lines");
  await press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "PRE");
  assert.equal(await press("Tab"), "Wrap lines");
  assert.ok(await rows.last().evaluate((row) => row.contains(document.activeElement)));
  assert.equal(await press("End"), "Paste to terminal (does not run it)");
  await page.keyboard.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["use-code", "terminal", "let a = 1;", "ts"]]);
  // The row remembers where it was left.
  await press("Shift+Tab");
  assert.equal(await press("Shift+Tab"), "Wrap lines");
  assert.equal(await page.locator(".md-code-actions [tabindex='0']").count(), 2);
  await panel.close();
});

test("code takes colours from the user's theme and falls back to the page's own", async () => {
  const text = "```ts\nconst answer = 42;\n```";
  const { host, page, panel } = await openTurns(turn("t", { parts: [{ type: "text", id: "x", text }] }));
  const colour = () =>
    page.locator(".md-keyword").evaluate((keyword: Element) => getComputedStyle(keyword).color);
  const own = await colour();
  host.setViewState({ codeColours: { keyword: "#010203" } });
  await panel.settled();
  assert.equal(await colour(), "rgb(1, 2, 3)");
  host.setViewState({ codeColours: {} });
  await panel.settled();
  assert.equal(await colour(), own);
  await panel.close();
});

test("code takes the editor's colours line by line and follows a theme change", async () => {
  const asked: { readonly from: number; readonly lines: readonly string[]; readonly isEnd: boolean }[] = [];
  const themes: (string | undefined)[] = [];
  const host = smallHost({
    conversation: conversationOf(turn("t", { status: "running", parts: [] })),
    colours: {
      "show-code"({ theme }, page) {
        themes.push(theme);
        if (theme === undefined) return;
        const number = theme === "Blue" ? 2 : 1;
        page.post({ type: "code-table", table: number, colours: [null, "#fff", "#000", `#01020${number}`] });
      },
      "colour-code"({ block, language, from, lines, isEnd }, page) {
        asked.push({ from, lines, isEnd });
        const runs = lines.map((line) => [line.length, (3 << 4) | 1]);
        if (language === "js") page.post({ type: "code-none", block, isLost: false });
        else page.post({ type: "code-lines", block, from, runs });
      },
    },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  const line = (text: string) => page.locator(".md-lines span", { hasText: text });
  const colour = (text: string) =>
    line(text).evaluate((element: Element) => {
      const { color, fontStyle } = getComputedStyle(element);
      return `${color} ${fontStyle}`;
    });
  const write = (delta: string) => host.happen({ type: "text", turn: "t", part: "x", delta });
  write("```ts\nfirst\nsec");
  assert.equal(await colour("first"), "rgb(1, 2, 1) italic");
  assert.equal(await line("sec").count(), 0, "a line that is still being written is plain");
  write("ond\n```\n\n```js\nconst rest = 1;\n```\n");
  assert.equal(await colour("second"), "rgb(1, 2, 1) italic");
  assert.equal(await page.locator(".md-keyword").innerText(), "const", "the page's own colours");
  assert.deepEqual(asked, [
    { from: 0, lines: ["first"], isEnd: false },
    { from: 1, lines: ["second"], isEnd: true },
    { from: 0, lines: ["const rest = 1;"], isEnd: true },
  ]);
  await page.evaluate(() => document.body.setAttribute("data-vscode-theme-id", "Blue"));
  await page.waitForFunction(
    () =>
      getComputedStyle(document.querySelector(".md-lines span") ?? document.body).color === "rgb(1, 2, 2)",
  );
  assert.equal(await page.locator(".md-code pre").first().innerText(), "first\nsecond\n");
  host.open(conversationOf(turn("u", { parts: [{ type: "text", id: "y", text: "No code." }] })));
  await page.getByText("No code.").waitFor();
  await page.waitForFunction(() => document.querySelector(".md-code") === null);
  while (themes.length < 3) await panel.settled();
  assert.deepEqual(themes, ["", "Blue", undefined]);
  await panel.close();
});

test("an empty line of code that still arrives is coloured like the others", async () => {
  const host = smallHost({
    conversation: conversationOf(turn("t", { status: "running", parts: [] })),
    colours: {
      "show-code": (_, page) =>
        page.post({ type: "code-table", table: 1, colours: [null, "#fff", "#000", "#010201"] }),
      "colour-code"({ block, from, lines }, page) {
        page.post({ type: "code-lines", block, from, runs: lines.map((line) => [line.length, 3 << 4]) });
      },
    },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  const write = (delta: string) => host.happen({ type: "text", turn: "t", part: "x", delta });
  write("```ts\nfirst\n\n");
  await page.locator(".md-lines span", { hasText: "first" }).waitFor();
  for (const delta of ["third", "\n\n", "fifth\nsixth"]) {
    write(delta);
    await panel.settled();
  }
  await page.locator(".md-lines span", { hasText: "fifth" }).waitFor();
  assert.equal(await page.locator(".md-code code").innerText(), "first\n\nthird\n\nfifth\nsixth\n");
  await panel.close();
});

test("code that is drawn has no colour of a theme that is gone, in sight or not, and takes the new ones", async () => {
  let tell = () => {};
  const host = smallHost({
    colours: {
      "show-code"({ theme }, page) {
        const number = theme?.startsWith("Blue") ? 2 : 1;
        tell = () =>
          page.post({
            type: "code-table",
            table: number,
            colours: [null, "#fff", "#000", `#01020${number}`],
          });
        if (theme !== undefined && theme !== "Blue") tell();
      },
      "colour-code"({ block, from, lines }, page) {
        page.post({ type: "code-lines", block, from, runs: lines.map((line) => [line.length, 3 << 4]) });
      },
    },
  });
  const panel = await openPanel(host, { theme: "dark" });
  const { page } = panel;
  // Of one long text, what is out of sight would not be drawn.
  const texts = ["```ts\nupper\n```", "a paragraph\n\n".repeat(80), "```ts\nlower\n```"];
  const parts = texts.map((text, index) => ({ type: "text" as const, id: String(index), text }));
  host.open(conversationOf(turn("t", { parts })));
  const colourOf = (line: string) =>
    page
      .locator(".md-lines span", { hasText: line })
      .evaluate((element: Element) => getComputedStyle(element).color);
  const plain = () =>
    page
      .locator("pre")
      .first()
      .evaluate((pre: Element) => getComputedStyle(pre).color);
  const show = (line: string) =>
    page.getByText(line, { exact: true }).evaluate((each: Element) => each.scrollIntoView());
  const becomes = (line: string, color: string) =>
    page.waitForFunction(
      ([words, wanted]) =>
        [...document.querySelectorAll(".md-lines span")].some(
          (span) => span.textContent === words && getComputedStyle(span).color === wanted,
        ),
      [line, color],
    );
  for (const line of ["lower", "upper"]) {
    await show(line);
    await becomes(line, "rgb(1, 2, 1)");
  }
  await page.evaluate(() => document.body.setAttribute("data-vscode-theme-id", "Blue"));
  await panel.putOn("light");
  await panel.settled();
  for (const line of ["upper", "lower"]) assert.equal(await colourOf(line), await plain(), line);
  tell();
  await becomes("upper", "rgb(1, 2, 2)");
  assert.equal(await colourOf("lower"), await plain(), "it is out of sight");
  // Another page was the first to tell the host of a theme: the reply has the table that this page knows.
  await page.evaluate(() => document.body.setAttribute("data-vscode-theme-id", "Bluer"));
  await becomes("upper", "rgb(1, 2, 2)");
  await show("lower");
  await becomes("lower", "rgb(1, 2, 2)");
  await panel.close();
});

test("citations appear as numbers in the text and as a list of sources that can be opened", async () => {
  const said = "It rose. `a` It fell.\n\n```\ncode here\n```";
  const citations = [
    { url: "https://a.test/rose?x=(1)", title: 'About "rising"', start: 0, end: 8 },
    { url: "https://b.test/", start: 9, end: 11 },
    { url: "https://a.test/rose?x=(1)", start: 13, end: 21 },
    { url: "https://c.test/", title: "In code", start: 27, end: 31 },
  ];
  const parts = [{ type: "text", id: "t", text: said, citations }] as const;
  const { page, host, panel } = await openTurns(turn("cited", { parts: [...parts] }));
  assert.match(await page.locator(".md").first().innerText(), /It rose\.\[1\] a It fell\.\[1\]\n/);
  assert.equal(
    await page
      .locator(".md-code")
      .innerText()
      .then((code) => code.includes("code here")),
    true,
  );
  const list = page.getByRole("list", { name: "Sources" });
  assert.deepEqual(
    (await list.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
    ['About "rising" a.test', "https://b.test/ b.test", "In code c.test"],
  );
  await page.getByRole("link", { name: "[1]" }).first().click();
  await list.getByRole("link", { name: "In code" }).click();
  await panel.settled();
  assert.deepEqual(
    host.asked.filter(([type]) => type === "open-link"),
    [
      ["open-link", "https://a.test/rose?x=(1)"],
      ["open-link", "https://c.test/"],
    ],
  );
  await panel.close();
});

test("images found by a search are listed as links, and none is loaded", async () => {
  const images = [{ url: "https://a.test/cat.png", title: "A cat" }];
  const facts = { id: "s", status: "completed", query: "cats" };
  const { page, host, panel } = await openTurns(
    turn("found", { parts: [{ type: "search", ...facts, sources: [], images }] }),
  );
  await page.getByText("1 image").click();
  await page.getByRole("link", { name: "A cat" }).click();
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["open-link", "https://a.test/cat.png"]);
  assert.equal(await page.locator("img").count(), 0);
  await panel.close();
});

test("a requested JSON response is shown as code, and a response that is not JSON as text", async () => {
  const json = '{"total": "```", "lines": [1]}';
  const asked = { json: true } as const;
  const { page, panel } = await openTurns(
    turn("json", { ...asked, parts: [{ type: "text", id: "t", text: json }] }),
    turn("none", { ...asked, parts: [{ type: "text", id: "t", text: "I can't." }] }),
  );
  assert.equal(await page.locator(".md-code").count(), 1);
  assert.match(await page.locator(".md-code").innerText(), /\{"total": "```", "lines": \[1\]\}/);
  await panel.close();
});

test("a code block offers Propose as edit only if edits can be made", async () => {
  const offered = async (proposesCode: boolean) => {
    const answer = { type: "text", id: "t", text: "```js\nconst a = 1;\n```\n" } as const;
    const host = smallHost({
      conversation: conversationOf(turn("code", { parts: [answer] })),
      viewState: { proposesCode },
    });
    const panel = await openPanel(host);
    const count = await panel.page.getByRole("button", { name: "Propose as edit" }).count();
    await panel.close();
    return count;
  };
  assert.ok((await offered(true)) > 0);
  assert.equal(await offered(false), 0);
});

test("a formula is drawn after the math script failed to load for an earlier one", async () => {
  const { host, page, panel } = await openTurns();
  const say = (turn: string, delta: string) => {
    host.happen({ type: "started", turn, at: 1, model: "svc-k3", route: "responses", prompt: "Why?" });
    host.happen({ type: "text", turn, part: `${turn}/t`, delta });
    host.happen({ type: "ended", turn, at: 1, ending: "done" });
  };
  const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/math.js"));
  await page.route("**/math.js", (route) => route.abort(), { times: 1 });
  say("1", "$$a^2$$");
  await refused;
  await panel.settled();
  assert.equal(await page.locator("math").count(), 0);
  say("2", "$$b^2$$");
  await page.locator("math").waitFor();
  assert.match((await page.locator("math").textContent()) ?? "", /b/);
  assert.deepEqual(panel.mistakes.splice(0), ["Failed to load resource: net::ERR_FAILED"]);
  await panel.close();
});

test("a row whose text is cut off shows the whole text in a tooltip", async () => {
  const summary = "packages/editor/src/contrib/inlineCompletions/browser/model/ghost-text.ts, lines 1–40";
  const tool = { type: "tool", call: "c", name: "read_file", status: "done" } as const;
  const { page, panel } = await openTurns(
    turn("1", { parts: [{ ...tool, id: "a", summary }] }),
    turn("2", { parts: [{ ...tool, id: "b", summary: "a.ts" }] }),
  );
  await page.setViewportSize({ width: 280, height: 700 });
  const what = page.locator(".what");
  await what.first().hover();
  assert.equal(await what.first().getAttribute("title"), summary);
  await what.last().hover();
  assert.equal(await what.last().getAttribute("title"), null);
  await page.setViewportSize({ width: 900, height: 700 });
  await what.first().hover();
  assert.equal(await what.first().getAttribute("title"), null);
  await panel.close();
});

test("a chip of skills says what they are there for, and warns of nothing", async () => {
  const beside = [
    {
      kind: "instructions",
      label: "AGENTS.md",
      bytes: 15_200,
      notes: [message("noteEachRequest", { tokens: 4120 })],
    },
    {
      kind: "instructions",
      label: ".claude/skills",
      bytes: 800,
      notes: [message("noteSkills", { names: "forms" })],
    },
  ];
  const { page, panel } = await openTurns(turn("1", { beside }));
  const chips = page.locator(".question .chip");
  const warned = await chips.evaluateAll((all) => all.map((chip) => chip.querySelector(".warning") !== null));
  assert.deepEqual(warned, [true, false]);
  assert.match((await chips.last().getAttribute("title")) ?? "", /reads one when it is needed: forms\./);
  await panel.close();
});

test("a question about files shows each text under the name of its file", async () => {
  const host = smallHost({
    viewState: {
      question: {
        ...{ id: "1", kind: "limit", actions: ["send-anyway", "leave-out"] },
        message: message("questionInstructions", { names: "AGENTS.md, docs/AGENTS.md" }),
        detail: "AGENTS.md\n\nRun it.\n\n———\n\ndocs/AGENTS.md\n\nSpell it.",
      },
    },
  });
  const panel = await openPanel(host);
  assert.deepEqual(await panel.page.locator(".card details p").allInnerTexts(), [
    ...["AGENTS.md", "Run it.", "———", "docs/AGENTS.md", "Spell it."],
  ]);
  await panel.close();
});

test("a question about pages of text keeps its buttons in sight, and its text is scrolled by keyboard", async () => {
  const host = smallHost({
    viewState: {
      question: {
        ...{ id: "1", kind: "limit", actions: ["send-anyway", "leave-out", "keep-draft", "read-whole"] },
        message: message("questionInstructions", { names: "AGENTS.md" }),
        detail: `AGENTS.md\n\n${"Say in a comment why, in one whole sentence.\n".repeat(200)}`,
      },
    },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  const text = page.locator(".card").getByRole("group", { name: "Details" });
  for (const width of [300, 900]) {
    await page.setViewportSize({ width, height: 600 });
    for (const name of ["Send Anyway", "Read Whole Text"]) {
      const box = await page.getByRole("button", { name }).boundingBox();
      assert.ok(box !== null && box.y > 0 && box.y + box.height <= 600, `${name} at ${width}`);
    }
    const question = await page.locator(".card-text > p").first().boundingBox();
    assert.ok((question?.y ?? -1) >= 0, `the sentence at ${width}`);
  }
  await text.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => {
    const box = document.querySelector(".card .long-details");
    return box !== null && box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
  });
  await panel.close();
});
