// Every limit that an answer of a reading tool can run into is told in it, with its number. A new one in these files
// makes this test fail until it is in one of the two tables.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { guardFiles } from "../../../../src/core/files/guarded-files.ts";
import { Refusal } from "../../../../src/core/files/refusal.ts";
import { enterAll, newReport, walk } from "../../../../src/core/files/walk.ts";
import { capOutput } from "../../../../src/core/tools/cap-output.ts";
import { createLineMatcher } from "../../../../src/core/tools/line-matcher.ts";
import { listFiles, walkNotes } from "../../../../src/core/tools/list-files.ts";
import { problems } from "../../../../src/core/tools/list-problems.ts";
import { readFile } from "../../../../src/core/tools/read-file.ts";
import { searchFiles, searchText } from "../../../../src/core/tools/search-text.ts";
import type { Tool } from "../../../../src/core/tools/tool.ts";
import { callContext } from "../../../support/call-context.ts";
import { english } from "../../../support/english.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../../support/folder-workspace.ts";
import { withDisk } from "../../../support/with-disk.ts";

const never = new AbortController().signal;
type World = Parameters<typeof guardFiles>[0];
const guarded = (world: World) => guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));

async function use(tool: Tool, input: object, world: World): Promise<string> {
  try {
    return (await tool.prepare(JSON.stringify(input)).run(callContext(guarded(world)), never)).output;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error.message;
  }
}

function folder(...files: readonly (readonly [path: string, text: string])[]): FolderWorkspace {
  const workspace = createFolderWorkspace();
  for (const [path, text] of files) workspace.write(`work/${path}`, text);
  return workspace;
}

const many = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => [`f${at}`, text] as const);

/** A search whose program has found these files when its time, or all time, is over. */
async function searchLate(isAllOver: boolean): Promise<string> {
  const [enough, due] = [new AbortController(), new AbortController()];
  const disk = withDisk(folder(["a.ts", "alpha"], ["b.ts", "alpha"]), [], (_place, { signal }, take) => {
    take(["a.ts", "b.ts"]);
    enough.abort();
    if (isAllOver) due.abort();
    return Promise.reject(signal.reason);
  });
  const matcher = createLineMatcher("alpha", { regex: false, caseSensitive: true });
  const time = { signal: never, enough: enough.signal, due: due.signal };
  const asked = { matcher, pattern: undefined, fits: () => true, time };
  const { output } = await searchFiles(guarded(disk), undefined, asked);
  matcher.dispose();
  return output;
}

async function listLate(): Promise<string> {
  const report = newReport();
  const time = { signal: never, due: AbortSignal.abort() };
  for (const entered of await enterAll(guarded(folder(["in/a.ts", ""])), undefined, never))
    for await (const _ of walk(entered, report, time));
  return english(walkNotes(report));
}

const slow = `${"a".repeat(80)}b`;
const hard = { query: "^(a+)+$", regex: true };

function manyProblems(): FolderWorkspace {
  const workspace = folder(["a.ts", "x"]);
  for (let line = 1; line <= 201; line++)
    workspace.markers.push({
      ...{ file: { folder: "work", path: "a.ts" }, line, column: 1 },
      ...{ severity: "error" as const, message: `m${line}` },
    });
  return workspace;
}

/** By file and name; what the model reads where it is hit. */
const told: Readonly<Record<string, readonly [answer: () => Promise<string>, says: RegExp]>> = {
  "search-text.ts maxMatches": [
    () => use(searchText, { query: "hit" }, folder(...many(20, "hit\n".repeat(40)))),
    /Only the first 200 matches are shown/,
  ],
  "search-text.ts maxMatchesPerFile": [
    () => use(searchText, { query: "hit" }, folder(["a", "hit\n".repeat(60)])),
    /Only the first 50 of a \(60 matching lines\) are shown/,
  ],
  "search-text.ts maxMilliseconds": [
    () => searchLate(true),
    /not everything was looked at within 15 seconds: 2 files that may hold matches/i,
  ],
  "search-text.ts maxSifting": [() => searchLate(false), /was ended after 8 seconds/],
  "search-candidates.ts maxSlow": [
    () => use(searchText, hard, withDisk(folder(["a", slow], ["b", slow], ["c", slow]), [])),
    /takes too long on 2 files.*\n\[The search was ended there\.\]/,
  ],
  "list-files.ts maxPaths": [
    () => use(listFiles, {}, folder(...many(1005, ""))),
    /Only the first 1000 files are shown/,
  ],
  "list-files.ts maxMilliseconds": [listLate, /timed out/],
  "guarded-files.ts maxTextBytes": [
    () => use(searchText, { query: "hit" }, folder(["large.txt", "hit\n".repeat(1_250_001)])),
    /Larger than 5 MB and not searched: 1 file \(large\.txt\)/,
  ],
  "line-matcher.ts longestQuery": [
    () => use(searchText, { query: "a".repeat(2001) }, folder(["a", ""])),
    /2,?000/,
  ],
  "read-file.ts maxBytes": [
    () => use(readFile, { path: "a" }, folder(["a", "one line of text\n".repeat(10_000)])),
    /lines 1–\d+ of 10000; call again with start_line \d+ for more/,
  ],
  "read-file.ts longestLine": [
    () => use(readFile, { path: "a" }, folder(["a", "x".repeat(2100)])),
    /\[100 more characters\]/,
  ],
  "cap-output.ts maxOutputBytes": [
    async () => capOutput("x".repeat(64 * 1024 + 10)),
    /\d+ bytes are left out here/,
  ],
  "cap-output.ts maxTogether": [
    async () => capOutput("x".repeat(1000), 100),
    /9\d\d bytes are left out here/,
  ],
  "list-problems.ts maxProblems": [() => use(problems, {}, manyProblems()), /200/],
};

/** None that an answer runs into: what is held in memory, or how much is read at one go. */
const within = ["large-file.ts maxTogether", "list-problems.ts maxLetters"];

const files = [
  ...["search-text.ts", "search-candidates.ts", "list-files.ts", "line-matcher.ts", "read-file.ts"].map(
    (name) => `tools/${name}`,
  ),
  ...["tools/cap-output.ts", "tools/list-problems.ts"],
  ...["files/guarded-files.ts", "files/large-file.ts", "files/walk.ts"],
];

test("the tables name every limit of the tools that read", () => {
  const found = files.flatMap((file) =>
    [
      ...readFileSync(`src/core/${file}`, "utf8").matchAll(
        /^(?:export )?const ((?:most|max|longest)\w*) = [\d(]/gm,
      ),
    ].map(([, name]) => `${basename(file)} ${name}`),
  );
  assert.deepEqual(found.sort(), [...Object.keys(told), ...within].sort());
});

for (const [limit, [answer, says]] of Object.entries(told))
  test(`a limit is told where it is hit: ${limit}`, async () => assert.match(await answer(), says));
