import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Inline, readInline } from "../../../../src/page/markdown/parse/inline.ts";
import { nextCut } from "../../../../src/page/markdown/parse/inline-cuts.ts";
import { createParser } from "../../../../src/page/markdown/parse/parser.ts";

const pieces =
  "a|word|café|字|，|。|😀|é|1|, |. |(|)|[|]|](|](b)|](b_c)|[a](b)|!|*|**|***|_|__|~|~~|~~~|`|``|```|\\|$|$$|\\(|\\)|\\[|\\]|<|>|<http://b>|<a@b.c>|http://x.y|https://x.y/a_b|www.x.y|://|src/a.ts:1|&amp;|&ast;|\n|  \n|\\\n|\"|'|\u00A0|\u200B|{|}| | | | | | ".split(
    "|",
  );

const texts = fc
  .array(fc.constantFrom(...pieces, "|"), { minLength: 1, maxLength: 40 })
  .map((all) => all.join("").trim());

/** Neighbouring texts are one; where they were cut does not matter. */
function joined(inlines: readonly Inline[]): unknown[] {
  const read: unknown[] = [];
  let words = "";
  const flush = () => {
    if (words !== "") read.push(words);
    words = "";
  };
  for (const inline of inlines) {
    if (inline.kind === "text") words += inline.text;
    else {
      flush();
      read.push("children" in inline ? { ...inline, children: joined(inline.children) } : inline);
    }
  }
  flush();
  return read;
}

function cutsOf(text: string, math: boolean, shortest = 1): number[] {
  const cuts: number[] = [];
  for (let cut = nextCut(text, 0, { math, shortest }); cut !== undefined; ) {
    cuts.push(cut);
    cut = nextCut(text, cut, { math, shortest });
  }
  return cuts;
}

const definitions = { A: { href: "http://x.y", title: "" }, WORD: { href: "http://x.y", title: "" } };
const runs = process.env["PATCHBAY_LONG"] === undefined ? 800 : 300_000;

for (const math of [false, true]) {
  const parser = createParser({ math });
  const read = (text: string) => readInline(parser.inline(text, definitions));

  test(`nextCut splits a text into parts that parse like the whole, ${math ? "with" : "without"} formulas`, () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cuts = [0, ...cutsOf(text, math), text.length];
        const parts = cuts.slice(1).flatMap((cut, index) => read(text.slice(cuts[index], cut)));
        assert.deepEqual(joined(parts), joined(read(text)));
      }),
      { numRuns: runs },
    );
  });

  test(`nextCut keeps its cuts when text is appended, ${math ? "with" : "without"} formulas`, () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole = cutsOf(text, math);
        for (let end = 1; end < text.length; end += 1) {
          const early = cutsOf(text.slice(0, end), math);
          assert.deepEqual(early, whole.slice(0, early.length));
        }
      }),
      { numRuns: runs / 10 },
    );
  });
}

test("nextCut cuts ordinary prose often, with and without spaces between words", () => {
  const prose = "Some **bold** words, a [link](https://x.y/a_b), `code`, snake_case and f(x) again. ".repeat(
    100,
  );
  const chinese = "解析器读取每一行，并**记住**它所看到的内容。".repeat(300);
  for (const text of [prose.trim(), chinese]) {
    const cuts = cutsOf(text, true, 600);
    assert.ok(cuts.length > text.length / 800, `${cuts.length} cuts in ${text.length} characters`);
  }
});
