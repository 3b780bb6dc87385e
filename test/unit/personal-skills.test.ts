import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readPersonalSkills } from "../../src/host/internal/personal-skills.ts";
import { ownFolder } from "../support/one-test.ts";

describe("readPersonalSkills", () => {
  it("reads the skills of the person's folders, through links, without what is too large or missing", async (t) => {
    const home = ownFolder(t, "home");
    const write = (path: string, text: string) => {
      mkdirSync(join(home, path, ".."), { recursive: true });
      writeFileSync(join(home, path), text);
    };
    write(".agents/skills/review/SKILL.md", "Review.");
    write(".agents/skills/empty/readme.md", "None.");
    write(".agents/skills/large/SKILL.md", "x".repeat(300_000));
    mkdirSync(join(home, ".claude/skills"), { recursive: true });
    symlinkSync(join(home, ".agents/skills/review"), join(home, ".claude/skills/linked"));
    assert.deepEqual(await readPersonalSkills(home), [
      { folder: "review", path: "~/.agents/skills/review/SKILL.md", text: "Review." },
      { folder: "linked", path: "~/.claude/skills/linked/SKILL.md", text: "Review." },
    ]);
    assert.deepEqual(await readPersonalSkills(join(home, "nowhere")), []);
  });
});
