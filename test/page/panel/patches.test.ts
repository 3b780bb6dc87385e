// The card of a patch: what it proposes, and what became of it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import type { Part, PatchHunk } from "../../../src/conversation/state.ts";
import { become, file, files, hunk, openPatch, waiting, withStatus } from "./support/open-patch.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

describe("the card of a pending patch", () => {
  test("offers only Review, which opens the review", async () => {
    const { host, panel, page, armed } = await openPatch({}, { changes: waiting });
    await armed();
    const own = page.locator(".patch .head button");
    assert.deepEqual(await own.allInnerTexts(), ["Review"]);
    await own.click();
    await panel.settled();
    assert.deepEqual(host.asked, [["act-on-call", "call", "review"]]);
    await panel.close();
  });
});

test("a short patch is unfolded and a long one folded, and the button of a hunk opens the file at its line", async () => {
  const { host, panel, page } = await openPatch();
  await page.getByRole("button", { name: "Line 7" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [["open-file", "src/b.ts", 7]]);
  await panel.close();
  const long = await openPatch({ files: [{ ...file("src/a.ts", hunk("a#1", 3)), added: 21, removed: 0 }] });
  assert.equal(await long.page.getByRole("button", { name: "Line 3" }).count(), 0);
  await long.page.getByText("a.ts", { exact: true }).click();
  assert.equal(await long.page.getByRole("button", { name: "Line 3" }).count(), 1);
  await long.panel.close();
});

test("a card shows what the user has written into it, marked as edited by them, once it is accepted", async () => {
  for (const [language, mark] of [
    ["en", "edited by you"],
    ["zh-cn", "你已编辑"],
  ] as const) {
    const first = { ...hunk("a#1", 3), diff: "-old\n+new\n" };
    const proposed = file("src/a.ts", first, { ...hunk("a#2", 9), diff: "-nine\n+ten\n" });
    const { host, panel, page } = await openPatch({ files: [proposed] }, {}, { language });
    await page
      .locator(".file summary")
      .evaluate((each: Element) => each.parentElement?.setAttribute("open", ""));
    const lines = () => page.locator(".diff .line").allTextContents();
    assert.deepEqual(await lines(), ["-old\n", "+new\n", "-nine\n", "+ten\n"]);
    assert.equal(await page.getByText(mark).count(), 0);
    const [, second] = proposed.hunks;
    assert.ok(second);
    const written = { ...first, diff: "-old\n+mine\n", edited: true };
    host.happen({
      ...{ type: "patch-state", turn: "1", id: "p", call: "call", status: "applied" },
      files: [{ ...proposed, hunks: [written, second] }],
      hunks: proposed.hunks.map(({ id }) => ({ id, status: "applied" })),
    });
    await page.locator(".patch .fold-head").click();
    await page
      .locator(".file summary")
      .evaluate((each: Element) => each.parentElement?.setAttribute("open", ""));
    await panel.settled();
    assert.deepEqual(await lines(), ["-old\n", "+mine\n", "-nine\n", "+ten\n"]);
    assert.deepEqual(await page.locator(".hunk .edited").allTextContents(), [mark]);
    await panel.close();
  }
});

describe("a diff on a card", () => {
  const changed = "if (line.quantity > bulkQuantity && line.article.isDiscounted) {";
  const diff = [
    ...[" ", " /** Ten or more. */", " export function discount(line: Line) {"],
    ...[`-  ${changed}`, `+  ${changed.replace(">", ">=")}`],
    ...["     return 1;", "   }", ""],
  ].join("\n");
  const shown = { ...file("src/a.ts", { ...hunk("a#1", 8), diff }), added: 1, removed: 1 };

  test("fits into 300 pixels, with one line of context and the changed words marked", async () => {
    const { panel, page } = await openPatch({ files: [shown] });
    await page.setViewportSize({ width: 300, height: 800 });
    const pre = page.locator("pre.diff");
    assert.deepEqual(await pre.locator(".line").allTextContents(), [
      " export function discount(line: Line) {\n",
      `-  ${changed}\n`,
      `+  ${changed.replace(">", ">=")}\n`,
      "     return 1;\n",
    ]);
    assert.deepEqual(await pre.locator(".word").allTextContents(), ["="]);
    const [inner, outer, right] = await pre.evaluate((one) => [
      one.scrollWidth,
      one.clientWidth,
      Math.max(...[...one.querySelectorAll(".line")].map((line) => line.getBoundingClientRect().right)),
    ]);
    assert.ok((inner ?? 1) <= (outer ?? 0) && (right ?? 301) <= 300, `${inner} in ${outer}`);
    await panel.close();
  });

  test("shows line numbers only if there is room", async () => {
    const { panel, page } = await openPatch({ files: [shown] });
    const lines = page.locator("pre.diff .line");
    const numbers = () =>
      lines.evaluateAll((all) => all.map((one) => getComputedStyle(one, "::before").content));
    await page.setViewportSize({ width: 300, height: 800 });
    assert.deepEqual(
      await numbers(),
      Array.from({ length: 4 }, () => "none"),
    );
    await page.setViewportSize({ width: 900, height: 800 });
    assert.deepEqual(await numbers(), ['"7"', '"8"', '"8"', '"9"']);
    await panel.close();
  });
});

test("an arriving patch is folded, even with a file named twice, and unfolds once it is complete", async () => {
  const arriving = { type: "patch", turn: "1", id: "p", call: "call", status: "arriving" } as const;
  /** Nobody knows yet at which line. */
  const placeless = ({ line: _, ...rest }: PatchHunk): PatchHunk => rest;
  const [a, b] = files.map((each) => ({ ...each, hunks: each.hunks.map(placeless) }));
  const twice = [b, b, a].flatMap((each) => each ?? []);
  const host = smallHost({ conversation: { id: "c", turns: [turn("1", { status: "running", parts: [] })] } });
  const panel = await openPanel(host);
  const { page } = panel;
  const open = () =>
    page.locator(".patch details").evaluateAll((all) => all.map((one) => one.matches("[open]")));
  host.happen({ ...arriving, files: twice.slice(0, 2) });
  await panel.settled();
  assert.deepEqual(await open(), [false, false]);
  host.happen({ ...arriving, files: twice });
  await panel.settled();
  assert.deepEqual(await page.locator(".patch .path").allTextContents(), ["b.ts", "b.ts", "a.ts"]);
  host.happen({ ...arriving, status: "proposed", files: withStatus("pending") });
  await panel.settled();
  assert.deepEqual(await open(), [true, true]);
  await panel.close();
});

describe("a decided patch", () => {
  const accepted = { status: "applied", files: withStatus("applied") } as const;

  test("folds to one line with Undo, then Accept Again, and unfolds by key", async () => {
    const { host, panel, page, button, armed } = await openPatch(accepted);
    await armed();
    assert.equal(await page.locator(".patch .file").count(), 0);
    await button("Undo").click();
    const line = page.locator(".patch .head > button");
    assert.match((await line.innerText()).replaceAll(/\s+/g, " "), /^Accepted 2 files \+3 −3$/);
    assert.equal(await line.getAttribute("aria-expanded"), "false");
    await line.focus();
    await page.keyboard.press("Enter");
    assert.equal(await line.getAttribute("aria-expanded"), "true");
    assert.equal(await page.locator(".patch .file").count(), 2);
    await armed();
    await button("Review").click();
    await panel.settled();
    host.happen(become("undone"));
    await panel.settled();
    assert.equal(await page.getByRole("group", { name: "Undone" }).count(), 1);
    assert.equal(await button("Undo").count(), 0);
    await armed();
    await button("Accept Again").click();
    await panel.settled();
    assert.deepEqual(host.asked, [
      ["act-on-call", "call", "undo"],
      ["act-on-call", "call", "review"],
      ["act-on-call", "call", "accept-again"],
    ]);
    await panel.close();
  });

  test("keeps the focus on its line, and unfolds for a find match", async () => {
    const { host, panel, page } = await openPatch({}, { changes: waiting });
    await page.getByRole("button", { name: "Line 30" }).focus();
    host.happen(become("applied"));
    await panel.settled();
    const line = page.locator(".patch .head > button");
    assert.equal(await line.evaluate((one) => one === document.activeElement), true);
    await page.keyboard.press("Control+f");
    await page.keyboard.type("b.ts");
    await page.keyboard.press("Enter");
    await page.locator(".patch .path", { hasText: "b.ts" }).waitFor();
    assert.equal(await line.getAttribute("aria-expanded"), "true");
    await panel.close();
  });

  test("names its file if there is only one", async () => {
    const { panel, page } = await openPatch({
      status: "applied",
      files: withStatus("applied", files.slice(1)),
    });
    const line = (await page.locator(".patch .head > button").innerText()).replaceAll(/\s+/g, " ");
    assert.equal(line, "Accepted b.ts +1 −1");
    await panel.close();
  });
});

test("the row of a partly accepted patch counts only the changes that were applied", async () => {
  const [one, other] = files;
  assert.ok(one && other);
  const [first, second] = one.hunks;
  assert.ok(first && second);
  const { panel, page } = await openPatch({
    status: "applied",
    files: [
      {
        ...one,
        hunks: [
          { ...first, status: "applied" },
          { ...second, status: "rejected" },
        ],
      },
      ...withStatus("rejected", [other]),
    ],
  });
  const line = page.locator(".patch .head > button");
  assert.equal((await line.innerText()).replaceAll(/\s+/g, " "), "Partly accepted a.ts +1 −1");
  await line.click();
  const rows = page.locator(".patch .file > summary");
  assert.match((await rows.nth(0).innerText()).replaceAll(/\s+/g, " "), /a\.ts src \+1 −1$/);
  assert.match((await rows.nth(1).innerText()).replaceAll(/\s+/g, " "), /b\.ts src Rejected$/);
  assert.deepEqual(await page.locator(".hunk-head .status:visible").allInnerTexts(), [
    "Accepted",
    "Rejected",
  ]);
  await panel.close();
});

test("a patch with a conflict is marked at once and offers Retry with Current Files instead of Accept", async () => {
  const { host, panel, page, button, bar, armed } = await openPatch(
    {},
    { changes: { ...waiting, added: 0, removed: 0, hunks: 0, conflicts: 1, inConflict: ["call"] } },
  );
  assert.equal(await page.getByRole("group", { name: "Conflict" }).count(), 1);
  await armed();
  const offered = await page.locator(".patch [data-armed] button").allInnerTexts();
  assert.deepEqual(offered, ["Retry with Current Files", "Review"]);
  const above = await bar.getByRole("toolbar").getByRole("button").allInnerTexts();
  assert.deepEqual(above, ["Reject", "Review", ""], "nothing of it can be accepted");
  assert.doesNotMatch(await bar.innerText(), /\+0/);
  await button("Retry with Current Files").click();
  await panel.settled();
  assert.deepEqual(host.asked, [["act-on-call", "call", "send-current"]]);
  host.setViewState({ changes: waiting });
  await panel.settled();
  assert.equal(await page.getByRole("group", { name: "Proposed", exact: true }).count(), 1);
  assert.equal(await button("Retry with Current Files").count(), 0);
  await panel.close();
});

describe("a file of an accepted patch", () => {
  test("is undone alone and marked as undone while the others stay", async () => {
    const { host, panel, page, button } = await openPatch({
      status: "applied",
      files: withStatus("applied"),
    });
    await button(/^Accepted/).click();
    await button("Undo in src/a.ts").click();
    await panel.settled();
    assert.deepEqual(host.asked, [["act-on-call", "call", "undo", "src/a.ts"]]);
    const undone = ["a#1", "a#2"].map((id) => ({ id, status: "undone" as const }));
    host.happen(become("applied", undone));
    await panel.settled();
    const rows = page.locator(".patch .file > summary");
    assert.match((await rows.nth(0).innerText()).replaceAll(/\s+/g, " "), /a\.ts src Undone/);
    assert.doesNotMatch(await rows.nth(1).innerText(), /Undone/);
    assert.equal(await button("Undo in src/a.ts").count(), 0);
    assert.equal(await button("Undo in src/b.ts").count(), 1);
    await panel.close();
  });

  test("has no Undo button if it is the only one, nothing was accepted or the conversation is read-only", async () => {
    const [one = assert.fail()] = files;
    for (const [patch, viewState] of [
      [{ status: "applied", files: withStatus("applied", [one]) }, {}],
      [{ status: "rejected", files: withStatus("rejected") }, {}],
      [{ status: "applied", files: withStatus("applied") }, { readOnly: true }],
    ] as const) {
      const { panel, page, button } = await openPatch(patch, viewState);
      await page.locator(".patch .head > button").click();
      assert.equal(await button(/^Undo in /).count(), 0);
      await panel.close();
    }
  });
});

describe("a partly undone patch", () => {
  test("says how many files were undone and opens the list of what was left", async () => {
    const left = message("undoneInPart", { count: 1, all: 2, names: "src/b.ts" });
    const { host, panel, page, button, armed } = await openPatch({
      status: "applied",
      files: [...withStatus("undone", files.slice(0, 1)), ...withStatus("applied", files.slice(1))],
      message: left,
    });
    await page.getByText("Undone in 1 of 2 files. Left at least in part: src/b.ts.").waitFor();
    await armed();
    assert.deepEqual(await page.locator(".patch [data-armed] button").allInnerTexts(), [
      ...["Show What Was Left", "Undo"],
    ]);
    await button("Show What Was Left").click();
    await panel.settled();
    assert.deepEqual(host.asked, [["act-on-call", "call", "show-left"]]);
    host.happen(become("undone"));
    await panel.settled();
    assert.equal(await page.getByText("Left at least in part").count(), 0);
    await armed();
    assert.equal(await button("Show What Was Left").count(), 0);
    await panel.close();
  });
});

test("the row of a half-written patch says how many files were written and offers Finish and Undo", async () => {
  const said = message("changeHalfWritten", { count: 1, all: 2 });
  const { host, panel, page, button, armed } = await openPatch({ message: said });
  await page.getByText("Only 1 of 2 files were written.").waitFor();
  await armed();
  assert.deepEqual(await page.locator(".patch [data-armed] button").allInnerTexts(), [
    ...["Finish", "Undo", "Review"],
  ]);
  await button("Finish").click();
  await button("Undo").click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-call", "call", "finish"],
    ["act-on-call", "call", "undo"],
  ]);
  host.happen(become("applied"));
  await panel.settled();
  assert.equal(await page.getByText("files were written.").count(), 0);
  await armed();
  assert.equal(await button("Finish").count(), 0);
  await panel.close();
});

