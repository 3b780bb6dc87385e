import assert from "node:assert/strict";
import { test } from "node:test";
import { answerMarkdown } from "../../../../src/conversation/reduce.ts";
import type { Part, Turn } from "../../../../src/conversation/state.ts";
import { toMarkdown } from "../../../../src/editor/conversations/export-markdown.ts";
import { visible } from "../../../../src/util/hidden-characters.ts";
import { verbatim } from "../../../support/english.ts";

const turn = (parts: readonly Part[], more: Partial<Turn> = {}): Turn => ({
  ...{
    id: "t",
    at: Date.UTC(2024, 0, 2, 3, 4),
    model: "svc-k3",
    route: "responses",
    prompt: "Why?\n\nReally.",
  },
  ...{ attachments: [], continues: false, parts: [...parts], status: "done", usage: [], receipts: [] },
  ...more,
});
const said = (text: string): Part => ({ type: "text", id: "p", text });
const write = (turns: Turn[], reasoning = true) =>
  toMarkdown({ id: "c", turns }, { title: "A *talk*", reasoning });

test("toMarkdown quotes questions and keeps responses as written", () => {
  const attachments = [{ kind: "file", label: "src/a_b.ts", bytes: 3 }];
  assert.equal(
    write([turn([said("Because **so**.\n\n```js\n1\n```\n")], { attachments })]),
    [
      "# A \\*talk\\*",
      "## You, 2024-01-02 03:04 UTC",
      "> Why?\n>\n> Really.",
      "- Attached: src/a\\_b.ts",
      "## svc-k3",
      "Because **so**.\n\n```js\n1\n```\n",
    ].join("\n\n"),
  );
});

const elsewhere = "https://elsewhere.example/x.png";
for (const [what, written, read] of [
  ["a picture", `![p](${elsewhere})`, `\\![p](${elsewhere})`],
  ["a picture by reference", "![p][r]", "\\![p][r]"],
  ["a picture behind a backslash that is one itself", `\\\\![p](${elsewhere})`, `\\\\\\![p](${elsewhere})`],
  ["one that is written out already", `\\![p](${elsewhere})`, `\\![p](${elsewhere})`],
  ["markup", `<img src="${elsewhere}">`, `\\<img src="${elsewhere}">`],
  ["a comment", "<!-- x", "\\<!-- x"],
  ["a picture behind code", `\`a\` ![p](${elsewhere})`, `\`a\` \\![p](${elsewhere})`],
  [
    "a picture between marks of two lines",
    `a \`\nb \` ![p](${elsewhere}) \``,
    `a \`\nb \` \\![p](${elsewhere}) \``,
  ],
  [
    "a picture behind a fence of a list",
    `- x\n  \`\`\`\n![p](${elsewhere})`,
    `- x\n  \`\`\`\n\\![p](${elsewhere})`,
  ],
  [
    "a fence that is hidden in another",
    `x\n   ~~~\n\`\`\`\n~~~\n![p](${elsewhere})`,
    `x\n   \\~~~\n\`\`\`\n~~~\n![p](${elsewhere})`,
  ],
] as const)
  test(`toMarkdown escapes what would load automatically: ${what}`, () => {
    assert.ok(write([turn([said(written)])]).includes(`\n${read}\n`));
    assert.ok(write([turn([], { prompt: written })]).includes(read.replaceAll(/^/gm, "> ")));
  });

test("toMarkdown keeps code and links unchanged", () => {
  const text = `\`<div>\` and <${elsewhere}> and [p](${elsewhere})\n\n\`\`\`html\n<img src="x"> ![a](b)\n\`\`\`\n\n1 < 2`;
  assert.ok(write([turn([said(text)])]).includes(`\n${text}\n`));
});

test("toMarkdown closes a fence that a response left open", () => {
  const text = write([turn([said("```\ncode"), { ...said(`\`\`\`\n![p](${elsewhere})\n\`\`\``), id: "q" }])]);
  assert.ok(text.includes(`\`\`\`\ncode\n\`\`\`\n\n\`\`\`\n![p](${elsewhere})\n\`\`\``));
});

