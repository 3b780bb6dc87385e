// How much of a conversation is sent to be summarized, from all of it down to the end of one task.
import assert from "node:assert/strict";
import { test } from "node:test";
import { verbatim } from "../../../src/conversation/events.ts";
import { compactionForms } from "../../../src/session/internal/compaction.ts";
import { userItem } from "../../../src/session/internal/history.ts";

test("compactionForms returns shorter and shorter histories that keep calls with their outputs", () => {
  const output = (id: string, words: string) =>
    JSON.stringify({ type: "function_call_output", call_id: id, output: words });
  const history = Array.from({ length: 40 }, (_, index) => [
    userItem([{ kind: "text", text: verbatim(`Question ${index}`) }]),
    JSON.stringify({ type: "function_call", call_id: `c${index}`, name: "read_file", arguments: "{}" }),
    output(`c${index}`, "y".repeat(5000)),
  ]).flat();
  const forms = compactionForms(history, [], () => true);
  const sizes = forms.map((form) => form.join("").length);
  assert.deepEqual(
    sizes,
    sizes.toSorted((one, other) => other - one),
  );
  assert.equal(forms[0], history);
  for (const form of forms) {
    const ids = (type: string) => form.filter((raw) => raw.includes(`"${type}"`)).length;
    assert.equal(ids("function_call"), ids("function_call_output"));
    assert.match(form.at(-1) ?? "", /"c39"/);
  }
  assert.equal(compactionForms(history, [], () => false).length, 1);
});

test("compactionForms keeps the end of one question's work, behind its words and with calls and outputs together", () => {
  const raw = (item: object) => JSON.stringify(item);
  const round = (index: number) => [
    raw({ type: "reasoning", id: `r${index}`, encrypted_content: "x".repeat(300) }),
    ...["a", "b"].map((call) =>
      raw({ type: "function_call", call_id: `${call}${index}`, name: "read_file" }),
    ),
    ...["a", "b"].map((call) =>
      raw({ type: "function_call_output", call_id: `${call}${index}`, output: "y".repeat(500) }),
    ),
  ];
  const said = (words: string) => userItem([{ kind: "text", text: verbatim(words) }]);
  const question = said("Rename it everywhere.");
  const history = [
    said('<file path="a.ts">\none\n</file>'),
    question,
    ...Array.from({ length: 40 }, (_, index) => round(index)).flat(),
    said("[Patchbay: what became of your patches:\n]"),
    ...round(40),
  ];
  const length = history.join("").length;
  const forms = compactionForms(
    history,
    ["Rename it everywhere."],
    (items) => items.join("").length < length * 0.6,
  );
  assert.equal(forms.length, 3);
  for (const [index, [first, ...rest]] of forms.entries()) {
    assert.equal(first, question);
    assert.match(rest[0] ?? "", /"reasoning"/);
    assert.equal(rest.at(-1), history.at(-1));
    assert.ok(rest.join("").length > length / 2 ** (index + 1.5));
    for (const type of ["function_call", "function_call_output"])
      assert.equal(rest.filter((item) => item.includes(`"${type}"`)).length % 2, 0);
  }
});

test("compactionForms keeps the last words and an earlier summary, wherever the work is cut", () => {
  const said = (words: string) => userItem([{ kind: "text", text: verbatim(words) }]);
  const call = (index: number) => [
    JSON.stringify({ type: "function_call", call_id: `c${index}`, name: "read_file", arguments: "{}" }),
    JSON.stringify({ type: "function_call_output", call_id: `c${index}`, output: "y".repeat(900) }),
    said("[Patchbay: a note of ours]"),
  ];
  const question = said("[error] What does this log mean?");
  const summary = [said("[Patchbay: the conversation so far was shortened.]"), said("Decided: keep it.")];
  const goOn = said("Go on with the user's last request from where you were.");
  const history = [
    ...summary,
    question,
    goOn,
    ...Array.from({ length: 40 }, (_, index) => call(index)).flat(),
  ];
  const words = ["Earlier words", "[error] What does this log mean?"];
  const [, , ...parts] = compactionForms(history, words, () => true);
  assert.equal(parts.length, 3);
  for (const part of parts) {
    assert.deepEqual(part.slice(0, 3), [...summary, question]);
    assert.equal(part.at(-1), history.at(-1));
    assert.ok(!part.includes(goOn));
  }
});

test("compactionForms never leaves out everything", () => {
  const one = userItem([{ kind: "text", text: verbatim("Look.") }]);
  const reply = JSON.stringify({ type: "reasoning", encrypted_content: "x".repeat(9000) });
  for (const fits of [true, false])
    for (const form of compactionForms([one, reply], ["Look."], () => fits)) assert.ok(form.length > 0);
});