test("a failed patch offers no retry if it has no files or while a turn runs", async () => {
  const never = await openPatch({ status: "failed", files: [] });
  assert.equal(await never.button(/Retry/).count(), 0);
  await never.panel.close();
  const { host, panel, button } = await openPatch({ status: "failed" });
  assert.equal(await button("Retry with Current Files").count(), 1);
  host.happen({ type: "started", turn: "2", at: 1, model: "svc-k3", route: "responses", prompt: "Go on." });
  await panel.settled();
  assert.equal(await button("Retry with Current Files").count(), 0);
  await panel.close();
});

test("the row of a moved file shows both names, and that of a deleted file says that it is deleted", async () => {
  const { panel, page } = await openPatch({
    files: [
      { ...file("src/a.ts", hunk("a#1", 3)), change: "move", to: "lib/of/the/whole/message/a.ts" },
      { path: "src/old.ts", change: "delete", added: 0, removed: 80, hunks: [] },
    ],
  });
  const rows = page.locator(".patch .file > summary");
  assert.match(await rows.nth(0).innerText(), /a\.ts[\s\S]*lib\/of\/the\/whole\/message\/a\.ts/);
  assert.match(await rows.nth(1).innerText(), /old\.ts[\s\S]*File deleted/);
  await page.setViewportSize({ width: 300, height: 800 });
  const { width = 0 } = (await rows.nth(0).locator(".path").boundingBox()) ?? {};
  assert.ok(width > 20, `its old name is ${width} pixels wide`);
  await panel.close();
});

