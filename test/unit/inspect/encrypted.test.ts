import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { curlOf, hideEncrypted, restoreEncrypted } from "../../../src/inspect/internal/edit-and-compare.ts";
import { yieldToEventLoop } from "../../../src/util/concurrency.ts";
import { anyLetters } from "../../support/any-letters.ts";

const thought = (id: string, content: string) => ({ id, type: "reasoning", encrypted_content: content });

test("hideEncrypted shows only the size of encrypted content, and restoreEncrypted follows moved items", () => {
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
  const sent = JSON.parse(restoreEncrypted(JSON.stringify(edited), contents));
  assert.deepEqual(sent, { input: [...body.input].reverse() });
});

test("hideEncrypted and restoreEncrypted round-trip any content and ignore mentions of the field", () => {
  const words = JSON.stringify({ content: 'He said: "encrypted_content": "secret" and left.' });
  assert.deepEqual(hideEncrypted(words), { text: words, contents: new Map() });
  fc.assert(
    fc.property(fc.array(anyLetters), (all) => {
      const json = JSON.stringify(all.map((content, at) => thought(String(at), content)));
      const { text, contents } = hideEncrypted(json);
      assert.equal(restoreEncrypted(text, contents), json);
    }),
    { numRuns: 200 },
  );
});

test("hideEncrypted handles very long content", async () => {
  const json = JSON.stringify(thought("1", "A".repeat(8_000_000)));
  const { text, contents } = hideEncrypted(json);
  assert.match(text, /"\[8000000 bytes\]"/);
  await yieldToEventLoop();
  assert.equal(restoreEncrypted(text, contents), json);
});

test("hideEncrypted handles a million escapes, and thousands of contents", async () => {
  const escaped = `{"encrypted_content":"${"\\n".repeat(1_000_000)}"}`;
  const { text, contents } = hideEncrypted(escaped);
  assert.equal(text, '{"encrypted_content":"[2000000 bytes]"}');
  await yieldToEventLoop();
  assert.equal(restoreEncrypted(text, contents), escaped);
  await yieldToEventLoop();
  const thousands = JSON.stringify(
    Array.from({ length: 5_000 }, (_, at) => thought("", String(at).padStart(5))),
  );
  assert.equal(hideEncrypted(thousands).contents.size, 5_000);
});

test("hideEncrypted hides truncated content", () => {
  assert.equal(hideEncrypted('{"encrypted_content":"AAAA').text, '{"encrypted_content":"[4 bytes]');
  assert.equal(hideEncrypted('{"encrypted_content":"AA\\\\"').text, '{"encrypted_content":"[4 bytes]"');
  for (const text of ['{"encrypted_content"', '{"encrypted_content" : ', '{"encrypted_content":"', "{"])
    assert.equal(hideEncrypted(text).text, text);
});

test("curlOf leaves out encrypted content and says so", () => {
  const composed = { method: "POST", url: "https://service.test/v1/responses", headers: {} } as const;
  const command = (input: object) =>
    curlOf({ ...composed, body: JSON.stringify({ input }) }, "Encrypted content is left out.");
  assert.match(command([thought("1", "AAAA")]), /^# Encrypted content is left out\.\ncurl .*\[4 bytes\]/s);
  assert.doesNotMatch(command([thought("1", "AAAA")]), /AAAA/);
  assert.match(command([]), /^curl /);
});
