// Every limit that an answer of a reading tool can run into is told in it, with its number. A new one in these files
// makes this test fail until it is in one of the two tables.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import { enterFolders, newReport, walk } from "../../../src/files/walk.ts";
import type { GitHistory, Languages } from "../../../src/files/workspace.ts";
import { gitBlame, gitDiff, gitLog } from "../../../src/tools/internal/git-tools.ts";
import { listFiles, walkNotes } from "../../../src/tools/internal/list-files.ts";
import { problems } from "../../../src/tools/internal/list-problems.ts";
import { findReferences, hover, outline } from "../../../src/tools/internal/navigate-code.ts";
import { readFile } from "../../../src/tools/internal/read-file.ts";
import { searchFiles, searchText } from "../../../src/tools/internal/search-text.ts";
import { createPattern } from "../../../src/tools/ripgrep.ts";
import { capOutput, type Tool } from "../../../src/tools/tool.ts";
import { callContext } from "../../support/call-context.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";
import { ripgrep } from "../../support/ripgrep.ts";
import { withDisk } from "../../support/with-disk.ts";

const never = new AbortController().signal;
type World = Parameters<typeof guardFiles>[0];
const guarded = (world: World) => guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));

async function use(tool: Tool, input: object, world: World): Promise<string> {
  try {
    const context = { ...callContext(guarded(world)), workspace: world };
    return (await tool.prepare(JSON.stringify(input)).run(context, never)).output;
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
  const lines = createPattern("alpha", { regex: false, caseSensitive: true });
  const time = { signal: never, enough: enough.signal, due: due.signal };
  const asked = { program: ripgrep, lines, pattern: undefined, context: 0, fits: () => true, time };
  const { output } = await searchFiles(guarded(disk), undefined, asked);
  return output;
}

async function listLate(): Promise<string> {
  const report = newReport();
  const time = { signal: never, due: AbortSignal.abort() };
  for (const entered of await enterFolders(guarded(folder(["in/a.ts", ""])), undefined, never))
    for await (const _ of walk(entered, report, time));
  return english(walkNotes(report));
}

function manyProblems(message?: string): FolderWorkspace {
  const workspace = folder(["a.ts", "x"]);
  for (let line = 1; line <= 201; line++)
    workspace.markers.push({
      ...{ file: { folder: "work", path: "a.ts" }, line, column: 1 },
      ...{ severity: "error" as const, message: message ?? `m${line}` },
    });
  return workspace;
}

function knownCode(instead: Partial<Languages>): FolderWorkspace {
  const workspace = folder(["a.ts", "name\n".repeat(500)]);
  const places = async () => ({ places: [], outside: 1 });
  workspace.languages = {
    ...{ outline: async () => [], symbols: async () => [], places, hover: async () => [] },
    rename: async () => ({ edits: [], others: 0 }),
    ...instead,
  };
  return workspace;
}

function withHistory(history: Partial<GitHistory>): FolderWorkspace {
  const workspace = folder(["a.ts", "x"]);
  const nothing = async () => undefined;
  const rootOf = async () => pathToFileURL(workspace.root).href;
  workspace.git = { log: nothing, diff: nothing, rootOf, blame: nothing, ...history };
  return workspace;
}

const commit = { hash: "1234", author: "Ada", date: undefined };

const everyThird = (count: number) => Array.from({ length: count }, (_, at) => 3 * at + 1).join(",");

const inLines = (count: number) => Array.from({ length: count }, (_, at) => ({ line: at + 1 }));

/** By file and name; what the model reads where it is hit. */
const told: Readonly<Record<string, readonly [answer: () => Promise<string>, says: RegExp]>> = {
  "search-result.ts maxMatches": [
    () => use(searchText, { query: "hit" }, folder(...many(20, "hit\n".repeat(40)))),
    /f13\n(?:\d:hit\n){5}\[35 more matches\]\n/,
  ],
  "search-result.ts maxBytes": [
    () => use(searchText, { query: "hit" }, folder(...many(40, `hit ${"x".repeat(190)}\n`.repeat(20)))),
    /\[19 more matches\]\n\n\[No room for the lines of \d+ files?\. How many match in each:\]\nf\d+: 20/,
  ],
  "search-result.ts longestOfMany": [
    () =>
      use(
        searchText,
        { query: "hit" },
        folder(["a", `${"x".repeat(400)}hit${"y".repeat(400)}\n`.repeat(21)]),
      ),
    /^a\n1:\[…\]x{100}hity{97}\[…\]\n2:.*\[Long lines are cut, as they say\.\]$/s,
  ],
  "search-result.ts maxCounted": [
    () => use(searchText, { query: "hit" }, folder(...many(250, "hit\n"))),
    /\[There are more; name a folder or a pattern\.\]/,
  ],
  "search-text.ts maxContext": [
    () => use(searchText, { query: "hit", context: 11 }, folder(["a", "hit\n"])),
    /^a\n1:hit\n\n\[context: at most 10 lines are shown around a match\.\]$/,
  ],
  "search-result.ts maxMatchesPerFile": [
    () => use(searchText, { query: "hit" }, folder(["a", "hit\n".repeat(60)])),
    /\n50:hit\n\[10 more matches\]\n\n\[To see more: name a more exact query, or read on from line 51\.\]$/,
  ],
  "search-result.ts maxNumbers": [
    () => use(searchText, { query: "hit", context: 1 }, folder(...many(3, "hit\n\n\n\n".repeat(45)))),
    /\n\[15 more matches: lines (?:\d+, ){12}…\]\n/,
  ],
  "search-text.ts maxMilliseconds": [
    () => searchLate(true),
    /not everything was looked at within 15 seconds: 2 files that may hold matches/i,
  ],
  "search-text.ts maxSifting": [() => searchLate(false), /was ended after 8 seconds/],
  "list-files.ts maxPaths": [
    () => use(listFiles, {}, folder(...many(1005, ""))),
    /Only the first 1000 files are shown/,
  ],
  "list-files.ts maxMilliseconds": [listLate, /timed out/],
  "guarded-files.ts maxTextBytes": [
    () => use(searchText, { query: "hit" }, folder(["large.txt", "hit\n".repeat(1_250_001)])),
    /Larger than 5 MB and not searched: 1 file \(large\.txt\)/,
  ],
  "ripgrep.ts longestQuery": [
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
  "read-file.ts maxRanges": [
    () => use(readFile, { path: "a", ranges: everyThird(22) }, folder(["a", "x\n".repeat(70)])),
    /\n58\tx\n\[No room for more: call again with ranges 61, 64\]$/,
  ],
  "tool.ts maxOutputBytes": [
    async () => capOutput("x".repeat(64 * 1024 + 10)),
    /\d+ bytes are left out here/,
  ],
  "tool.ts maxTogether": [async () => capOutput("x".repeat(1000), 100), /9\d\d bytes are left out here/],
  "git-tools.ts maxCommits": [
    () =>
      use(
        gitLog,
        { count: 51 },
        withHistory({ log: async (_, most) => Array(most).fill({ ...commit, message: "title" }) }),
      ),
    /^(?:1234 Ada: title\n){50}\[count: at most 50 are listed\.\]$/,
  ],
  "git-tools.ts maxMessageLines": [
    () => use(gitLog, {}, withHistory({ log: async () => [{ ...commit, message: "title\nx".repeat(30) }] })),
    /\[10 more lines\]/,
  ],
  "git-tools.ts maxDiffLetters": [
    () =>
      use(
        gitDiff,
        {},
        withHistory({ diff: async () => `diff --git a/b b/b\n@@ -0,0 +1 @@\n+${"x".repeat(50_000)}\n` }),
      ),
    /\n\[100\d\d more characters are not shown; name a file or a folder\.\]$/,
  ],
  "git-tools.ts maxBlamedLines": [
    () => use(gitBlame, { path: "a.ts" }, withHistory({ blame: async () => "x\n".repeat(500) })),
    /\n\[Call again with start_line 401 for more\.\]$/,
  ],
  "navigate-code.ts maxSymbols": [
    () => {
      const symbol = { name: "name", kind: "function", depth: 0 };
      const known = { outline: async () => inLines(405).map((each) => ({ ...symbol, ...each })) };
      return use(outline, { path: "a.ts" }, knownCode(known));
    },
    /\n\[5 more are not shown\.\]$/,
  ],
  "navigate-code.ts maxPlacesPerFile": [
    () => {
      const at = { file: { folder: "work", path: "a.ts" }, column: 1 };
      const found = { places: inLines(60).map((each) => ({ ...at, ...each })), outside: 0 };
      const known = { places: async () => found };
      return use(findReferences, { path: "a.ts", name: "name" }, knownCode(known));
    },
    /\[To see more: /,
  ],
  "navigate-code.ts maxHoverLetters": [
    () => use(hover, { path: "a.ts", name: "name" }, knownCode({ hover: async () => ["x".repeat(4100)] })),
    /\n\[100 more characters\]$/,
  ],
  "list-problems.ts maxProblems": [() => use(problems, {}, manyProblems()), /\n\[1 more is not shown\.\]/],
  "list-problems.ts maxPlaces": [
    () => use(problems, {}, manyProblems("same")),
    /^a\.ts:1:1, (?:\d+:1, ){18}20:1 and 181 more error: same$/,
  ],
};

/**
 * None that an answer runs into: what is held in memory, how much is read at one go, which words of matches are told apart, what an ignore file may hold,
 * which names are alike, how long checks and a renaming may take, each of which has a time of its own, or what is told of a
 * renaming (rename-symbol.test.ts) or a command (unit/commands).
 */
const within = [
  "large-file.ts maxTogether",
  "list-problems.ts maxLetters",
  "near-names.ts maxDistance",
  "near-names.ts maxMilliseconds",
  "near-names.ts maxNames",
  "search-in-memory.ts maxDeclarations",
  "search-in-memory.ts maxLooked",
  "search-in-memory.ts maxWords",
  "search-result.ts maxLines",
  "ripgrep.ts maxAround",
  "rename-symbol.ts maxLeft",
  "rename-symbol.ts maxSeconds",
  "run-checks.ts maxSeconds",
  "run-command.ts maxBytes",
  "run-command.ts maxNames",
  "run-command.ts maxSeconds",
  "git-ignore.ts maxBytes",
  "git-ignore.ts maxFolders",
];

const files = [
  ...readdirSync("src/tools/internal", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `tools/internal/${name.replaceAll("\\", "/")}`),
  "tools/ripgrep.ts",
  ...[
    "tools/tool.ts",
    "files/guarded-files.ts",
    "files/internal/large-file.ts",
    "files/git-ignore.ts",
    "files/walk.ts",
  ],
];

test("the tables name every limit of the reading tools", () => {
  const found = files.flatMap((file) =>
    [
      ...readFileSync(`src/${file}`, "utf8").matchAll(
        /^(?:export )?const ((?:most|max|longest)\w*) = [\d(]/gm,
      ),
    ].map(([, name]) => `${basename(file)} ${name}`),
  );
  assert.deepEqual(found.sort(), [...Object.keys(told), ...within].sort());
});

for (const [limit, [answer, says]] of Object.entries(told))
  test(`the output of a reading tool names the limit it reaches: ${limit}`, async () =>
    assert.match(await answer(), says));
