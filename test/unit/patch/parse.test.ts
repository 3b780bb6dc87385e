// The parser by itself: what it makes of a patch must not depend on how the patch arrives.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { limits } from "../../../src/patch/model.ts";
import { type Parsed, PatchParser, parsePatch } from "../../../src/patch/parse.ts";
import { yieldToEventLoop } from "../../../src/util/concurrency.ts";

const fixtures = join(process.cwd(), "test/fixtures/patch");
const patches = readdirSync(fixtures).map((name) => ({
  name,
  text: readFileSync(join(fixtures, name, "patch.txt"), "utf8"),
}));

function inPieces(pieces: readonly string[]): Parsed {
  const parser = new PatchParser();
  for (const piece of pieces) parser.feed(piece);
  return parser.finish();
}

test("PatchParser reads every patch of the corpus the same whole, cut in two, and character by character", async () => {
  for (const { name, text } of patches) {
    await yieldToEventLoop();
    const whole = parsePatch(text);
    for (let at = 0; at <= text.length; at++) {
      if (at % 50 === 0) await yieldToEventLoop();
      assert.deepEqual(inPieces([text.slice(0, at), text.slice(at)]), whole, `${name}, cut at ${at}`);
    }
    assert.deepEqual(inPieces(text.split("")), whole, name);
  }
});

/** The same patch in what models put around it. */
const wrappings: Readonly<Record<string, (text: string) => string>> = {
  fence: (text) => `\`\`\`diff\n${text}\n\`\`\`\n`,
  tildes: (text) => `~~~\n${text}\n~~~`,
  "here-document": (text) => `apply_patch <<'PATCH'\n${text}\nPATCH\n`,
  "here-document in a fence": (text) => `\`\`\`bash\napply_patch <<"EOF"\n${text}\nEOF\n\`\`\``,
  "JSON object": (text) => JSON.stringify({ input: text }),
  "JSON over lines": (text) => JSON.stringify({ explanation: "Fixes it.", patch: text }, null, 2),
  "JSON command": (text) => JSON.stringify({ command: ["bash", "-lc", `apply_patch <<'EOF'\n${text}\nEOF`] }),
  "JSON in a fence": (text) => `\`\`\`json\n${JSON.stringify([text])}\n\`\`\``,
  indentation: (text) => text.replace(/^/gm, "    "),
  "empty lines": (text) => `\n\n${text}\n\n`,
  "Windows line ends": (text) => text.replace(/\n/g, "\r\n"),
};

test("a wrapped patch parses like the bare one", async () => {
  const withoutNumbers = (parsed: Parsed) =>
    JSON.parse(JSON.stringify(parsed), (key, value) =>
      key === "line" ? 0 : key === "notes" ? undefined : value,
    );
  for (const { name, text } of patches) {
    await yieldToEventLoop();
    const bare = parsePatch(text.trimEnd());
    if (bare.kind !== "patch" || !text.startsWith("*** Begin Patch\n") || text.includes("\r")) continue;
    // Without an end what stands below belongs to the last hunk.
    if (bare.patch.notes.includes("no-end")) continue;
    for (const [wrapping, wrap] of Object.entries(wrappings)) {
      const wrapped = parsePatch(wrap(text.trimEnd()));
      assert.deepEqual(withoutNumbers(wrapped), withoutNumbers(bare), `${name} in ${wrapping}`);
    }
  }
});

test("PatchParser exposes what has arrived, and a patch cut anywhere is refused or noted", () => {
  const text = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "@@ class A",
    " one",
    "-two",
    "+TWO",
    "*** Add File: b.txt",
    "+new",
    "*** End Patch",
  ].join("\n");
  const parser = new PatchParser();
  const shown: string[] = [];
  for (const [at, char] of text.split("").entries()) {
    parser.feed(char);
    const [update, add] = parser.sections;
    const lines = update?.kind === "update" ? update.hunks.map((hunk) => hunk.lines.length) : [];
    const now = `${update?.path ?? "-"} ${lines.join()} ${add?.path ?? "-"}`;
    if (shown.at(-1) !== now) shown.push(now);
    if (at < text.length - 1) {
      const parsed = parsePatch(text.slice(0, at + 1));
      const isNoted = parsed.kind === "patch" && parsed.patch.notes.includes("no-end");
      assert(parsed.kind === "refused" || isNoted, text.slice(0, at + 1));
    }
  }
  assert.deepEqual(shown, [
    "-  -",
    "a.txt  -",
    "a.txt 0 -",
    "a.txt 1 -",
    "a.txt 2 -",
    "a.txt 3 -",
    "a.txt 3 b.txt",
  ]);
});

test("a patch without its end marker is accepted only when everything before it is complete", () => {
  const body = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n";
  const whole = parsePatch(`${body}*** End Patch\n`);
  assert.equal(whole.kind, "patch");
  assert.deepEqual(parsePatch(body), {
    ...whole,
    patch: { ...(whole.kind === "patch" && whole.patch), notes: ["no-end"] },
  });
  assert.deepEqual(parsePatch(`\`\`\`\n${body}\`\`\`\n`).kind, "patch");
  const torn = [
    "*** Begin Patch\n",
    "*** Begin Patch\n*** Update File: a.txt\n",
    `${body}@@ def f():\n`,
    `${body}*** Update File: b.txt\n`,
    `${body}*** Upd`,
    `\`\`\`\n${body}`.replace("*** Begin", "*** Beg"),
  ];
  for (const text of torn) assert.equal(parsePatch(text).kind, "refused", text);
});

test("a patch beyond a limit is refused with that limit, also when it arrives in pieces", () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, at) => `*** Delete File: ${at}.txt\n`).join("");
  const hunks = (count: number) => `*** Update File: a\n${"@@\n-x\n+y\n".repeat(count)}`;
  const bytes = (count: number) => `*** Add File: a\n+${"é".repeat(count / 2)}\n`;
  const wrapped = (body: string) => `*** Begin Patch\n${body}*** End Patch\n`;
  const refused = (what: string) => ({ kind: "refused", refusal: { kind: "too-much", what } });
  assert.equal(parsePatch(wrapped(files(limits.files))).kind, "patch");
  assert.deepEqual(parsePatch(wrapped(files(limits.files + 1))), refused("files"));
  assert.equal(parsePatch(wrapped(hunks(limits.hunks))).kind, "patch");
  assert.deepEqual(parsePatch(wrapped(hunks(limits.hunks + 1))), refused("hunks"));
  assert.equal(parsePatch(wrapped(bytes(limits.patchBytes - 100))).kind, "patch");
  assert.deepEqual(parsePatch(wrapped(bytes(limits.patchBytes))), refused("patch"));
  assert.deepEqual(inPieces(wrapped(bytes(limits.patchBytes)).match(/.{1,9999}/gs) ?? []), refused("patch"));
});