test("the folds of a patch survive a redraw of its row", async () => {
  const { host, panel, page } = await openPatch();
  await page.getByText("a.ts", { exact: true }).click();
  assert.equal(await page.getByRole("button", { name: "Line 30" }).count(), 0);
  const [first] = files[0]?.hunks ?? [];
  const hunks = [{ id: first?.id ?? "", status: "applied" as const }];
  host.happen({ type: "patch-state", turn: "1", id: "p", call: "call", status: "proposed", hunks });
  await panel.settled();
  assert.equal(await page.getByRole("button", { name: "Line 30" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Line 7" }).count(), 1);
  await panel.close();
});

test("the row of an applied patch lists new errors with their lines; Show opens one and Fix asks the model", async () => {
  const errors = [
    { path: "src/a.ts", line: 4, text: "Cannot find name 'x'." },
    { path: "src/b.ts", line: 9, text: "Expected 2 arguments." },
  ];
  const { host, panel, page, button } = await openPatch(
    { status: "applied", files: withStatus("applied") },
    { newErrors: [{ call: "call", errors, count: 2 }] },
  );
  await page.locator(".patch .new-errors .fate").filter({ hasText: "2 new errors" }).waitFor();
  await button("src/b.ts:9").click();
  await button("Show").click();
  await button("Fix").click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["open-file", "src/b.ts", 9],
    ["open-file", "src/a.ts", 4],
    ["act-on-call", "call", "fix-errors"],
  ]);
  await panel.close();
});

describe("the lines of a patch", () => {
  test("get the editor's colours after their signs, each side coloured as one text, and follow a theme change", async () => {
    const asked: (readonly string[])[] = [];
    const part: Part = {
      ...{ type: "patch", id: "p", call: "call", status: "proposed" },
      files: [
        { ...file("src/a.ts", hunk("a#1", 3)), hunks: [{ ...hunk("a#1", 3), diff: " same\n-old\n+new\n" }] },
      ],
    };
    const host = smallHost({
      conversation: { id: "c", turns: [turn("1", { status: "done", parts: [part] })] },
      colours: {
        "show-code"({ theme }, page) {
          const number = theme === "Blue" ? 2 : 1;
          if (theme !== undefined)
            page.post({
              type: "code-table",
              table: number,
              colours: [null, "#fff", "#000", `#01020${number}`],
            });
        },
        "colour-code"({ block, language, from, lines }, page) {
          asked.push([language, ...lines]);
          page.post({ type: "code-lines", block, from, runs: lines.map(() => [2, 3 << 4]) });
        },
      },
    });
    const panel = await openPanel(host);
    const { page } = panel;
    await page.locator(".patch details").evaluate((fold) => fold.setAttribute("open", ""));
    const coloured = (number: number) =>
      page.waitForFunction((color) => {
        const spans = [...document.querySelectorAll(".diff .line span")];
        return spans.length === 3 && spans.every((span) => getComputedStyle(span).color === color) && spans;
      }, `rgb(1, 2, ${number})`);
    await coloured(1);
    assert.deepEqual(asked.toSorted(), [
      ["ts", "same", "new"],
      ["ts", "same", "old"],
    ]);
    assert.deepEqual(await page.locator(".diff .line").allTextContents(), [" same\n", "-old\n", "+new\n"]);
    assert.deepEqual(await page.locator(".diff .line span").allTextContents(), ["sa", "ol", "ne"]);
    await page.evaluate(() => document.body.setAttribute("data-vscode-theme-id", "Blue"));
    await coloured(2);
    assert.deepEqual(await page.locator(".diff .line").allTextContents(), [" same\n", "-old\n", "+new\n"]);
    await panel.close();
  });

  test("take a new theme's colours while their first line is out of sight", async () => {
    const diff = Array.from({ length: 200 }, (_, index) => `+line ${index}\n`).join("");
    const files = [{ ...file("src/a.ts"), hunks: [{ ...hunk("a#1", 1), diff }] }];
    const part: Part = { ...{ type: "patch", id: "p", call: "call", status: "proposed" }, files };
    const host = smallHost({
      conversation: { id: "c", turns: [turn("1", { status: "done", parts: [part] })] },
      colours: {
        "show-code"({ theme }, page) {
          const number = theme === "Blue" ? 2 : 1;
          if (theme !== undefined)
            page.post({ type: "code-table", table: number, colours: [null, `#01020${number}`] });
        },
        "colour-code"({ block, from, lines }, page) {
          page.post({ type: "code-lines", block, from, runs: lines.map(() => [4, 1 << 4]) });
        },
      },
    });
    const panel = await openPanel(host);
    const { page } = panel;
    await page.locator(".patch details").evaluate((fold) => fold.setAttribute("open", ""));
    const last = page.locator(".diff .line").last();
    const coloured = (number: number) =>
      page.waitForFunction((color) => {
        const span = [...document.querySelectorAll(".diff .line")].at(-1)?.querySelector("span");
        return span && getComputedStyle(span).color === color;
      }, `rgb(1, 2, ${number})`);
    await coloured(1);
    await last.evaluate((line: Element) => line.scrollIntoView({ block: "end" }));
    await panel.settled();
    await page.evaluate(() => document.body.setAttribute("data-vscode-theme-id", "Blue"));
    await coloured(2);
    await panel.close();
  });
});
