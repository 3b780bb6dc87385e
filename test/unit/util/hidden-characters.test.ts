import assert from "node:assert/strict";
import { test } from "node:test";
import { hidesCharacters, showHidden, withEscapes } from "../../../src/util/hidden-characters.ts";

const hidden: readonly [name: string, text: string, shown: string][] = [
  ["a right-to-left override", "a\u202Eb", "a\\u{202E}b"],
  ["isolates", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
  ["a zero-width space", "pass\u200Bword", "pass\\u{200B}word"],
  ["a joiner between Latin letters", "a\u200Db", "a\\u{200D}b"],
  ["a byte order mark", "\uFEFFx", "\\u{FEFF}x"],
  ["a soft hyphen", "in\u00ADvisible", "in\\u{00AD}visible"],
  ["tag characters", "hi\u{E0041}\u{E0042}", "hi\\u{E0041}\\u{E0042}"],
  ["a lone tag flag base with other tags", "\u{1F3F4}\u{E0041}\u{E007F}", "\u{1F3F4}\\u{E0041}\\u{E007F}"],
  ["an escape sequence", "\u001B[31m", "\\u{001B}[31m"],
  ["a C1 control", "\u009B31m", "\\u{009B}31m"],
  ["a second variation selector", "😀\uFE0F\uFE0E", "😀\uFE0F\\u{FE0E}"],
  ["variation selectors that carry bytes", "x\u{E0100}\u{E0101}", "x\\u{E0100}\\u{E0101}"],
  ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ["a Hangul filler", "\u3164", "\\u{3164}"],
  ["half a character", "a\uD83Db", "a\\u{D83D}b"],
];

for (const [name, text, shown] of hidden) {
  test(`withEscapes escapes ${name}`, () => {
    assert.equal(withEscapes(text), shown);
    assert.equal(hidesCharacters(text), true);
  });
}

test("hidesCharacters is false for CRLF line ends", () =>
  assert.equal(hidesCharacters("می\u200Cخواهم\r\nb\r\n"), false));

const plain: readonly [name: string, text: string][] = [
  ["tabs and line breaks", "a\tb\nc"],
  ["a family emoji", "👨‍👩‍👧"],
  ["a heart with its selector and a joiner", "❤️‍🔥"],
  ["a keycap", "1️⃣"],
  ["the flag of Scotland", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"],
  ["Persian with a non-joiner", "می\u200Cخواهم"],
  ["Hindi with a joiner", "क्\u200Dष"],
  ["an ideographic variant", "葛\u{E0100}"],
  ["combining marks", "e\u0301"],
];

for (const [name, text] of plain) {
  test(`showHidden keeps ${name} unchanged`, () => {
    assert.deepEqual(showHidden(text), [{ hidden: false, text }]);
    assert.equal(hidesCharacters(text), false);
  });
}
