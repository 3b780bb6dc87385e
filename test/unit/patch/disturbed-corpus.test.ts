// Changes of files in eight languages, written by us as people make them, under everything that models and time do to
// patches: what lands is what was meant, and what must land does. `test/fixtures/disturbed` holds them as diffs of whole files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import {
  type ChangeRow,
  type Disturbed,
  disturb,
  disturbances,
  type FileDiff,
} from "../../support/disturbed-patches.ts";
import { patched } from "./patched.ts";

const folder = "test/fixtures/disturbed";

const diffs = readdirSync(folder).map((name): FileDiff => {
  const lines = readFileSync(`${folder}/${name}`, "utf8").split("\n").slice(0, -1);
  const rows = lines.map((line): ChangeRow => ({ sign: line[0] as ChangeRow["sign"], text: line.slice(1) }));
  return { path: name.replace(/\.txt$/, ""), rows };
});

const outcomeOf = ({ path, before, patch }: Disturbed) => patched(before, patch, path);

/** White space in an otherwise empty line does no harm. */
const bared = (text: string): string => text.replace(/^[ \t]+$/gm, "");

/** Of these every patch lands. */
const landing = [
  "none",
  "blank lost: all context",
  "blank lost: in one hunk of several",
  "anchor nowhere",
  "anchor with a wrong word",
  "CRLF in both",
  "line ranges",
  "lines came above meanwhile",
];
/** Of these none does: where it belongs would be a guess, or it is done. */
const refused = [
  "there already",
  "anchor nowhere and there already",
  "anchor nowhere and context doubled",
  "anchor of a line below",
  "insertion there already, one line of context",
  "a word of context differs",
  "a removed word differs",
  "a context line left out",
  "context elided by dots",
  "context doubled above",
];

describe("a disturbed patch", () => {
  for (const name of Object.keys(disturbances))
    test(`is applied as meant or refused: ${name}`, async () => {
      for (const diff of diffs) {
        const disturbed = disturb(diff, name);
        if (disturbed === undefined) continue;
        const text = await outcomeOf(disturbed);
        if (landing.includes(name)) assert.notEqual(text, undefined, diff.path);
        if (refused.includes(name)) assert.equal(text, undefined, diff.path);
        if (text !== undefined)
          assert.ok(disturbed.after.map(bared).includes(bared(text)), `${diff.path}\n${text}`);
      }
    });
});
