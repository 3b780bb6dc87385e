// What models put around and into a good patch, drawn at random and in any combination, changes nothing of what it does;
// other text around it changes nothing either. Context without its space and copied line numbers are read by the file.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { applyEdits } from "../../../src/patch/edits.ts";
import { PatchParser, parsePatch } from "../../../src/patch/parse.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { type PatchFixture, patchFixtures } from "./patched.ts";
import { anExample, editedText, hunksFor, patchOf, textOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const runs = (count: number) => ({ numRuns: long ? count * 100 : count });

interface Good extends PatchFixture {
  readonly does: string;
}

const good: Good[] = [];

/** What the patch does, or that it is refused; lines of the patch are counted otherwise when it is decorated. */
async function outcome(
  patch: string,
  files: Good["files"],
): Promise<{ does: string; notes: readonly string[] }> {
  try {
    const { changes, notes } = await planPatch(patch, new MemoryWorkspace(files));
    const does = JSON.stringify(changes, (key, value) => (key === "line" ? 0 : value));
    return { does, notes: notes.map(({ code }) => code) };
  } catch (error) {
    if (error instanceof PatchError) return { does: `refused: ${error.message}`, notes: [] };
    throw error;
  }
}

before(async () => {
  for (const { name, files, ...fixture } of patchFixtures()) {
    const patch = fixture.patch.trimEnd();
    const isStrict = patch.startsWith("*** Begin Patch\n") && patch.endsWith("\n*** End Patch");
    // Markers with white space in front take no more of it.
    const isOther = patch.includes("\r") || /^[ \t]+\*\*\* |^\*\*\* \w+(?: File| to): [ab]\//m.test(patch);
    if (!isStrict || isOther) continue;
    const { does, notes } = await outcome(patch, files);
    if (!does.startsWith("refused") && notes.length === 0) good.push({ name, files, patch, does });
  }
});

const aGood = fc.nat().map((at) => good[at % good.length] as Good);
const paths = (change: (path: string, word: string) => string) => (patch: string) =>
  patch.replace(/^(\*\*\* (Add|Delete|Update|Move)(?: File| to): )(.*)$/gm, (_, head, word, path) => {
    return head + change(path, word);
  });

/** Of each group at most one, in this order. */
const groups: readonly (readonly ((patch: string) => string)[])[] = [
  [
    (patch) =>
      patch.replace(/^\*\*\* Update File: (.*)(\n\*\*\* Move to: .*)?$/gm, (all, path) => {
        const names = `a/${path} b/${path}`;
        return `${all}\ndiff --git ${names}\nindex 1234567..89abcde 100644\n--- a/${path}\n+++ b/${path}`;
      }),
  ],
  [
    paths((path) => `/memory/work/${path}`),
    paths((path) => `zz/../${path}`),
    // Git's prefix is known by what stands there, which other sections may have moved away.
    (patch) => {
      if (patch.match(/^\*\*\* (?:Add|Delete|Update) File/gm)?.length !== 1) return patch;
      const prefixes: Readonly<Record<string, string>> = { Add: "", Move: "b/" };
      return paths((path, word) => `${prefixes[word] ?? "a/"}${path}`)(patch);
    },
  ],
  [paths((path) => `"${path}"`), paths((path) => `\`${path}\``)],
  [
    (patch) => patch.replace(/^\*\*\* (\w+ (?:File|to): .*)$/gm, "**$1**"),
    (patch) => patch.replace(/^(\*\*\* \w+ (?:File|to): .*)$/gm, "$1 ***"),
    (patch) => patch.replace(/^(\*\*\* \w+ (?:File|to): .*)$/gm, "`$1`"),
  ],
  [(patch) => patch.replace(/\n(?=\*\*\* (?:Add|Delete|Update))/, "\n*** Environment ID: local\n")],
  [
    (patch) =>
      patch.replace(/(\n(?!\+\+\+ )[-+ ].*)(?=\n\*\*\* End Patch$)/, "$1\n\\ No newline at end of file"),
  ],
  [
    (patch) =>
      patch.replace(/(?<=\n.*\n)(?=\*\*\* (?:Add|Delete|Update))/g, "*** End Patch\n\n*** Begin Patch\n"),
  ],
  [
    (patch) => patch.replace(/^\*\*\* (Begin|End) Patch$/gm, "**$1 Patch**"),
    (patch) => patch.replace(/^\*\*\* (Begin|End) Patch$/gm, "`*** $1 Patch`"),
    (patch) => patch.replace(/^\*\*\* (Begin|End) Patch$/gm, "*** $1 Patch ***  "),
    (patch) => `"${patch}"`,
    (patch) =>
      patch.match(/^\*\*\* Begin/gm)?.length === 1 ? patch.replace("*** Begin Patch\n", "") : patch,
  ],
  [
    (patch) => `\`\`\`diff\n${patch}\n\`\`\``,
    (patch) => `~~~~\n${patch}\n~~~~`,
    (patch) => `apply_patch <<'PATCH'\n${patch}\nPATCH`,
    (patch) => JSON.stringify({ input: patch }),
    (patch) => patch.replace(/^/gm, "   "),
  ],
];

const decorations = fc.tuple(
  ...groups.map((group) => fc.option(fc.constantFrom(...group), { nil: (patch: string) => patch })),
);
const prose = fc.array(
  fc.constantFrom(
    ...[
      "Here is the patch:",
      "",
      "- a list",
      "+ another",
      "  * and one more",
      "> quoted",
      "## Patch",
      "***",
      "---",
    ],
    ...[
      "| a | b |",
      "I use `*** Begin Patch` for it.",
      "1. first",
      "const a = [1];",
      "[1] see there",
      "“Done.”",
    ],
  ),
  { maxLength: 4 },
);

test("a good patch gives the same plan in any combination of accepted decorations", () =>
  fc.assert(
    fc.asyncProperty(aGood, decorations, prose, prose, async (own, chosen, above, below) => {
      const patch = chosen.reduce((text, decorate) => decorate(text), own.patch);
      const isJson = patch.startsWith("{");
      const whole = [...(isJson ? [] : above), patch, ...(isJson ? [] : below)].join("\n");
      const { does, notes } = await outcome(whole, own.files);
      assert.equal(does, own.does, `${own.name}\n${whole}`);
      if (patch !== own.patch) assert.notDeepEqual(notes, [], `${own.name}\n${whole}`);
    }),
    runs(100),
  ));

test("a patch amid other text gives the same plan or is refused, however it arrives", () => {
  const parts = [
    "```",
    "~~~",
    "```ts",
    "<<'EOF'",
    "EOF",
    "@@",
    "*** ",
    "{",
    '["',
    "*** End Patch",
    "-a",
    "+b",
    " c",
  ];
  const garbage = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "grapheme" })), {
    maxLength: 5,
  });
  return fc.assert(
    fc.asyncProperty(aGood, garbage, garbage, fc.nat(), async (own, above, below, cut) => {
      const whole = [...above, own.patch, ...below].join("\n");
      const { does } = await outcome(whole, own.files);
      if (!does.startsWith("refused")) assert.equal(does, own.does, whole);
      const at = cut % (whole.length + 1);
      const parser = new PatchParser();
      parser.feed(whole.slice(0, at));
      parser.feed(whole.slice(at));
      assert.deepEqual(parser.finish(), parsePatch(whole), whole);
    }),
    runs(100),
  );
});

