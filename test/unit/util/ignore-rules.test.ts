import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BrokenPattern, readIgnoreRules } from "../../../src/util/ignore-patterns.ts";

const cases: readonly { rules: string; ignored?: string; kept?: string }[] = [
  { rules: "*.pem", ignored: "a.pem keys/b.pem .pem", kept: "pem a.pem.txt" },
  { rules: "/top", ignored: "top top/x", kept: "a/top" },
  { rules: "a/b", ignored: "a/b a/b/c", kept: "x/a/b ab" },
  { rules: "build/", ignored: "build/x a/build/y/z build/", kept: "build a/build" },
  { rules: "**/cache", ignored: "cache a/cache a/b/cache/d", kept: "caches" },
  { rules: "a/**", ignored: "a/x a/x/y", kept: "a b/a" },
  { rules: "a/**/z", ignored: "a/z a/b/z a/b/c/z", kept: "a/zz z" },
  { rules: "*.log|!keep.log", ignored: "a.log", kept: "keep.log d/keep.log" },
  { rules: "dir/|!dir/keep", ignored: "dir/keep dir/x" },
  { rules: "dir/*|!dir/keep", ignored: "dir/x", kept: "dir/keep" },
  { rules: "[ab]?c", ignored: "axc bbc", kept: "cxc ac" },
  { rules: "[!a-c]x", ignored: "dx", kept: "ax cx" },
  { rules: "# comment||\\#file|\\!bang", ignored: "#file !bang", kept: "comment" },
  { rules: "a*b*c", ignored: "abc aXbYc", kept: "acb" },
  { rules: "trailing  ", ignored: "trailing" },
];

for (const { rules, ignored = "", kept = "" } of cases) {
  test(`readIgnoreRules agrees with Git on the rules ${JSON.stringify(rules)}`, () => {
    const lines = rules.split("|");
    const ours = readIgnoreRules(lines);
    const split = (text: string) => text.split(" ").filter((path) => path !== "");
    const ask = (path: string) => ours.ignores(path.replace(/\/$/, ""), path.endsWith("/"));
    for (const path of split(ignored)) assert.ok(ask(path), path);
    for (const path of split(kept)) assert.ok(!ask(path), path);
    const paths = [...split(ignored), ...split(kept)];
    assert.deepEqual(paths.filter(ask), gitIgnored(lines, paths), "git");
  });
}

/** What git itself thinks of the paths. */
function gitIgnored(lines: readonly string[], paths: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-ignore-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  spawnSync("git", ["init", "-q"], { cwd: folder });
  writeFileSync(join(folder, ".gitignore"), `${lines.join("\n")}\n`);
  const { stdout } = spawnSync("git", ["check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"], {
    cwd: folder,
    input: paths.join("\0"),
    encoding: "utf8",
  });
  const fields = stdout.split("\0");
  const ignored: string[] = [];
  // Four fields a path: source, line, pattern, path. A pattern that begins with "!" keeps.
  for (let index = 0; index + 3 < fields.length; index += 4) {
    const pattern = fields[index + 2] ?? "";
    if (pattern !== "" && !pattern.startsWith("!")) ignored.push(fields[index + 3] ?? "");
  }
  return ignored;
}

test("readIgnoreRules expands braces into alternatives", () => {
  const rules = readIgnoreRules(["*.{pem,key}", "{a,b}/{c,d}"]);
  for (const path of ["x.pem", "x.key", "a/c", "b/d"]) assert.ok(rules.ignores(path, false), path);
  assert.ok(!rules.ignores("x.pub", false));
});

test("readIgnoreRules applies the fold option to rules and paths", () => {
  const rules = readIgnoreRules([".ENV*"], { fold: (text) => text.toLowerCase() });
  assert.ok(rules.ignores("a/.Env.local", false));
});

test("readIgnoreRules throws on a broken pattern, or skips it when tolerant", () => {
  for (const line of ["[a", "a\\", "/", "{1,2}".repeat(9)]) {
    assert.throws(() => readIgnoreRules([line]), BrokenPattern, line);
    assert.ok(!readIgnoreRules([line], { tolerant: true }).ignores("a", false));
  }
});

test("readIgnoreRules matches patterns made to be slow in little time", () => {
  const rules = readIgnoreRules([`${"*a".repeat(40)}b`, `${"**/a/".repeat(40)}b`]);
  assert.ok(!rules.ignores("a".repeat(4000), false));
  assert.ok(!rules.ignores("a/".repeat(200).slice(0, -1), false));
});

test("readIgnoreRules throws on too many rules, or stops early when tolerant", async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `name-${index}`);
  const broad = Array.from({ length: 100 }, () => `${"x".repeat(3000)}{${"a,".repeat(50)}b}`);
  const endless = ["first", "x".repeat(5000)];
  for (const lines of [many, broad, endless]) {
    await new Promise(setImmediate);
    assert.throws(() => readIgnoreRules(lines), BrokenPattern);
    await new Promise(setImmediate);
    const first = (lines[0] ?? "").replace(/\{.*/, "a");
    assert.ok(readIgnoreRules(lines, { tolerant: true }).ignores(first, false));
  }
  assert.ok(!readIgnoreRules(many, { tolerant: true }).ignores("name-99999", false));
});

test("readIgnoreRules accepts 200,000 characters of rules and no more", () => {
  const most = Array.from({ length: 50 }, () => "x".repeat(4000));
  assert.ok(readIgnoreRules(most).ignores("x".repeat(4000), false));
  assert.throws(() => readIgnoreRules([...most, "y"]), BrokenPattern);
});
