// What stands in an export or in a comment of a pull request, read by another reader of CommonMark: whatever a model writes,
// nothing of it loads by itself.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import markdownIt from "markdown-it";
import { toMarkdown } from "../../../src/editor/conversations/export-markdown.ts";
import { asComments } from "../../../src/findings/internal/findings-markdown.ts";
import { codeSpan, harmlessMarkdown } from "../../../src/util/harmless-markdown.ts";
import { random } from "../../support/random-text.ts";

const reader = markdownIt({ html: true });

interface Read {
  readonly type: string;
  readonly content: string;
  readonly children: readonly Read[] | null;
}

/** What would be fetched or obeyed; `allowed` is markup of our own. */
function loadedBy(markdown: string, allowed = /^$/): string[] {
  const all = (read: readonly Read[]): Read[] => read.flatMap((each) => [each, ...all(each.children ?? [])]);
  return all(reader.parse(markdown, {}))
    .filter(({ type }) => /^(image|html_inline|html_block)$/.test(type))
    .map(({ type, content }) => `${type} ${content}`.trim())
    .filter((found) => !allowed.test(found));
}

const words = [
  ...[
    "`",
    "``",
    "```",
    "~~~",
    "\\",
    "\\`",
    "\\\\",
    "![x](https://e/i)",
    "![",
    "](https://e/i)",
    "![x][r]",
    "![x]",
    "[r]: https://e/i",
  ],
  ...[
    "<img src=https://e/i>",
    "<",
    ">",
    "<https://e/`>",
    "<HTTPS://e/`>",
    "<https://e/\u00a0`>",
    "<a href='`'>",
    "<!--",
    "-->",
    "\n",
    "\n\n",
    "\r\n",
  ],
  ...[
    "\n   ```\n",
    "\n  ~~~\n",
    "2. ",
    "\n- a\n",
    "* * *\n",
    "\n\u00a0\n",
    "> ",
    "- ",
    "1. ",
    "    ",
    "\t",
    "a",
    " ",
    "|",
    "|-|\n",
    "\n---\n",
    "# ",
    "\n```\n",
    "\n~~~\n",
    "&#96;",
    "$",
    "*",
    "_",
    "\u00a0",
    "\f",
  ],
];

const draw = (next: (most: number) => number) =>
  Array.from({ length: 2 + next(14) }, () => words[next(words.length)] ?? "").join("");

const forms = [
  "`a\\` ![x](https://e/i) `b`",
  "``a\\`` ![x](https://e/i) ``b``",
  "`\\` <img src=https://e/i> `",
  "`a\\` ![x][r] `b`\n\n[r]: https://e/i",
  "<https://e/`> ![x](https://e/i) `",
  "`\n\u00a0\n` ![x](https://e/i) `",
  "\\\\`a\\` ![x](https://e/i) `b`",
];

const rounds = process.env["PATCHBAY_LONG"] === undefined ? 1_200 : 6_000;

describe("harmless Markdown", () => {
  test("loads nothing in the forms of earlier failures", () => {
    for (const form of forms) assert.deepEqual(loadedBy(harmlessMarkdown(form)), [], form);
  });

  test("loads nothing for random texts", () => {
    const next = random(1);
    for (let round = 0; round < rounds; round++) {
      const text = draw(next);
      const safe = harmlessMarkdown(text);
      assert.deepEqual(loadedBy(safe), [], JSON.stringify({ text, safe }));
    }
  });

  test("keeps code that every reader sees as code", () => {
    for (const text of [
      "`a\\` and `![x](y)`",
      "``a ` <b>`` <https://e/`> and `<b>`",
      "\\\\`<b>`",
      "\\* `![`",
    ])
      assert.equal(harmlessMarkdown(text), text);
  });
});

describe("an exported conversation", () => {
  test("loads nothing for conversations of random parts", () => {
    const next = random(2);
    const ours = /^html_block <(details><summary>Reasoning<\/summary>|\/details>)$/;
    for (let round = 0; round < rounds / 4; round++) {
      const [prompt, first, second, name] = [draw(next), draw(next), draw(next), draw(next)];
      const turn = {
        ...{
          id: "t",
          at: 0,
          model: "svc-k3",
          route: "responses" as const,
          prompt,
          attachments: [],
          continues: false,
        },
        parts: [
          { type: "text" as const, id: "1", text: first },
          { type: "reasoning" as const, id: "2", text: second },
          { type: "refusal" as const, id: "3", text: first },
          {
            ...{ type: "patch" as const, id: "4", call: "c", status: "applied" as const },
            files: [{ path: name, change: "update" as const, added: 1, removed: 1, hunks: [] }],
          },
          { type: "text" as const, id: "5", text: second },
        ],
        ...{ status: "done" as const, usage: [], receipts: [] },
      };
      const text = toMarkdown({ id: "c", turns: [turn] }, { title: name, reasoning: true });
      assert.deepEqual(loadedBy(text, ours), [], JSON.stringify({ prompt, first, second, name, text }));
    }
  });
});

describe("asComments", () => {
  test("loads nothing and ends no code span, for random reasons and names", () => {
    const next = random(3);
    for (let round = 0; round < rounds / 4; round++) {
      const [file, reason, suggestion] = [draw(next), draw(next), draw(next)];
      const text = asComments([{ file, lines: undefined, severity: "Error", reason, suggestion }]);
      assert.deepEqual(loadedBy(text), [], JSON.stringify({ file, reason, suggestion, text }));
    }
  });

  test("keeps the whole name of a file that contains a backtick", () => {
    const text = asComments([
      {
        file: "a`<b>`.ts",
        lines: { first: 0, last: 0 },
        severity: "Error",
        reason: "~~~ ![x](https://e/i)\u200b",
      },
    ]);
    assert.equal(text, "- `` a`<b>`.ts:1 `` **Error**: ~~~ \\![x](https://e/i)\\u{200B}\n");
    assert.match(reader.render(text), /<code>a`&lt;b&gt;`\.ts:1<\/code>/);
  });
});

test("codeSpan renders back to the same name", () => {
  for (const name of ["a.ts", "a`b.ts", "``", "`a", "a\\`", "<b>|`c"])
    assert.equal(
      reader.renderInline(codeSpan(name)),
      `<code>${name.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</code>`,
    );
});
