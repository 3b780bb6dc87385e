// Release notes: one small file for each change in .github/changes, so that branches don't meet in one list. Its first word
// says under which heading it belongs. `npm run changelog -- <version>` cuts a version: the notes go into CHANGELOG.md and
// their files away. A package that is built before has them under "Unreleased".
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const notesFolder = ".github/changes";
const headings = ["Added", "Changed", "Fixed"];

/** What each file says: `Fixed: *Undo* keeps a file's new name.` */
export function notesIn(folder = notesFolder) {
  const files = readdirSync(folder).filter((file) => file !== "README.md");
  return files.sort().map((file) => {
    const [, heading, text] = /^(\w+): (.+)$/s.exec(readFileSync(join(folder, file), "utf8").trim()) ?? [];
    if (heading === undefined || !headings.includes(heading))
      throw new Error(`${join(folder, file)} has to begin with one of: ${headings.join(", ")}, and a colon.`);
    return { file, heading, text: text.replaceAll(/\s*\n\s*/g, " ") };
  });
}

/** The changelog with the notes at the end of their lists under "Unreleased". */
export function withNotes(changelog, notes) {
  const start = changelog.indexOf("## [Unreleased]");
  const next = changelog.indexOf("\n## [", start + 1);
  if (start < 0 || next < 0) throw new Error("CHANGELOG.md lacks “Unreleased”, or a version below it.");
  const [top = "", ...sections] = changelog
    .slice(start, next)
    .trimEnd()
    .split(/\n+### /);
  const lists = new Map(headings.map((heading) => [heading, []]));
  for (const section of sections) {
    const [heading = "", ...lines] = section.split("\n");
    lists.set(heading, [lines.join("\n").trim()]);
  }
  for (const { heading, text } of notes) lists.get(heading)?.push(`- ${text}`);
  const filled = [...lists].filter(([, entries]) => entries.length > 0);
  const body = filled.map(([heading, entries]) => `### ${heading}\n\n${entries.join("\n")}`);
  return `${changelog.slice(0, start)}${[top, ...body].join("\n\n")}\n${changelog.slice(next)}`;
}

export function cutVersion(version, date = new Date()) {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? "")) {
    console.error("npm run changelog -- <version>, such as 0.3.0");
    return 1;
  }
  const notes = notesIn();
  const whole = withNotes(readFileSync("CHANGELOG.md", "utf8"), notes);
  const day = date.toISOString().slice(0, 10);
  writeFileSync(
    "CHANGELOG.md",
    whole.replace("## [Unreleased]", `## [Unreleased]\n\n## [${version}] - ${day}`),
  );
  for (const { file } of notes) rmSync(join(notesFolder, file));
  console.log(`${notes.length} notes went into ${version}.`);
  return 0;
}
