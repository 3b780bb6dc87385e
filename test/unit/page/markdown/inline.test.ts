import assert from "node:assert/strict";
import { test } from "node:test";
import { type Inline, readInline } from "../../../../src/page/markdown/parse/inline.ts";
import { createParser } from "../../../../src/page/markdown/parse/parser.ts";

const parser = createParser({ math: true });
const read = (source: string) => readInline(parser.inline(source, {}));

/** The kinds and words, without nesting. */
function outline(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if ("text" in inline) return inline.kind === "hidden" ? `<${inline.text}>` : inline.text;
      if (inline.kind === "math") return `{math${inline.display ? "!" : ""} ${inline.tex}}`;
      if (inline.kind === "break") return "{break}";
      const words = outline(inline.children);
      if (inline.kind === "link")
        return `{link ${inline.address}${inline.host ? ` !${inline.host}` : ""}: ${words}}`;
      if (inline.kind === "file")
        return `{file ${inline.path}${inline.line ? `:${inline.line}` : ""}: ${words}}`;
      return `{${inline.kind}: ${words}}`;
    })
    .join("");
}

const cases: readonly [source: string, outline: string][] = [
  ["*a* **b** ~~c~~ `d`", "{em: a} {strong: b} {strike: c} {code: d}"],
  ["[a](https://x.test/b)", "{link https://x.test/b: a}"],
  ["[a](javascript:b)", "{unlinked: a}"],
  ["[a](mailto:b@c.test)", "{unlinked: a}"],
  ["[](https://x.test/b)", "{link https://x.test/b: https://x.test/b}"],
  ["![a](https://x.test/b.png)", "{link https://x.test/b.png: a}"],
  ["![a](data:image/png;base64,xx)", "{unlinked: a}"],
  ["[https://good.test/x](https://evil.test/)", "{link https://evil.test/ !evil.test: https://good.test/x}"],
  ["[paypal.com](https://evil.test/)", "{link https://evil.test/ !evil.test: paypal.com}"],
  ["[www.x.test](https://x.test/)", "{link https://x.test/: www.x.test}"],
  ["[Node.js](https://nodejs.org/)", "{link https://nodejs.org/: Node.js}"],
  ["see https://x.test/a.", "see {link https://x.test/a: https://x.test/a}."],
  ["https://x.test/a\u200Bb", "{link https://x.test/a: https://x.test/a}<\\u{200B}>b"],
  [
    "https://x.test/\u{1F600}a\u200B",
    "{link https://x.test/%F0%9F%98%80a: https://x.test/\u{1F600}a}<\\u{200B}>",
  ],
  [
    `https://x.test/a${"\u0301".repeat(10)}`,
    `{link https://x.test/a${"%CC%81".repeat(8)}: https://x.test/a${"\u0301".repeat(8)}}\u0301\u0301`,
  ],
  [
    "https://x.test/ www.y.test www.z.test",
    "{link https://x.test/: https://x.test/} {link http://www.y.test/: www.y.test} {link http://www.z.test/: www.z.test}",
  ],
  [
    "<https://good.test@evil.test/>",
    "{link https://good.test@evil.test/ !evil.test: https://good.test@evil.test/}",
  ],
  [
    "https://\u0430pple.test/",
    "{link https://xn--pple-43d.test/ !xn--pple-43d.test: https://\u0430pple.test/}",
  ],
  ["src/a\u3164b.ts:1", "src/a<\\u{3164}>b.ts:1"],
  ["a1\uFE0Fb 1\uFE0F\u20E3", "a1<\\u{FE0F}>b 1\uFE0F\u20E3"],
  ["in src/cart.ts:12, and", "in {file src/cart.ts:12: src/cart.ts:12}, and"],
  ["in ./src/cart.ts#L12-L20.", "in {file src/cart.ts:12: ./src/cart.ts#L12-L20}."],
  ["`src/cart.ts`", "{file src/cart.ts: {code: src/cart.ts}}"],
  ["`README.md`", "{file README.md: {code: README.md}}"],
  ["`foo.bar`", "{code: foo.bar}"],
  ["Node.js and README.md", "Node.js and README.md"],
  ["[the cart](src/cart.ts#L3)", "{file src/cart.ts:3: the cart}"],
  ["and/or, 1/2.5, i.e./e.g.", "and/or, 1/2.5, i.e./e.g."],
  ["../../etc/passwd.txt /etc/x.conf C:/x/y.txt", "../../etc/passwd.txt /etc/x.conf C:/x/y.txt"],
  ["github.com/a/b.ts", "github.com/a/b.ts"],
  [".github/workflows/ci.yml", "{file .github/workflows/ci.yml: .github/workflows/ci.yml}"],
  ["src/日本/名.ts:4", "{file src/日本/名.ts:4: src/日本/名.ts:4}"],
  ["a\u202Eb", "a<\\u{202E}>b"],
  ["`a\u200Bb`", "{code: a<\\u{200B}>b}"],
  ["$a^2$ and \\(b\\)", "{math a^2} and {math b}"],
  ["$$x$$ and \\[y\\]", "{math! x} and {math! y}"],
  ["it costs $5 and $10", "it costs $5 and $10"],
  ["between $5-$10", "between $5-$10"],
  ["$HOME and $PATH", "$HOME and $PATH"],
  ["US$5 and 6$", "US$5 and 6$"],
  ["`$a$` and $ `b` $", "{code: $a$} and $ {code: b} $"],
  ["a\\\nb", "a{break}b"],
];

for (const [source, expected] of cases) {
  test(`readInline reads ${JSON.stringify(source)} as ${expected}`, () =>
    assert.equal(outline(read(source)), expected));
}

test("the inline parser looks definitions up only by the labels in the text", () => {
  const asked: string[] = [];
  const definitions = new Proxy({}, { get: (_none, label) => void asked.push(String(label)) });
  parser.inline("[a] and [b][c] and x[0]", definitions);
  assert.deepEqual([...new Set(asked)].sort(), ["0", "A", "C"]);
});
