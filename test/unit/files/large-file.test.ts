// `read_file` of files that are too large for one text: the lines that are asked for, past the same guards, and what is
// missing told with how to go on.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { DraftAttachment } from "../../../src/conversation/state.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { readPart } from "../../../src/files/internal/large-file.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import type { Workspace } from "../../../src/files/workspace.ts";
import { DraftAttachments } from "../../../src/session/internal/draft-attachments.ts";
import { linesOf, readFile } from "../../../src/tools/internal/read-file.ts";
import { readAttachment } from "../../../src/tools/read-attachment.ts";
import { callContext } from "../../support/call-context.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { withDisk } from "../../support/with-disk.ts";

const never = new AbortController().signal;
const workspace = createFolderWorkspace();
const world = withDisk(workspace);

async function read(input: object, from: Workspace = world, offered = ["search_text"]): Promise<string> {
  const files = guardFiles(from, () => ({ ignore: [], alsoIgnore: [] }));
  const context = { ...callContext(files), offers: (tool: string) => offered.includes(tool) };
  return (await readFile.prepare(JSON.stringify(input)).run(context, never)).output;
}

const refuses = (work: Promise<unknown>, sentence: RegExp) =>
  assert.rejects(work, (error) => error instanceof Refusal && sentence.test(error.message));

const lines = Array.from(
  { length: 110_000 },
  (_, at) => `line ${at + 1} of a log that nobody reads as a whole`,
);
workspace.write("work/server.log", `${lines.join("\n")}\n`);

test("read_file reads some lines of a large file without the rest, and says where to continue", async () => {
  workspace.handedOut.length = 0;
  const some = await read({ path: "server.log", start_line: 90_010, end_line: 90_012 });
  const expected = lines.slice(90_009, 90_012).map((line, at) => `${90_010 + at}\t${line}`);
  assert.equal(some, `server.log, lines 90010–90012 of a file of 5.4 MB\n${expected.join("\n")}`);
  assert.deepEqual(workspace.handedOut, [], "nobody is asked for its whole text");
  const begun = await read({ path: "server.log" });
  const next = Number(/; call again with start_line (\d+) for more\n/.exec(begun)?.[1]);
  assert.ok(begun.endsWith(`\n${next - 1}\t${lines[next - 2]}`));
  assert.ok(Buffer.byteLength(begun) < 64 * 1024);
  assert.match(await read({ path: "server.log", start_line: next }), new RegExp(`\\n${next}\t`));
});

test("an attached large file sends its beginning, and its chip says how much before sending", async () => {
  const files = guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));
  const looked: DraftAttachment[] = [];
  let tell = () => {};
  const told = new Promise<void>((resolve) => (tell = resolve));
  const draft = new DraftAttachments({
    look: (wish, signal) =>
      readAttachment(wish, { files, maxBytes: 200_000, turnsOf: async () => undefined }, signal),
    log: { info() {}, error() {} } as never,
    newId: () => "one",
    countTokens: () => undefined,
    changed() {
      const [chip] = draft.list;
      if (chip?.notes === undefined) return;
      looked.push(chip);
      tell();
    },
  });
  draft.add({ kind: "file", path: "server.log" });
  await told;
  assert.equal(
    english(looked[0]?.notes),
    "It is long: only the first 200 KB of 5.4 MB are sent, up to line 4189.",
  );
  const [part] = draft.parts;
  const sent = part?.content.kind === "text" ? part.content.text : "";
  assert.match(sent, /^<file path="server\.log" lines="1-4189">\n1\tline 1 of/);
  assert.ok(sent.includes(lines[4188] ?? "-") && !sent.includes(lines[4189] ?? ""));
});

test("the size of an attached file is not told as 1000 KB", async () => {
  workspace.write("work/near.txt", `${"x".repeat(99)}\n`.repeat(9997));
  const files = guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));
  const sources = { files, maxBytes: 200_000, turnsOf: async () => undefined };
  const wish = { kind: "file", path: "near.txt" } as const;
  const { view } = await readAttachment(wish, sources, new AbortController().signal);
  assert.match(english(view.notes), /only the first 200 KB of 1\.0 MB are sent/);
});

