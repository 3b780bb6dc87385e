// What a model says in a comment between the lines, as the editor gets it.
import { strict as assert } from "node:assert";
import { modelMarkdown } from "../../src/editor/ui/response-comment.ts";

describe("modelMarkdown", () => {
  it("keeps code as it was written", () => {
    for (const words of [
      "Read `a![0]` first.",
      "It is a![0] here.",
      "See [the manual](https://example.com), `a![0]`.",
    ])
      assert.equal(modelMarkdown(words).value, words);
  });

  it("escapes images and trusts no commands", () => {
    const { value, isTrusted } = modelMarkdown(
      "![seen](https://example.com/seen.png) and ![too][1]\n\n[1]: https://example.com/1.png",
    );
    assert.doesNotMatch(value, /(?<!\\)!\[/);
    assert.ok(isTrusted !== true);
  });

  it("makes invisible characters visible", () => {
    assert.equal(modelMarkdown("safe\u202Etxt.exe\u{E0041}").value, "safe\\u{202E}txt.exe\\u{E0041}");
  });
});
