import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { maxTextBytes } from "../../../src/files/guarded-files.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import { createLineMatcher, type LineMatcher, TooSlow } from "../../../src/search/line-matcher.ts";

const upTo = (most: number, context = 0) => ({ most, context });

const folder = await mkdtemp(join(tmpdir(), "patchbay-matcher-"));
after(() => rm(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

test("a line matcher ends an endless expression without blocking the editor's thread", async () => {
  const matcher = createLineMatcher("^(a+)+$", { regex: true, caseSensitive: true, milliseconds: 100 });
  let beats = 0;
  const heart = setInterval(() => beats++, 5);
  await assert.rejects(matcher.find(`${"a".repeat(60)}b`, upTo(1)), (error: unknown) => {
    assert.ok(error instanceof Refusal);
    return /takes too long/.test(error.message);
  });
  clearInterval(heart);
  assert.ok(beats > 0);
  assert.equal((await matcher.find("aaa", upTo(1))).total, 1, "the next text is searched by a new thread");
  matcher.dispose();
});

test("createLineMatcher refuses an overlong query and reads one of the longest length", () => {
  const options = { regex: true, caseSensitive: true };
  assert.throws(() => createLineMatcher("(a)".repeat(32_000), options), {
    message: "The query is longer than 2000 characters; use a shorter one.",
  });
  const matcher = createLineMatcher("(a)".repeat(666), options);
  assert.equal(matcher.rough(true)?.pattern, "(?:\\x{61})".repeat(666));
  matcher.dispose();
});

test("one line matcher searches many texts in order, up to the limit, and counts the rest", async () => {
  const matcher = createLineMatcher("b", { regex: true, caseSensitive: false });
  const [first, second, third] = await Promise.all([
    matcher.find("a\nB\r\nb\rc", upTo(9)),
    matcher.find("b\nb\nb", upTo(2)),
    matcher.find("", upTo(2)),
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

test("a line matcher shows the surroundings of a match in a long line", async () => {
  const matcher = createLineMatcher("needle", { regex: false, caseSensitive: true });
  const { lines } = await matcher.find(`${"x".repeat(1000)}needle${"y".repeat(1000)}`, upTo(1));
  assert.match(lines[0]?.text ?? "", /^\[900 characters\] x{100}needley{494} \[506 more characters\]$/);
  matcher.dispose();
});

test("sift sorts files by the text that the editor would read in them", async () => {
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

test("sift names the file on which the expression takes too long, and can sift the others", async () => {
  const matcher = createLineMatcher("^(a+)+$", { regex: true, caseSensitive: true, milliseconds: 100 });
  const [quick, slow] = [write("quick.txt", "aaa"), write("slow.txt", `${"a".repeat(60)}b`)];
  await assert.rejects(
    matcher.sift([quick, slow, quick], true),
    (error) => error instanceof TooSlow && error.index === 1,
  );
  assert.deepEqual(await matcher.sift([quick, quick], true), ["ask", "ask"]);
  matcher.dispose();
});

test("stream searches a large file to its end with any line ends", async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1} ${index % 7}`);
  lines[150_000] = "the Needle is here";
  for (const end of ["\n", "\r\n", "\r"]) {
    const place = write("stream.log", lines.join(end));
    const matcher = createLineMatcher("needle", { regex: false, caseSensitive: false });
    const found = await matcher.stream(place, upTo(10));
    assert.deepEqual(
      found?.matches.map(({ number, around, index }) => [number, around.split("\n")[index]]),
      [[150_001, "the Needle is here"]],
    );
    assert.deepEqual([found?.isWhole, found?.pieces], [true, 0]);
    matcher.dispose();
  }
  const wide = write("wide.log", Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le"));
  const matcher = createLineMatcher("^the needle", { regex: true, caseSensitive: false });
  assert.equal((await matcher.stream(wide, upTo(10)))?.matches[0]?.number, 150_001);
  assert.equal(await matcher.stream(join(folder, "gone.log"), upTo(10)), undefined);
  matcher.dispose();
});

test("stream reads a large file alike across ASCII pieces, byte order marks and split characters", async () => {
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
  const found = await matcher.stream(place, upTo(10));
  const lines = found?.matches.map(({ around, index }) => around.split("\n")[index]?.replace(/x+/, "x"));
  assert.deepEqual(lines, ["\ufeffneedle one", "xé needle two", "needle three"]);
});

test("stream finds nothing inside a long private key, and everything around it", async () => {
  const key = [
    "-----BEGIN RSA PRIVATE KEY-----",
    ...Array.from({ length: 40_000 }, () => "needle".repeat(10)),
    "-----END RSA PRIVATE KEY-----",
  ];
  const place = write("key.log", ["a needle", ...key, "another needle"].join("\n"));
  for (const regex of [false, true]) {
    const matcher = createLineMatcher("needle", { regex, caseSensitive: false });
    const found = await matcher.stream(place, upTo(10));
    assert.deepEqual(
      found?.matches.map(({ number }) => number),
      [1, key.length + 2],
    );
    matcher.dispose();
  }
});

test("stream searches an endless line in pieces, and says so", async () => {
  const place = write("endless.log", `${"x".repeat(2 ** 21)}needle${"x".repeat(2 ** 20)}\nneedle\n`);
  const matcher = createLineMatcher("needle", { regex: false, caseSensitive: false });
  const found = await matcher.stream(place, upTo(10));
  assert.deepEqual(
    found?.matches.map(({ number }) => number),
    [1, 2],
  );
  assert.ok((found?.pieces ?? 0) >= 2);
  matcher.dispose();
});

test("a rough pattern repeats the group of a backreference, or allows anything where position matters", () => {
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

describe("a streamed large file", () => {
  const matchers: LineMatcher[] = [];
  after(() => {
    for (const matcher of matchers) matcher.dispose();
  });
  const matcherFor = (query: string) => {
    const matcher = createLineMatcher(query, { regex: false, caseSensitive: true });
    matchers.push(matcher);
    return matcher;
  };
  const shownOf = (found: Awaited<ReturnType<LineMatcher["stream"]>>) => {
    const shown = new Map<number, string>();
    for (const { number, around, index, context } of found?.matches ?? [])
      for (const each of [{ index, number }, ...context])
        shown.set(each.number, around.split("\n")[each.index] ?? "");
    return [...shown].toSorted(([one], [other]) => one - other);
  };

  test("shows the same lines around its matches as a small one, wherever a piece ends", async () => {
    const width = 40;
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at + 1} `.padEnd(width, "x"));
    for (const end of ["\n", "\r\n"]) {
      const lastOf = (piece: number) => Math.floor((piece * 2 ** 20) / (width + end.length));
      const needles = new Set([1, 2, 1000, lastOf(1) - 3, lastOf(2) + 2, 60_000]);
      const text = lines
        .map((line, at) => (needles.has(at + 1) ? line.replace("line", "seek") : line))
        .join(end);
      const place = write("context.log", text);
      const matcher = matcherFor("seek");
      for (const context of end === "\n" ? [0, 10] : [10]) {
        const whole = await matcher.find(text, upTo(50, context));
        assert.deepEqual(
          shownOf(await matcher.stream(place, upTo(50, context))),
          whole.lines.map((line) => [line.number, line.text]),
        );
      }
    }
  });

  test("shows nothing of a private key, and no match beyond the limit, near a match", async () => {
    const key = ["-----BEGIN RSA PRIVATE KEY-----", ..."abc", "-----END RSA PRIVATE KEY-----"];
    const place = write("near.log", ["one", "needle", ...key, "needle", "two", "needle"].join("\n"));
    const matcher = matcherFor("needle");
    const shown = shownOf(await matcher.stream(place, upTo(2, 6)));
    assert.deepEqual(shown, [
      [1, "one"],
      [2, "needle"],
      [8, "needle"],
      [9, "two"],
    ]);
  });
});