test("read_file marks the end of a large file, and reports a line behind it", async () => {
  const end = await read({ path: "server.log", start_line: 109_999 });
  assert.match(end, /^server\.log, lines 109999–110000 of a file of 5\.4 MB\n109999\tline/);
  assert.equal(await read({ path: "server.log", start_line: 200_000 }), "server.log has only 110000 lines.");
});

test("read_file shows the beginning of a very long line, how much is missing, and how to search it", async () => {
  workspace.write("work/data.json", `{\n"all": "${"x".repeat(6_000_000)}"\n}`);
  const output = await read({ path: "data.json" });
  assert.match(
    output,
    /^data\.json, lines 1–3 of a file of 6\.0 MB\n1\t\{\n2\t"all": "x{1992} \[5998009 more characters\]\n3\t\}\n\[/,
  );
  assert.match(output, /search_text shows what stands around a match/);
  assert.match(await read({ path: "data.json" }, world, []), /only the beginning is shown\.\]$/);
});

test("read_file hides lines of a private key that begins far above them", async () => {
  const body = Array.from(
    { length: 500 },
    (_, at) => `canary${String(at).padStart(4, "0")}${"A".repeat(54)}`,
  );
  const key = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "-----END RSA PRIVATE KEY-----"];
  workspace.write("work/dump.txt", [...lines, ...key, ...lines.slice(0, 1000)].join("\n"));
  const output = await read({ path: "dump.txt", start_line: 110_200, end_line: 110_300 });
  assert.match(output, /^110200\t\[secret removed\]$/m);
  assert.doesNotMatch(output, /canary/);
  assert.match(output, /\[1 secret was taken out of this text\.\]$/);
  const behind = await read({ path: "dump.txt", start_line: 110_501, end_line: 110_504 });
  assert.match(behind, /^110501\t\[secret removed\]\n110502\t\[secret removed\]\n110503\tline 1 of/m);
});

test("read_file refuses secret files in pieces too, and names the limit for files it cannot split", async () => {
  workspace.write("work/.env", "canary=1\n".repeat(700_000));
  await refuses(read({ path: ".env" }), /never sent/);
  await refuses(read({ path: "server.log" }, workspace), /larger than 5 MB/);
  workspace.write("work/wide.txt", Buffer.from("wide\n".repeat(600_000), "utf16le"));
  await refuses(read({ path: "wide.txt" }), /larger than 5 MB/);
  const typed = withDisk(workspace, [{ folder: "work", path: "server.log" }]);
  assert.match(
    await read({ path: "server.log", end_line: 1 }, typed),
    /what is typed and not saved is not in it/,
  );
});

test("readPart counts lines as in the whole text, for any line end and piece boundary", async () => {
  const ends = ["\n", "\r\n", "\r", "\n\n", "\r\r\n"];
  const text = Array.from({ length: 60_000 }, (_, at) => `${at} é${ends[(at * 7 + (at >> 4)) % 5]}`).join("");
  const all = linesOf(text);
  const limits = { maxBytes: 1_000_000, maxBytesPerLine: 1000 };
  for (const shift of [0, 1, 2, 3]) {
    workspace.write("work/mixed.txt", "x".repeat(shift) + text);
    const wanted = { first: 2, last: Number.POSITIVE_INFINITY, ...limits };
    const part = await readPart(join(workspace.root, "work/mixed.txt"), wanted, never);
    assert.deepEqual(
      part?.lines.map((line) => line.text),
      all.slice(1),
    );
    assert.equal(part?.isEnd, true);
  }
});

test("readPart closes the file", async () => {
  const opened = () => readdirSync("/dev/fd").length;
  const wanted = { first: 1, last: 1, maxBytes: 1000, maxBytesPerLine: 1000 };
  const read = () => readPart(join(workspace.root, "work/server.log"), wanted, never);
  await read();
  const before = opened();
  await read();
  assert.equal(opened(), before);
});
