// What a search of a model finds is what ripgrep finds, run by hand in a folder that has the proposals in its files.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import fc from "fast-check";
import type { FileState } from "../../../src/changes/proposal.ts";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import type { Workspace } from "../../../src/files/workspace.ts";
import type { FileName } from "../../../src/patch/model.ts";
import { searchText } from "../../../src/tools/internal/search-text.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { ripgrep } from "../../support/ripgrep.ts";
import { withDisk } from "../../support/with-disk.ts";

const never = new AbortController().signal;
const seed = Number(process.env["PATCHBAY_SEED"] ?? 42);
const workspace = createFolderWorkspace();
const byHand = join(workspace.root, "by-hand");

const onDisk: Readonly<Record<string, string>> = {
  "a.ts": "const alpha = 1;\n\nexport const Beta = alpha + 1; // été, ΣΑΣ σας\n\tif (x) { y(a[0]); }\n",
  "b.md": "# Größe, GRÖSSE\r\n\r\n* last alpha -- (a|b)\r\nno end",
  "deep/c.js": "alpha();\nAlphabet(alpha, 'alpha');\n  \n漢字 and 😀 emoji, K ſ İı\n",
  "deep/er/d.py": "def alpha_beta(self):\n    return [1, 22, 333]\n\n\n",
  "long.json": `{"k":"${"x".repeat(3000)}alpha","n":1}\n`,
  "same.txt": "one two\ntwo three\nthree one\n",
  "gone.txt": "alpha is gone here\n",
};
/** What is proposed for them. */
const proposed: Readonly<Record<string, string | undefined>> = {
  "same.txt": "one two alpha\nfour\r\nthree ONE $^\n",
  "deep/c.js": "beta();\nAlphabet(gamma, 'alpha');\n  \n漢字 and 😀 emoji\n",
  "new/e.rs": "fn alpha() -> u32 { 1_000 }\n\n// the end",
  "gone.txt": undefined,
};

let ways: readonly Workspace[] = [];

before(async () => {
  for (const [path, text] of Object.entries(onDisk)) workspace.write(`work/${path}`, text);
  cpSync(join(workspace.root, "work"), byHand, { recursive: true });
  const states = Object.entries(proposed).map(([path, text]): readonly [FileName, FileState] => {
    const file = { folder: "work", path };
    const place = join(byHand, path);
    mkdirSync(dirname(place), { recursive: true });
    if (text === undefined) rmSync(place);
    else writeFileSync(place, text);
    return [file, text === undefined ? undefined : { file, text }];
  });
  const changes = { overlaid: async () => states };
  const [disk, texts] = [withDisk(workspace), workspace];
  ways = [(await overlayOn(disk, changes)).workspace, (await overlayOn(texts, changes)).workspace];
});

interface Query {
  readonly query: string;
  readonly regex: boolean;
  readonly case_sensitive: boolean;
}

/** `path:line`, sorted, or why there are none. */
function bare({ query, regex, case_sensitive }: Query): readonly string[] | "refused" {
  const how = [...(regex ? [] : ["-F"]), case_sensitive ? "-s" : "-i", "--crlf"];
  const shape = ["--no-config", "-n", "--no-heading", "--max-columns=1"];
  const { status, stdout } = spawnSync(ripgrep, [...shape, ...how, "-e", query, "--", "./"], {
    cwd: byHand,
    encoding: "utf8",
  });
  if (status === 2) return "refused";
  const places = stdout.split("\n").flatMap((line) => /^\.\/(.+?:\d+):/.exec(line)?.[1] ?? []);
  return places.sort();
}

async function ours(world: Workspace, query: Query): Promise<readonly string[] | "refused"> {
  const files = guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));
  try {
    const { output } = await searchText.prepare(JSON.stringify(query)).run(callContext(files), never);
    const places = output.split("\n\n").flatMap((block) => {
      const [path, ...lines] = block.split("\n");
      return lines.flatMap((line) => (/^\d+:/.test(line) ? `${path}:${Number.parseInt(line, 10)}` : []));
    });
    return places.sort();
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return "refused";
  }
}

const letters = ["a", "alpha", "Beta", "é", "σ", "ß", "k", "漢", "😀", "1", " ", "_", "x", "one"];
const escapes = ["\\d", "\\w", "\\s", "\\S", "\\b", "\\B", "\\W", "\\p{L}", "\\p{Lu}", "\\x61", "\\.", "\\("];
const classes = ["[a-c]", "[^a]", "[[:alpha:]]", "[\\w-]", "[^\\s\\w]", "[é漢]", "[a-z&&[^l]]", "."];
const anchors = ["^", "$", "\\A", "\\z", "(?i)", "(?-i:a)", "(?:)", "(?P<n>a)", "(?m)$", "\\<", "\\b{start}"];
const odd = ["(?=a)", "\\1", "(", "[", "*", "\\n", "{", "a{,2}", "\\Q", "(?<!a)"];
const repeats = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "*?", "+?"];

/** Mostly what both understand, sometimes what no ripgrep does. */
const pattern = fc.letrec<{ whole: string; piece: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...letters) },
    { weight: 4, arbitrary: fc.constantFrom(...escapes) },
    { weight: 3, arbitrary: fc.constantFrom(...classes) },
    { weight: 2, arbitrary: fc.constantFrom(...anchors) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
    { weight: 2, arbitrary: tie("whole").map((inner) => `(${inner})`) },
  ),
  piece: fc.tuple(tie("atom"), fc.constantFrom(...repeats)).map(([atom, repeat]) => atom + repeat),
  whole: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    tie("piece"),
    fc.array(tie("piece"), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")),
    fc.tuple(tie("piece"), tie("piece")).map((both) => both.join("|")),
  ),
})).whole;

const literal = fc
  .array(fc.constantFrom(...letters, "(", "|", "$", "^", "\\", "[", "'", "--", "//"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(""));

const query: fc.Arbitrary<Query> = fc.boolean().chain((regex) =>
  fc.record({
    query: regex ? pattern : literal,
    regex: fc.constant(regex),
    case_sensitive: fc.boolean(),
  }),
);

const beginnings = ["\\A", "\\Aa", "\\\\A|\\A\\t"].map((query): [Query] => [
  { query, regex: true, case_sensitive: true },
]);

test(`search_text finds the lines that bare ripgrep finds, with proposals in the files (seed ${seed})`, async () => {
  const numRuns = 260;
  let [some, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const expected = bare(asked);
      if (expected === "refused") refused++;
      else if (expected.length > 0) some++;
      for (const world of ways) {
        const found = await ours(world, asked);
        // A query that is an expression is searched for as one where no line holds it as it stands.
        if (!asked.regex && expected.length === 0 && found.length > 0)
          assert.deepEqual(found, bare({ ...asked, regex: true }));
        else assert.deepEqual(found, expected);
      }
    }),
    { seed, numRuns, examples: beginnings },
  );
  assert.ok(some > numRuns / 3 && refused > 5, `${some} found lines, ${refused} were refused`);
});