const word = fc.constantFrom(
  "alpha",
  "beta",
  "gamma",
  "delta",
  "  eps",
  "    zeta",
  "\teta",
  "theta",
  "  iota",
  "\tkap",
);
const example = anExample({
  line: word,
  added: fc.constantFrom("new", "  newer", "\tnewest"),
  distinct: true,
  most: 9,
});

test("bare context and copied line numbers give the same edit as the strict form", () =>
  fc.assert(
    fc.asyncProperty(example, fc.constantFrom("bare", "tab", "colon"), async (own, form) => {
      const rows = own.rows.map(({ text }) => text);
      const hunks = hunksFor(own, 2).map((lines) =>
        lines.map((line) => {
          const [sign, text] = [line.charAt(0), line.slice(1)];
          if (form === "bare") return sign === " " ? text : line;
          const number = `${rows.indexOf(text) + 1}${form === "tab" ? "\t" : ": "}`;
          return sign === "+" ? line : `${sign}${number}${text}`;
        }),
      );
      const files = { "a.txt": textOf(own) };
      const strict = await outcomeOf(patchOf("a.txt", hunksFor(own, 2)), files);
      const read = await outcomeOf(patchOf("a.txt", hunks), files);
      if (read.isRead && own.edits.length === 1)
        assert.equal(read.text, strict.text ?? editedText(own), patchOf("a.txt", hunks));
      const isPlain = own.edits.length === 1 && own.mark === "" && strict.text !== undefined;
      const context = hunks[0]?.filter((line) => !/^[-+]/.test(line)) ?? [];
      const isPlainly = form === "bare" ? context.some((line) => /^\w/.test(line)) : context.length > 1;
      if (isPlain && isPlainly) assert.equal(read.text, strict.text, patchOf("a.txt", hunks));
    }),
    runs(100),
  ));

/** `isRead`: the file had to say what the lines of a hunk are. */
async function outcomeOf(patch: string, files: Good["files"]): Promise<{ text?: string; isRead: boolean }> {
  try {
    const { changes, notes } = await planPatch(patch, new MemoryWorkspace(files));
    const [change] = changes;
    const isRead = notes.some(({ code }) => code === "no-blanks" || code === "line-numbers");
    const text = change?.kind === "update" ? applyEdits(change.base.text, change.edits) : undefined;
    return { isRead, ...(text !== undefined && { text }) };
  } catch (error) {
    if (error instanceof PatchError) return { isRead: false };
    throw error;
  }
}
