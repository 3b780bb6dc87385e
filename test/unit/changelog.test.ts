// Release notes are small files until a version is cut.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { notesIn, withNotes } from "../support/changelog.mjs";

const changelog = `# Changelog

## [Unreleased]

### Added

- One thing,
  on two lines.

### Fixed

- Another.

## [0.1.0] - 2026-01-01

- The first.
`;

describe("the changelog", () => {
  test("appends each note to the list it names and creates a missing list in its place", () => {
    const notes = [
      { file: "a.md", heading: "Fixed", text: "A third." },
      { file: "b.md", heading: "Changed", text: "A fourth." },
    ];
    const joined = withNotes(changelog, notes);
    assert.equal(
      joined,
      changelog
        .replace("- Another.\n", "- Another.\n- A third.\n")
        .replace("### Fixed", "### Changed\n\n- A fourth.\n\n### Fixed"),
    );
  });

  test("is unchanged without notes", () => {
    assert.equal(withNotes(changelog, []), changelog);
    const ours = readFileSync("CHANGELOG.md", "utf8");
    assert.equal(withNotes(ours, []), ours);
  });

  test("has only notes with a known heading that end in punctuation or markup", () => {
    for (const { heading, text } of notesIn()) {
      assert.ok(["Added", "Changed", "Fixed"].includes(heading));
      assert.match(text, /[.)`*]$/);
    }
  });
});
