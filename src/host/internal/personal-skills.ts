// The skills that a person keeps for all workspaces, in the folders that other programs use for them. They may be links,
// since the folder is the person's own.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PersonalSkill } from "../../session/session-context.ts";

const folders = [".agents/skills", ".copilot/skills", ".claude/skills"];
const fileName = "SKILL.md";
const maxFolders = 100;
/** A larger file is not a text that a person wrote. */
const maxBytes = 256 * 1024;

/** What cannot be read is left out. */
export async function readPersonalSkills(home: string): Promise<readonly PersonalSkill[]> {
  const found: PersonalSkill[] = [];
  for (const place of folders) {
    const names = await readdir(join(home, place)).catch(() => []);
    for (const folder of names.toSorted().slice(0, maxFolders)) {
      const text = await textOf(join(home, place, folder, fileName)).catch(() => undefined);
      if (text !== undefined) found.push({ folder, path: `~/${place}/${folder}/${fileName}`, text });
    }
  }
  return found;
}

async function textOf(file: string): Promise<string | undefined> {
  const { size } = await stat(file);
  return size > maxBytes ? undefined : readFile(file, "utf8");
}
