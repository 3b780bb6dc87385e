import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { listFiles } from "../../../src/tools/internal/list-files.ts";
import { declares } from "../../../src/tools/internal/search/declarations.ts";
import { searchText } from "../../../src/tools/internal/search-text.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

/** Runs a tool on a workspace with these files. */
function on(files: Readonly<Record<string, string>>) {
  const workspace = createFolderWorkspace();
  for (const [path, text] of Object.entries(files)) workspace.write(`work/${path}`, text);
  const context = callContext(guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] })));
  return async (tool: Tool, input: object): Promise<string> =>
    (await tool.prepare(JSON.stringify(input)).run(context, new AbortController().signal)).output;
}

describe("declares", () => {
  const isIn = (line: string, what: string) => declares(line, line.indexOf(what));

  it("knows functions, methods, types and constants of many languages by their name", () => {
    const lines = [
      ...[
        "export async function area(of) {",
        "  async #area(",
        "  area(of: Shape): number {",
        "  get area() {",
      ],
      ...["const area = 1;", "export default class area extends Base {", "  static area(of) {"],
      ...[
        "def area(of):",
        "    async def area(",
        "func (s *Shape) area() float64 {",
        "var area map[string]int",
      ],
      ...["pub(crate) fn area(&self) -> f64 {", "static const char *area(int of) {", "#define area(of) (of)"],
      ...["  public List<String> area(int of) {", "  private static final int area(int of) throws X {"],
    ];
    for (const line of lines) assert.ok(isIn(line, "area"), line);
  });

  it("takes no use for a declaration", () => {
    const lines = [
      ...[
        "const sum = area(of);",
        "  this.area();",
        "  return area(of) {",
        "  if (area(of)) {",
        "  area(of);",
      ],
      ...[
        "  items.forEach(() => area(of) {",
        "  area(",
        "  await area(",
        "// function area",
        "  x = area(of) {",
      ],
      ...["import { area } from 'x';", "  for (const each of area(of)) {", "  use(area, function () {"],
    ];
    for (const line of lines) assert.ok(!isIn(line, "area"), line);
  });
});

describe("search_text", () => {
  it("shows what declares each alternative in a file with many uses", async () => {
    const uses = "  this.save();\n  this.load();\n".repeat(80);
    const file = `class Store {\n  all() {\n${uses}  }\n  save() {\n  }\n  async #load(\n  ) {}\n}\n`;
    const output = await on({ "lib/store.js": file })(searchText, {
      query: "save|load",
      regex: true,
      context: 1,
      path: "lib/store.js",
    });
    assert.match(output, /\n164: {2}save\(\) \{\n/);
    assert.match(output, /\n166: {2}async #load\(\n/);
    assert.match(output, /\n\[\d+ more matches: lines \d+, /);
  });

  it("shows what declares a name below many uses in one file, also a private method", async () => {
    const file = `${"this.area(of);\n".repeat(80)}class Shape {\n  #area(of) {\n  }\n}\n`;
    const output = await on({ "lib/shape.js": file })(searchText, { query: "area" });
    assert.match(output, /\n82: {2}#area\(of\) \{\n/);
  });

  it("tells the lines of what it has no room for in a few files without context, too", async () => {
    const output = await on({
      "a.ts": `use(area); ${"some more words ".repeat(8)}\n`.repeat(48),
    })(searchText, { query: "area" });
    assert.match(output, /\n\[\d+ more matches: lines \d+, [\d, ]+…\]/);
  });

  it("says that no file fits the pattern, and takes a pattern from the folder on", async () => {
    const run = on({ "source/core/a.ts": "area\n", "source/b.ts": "area\n" });
    assert.equal(
      await run(searchText, { query: "area", pattern: "*.rs" }),
      "No matches.\n\n[No file fits the pattern.]",
    );
    assert.equal(await run(searchText, { query: "other", pattern: "*.ts" }), "No matches.");
    for (const path of ["source", "./source/", "source\\"])
      assert.equal(
        await run(searchText, { query: "area", path, pattern: "{core,utils}/*.ts" }),
        "source/core/a.ts\n1:area",
      );
    assert.equal(await run(listFiles, { path: "source", pattern: "core/*" }), "source/core/a.ts");
    assert.equal(await run(listFiles, { path: "source", pattern: "source/*.ts" }), "source/b.ts");
  });

  it("shows one match of a lock file beside others", async () => {
    const files = { "uv.lock": "area = 1\n".repeat(40), "src/a.py": "area = 1\n".repeat(5) };
    const output = await on(files)(searchText, { query: "area" });
    assert.equal(output.match(/^\d+:area/gm)?.length, 6);
    const alone = await on({ "uv.lock": files["uv.lock"] })(searchText, { query: "area" });
    assert.equal(alone.match(/^\d+:area/gm)?.length, 40);
  });
});
