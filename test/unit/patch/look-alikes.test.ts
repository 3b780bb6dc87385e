// Lines in print's own characters, and patches that have plain ones: of a line that is changed only what the patch
// changes is changed, or the patch is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { patched } from "./patched.ts";
import { patchOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const runs = (numRuns: number) => ({ numRuns: long ? 100 * numRuns : numRuns });

/** How a patch writes what the file writes otherwise. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  "'": ["’", "‘", "'"],
  '"': ["“", "”", '"'],
  "-": ["–", "—", "−", "‑", "-"],
  "...": ["…", "..."],
  " ": ["\u00A0", "\u2009", " "],
  é: ["e\u0301", "é"],
  Å: ["A\u030A", "Å"],
};

interface Part {
  readonly patch: string;
  readonly file: string;
}

const plain = fc.stringMatching(/^[a-z]{1,5}$/).map((text): Part => ({ patch: text, file: text }));
const odd = fc
  .constantFrom(...Object.keys(spellings))
  .chain((patch) => fc.constantFrom(...(spellings[patch] ?? [])).map((file): Part => ({ patch, file })));
const parts = fc.array(fc.oneof(plain, plain, odd), { minLength: 2, maxLength: 14 });

interface Change {
  readonly before: readonly Part[];
  /** Where the patch puts other words, how many parts it takes out there, and what it puts in. */
  readonly at: number;
  readonly count: number;
  readonly words: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  before: parts,
  at: fc.nat({ max: 13 }),
  count: fc.nat({ max: 3 }),
  words: fc.stringMatching(/^([A-Z]{0,4}|[A-Z]'[A-Z]|"[A-Z]")$/),
});

const join = (list: readonly Part[], side: keyof Part) => list.map((part) => part[side]).join("");

test("a look-alike patch changes no character outside its own difference", async (t) => {
  const counts = { loose: 0, written: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const lines = changes.map(({ before, at, count, words: wanted }, number) => {
        const first = Math.min(at, before.length);
        const [head, tail] = [before.slice(0, first), before.slice(first + count)];
        // A quote that comes where one went is kept, as far as a patch can say.
        const gone = join(before.slice(first, first + count), "patch");
        const words = [...wanted].filter((char) => !/\W/.test(char) || !gone.includes(char)).join("");
        const ended = (text: string) => `${number}${text}${number}`;
        return {
          file: ended(join(before, "file")),
          old: ended(join(before, "patch")),
          fresh: ended(join(head, "patch") + words + join(tail, "patch")),
          meant: ended(join(head, "file") + words + join(tail, "file")),
        };
      });
      if (lines.every(({ file, old }) => file === old) || lines.some(({ old, fresh }) => old === fresh))
        return;
      counts.loose += 1;
      const hunk = [...lines.map(({ old }) => `-${old}`), ...lines.map(({ fresh }) => `+${fresh}`)];
      const text = lines.map(({ file }) => `${file}\n`).join("");
      const result = await patched(text, patchOf("a.txt", [hunk]));
      if (result === undefined) return;
      counts.written += 1;
      assert.equal(result, lines.map(({ meant }) => `${meant}\n`).join(""));
    }),
    runs(500),
  );
  t.diagnostic(`${counts.loose} lines that only look alike, ${counts.written} written`);
  assert.ok(counts.written > 0.5 * counts.loose, `only ${counts.written} of ${counts.loose} were written`);
});
