// Marks of the model's own that a server has left in the text of an answer.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MarkedText } from "../../../src/service/internal/marked-text.ts";
import { answer, startFaultServer } from "../../support/fault-server.ts";
import { watch } from "../../support/watched-client.ts";

const called = (id: string, given: string) =>
  `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${given}<|tool_call_end|>`;
const section = (...calls: string[]) =>
  `<|tool_calls_section_begin|>${calls.join("")}<|tool_calls_section_end|>`;

const cases: readonly (readonly [
  title: string,
  given: string,
  text: string,
  thought: string,
  calls: number,
])[] = [
  ["thoughts at the beginning", "<think>\nLet me see.\n</think>\n\nDone.", "Done.", "\nLet me see.\n", 0],
  ["thoughts that never end", "<think>Let me", "", "Let me", 0],
  ["tags that somebody speaks of", "Use `<think>` and </think> so.", "Use `<think>` and </think> so.", "", 0],
  ["a text that only begins alike", "<thin ice>", "<thin ice>", "", 0],
  [
    "calls behind a text",
    `I look.${section(called("functions.read_file:0", '{"path":"a"}'))}`,
    "I look.",
    "",
    1,
  ],
  ["several calls", section(called("functions.a:0", "{}"), called("functions.b:1", "{}")), "", "", 2],
  ["a section that is cut", `Hm.<|tool_calls_section_begin|>${called("functions.a:0", "{}")}`, "Hm.", "", 1],
  ["half a mark", "a <|tool", "a <|tool", "", 0],
  [
    "a call that begins within another one",
    section(called("functions.a:0", "<|tool_call_begin|>functions.b:1<|tool_call_argument_begin|>{}")),
    "",
    "",
    1,
  ],
  [
    "marks in a block of code",
    `So:\n\`\`\`\n${section(called("functions.a:0", "{}"))}\n\`\`\`\n`,
    `So:\n\`\`\`\n${section(called("functions.a:0", "{}"))}\n\`\`\`\n`,
    "",
    0,
  ],
];

describe("the marks in a reply", () => {
  for (const [title, given, text, thought, calls] of cases)
    test(`are separated from the text in pieces of any size: ${title}`, () => {
      for (let size = 1; size <= given.length; size++) {
        const marks = new MarkedText();
        const found = { text: "", thought: "", calls: 0 };
        const add = (part: ReturnType<MarkedText["push"]>) => {
          found.text += part.text;
          found.thought += part.thought;
          found.calls += part.calls.length;
        };
        for (let at = 0; at < given.length; at += size) add(marks.push(given.slice(at, at + size)));
        add(marks.end());
        assert.deepEqual(found, { text, thought, calls }, `in pieces of ${size}`);
      }
    });

  test("become reasoning and calls and are not shown", async () => {
    const pieces = [
      "<th",
      "ink>Hm.</think>\n\nI ",
      `look.${section(called("functions.read_file:3", '{"path":"a"}'))}`,
    ];
    const chunks = pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    const body = [...chunks, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    await using server = await startFaultServer(answer(200, `${body}data: [DONE]\n\n`));
    using watched = watch(server.url);
    const { reply, events } = await watched.turn({ route: "chat" });
    assert.equal(reply.text, "I look.");
    const thought = events.flatMap((event) => (event.type === "reasoning" ? [event.delta] : [])).join("");
    assert.equal(thought, "Hm.");
    assert.deepEqual(
      reply.calls.map(({ name, callId, input }) => [name, callId, input]),
      [["read_file", "functions.read_file:3", '{"path":"a"}']],
    );
  });
});
