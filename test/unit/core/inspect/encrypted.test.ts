import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { curlOf } from "../../../../src/core/inspect/curl.ts";
import { hideEncrypted, putBack } from "../../../../src/core/inspect/encrypted.ts";
import { yieldToEventLoop } from "../../../../src/core/util/yield-to-event-loop.ts";
import { anyLetters } from "../../../support/any-letters.ts";
import { growthOf, toldGrowth } from "../../../support/growth.ts";

const thought = (id: string, content: string) => ({ id, type: "reasoning", encrypted_content: content });

test("of encrypted content only the size is seen, and each goes back to where it was moved", () => {
  const body = {
    input: [thought("1", "AAAA"), thought("2", "BBBB"), thought("3", "CCCCCC"), thought("4", "")],
  };
  const { text, contents } = hideEncrypted(JSON.stringify(body, undefined, 2));
  assert.doesNotMatch(text, /AAAA|BBBB|CCCCCC/);
  assert.deepEqual(
    JSON.parse(text).input.map((item: { encrypted_content: string }) => item.encrypted_content),
    ["[4 bytes]", "[4 bytes, 2]", "[6 bytes]", ""],
  );
  const edited = { input: JSON.parse(text).input.reverse() };
  const sent = JSON.parse(putBack(JSON.stringify(edited), contents));
  assert.deepEqual(sent, { input: [...body.input].reverse() });
});

test("any text with encrypted content comes back as it was, and words about the field are words", () => {
  const words = JSON.stringify({ content: 'He said: "encrypted_content": "secret" and left.' });
  assert.deepEqual(hideEncrypted(words), { text: words, contents: new Map() });
  fc.assert(
    fc.property(fc.array(anyLetters), (all) => {
      const json = JSON.stringify(all.map((content, at) => thought(String(at), content)));
      const { text, contents } = hideEncrypted(json);
      assert.equal(putBack(text, contents), json);
    }),
    { numRuns: 200 },
  );
});

test("a very long content is one like any other", async () => {
  const json = JSON.stringify(thought("1", "A".repeat(20_000_000)));
  const { text, contents } = hideEncrypted(json);
  assert.match(text, /"\[20000000 bytes\]"/);
  await yieldToEventLoop();
  assert.equal(putBack(text, contents), json);
});

test("content with millions of escapes, and thousands of contents of one size, are hidden like any other", async () => {
  const escaped = `{"encrypted_content":"${"\\n".repeat(4_000_000)}"}`;
  const { text, contents } = hideEncrypted(escaped);
  assert.equal(text, '{"encrypted_content":"[8000000 bytes]"}');
  assert.equal(putBack(text, contents), escaped);
  await yieldToEventLoop();
  const many = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => thought("", String(at).padStart(5))));
  assert.equal(hideEncrypted(many(20_000)).contents.size, 20_000);
  const growth = growthOf((count) => {
    const json = many(count);
    return () => hideEncrypted(json);
  }, 2_500);
  assert.ok(growth.isLinear, toldGrowth(growth));
});

test("a content that was cut is hidden, too", () => {
  assert.equal(hideEncrypted('{"encrypted_content":"AAAA').text, '{"encrypted_content":"[4 bytes]');
  assert.equal(hideEncrypted('{"encrypted_content":"AA\\\\"').text, '{"encrypted_content":"[4 bytes]"');
  for (const text of ['{"encrypted_content"', '{"encrypted_content" : ', '{"encrypted_content":"', "{"])
    assert.equal(hideEncrypted(text).text, text);
});

test("no encrypted content gets into the clipboard by way of a command, and the command says so", () => {
  const composed = { method: "POST", url: "https://service.test/v1/responses", headers: {} } as const;
  const command = (input: object) =>
    curlOf({ ...composed, body: JSON.stringify({ input }) }, "Encrypted content is left out.");
  assert.match(command([thought("1", "AAAA")]), /^# Encrypted content is left out\.\ncurl .*\[4 bytes\]/s);
  assert.doesNotMatch(command([thought("1", "AAAA")]), /AAAA/);
  assert.match(command([]), /^curl /);
});
