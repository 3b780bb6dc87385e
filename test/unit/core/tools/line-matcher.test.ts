import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { maxTextBytes } from "../../../../src/core/files/guarded-files.ts";
import { Refusal } from "../../../../src/core/files/refusal.ts";
import { createLineMatcher, TooSlow } from "../../../../src/core/tools/line-matcher.ts";

const folder = await mkdtemp(join(tmpdir(), "patchbay-matcher-"));
after(() => rm(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

test("an expression that would run for ever is ended, and the thread of the editor goes on meanwhile", async () => {
  const matcher = createLineMatcher("^(a+)+$", { regex: true, caseSensitive: true, milliseconds: 100 });
  let beats = 0;
  const heart = setInterval(() => beats++, 5);
  await assert.rejects(matcher.find(`${"a".repeat(60)}b`, 1), (error: unknown) => {
    assert.ok(error instanceof Refusal);
    return /takes too long/.test(error.message);
  });
  clearInterval(heart);
  assert.ok(beats > 0);
  assert.equal((await matcher.find("aaa", 1)).total, 1, "the next text is searched by a new thread");
  matcher.dispose();
});

test("a query as long as a file is refused, and the longest that is taken is read", () => {
  const options = { regex: true, caseSensitive: true };
  assert.throws(() => createLineMatcher("(a)".repeat(32_000), options), {
    message: "The query is longer than 2000 characters; use a shorter one.",
  });
  const matcher = createLineMatcher("(a)".repeat(666), options);
  assert.equal(matcher.rough(true)?.pattern, "(?:\\x{61})".repeat(666));
  matcher.dispose();
});

test("one matcher serves many texts, in order and up to the limit, and counts what is beyond it", async () => {
  const matcher = createLineMatcher("b", { regex: true, caseSensitive: false });
  const [first, second, third] = await Promise.all([
    matcher.find("a\nB\r\nb\rc", 9),
    matcher.find("b\nb\nb", 2),
    matcher.find("", 2),
  ]);
  assert.deepEqual(first, {
    lines: [
      { number: 2, text: "B" },
      { number: 3, text: "b" },
    ],
    total: 2,
  });
  assert.deepEqual([second.lines.map(({ number }) => number), second.total], [[1, 2], 3]);
  assert.deepEqual(third, { lines: [], total: 0 });
  matcher.dispose();
});

test("of a long line what stands around the match is shown", async () => {
  const matcher = createLineMatcher("needle", { regex: false, caseSensitive: true });
  const { lines } = await matcher.find(`${"x".repeat(1000)}needle${"y".repeat(1000)}`, 1);
  assert.match(lines[0]?.text ?? "", /^\[900 characters\] x{100}needley{194} \[806 more characters\]$/);
  matcher.dispose();
});

test("files are sifted by what the editor would read in them", async () => {
  const matcher = createLineMatcher("größe", { regex: false, caseSensitive: false });
  const places = [
    write("hit.txt", "eine GRÖSSE\neine GRÖßE\n"),
    write("none.txt", "nichts\n"),
    write("marked.txt", "\ufeffGröße"),
    write("latin.txt", Buffer.from("Gr\u00f6\u00dfe", "latin1")),
    write("wide.txt", Buffer.from("Größe", "utf16le")),
    write("binary.bin", Buffer.concat([Buffer.from("Größe"), Buffer.of(0, 0, 0, 1)])),
    write("large.log", Buffer.alloc(maxTextBytes + 1, "a\n")),
    write("large.bin", Buffer.alloc(maxTextBytes + 1)),
    join(folder, "gone.txt"),
  ];
  const expected = ["ask", "no", "ask", "ask", "ask", "no", "large", "no", "ask"];
  assert.deepEqual(await matcher.sift(places, true), expected);
  assert.equal((await matcher.sift([places[3] ?? ""], false))[0], "ask", "perhaps it is in that encoding");
  matcher.dispose();
});

test("a file on which the expression takes too long is named, and the others are sifted", async () => {
  const matcher = createLineMatcher("^(a+)+$", { regex: true, caseSensitive: true, milliseconds: 100 });
  const [quick, slow] = [write("quick.txt", "aaa"), write("slow.txt", `${"a".repeat(60)}b`)];
  await assert.rejects(
    matcher.sift([quick, slow, quick], true),
    (error) => error instanceof TooSlow && error.index === 1,
  );
  assert.deepEqual(await matcher.sift([quick, quick], true), ["ask", "ask"]);
  matcher.dispose();
});

test("a large file is searched to its end, line by line, whatever ends its lines", async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1} ${index % 7}`);
  lines[150_000] = "the Needle is here";
  for (const end of ["\n", "\r\n", "\r"]) {
    const place = write("stream.log", lines.join(end));
    const matcher = createLineMatcher("needle", { regex: false, caseSensitive: false });
    const found = await matcher.stream(place, 10);
    assert.deepEqual(
      found?.lines.map(({ number, around, index }) => [number, around.split("\n")[index]]),
      [[150_001, "the Needle is here"]],
    );
    assert.deepEqual([found?.isWhole, found?.pieces], [true, 0]);
    matcher.dispose();
  }
  const wide = write("wide.log", Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le"));
  const matcher = createLineMatcher("^the needle", { regex: true, caseSensitive: false });
  assert.equal((await matcher.stream(wide, 10))?.lines[0]?.number, 150_001);
  assert.equal(await matcher.stream(join(folder, "gone.log"), 10), undefined);
  matcher.dispose();
});

test("a large file is read alike where its pieces hold nothing but ASCII, a mark at their beginning, or half a character", async () => {
  const fill = (bytes: number) => `${"x".repeat(99)}\n`.repeat(bytes / 100).padEnd(bytes - 1, "x");
  const marked = "\ufeffneedle one\n";
  const piece = 2 ** 20;
  const place = write(
    "pieces.log",
    [
      `${fill(piece)}\n`,
      marked + fill(piece - Buffer.byteLength(marked)),
      `é needle two\n${fill(piece)}`,
      `\n${fill(piece)}\nneedle three`,
    ].join(""),
  );
  const matcher = createLineMatcher("needle", { regex: false, caseSensitive: false });
  after(() => matcher.dispose());
  const found = await matcher.stream(place, 10);
  const lines = found?.lines.map(({ around, index }) => around.split("\n")[index]?.replace(/x+/, "x"));
  assert.deepEqual(lines, ["\ufeffneedle one", "xé needle two", "needle three"]);
});

test("of a large file nothing is found in a private key, however long, and the rest is", async () => {
  const key = [
    "-----BEGIN RSA PRIVATE KEY-----",
    ...Array.from({ length: 40_000 }, () => "needle".repeat(10)),
    "-----END RSA PRIVATE KEY-----",
  ];
  const place = write("key.log", ["a needle", ...key, "another needle"].join("\n"));
  for (const regex of [false, true]) {
    const matcher = createLineMatcher("needle", { regex, caseSensitive: false });
    const found = await matcher.stream(place, 10);
    assert.deepEqual(
      found?.lines.map(({ number }) => number),
      [1, key.length + 2],
    );
    matcher.dispose();
  }
});

test("a line that never ends is searched in pieces, and this is told", async () => {
  const place = write("endless.log", `${"x".repeat(2 ** 21)}needle${"x".repeat(2 ** 20)}\nneedle\n`);
  const matcher = createLineMatcher("needle", { regex: false, caseSensitive: false });
  const found = await matcher.stream(place, 10);
  assert.deepEqual(
    found?.lines.map(({ number }) => number),
    [1, 2],
  );
  assert.ok((found?.pieces ?? 0) >= 2);
  matcher.dispose();
});

test("another program is asked for what a group has matched where it is repeated, and for anything where a place counts", () => {
  const asked = (query: string) => {
    const matcher = createLineMatcher(query, { regex: true, caseSensitive: true });
    after(() => matcher.dispose());
    return matcher.rough(true)?.pattern.replaceAll("(?-u:[^\\n])", ".");
  };
  assert.equal(asked("(a\\d)-\\1"), "(?:\\x{61}[0-9])\\x{2d}(?:\\x{61}[0-9])");
  assert.equal(asked("(?<x>a)\\k<x>"), "(?:\\x{61})(?:\\x{61})");
  assert.equal(asked("(a)?\\1"), "(?:(?:\\x{61})){0,1}(?:\\x{61})?", "it need not take part");
  assert.equal(
    asked("(?:(a))\\1"),
    "(?:(?:\\x{61}))(?:\\x{61})?",
    "nor is it known to where it is no more seen",
  );
  assert.equal(asked("(^a)\\1"), "(?:^\\x{61}).{0,}");
  assert.equal(asked("\\1(a)"), ".{0,}(?:\\x{61})");
  assert.equal(asked(`(${"a".repeat(40)})\\1`), `(?:${"\\x{61}".repeat(40)}).{0,}`);
});