test("toMarkdown includes reasoning on request, in a fence that it cannot close", () => {
  const thought: Part = { type: "reasoning", id: "r", text: "````\n</details>\n````" };
  assert.match(write([turn([thought])]), /`````text\n````\n<\/details>\n````\n`````/);
  assert.doesNotMatch(write([turn([thought, said("x")])], false), /details|Reasoning/);
});

test("toMarkdown writes a line for each tool, patch, search and note", () => {
  const hunk = { id: "h", status: "applied" as const, added: 1, removed: 1, diff: "-a\n+b\n" };
  const file = { path: "a.ts", change: "update" as const, added: 1, removed: 1, hunks: [hunk] };
  const parts: Part[] = [
    { type: "tool", id: "1", call: "c", name: "read_file", status: "done", summary: "a.ts, lines 1–4" },
    { type: "patch", id: "2", call: "d", status: "applied", files: [file] },
    {
      type: "search",
      id: "3",
      status: "completed",
      query: "x",
      sources: [{ url: "https://a.b/c", title: "[T]" }],
    },
    { type: "note", id: "4", notes: [verbatim("A note.")] },
  ];
  const text = write([turn(parts)]);
  for (const expected of [
    "*read\\_file:* a.ts, lines 1–4 (done)",
    "- update `a.ts`, +1 −1\n\n```diff\n-a\n+b\n```",
    "- [\\[T\\]](<https://a.b/c>)",
    "*A note.*",
  ])
    assert.ok(text.includes(expected), expected);
});

test("toMarkdown marks an incomplete response with its reason", () => {
  const problem = { kind: "network" as const, message: verbatim("The line was cut."), actions: [] };
  assert.match(
    write([turn([], { status: "interrupted", problem })]),
    /\*This answer is interrupted: The line was cut\.\*/,
  );
  assert.match(
    write([turn([], { status: "incomplete", reason: "max_output_tokens" })]),
    /incomplete: max\\_output/,
  );
});

test("toMarkdown writes a source without a web URL as plain text", () => {
  for (const url of ["javascript:alert(1)", "https://a b", "https://a>b", "file:///etc/passwd"]) {
    const text = write([turn([{ type: "search", id: "s", status: "", sources: [{ url, title: "T" }] }])]);
    assert.ok(text.includes("- T"), text);
    assert.ok(!text.includes("]("), text);
  }
});

test("toMarkdown writes no question for a continued turn", () => {
  assert.match(write([turn([said("more")], { continues: true, prompt: "" })]), /\*Go on\.\*/);
});

/** Everything that hides or reorders others, and a family of three that is held together by joiners. */
const hostile =
  "a\u001B[31mb\u009Bc\r\nd \u202Eltr\u2066 x\u200By \u{E0041} \u{1F468}\u200D\u{1F469}\u200D\u{1F467}";

test("toMarkdown writes hidden characters out, like the panel and a copied response", () => {
  const asked = turn([said(hostile)], { prompt: "\u0007\u202E?\r\nNow.", model: "m\u2067" });
  const written = write([asked]);
  assert.ok(written.includes(visible(answerMarkdown(asked))));
  assert.ok(written.includes("> \\u{0007}\\u{202E}?\n> Now.\n"), written);
  assert.ok(written.includes("## m\\u{2067}"), written);
  assert.ok(written.includes("\\u{202E}ltr\\u{2066} x\\u{200B}y \\u{E0041}"), written);
  assert.ok(written.includes("\u{1F468}\u200D\u{1F469}\u200D\u{1F467}"), "what an emoji is made of stays");
});

test("toMarkdown leaves no control characters for a terminal", () => {
  const written = write([turn([said(hostile)], { prompt: "\u0007?" })]);
  assert.doesNotMatch(written, /(?![\n\t])\p{Cc}/u);
  assert.match(written, /a\\u\{001B\}\[31mb\\u\{009B\}c\nd/);
});
