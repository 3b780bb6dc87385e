// `search_text` in files that are too large to load as one text.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { searchText } from "../../../src/tools/internal/search-text.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { withDisk } from "../../support/with-disk.ts";

const never = new AbortController().signal;

async function search(text: string | Uint8Array, input: object, opened = false): Promise<string> {
  const workspace = createFolderWorkspace();
  workspace.write("work/large.log", text);
  const world = withDisk(workspace, opened ? [{ folder: "work", path: "large.log" }] : []);
  const files = guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));
  return (await searchText.prepare(JSON.stringify(input)).run(callContext(files), never)).output;
}

const filled = Array.from({ length: 150_000 }, (_, at) => `line ${at + 1} `.padEnd(40, "x"));
const withLines = (lines: Readonly<Record<number, string>>) =>
  filled.map((line, at) => lines[at + 1] ?? line);

describe("search_text in a large file", () => {
  it("shows the lines around a match with their numbers, whatever ends the lines", async () => {
    const lines = withLines({
      1: "the Needle",
      100000: "Needle",
      100002: "another needle",
      150000: "needle",
    });
    const near = (number: number) => `${number}-${filled[number - 1]}`;
    const expected = [
      ...["large.log", "1:the Needle", near(2), "--"],
      ...[near(99_999), "100000:Needle", near(100_001), "100002:another needle", near(100_003), "--"],
      ...[near(149_999), "150000:needle"],
    ].join("\n");
    for (const text of [
      lines.join("\n"),
      lines.join("\r\n"),
      Buffer.from(`\ufeff${lines.join("\n")}`, "utf16le"),
    ])
      assert.equal(await search(text, { query: "needle", context: 1 }), expected);
  });

  it("shows nothing of a private key, however long it is, and everything around it", async () => {
    const key = ["-----BEGIN RSA PRIVATE KEY-----", ...Array(4000).fill("needle".repeat(10))];
    const lines = [...filled, "a needle", ...key, "-----END RSA PRIVATE KEY-----", "one more needle"];
    assert.equal(
      await search(lines.join("\n"), { query: "needle", context: 1, path: "large.log" }),
      `large.log\n150000-${filled.at(-1)}\n150001:a needle\n--\n154004:one more needle`,
    );
  });

  it("removes secrets, also where one was what matched", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const text = withLines({ 5: `const needle = "${token}";`, 9: `key = ${token}` }).join("\n");
    assert.equal(await search(text, { query: "needle" }), 'large.log\n5:const needle = "[secret removed]";');
    assert.equal(await search(text, { query: "ghp_a1B2", path: "large.log" }), "No matches.");
  });

  it("says that there are more matches than it looks for", async () => {
    const output = await search(filled.join("\n"), { query: "line \\d", regex: true });
    assert.match(output, /^large\.log\n1:line 1 x+\n(?:\d+:.*\n){49}\n/);
    assert.match(output, /\[large\.log is large: only its first 50 matching lines were looked for\.\]$/);
  });

  it("shows the part of an endless line around the match", async () => {
    const text = `${"x".repeat(5_000_000)}é needle${"y".repeat(1_000_000)}\nneedle\n`;
    const output = await search(text, { query: "NEEDLE" });
    assert.match(
      output,
      /^large\.log\n1:\[\d+ characters\] x{98}é needley{494} \[\d+ more characters\]\n2:needle\n/,
    );
  });

  it("is not made in what is open, whose unsaved text is not on the disk", async () => {
    const output = await search(filled.join("\n"), { query: "line 7 " }, true);
    assert.match(output, /^No matches\.\n\n\[Larger than 5 MB and not searched: 1 file \(large\.log\)\.\]/);
  });
});
